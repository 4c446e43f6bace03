/** Runs on many machines that are stopped, and how they are shown, from the command line. */

import * as Effect from "effect/Effect"
import { expect, live } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { place } from "../Postgres.ts"
import { describeBeside } from "../WithPostgres.ts"
import { sluice } from "./Console.ts"
import { folderOf, list } from "./Project.ts"

const definition = `version: 1
name: shared
steps:
  - read: in.jsonl
  - write: { jsonl: out.jsonl }
`

const rows = Array.from({ length: 5 }, (_, id) => `${JSON.stringify({ id })}\n`).join("")

describeBeside("sluice stop, and shards in show and runs", () => {
  live.skipIf(skipsLong)("stop a run where it is, leave it to resume, and say how far it is", function* () {
    const root = yield* folderOf({ "shared.yaml": definition, "in.jsonl": rows })
    const env = { SLUICE_DATABASE_URL: yield* place }
    const on = (...words: ReadonlyArray<string>) => sluice(words, { env, cwd: root })
    const handIn = ["run", `${root}/shared.yaml`, "--on", "cluster", "--shard-rows", "3", "--out", root, "--json"]
    const { runId } = JSON.parse((yield* on(...handIn, "--detach")).out)
    const stopped = yield* on("stop", runId, "--json")
    expect([stopped.code, stopped.err]).toEqual([0, expect.stringContaining(`sluice resume ${runId}`)])
    expect(JSON.parse(stopped.out)).toEqual({ runId, status: "stopped", done: 0, shards: 0, held: 0 })
    expect((yield* on("stop", runId)).code).toBe(0)
    expect(JSON.parse((yield* on("runs", "--json")).out)).toMatchObject([{ runId, status: "stopped" }])
    const drain = on("worker", "--drain", "--host", "box", "--data", `${root}/w`, "--quiet")
    expect((yield* drain).code).toBe(0)
    expect((yield* list(root)).filter((name) => name.startsWith("out"))).toEqual([])
    const resumed = yield* Effect.raceFirst(on("resume", runId), Effect.forever(Effect.delay(drain, 300)))
    expect([resumed.code, resumed.err]).toEqual([0, expect.stringContaining("5 rows")])
    const shown = yield* on("show", runId)
    expect(shown.out).toContain("  shards      2 of 2 shards done\n")
    expect(shown.out).toMatch(/^ +shard +state +worker +given +rows +rejects +error$/m)
    expect(shown.out).toMatch(/^ +1 +completed +box-\S+ +2 +2 +0$/m)
    expect((yield* on("show", runId, "--limit", "1")).out).toContain("and 1 more shard: --limit")
    expect(JSON.parse((yield* on("show", runId, "--json")).out)).toMatchObject({
      cluster: { split: true, sourceRead: true, working: 0, done: 2 },
      shards: [
        { shard: 0, state: "completed", worker: expect.stringMatching(/^box-/), given: 3, rows: 3, rejects: 0 },
        { shard: 1, state: "completed", given: 2, rows: 2 }
      ]
    })
    expect((yield* on("runs")).out).toMatch(/status +shards .*\n.* completed +2 of 2 /)
    expect(JSON.parse((yield* on("runs", "--json")).out)).toMatchObject([{ shards: { done: 2, shards: 2 } }])
    const late = yield* on("stop", runId)
    expect([late.code, late.err]).toEqual([2, expect.stringContaining("it is completed")])
  })

  live.skipIf(skipsLong)("refuse runs of one machine, and runs that there are not, in plain words", function* () {
    const root = yield* folderOf({ "shared.yaml": definition, "in.jsonl": rows })
    const env = { SLUICE_DATABASE_URL: yield* place }
    const on = (...words: ReadonlyArray<string>) => sluice(words, { env, cwd: root })
    const run = yield* on("run", `${root}/shared.yaml`, "--out", root, "--data", `${root}/.sluice`, "--json")
    const { runId } = JSON.parse(run.out)
    const here = yield* on("stop", runId)
    expect([here.code, here.err]).toEqual([2, expect.stringContaining("it is not running: it is completed")])
    expect((yield* on("show", runId)).out).not.toContain("shards")
    const none = yield* on("stop", "20260314T093001-7c2e")
    expect([none.code, none.err]).toEqual([1, expect.stringContaining("the ledger has no run 20260314T093001-7c2e")])
    expect(yield* sluice(["stop", runId])).toMatchObject({
      code: 78,
      err: expect.stringContaining("SLUICE_DATABASE_URL")
    })
  })
})
