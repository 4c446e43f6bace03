/** Formats scheduler events as one line of text or one JSON object. */
import * as Struct from "effect/Struct"
import type { Checked } from "../../Pipeline/Check.ts"
import { scheduledTimeJson } from "../../Pipeline/Schedule.ts"
import type { Summary } from "../../Run.ts"
import type { Occurrence } from "../../Schedule/Model.ts"
import type { SchedulerEvent } from "../../Schedule.ts"
import { duration, iso, place } from "../Format.ts"
import { countsOf } from "../Run/Report.ts"
import { type Channel, emphasise, paint, plain } from "../Terminal.ts"
import * as Time from "./Time.ts"

/** What formatting an event needs to know besides the event. */
export interface Known {
  readonly now: number
  readonly definition: (pipeline: string) => Checked | undefined
  /** Next scheduled time of a pipeline. */
  readonly next: (pipeline: string) => number | undefined
  /** Summary of an ended run. */
  readonly summary: (runId: string) => Summary | undefined
}

export interface Line {
  readonly text: string
  /** True for an event that is printed even with --quiet. */
  readonly bad: boolean
  /** Level in a JSON log, if the text does not start with it. */
  readonly level?: "error" | "warning"
}

const scheduleOf = (checked: Checked | undefined) => checked?.frame.schedule ?? { cron: "", timezone: "UTC" }

/** True for outcomes that need attention. */
export const isBad = (status: Occurrence["status"]): boolean =>
  status === "failed" || status === "held" || status === "budget" || status === "missed"

const oneLine = (text: string): string =>
  plain(text)
    .replace(/\s*\n\s*/g, " ")
    .trim()

/** Mistakes on separate lines. */
export const brokenText = (lines: ReadonlyArray<string>, channel: Channel): string => {
  const dye = paint(channel)
  return lines.map((line) => `${dye.red("broken:")} ${emphasise(line, dye)}`).join("\n")
}

const overText = (record: Occurrence, { summary }: Known): string => {
  const { attempt, reason, runId } = record
  const counts = runId === undefined ? undefined : summary(runId)
  const tries = attempt > 1 ? ` at attempt ${attempt}` : ""
  const done = counts === undefined ? "" : `: ${countsOf(counts)} in ${duration(counts.durationMs)}`
  const why = reason === undefined ? "" : `: ${oneLine(reason)}`
  const look = runId === undefined || !isBad(record.status) ? "" : `; sluice show ${runId}`
  return `${tries}${record.status === "completed" ? done : why}${look}`
}

/** Formats an event for people. */
export const line = (news: SchedulerEvent, known: Known, channel: Channel): Line => {
  const dye = paint(channel)
  const at = (pipeline: string, scheduledTime: number) =>
    `${dye.bold(pipeline)} ${Time.showIn(scheduledTime, scheduleOf(known.definition(pipeline)))}`
  switch (news._tag) {
    case "Added":
    case "Changed": {
      const { cron, timezone } = scheduleOf(known.definition(news.pipeline))
      const next = known.next(news.pipeline)
      const when =
        next === undefined
          ? "no next run"
          : `next ${Time.show(next, timezone, cron)} (${Time.distance(next, known.now)})`
      const changed = news._tag === "Changed" ? " changed" : ""
      return { text: `${dye.bold(news.pipeline)}${changed}: ${cron} ${timezone}, ${when}`, bad: false }
    }
    case "Removed":
      return { text: `${dye.bold(news.pipeline)} was removed: ${place(news.file)}`, bad: false }
    case "Broken":
      return { text: brokenText(news.lines, channel), bad: true }
    case "Twice": {
      const both = `${place(news.file)} is ignored, because ${place(news.other)} is also named ${news.pipeline}`
      return { text: `${dye.yellow("warning:")} ${both}`, bad: true }
    }
    case "Began":
      return { text: `${at(news.pipeline, news.scheduledTime)} ${dye.dim(`began: run ${news.runId}`)}`, bad: false }
    case "Over": {
      const { record } = news
      const { scheduledTime, pipeline, status } = record
      const colour = status === "completed" ? dye.green : isBad(status) ? dye.red : dye.yellow
      const text = `${at(pipeline, scheduledTime)} ${colour(status)}${overText(record, known)}`
      return isBad(status) ? { text, bad: true, level: "error" } : { text, bad: false }
    }
    case "Retrying": {
      const wait = Time.distance(news.nextAt, known.now)
      const text = `${at(news.pipeline, news.scheduledTime)} ${dye.yellow("failed")}: ${oneLine(news.reason)}; next attempt ${wait}`
      return { text, bad: true, level: "warning" }
    }
    case "Trouble":
      return { text: `${dye.yellow("warning:")} ${oneLine(news.message)}`, bad: true }
  }
}

/** An occurrence as JSON. */
export const occurrenceObject = (record: Occurrence) => ({
  pipeline: record.pipeline,
  ...scheduledTimeJson(record.scheduledTime),
  status: record.status,
  reason: record.reason,
  run: record.runId,
  attempt: record.attempt,
  cause: record.cause,
  begunAt: iso(record.begunAt),
  nextAt: iso(record.nextAt),
  endedAt: iso(record.endedAt)
})

/** The JSON object of an event. */
export const object = (news: SchedulerEvent, known: Known) => {
  const head = { event: news._tag.toLowerCase(), at: iso(known.now) }
  switch (news._tag) {
    case "Added":
    case "Changed":
      return { ...head, pipeline: news.pipeline, file: news.file, next: iso(known.next(news.pipeline)) }
    case "Over": {
      const { record } = news
      const summary = record.runId === undefined ? undefined : known.summary(record.runId)
      const counts = summary && Struct.pick(summary, "rows", "rejects", "credits", "durationMs")
      return { ...head, ...occurrenceObject(record), ...counts }
    }
    case "Began":
      return { ...head, pipeline: news.pipeline, ...scheduledTimeJson(news.scheduledTime), run: news.runId }
    case "Retrying":
      return {
        ...head,
        pipeline: news.pipeline,
        ...scheduledTimeJson(news.scheduledTime),
        reason: news.reason,
        nextAt: iso(news.nextAt)
      }
    default: {
      const { _tag, ...rest } = news
      return { ...head, ...rest }
    }
  }
}
