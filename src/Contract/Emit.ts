/** Schemas, types and code for the tools that read the outputs, derived from a contract. */
import { posix } from "node:path"
import { stringify } from "yaml"
import type { ColumnType } from "./ColumnType.ts"
import type { Column, Columns, ResolvedOutput } from "./Contract.ts"
import { isTable, type Reader } from "./Reader.ts"

/** An output, and the facts that generated code needs to read its files. */
export interface EmittedOutput extends ResolvedOutput {
  readonly step: string
  readonly format: string
  /** Path below the output folder, with `*` for the parts that differ between files. */
  readonly glob: string
  /** Reader declared by the sink. */
  readonly reader: Reader | undefined
}

/** Name of a pipeline, and its outputs that have a contract. */
export interface Emitted {
  readonly pipeline: string
  readonly outputs: ReadonlyArray<EmittedOutput>
}

/** Lower-case name that every tool accepts: `docs_watch_write`. */
const nameOf = ({ pipeline }: Emitted, { step }: EmittedOutput): string =>
  `${pipeline}_${step}`
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "_")
    .replace(/^(?=\d)/, "_")

const columnsOf = ({ columns }: EmittedOutput): ReadonlyArray<readonly [name: string, column: Column]> =>
  Object.entries(columns)

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const schemaTypes: Readonly<Record<ColumnType, Readonly<Record<string, unknown>>>> = {
  string: { type: "string" },
  integer: { type: "integer" },
  number: { type: "number" },
  decimal: { type: "string", pattern: "^-?\\d+(\\.\\d+)?$" },
  boolean: { type: "boolean" },
  date: { type: "string", format: "date" },
  timestamp: { type: "string", format: "date-time" },
  json: {}
}

const propertyOf = ({ description, enum: values, examples, nullable, type, unit }: Column) => {
  const { type: name, ...rest } = schemaTypes[type]
  return {
    ...(name === undefined ? {} : { type: nullable ? [name, "null"] : name }),
    ...rest,
    ...(values === undefined ? {} : { enum: nullable ? [...values, null] : values }),
    ...(description === undefined ? {} : { description }),
    ...(unit === undefined ? {} : { $comment: `unit: ${unit}` }),
    ...(examples === undefined ? {} : { examples })
  }
}

/** JSON Schema (draft 2020-12) of an output's rows, as in JSONL. `isOpen`: rows may have fields that are not columns yet. */
export const jsonSchema = (title: string, columns: Columns, isOpen: boolean) => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title,
  type: "object",
  properties: Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, propertyOf(column)])),
  required: Object.entries(columns).flatMap(([name, { nullable }]) => (nullable ? [] : [name])),
  additionalProperties: isOpen
})

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

const pathInPackage = ({ glob }: EmittedOutput): string => posix.normalize(glob)

/** True if the path is allowed in a Data Package, whose standard forbids absolute paths, paths upwards, and hidden folders and files. */
const mayBeInPackage = (output: EmittedOutput): boolean =>
  !/^([/\\~]|[A-Za-z]:)|(^|[/\\])\./.test(pathInPackage(output))

