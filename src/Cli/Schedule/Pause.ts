/** `sluice schedule pause` and `resume`; pauses may end at a given time. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { didYouMean } from "../../Row/Nearest.ts"
import { registrationOf } from "../../Schedule/Definitions.ts"
import { isPausedAt, type ScheduleStore } from "../../Schedule/Model.ts"
import * as Store from "../../Schedule/Store.ts"
import { scheduleRefused } from "../CommandErrors.ts"
import { readPlaces } from "../CommandSettings.ts"
import { ledgerLayer as ledgerOf, withLedger } from "../LedgerAccess.ts"
import type { Terminal } from "../Terminal.ts"
import * as Definitions from "./Definitions.ts"
import { zoneOf } from "./History.ts"
import type { ScheduleOptions } from "./Options.ts"
import { defaultFolder } from "./Options.ts"
import * as Time from "./Time.ts"

/** The pipeline and its time zone, from the ledger; otherwise from its definition, which is then registered in the ledger. */
const known = (options: ScheduleOptions, terminal: Terminal) =>
  Effect.gen(function* () {
    const schedules = yield* Store.schedules
    const record = (yield* schedules.list).find(({ pipeline }) => pipeline === options.name)
    if (record !== undefined && record.removedAt === undefined) {
      return { pipeline: record.pipeline, timezone: zoneOf(record) }
    }
    const folder = options.folder ?? defaultFolder
    const where = { env: terminal.env, code: options["allow-code"] }
    const found = yield* Definitions.one(options.name, { action: "pause", folder }, where)
    const registration = registrationOf(found.file, found.checked)
    if (registration !== undefined) yield* schedules.register([registration])
    return { pipeline: found.name, timezone: found.schedule.timezone }
  })

const untilOf = (options: ScheduleOptions, timezone: string) =>
  Effect.gen(function* () {
    if (options.until === undefined) return undefined
    const now = yield* Clock.currentTimeMillis
    const until = Time.parseUntil(options.until, timezone, now)
    if (until === undefined) {
      const reason = `--until takes a time or a duration like 12h, got "${options.until}": ${Time.expected}`
      return yield* scheduleRefused(reason)
    }
    if (until > now) return until
    return yield* scheduleRefused(`--until ${options.until} is over already`)
  })

export const pauseSchedule = (options: ScheduleOptions, terminal: Terminal) =>
  Effect.gen(function* () {
    const { dataDir, settings } = yield* readPlaces(options, terminal.env)
    yield* Effect.gen(function* () {
      const schedules = yield* Store.schedules
      const { pipeline, timezone } = yield* known(options, terminal)
      yield* schedules.pause(pipeline, undefined, yield* untilOf(options, timezone))
      // Without --until, an earlier pause keeps its end.
      const until = (yield* schedules.list).find((each) => each.pipeline === pipeline)?.pausedUntil
      if (options.json) {
        const object = { pipeline, paused: true, until: until === undefined ? null : new Date(until).toISOString() }
        return void terminal.out.write(`${JSON.stringify(object)}\n`)
      }
      const end =
        until === undefined
          ? `sluice schedule resume ${pipeline} ends the pause`
          : `the pause ends at ${Time.show(until, timezone)} ${timezone}`
      if (!options.quiet) terminal.err.write(`${pipeline} is paused, and its scheduled times are skipped: ${end}\n`)
    }).pipe(Effect.provide(ledgerOf(settings, dataDir)))
  })

const goOn = (options: ScheduleOptions, terminal: Terminal) =>
  Effect.gen(function* () {
    const schedules = yield* Store.schedules
    const records = yield* schedules.list
    const record = records.find(({ pipeline }) => pipeline === options.name)
    if (record === undefined) {
      const name = options.name
      const reason =
        name === undefined
          ? "NAME is missing: sluice schedule resume NAME"
          : `no pipeline ${name} has been scheduled yet${didYouMean(
              name,
              records.map(({ pipeline }) => pipeline)
            )}`
      return yield* scheduleRefused(reason)
    }
    const { pausedAt, pipeline } = record
    yield* schedules.resume(pipeline)
    if (options.json) return void terminal.out.write(`${JSON.stringify({ pipeline, paused: false })}\n`)
    const said = pausedAt === undefined ? "was not paused" : "runs again from its next scheduled time"
    if (!options.quiet) terminal.err.write(`${pipeline} ${said}\n`)
  })

export const resumeSchedule = (options: ScheduleOptions, terminal: Terminal) =>
  withLedger(options, terminal, goOn(options, terminal))

/** Ends pauses that have expired. Returns the names of their pipelines. */
export const endPauses = (schedules: ScheduleStore) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const over = (yield* schedules.list).filter((each) => each.pausedAt !== undefined && !isPausedAt(each, now))
    return yield* Effect.filter(
      over.map(({ pipeline }) => pipeline),
      (pipeline) => schedules.resume(pipeline)
    )
  })

/** Ends expired pauses every two seconds, until interrupted. */
export const watchPauses = (schedules: ScheduleStore, terminal: Terminal, quiet: boolean) =>
  endPauses(schedules).pipe(
    Effect.flatMap((names) =>
      Effect.sync(() => {
        for (const name of quiet ? [] : names) terminal.err.write(`${name} runs again: its pause is over\n`)
      })
    ),
    Effect.catchAll((error) => Effect.logDebug("Pauses could not be read; next attempt in 2 seconds", error)),
    Effect.zipRight(Effect.sleep("2 seconds")),
    Effect.forever
  )
