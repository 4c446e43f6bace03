/** `sluice schedule run`: runs one scheduled time of a pipeline, by hand or for another scheduler. */
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { lastScheduledTime, nextScheduledTimes } from "../../Pipeline/Schedule.ts"
import type { Summary } from "../../Run.ts"
import type { Occurrence } from "../../Schedule/Model.ts"
import * as NotificationSender from "../../Schedule/NotificationSender.ts"
import * as Store from "../../Schedule/Store.ts"
import * as Schedule from "../../Schedule.ts"
import { OccurrenceTaken, scheduleRefused, type WrongUsage } from "../CommandErrors.ts"
import { mailServerOf, readPlaces, type SettingValues } from "../CommandSettings.ts"
import { repairCommandOf } from "../Extract/Suggest.ts"
import { requireFolder } from "../Folder.ts"
import { ledgerLayer as ledgerOf } from "../LedgerAccess.ts"
import * as Progress from "../Run/Perform.ts"
import { type Printer, perform, printing } from "../Run/Perform.ts"
import * as Report from "../Run/Report.ts"
import { savedIn } from "../SavedPages.ts"
import type { Terminal } from "../Terminal.ts"
import type { Failure } from "../Verb.ts"
import * as Definitions from "./Definitions.ts"
import * as Execution from "./Execution.ts"
import type { ScheduleOptions } from "./Options.ts"
import { defaultFolder } from "./Options.ts"
import * as Pauses from "./Pause.ts"
import * as Time from "./Time.ts"

/** Milliseconds to search back for the last scheduled time. */
const searchWindow = 366 * 86_400_000

/** Time to deliver notifications before the command ends. */
const deliveryTimeout = "20 seconds"

/** The time given with --at, or else the last scheduled time. */
const scheduledTimeOf = ({ name, schedule }: Definitions.Scheduled, at: string | undefined, now: number) => {
  if (at === undefined) {
    const latest = lastScheduledTime(schedule, now)
    if (latest !== undefined && latest > now - searchWindow) return Effect.succeed(latest)
    return scheduleRefused(`${name} had no scheduled time within the last year: name a time with --at`)
  }
  const scheduledTime = Time.scheduledAt(at, schedule)
  if (scheduledTime !== undefined && scheduledTime <= now) {
    if (lastScheduledTime(schedule, scheduledTime) === scheduledTime) return Effect.succeed(scheduledTime)
    const near = [lastScheduledTime(schedule, scheduledTime), ...nextScheduledTimes(schedule, scheduledTime, 1)]
      .filter((each) => each !== undefined && each <= now)
      .map((each) => `${Time.show(each ?? 0, schedule.timezone)} (${new Date(each ?? 0).toISOString()})`)
    const hint = near.length === 0 ? "" : `. The nearest: ${near.join(", ")}`
    const reason = `--at ${at} is not a scheduled time of ${name} (${schedule.cron} ${schedule.timezone})${hint}. To run it at any other time: sluice run`
    return scheduleRefused(reason)
  }
  if (scheduledTime !== undefined) {
    const when = Time.showIn(scheduledTime, schedule)
    const last = lastScheduledTime(schedule, now)
    const hint = last === undefined ? "" : `, like ${Time.show(last, schedule.timezone)}`
    const reason = `--at ${at} is in the future (${when}, ${Time.distance(scheduledTime, now)}): name a past time${hint}, or omit --at for the last one`
    return scheduleRefused(reason)
  }
  return scheduleRefused(`--at takes a time, got "${at}": ${Time.expected}`)
}

/** Reports a scheduled time that is already completed; an error only if it was named with --at. */
const reportCompleted = (
  scheduled: Definitions.Scheduled,
  record: Occurrence,
  { at }: ScheduleOptions,
  print: Printer
): Effect.Effect<void, WrongUsage> => {
  const text = Time.showIn(record.scheduledTime, scheduled.schedule)
  const run = record.runId === undefined ? "" : ` by run ${record.runId}`
  const said = `${scheduled.name} has already completed for ${text}${run}`
  if (at !== undefined) return scheduleRefused(`${said}: --again runs it once more`)
  print.talk(`${said}\n`)
  print.report({ ...Report.neverBegan, runId: record.runId ?? null, status: "completed" as const })
  return Effect.void
}

interface Places {
  readonly settings: SettingValues
  readonly dataDir: string
  readonly out: string
}