/** A Frictionless Data Package: `datapackage.json`. */
const asDataPackage = (emitted: Emitted): string =>
  json({
    name: emitted.pipeline.toLowerCase(),
    resources: emitted.outputs.map((output) => ({
      name: nameOf(emitted, output),
      path: pathInPackage(output),
      format: output.reader?.extension ?? output.format,
      encoding: "utf-8",
      ...(isTable(output.reader)
        ? { dialect: { delimiter: output.reader?.delimiter, quoteChar: output.reader?.quote, header: true } }
        : {}),
      schema: {
        fields: columnsOf(output).map(([name, { description, enum: values, nullable, type }]) => ({
          name,
          ...frictionlessTypes[type],
          ...(description === undefined ? {} : { description }),
          constraints: { required: !nullable, ...(values === undefined ? {} : { enum: values }) }
        })),
        ...(output.key.length === 0 ? {} : { primaryKey: output.key }),
        missingValues: [output.reader?.nullText ?? ""]
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

/** Call of a DuckDB function that reads the files with the contract's types, without detecting any. */
const duckReader = (output: EmittedOutput): string => {
  const columns = columnsOf(output).map(([name, { type }]) => `    ${quote(name)}: ${quote(duckTypes[type])}`)
  const [call = "", ...options] = output.reader?.duckdb ?? []
  return `${call}(\n  ${[quote(output.glob), ...options].join(",\n  ")},\n  columns = {\n${columns.join(",\n")}\n  }\n)`
}

/** DuckDB views over the files, for use in the output folder. */
const asDuckDb = (emitted: Emitted): string =>
  emitted.outputs
    .map(
      (output) =>
        `CREATE OR REPLACE VIEW ${identifier(nameOf(emitted, output))} AS\nSELECT * FROM ${duckReader(output)};\n`
    )
    .join("\n")

/** dbt test for accepted values. dbt quotes the values in SQL unless `quote: false` is set; dbt's schema takes only strings here. */
const acceptedValues = (values: ReadonlyArray<unknown>, type: ColumnType) => ({
  accepted_values: {
    arguments: {
      values: values.map((value) => String(value).replaceAll("'", "''")),
      ...(["integer", "number", "decimal", "boolean"].includes(type) ? { quote: false } : {})
    }
  }
})

/**
 * `sources.yml` of dbt, with tests; with dbt-duckdb the tables are the files. Strings are quoted, because dbt reads YAML 1.1, where a plain
 * `no` or `2026-01-31` is not a string. Column names are quoted in dbt's SQL, because they may be any text.
 */
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
                ...(values === undefined ? [] : [acceptedValues(values, type)])
              ]
              return {
                name,
                quote: true,
                ...(description === undefined ? {} : { description }),
                data_type: duckTypes[type].toLowerCase(),
                ...(tests.length === 0 ? {} : { data_tests: tests })
              }
            })
          }))
        }
      ]
    },
    { lineWidth: 0, version: "1.1" }
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

/** TypeScript types of the rows, as in JSONL. */
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

/** Python string literal; JSON's escapes are Python's, too. */
const pythonText = (text: string): string => JSON.stringify(text)

const pythonDict = (entries: ReadonlyArray<readonly [name: string, code: string]>): string =>
  `{\n${entries.map(([name, code]) => `    ${pythonText(name)}: ${code},\n`).join("")}}`

const columnsOfType = (output: EmittedOutput, type: ColumnType): string =>
  `[${columnsOf(output)
    .filter(([, column]) => column.type === type)
    .map(([name]) => pythonText(name))
    .join(", ")}]`

/** Nullable pandas types. Decimals stay text, which is exact; dates and times are text until converted. */
const pandasTypes: Readonly<Record<ColumnType, string>> = {
  string: "string",
  integer: "Int64",
  number: "Float64",
  decimal: "string",
  boolean: "boolean",
  date: "string",
  timestamp: "string",
  json: "object"
}

const pandasHelper = `def _rows(folder, pattern, read, dtype, dates, timestamps, texts):
    files = sorted(glob.glob(os.path.join(folder, pattern)))
    frames = [read(file, dtype) for file in files] or [pd.DataFrame(columns=list(dtype))]
    rows = pd.concat(frames, ignore_index=True).reindex(columns=list(dtype)).astype(dtype)
    for name in dates:
        rows[name] = pd.to_datetime(rows[name], format="%Y-%m-%d")
    for name in timestamps:
        rows[name] = pd.to_datetime(rows[name], format="ISO8601", utc=True)
    for name in texts:
        rows[name] = rows[name].map(json.loads, na_action="ignore")
    return rows
`

