/** A sink of a project's own, whose files have a footer: everything that reads outputs asks its reader, and says so where there is none. */

import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { DuckDBInstance } from "@duckdb/node-api"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { parse } from "yaml"
import * as Outputs from "../../src/Dashboard/Outputs.ts"
import { Query } from "../../src/Dashboard/Request.ts"
import { Ledger } from "../../src/Ledger.ts"
import { draft } from "../../src/Mcp/Drafts.ts"
import { isOwnOutput } from "../../src/Permissions/Untrusted.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { ofValue } from "../../src/Pipeline/Source.ts"
import * as Templates from "../../src/Pipeline/Templates.ts"
import { sinks } from "../../src/Sink/Write.ts"
import { wholeDecoder } from "../../src/Step/Read/Decoder.ts"
import { open } from "../../src/Step/Read/Input.ts"
import { rowsOf } from "../../src/Step/Read/Rows.ts"
import { sluice } from "../Cli/Console.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { layer } from "../Ledger/Fresh.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { program } from "../Programs.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** Two sinks: `json` with a reader, `mute` with none. */
const module = () => `import * as Schema from "${root}node_modules/effect/dist/esm/Schema.js"
import { Sink } from "${program("index")}"
export { json } from "${root}test/Sink/JsonArray.ts"
export const mute = Sink.make({
  key: "mute",
  summary: "Writes lines.",
  example: "write: { mute: a.txt }",
  state: Schema.Void,
  codec: () => ({ begin: undefined, encode: (row, _, out) => out.put(JSON.stringify(row) + "\\n") })
})
`

const rows = [
  { id: 1, kind: "a", name: "Tea, [green]", price: 4.5, seen: "2026-01-31", tags: ["x"] },
  { id: 2, kind: "b", name: null, price: 3, seen: "2026-02-01", tags: [] },
  { id: 3, kind: "b", name: "é", price: 3, seen: "2026-02-01", tags: ["y", 1] }
]

const definition = `version: 1
name: goods
extensions: ./extensions.mts
steps:
  - read: rows.jsonl
  - id: array
    write: { json: "kinds/{kind}.json.gz", partitionBy: { kind: kind } }
  - id: lines
    write: { jsonl: lines.jsonl }
`

/** The module is code in a folder outside of this project. */
const permissions = (verb = "") => (verb === "show" ? [] : ["--allow-code"])

/** A folder with the sinks, the rows and these definitions. */
const project = (definitions: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const folder = yield* tempDir
    const write = (name: string, text: string) => writeFileSync(`${folder}/${name}`, text)
    write("extensions.mts", module())
    write("rows.jsonl", rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
    for (const [name, text] of Object.entries(definitions)) write(name, text)
    const data = ["--data", `${folder}/data`]
    const act = (words: ReadonlyArray<string>) =>
      sluice([...words.map((word) => (word.endsWith(".yaml") ? `${folder}/${word}` : word)), ...permissions(words[0])])
    const run = (name: string) =>
      Effect.map(act(["run", name, "--out", `${folder}/out`, "--json", "--quiet", ...data]), ({ err, out }) => {
        expect(err).toBe("")
        return JSON.parse(out).runId as string
      })
    return { act, data, folder, run, write }
  })

