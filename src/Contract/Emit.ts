/** What readers of the files need, made from a contract: schemas, types and code for their tools. */
import { stringify } from "yaml"
import type { ColumnType } from "./ColumnType.ts"
import type { Column, ResolvedOutput } from "./Contract.ts"
import { jsonSchema } from "./JsonSchema.ts"

/** An output as its readers see it. */
export interface EmittedOutput extends ResolvedOutput {
  readonly step: string
  readonly format: string
  /** Path below the output folder, with `*` for what differs from file to file. */
  readonly glob: string
  /** Of a table. */
  readonly delimiter: string | undefined
  readonly nullText: string
}

/** A pipeline and its outputs that have a contract. */
export interface Emitted {
  readonly pipeline: string
  readonly outputs: ReadonlyArray<EmittedOutput>
}

/** Lower-case name that every tool takes: `docs_watch_write`. */
const nameOf = ({ pipeline }: Emitted, { step }: EmittedOutput): string =>
  `${pipeline}_${step}`
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "_")
    .replace(/^(?=\d)/, "_")

const columnsOf = ({ columns }: EmittedOutput): ReadonlyArray<readonly [name: string, column: Column]> =>
  Object.entries(columns)

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** The schema of one output, or of several by the ids of their steps. */
const asJsonSchema = (emitted: Emitted): string => {
  const schemas = emitted.outputs.map((output) => {
    const title = nameOf(emitted, output)
    return [output.step, jsonSchema(title, output.columns, output.onNew === "add")] as const
  })
  const [only] = schemas
  return json(schemas.length === 1 ? only?.[1] : { $defs: Object.fromEntries(schemas) })
}

const frictionlessTypes: Readonly<Record<ColumnType, Readonly<Record<string, unknown>>>> = {
  string: { type: "string" },
  integer: { type: "integer" },
  number: { type: "number" },
  decimal: { type: "number" },
  boolean: { type: "boolean" },
  date: { type: "date" },
  timestamp: { type: "datetime", format: "any" },
  json: { type: "any" }
}

/** A Frictionless Data Package: `datapackage.json`. */
const asDataPackage = (emitted: Emitted): string =>
  json({
    name: emitted.pipeline.toLowerCase(),
    resources: emitted.outputs.map((output) => ({
      name: nameOf(emitted, output),
      path: output.glob,
      format: output.format,
      encoding: "utf-8",
      ...(output.delimiter === undefined ? {} : { dialect: { delimiter: output.delimiter, header: true } }),
      schema: {
        fields: columnsOf(output).map(([name, { description, enum: values, nullable, type }]) => ({
          name,
          ...frictionlessTypes[type],
          ...(description === undefined ? {} : { description }),
          constraints: { required: !nullable, ...(values === undefined ? {} : { enum: values }) }
        })),
        ...(output.key.length === 0 ? {} : { primaryKey: output.key }),
        missingValues: [output.nullText]
      }
    }))
  })

const duckTypes: Readonly<Record<ColumnType, string>> = {
  string: "VARCHAR",
  integer: "BIGINT",
  number: "DOUBLE",
  decimal: "DECIMAL(38, 10)",
  boolean: "BOOLEAN",
  date: "DATE",
  timestamp: "TIMESTAMPTZ",
  json: "JSON"
}

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`
const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Call of a DuckDB function that reads the files with the types of the contract: nothing is detected. */
const duckReader = (output: EmittedOutput): string => {
  const columns = columnsOf(output).map(([name, { type }]) => `    ${quote(name)}: ${quote(duckTypes[type])}`)
  const options =
    output.delimiter === undefined
      ? ["format = 'newline_delimited'"]
      : [
          "header = true",
          "auto_detect = false",
          `delim = ${quote(output.delimiter)}`,
          `quote = '"'`,
          `escape = '"'`,
          `nullstr = ${quote(output.nullText)}`
        ]
  const reader = output.delimiter === undefined ? "read_json" : "read_csv"
  return `${reader}(\n  ${[quote(output.glob), ...options].join(",\n  ")},\n  columns = {\n${columns.join(",\n")}\n  }\n)`
}

/** Views over the files, for DuckDB in the output folder. */
const asDuckDb = (emitted: Emitted): string =>
  emitted.outputs
    .map(
      (output) =>
        `CREATE OR REPLACE VIEW ${identifier(nameOf(emitted, output))} AS\nSELECT * FROM ${duckReader(output)};\n`
    )
    .join("\n")

/** `sources.yml` of dbt, with tests; with dbt-duckdb the tables are the files. */
const asDbt = (emitted: Emitted): string =>
  stringify(
    {
      version: 2,
      sources: [
        {
          name: emitted.pipeline,
          tables: emitted.outputs.map((output) => ({
            name: nameOf(emitted, output),
            config: { meta: { external_location: duckReader(output).replace(/\s+/g, " ") } },
            columns: columnsOf(output).map(([name, { description, enum: values, nullable, type }]) => {
              const tests = [
                ...(nullable ? [] : ["not_null"]),
                ...(output.key.length === 1 && output.key[0] === name ? ["unique"] : []),
                ...(values === undefined ? [] : [{ accepted_values: { arguments: { values } } }])
              ]
              return {
                name,
                ...(description === undefined ? {} : { description }),
                data_type: duckTypes[type].toLowerCase(),
                ...(tests.length === 0 ? {} : { data_tests: tests })
              }
            })
          }))
        }
      ]
    },
    { lineWidth: 0 }
  )

const typeScriptTypes: Readonly<Record<ColumnType, string>> = {
  string: "string",
  integer: "number",
  number: "number",
  decimal: "string",
  boolean: "boolean",
  date: "string",
  timestamp: "string",
  json: "unknown"
}

const pascal = (name: string): string =>
  name.replace(/(?:^|_+)([a-z0-9])/g, (_, first: string) => first.toUpperCase()).replace(/^(?=\d)/, "_")

/** Types of the rows, as JSONL has them. */
const asTypeScript = (emitted: Emitted): string =>
  emitted.outputs
    .map((output) => {
      const fields = columnsOf(output).map(([name, { description, enum: values, nullable, type, unit }]) => {
        const note = [description, unit && `Unit: ${unit}.`].filter((each) => each !== undefined).join(" ")
        const comment = note === "" ? "" : `  /** ${note.replaceAll("*/", "* /")} */\n`
        const base = values?.map((each) => JSON.stringify(each)).join(" | ") ?? typeScriptTypes[type]
        const property = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
        return `${comment}  readonly ${property}: ${nullable && type !== "json" ? `${base} | null` : base}\n`
      })
      return `/** A row of ${output.glob.replaceAll("*/", "* /")}. */\nexport interface ${pascal(nameOf(emitted, output))} {\n${fields.join("")}}\n`
    })
    .join("\n")

const emitters = {
  "json-schema": asJsonSchema,
  frictionless: asDataPackage,
  duckdb: asDuckDb,
  dbt: asDbt,
  typescript: asTypeScript
} as const

export const formats = ["json-schema", "frictionless", "duckdb", "dbt", "typescript"] as const
export type Format = (typeof formats)[number]

/** The text for one kind of reader. */
export const emit = (format: Format, emitted: Emitted): string => emitters[format](emitted)
