/** What runs when, and how it went the last time: what somebody wants to know who was woken by it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { nextInstants } from "../../Pipeline/Schedule.ts"
import type { InstantRecord, ScheduleRecord } from "../../Run/Ledger/Schedules.ts"
import { Ledger } from "../../Run/Ledger.ts"
import { withLedger } from "../Past.ts"
import { defaultFolder, type ScheduleParameters } from "../Schedule.ts"
import { table } from "../Table.ts"
import { paint, type Terminal } from "../Terminal.ts"
import { count, place } from "../Words.ts"
import * as Definitions from "./Definitions.ts"
import * as Instant from "./Instant.ts"
import { brokenText, instantObject, isBad } from "./News.ts"
import { untilOf } from "./Pauses.ts"

/** Instants looked back at for how long it has been going wrong. */
const depth = 200

interface Past {
  readonly record: ScheduleRecord | undefined
  readonly last: InstantRecord | undefined
  readonly going: InstantRecord | undefined
  /** Failures in a row, up to the last instant. */
  readonly failures: number
  readonly lastCompleted: InstantRecord | undefined
}

const none: Past = { record: undefined, last: undefined, going: undefined, failures: 0, lastCompleted: undefined }

const isOver = ({ status }: InstantRecord): boolean => !["waiting", "running", "retrying"].includes(status)

/** Out of the newest instants, newest first. */
const pastOf = (record: ScheduleRecord | undefined, instants: ReadonlyArray<InstantRecord>): Past => {
  const over = instants.filter((each) => isOver(each) && each.status !== "skipped" && each.status !== "replaced")
  const well = over.findIndex(({ status }) => status === "completed")
  return {
    record,
    last: over[0],
    going: instants.find(({ status }) => status === "running" || status === "retrying"),
    failures: (well === -1 ? over : over.slice(0, well)).filter(({ status }) => isBad(status)).length,
    lastCompleted: over[well]
  }
}

const remember = (names: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { schedules } = yield* Ledger
    const records = yield* schedules.list
    const pasts = yield* Effect.forEach(names, (pipeline) =>
      Effect.map(schedules.instants({ pipeline, limit: depth }), (instants) => {
        const record = records.find((each) => each.pipeline === pipeline)
        return [pipeline, pastOf(record, instants)] as const
      })
    )
    return new Map(pasts)
  })

/** `2026-03-29 06:15, 12:15, 18:15`: a day is said once. */
const several = (instants: ReadonlyArray<number>, timezone: string): string => {
  let day = ""
  return instants
    .map((instant) => {
      const text = Instant.show(instant, timezone)
      const [date = "", time = ""] = text.split(" ")
      if (date === day) return time
      day = date
      return text
    })
    .join(", ")
}

const iso = (millis: number | undefined) => (millis === undefined ? null : new Date(millis).toISOString())

interface Entry extends Definitions.Scheduled, Past {
  readonly next: ReadonlyArray<number>
}

const isPaused = ({ record }: Past, now: number): boolean =>
  record?.pausedAt !== undefined && (untilOf(record.pausedWhy) ?? Number.POSITIVE_INFINITY) > now

const objectOf = (entry: Entry, now: number) => {
  const { failures, file, going, last, lastCompleted, name, next, record, schedule } = entry
  const paused = isPaused(entry, now)
  return {
    pipeline: name,
    file,
    cron: schedule.cron,
    timezone: schedule.timezone,
    next: next.map(iso),
    paused,
    pausedUntil: paused ? iso(untilOf(record?.pausedWhy)) : null,
    running: going === undefined ? null : instantObject(going),
    last: last === undefined ? null : instantObject(last),
    lastCompleted: iso(lastCompleted?.instant),
    failuresInARow: failures
  }
}

const lastText = ({ going, last, schedule }: Entry, now: number): string => {
  const at = (record: InstantRecord) =>
    `${Instant.show(record.instant, schedule.timezone)} (${Instant.distance(record.instant, now)})`
  if (going !== undefined) return `${going.status} ${at(going)}`
  return last === undefined ? "–" : `${last.status} ${at(last)}`
}

const nextText = (entry: Entry, now: number): string => {
  const { next, record, schedule } = entry
  if (!isPaused(entry, now)) return next.length === 0 ? "never" : several(next, schedule.timezone)
  const until = untilOf(record?.pausedWhy)
  return until === undefined ? "paused" : `paused until ${Instant.show(until, schedule.timezone)}`
}

/** What went wrong, and where to look. */
const trouble = (
  { failures, last, lastCompleted, name, schedule }: Entry,
  { out }: Terminal
): ReadonlyArray<string> => {
  if (last === undefined || !isBad(last.status)) return []
  const dye = paint(out)
  const often = failures > 1 ? `, ${count(failures, "instant")} in a row` : ""
  const well =
    lastCompleted === undefined
      ? "none was completed before"
      : `the last that was completed is ${Instant.show(lastCompleted.instant, schedule.timezone)}`
  const why = last.reason === undefined ? [] : [`  ${last.reason.replace(/\s*\n\s*/g, " ")}`]
  const run = last.runId === undefined ? "" : `; its run is sluice show ${last.runId}`
  return [
    "",
    `${dye.red("✖")} ${dye.bold(name)} ${last.status} for ${Instant.show(last.instant, schedule.timezone)}${often}; ${well}`,
    ...why,
    dye.dim(`  all of it: sluice schedule history ${name}${run}`)
  ]
}

const render = (entries: ReadonlyArray<Entry>, now: number, terminal: Terminal): string => {
  const lines = table(
    [["pipeline"], ["schedule"], ["next"], ["last"]],
    entries.map((entry) => [
      entry.name,
      `${entry.schedule.cron} ${entry.schedule.timezone}`,
      nextText(entry, now),
      lastText(entry, now)
    ]),
    terminal.out
  )
  return `${[...lines, ...entries.flatMap((entry) => trouble(entry, terminal))].join("\n")}\n`
}

export const program = (options: ScheduleParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const folder = options.name ?? options.folder ?? defaultFolder
    const { broken, scheduled } = yield* Definitions.find(folder, { env: terminal.env, code: options["allow-code"] })
    const names = scheduled.map(({ name }) => name)
    const now = yield* Clock.currentTimeMillis
    const pasts = yield* withLedger(options, terminal, remember(names)).pipe(
      // Before the first start nothing has been.
      Effect.catchTag("NothingYet", () => Effect.succeed(new Map<string, Past>()))
    )
    const entries = scheduled.map((each): Entry => {
      const next = nextInstants(each.schedule, now, 3)
      return { ...each, ...(pasts.get(each.name) ?? none), next }
    })
    if (options.json) {
      const invalid = broken.map(({ file, mistakes }) => ({
        file,
        broken: mistakes.map(({ column, line, message }) => ({ line, column, message }))
      }))
      terminal.out.write(
        `${JSON.stringify([...entries.map((entry) => objectOf(entry, now)), ...invalid], undefined, 2)}\n`
      )
      return
    }
    if (entries.length > 0) terminal.out.write(render(entries, now, terminal))
    else terminal.err.write(`no pipeline in ${place(folder)} has a schedule\n`)
    for (const { message } of broken) terminal.err.write(`${brokenText(message, terminal.err)}\n`)
  })
