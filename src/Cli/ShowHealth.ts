/** `sluice show --health`: describes a run's outputs field by field, and lists what was unexpected. */
import * as Effect from "effect/Effect"
import type { FieldMetrics, RunMetrics, SinkMetrics } from "../Health/Profile.ts"
import { describeVerdict, mixOf, type Verdict } from "../Health/Verdict.ts"
import { elementText } from "../Html/Fingerprint.ts"
import type { HealthRecord } from "../Ledger/Health.ts"
import type { RunRecord } from "../Ledger/Model.ts"
import { Ledger } from "../Ledger.ts"
import { outputRows } from "../Run/Progress.ts"
import { matchText } from "../Step/Extract/FieldMatches.ts"
import { count, table } from "./Format.ts"
import { paint, plain, type Terminal } from "./Terminal.ts"

/** Prints the health of a run. */
export const showHealth = (run: RunRecord, isJson: boolean, terminal: Terminal) =>
  Effect.gen(function* () {
    const { health } = yield* Ledger
    const sinks = yield* health.sinksOf(run.id)
    const whole = yield* health.of(run.id)
    if (isJson) {
      const verdicts = [...(whole === undefined ? [] : [whole]), ...sinks].flatMap((each) => each.verdicts)
      const text = JSON.stringify({
        runId: run.id,
        status: run.status,
        verdicts: verdicts.map((verdict) => ({ ...verdict, message: describeVerdict(verdict) })),
        run: whole?.metrics,
        sinks: Object.fromEntries(sinks.map(({ metrics, sink }) => [sink, metrics]))
      })
      return terminal.out.write(`${text}\n`)
    }
    if (whole === undefined) {
      return terminal.err.write(
        `run ${run.id} was not measured: it is a trial, a backfill or a replay, did not reach its end, has health: off, or was made by an earlier version\n`
      )
    }
    const outputs = outputRows(run.progress) ?? []
    const nameOf = ({ sink }: (typeof sinks)[number]) => outputs.find(({ step }) => step === sink)?.name ?? ""
    terminal.out.write(
      `${[...describeRun(run, whole, terminal), ...sinks.flatMap((sink) => ["", ...describeSink(sink, nameOf(sink), terminal)])].join("\n")}\n`
    )
  })

const percent = (share: number): string =>
  `${(100 * share).toLocaleString("en-US", { maximumFractionDigits: share > 0 && share < 0.1 ? 1 : 0 })} %`

const sentence = (verdict: Verdict, terminal: Terminal): string => {
  const dye = paint(terminal.out)
  const level = verdict.level === "broken" ? dye.red("broken") : dye.yellow("unusual")
  return `  ${level}  ${plain(describeVerdict(verdict))}`
}

const describeRun = (run: RunRecord, { metrics, verdicts }: HealthRecord<RunMetrics>, terminal: Terminal) => {
  const dye = paint(terminal.out)
  const steps = Object.entries(metrics.steps).map(([step, rows]) => `${step} ${rows.toLocaleString("en-US")}`)
  return [
    `${dye.bold(run.pipeline)}  ${run.id}  ${run.status}`,
    `  rows      ${steps.join(", ")}`,
    `  rejected  ${percent(metrics.rejected)}`,
    ...(metrics.pages === 0 ? [] : [`  pages     ${count(metrics.pages, "page")}: ${mixOf(metrics.statuses)}`]),
    ...verdicts.map((verdict) => sentence(verdict, terminal))
  ]
}

const amount = (value: number | undefined): string =>
  value === undefined ? "" : value.toLocaleString("en-US", { maximumSignificantDigits: 3 })

const whole = (value: number | undefined): string => amount(value === undefined ? undefined : Math.round(value))

/** 10th percentile, median and 90th percentile. */
const quantiles = ([, low, middle, high]: FieldMetrics["lengths"], format: typeof amount): string =>
  middle === undefined ? "" : `${format(low)} · ${format(middle)} · ${format(high)}`

const describeSink = ({ metrics, sink, verdicts }: HealthRecord<SinkMetrics>, file: string, terminal: Terminal) => {
  const dye = paint(terminal.out)
  const marked = new Map(verdicts.map(({ field, level }) => [field, level]))
  const rows = Object.entries(metrics.fields).map(([name, field]) => [
    plain(name),
    percent(field.fill),
    mixOf(field.types),
    percent(1 - field.repeated),
    quantiles(field.lengths, whole),
    quantiles(field.numbers, amount),
    marked.get(name) ?? ""
  ])
  const matches = Object.entries(metrics.matches ?? {}).map(([name, match]) => [
    plain(name),
    matchText(match, name),
    match.fingerprint === undefined ? "" : plain(elementText(match.fingerprint)),
    marked.get(name) ?? ""
  ])
  const columns = [
    ["field"],
    ["filled", "right"],
    ["types"],
    ["distinct", "right"],
    ["length (10 · 50 · 90 %)", "right"],
    ["number (10 · 50 · 90 %)", "right"],
    [""]
  ] as const
  return [
    metrics.matches === undefined
      ? `${dye.bold(sink)}  ${file === "" ? "" : `${file}  `}${count(metrics.rows, "row")}`
      : dye.bold(sink),
    ...verdicts.map((verdict) => sentence(verdict, terminal)),
    ...(rows.length === 0 ? [] : table(columns, rows, terminal.out).map((line) => `  ${line}`)),
    ...(matches.length === 0
      ? []
      : table([["field"], ["matched"], ["element"], [""]], matches, terminal.out).map((line) => `  ${line}`))
  ]
}
