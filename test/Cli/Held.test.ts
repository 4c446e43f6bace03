/** `sluice publish` and `sluice discard`, and the words of the other verbs about a run whose outputs are held. */

import * as Effect from "effect/Effect"
import * as Locks from "../../src/Ledger/Locks.ts"
import { describe, expect, live, scoped } from "../It.ts"
import { withLedger } from "../Ledger/Ledgers.ts"
import { skipsLong } from "../Long.ts"
import { sluice } from "./Console.ts"
import { folderOf, list, readText, writeText } from "./Project.ts"

const rows = (count: number) => Array.from({ length: count }, (_, n) => `{"id":${n}}\n`).join("")

const definition = (min: number) => `version: 1
name: shop
health: { rows: { min: ${min} } }
steps:
  - read: rows.jsonl
  - write: { jsonl: out.jsonl }
`

/** A pipeline with a good run of 20 rows, and a held one of 5. */
const project = Effect.gen(function* () {
  const root = yield* folderOf({ "p.yaml": definition(10), "rows.jsonl": rows(20) })
  const act = (...words: ReadonlyArray<string>) => sluice([...words, "--data", `${root}/data`])
  const run = (...more: ReadonlyArray<string>) => act("run", `${root}/p.yaml`, "--out", `${root}/out`, ...more)
  yield* run()
  yield* writeText(`${root}/rows.jsonl`, rows(5))
  const held = yield* run("--json")
  const id: string = JSON.parse(held.out).runId
  /** Like `act`, on a terminal. */
  const look = (...words: ReadonlyArray<string>) =>
    sluice([...words, "--data", `${root}/data`], { tty: true, env: { NO_COLOR: "1" } })
  return { root, act, look, run, held, id }
})

const why = "the outputs are held: out.jsonl: rows: expected at least 10 (health.rows.min), got 5"