/** Runs the scheduled time, and delivers notifications. */
const carryOut = (
  scheduled: Definitions.Scheduled,
  scheduledTime: number,
  places: Places,
  options: ScheduleOptions,
  terminal: Terminal,
  print: Printer
) =>
  Effect.gen(function* () {
    const { checked, name } = scheduled
    const schedules = yield* Store.schedules
    let summary: Summary | undefined
    let failure: Failure | undefined
    const runner = yield* Execution.make({
      ...places,
      allowCode: options["allow-code"],
      env: terminal.env,
      on: options.on,
      watch: (run, running) =>
        terminal.err.interactive && !options.quiet
          ? Effect.asVoid(Effect.forkScoped(Progress.drawProgress(run, running, terminal)))
          : Effect.void,
      ended: (_, ended) => {
        summary = ended
      },
      failed: (error) => {
        failure = error
      }
    })
    const record = yield* Schedule.runAt({ checked, scheduledTime, runner }).pipe(
      Effect.onInterrupt(() =>
        Effect.sync(() => {
          if (options.on === "cluster") {
            print.talk(`${name} keeps running on the workers; the same command waits for it\n`)
          }
          if (summary === undefined) return
          print.talk(`${name} was stopped: ${Report.countsOf(summary)}; the same command resumes it\n`)
          print.report(Report.stopped(summary))
        })
      )
    )
    yield* notify(scheduled, schedules.notifications, places.settings, options, terminal)
    if (record.status === "completed" && summary !== undefined) {
      const saved = yield* savedIn(summary.runId)
      print.talk(Report.describe(name, summary, terminal.err, [], saved))
      return print.report(Report.completed(summary, saved))
    }
    if (failure !== undefined) {
      if (summary !== undefined) {
        const repair = yield* repairCommandOf(summary.runId)
        print.talk(Report.describeFailed(name, summary, terminal.err, failure, repair))
      }
      return yield* Effect.fail(failure)
    }
    if (record.endedAt === undefined)
      return yield* new OccurrenceTaken({ pipeline: name, scheduledTime, status: record.status })
    return yield* scheduleRefused(`${name} is ${record.status}: ${record.reason ?? "nothing was run"}`)
  })

/** Delivers pending notifications, including those of other pipelines in the same ledger. */
const notify = (
  { checked, file, name }: Definitions.Scheduled,
  outbox: NotificationSender.Options["outbox"],
  settings: SettingValues,
  options: ScheduleOptions,
  terminal: Terminal
) =>
  Effect.gen(function* () {
    const folder = (yield* Path.Path).dirname(file)
    const where = { env: terminal.env, code: options["allow-code"], inputs: options.input }
    const beside = yield* Effect.cached(
      Effect.map(
        Effect.orElseSucceed(Definitions.find(folder, where), () => ({ scheduled: [] })),
        ({ scheduled }) => scheduled
      )
    )
    const platform = yield* Effect.context<Effect.Effect.Context<typeof beside>>()
    const notifyOf = (pipeline: string) =>
      Effect.map(
        pipeline === name
          ? Effect.succeed(checked)
          : Effect.map(
              Effect.provide(beside, platform),
              (found) => found.find((each) => each.name === pipeline)?.checked
            ),
        (known) => known && (known.frame.notify ?? [])
      )
    const sending = { outbox, notifyOf, mailServer: mailServerOf(settings), allowCode: options["allow-code"] }
    yield* NotificationSender.flush(sending, deliveryTimeout)
  })

export const program = (options: ScheduleOptions, terminal: Terminal) =>
  printing(options, terminal, (print) =>
    Effect.gen(function* () {
      const paths = yield* Path.Path
      const folder = options.folder ?? defaultFolder
      const where = { env: terminal.env, code: options["allow-code"], inputs: options.input }
      const scheduled = yield* Definitions.one(options.name, { action: "run", folder }, where)
      const { checked, name } = scheduled
      const now = yield* Clock.currentTimeMillis
      const scheduledTime = yield* scheduledTimeOf(scheduled, options.at, now)
      const { dataDir, settings } = yield* readPlaces(options, terminal.env)
      const out = paths.resolve(options.out ?? ".")
      yield* requireFolder(out, "Name a folder that you may write to with --out")
      const places = { settings, dataDir, out }
      yield* Effect.gen(function* () {
        const schedules = yield* Store.schedules
        yield* Pauses.endPauses(schedules)
        const record = yield* schedules.find({ pipeline: name, scheduledTime })
        if (record?.status === "completed" && !options.again)
          return yield* reportCompleted(scheduled, record, options, print)
        if (options.at === undefined && !options.again && (yield* schedules.paused).has(name)) {
          print.talk(`${name} is paused: sluice schedule resume ${name} ends the pause\n`)
          return print.report(Report.neverBegan)
        }
        if (record?.status !== "completed")
          return yield* carryOut(scheduled, scheduledTime, places, options, terminal, print)
        const request = { ...places, checked, allowCode: options["allow-code"], quiet: options.quiet }
        if (options.on === "cluster") {
          const { perform } = yield* Effect.promise(() => import("../Run/OnCluster.ts"))
          return yield* perform({ ...request, scheduledFor: new Date(scheduledTime), detach: false }, terminal, print)
        }
        yield* perform({ ...request, scheduledFor: new Date(scheduledTime) }, terminal, print)
      }).pipe(Effect.scoped, Effect.provide(ledgerOf(settings, dataDir)))
    })
  )