/** A Python module with the types of the columns, and a function that reads each output. */
const asPandas = (emitted: Emitted): string => {
  const readers = emitted.outputs.map((output) => {
    const name = nameOf(emitted, output)
    const types = `${name.toUpperCase()}_DTYPE`
    const dtype = pythonDict(columnsOf(output).map(([column, { type }]) => [column, pythonText(pandasTypes[type])]))
    return `${types} = ${dtype}


def read_${name}(folder="."):
    """The rows of an output, as a DataFrame. \`folder\` is the output folder."""
    return _rows(
        folder,
        ${pythonText(output.glob)},
        lambda file, dtype: ${output.reader?.pandas},
        dtype=${types},
        dates=${columnsOfType(output, "date")},
        timestamps=${columnsOfType(output, "timestamp")},
        texts=${isTable(output.reader) ? columnsOfType(output, "json") : "[]"},
    )
`
  })
  const head = `"""Reads the outputs of a pipeline with pandas 2 or later. Made by: sluice contract emit --format pandas"""

import glob
import json
import os

import pandas as pd
`
  return [head, ...readers, pandasHelper].join("\n\n")
}

/** Polars types as in the files. Decimals, dates and times are converted afterwards; JSON stays text. */
const polarsTypes: Readonly<Record<ColumnType, string>> = {
  string: "pl.String",
  integer: "pl.Int64",
  number: "pl.Float64",
  decimal: "pl.String",
  boolean: "pl.Boolean",
  date: "pl.String",
  timestamp: "pl.String",
  json: "pl.String"
}

const polarsConversions: Partial<Record<ColumnType, string>> = {
  decimal: "cast(pl.Decimal(38, 10))",
  date: 'str.to_date("%Y-%m-%d")',
  timestamp: 'str.to_datetime("%+", time_unit="us", time_zone="UTC")'
}

/** A Python module with the schema of the files, and a function that scans each output. */
const asPolars = (emitted: Emitted): string => {
  const readers = emitted.outputs.map((output) => {
    const name = nameOf(emitted, output)
    const schema = `${name.toUpperCase()}_SCHEMA`
    const conversions = columnsOf(output).flatMap(([column, { type }]) => {
      const conversion = polarsConversions[type]
      return conversion === undefined ? [] : [`        pl.col(${pythonText(column)}).${conversion},\n`]
    })
    const typed = conversions.length === 0 ? "" : `.with_columns(\n${conversions.join("")}    )`
    return `${schema} = ${pythonDict(columnsOf(output).map(([column, { type }]) => [column, polarsTypes[type]]))}


def scan_${name}(folder="."):
    """The rows of an output, as a LazyFrame. \`folder\` is the output folder."""
    path = os.path.join(folder, ${pythonText(output.glob)})
    schema = ${schema}
    return ${output.reader?.polars}${typed}
`
  })
  const head = `"""Reads the outputs of a pipeline with Polars 1. Made by: sluice contract emit --format polars"""

${emitted.outputs.some(({ reader }) => reader?.polars?.includes("glob.")) ? "import glob\n" : ""}import os

import polars as pl
`
  return [head, ...readers].join("\n\n")
}

const emitters = {
  "json-schema": asJsonSchema,
  frictionless: asDataPackage,
  duckdb: asDuckDb,
  dbt: asDbt,
  typescript: asTypeScript,
  pandas: asPandas,
  polars: asPolars
} as const

export const formats = ["json-schema", "frictionless", "duckdb", "dbt", "typescript", "pandas", "polars"] as const
export type Format = (typeof formats)[number]

/** Reason why an output cannot be emitted in a format; undefined if it can. */
export const whyLeftOut = (format: Format, output: EmittedOutput): string | undefined => {
  if (format === "frictionless" && !mayBeInPackage(output)) {
    return `a Data Package must not name ${output.glob}: it is hidden, or outside the output folder`
  }
  const tool = format === "dbt" ? "duckdb" : format
  return (tool !== "duckdb" && tool !== "pandas" && tool !== "polars") || output.reader?.[tool] !== undefined
    ? undefined
    : `${format} has no way to read ${output.format}: add \`${tool}\` to the reader of the sink (Sink.make)`
}

/** Emitted text for one kind of reader, without the outputs that {@link whyLeftOut} excludes. */
export const emit = (format: Format, { outputs, pipeline }: Emitted): string =>
  emitters[format]({ pipeline, outputs: outputs.filter((output) => whyLeftOut(format, output) === undefined) })
