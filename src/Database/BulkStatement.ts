/** One statement for many rows: blocks of a few sizes, so that each text is prepared once and used again. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Dialect from "./Dialect.ts"

/** Rows of a full block; what is left goes in halves, down to one row. */
const largest = 64

export type Value = string | number | Uint8Array | null

export interface Shape {
  readonly before: string
  /** One row, given its own placeholders as `$4, $5`; shared ones are `$1`, `$2`. */
  readonly row: (own: string) => string
  readonly after: string
  /** Values that all rows share, and values of each row. */
  readonly shared: number
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

/** Makes a statement for many rows, with keys as in `Fingerprint.ts`. It is no transaction by itself. */
export const make = (shape: Shape) => {
  const texts = { plain: new Map<number, string>(), printed: new Map<number, string>() }
  const text = (sql: SqlClient.SqlClient, rows: number): string => {
    const isPrinted = Dialect.needsFingerprints(sql)
    const known = texts[isPrinted ? "printed" : "plain"]
    const found = known.get(rows) ?? Dialect.forDialect(isPrinted, textOf(shape, rows))
    known.set(rows, found)
    return found
  }
  return <A>(
    sql: SqlClient.SqlClient,
    shared: Values,
    items: ReadonlyArray<A>,
    values: (item: A) => Values
  ): Effect.Effect<void, SqlError> => {
    let at = 0
    return Effect.whileLoop({
      while: () => at < items.length,
      body: () => {
        let rows = largest
        while (rows > items.length - at) rows /= 2
        const parameters: Array<Value> = [...shared]
        for (let index = at; index < at + rows; index++) parameters.push(...values(items[index] as A))
        at += rows
        return sql.unsafe(text(sql, rows), parameters)
      },
      step: () => {}
    })
  }
}

/** The common case: `into` with the columns, and a value of the row for each. */
export const inserting = (into: string, width: number) =>
  make({ before: `${into} VALUES `, row: (own) => `(${own})`, after: "", shared: 0, width })