describe("a run whose outputs are held", () => {
  scoped("ends with exit code 6, and says why and what to do", function* () {
    const { act, held, id, root } = yield* project
    expect(held.code).toBe(6)
    expect(JSON.parse(held.out)).toMatchObject({
      status: "held",
      resumable: false,
      outputs: [],
      error: { code: "OutputsHeld", message: why }
    })
    expect(held.err).toContain("is held after")
    expect(held.err).toContain("nothing was published")
    expect(held.err).toContain(`sluice show ${id} --health, then sluice publish ${id} or sluice discard ${id}`)
    expect(held.err.split(why.replace("the outputs are held: ", ""))).toHaveLength(2)
    expect(yield* readText(`${root}/out/out.jsonl`)).toBe(rows(20))
    const { out } = yield* act("show")
    expect(out).toContain(`shop  ${id}  held`)
    expect(out).toContain(`publish anyway:      sluice publish ${id}`)
    expect(out).not.toContain("sluice resume")
    expect(out).not.toContain("sluice replay")
    expect((yield* act("runs", "--status", "held")).out).toContain(id)
    const resumed = yield* act("resume", id)
    expect([resumed.code, resumed.err]).toEqual([
      1,
      `error: run ${id} cannot be resumed: its outputs are held: sluice publish ${id} releases them, sluice discard ${id} drops them\n`
    ])
    expect((yield* act("resume")).err).toContain("no run can be resumed")
    expect((yield* act("replay", id)).err).toContain("its outputs are held")
  })

  scoped(
    "may have its rules from inputs, for all outputs or for one, and not from what only the run knows",
    function* () {
      const of = (place: "pipeline" | "write", least: string) => {
        const rules = `{ rows: { min: "\${{ ${least} }}" } }`
        return `version: 1
name: shop
inputs: { least: { type: integer, default: 3 } }
${place === "pipeline" ? `health: ${rules}` : ""}
steps:
  - read: rows.jsonl
  - write: { jsonl: out.jsonl${place === "write" ? `, health: ${rules}` : ""} }
`
      }
      const root = yield* folderOf({ "rows.jsonl": rows(2) })
      const run = (name: string, ...more: ReadonlyArray<string>) =>
        sluice(["run", `${root}/${name}`, "--data", `${root}/data-${name}`, "--out", `${root}/out`, ...more])
      for (const place of ["pipeline", "write"] as const) {
        yield* writeText(`${root}/${place}.yaml`, of(place, "inputs.least"))
        expect((yield* run(`${place}.yaml`)).err).toContain("expected at least 3 (health.rows.min), got 2")
        expect((yield* run(`${place}.yaml`, "--input", "least=2")).code).toBe(0)
        yield* writeText(`${root}/late.yaml`, of(place, "run.id"))
        const late = yield* sluice(["check", `${root}/late.yaml`])
        expect([late.code, late.out]).toEqual([78, expect.stringMatching(/health\.rows\.min: .*run\.id.*/)])
      }
    }
  )

  scoped("is published by sluice publish, also when its definition has changed since", function* () {
    const { act, id, root } = yield* project
    yield* writeText(`${root}/p.yaml`, definition(11))
    const { code, err, out } = yield* act("publish", id, "--json")
    expect([code, err]).toEqual([0, expect.stringContaining("shop: 5 rows in")])
    expect(JSON.parse(out)).toMatchObject({ runId: id, status: "completed", rows: 5 })
    expect(yield* readText(`${root}/out/out.jsonl`)).toBe(rows(5))
    expect(yield* list(`${root}/out`)).toEqual(["out.jsonl"])
    expect((yield* act("publish", id)).err).toContain(
      `run ${id} is completed: only outputs of a held run can be published`
    )
  })

  scoped("is dropped by sluice discard", function* () {
    const { act, id, root } = yield* project
    const { code, err, out } = yield* act("discard", id, "--json")
    expect([code, err]).toEqual([0, `the outputs of run ${id} are discarded\n`])
    expect(JSON.parse(out)).toEqual({ runId: id, status: "discarded" })
    expect(yield* readText(`${root}/out/out.jsonl`)).toBe(rows(20))
    expect(yield* list(`${root}/out`)).toEqual(["out.jsonl"])
    expect((yield* act("show", id)).out).toContain(`shop  ${id}  discarded`)
    const again = yield* act("discard", id)
    expect([again.code, again.err]).toEqual([
      1,
      `error: run ${id} is discarded: only outputs of a held run can be published, and those of a held or unfinished run discarded\n`
    ])
    expect((yield* act("resume", id)).err).toContain("its outputs were discarded; start another with sluice run")
    expect((yield* act("publish", "x")).err).toContain("the ledger has no run x")
  })

  scoped("is dropped with all others of its pipeline by sluice discard --all", function* () {
    const { act, id, root, run } = yield* project
    yield* run()
    const { code, err } = yield* act("discard", "--all", "shop")
    expect([code, err.split("\n").filter((line) => line.includes("are discarded")).length], err).toEqual([0, 2])
    expect((yield* act("show", id)).out).toContain(`shop  ${id}  discarded`)
    expect(yield* list(`${root}/out`)).toEqual(["out.jsonl"])
    expect((yield* act("discard", "--all", "shop")).err).toContain("no run of shop is held")
  })

  scoped("shows its rows beside those of the last good run, also in JSON", function* () {
    const { act, id, look, root, run } = yield* project
    yield* act("discard", id)
    const write = (lines: ReadonlyArray<readonly [sku: string, price: number | null]>) =>
      writeText(`${root}/rows.jsonl`, lines.map(([sku, price]) => `${JSON.stringify({ sku, price })}\n`).join(""))
    const good = Array.from({ length: 12 }, (_, n) => [`A${n}`, n + 1] as const)
    yield* write(good)
    const { runId: goodId } = JSON.parse((yield* run("--json")).out)
    yield* write([
      ["A0", 1],
      ["A1", null],
      ["A2", 3],
      ["A3", 4],
      ["A4", 5],
      ["B1", 9]
    ])
    const { runId } = JSON.parse((yield* run("--json")).out)
    const { out } = yield* look("show", runId, "--rows")
    const [lead, ...lines] = out.trimEnd().split("\n")
    expect(lead).toMatch(
      new RegExp(
        `out\\.jsonl: 1 changed, 7 not in this run, 1 new, 4 same, compared with the good run ${goodId} of .* by sku$`
      )
    )
    expect(lines.map((line) => line.split(/ {3,}/))).toEqual([
      ["", "sku", "price"],
      ["changed", "A1", "2 → –"],
      ...good.slice(5).map(([sku, price]) => ["not in this run", sku, String(price)]),
      ["new", "B1", "9"],
      ...[0, 2, 3, 4].map((n) => ["same", `A${n}`, String(n + 1)])
    ])
    const { lastGood, outputs, status } = JSON.parse((yield* act("show", runId, "--rows", "--json")).out)
    expect([status, lastGood]).toEqual(["held", expect.objectContaining({ runId: goodId, status: "completed" })])
    expect(outputs).toEqual([
      {
        path: `${root}/out/out.jsonl`,
        rows: expect.any(Array),
        isCut: false,
        lastGoodRows: expect.any(Array),
        isLastGoodCut: false
      }
    ])
    expect([outputs[0].rows.length, outputs[0].lastGoodRows.length, outputs[0].rows[1]]).toEqual([
      6,
      12,
      { sku: "A1", price: null }
    ])
    // Programs that read the rows get them as those of any other run.
    const piped = yield* act("show", runId, "--rows", "--limit", "1")
    expect([piped.out, piped.err]).toEqual(['{"sku":"A0","price":1}\n', ""])
    yield* writeText(`${root}/out/out.jsonl`, "")
    const why = "the file has changed since the run wrote it"
    const alone = yield* look("show", runId, "--rows", "--limit", "1")
    expect([alone.out, alone.err]).toEqual([
      '{"sku":"A0","price":1}\n',
      `${root}/out/out.jsonl: not compared with run ${goodId}: ${why}\n`
    ])
    const cut = JSON.parse((yield* act("show", runId, "--rows", "--json", "--limit", "1")).out)
    expect(cut.outputs).toEqual([
      { path: `${root}/out/out.jsonl`, rows: [{ sku: "A0", price: 1 }], isCut: true, whyNotCompared: why }
    ])
  })

  scoped("shows each output with its own limit, where its cells differ, and why nothing is compared", function* () {
    const { look, root, run } = yield* project
    const text = definition(10)
      .replace("shop", "tea")
      .replace("out.jsonl }", "out.jsonl }\n  - write: { jsonl: all.jsonl }")
    yield* writeText(`${root}/p.yaml`, text)
    const cups = "🍵".repeat(40)
    const go = (count: number, price: number, size: string | null = null) =>
      Effect.gen(function* () {
        const lines = Array.from({ length: count }, (_, id) =>
          JSON.stringify({ id, "a\nb": `${cups} ${price}`, size, cups })
        )
        yield* writeText(`${root}/rows.jsonl`, `${lines.join("\n")}\n`)
        return String(JSON.parse((yield* run("--json")).out).runId)
      })
    const first = yield* look("show", yield* go(3, 1), "--rows", "--limit", "1")
    expect(first.err).toBe(
      ["out", "all"].map((name) => `${root}/out/${name}.jsonl: not compared: no good run began before it\n`).join("")
    )
    const good = yield* go(12, 1)
    const held = yield* go(4, 2, "")
    const shown = yield* look("show", held, "--rows", "--limit", "2")
    const changed = `…${"🍵".repeat(9)} 1 → …${"🍵".repeat(9)} 2   – → ""   ${"🍵".repeat(29)}…`
    const of = (name: string) => [
      expect.stringMatching(new RegExp(`${name}\\.jsonl: 2 changed, .* by id; the first 2 rows of each$`)),
      expect.stringMatching(/^ +id {3}a b +size +cups$/),
      `changed   0    ${changed}`,
      `changed   1    ${changed}`
    ]
    expect(shown.out.trimEnd().split("\n")).toEqual([...of("out"), ...of("all")])
    // Another size: by its time, a file that was written within two seconds would be the run's.
    for (let later = 0; later < 11; later++) yield* go(13, 1)
    const why = "the file has changed since the run wrote it"
    expect((yield* look("show", held, "--rows")).err).toContain(`all.jsonl: not compared with run ${good}: ${why}\n`)
  })

  scoped("is published beside a file that a later run has written, and its rows can be seen before", function* () {
    const { act, id, look, root, run } = yield* project
    expect((yield* look("show", id, "--rows", "--limit", "2")).out).toMatch(
      /out\.jsonl: 2 same, compared with the good run \S+ of \S+Z by id; the first 2 rows of each\n {7}id\nsame {3}0\nsame {3}1\n$/
    )
    expect((yield* act("show", id)).out).toContain(`5 rows, held in ${root}/out/out.jsonl.${id}.partial`)
    yield* writeText(`${root}/rows.jsonl`, rows(30))
    const later = yield* run()
    expect([later.code, later.err]).toEqual([
      0,
      expect.stringMatching(
        /1 other run is held since .*: sluice runs .*; sluice discard --all shop drops .*, and sluice publish --all shop accepts/
      )
    ])
    // Its file is no second matter.
    expect(later.err).not.toContain(".partial")
    const { code, err } = yield* act("publish", id)
    expect([code, err]).toEqual([0, expect.stringContaining("the rows of this run are published beside it")])
    expect(yield* readText(`${root}/out/out.jsonl`)).toBe(rows(30))
    expect(yield* readText(`${root}/out/out-${id}.jsonl`)).toBe(rows(5))
    expect((yield* act("show", id, "--rows")).out).toBe(rows(5))
  })

  scoped.skipIf(skipsLong)(
    "is published with all others of its pipeline, the oldest first: held, replay, held, held, publish all",
    function* () {
      const root = yield* folderOf({
        "p.yaml": `version: 1
name: feed
health: { rows: { min: 10 } }
steps:
  - read: rows.jsonl
  - dedupe: { key: id, across: runs }
  - check: [{ rule: bad != true }]
    onError: reject
  - write: { jsonl: all.jsonl, mode: append }
`
      })
      const act = (...words: ReadonlyArray<string>) => sluice([...words, "--data", `${root}/data`])
      const go = (from: number, count: number, bad = -1) =>
        Effect.gen(function* () {
          const lines = Array.from({ length: count }, (_, n) => JSON.stringify({ id: from + n, bad: from + n === bad }))
          yield* writeText(`${root}/rows.jsonl`, `${lines.join("\n")}\n`)
          const { err, out } = yield* act("run", `${root}/p.yaml`, "--out", `${root}/out`, "--json")
          const { runId, status } = JSON.parse(out)
          return { runId: String(runId), status: String(status), err }
        })
      const first = yield* go(0, 30, 7)
      expect(first.status, first.err).toBe("completed")
      expect((yield* go(28, 5)).status).toBe("held")
      yield* writeText(`${root}/p.yaml`, (yield* readText(`${root}/p.yaml`)).replace("bad != true", "id >= 0"))
      const replayed = yield* act("replay", first.runId)
      expect(replayed.code, replayed.err).toBe(0)
      expect((yield* go(30, 6)).status).toBe("held")
      expect((yield* go(32, 8)).status).toBe("held")
      const { code, err } = yield* act("publish", "--all", "feed")
      expect(code, err).toBe(0)
      const ids = (yield* readText(`${root}/out/all.jsonl`))
        .trim()
        .split("\n")
        .map((line) => Number(JSON.parse(line).id))
      expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n))
      // The oldest first.
      expect(ids.slice(-10)).toEqual([30, 31, 32, 33, 34, 35, 36, 37, 38, 39])
      expect((yield* act("publish", "--all", "feed")).err).toContain("no run of feed is held")
    }
  )

  scoped("is still held when sluice publish cannot use its definition any more", function* () {
    const { act, id, root } = yield* project
    const rewrite = (from: string, to: string) =>
      withLedger(
        `${root}/data`,
        ({ connection: { sql } }) =>
          sql`UPDATE run_texts SET definition = replace(definition, ${from}, ${to}) WHERE run_id = ${id}`
      )
    // As after an upgrade to a version that does not know the key any more.
    yield* rewrite("jsonl: out.jsonl", "jsonk: out.jsonl")
    const refused = yield* act("publish", id)
    expect([refused.code, refused.err]).toEqual([78, expect.stringContaining("jsonk")])
    expect((yield* act("show", id)).out).toContain(`shop  ${id}  held`)
    yield* rewrite("jsonk: out.jsonl", "jsonl: out.jsonl")
    expect((yield* act("publish", id)).code).toBe(0)
  })

  scoped("is discarded by sluice runs prune when it has waited for too long, and keeps its record", function* () {
    const { act, id, root } = yield* project
    expect(JSON.parse((yield* act("runs", "prune", "30d", "--json")).out)).toMatchObject({ discarded: [] })
    const { code, err } = yield* act("runs", "prune", "0s")
    expect([code, err]).toEqual([0, expect.stringContaining(`discarded  ${id}  shop`)])
    expect(yield* list(`${root}/out`)).toEqual(["out.jsonl"])
    expect((yield* act("show", id)).out).toContain("discarded by sluice runs prune")
  })

  live("is left by sluice runs prune while another process works on it", function* () {
    const { act, id, root, run } = yield* project
    const other: string = JSON.parse((yield* run("--json")).out).runId
    const prune = Effect.map(act("runs", "prune", "0s", "--json"), ({ code, err, out }) => {
      expect([code, err]).toEqual([0, ""])
      return JSON.parse(out).discarded
    })
    yield* withLedger(`${root}/data`, ({ connection }) =>
      Effect.gen(function* () {
        yield* Locks.acquire(connection, [`run ${other}`])
        expect(yield* prune).toEqual([id])
      })
    )
    yield* withLedger(`${root}/data`, ({ held }) => held.release(other))
    expect(yield* prune).toEqual([])
    expect(yield* list(`${root}/out`)).toHaveLength(2)
    expect((yield* act("discard", other)).code).toBe(0)
  })
})

