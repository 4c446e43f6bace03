/** The work of steps that rows go through: they pass, are left out, or are asked for, one by one or as a job. */
import { rowUrl } from "../../../Step/Field.ts"
import * as Counts from "../Count.ts"
import { bought, fieldsOf, type Given, idle, type Operation, type Work } from "./Given.ts"

/** Every row goes through as one row. */
export const same = ({ keys, rows }: Given): Work => ({ ...idle, rows, keys })
/** Rows may be left out. */
export const fewer = ({ rows }: Given): Work => ({ ...idle, rows: Counts.upTo(rows.most) })
/** The number of rows for each row is unknown. */
export const any = ({ rows }: Given): Work => ({ ...idle, rows: Counts.upTo(rows.most === 0 ? 0 : undefined) })

/** One page for each row. */
export const each =
  (operation: Operation) =>
  ({ cost, keys, rows }: Given): Work => ({
    operation,
    requests: rows,
    pages: rows,
    rows,
    keys,
    buys: bought(cost, rows)
  })

/** One job for all rows; a page that several rows ask for is asked for once. */
export const batch = ({ config, cost, keys, rows }: Given): Work => {
  const pages =
    keys === undefined || fieldsOf(config).url !== rowUrl() ? Counts.some(rows) : Counts.exactly(new Set(keys).size)
  return {
    operation: { request: "POST /v2/batch/scrape", documented: false },
    requests: { least: Math.min(1, rows.least), most: rows.most === 0 ? 0 : 1 },
    pages,
    rows,
    keys,
    buys: bought(cost, pages)
  }
}
