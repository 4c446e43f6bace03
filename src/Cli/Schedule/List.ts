/** `sluice schedule list`: lists the next and last scheduled times of each pipeline, and its last failure. */

import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { nextScheduledTimes } from "../../Pipeline/Schedule.ts"
import { isPausedAt, type Occurrence, type ScheduleRecord } from "../../Schedule/Model.ts"
import * as Store from "../../Schedule/Store.ts"
import { count, isoOrNull, place, table } from "../Format.ts"
import { type LedgerPlace, withLedger } from "../LedgerAccess.ts"
import { paint, plain, type Terminal } from "../Terminal.ts"
import * as Definitions from "./Definitions.ts"
import { brokenText, isBad, occurrenceObject } from "./News.ts"
import type { ScheduleOptions } from "./Options.ts"
import { defaultFolder } from "./Options.ts"
import * as Time from "./Time.ts"

/** Times such as `2026-03-29 06:15, 12:15, 18:15`: each day is written once. */
const several = (times: ReadonlyArray<number>, { cron, timezone }: Entry["schedule"]): string => {
  let day = ""
  return times
    .map((each) => {
      const text = Time.show(each, timezone, cron)
      const [date = "", time = ""] = text.split(" ")
      if (date === day) return time
      day = date
      return text
    })
    .join(", ")
}

const objectOf = (entry: Entry, now: number) => {
  const { checked, failures, file, going, last, lastCompleted, name, next, record, schedule } = entry
  const paused = isPaused(entry, now)
  return {
    pipeline: name,
    file,
    cron: schedule.cron,
    timezone: schedule.timezone,
    inputs: checked.inputs,
    next: next.map(isoOrNull),
    paused,
    pausedUntil: paused ? isoOrNull(record?.pausedUntil) : null,
    running: going === undefined ? null : occurrenceObject(going),
    last: last === undefined ? null : occurrenceObject(last),
    lastCompleted: isoOrNull(lastCompleted?.scheduledTime),
    failuresInARow: failures
  }
}

const lastText = ({ going, last, schedule }: Entry, now: number): string => {
  const at = (record: Occurrence) =>
    `${Time.show(record.scheduledTime, schedule.timezone, schedule.cron)} (${Time.distance(record.scheduledTime, now)})`
  if (going !== undefined) return `${going.status} ${at(going)}`
  return last === undefined ? "–" : `${last.status} ${at(last)}`
}

const nextText = (entry: Entry, now: number): string => {
  const { next, record, schedule } = entry
  if (!isPaused(entry, now)) return next.length === 0 ? "never" : several(next, schedule)
  const until = record?.pausedUntil
  return until === undefined ? "paused" : `paused until ${Time.show(until, schedule.timezone)}`
}