describe("a run that failed", () => {
  scoped(
    "is discarded with its partial files, of which later runs have warned, and cannot be resumed any more",
    function* () {
      const text = `version: 1
name: shop
steps:
  - read: rows.jsonl
  - check: [{ rule: id < 10, message: too large }]
    onError: { reject: true, stopAfter: 3 }
  - write: { jsonl: out.jsonl }
`
      const root = yield* folderOf({ "p.yaml": text, "rows.jsonl": rows(20) })
      const act = (...words: ReadonlyArray<string>) => sluice([...words, "--data", `${root}/data`])
      const run = (...more: ReadonlyArray<string>) => act("run", `${root}/p.yaml`, "--out", `${root}/out`, ...more)
      const { runId: id } = JSON.parse((yield* run("--json")).out)
      const partials = Effect.map(list(`${root}/out`), (names) => names.filter((name) => name.endsWith(".partial")))
      expect(yield* partials).toEqual([`out.jsonl.${id}.partial`])
      yield* writeText(`${root}/rows.jsonl`, rows(5))
      const warned = yield* run()
      expect(warned.err).toContain(`out.jsonl.${id}.partial belongs to run ${id}, which has not published it`)
      expect(warned.err).toContain(`sluice discard ${id} removes the file`)
      const { code, err } = yield* act("discard", id)
      expect([code, err]).toEqual([0, `the outputs of run ${id} are discarded\n`])
      expect(yield* list(`${root}/out`)).toEqual(["out.jsonl"])
      expect((yield* run()).err).not.toContain("belongs to run")
      expect((yield* act("resume", id)).err).toContain(`run ${id} cannot be resumed: its outputs were discarded`)
      expect((yield* act("discard", id)).code).toBe(1)
    }
  )
})

