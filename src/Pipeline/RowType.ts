/**
 * Types of the rows of an inline definition, as far as its steps determine them: the URLs of `urls`, the typed columns of `read`, pages as
 * `Document`, the fields of `extract`, and the names of `select`, each with the type of the field that its expression names. All other rows
 * are `Data`. Contains only types.
 */
import type { Document } from "../Api/Document.ts"
import type { Data } from "../Row.ts"
import type { OutputOf, StandardSchema } from "../Step/StandardSchema.ts"

/** Records the type of a pipeline's final rows. The key is a string: `sluice` and `sluice/promise` each have a copy of this type. */
export interface WithRows<out Content extends object> {
  readonly "~rows"?: Content
}

/** Type of a row of `urls`. */
export interface UrlRow {
  readonly url: string
}

/** Type of a field's value in an expression: JSONata may return the only item of an array instead of the array. */
type ValueOf<Field> = Field extends undefined
  ? never
  : Field extends ReadonlyArray<infer Item>
    ? Item | ReadonlyArray<Item>
    : Field

/** Type of the field at a path; `unknown` for any other expression. */
type FieldAt<Row, Path> = Path extends `${infer Name}.${infer Rest}`
  ? Name extends keyof Row
    ? NonNullable<Row[Name]> extends ReadonlyArray<unknown>
      ? unknown
      : FieldAt<NonNullable<Row[Name]>, Rest>
    : unknown
  : Path extends keyof Row
    ? unknown extends Row[Path]
      ? unknown
      : ValueOf<Row[Path]>
    : unknown

/** Type of a row of `select`. Missing values are left out. */
export type SelectedRow<Row, Columns> = { readonly [Name in keyof Columns]?: FieldAt<Row, Columns[Name]> }

interface CellTypes<Integer> {
  readonly string: string
  readonly integer: Integer
  readonly number: number
  readonly boolean: boolean
  readonly json: unknown
}

/**
 * Type of a row of `read` with typed columns. An empty cell is null unless its type is `string`; with `nullText`, any cell may be null.
 * Integers beyond 2^53 are strings, unless `integers` is `strict`.
 */
export type ReadRow<Columns, Integer, Null> = Data & {
  readonly [Name in keyof Columns]: Columns[Name] extends keyof CellTypes<Integer>
    ? CellTypes<Integer>[Columns[Name]] | (Columns[Name] extends "string" ? Null : null)
    : unknown
}

type RowOfRead<Fields> = Fields extends { readonly columns: infer Columns extends object }
  ? ReadRow<
      Columns,
      Fields extends { readonly integers: "strict" } ? number : number | string,
      Fields extends { readonly nullText: unknown } ? null : never
    >
  : Data

interface FieldTypes {
  readonly number: number
  readonly integer: number
  readonly price: number
  readonly boolean: boolean
  readonly exists: boolean
  readonly json: unknown
}

type TypedValue<Source> = Source extends { readonly expr: unknown }
  ? unknown
  : Source extends { readonly fields: infer Fields }
    ? ExtractedFields<Fields, never>
    : Source extends { readonly as: infer Type }
      ? Type extends keyof FieldTypes
        ? FieldTypes[Type]
        : string
      : string

/** Value from one source of an `extract` field. */
type SourceValue<Source> =
  | (Source extends { readonly all: true } ? ReadonlyArray<TypedValue<Source>> : TypedValue<Source>)
  | (Source extends { readonly default: infer Default } ? Default : never)

type ExtractedFields<Fields, Required> = {
  readonly [Name in keyof Fields]:
    | (Fields[Name] extends ReadonlyArray<infer Source> ? SourceValue<Source> : SourceValue<Fields[Name]>)
    | (Name extends Required ? never : null)
}

/** Type of a row of `extract`: that of its schema; without a schema, its fields, which may be null unless they are required. */
export type ExtractedRow<Config> = Config extends { readonly schema: infer Given }
  ? Given extends StandardSchema
    ? Extract<OutputOf<Given>, object>
    : Data
  : Config extends {
        readonly fields: infer Fields extends object
        readonly keep?: undefined
      }
    ? { readonly url?: string } & ExtractedFields<
        Fields,
        Config extends { readonly required: ReadonlyArray<infer Name> } ? Name : never
      >
    : Data

type Has<Key extends string> = { readonly [Name in Key]: { readonly [K in Name]: unknown } }[Key]

type Source =
  | "activeCrawls"
  | "batchStatus"
  | "crawl"
  | "crawlStatus"
  | "feed"
  | "files"
  | "read"
  | "search"
  | "urls"
  | "usage"

/** Steps that do not change the type of a row. */
type Passing = "browser" | "check" | "crawlPreview" | "limit" | "sample" | "sort" | "where" | "write"

/** Type of a row after a step. */
type After<Row, Step> =
  Step extends Has<Passing>
    ? Row
    : Step extends Has<"when">
      ? Data
      : Step extends { readonly dedupe: infer Fields }
        ? Fields extends Has<"across">
          ? Data
          : Row
        : Step extends { readonly select: infer Columns extends Data }
          ? SelectedRow<Row, Columns>
          : Step extends { readonly extract: infer Config }
            ? ExtractedRow<Config>
            : Step extends Has<"batchScrape" | "batchStatus" | "crawl" | "crawlStatus" | "scrape">
              ? Document
              : Step extends { readonly read: infer Fields }
                ? RowOfRead<Fields>
                : Step extends Has<"urls">
                  ? UrlRow
                  : Data

type RowAtEnd<Steps, Row> = Steps extends readonly [infer Step, ...infer Rest] ? RowAtEnd<Rest, After<Row, Step>> : Row

type Later<Steps> = Steps extends readonly [unknown, ...infer Rest extends ReadonlyArray<unknown>]
  ? Rest[number]
  : never

/**
 * Type of a row at the end of a definition whose steps are a single chain; `Data` for other definitions, and if the steps are not a
 * literal.
 */
export type RowOf<Definition> = Definition extends {
  readonly steps: infer Steps extends readonly [unknown, ...ReadonlyArray<unknown>]
}
  ? [Extract<Steps[number], Has<"from" | "after">>, Exclude<Extract<Later<Steps>, Has<Source>>, Has<"each">>] extends [
      never,
      never
    ]
    ? RowAtEnd<Steps, Data>
    : Data
  : Data

/** Type of a row at the end of a program's definition: the type known to `Pipeline.make`, otherwise the one that its steps determine. */
export type RowOfGiven<Given> = "~rows" extends keyof Given ? Extract<Given["~rows"], object> : RowOf<Given>

/** The row type given by the caller, otherwise that of the definition. */
export type NamedOr<Row extends object, Given> = [Row] extends [never] ? RowOfGiven<Given> : Row
