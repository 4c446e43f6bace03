/** What `sluice contract emit` gives, read by the tools that it is for. */

import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { DuckDBInstance } from "@duckdb/node-api"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Effect from "effect/Effect"
import ts from "typescript"
import { parse as parseYaml } from "yaml"
import * as Emit from "../../src/Contract/Emit.ts"
import { csv } from "../../src/Sink/Csv.ts"
import { jsonl } from "../../src/Sink/Jsonl.ts"
import { sluice } from "../Cli/Console.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { carryOut } from "../Run/Published.ts"

const definition = `version: 1
name: goods
steps:
  - read: rows.jsonl
  - write: { jsonl: "kinds/{kind}.jsonl", partitionBy: { kind: kind } }
  - id: table
    write: { csv: table.csv, delimiter: ";", nullText: none }
`

const columns = `
      id: { type: integer, description: Number of the shop. }
      kind: { type: string, enum: [ a, b ] }
      name: { type: string, nullable: true }
      price: { type: decimal, unit: EUR }
      weight: { type: number, nullable: true }
      sold: { type: boolean }
      seen: { type: date }
      at: { type: timestamp }
      "more tags": { type: json, nullable: true }
`

const contract = `version: 1
onNew: drop
onType: coerce
onMissing: reject
outputs:
  write:
    key: [id]
    columns:${columns}  table:
    key: [id]
    columns:${columns}`

const rows = [
  {
    id: 1,
    kind: "a",
    name: 'Tea; "green"',
    price: "-4.50",
    weight: 1,
    sold: true,
    seen: "2026-01-31",
    at: "2026-01-31T10:00:00+02:00",
    "more tags": ["x", 1]
  },
  {
    id: "2",
    kind: "b",
    name: null,
    price: 12,
    weight: 0.25,
    sold: "false",
    seen: "2026-02-01",
    at: "2026-01-31T00:00:00Z",
    "more tags": "none"
  },
  { id: 3, kind: "b", price: 0.1, sold: false, seen: "2026-02-02", at: "2026-01-31T10:00:00.123Z" }
]