describe("a run that was killed before its first commit", () => {
  scoped("is discarded with its partial files in the output folder, of which the ledger knows nothing", function* () {
    const root = yield* folderOf({
      "p.yaml": `version: 1
name: shop
steps:
  - read: rows.jsonl
  - check: [{ rule: id < 10, message: too large }]
    onError: { reject: true, stopAfter: 3 }
  - write: { jsonl: "{day}/out.jsonl", partitionBy: { day: "'mon'" } }
`,
      "rows.jsonl": rows(20)
    })
    const act = (...words: ReadonlyArray<string>) => sluice([...words, "--data", `${root}/data`])
    const { out } = yield* act("run", `${root}/p.yaml`, "--out", `${root}/out`, "--json")
    const { runId: id } = JSON.parse(out)
    expect(yield* list(`${root}/out/mon`)).toEqual([`out.jsonl.${id}.partial`])
    yield* withLedger(`${root}/data`, ({ connection: { sql } }) =>
      Effect.zipRight(sql`DELETE FROM entries`, sql`DELETE FROM stations`)
    )
    yield* writeText(`${root}/out/mon/out.jsonl.another.partial`, "")
    expect((yield* act("discard", id)).code).toBe(0)
    expect(yield* list(`${root}/out/mon`)).toEqual(["out.jsonl.another.partial"])
  })
})

