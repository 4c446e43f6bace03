/** `sluice schedule history`: lists a pipeline's scheduled times with outcome, reason and notifications. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { Ledger } from "../../Ledger.ts"
import { didYouMean } from "../../Row/Nearest.ts"
import type { Json } from "../../Row.ts"
import type { Notification, Occurrence, ScheduleRecord } from "../../Schedule/Model.ts"
import * as Store from "../../Schedule/Store.ts"
import { scheduleRefused } from "../CommandErrors.ts"
import { count, duration, iso, writeTable } from "../Format.ts"
import { withLedger } from "../LedgerAccess.ts"
import type { Terminal } from "../Terminal.ts"
import { occurrenceObject } from "./News.ts"
import type { ScheduleOptions } from "./Options.ts"
import * as Time from "./Time.ts"

/** Time zone of a pipeline, from its record in the ledger. */
export const zoneOf = (record: ScheduleRecord | undefined): string => {
  const { timezone } = (record === undefined ? {} : JSON.parse(record.schedule)) as { readonly timezone?: string }
  return timezone ?? "UTC"
}

const noticeObject = ({ attempts, error, event, gaveUpAt, id, sentAt }: Notification) => ({
  id,
  event,
  attempts,
  sentAt: iso(sentAt),
  gaveUpAt: iso(gaveUpAt),
  error
})

/** Describes a notification in one phrase. */
const noticeText = ({ attempts, error, event, gaveUpAt, sentAt }: Notification): string => {
  if (sentAt !== undefined) return `${event}: delivered`
  const why = error === undefined ? "" : ` (${error})`
  if (gaveUpAt !== undefined) return `${event}: given up after ${count(attempts, "try", "tries")}${why}`
  return `${event}: not delivered yet${why}`
}

/** Inputs such as `site=https://a.example/, size=7`. */
const inputsText = (inputs: Json | undefined): string =>
  typeof inputs === "object" && inputs !== null
    ? Object.entries(inputs)
        .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
        .join(", ")
    : ""

const show = (pipeline: string, options: ScheduleOptions, terminal: Terminal) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const schedules = yield* Store.schedules
    const records = yield* schedules.list
    const record = records.find((each) => each.pipeline === pipeline)
    const occurrences = yield* schedules.occurrences({ pipeline, limit: options.limit })
    if (record === undefined && occurrences.length === 0) {
      const names = records.map((each) => each.pipeline)
      const known = names.length === 0 ? "; nothing was scheduled yet" : `: there are ${names.join(", ")}`
      const hint = didYouMean(pipeline, names) || known
      return yield* scheduleRefused(`the pipeline ${pipeline} has no scheduled times in the ledger${hint}`)
    }
    const notices = yield* schedules.notifications.list({ pipeline, limit: options.limit * 10 })
    const byTime = Arr.groupBy(notices, ({ scheduledTime }) => String(scheduledTime))
    const noticesOf = (scheduledTime: number) => byTime[String(scheduledTime)] ?? []
    const inputs = yield* history.inputs(occurrences.flatMap(({ runId }) => runId ?? []))
    const inputsOf = ({ runId }: Occurrence) => (runId === undefined ? undefined : inputs.get(runId))
    if (options.json) {
      const objects = occurrences.map((each) => ({
        ...occurrenceObject(each),
        inputs: inputsOf(each),
        notices: noticesOf(each.scheduledTime).map(noticeObject)
      }))
      return void terminal.out.write(`${JSON.stringify(objects, undefined, 2)}\n`)
    }
    if (occurrences.length === 0) return void terminal.err.write(`${pipeline} has had no scheduled time yet\n`)
    const zone = zoneOf(record)
    writeTable(
      [[`scheduled time (${zone})`], ["outcome"], ["took", "right"], ["run"], ["inputs"], ["notified"], ["reason"]],
      occurrences.map((each) => [
        Time.show(each.scheduledTime, zone),
        `${each.status}${each.cause === "hand" ? ", by hand" : ""}${each.attempt > 1 ? `, attempt ${each.attempt}` : ""}`,
        each.begunAt === undefined || each.endedAt === undefined ? "" : duration(each.endedAt - each.begunAt),
        each.runId ?? "",
        inputsText(inputsOf(each)),
        noticesOf(each.scheduledTime).map(noticeText).join("; "),
        each.reason ?? ""
      ]),
      terminal.out
    )
  })

export const program = (options: ScheduleOptions, terminal: Terminal) =>
  options.name === undefined
    ? scheduleRefused("NAME is missing: sluice schedule history NAME")
    : withLedger(options, terminal, show(options.name, options, terminal))
