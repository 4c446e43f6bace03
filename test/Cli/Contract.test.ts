import * as Effect from "effect/Effect"
import { describe, expect, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { sluice } from "./Console.ts"
import { folderOf, readText, writeText } from "./Project.ts"

const definition = `version: 1
name: goods
steps:
  - read: rows.jsonl
  - write: { jsonl: "kinds/{kind}.jsonl", partitionBy: { kind: kind } }
  - id: table
    write: { csv: goods.csv, nullText: none }
`

const row = (more: Readonly<Record<string, unknown>> = {}) =>
  `${JSON.stringify({ id: 1, kind: "a", name: "Tea", price: 4.5, seen: "2026-01-31", tags: ["x"], ...more })}\n`

const learned = `# Contract of the outputs of this pipeline: every run checks its rows against it. Edit it as you like.
# onNew (a field without a column): add, drop, reject or hold. onType (a value that does not fit): widen, coerce, reject or hold.
# onMissing (no value): null, reject or hold. Each for all outputs, for one, and onType and onMissing for one column, too.
version: 1
onNew: add
onType: widen
onMissing: null
outputs:
  write:
    key:
      - id
    columns:
      id: { type: integer, examples: [ 1, 2 ] }
      kind: { type: string, examples: [ a, b ] }
      name: { type: string, nullable: true }
      price: { type: number, examples: [ 4.5, 3 ] }
      seen: { type: date, examples: [ 2026-01-31 ] }
      tags: { type: json }
  table:
    key:
      - id
    columns:
      id: { type: integer, examples: [ 1, 2 ] }
      kind: { type: string, examples: [ a, b ] }
      name: { type: string, nullable: true }
      price: { type: number, examples: [ 4.5, 3 ] }
      seen: { type: date, examples: [ 2026-01-31 ] }
      tags: { type: json }
`

/** A folder with a pipeline that has run. */
const project = Effect.gen(function* () {
  const folder = yield* folderOf({
    "p.yaml": definition,
    "rows.jsonl": row() + row({ id: 2, kind: "b", name: null, price: 3 })
  })
  const place = ["--data", `${folder}/data`]
  const run = sluice(["run", `${folder}/p.yaml`, "--out", `${folder}/out`, "--quiet", ...place])
  const contract = (action: string) => sluice(["contract", action, `${folder}/p.yaml`, ...place])
  return { folder, run, contract, path: `${folder}/p.contract.yaml` }
})

describe("sluice contract", () => {
  scoped.skipIf(skipsLong)("learns the columns of all outputs, and finds that the run keeps them", function* () {
    const { contract, path, run } = yield* project
    expect((yield* contract("init")).err).toContain("no ledger")
    expect((yield* run).code).toBe(0)
    const { code, out } = yield* contract("init")
    expect([code, out]).toEqual([0, expect.stringMatching(/p\.contract\.yaml: 12 columns, from run \d{8}T/)])
    expect(yield* readText(path)).toBe(learned)
    expect((yield* contract("diff")).out).toMatch(/^run .* keeps .*p\.contract\.yaml\n$/)
    expect((yield* contract("init")).err).toContain("already exists")
    // The run that now checks its rows writes the same.
    expect((yield* run).code).toBe(0)
    expect((yield* contract("diff")).code).toBe(0)
    expect((yield* sluice(["check", path, path.replace(".contract", "")])).out).toContain("1 pipeline is fine")
  })

  scoped.skipIf(skipsLong)(
    "shows what the last run has changed, and takes it over beside what was edited",
    function* () {
      const { contract, folder, path, run } = yield* project
      yield* run
      yield* contract("init")
      const edited = learned
        .replaceAll("price: { type: number", "price: { type: decimal, unit: EUR")
        .replaceAll("# on", "# ON")
      yield* writeText(path, edited)
      yield* writeText(
        `${folder}/rows.jsonl`,
        row({ seen: "soon", price: "-4.50" }) + row({ id: 3, kind: null, stock: 7 })
      )
      const again = yield* run
      expect(again.code).toBe(0)
      expect(yield* readText(`${folder}/out/goods.csv`)).toBe(
        'id,kind,name,price,seen,tags,stock\n1,a,Tea,-4.5,soon,"[""x""]",none\n3,none,Tea,4.5,2026-01-31,"[""x""]",7\n'
      )
      const diff = yield* contract("diff")
      expect(diff.code).toBe(6)
      const changes = diff.out.split("\n").filter((line) => /^[+-] {6}/.test(line))
      const both = [
        "-      kind: { type: string, examples: [ a, b ] }",
        "+      kind: { type: string, examples: [ a, b ], nullable: true }",
        "-      seen: { type: date, examples: [ 2026-01-31 ] }",
        "+      seen: { type: string, examples: [ 2026-01-31 ] }",
        "+      stock: { type: integer, nullable: true }"
      ]
      expect(changes).toEqual([...both, ...both])
      expect(yield* readText(path)).toBe(edited)
      expect((yield* contract("accept")).code).toBe(0)
      const accepted = yield* readText(path)
      expect(accepted).toContain("# ONNew (a field")
      expect(accepted).toContain("price: { type: decimal, unit: EUR, examples: [ 4.5, 3 ] }")
      expect((yield* contract("diff")).code).toBe(0)
    }
  )

  scoped.skipIf(skipsLong)("learns from a run that the contract holds, before its outputs are published", function* () {
    const { contract, folder, path, run } = yield* project
    const act = (...words: ReadonlyArray<string>) => sluice([...words, "--data", `${folder}/data`])
    yield* run
    yield* contract("init")
    yield* writeText(path, learned.replaceAll("onNew: add", "onNew: hold").replaceAll("onType: widen", "onType: hold"))
    yield* writeText(`${folder}/rows.jsonl`, row({ stock: 7 }) + row({ id: "two" }))
    const held = yield* act("run", `${folder}/p.yaml`, "--out", `${folder}/out`, "--json")
    expect(held.code).toBe(6)
    const { error, runId } = JSON.parse(held.out)
    expect(error.message).toContain("*.jsonl, stock: expected no such field (contract), got a field of type integer")
    const { out } = yield* act("show", runId, "--health")
    expect(out).toContain("broken  goods.csv, id: expected type integer (contract), got type string")
    const diff = yield* contract("diff")
    expect([diff.code, diff.out]).toEqual([6, expect.stringContaining(`+++ run ${runId}`)])
    expect(diff.out).toContain("+      stock: { type: integer, nullable: true }")
    const accepted = yield* contract("accept")
    expect([accepted.code, accepted.err]).toEqual([
      0,
      expect.stringContaining(`taken over; sluice publish ${runId} releases the outputs`)
    ])
    expect(yield* readText(`${folder}/out/goods.csv`)).not.toContain("stock")
    expect((yield* act("publish", runId, "--quiet")).code).toBe(0)
    expect(yield* readText(`${folder}/out/goods.csv`)).toBe(
      'id,kind,name,price,seen,tags,stock\n1,a,Tea,4.5,2026-01-31,"[""x""]",7\n"""two""",a,Tea,4.5,2026-01-31,"[""x""]",none\n'
    )
    expect((yield* contract("diff")).code).toBe(0)
    expect((yield* run).code).toBe(0)
  })

  scoped("says what is missing", function* () {
    const { contract, folder, path, run } = yield* project
    yield* run
    expect((yield* contract("diff")).err).toContain("sluice contract init")
    yield* writeText(path, "version: 2\noutputs: {}\n")
    const wrong = yield* contract("diff")
    expect(wrong.err).toMatch(/p\.contract\.yaml cannot be used: version: .* \(line 1, column 10\)/)
    expect(wrong.code).toBe(78)
    expect((yield* sluice(["check", `${folder}/p.yaml`])).out).toContain("p.contract.yaml cannot be used: version: ")
    yield* writeText(path, "version: 1\noutputs: {}\n")
    const unknown = yield* sluice(["contract", "diff", `${folder}/p.yaml`, "--run", "nope", "--data", `${folder}/data`])
    expect(unknown.code).toBe(1)
    expect((yield* sluice(["contract", "learn", `${folder}/p.yaml`])).code).toBe(2)
  })
})
