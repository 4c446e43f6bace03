import * as Effect from "effect/Effect"
import { describe, expect, live, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { sluice } from "./Console.ts"
import { folderOf, list } from "./Project.ts"

const definition = (name: string, check: string) => `version: 1
name: ${name}
state: { key: ${name} }
steps:
  - read: in.jsonl
  - select: { id: id, n: "${check}" }
  - write: { jsonl: ${name}.jsonl }
`

/** Three runs: one that went well, one with a reject, one of which every row was rejected. */
const project = Effect.gen(function* () {
  const root = yield* folderOf({
    "in.jsonl": '{"id":"1"}\n{"id":"b"}\n',
    "good.yaml": definition("good", "id"),
    "some.yaml": definition("some", "$number(id)"),
    "none.yaml": definition("none", "$number('x')")
  })
  const data = ["--data", `${root}/data`]
  const act = (...words: ReadonlyArray<string>) => sluice([...words, ...data])
  const ids: Array<string> = []
  for (const name of ["good", "some", "none"]) {
    const { out } = yield* act("run", `${root}/${name}.yaml`, "--out", `${root}/out`, "--json", "--quiet")
    ids.push(JSON.parse(out).runId)
  }
  const [good = "", some = "", none = ""] = ids
  return { root, act, good, some, none }
})

describe("sluice runs", () => {
  scoped("lists runs, newest first, for people and for scripts, by pipeline and by status", function* () {
    const { act, good, none, root, some } = yield* project
    const { code, err, out } = yield* act("runs")
    expect([code, err]).toEqual([0, ""])
    const lines = out.trimEnd().split("\n")
    expect(lines.map((line) => line.split(/ {3,}/).slice(0, 3))).toEqual([
      ["run", "pipeline", "status"],
      [none, "none", "failed"],
      [some, "some", "completed"],
      [good, "good", "completed"]
    ])
    const json = JSON.parse((yield* act("runs", "--json", "--limit", "2")).out)
    expect(json).toMatchObject([
      {
        runId: none,
        status: "failed",
        rows: 0,
        rejects: 2,
        error: expect.stringContaining("all 2 rows were rejected")
      },
      { runId: some, status: "completed", rows: 1, rejects: 1, credits: 0, file: `${root}/some.yaml` }
    ])
    const filtered = JSON.parse((yield* act("runs", "--json", "--status", "completed", "-p", "good")).out)
    expect(filtered.map((run: { readonly runId: string }) => run.runId)).toEqual([good])
    const unknown = yield* act("runs", "--pipeline", "goof")
    expect([unknown.code, unknown.out]).toEqual([0, ""])
    expect(unknown.err).toBe("no run matches\n")
    expect((yield* act("runs", "--pipeline", "goof", "--json")).out).toBe("[]\n")
  })

  live.skipIf(skipsLong)("tells a crash from a run that is at work", function* () {
    const { act, root } = yield* project
    const { Ledger } = yield* Effect.promise(() => import("../../src/Ledger.ts"))
    const Sqlite = yield* Effect.promise(() => import("../../src/Ledger.ts"))
    const { run } = yield* Effect.promise(() => import("../Ledger/Ledgers.ts"))
    const statusOf = Effect.map(act("runs", "-p", "watch", "--json"), ({ err, out }) => {
      expect(err).toBe("")
      return JSON.parse(out)[0].status
    })
    yield* Effect.gen(function* () {
      const ledger = yield* Ledger
      const definition = "version: 1\nname: watch\nsteps:\n  - urls: [https://a.example]\n"
      yield* ledger.open(run("r1", { definition, inputs: {}, out: root, startedAt: Date.now() }))
      expect(yield* statusOf).toBe("running")
      expect((yield* act("runs", "--status", "crashed")).err).toBe("no run matches\n")
      expect((yield* act("runs", "--status", "running")).out).toContain("r1 ")
      expect((yield* act("replay", "r1")).err).toContain("it is still running")
      const resumed = yield* act("resume", "r1")
      expect([resumed.code, resumed.err]).toEqual([5, expect.stringContaining("run r1 is in use by process")])
      const pruned = yield* act("runs", "prune", "0s", "--keep", "0", "--json")
      expect(pruned.err).toBe("")
      expect(JSON.parse(pruned.out).forgotten).not.toContain("r1")
    }).pipe(Effect.scoped, Effect.provide(Sqlite.layer(`${root}/data`)))
    expect(yield* statusOf).toBe("crashed")
    expect((yield* act("runs", "--status", "crashed")).out).toContain("r1 ")
    expect((yield* act("runs", "--status", "running")).err).toBe("no run matches\n")
    expect((yield* act("show", "r1")).out).toMatch(
      /\n {2}crashed {5}its process ended without a word \(killed, .*\); it was last seen alive at \d{4}-\S+Z, and rows/
    )
  })

  scoped("a run that cannot be read hides no other, stops no new one, and is forgotten like others", function* () {
    const { act, good, none, root, some } = yield* project
    const { behind } = yield* Effect.promise(() => import("../Ledger/Ledgers.ts"))
    yield* behind(
      `${root}/data`,
      (sql) => sql`UPDATE run_texts SET options = '{"limit":"x"}' WHERE run_id IN (${good}, ${none})`
    )
    const { code, err, out } = yield* act("runs", "--json")
    expect([code, JSON.parse(out)]).toEqual([0, [expect.objectContaining({ runId: some })]])
    for (const id of [good, none]) expect(err.split(`run ${id} is left out`)).toHaveLength(2)
    expect((yield* act("show", "--json")).code).toBe(0)
    const again = yield* act("run", `${root}/good.yaml`, "--out", `${root}/out`, "--json", "--quiet")
    expect(again.code, again.err).toBe(0)
    expect((yield* act("runs", "prune", "0s", "--keep", "0")).err).toContain("4 runs and 0 pages deleted")
  })

  scoped("forgets old runs with their rejects, keeps the newest of each pipeline, and says what it did", function* () {
    const { act, none, root, some } = yield* project
    const nothing = yield* act("runs", "prune", "30d")
    expect([nothing.code, nothing.out, nothing.err]).toEqual([
      0,
      "",
      "no run is that old: 0 runs and 0 pages deleted\n"
    ])
    for (const [words, reason] of [
      [["--prune", "30d"], "--prune is now an action: sluice runs prune AGE\nTry sluice runs --help"],
      [["prune"], "AGE is missing: sluice runs prune 30d"],
      [["prune", "old"], 'AGE takes a time like 30d, 12h or 90m, got "old"\nTry sluice runs --help'],
      [["prun", "30d"], '"prun" is not an action of sluice runs: use prune']
    ] as const) {
      expect(yield* act("runs", ...words)).toMatchObject({ code: 2, err: `error: ${reason}\n` })
    }
    const kept = yield* act("runs", "prune", "0s", "--keep", "1")
    expect(kept.err).toContain("0 runs")
    expect(yield* list(`${root}/data/runs`)).toEqual(expect.arrayContaining([some, none]))
    const { err } = yield* act("runs", "prune", "0s", "--keep", "0")
    expect(err).toMatch(/^(deleted {2}\S+ {2}\w+ {2}\w+\n){3}3 runs and 0 pages deleted\n$/)
    expect(yield* list(`${root}/data/runs`)).toEqual([])
    expect(yield* act("runs")).toMatchObject({ code: 0, out: "", err: "no run matches\n" })
    expect((yield* act("show")).err).toBe("error: the ledger has no run yet: start one with sluice run FILE\n")
  })
})