describe("a run with several outputs", () => {
  scoped(
    "has the rows of each file in its summary, in runs, show, the log and JSON, also while it is held",
    function* () {
      const text = `version: 1
name: two
steps:
  - read: rows.jsonl
  - write: { jsonl: "items-{runId}.jsonl", health: { rows: { min: 10 } } }
  - where: id < 3
  - write: { jsonl: changes.jsonl }
`
      const root = yield* folderOf({ "p.yaml": text, "rows.jsonl": rows(57) })
      const act = (...words: ReadonlyArray<string>) => sluice([...words, "--data", `${root}/data`])
      const run = () => act("run", `${root}/p.yaml`, "--out", `${root}/out`)
      const said = "items-*.jsonl 57 rows, changes.jsonl 3 rows"
      expect((yield* run()).err).toContain(`two: ${said} in `)
      expect((yield* act("runs")).out).toContain(said)
      expect((yield* act("show")).out).toContain(`  rows        ${said}, 0 rejects`)
      expect((yield* act("show", "--log")).out).toContain(`completed: ${said}, 0 rejects`)
      const written = [
        { step: "write", name: "items-*.jsonl", rows: 57 },
        { step: "write-2", name: "changes.jsonl", rows: 3 }
      ]
      expect(JSON.parse((yield* act("runs", "--json")).out)).toMatchObject([{ written }])
      yield* writeText(`${root}/rows.jsonl`, rows(5))
      const held = "items-*.jsonl 5 rows, changes.jsonl 3 rows"
      expect((yield* run()).err).toContain(`: ${held}; nothing was published`)
      expect((yield* act("runs", "--status", "held")).out).toContain(held)
      const { err } = yield* act("publish", "--all", "two")
      expect(err).toContain(`two: ${held} in `)
    }
  )
})
