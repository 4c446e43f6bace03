/** Runs on the cluster from the command line: submitted here, executed by workers. */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { expect, live, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { place } from "../Postgres.ts"
import { describeBeside } from "../WithPostgres.ts"
import { sluice } from "./Console.ts"
import { folderOf } from "./Project.ts"

const definition = `version: 1
name: shared
steps:
  - read: in.jsonl
  - select: { id: id, n: "$number(n)" }
    onError: { reject: true, stopAfter: 2 }
  - write: { jsonl: out.jsonl }
`

const rows = (count: number, bad: ReadonlyArray<number> = []) =>
  Array.from({ length: count }, (_, id) => `${JSON.stringify({ id, n: bad.includes(id) ? "x" : String(id) })}\n`).join(
    ""
  )

describeBeside("sluice worker and run --on cluster", () => {
  live.skipIf(skipsLong)("share a run out, tell it as a run of one machine, and show it everywhere", function* () {
    const root = yield* folderOf({ "shared.yaml": definition, "in.jsonl": rows(7, [3]) })
    const env = { SLUICE_DATABASE_URL: yield* place }
    const on = (...words: ReadonlyArray<string>) => sluice(words, { env, cwd: root })
    const stop = new AbortController()
    const working = yield* Effect.fork(
      sluice(["worker", "--data", `${root}/w`, "--host", "box"], { env, stop: stop.signal })
    )
    const run = yield* on("run", `${root}/shared.yaml`, "--on", "cluster", "--shard-rows", "3", "--out", root, "--json")
    stop.abort("SIGTERM")
    const worker = yield* Fiber.join(working)
    expect([worker.code, worker.err]).toEqual([143, expect.stringMatching(/^worker box-.*is gone/s)])
    expect([run.code, run.err]).toEqual([0, expect.stringContaining("6 rows, 1 reject")])
    const report = JSON.parse(run.out)
    expect(report).toMatchObject({ status: "completed", rows: 6, rejects: 1 })
    expect(
      report.outputs.map(({ path }: { readonly path: string }) => readFileSync(path, "utf8").split("\n").length)
    ).toEqual([4, 3, 2])
    expect(readFileSync(report.rejectFile, "utf8")).toContain('"step":"select"')
    expect(JSON.parse((yield* on("runs", "--json")).out)).toMatchObject([
      { runId: report.runId, status: "completed", rows: 6, rejects: 1 }
    ])
    expect((yield* on("show", report.runId)).out).toContain("select")
    expect(yield* on("worker", "list")).toMatchObject({
      code: 0,
      err: expect.stringContaining("no worker is running")
    })
    expect(yield* on("worker", "drain", "nobody")).toMatchObject({ code: 2 })
  })

  live.skipIf(skipsLong)(
    "leave a detached run to the workers, and resume a failed one with sluice resume",
    function* () {
      const root = yield* folderOf({ "shared.yaml": definition, "in.jsonl": rows(6, [1, 4]) })
      const env = { SLUICE_DATABASE_URL: yield* place }
      const on = (...words: ReadonlyArray<string>) => sluice(words, { env, cwd: root })
      const run = yield* on(
        "run",
        `${root}/shared.yaml`,
        "--on",
        "cluster",
        "--detach",
        "--shard-rows",
        "3",
        "--out",
        root,
        "--json"
      )
      const { runId, status } = JSON.parse(run.out)
      expect([run.code, status, run.err]).toEqual([0, "running", expect.stringContaining("no worker is running")])
      expect(JSON.parse((yield* on("runs", "--json")).out)).toMatchObject([{ runId, status: "waiting" }])
      const drain = on("worker", "--drain", "--data", `${root}/w`, "--quiet")
      expect((yield* drain).code).toBe(0)
      // One reject in each shard is one too many for both.
      const resumed = yield* Effect.raceFirst(on("resume", runId), Effect.forever(Effect.delay(drain, 300)))
      expect([resumed.code, resumed.err]).toEqual([3, expect.stringContaining("rejected 2 rows of all shards")])
    }
  )

  live.skipIf(skipsLong)(
    "let the worker say what it cannot do, before its first request, and the one who hands in what he could not",
    function* () {
      const asked =
        "version: 1\nname: asked\nsteps:\n  - urls: [https://example.com/a]\n  - scrape: { formats: [json] }\n"
      const root = yield* folderOf({ "asked.yaml": asked })
      const env = { SLUICE_DATABASE_URL: yield* place }
      const run = yield* sluice(["run", `${root}/asked.yaml`, "--on", "cluster", "--detach", "--out", root, "--json"], {
        env
      })
      expect([run.code, run.err]).toEqual([
        0,
        expect.stringContaining("perhaps no worker can: step scrape: the format json needs a language model")
      ])
      const { runId } = JSON.parse(run.out)
      const unset = yield* sluice(["worker", "--data", `${root}/w`], {
        env: { ...env, SLUICE_BASE_URL: "https://api.example.com" }
      })
      expect([unset.code, unset.err]).toEqual([78, expect.stringContaining("set SLUICE_API_KEY")])
      yield* sluice(["worker", "--drain", "--data", `${root}/w`, "--quiet"], { env })
      expect((yield* sluice(["show", runId], { env })).out).toContain("the format json needs a language model")
    }
  )

  scoped("say what is missing where there is no database", function* () {
    expect(yield* sluice(["worker"])).toMatchObject({ code: 78, err: expect.stringContaining("SLUICE_DATABASE_URL") })
  })
})
