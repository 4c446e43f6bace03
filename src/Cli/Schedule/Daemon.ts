/** Scheduler daemon: runs the pipelines of a folder on their schedules until it is stopped. */
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { nextScheduledTimes } from "../../Pipeline/Schedule.ts"
import { didYouMean } from "../../Row/Nearest.ts"
import type { Summary } from "../../Run.ts"
import * as Metrics from "../../Schedule/Metrics.ts"
import * as NotificationSender from "../../Schedule/NotificationSender.ts"
import * as Store from "../../Schedule/Store.ts"
import * as Schedule from "../../Schedule.ts"
import { scheduleRefused } from "../CommandErrors.ts"
import { mailServerOf, readPlaces, type SettingValues } from "../CommandSettings.ts"
import { requireFolder } from "../Folder.ts"
import { count, isoOrNull, place } from "../Format.ts"
import { ledgerLayer as ledgerOf } from "../LedgerAccess.ts"
import type { Terminal } from "../Terminal.ts"
import * as Definitions from "./Definitions.ts"
import * as Execution from "./Execution.ts"
import * as HealthServer from "./HealthServer.ts"
import * as News from "./News.ts"
import type { ScheduleOptions } from "./Options.ts"
import { actions, defaultFolder } from "./Options.ts"
import * as Pauses from "./Pause.ts"
import * as Time from "./Time.ts"

/** Maximum cluster runs awaited at the same time. */
const maxAwaitedRuns = 256

/** Maximum summaries of ended runs that wait to be printed. */
const maxSummaries = 1000

/** First message: the number of schedules, and the next scheduled time. */
const describe = (folder: string, status: Schedule.SchedulerStatus, now: number): string => {
  const { next, pipelines } = status
  if (pipelines.length === 0) {
    return `no pipeline in ${place(folder)} has a schedule yet: runs start as soon as you add one\n`
  }
  const first = pipelines.find((each) => each.next === next && next !== undefined)
  const when =
    first?.next === undefined
      ? ""
      : `; next is ${first.pipeline} at ${Time.show(first.next, first.timezone)} ${first.timezone} (${Time.distance(first.next, now)})`
  return `${count(pipelines.length, "pipeline")} of ${place(folder)} on schedule${when}\n`
}

export const program = (options: ScheduleOptions, terminal: Terminal) =>
  Effect.gen(function* () {
    const paths = yield* Path.Path
    const folder = options.action ?? options.folder ?? defaultFolder
    if (options.name !== undefined) {
      const hint = didYouMean(folder, actions)
      return yield* scheduleRefused(
        hint === ""
          ? `"${options.name}" is one argument too many; usage: sluice schedule FOLDER`
          : `there is no action "${folder}"${hint}`
      )
    }
    const { isFolder } = yield* Definitions.filesOf(folder, false)
    if (!isFolder) return yield* scheduleRefused(`${folder} is a file: name its folder`)
    if (Object.keys(options.input).length > 0) {
      const where = { env: terminal.env, code: options["allow-code"], inputs: options.input }
      yield* Definitions.ensureDeclared(options.input, yield* Definitions.find(folder, where))
    }
    const { dataDir, settings } = yield* readPlaces(options, terminal.env)
    const out = paths.resolve(options.out ?? ".")
    yield* requireFolder(out, "Name a folder that you may write to with --out")
    yield* serve({ folder, settings, dataDir, out }, options, terminal).pipe(
      // The ledger is closed last: runs still write to it while they stop.
      Effect.scoped,
      Effect.provide(ledgerOf(settings, dataDir))
    )
  })

interface Places {
  readonly folder: string
  readonly settings: SettingValues
  readonly dataDir: string
  readonly out: string
}