/** Last failure of a schedule, and where to look for details. */
const trouble = (
  { failures, last, lastCompleted, name, schedule }: Entry,
  { out }: Terminal
): ReadonlyArray<string> => {
  if (last === undefined || !isBad(last.status)) return []
  const dye = paint(out)
  const many = `${count(failures, "scheduled time")}${failures >= depth ? " or more" : ""}`
  const often = failures > 1 ? `, ${many} in a row` : ""
  const success =
    lastCompleted === undefined
      ? "none completed before"
      : `the last completed one is ${Time.showIn(lastCompleted.scheduledTime, schedule)}`
  const why = last.reason === undefined ? [] : [`  ${plain(last.reason).replace(/\s*\n\s*/g, " ")}`]
  const run = last.runId === undefined ? "" : `; run: sluice show ${last.runId}`
  return [
    "",
    `${dye.red("✖")} ${dye.bold(name)} ${last.status} for ${Time.showIn(last.scheduledTime, schedule)}${often}; ${success}`,
    ...why,
    dye.dim(`  history: sluice schedule history ${name}${run}`)
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

const noScheduler = `no scheduler is running: start sluice schedule, or use another scheduler with --print\n`

export const program = (options: ScheduleOptions, terminal: Terminal) =>
  Effect.gen(function* () {
    const folder = options.name ?? options.folder ?? defaultFolder
    const now = yield* Clock.currentTimeMillis
    const { broken, entries, isServed } = yield* schedulesIn(folder, options, terminal)
    if (options.json) {
      const invalid = broken.map(({ file, issues }) => ({
        file,
        broken: issues.map(({ column, line, message }) => ({ line, column, message }))
      }))
      const objects = [...entries.map((entry) => objectOf(entry, now)), ...invalid]
      return void terminal.out.write(`${JSON.stringify(objects, undefined, 2)}\n`)
    }
    if (entries.length > 0) terminal.out.write(render(entries, now, terminal))
    else terminal.err.write(`no pipeline in ${place(folder)} has a schedule\n`)
    for (const { lines } of broken) terminal.err.write(`${brokenText(lines, terminal.err)}\n`)
    if (entries.length > 0 && !isServed) terminal.err.write(noScheduler)
  })

/** Maximum scheduled times searched for consecutive failures. */
export const depth = 100

export interface Past {
  readonly record: ScheduleRecord | undefined
  readonly last: Occurrence | undefined
  readonly going: Occurrence | undefined
  /** Consecutive failures up to the last scheduled time. */
  readonly failures: number
  readonly lastCompleted: Occurrence | undefined
}

const none: Past = { record: undefined, last: undefined, going: undefined, failures: 0, lastCompleted: undefined }

const isOver = ({ status }: Occurrence): boolean => !["waiting", "running", "retrying"].includes(status)

/** Summarizes a schedule's past from its newest scheduled times, newest first. */
const pastOf = (record: ScheduleRecord | undefined, occurrences: ReadonlyArray<Occurrence>): Past => {
  const over = occurrences.filter((each) => isOver(each) && each.status !== "skipped" && each.status !== "replaced")
  const well = over.findIndex(({ status }) => status === "completed")
  return {
    record,
    last: over[0],
    going: occurrences.find(({ status }) => status === "running" || status === "retrying"),
    failures: (well === -1 ? over : over.slice(0, well)).filter(({ status }) => isBad(status)).length,
    lastCompleted: over[well]
  }
}

const remember = (names: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const schedules = yield* Store.schedules
    const records = yield* schedules.list
    const pasts = yield* Effect.forEach(names, (pipeline) =>
      Effect.map(schedules.occurrences({ pipeline, limit: depth }), (occurrences) => {
        const record = records.find((each) => each.pipeline === pipeline)
        return [pipeline, pastOf(record, occurrences)] as const
      })
    )
    const isServed = (yield* schedules.leaseHolders).size > 0
    // Another scheduler (cron, systemd) starts the scheduled times one by one.
    const isElsewhere = pasts.some(([, { last }]) => last?.cause === "hand")
    return { pasts: new Map(pasts), isServed: isServed || isElsewhere }
  })

export interface Entry extends Definitions.Scheduled, Past {
  readonly next: ReadonlyArray<number>
}

export const isPaused = ({ record }: Past, now: number): boolean => record !== undefined && isPausedAt(record, now)

export type Needs = FileSystem.FileSystem | Path.Path

/** Scheduled pipelines of a folder with their past runs; none if there is no ledger, which is not created. */
export const schedulesIn = (
  folder: string,
  options: LedgerPlace & { readonly "allow-code"?: boolean; readonly input?: Readonly<Record<string, string>> },
  terminal: Terminal
) =>
  Effect.gen(function* () {
    const { input: inputs = {} } = options
    const where = { env: terminal.env, code: options["allow-code"] === true, inputs }
    const { broken, scheduled } = yield* Definitions.find(folder, where)
    yield* Definitions.ensureDeclared(inputs, { broken, scheduled })
    const now = yield* Clock.currentTimeMillis
    const { isServed, pasts } = yield* withLedger(options, terminal, remember(scheduled.map(({ name }) => name))).pipe(
      Effect.catchTag("NothingYet", () => Effect.succeed({ pasts: new Map<string, Past>(), isServed: false }))
    )
    const entries = scheduled.map((each): Entry => {
      const next = nextScheduledTimes(each.schedule, now, 3)
      return { ...each, ...(pasts.get(each.name) ?? none), next }
    })
    return { entries, broken, isServed }
  })
