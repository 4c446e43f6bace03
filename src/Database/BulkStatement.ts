/** One SQL statement for many rows, in blocks of a few sizes, so that each statement is prepared once. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Dialect from "./Dialect.ts"

/** Rows per full block. The remaining rows go into blocks of half the size, down to one row. */
const maxRows = 64

export type Value = string | number | Uint8Array | null

export interface Shape {
  readonly before: string
  /** SQL of one row. `own` are its placeholders, like `$4, $5`; the placeholders of shared values are `$1`, `$2`. */
  readonly row: (own: string) => string
  readonly after: string
  /** Number of values that all rows share. */
  readonly shared: number
  /** Number of values of each row. */
  readonly width: number
}

export type Values = ReadonlyArray<Value>

const textOf = ({ after, before, row, shared, width }: Shape, rows: number): string => {
  const tuples: Array<string> = []
  for (let index = 0; index < rows; index++) {
    const own: Array<string> = []
    for (let column = 1; column <= width; column++) own.push(`$${shared + index * width + column}`)
    tuples.push(row(own.join(", ")))
  }
  return before + tuples.join(", ") + after
}

/** Error type of a client's statements; `never` for a client that dies instead. */
type StatementError<Client extends SqlClient.SqlClient> = Effect.Effect.Error<ReturnType<Client["unsafe"]>>

/**
 * Makes a function that runs the statement for any number of rows. Several blocks do not form one transaction. Key columns are written with
 * `fingerprint` (`Dialect.ts`).
 */
export const make = (shape: Shape) => {
  const texts = { plain: new Map<number, string>(), printed: new Map<number, string>() }
  const text = (sql: SqlClient.SqlClient, rows: number): string => {
    const isPrinted = Dialect.needsFingerprints(sql)
    const known = texts[isPrinted ? "printed" : "plain"]
    const found = known.get(rows) ?? Dialect.forDialect(isPrinted, textOf(shape, rows))
    known.set(rows, found)
    return found
  }
  return <A, Client extends SqlClient.SqlClient>(
    sql: Client,
    shared: Values,
    items: ReadonlyArray<A>,
    values: (item: A) => Values
  ): Effect.Effect<void, StatementError<Client>> => {
    let at = 0
    return Effect.whileLoop({
      while: () => at < items.length,
      body: () => {
        let rows = maxRows
        while (rows > items.length - at) rows /= 2
        const parameters: Array<Value> = [...shared]
        for (let index = at; index < at + rows; index++) parameters.push(...values(items[index] as A))
        at += rows
        return sql.unsafe(text(sql, rows), parameters)
      },
      step: () => {}
    }) as Effect.Effect<void, StatementError<Client>>
  }
}

/** An INSERT statement. `into`: its text up to `VALUES`; `width`: number of columns. */
export const inserting = (into: string, width: number) =>
  make({ before: `${into} VALUES `, row: (own) => `(${own})`, after: "", shared: 0, width })
