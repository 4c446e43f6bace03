/** A schedule on several machines: daemons hand runs in, workers carry them out, and any of them may be lost. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { expect, it, live } from "../It.ts"
import { place } from "../Postgres.ts"
import { describeBeside } from "../WithPostgres.ts"
import { sluice } from "./Console.ts"
import * as Launched from "./Launched.ts"
import { everySecond, list, pipelinesOf, platform, writeText } from "./Project.ts"

const wanting = `version: 1
name: wanting
schedule: { cron: "* * * * * *", timezone: UTC }
inputs: { topic: { type: string, required: true } }
steps:
  - read: rows.csv
  - write: { jsonl: "wanting/{runId}.jsonl" }
`

/** A run for each month; the rows of a month are in a file of their own. */
const months = `version: 1
name: months
schedule: { cron: "0 3 * * *", timezone: UTC, backfill: { from: 2024-01, to: 2024-03 } }
inputs: { from: { type: string }, to: { type: string } }
steps:
  - read: rows-\${{ inputs.from }}.csv
  - write: { jsonl: "months-\${{ inputs.from }}.jsonl" }
`

const launch = (root: string, url: string, ...words: ReadonlyArray<string>) =>
  Launched.launch(root, { SLUICE_DATABASE_URL: url }, ...words)

