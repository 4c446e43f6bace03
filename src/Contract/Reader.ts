/** Reader for the files of a sink: for Sluice, and for the tools that `sluice contract emit` generates code for. */
import type { Data } from "../Row.ts"

/** How to read the files of a sink. `decode` gets decompressed text; DuckDB, pandas and Polars decompress by file name. */
export interface Reader {
  /** Extension of the sink's files, without a dot: `json`. `read` and `join` recognize the files by it. */
  readonly extension: string
  /** Decodes the rows of a whole file of up to 64 MiB; may throw. Without it, Sluice cannot read the files. */
  readonly decode?: ((text: string) => ReadonlyArray<Data>) | undefined
  /** DuckDB's table function, and its arguments in addition to the files and `columns`: `["read_json", "format = 'array'"]`. */
  readonly duckdb?: readonly [call: string, ...options: ReadonlyArray<string>] | undefined
  /** Python expression for a DataFrame of one `file`; `dtype` has the types of its columns, and `pd` is pandas. */
  readonly pandas?: string | undefined
  /**
   * Python expression for a LazyFrame of the files at `path`, which may contain *; `schema` has their types; `pl` and `glob` are imported.
   */
  readonly polars?: string | undefined
  /** Built-in format of `read` in which Sluice decodes the files line by line, instead of with `decode`. */
  readonly format?: "csv" | "jsonl" | undefined
  /** Character between the cells of a table; other formats have none. */
  readonly delimiter?: string | undefined
  readonly quote?: string | undefined
  /** Text of an empty cell. */
  readonly nullText?: string | undefined
}

/** True if cells are text, from which types are parsed. */
export const isTable = (reader: Reader | undefined): boolean => reader?.delimiter !== undefined

/** Reason why Sluice cannot read the files of a sink; undefined if it can. */
export const whyUnreadable = (format: string, reader: Reader | undefined): string | undefined =>
  reader?.format === undefined && reader?.decode === undefined
    ? `rows of the format ${format} cannot be read: give its sink a reader with \`decode\` (Sink.make)`
    : undefined

/** Message that the dashboard cannot show rows, because it does not load the extension that defines the format of their sink. */
export const whyNotShown = ({ format, path }: { readonly format: string; readonly path: string }): string =>
  `rows of the format ${format} cannot be shown here, without the code of its sink: open ${path}, or read it in a definition with the same extensions`