/** A folder with a run of the pipeline, and what is emitted for it. */
const project = Effect.gen(function* () {
  const folder = yield* tempDir
  writeFileSync(`${folder}/p.yaml`, definition)
  writeFileSync(`${folder}/p.contract.yaml`, contract)
  writeFileSync(`${folder}/rows.jsonl`, rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  const { summary } = yield* carryOut(folder, definition)
  expect(summary.rejects).toBe(0)
  const emit = (format: string) =>
    Effect.map(sluice(["contract", "emit", `${folder}/p.yaml`, "--format", format]), ({ code, err, out }) => {
      expect([code, err]).toEqual([0, ""])
      return out
    })
  return { folder, emit }
})

/** As JSONL has them. */
const stored = [
  { ...rows[0], weight: 1 },
  { ...rows[1], id: 2, price: "12", sold: false },
  { ...rows[2], name: null, weight: null, price: "0.1", "more tags": null }
]

/** Prints the texts of its argument that the module on its standard input does not contain. */
const missingTexts = `import ast, json, sys
nodes = ast.walk(ast.parse(sys.stdin.read()))
texts = [node.value for node in nodes if isinstance(node, ast.Constant)]
print([name for name in json.loads(sys.argv[1]) if name not in texts])
`

const hasPython = spawnSync("python3", ["--version"]).status === 0

describe("sluice contract emit", () => {
  scoped("gives JSON Schema that accepts the rows, and no others", function* () {
    const { emit } = yield* project
    const { $defs } = JSON.parse(yield* emit("json-schema"))
    const ajv = new Ajv2020({
      allowUnionTypes: true,
      formats: { date: /^\d{4}-\d\d-\d\d$/, "date-time": /^\d{4}-\d\d-\d\dT/ }
    })
    const validate = ajv.compile($defs.write)
    for (const row of stored) expect([validate(row), validate.errors]).toEqual([true, null])
    for (const wrong of [{ id: 1.5 }, { kind: "c" }, { price: 1 }, { seen: "soon" }, { sold: null }, { other: 1 }]) {
      expect(validate({ ...stored[0], ...wrong }), JSON.stringify(wrong)).toBe(false)
    }
  })

  scoped.skipIf(skipsLong)("gives TypeScript types that the compiler checks rows against", function* () {
    const { emit, folder } = yield* project
    const types = yield* emit("typescript")
    const use = (row: unknown) => `${types}\nexport const row: GoodsWrite = ${JSON.stringify(row)}\n`
    const check = (row: unknown) => {
      writeFileSync(`${folder}/row.ts`, use(row))
      const options = { strict: true, noEmit: true, types: [], lib: ["lib.es5.d.ts"], skipDefaultLibCheck: true }
      const program = ts.createProgram([`${folder}/row.ts`], options)
      return ts
        .getPreEmitDiagnostics(program)
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "))
    }
    expect(check(stored[0])).toEqual([])
    expect(check({ ...stored[2], kind: "c" })).toEqual([`Type '"c"' is not assignable to type '"a" | "b"'.`])
    expect(types).toContain("  /** Number of the shop. */\n  readonly id: number\n")
  })

  scoped("gives DuckDB views that read JSONL and CSV alike, with the declared types", function* () {
    const { emit, folder } = yield* project
    const sql = yield* emit("duckdb")
    expect(sql).toContain('CREATE OR REPLACE VIEW "goods_write" AS')
    const read = yield* Effect.promise(() =>
      DuckDBInstance.create(":memory:").then((instance) =>
        instance.connect().then((db) => {
          const all = (query: string) => db.runAndReadAll(query).then((reader) => reader.getRowObjectsJson())
          return db
            .run(`SET file_search_path = '${folder}/out'; SET TimeZone = 'UTC'; ${sql}`)
            .then(() =>
              Promise.all([
                all("SELECT column_name, column_type FROM (DESCRIBE goods_write)"),
                all("SELECT column_name, column_type FROM (DESCRIBE goods_table)"),
                all("SELECT * FROM goods_write ORDER BY id"),
                all("SELECT * FROM goods_table ORDER BY id")
              ])
            )
            .finally(() => db.closeSync())
        })
      )
    )
    const [lineTypes, tableTypes, lines, table] = read
    expect(lineTypes.map(({ column_type }) => column_type)).toEqual([
      ...[
        "BIGINT",
        "VARCHAR",
        "VARCHAR",
        "DECIMAL(38,10)",
        "DOUBLE",
        "BOOLEAN",
        "DATE",
        "TIMESTAMP WITH TIME ZONE",
        "JSON"
      ]
    ])
    expect(tableTypes).toEqual(lineTypes)
    expect(table).toEqual(lines)
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatchObject({ id: "1", name: 'Tea; "green"', price: "-4.5000000000", seen: "2026-01-31" })
  })

  scoped("gives a Data Package and dbt sources", function* () {
    const { emit } = yield* project
    const { name, resources } = JSON.parse(yield* emit("frictionless"))
    expect([name, resources.length]).toEqual(["goods", 2])
    expect(resources[1]).toMatchObject({
      name: "goods_table",
      path: "table.csv",
      dialect: { delimiter: ";", header: true },
      schema: { primaryKey: ["id"], missingValues: ["none"] }
    })
    expect(resources[0].schema.fields[1]).toEqual({
      name: "kind",
      type: "string",
      constraints: { required: true, enum: ["a", "b"] }
    })
    const dbt = parseYaml(yield* emit("dbt"))
    const [table] = dbt.sources[0].tables
    expect(table.config.meta.external_location).toMatch(/^read_json\( 'kinds\/\*\.jsonl', /)
    expect(table.columns[0]).toEqual({
      name: "id",
      quote: true,
      description: "Number of the shop.",
      data_type: "bigint",
      data_tests: ["not_null", "unique"]
    })
    expect(table.columns[1].data_tests).toEqual([
      "not_null",
      { accepted_values: { arguments: { values: ["a", "b"] } } }
    ])
    expect(table.columns[2]).not.toHaveProperty("data_tests")
  })

  scoped("leaves outputs out of a Data Package that it must not name, and says so", function* () {
    const folder = yield* tempDir
    writeFileSync(
      `${folder}/p.yaml`,
      `version: 1
name: goods
steps:
  - read: rows.jsonl
  - write: { jsonl: "./sub/x.jsonl" }
  - id: above
    write: { jsonl: "../x.jsonl" }
  - id: hidden
    write: { csv: "sub/.x/x.csv" }
  - id: whole
    write: { csv: "${folder}/x.csv" }
`
    )
    const output = "{ columns: { id: { type: integer } } }"
    const outputs = ["write", "above", "hidden", "whole"].map((step) => `  ${step}: ${output}\n`).join("")
    writeFileSync(`${folder}/p.contract.yaml`, `version: 1\noutputs:\n${outputs}`)
    const { code, err, out } = yield* sluice(["contract", "emit", `${folder}/p.yaml`, "--format", "frictionless"])
    expect(code).toBe(0)
    expect(JSON.parse(out).resources.map(({ path }: { path: string }) => path)).toEqual(["sub/x.jsonl"])
    expect(err.match(/warning: \w+: a Data Package must not name/g)).toEqual(
      ["above", "hidden", "whole"].map((step) => `warning: ${step}: a Data Package must not name`)
    )
  })

  it("gives dbt sources that its YAML 1.1 reads as meant, with the values that its schema and its tests take", () => {
    const column = { type: "string", nullable: true } as const
    const input = {
      pipeline: "no",
      outputs: [
        {
          step: "write",
          format: "jsonl",
          glob: "x.jsonl",
          reader: jsonl.reader(),
          onNew: "add",
          onType: "widen",
          onMissing: "null",
          key: [],
          columns: {
            on: { ...column, description: "off", enum: ["yes", "no", "12:30:00", "1e3", "men's"] },
            "more tags": { ...column, type: "date", enum: ["2026-01-31"] },
            level: { ...column, type: "integer", enum: [1, 20] },
            sold: { ...column, type: "boolean", enum: [true] },
            price: { ...column, type: "decimal", enum: ["-4.50"] }
          }
        }
      ]
    } as const
    // PyYAML, which dbt reads with, follows YAML 1.1: yes is true, 2026-01-31 a date, and 12:30:00 a number.
    const { sources } = parseYaml(Emit.emit("dbt", input), { version: "1.1", schema: "yaml-1.1" })
    expect(sources[0].name).toBe("no")
    const columns: ReadonlyArray<{ readonly name: string; readonly quote: boolean }> = sources[0].tables[0].columns
    expect(columns.map(({ name, quote }) => [name, quote])).toEqual(
      ["on", "more tags", "level", "sold", "price"].map((name) => [name, true])
    )
    expect(columns[0]).toMatchObject({ description: "off" })
    const accepted = (values: ReadonlyArray<string>, quote: boolean) => ({
      data_tests: [{ accepted_values: { arguments: { values, ...(quote ? {} : { quote }) } } }]
    })
    expect(columns).toMatchObject([
      accepted(["yes", "no", "12:30:00", "1e3", "men''s"], true),
      accepted(["2026-01-31"], true),
      accepted(["1", "20"], false),
      accepted(["true"], false),
      accepted(["-4.50"], false)
    ])
  })

  scoped("gives Python modules for pandas and Polars", function* () {
    const { emit } = yield* project
    expect(yield* emit("pandas")).toMatchSnapshot("pandas")
    expect(yield* emit("polars")).toMatchSnapshot("polars")
  })

  it.skipIf(!hasPython)("gives Python modules that Python compiles, whatever the names of columns are", () => {
    const column = { type: "timestamp", nullable: true } as const
    const output = {
      step: "write",
      format: "csv",
      glob: 'it\'s "x"/*.csv',
      reader: csv.reader({ delimiter: "\t", nullText: "\\N" }),
      onNew: "add",
      onType: "widen",
      onMissing: "null",
      key: [],
      columns: { 'a"b': column, "c\\": column, "d\ne\u2028": column, "": column, "\u0000 é 😀": column }
    } as const
    const lines = { ...output, step: "2", format: "jsonl", reader: jsonl.reader() }
    const names = JSON.stringify(Object.keys(output.columns))
    for (const format of ["pandas", "polars"] as const) {
      const input = Emit.emit(format, { pipeline: "class", outputs: [output, lines] })
      const env = { ...process.env, PYTHONUTF8: "1" }
      const { stderr, stdout } = spawnSync("python3", ["-c", missingTexts, names], { input, encoding: "utf8", env })
      expect([format, stderr, stdout]).toEqual([format, "", "[]\n"])
    }
  })
})
