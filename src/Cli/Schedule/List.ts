/** What runs when, and how it went the last time: what somebody wants to know who was woken by it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Occurrence, pauseEnd } from "../../Schedule/Model.ts"
import type { ScheduleParameters } from "../Schedule.ts"
import { table } from "../Table.ts"
import { paint, plain, type Terminal } from "../Terminal.ts"
import { count, place } from "../Words.ts"
import * as Instant from "./Instant.ts"
import { defaultFolder } from "./Names.ts"
import { brokenText, instantObject, isBad } from "./News.ts"
import * as Standing from "./Standing.ts"

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

const objectOf = (entry: Standing.Entry, now: number) => {
  const { checked, failures, file, going, last, lastCompleted, name, next, record, schedule } = entry
  const paused = Standing.isPaused(entry, now)
  return {
    pipeline: name,
    file,
    cron: schedule.cron,
    timezone: schedule.timezone,
    inputs: checked.inputs,
    next: next.map(iso),
    paused,
    pausedUntil: paused ? iso(pauseEnd(record?.pausedWhy)) : null,
    running: going === undefined ? null : instantObject(going),
    last: last === undefined ? null : instantObject(last),
    lastCompleted: iso(lastCompleted?.instant),
    failuresInARow: failures
  }
}

const lastText = ({ going, last, schedule }: Standing.Entry, now: number): string => {
  const at = (record: Occurrence) =>
    `${Instant.show(record.instant, schedule.timezone)} (${Instant.distance(record.instant, now)})`
  if (going !== undefined) return `${going.status} ${at(going)}`
  return last === undefined ? "–" : `${last.status} ${at(last)}`
}

const nextText = (entry: Standing.Entry, now: number): string => {
  const { next, record, schedule } = entry
  if (!Standing.isPaused(entry, now)) return next.length === 0 ? "never" : several(next, schedule.timezone)
  const until = pauseEnd(record?.pausedWhy)
  return until === undefined ? "paused" : `paused until ${Instant.show(until, schedule.timezone)}`
}

/** What went wrong, and where to look. */
const trouble = (
  { failures, last, lastCompleted, name, schedule }: Standing.Entry,
  { out }: Terminal
): ReadonlyArray<string> => {
  if (last === undefined || !isBad(last.status)) return []
  const dye = paint(out)
  const many = `${count(failures, "instant")}${failures >= Standing.depth ? " or more" : ""}`
  const often = failures > 1 ? `, ${many} in a row` : ""
  const well =
    lastCompleted === undefined
      ? "none was completed before"
      : `the last that was completed is ${Instant.show(lastCompleted.instant, schedule.timezone)}`
  const why = last.reason === undefined ? [] : [`  ${plain(last.reason).replace(/\s*\n\s*/g, " ")}`]
  const run = last.runId === undefined ? "" : `; its run is sluice show ${last.runId}`
  return [
    "",
    `${dye.red("✖")} ${dye.bold(name)} ${last.status} for ${Instant.show(last.instant, schedule.timezone)}${often}; ${well}`,
    ...why,
    dye.dim(`  all of it: sluice schedule history ${name}${run}`)
  ]
}

const render = (entries: ReadonlyArray<Standing.Entry>, now: number, terminal: Terminal): string => {
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

/** Said where pipelines wait for somebody who is not there. */
const nobody = `nobody runs them now: sluice schedule does, or another scheduler by --print\n`

export const program = (options: ScheduleParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const folder = options.name ?? options.folder ?? defaultFolder
    const now = yield* Clock.currentTimeMillis
    const { broken, entries, isServed } = yield* Standing.of(folder, options, terminal)
    if (options.json) {
      const invalid = broken.map(({ file, mistakes }) => ({
        file,
        broken: mistakes.map(({ column, line, message }) => ({ line, column, message }))
      }))
      const objects = [...entries.map((entry) => objectOf(entry, now)), ...invalid]
      return void terminal.out.write(`${JSON.stringify(objects, undefined, 2)}\n`)
    }
    if (entries.length > 0) terminal.out.write(render(entries, now, terminal))
    else terminal.err.write(`no pipeline in ${place(folder)} has a schedule\n`)
    for (const { message } of broken) terminal.err.write(`${brokenText(message, terminal.err)}\n`)
    if (entries.length > 0 && !isServed) terminal.err.write(nobody)
  })
