/** A thousand pipelines that are due at once, or in one minute: how late their runs begin, and what the schedule costs. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Connection from "../src/Client/Connection.ts"
import * as Client from "../src/Client.ts"
import * as Sqlite from "../src/Ledger.ts"
import { Ledger } from "../src/Ledger.ts"
import * as Pipeline from "../src/Pipeline.ts"
import * as Run from "../src/Run.ts"
import * as Schedules from "../src/Schedule/Store.ts"
import * as Schedule from "../src/Schedule.ts"
import { atMost, type Bench, noted, quantile } from "./Measure/Figures.ts"
import { folderFor, remove } from "./Measure/Programs.ts"

const pipelines = 1_000

/** These pipelines ask no service. */
const Services = Layer.provideMerge(
  Layer.provide(Client.layer, Connection.layer({ baseUrl: "http://127.0.0.1:9" })),
  NodeContext.layer
)

const cpu = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1000
}

/** A pipeline of one row, due at a time of this day. */
const definition = (name: string, at: number): string => {
  const due = new Date(at)
  const cron = `${due.getUTCSeconds()} ${due.getUTCMinutes()} ${due.getUTCHours()} * * *`
  return `version: 1\nname: ${name}\nschedule: { cron: "${cron}" }\nsteps:\n  - urls: [https://example.com/]\n  - write: { jsonl: ${name}.jsonl }\n`
}

interface Measured {
  /** Milliseconds from each scheduled time to the start of its run. */
  readonly late: ReadonlyArray<number>
  /** Milliseconds from each scheduled time until it was claimed. */
  readonly claimed: ReadonlyArray<number>
  readonly completed: number
  /** Milliseconds of CPU for each run, from the first scheduled time to the end of the last run. */
  readonly cpuEach: number
}

/** Serves them with a ledger on disk; `spread` is the number of seconds from the first scheduled time to the last. */
const measure = (spread: number): Effect.Effect<Measured, unknown> =>
  Effect.gen(function* () {
    const home = yield* Effect.acquireRelease(
      Effect.sync(() => folderFor()),
      (folder) => Effect.sync(() => remove(folder))
    )
    const definitions = join(home, "pipelines")
    mkdirSync(definitions)
    // Time enough to read them all before.
    const first = Math.ceil(Date.now() / 1000) * 1000 + 30_000
    for (let index = 0; index < pipelines; index++) {
      const name = `p${index}`
      writeFileSync(join(definitions, `${name}.yaml`), definition(name, first + (index % (spread + 1)) * 1000))
    }
    const ledger = yield* Ledger
    const context = yield* Effect.context<Layer.Layer.Success<typeof Services>>()
    const begun: Array<number> = []
    let over = 0
    const runner: Schedule.Runner = {
      load: (file) => Effect.provide(Pipeline.load(file), context),
      run: ({ begun: begins, checked, scheduledTime, resume }) =>
        Effect.gen(function* () {
          const options = { out: join(home, "out"), dataDir: home, scheduledFor: new Date(scheduledTime) }
          const run = yield* Run.make(checked, { ...options, ...(resume && { resume }) })
          yield* begins(run.id)
          begun.push(Date.now() - scheduledTime)
          return yield* run.execute
        }).pipe(Effect.provide(context), Effect.provideService(Ledger, ledger))
    }
    yield* Schedule.serve({
      definitions,
      runner,
      onEvent: (news) => {
        if (news._tag === "Over") over++
        const isWell =
          news._tag === "Over" ? news.record.status === "completed" : ["Added", "Began"].includes(news._tag)
        if (!isWell) console.error(news)
      }
    })
    if (Date.now() > first - 2_000) return yield* Effect.fail("the definitions were not read in time")
    yield* Effect.sleep(first - 1_000 - Date.now())
    const before = cpu()
    const deadline = first + spread * 1000 + 60_000
    while (over < pipelines && Date.now() < deadline) yield* Effect.sleep(100)
    const used = cpu() - before
    const rows = yield* Schedules.of(ledger).occurrences({ status: ["completed"], limit: pipelines + 1 })
    const claimed = rows.map(({ claimedAt, scheduledTime }) => claimedAt - scheduledTime)
    return { late: begun, claimed, completed: rows.length, cpuEach: used / Math.max(1, over) }
  }).pipe(
    // The schedule has stopped before its ledger closes.
    Effect.scoped,
    Effect.provide(
      Layer.provideMerge(
        Layer.unwrapScoped(
          Effect.map(
            Effect.acquireRelease(
              Effect.sync(() => folderFor()),
              (folder) => Effect.sync(() => remove(folder))
            ),
            Sqlite.layer
          )
        ),
        Services
      )
    )
  )

/** The same run, without a schedule. */
const alone: Effect.Effect<number, unknown> = Effect.gen(function* () {
  const home = yield* Effect.acquireRelease(
    Effect.sync(() => folderFor()),
    (folder) => Effect.sync(() => remove(folder))
  )
  const file = join(home, "alone.yaml")
  writeFileSync(file, definition("alone", 0))
  const checked = yield* Pipeline.load(file)
  const once = (name: string) =>
    Effect.flatMap(Run.make(checked, { out: join(home, name), dataDir: home }), ({ execute }) => execute)
  return yield* Effect.gen(function* () {
    const runs = Array.from({ length: 200 }, (_, index) => once(`out-${index}`))
    yield* Effect.forEach(runs.slice(0, 50), (run) => run, { concurrency: 16 })
    const before = cpu()
    yield* Effect.forEach(runs.slice(50), (run) => run, { concurrency: 16 })
    return (cpu() - before) / 150
  }).pipe(Effect.provide(Sqlite.layer(home)))
}).pipe(Effect.provide(Services), Effect.scoped)

export const bench: Bench = {
  name: "schedule",
  run: async () => {
    const run = await Effect.runPromise(alone)
    const spread = await Effect.runPromise(measure(59))
    const atOnce = await Effect.runPromise(measure(0))
    for (const { completed } of [spread, atOnce])
      if (completed !== pipelines) throw new Error(`only ${completed} of ${pipelines} pipelines were completed`)
    const [inMinute, together] = [`${pipelines} pipelines in one minute`, `${pipelines} pipelines at the same time`]
    return [
      atMost(`${inMinute}: runs begin late, p99`, quantile(spread.late, 0.99), "ms", 2_000),
      atMost(`${together}: claimed late, p99`, quantile(atOnce.claimed, 0.99), "ms", 2_000),
      noted(`${together}: runs begin late, p50`, quantile(atOnce.late, 0.5), "ms"),
      noted(`${together}: runs begin late, p99`, quantile(atOnce.late, 0.99), "ms"),
      noted("CPU of a scheduled time with its run", spread.cpuEach, "ms"),
      noted("CPU of the same run without a schedule", run, "ms")
    ]
  }
}
