/** CSV as a file format: a header where a file begins, records behind it, and the same number of cells in all of them. */
import * as Either from "effect/Either"
import type { Data } from "../Row.ts"
import type { ColumnType } from "./Cell.ts"
import type { Format } from "./Format.ts"
import { type Cells, type Columns, columnsOf, type Dialect, header, join, recordsOf } from "./Table.ts"
import { makeWidener } from "./Widen.ts"

/** What is known of one file. */
export interface FileColumns {
  readonly columns: Columns
  /** Columns in the header as it is in the file; 0 before there is one. */
  readonly headed: number
}

/** Plain JSON. */
interface Kept {
  readonly headed: number
  /** The columns that this file has beyond those of all. */
  readonly more?: ReadonlyArray<string>
}

const bom = "\ufeff"

const namesOf = ({ list }: Columns): ReadonlyArray<string> => list.map(({ name }) => name)

/** `base` is what every file begins with; it is asked for only when there are rows. */
export const makeFormat = (
  dialect: Dialect & { readonly bom: boolean },
  types: Readonly<Record<string, ColumnType>> | undefined,
  base: () => Columns,
  drop: (field: string) => void
): Format<Data | Cells, FileColumns> => {
  const lineEnd = dialect.lineEnd === "lf" ? "\n" : "\r\n"
  const head = (columns: Columns): string => (dialect.bom ? bom : "") + header(columns, dialect)
  const wider = (columns: Columns, more: ReadonlyArray<string>): Columns =>
    columnsOf([...namesOf(columns), ...more], types, dialect)
  return {
    name: "csv",
    lineEnd,
    header: () => head(base()),
    empty: () => (base().list.length === 0 ? "" : head(base())),
    begin: (continued) => ({ columns: base(), headed: continued ? base().list.length : 0 }),
    keep: ({ columns, headed }) => {
      const more = namesOf(columns).slice(base().list.length)
      return { headed, ...(more.length === 0 ? {} : { more }) }
    },
    restore: (kept) => {
      const { headed, more } = kept as unknown as Kept
      return { columns: more === undefined ? base() : wider(base(), more), headed }
    },
    encode: (group, from, to, state, out) => {
      let { columns, headed } = state
      let at = from
      while (at < to) {
        const found = recordsOf(group, at, to, columns, dialect, drop)
        if (Either.isLeft(found)) return Either.left(found.left)
        const { next, records, strange } = found.right
        if (records.length > 0) {
          if (headed === 0) {
            out.put(head(columns))
            headed = columns.list.length
          }
          out.put(join(records, dialect))
        }
        if (strange.length > 0) columns = wider(columns, strange)
        at = next
      }
      return Either.right(columns === state.columns && headed === state.headed ? state : { columns, headed })
    },
    change: ({ columns, headed }) =>
      columns.list.length === headed
        ? undefined
        : makeWidener({
            ...dialect,
            header: head(columns).slice(0, -lineEnd.length),
            columns: columns.list.length
          })
  }
}