describeBeside("sluice schedule --on cluster", () => {
  live(
    "loses no scheduled time and runs none twice when one of two daemons is killed during its run",
    function* () {
      const root = yield* pipelinesOf({ "tick.yaml": everySecond("jsonl"), "wanting.yaml": wanting })
      const url = yield* place
      const daemon = () => launch(root, url, "schedule", "--on", "cluster", "--json")
      const one = yield* daemon()
      // No worker runs yet: the run of the first scheduled time waits when its daemon is killed.
      const [first] = yield* one.until("began")
      const two = yield* daemon()
      yield* two.until("started")
      Launched.kill(one.child)
      yield* one.ended
      const worker = yield* launch(root, url, "worker", "--data", `${root}/w`, "--host", "box")
      yield* two.until("over", 2, ({ status }) => status === "completed")
      two.child.kill("SIGTERM")
      expect(yield* two.ended, two.written.err).toBe(143)
      expect(worker.child.exitCode).toBeNull()
      const env = { SLUICE_DATABASE_URL: url }
      const words = ["schedule", "history", "tick", "--limit", "1000", "--json"]
      const scheduledTimes: ReadonlyArray<{
        readonly scheduledTime: string
        readonly status: string
        readonly run?: string
      }> = JSON.parse((yield* sluice(words, { env })).out)
      const completed = scheduledTimes.filter(({ status }) => status === "completed")
      const seconds = scheduledTimes
        .map(({ scheduledTime }) => Date.parse(scheduledTime) / 1000)
        .toSorted((a, b) => a - b)
      expect(seconds).toEqual(seconds.map((_, index) => (seconds[0] ?? 0) + index))
      // The run that the killed daemon had submitted.
      expect(completed.at(-1)).toMatchObject({ scheduledTime: first?.scheduledTime, run: first?.run })
      const outputs = yield* list(`${root}/out`)
      for (const { run } of completed) {
        expect(outputs.filter((name) => name.startsWith(String(run)) && name.endsWith(".jsonl"))).toEqual([
          `${run}.0000.jsonl`
        ])
      }
      const { out } = yield* sluice(["runs", "--json", "--limit", "1000"], { env })
      const runs = (JSON.parse(out) as ReadonlyArray<{ readonly runId: string }>).map(({ runId }) => runId)
      // Each run belongs to one scheduled time, and each scheduled time has one run.
      const known = scheduledTimes.map(({ run }) => run)
      expect(runs.filter((run) => !known.includes(run))).toEqual([])
      expect(new Set(runs).size).toBe(runs.length)
      expect(one.written.err).toContain("no worker is running")
      // Its input is missing: none of its scheduled times starts.
      expect(one.written.err).toMatch(/wanting\.yaml.*topic/s)
    },
    900_000
  )

  live("stops a run that a later scheduled time replaces, on whichever worker it is", function* () {
    const root = yield* pipelinesOf({
      "tick.yaml": everySecond("jsonl").replace("overlap: queue", "overlap: replace")
    })
    const url = yield* place
    const daemon = yield* launch(root, url, "schedule", "--on", "cluster", "--json")
    const env = { SLUICE_DATABASE_URL: url }
    const runs = Effect.map(
      sluice(["runs", "--json", "--limit", "1000"], { env }),
      ({ out }): ReadonlyArray<{ readonly runId: string; readonly status: string }> => JSON.parse(out)
    )
    const isStopped = ({ status }: { readonly status: string }) => status === "stopped"
    const all = yield* Effect.repeat(Effect.delay(runs, 200), { until: (found) => found.some(isStopped) })
    const { runId } = all.find(isStopped) ?? {}
    expect(yield* daemon.until("over", 1, ({ run }) => run === runId)).toMatchObject([{ status: "replaced" }])
    Launched.kill(daemon.child)
  })

  live("counts a stopped run as failed, and resumes it when the scheduled time is run again", function* () {
    const root = yield* pipelinesOf({ "tick.yaml": everySecond("jsonl") })
    const env = { SLUICE_DATABASE_URL: yield* place }
    const on = (...words: ReadonlyArray<string>) => sluice(words, { env })
    const command = ["schedule", "run", `${root}/pipelines/tick.yaml`, "--at", "2026-03-29T06:15:00Z", "--out", root]
    const words = [...command, "--on", "cluster", "--data", `${root}/.sluice`, "--json"]
    const first = yield* Effect.fork(on(...words))
    const runs = Effect.map(on("runs", "--json"), ({ out }) => JSON.parse(out) as ReadonlyArray<{ runId: string }>)
    const [run] = yield* Effect.repeat(Effect.delay(runs, 100), { until: (found) => found.length > 0 })
    yield* on("stop", String(run?.runId))
    const stopped = yield* Fiber.join(first)
    expect([stopped.code, JSON.parse(stopped.out)]).toMatchObject([1, { runId: run?.runId, status: "stopped" }])
    expect(stopped.err).toMatch(/run \S+ was stopped by a command/)
    const drain = on("worker", "--drain", "--data", `${root}/w`, "--quiet")
    const again = yield* Effect.raceFirst(on(...words), Effect.forever(Effect.delay(drain, 1000)))
    expect([again.code, JSON.parse(again.out)]).toMatchObject([0, { runId: run?.runId, rows: 1 }])
    expect(yield* runs).toHaveLength(1)
  })

  live("runs a window of a backfill at each scheduled time, a failed one again, and each once", function* () {
    const root = yield* pipelinesOf({ "months.yaml": months, "rows-2024-01-01.csv": "n\n1\n" })
    const env = { SLUICE_DATABASE_URL: yield* place }
    const on = (...words: ReadonlyArray<string>) => sluice(words, { env })
    const drain = on("worker", "--drain", "--data", `${root}/w`, "--quiet")
    const out = ["--out", `${root}/out`, "--data", `${root}/.sluice`, "--on", "cluster"]
    const run = (date: number) =>
      Effect.raceFirst(
        on("schedule", "run", `${root}/pipelines/months.yaml`, "--at", `2025-06-0${date}T03:00:00Z`, ...out),
        Effect.forever(Effect.delay(drain, 500))
      )
    const first = yield* run(1)
    expect(first.code, first.err).toBe(0)
    // The file of February is not there yet.
    expect((yield* run(2)).code).not.toBe(0)
    yield* writeText(`${root}/pipelines/rows-2024-02-01.csv`, "n\n2\n")
    const third = yield* run(3)
    expect(third.code, third.err).toBe(0)
    const over = yield* run(4)
    expect(over.err + over.out).toContain("all 2 windows of schedule.backfill are completed")
    expect((yield* list(`${root}/out`)).filter((name) => name.endsWith(".jsonl"))).toEqual([
      "months-2024-01-01.jsonl",
      "months-2024-02-01.jsonl"
    ])
    const runs: ReadonlyArray<{ readonly status: string }> = JSON.parse((yield* on("runs", "--json")).out)
    expect(runs.filter(({ status }) => status === "completed")).toHaveLength(2)
  })

  it.effect("says what is missing where machines share no database", () =>
    Effect.gen(function* () {
      const root = yield* pipelinesOf({ "tick.yaml": everySecond("jsonl") })
      const words = ["schedule", `${root}/pipelines`, "--on", "cluster", "--data", `${root}/.sluice`]
      expect(yield* sluice(words)).toMatchObject({ code: 78, err: expect.stringContaining("SLUICE_DATABASE_URL") })
    }).pipe(Effect.scoped, Effect.provide(platform))
  )
})