const serve = (places: Places, options: ScheduleOptions, terminal: Terminal) =>
  Effect.gen(function* () {
    const { dataDir, folder, out, settings } = places
    const schedules = yield* Store.schedules
    const isShared = options.on === "cluster"
    const clock = yield* Effect.clock
    const summaries = new Map<string, Summary>()
    let served: Schedule.Scheduler | undefined
    /** Events from before the scheduler was ready; printed once it is. */
    let early: Array<Schedule.SchedulerEvent> | undefined = []

    const print = (news: Schedule.SchedulerEvent) => {
      const known: News.Known = {
        now: clock.unsafeCurrentTimeMillis(),
        definition: (pipeline) => served?.definition(pipeline),
        next: (pipeline) => {
          const schedule = served?.definition(pipeline)?.frame.schedule
          return schedule === undefined
            ? undefined
            : nextScheduledTimes(schedule, clock.unsafeCurrentTimeMillis(), 1)[0]
        },
        summary: (runId) => summaries.get(runId)
      }
      if (options.json) terminal.out.write(`${JSON.stringify(News.object(news, known))}\n`)
      const { bad, level, text } = News.line(news, known, terminal.err)
      Metrics.note(news, known.now)
      const fields = terminal.err.line && { level, ...News.object(news, known) }
      if (bad || !options.quiet) terminal.err.write(`${text}\n`, fields)
      if (news._tag === "Over" && news.record.runId !== undefined) summaries.delete(news.record.runId)
    }

    yield* Metrics.watch(Effect.suspend(() => served?.status ?? Effect.succeed(undefined)))
    // Closed last: it also answers while runs finish.
    if (options.health !== undefined) {
      const host = options["health-host"]
      const status = Effect.suspend(() => served?.status ?? Effect.succeed(undefined))
      const port = yield* HealthServer.serve({ host, port: options.health, metricsKey: settings.metricsKey }, status)
      const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}/health`
      if (options.json) terminal.out.write(`${JSON.stringify({ event: "listening", url })}\n`)
      if (!options.quiet) terminal.err.write(`health: ${url}\n`)
    }
    const runner = yield* Execution.make({
      settings,
      dataDir,
      out,
      allowCode: options["allow-code"],
      env: terminal.env,
      inputs: options.input,
      on: options.on,
      ended: (_, summary) => {
        if (summaries.size >= maxSummaries) summaries.clear()
        summaries.set(summary.runId, summary)
      }
    })
    yield* Pauses.endPauses(schedules)
    yield* NotificationSender.send({
      outbox: schedules.notifications,
      mailServer: mailServerOf(settings),
      allowCode: options["allow-code"],
      notifyOf: (pipeline) =>
        Effect.sync(() => {
          const checked = served?.definition(pipeline)
          return checked && (checked.frame.notify ?? [])
        })
    }).pipe(Effect.forkScoped)
    const begun = yield* Schedule.serve({
      definitions: folder,
      runner,
      // Cluster runs continue on their workers: there is nothing to wait for.
      ...(isShared ? { grace: 0, concurrency: maxAwaitedRuns } : { grace: options.grace }),
      onEvent: (news) => (early === undefined ? print(news) : early.push(news))
    })
    served = begun
    const standing = yield* begun.status
    const first = early
    early = undefined
    for (const news of first) print(news)
    const now = yield* Clock.currentTimeMillis
    if (!options.quiet) terminal.err.write(describe(folder, standing, now))
    if (options.json) {
      const next = isoOrNull(standing.next)
      terminal.out.write(`${JSON.stringify({ event: "started", schedules: standing.pipelines.length, next })}\n`)
    }
    yield* Effect.addFinalizer(() =>
      Effect.map(begun.status, (status) => {
        if (!options.quiet) terminal.err.write(stopping(status, isShared, terminal))
      })
    )
    yield* Effect.forkScoped(Pauses.watchPauses(schedules, terminal, options.quiet))
    return yield* begun.await
  })

/** Message printed as soon as a stop is requested. */
const stopping = ({ running }: Schedule.SchedulerStatus, isShared: boolean, { err }: Terminal): string => {
  const lead = err.interactive ? "\n" : ""
  if (running.length === 0) return `${lead}stopping\n`
  const names = running.map(({ pipeline }) => pipeline).join(", ")
  const what = isShared
    ? `${count(running.length, "run")} left to the workers, for which the next scheduler waits`
    : `${count(running.length, "run")} may still finish`
  return `${lead}stopping: ${what} (${names})\n`
}
