/** Reader of the files of a sink: for Sluice, and for the tools that `sluice contract emit` writes code for. */
import type { Data } from "../Row.ts"

/** `decode` gets unpacked text; DuckDB, pandas and Polars unpack by the name of the file. */
export interface Reader {
  /** Ending of its files, without a dot: `json`. `read` and `join` know them by it. */
  readonly extension: string
  /** Rows of a whole file of up to 64 MiB; may throw. Without it, Sluice cannot read the files. */
  readonly decode?: ((text: string) => ReadonlyArray<Data>) | undefined
  /** DuckDB's table function, and its arguments beside the files and `columns`: `["read_json", "format = 'array'"]`. */
  readonly duckdb?: readonly [call: string, ...options: ReadonlyArray<string>] | undefined
  /** Python expression for a DataFrame of one `file`; `dtype` has the types of its columns, and `pd` is pandas. */
  readonly pandas?: string | undefined
  /** Python expression for a LazyFrame of the files at `path`, in which * may stand; `schema` has their types; `pl` and `glob` are imported. */
  readonly polars?: string | undefined
  /** Format of `read` that Sluice decodes line by line, in place of `decode`. */
  readonly format?: "csv" | "jsonl" | undefined
  /** Character between the cells of a table; other formats have none. */
  readonly delimiter?: string | undefined
  readonly quote?: string | undefined
  /** Text of an empty cell. */
  readonly nullText?: string | undefined
}

/** True for cells that are text: types are read from it. */
export const isTable = (reader: Reader | undefined): boolean => reader?.delimiter !== undefined

/** Why Sluice cannot read the files of a sink; undefined when it can. */
export const whyUnreadable = (format: string, reader: Reader | undefined): string | undefined =>
  reader?.format === undefined && reader?.decode === undefined
    ? `rows of the format ${format} cannot be read: give its sink a reader with \`decode\` (Sink.make)`
    : undefined

/** Why rows are not shown where the code of the project does not run. */
export const whyNotShown = ({ format, path }: { readonly format: string; readonly path: string }): string =>
  `rows of the format ${format} cannot be shown here, without the code of its sink: open ${path}, or read it in a definition with the same extensions`
