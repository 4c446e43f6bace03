/** Runs that check their rows against a contract: each kind of drift, and files that their own schema reads. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import { Ledger } from "../../src/Ledger.ts"
import { readRows } from "../../src/Pipeline/Test.ts"
import { describe, expect, scoped } from "../It.ts"
import { layer } from "../Ledger/Fresh.ts"
import { tempDir } from "../Local.ts"
import { carryOut, manifestIn } from "./Published.ts"

const definition = `version: 1
name: goods
steps:
  - read: rows.jsonl
  - write: { jsonl: x.jsonl, manifest: true }
  - id: table
    write: { csv: x.csv, manifest: true }
`

const columns = `
      id: { type: integer }
      name: { type: string, nullable: true }
      price: { type: decimal }
`

const contract = (policies: string) => `version: 1
${policies}
outputs:
  write:
    columns:${columns}
  table:
    columns:${columns}
`

const rows = (folder: string, some: ReadonlyArray<unknown>) =>
  writeFileSync(`${folder}/rows.jsonl`, some.map((row) => `${JSON.stringify(row)}\n`).join(""))

const run = (policies: string, some: ReadonlyArray<unknown>) =>
  Effect.gen(function* () {
    const folder = yield* tempDir
    writeFileSync(`${folder}/p.contract.yaml`, contract(policies))
    rows(folder, some)
    const { summary } = yield* carryOut(folder, definition)
    const text = (name: string) => readFileSync(`${folder}/out/${name}`, "utf8")
    return { folder, rejects: summary.rejects, jsonl: text("x.jsonl"), csv: text("x.csv") }
  })

const lastRun = (folder: string) =>
  Effect.flatMap(Ledger, ({ history }) => history.runs({ limit: 1 })).pipe(
    Effect.map(([run]) => run?.id ?? ""),
    Effect.provide(layer(`${folder}/data`)),
    Effect.provide(NodeContext.layer)
  )

describe("a run with a contract", () => {
  scoped("writes every column of it, in both formats, and adds what is new", function* () {
    const { csv, folder, jsonl, rejects } = yield* run("onNew: add", [
      { price: 3, id: 1 },
      { id: 2, name: "b", price: "-4.50", tag: "x" },
      { id: 3, price: "5", tag: 7 }
    ])
    expect(rejects).toBe(0)
    expect(jsonl).toBe(
      '{"id":1,"name":null,"price":"3"}\n{"id":2,"name":"b","price":"-4.50","tag":"x"}\n{"id":3,"name":null,"price":"5","tag":"7"}\n'
    )
    expect(csv).toBe("id,name,price,tag\n1,,3,\n2,b,-4.5,x\n3,,5,7\n")
    const manifest = manifestIn(`${folder}/out`)
    const [id = ""] = Object.keys(manifest?.schemas ?? {})
    expect(manifest?.files.map(({ schema }) => schema)).toEqual([id, id])
    expect(manifest?.schemas?.[id]).toEqual({
      id: { type: "integer", nullable: false },
      name: { type: "string", nullable: true },
      price: { type: "decimal", nullable: false },
      tag: { type: "string", nullable: true }
    })
  })

  scoped("rejects rows that break it, with the row as it came", function* () {
    const { folder, jsonl, rejects } = yield* run("onNew: reject\nonType: reject\nonMissing: reject", [
      { id: 1, price: 1 },
      { id: "2", price: 1 },
      { id: 3 },
      { id: 4, price: 1, tag: true },
      { id: 5, price: 2 }
    ])
    expect(jsonl).toBe('{"id":1,"name":null,"price":"1"}\n{"id":5,"name":null,"price":"2"}\n')
    // A rejected row does not reach the second output.
    expect(rejects).toBe(3)
    const [id] = readdirSync(`${folder}/data/runs`)
    const file = readFileSync(`${folder}/data/runs/${id}/rejects.jsonl`, "utf8")
    expect(
      file
        .split("\n")
        .slice(0, 3)
        .map((line) => JSON.parse(line).message)
    ).toEqual([
      'The row breaks the contract: column "id" is of type integer, got "2".',
      'The row breaks the contract: column "price" has no value.',
      'The row breaks the contract: column "tag" is not in it.'
    ])
    expect(JSON.parse(file.split("\n")[0] ?? "").row).toEqual({ id: "2", price: 1 })
  })

  scoped(
    "gives the steps behind it the rows as they came, and rows of JSONL and CSV are read back alike",
    function* () {
      const { folder } = yield* run("onType: widen", [
        { id: 1, price: "1.10" },
        { id: "two", price: "free" },
        { id: 3.5, price: "2" }
      ])
      const read = (file: string, types: Readonly<Record<string, "json" | "string">>) =>
        readRows({ file, ...(file.endsWith(".csv") ? { columns: types } : {}) }, `${folder}/out`)
      const types = { id: "json", name: "json", price: "string" } as const
      const [lines, records] = yield* Effect.all([read("x.jsonl", types), read("x.csv", types)]).pipe(
        Effect.provide(NodeContext.layer)
      )
      expect(records).toEqual(lines)
      expect(lines.map(({ id }) => id)).toEqual([1, "two", 3.5])
    }
  )

  scoped("continues with the columns of its last checkpoint when it is resumed", function* () {
    const folder = yield* tempDir
    writeFileSync(`${folder}/p.contract.yaml`, contract("onType: widen"))
    rows(folder, [
      { id: "one", price: 1 },
      { id: 2, price: 1, tag: "x" },
      { id: 3, price: 2 }
    ])
    const limited = definition.replace("steps:", "budget: { rows: 2 }\nsteps:")
    const { summary } = yield* Effect.flip(Effect.mapError(carryOut(folder, limited), (error) => error)).pipe(
      Effect.filterOrDieMessage((error) => error._tag === "RunFailed", "the run did not fail as a run")
    )
    expect(summary).toMatchObject({ status: "budget", resumable: true })
    yield* carryOut(folder, limited, { resume: summary.runId })
    const { files = [], schemas = {} } = manifestIn(`${folder}/out`) ?? {}
    expect(files.map(({ rows }) => rows)).toEqual([3, 3])
    expect(schemas[files[0]?.schema ?? ""]).toMatchObject({ id: { type: "json" }, tag: { type: "string" } })
    expect(readFileSync(`${folder}/out/x.csv`, "utf8")).toBe('id,name,price,tag\n"""one""",,1,\n2,,1,x\n3,,2,\n')
  })

  for (const [what, before, after, csv] of [
    [
      "keeps to the columns that it began with",
      contract(""),
      contract("").replaceAll("      id: { type: integer }\n", ""),
      "id,name,price\n1,,1\n2,,1\n3,,2\n"
    ],
    ["goes on without a contract that has come since", undefined, contract("onNew: drop"), "id,price\n1,1\n2,1\n3,2\n"]
  ] as const) {
    scoped(`${what} when it is resumed, and loses no row`, function* () {
      const folder = yield* tempDir
      if (before !== undefined) writeFileSync(`${folder}/p.contract.yaml`, before)
      rows(folder, [
        { id: 1, price: 1 },
        { id: 2, price: 1 },
        { id: 3, price: 2 }
      ])
      const limited = definition.replace("steps:", "budget: { rows: 2 }\nsteps:")
      const { message } = yield* Effect.flip(carryOut(folder, limited))
      const runId = yield* lastRun(folder)
      writeFileSync(`${folder}/p.contract.yaml`, after)
      expect(message).toContain("budget")
      yield* carryOut(folder, limited, { resume: runId })
      expect(readFileSync(`${folder}/out/x.csv`, "utf8")).toBe(csv)
      expect(manifestIn(`${folder}/out`)?.files.map((file) => file.rows)).toEqual([3, 3])
    })
  }

  scoped("adds no column to a table that it appends to, nor to the schema of that", function* () {
    const folder = yield* tempDir
    writeFileSync(`${folder}/p.contract.yaml`, contract("onNew: add"))
    const appending = definition
      .replace("x.jsonl", "x.jsonl, mode: append")
      .replace("x.csv", "x.csv, mode: append, columns: { id: integer, name: string, price: string }")
    rows(folder, [{ id: 1, name: "a", price: 3 }])
    yield* carryOut(folder, appending)
    rows(folder, [{ id: 2, name: "b", price: 4, tag: "x" }])
    expect((yield* carryOut(folder, appending)).summary.rejects).toBe(0)
    expect(readFileSync(`${folder}/out/x.csv`, "utf8")).toBe("id,name,price\n1,a,3\n2,b,4\n")
    expect(readFileSync(`${folder}/out/x.jsonl`, "utf8")).toContain('"price":"4","tag":"x"}')
    const { files = [], schemas = {} } = manifestIn(`${folder}/out`) ?? {}
    const columnsIn = (name: string) =>
      Object.keys(schemas[files.find(({ path }) => path === name)?.schema ?? ""] ?? {})
    expect([columnsIn("x.csv"), columnsIn("x.jsonl")]).toEqual([
      ["id", "name", "price"],
      ["id", "name", "price", "tag"]
    ])
  })

  scoped("refuses a contract that it cannot read, before the first row", function* () {
    const error = yield* Effect.flip(run("onType: guess", [{ id: 1 }]))
    expect(error.message).toContain("p.contract.yaml cannot be used: onType: ")
    const unknown = yield* Effect.flip(run("onNew: keep", [{ id: 1 }]))
    expect(unknown.message).toContain("add, drop, reject or hold")
  })
})