describe("a third sink, with a footer", () => {
  scoped.skipIf(skipsLong)(
    "teaches a contract what JSON Lines of the same rows teach it, and is compared with it",
    function* () {
      const { act, data, folder, run } = yield* project({ "p.yaml": definition })
      yield* run("p.yaml")
      expect(yield* act(["contract", "init", "p.yaml", ...data])).toMatchObject({ code: 0, err: "" })
      const { outputs } = parse(readFileSync(`${folder}/p.contract.yaml`, "utf8"))
      expect(Object.keys(outputs.array.columns)).toEqual(["id", "kind", "name", "price", "seen", "tags"])
      expect(outputs.array).toEqual(outputs.lines)
      expect(yield* act(["contract", "diff", "p.yaml", ...data])).toMatchObject({ code: 0, err: "" })
    }
  )

  scoped.skipIf(skipsLong)(
    "is in what contract emit prints: DuckDB reads its files, and Python gets its own calls",
    function* () {
      const { act, data, folder, run } = yield* project({ "p.yaml": definition })
      yield* run("p.yaml")
      yield* act(["contract", "init", "p.yaml", ...data])
      const emit = (format: string) =>
        Effect.map(act(["contract", "emit", "p.yaml", "--format", format]), ({ code, err, out }) => {
          expect([format, code, err]).toEqual([format, 0, ""])
          return out
        })
      const sql = yield* emit("duckdb")
      expect(sql).toContain("read_json(\n  'kinds/*.json.gz',\n  format = 'array',\n")
      const [array, lines] = yield* Effect.promise(() =>
        DuckDBInstance.create(":memory:").then((instance) =>
          instance.connect().then((db) => {
            const all = (view: string) =>
              db.runAndReadAll(`SELECT * FROM ${view} ORDER BY id`).then((reader) => reader.getRowObjectsJson())
            return db
              .run(`SET file_search_path = '${folder}/out'; ${sql}`)
              .then(() => Promise.all([all("goods_array"), all("goods_lines")]))
              .finally(() => db.closeSync())
          })
        )
      )
      expect(array).toHaveLength(3)
      expect(array).toEqual(lines)
      expect(yield* emit("dbt")).toContain("read_json( 'kinds/*.json.gz', format = 'array',")
      expect(yield* emit("pandas")).toContain("lambda file, dtype: pd.read_json(file, dtype=dtype, convert_dates=False")
      expect(yield* emit("polars")).toContain("return pl.concat([pl.read_json(each, schema=schema) for each in sorted(")
      const { resources } = JSON.parse(yield* emit("frictionless"))
      expect(resources[0]).toMatchObject({ path: "kinds/*.json.gz", format: "json" })
    }
  )

  scoped("is read back by the tests of a pipeline", function* () {
    const expected = (price: number) =>
      `tests:
  - name: writes an array
    expect:
      outputs: { kinds/b.json.gz: { equals: ${JSON.stringify(rows.slice(1).map((row) => ({ ...row, price })))} } }
`
    const { act, write } = yield* project({ "p.yaml": definition, "p.test.yaml": expected(3) })
    expect(yield* act(["test", "p.yaml"])).toMatchObject({ code: 0, err: "" })
    write("p.test.yaml", expected(4))
    const wrong = yield* act(["test", "p.yaml"])
    expect(wrong.code).toBe(6)
    expect(wrong.out).toMatch(/price.*4/s)
  })

  scoped("is read and joined by the definition that has the sink, and by no other", function* () {
    const more = (name: string, extensions: string, first: string) =>
      `version: 1\nname: ${name}\n${extensions}steps:\n${first}  - write: { jsonl: ${name}.jsonl }\n`
    const known = "extensions: ./extensions.mts\n"
    const read = "  - read: all.json\n"
    const join = "  - read: rows.jsonl\n  - join: { file: all.json, on: id, fields: [name], as: other }\n"
    const { act, folder, run, write } = yield* project({
      "read.yaml": more("read", known, read),
      "join.yaml": more("join", known, join),
      "foreign.yaml": more("foreign", "", read)
    })
    write("all.json", JSON.stringify(rows, undefined, 2))
    const linesOf = (name: string) =>
      readFileSync(`${folder}/out/${name}.jsonl`, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
    yield* run("read.yaml")
    expect(linesOf("read")).toEqual(rows)
    yield* run("join.yaml")
    expect(linesOf("join")).toEqual(rows.map((row) => ({ ...row, other: { name: row.name } })))
    const foreign = yield* act(["check", "foreign.yaml"])
    expect(foreign.code).not.toBe(0)
    expect(foreign.err + foreign.out).toContain("the name of all.json does not show its format")
    // A file that is cut is a failure of the file, and no row.
    write("all.json", JSON.stringify(rows).slice(0, -3))
    const cut = yield* act(["run", "read.yaml", "--out", `${folder}/out`, "--data", `${folder}/data`, "--quiet"])
    expect([cut.code === 0, cut.err]).toEqual([false, expect.stringContaining("cannot read all.json: SyntaxError")])
  })

  scoped("is named with what to do where only the ledger is there: never read as JSON Lines", function* () {
    const named = definition.replace("{kind}.json.gz", "{kind}.jsonl")
    const { act, data, folder, run } = yield* project({ "p.yaml": named })
    const id = yield* run("p.yaml")
    const why = "rows of the format json cannot be shown here, without the code of its sink: open"
    const views = yield* Effect.gen(function* () {
      const outputs = (yield* (yield* Ledger).history.run(id))?.run.outputs ?? []
      return yield* Effect.forEach(outputs as ReadonlyArray<{ readonly format: string }>, ({ format }, at) =>
        Effect.map(
          Effect.all([
            Outputs.preview(id, String(at), new Query(new URLSearchParams())),
            Outputs.profile(id, String(at))
          ]),
          ([preview, profile]) => [format, preview.rows.length, preview.why, profile.rows, profile.why]
        )
      )
    }).pipe(Effect.provide(layer(`${folder}/data`)), Effect.provide(NodeContext.layer))
    const silent = ["json", 0, expect.stringContaining(why), 0, expect.stringContaining(why)]
    expect(views).toEqual([silent, silent, ["jsonl", 3, undefined, 3, undefined]])
    const shown = yield* act(["show", id, "--rows", ...data])
    expect(shown.out.trimEnd().split("\n")).toHaveLength(3)
    expect(shown.err).toContain(why)
  })

  scoped.skipIf(skipsLong)(
    "without a reader, is left out with a warning, and its rows in tests are a reason",
    function* () {
      const mute = definition.replace("json: ", "mute: ")
      const { act, data, folder, run, write } = yield* project({ "p.yaml": mute })
      yield* run("p.yaml")
      const reason = "rows of the format mute cannot be read: give its sink a reader with `decode` (Sink.make)"
      const left = `warning: array: ${reason}; this output is left out\n`
      expect(yield* act(["contract", "init", "p.yaml", ...data])).toMatchObject({ code: 0, err: left })
      const { outputs } = parse(readFileSync(`${folder}/p.contract.yaml`, "utf8"))
      expect(Object.keys(outputs)).toEqual(["lines"])
      write("p.contract.yaml", `version: 1\noutputs: { array: { columns: { id: { type: integer } } } }\n`)
      for (const [format, tool] of [
        ["duckdb", "duckdb"],
        ["dbt", "duckdb"],
        ["pandas", "pandas"],
        ["polars", "polars"]
      ]) {
        const { err, out } = yield* act(["contract", "emit", "p.yaml", "--format", format ?? ""])
        const why = `${format} has no way to read mute: add \`${tool}\` to the reader of the sink (Sink.make)`
        expect(err).toBe(`warning: array: ${why}; this output is left out\n`)
        expect(out).not.toContain("kinds")
      }
      write("p.contract.yaml", "version: 1\noutputs: {}\n")
      write("p.test.yaml", "tests:\n  - name: reads\n    expect: { outputs: { kinds/b.json.gz: { count: 2 } } }\n")
      const tested = yield* act(["test", "p.yaml"])
      expect([tested.code, tested.out]).toEqual([6, expect.stringContaining(reason)])
    }
  )
})

describe("drafts and templates", () => {
  scoped("have the formats of the list of sinks, whose keys are the endings of their files", function* () {
    expect(sinks.map(({ reader }) => reader({}).extension)).toEqual(Templates.formats)
    for (const format of Templates.formats) {
      const order = { job: "pages", name: "p", urls: ["https://a.example/"], format, credits: 1 } as const
      const value = Templates.definitionOf(order)
      const source = yield* ofValue("the definition", "/tmp", value)
      yield* check(source, { env: {}, secrets: () => undefined, inputs: {}, complete: true })
      expect(JSON.stringify(value)).toContain(`{"write":{"${format}":"out/p.${format}"}}`)
      expect(isOwnOutput(`out/p.${format}`, "p")).toBe(true)
      expect(draft.description).toContain(`out/NAME.${format}`)
    }
  })
})

describe("a file that is decoded as a whole", () => {
  scoped("gives all rows at once, and a resumed run begins at its beginning or behind its end", function* () {
    const folder = yield* tempDir
    // A byte that is no UTF-8 gives a warning, and with it a position, before there are rows.
    const text = Buffer.from(JSON.stringify([...rows, { id: 4, text: "x".repeat(2_000_000) }, { id: 5, bad: "?" }]))
    const bytes = Buffer.concat([
      Buffer.from("[\n"),
      Buffer.from([0x22, 0xff, 0x22]),
      Buffer.from(",\n"),
      text,
      Buffer.from("]")
    ])
    writeFileSync(`${folder}/a.json`, bytes)
    const format = { file: "a.json", decode: (whole: string) => JSON.parse(whole)[1] }
    const input = yield* open("a.json", folder)
    const batches = Chunk.toReadonlyArray(yield* Stream.runCollect(rowsOf(input, format)))
    expect(batches.map((batch) => [batch.rows.length, batch.cursor.offset])).toEqual([
      [0, 0],
      [5, bytes.length]
    ])
    const after = yield* Effect.forEach(batches, ({ cursor }) => Stream.runCollect(rowsOf(input, format, cursor)))
    expect(after.map((each) => Chunk.toReadonlyArray(each).flatMap((batch) => batch.rows).length)).toEqual([5, 0])
  })

  it("may have 64 MiB, and rows that are objects", () => {
    const part = { bytes: Buffer.alloc(33 * 1024 * 1024, "x"), starts: [0], ends: [33 * 1024 * 1024] }
    const large = wholeDecoder({ line: 0 }, () => [])
    large.decode([part])
    expect(() => large.decode([part])).toThrow(expect.objectContaining({ message: expect.stringContaining("64 MiB") }))
    const end = (text: string) => {
      const decoder = wholeDecoder({ line: 0 }, JSON.parse)
      decoder.decode([{ bytes: Buffer.from(text), starts: [0], ends: [text.length] }])
      return decoder.end()
    }
    expect(() => end("{}")).toThrow("the reader of its sink did not return an array of rows")
    expect(() => end('[{}, "a"]')).toThrow("row 2 is not an object")
    expect(end('[{"a":1}]').rows).toEqual([{ data: { a: 1 }, position: 1 }])
  })
})
