/** Runs a pipeline for all verbs that run one: shows progress, and reports a summary. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { RunRecord } from "../../Ledger/Model.ts"
import type { Checked } from "../../Pipeline/Check.ts"
import * as Run from "../../Run.ts"
import type { Stdout } from "../../Step/Output.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { wrongUsage } from "../CommandErrors.ts"
import type { SettingValues } from "../CommandSettings.ts"
import { repairCommandOf } from "../Extract/Suggest.ts"
import { count, duration } from "../Format.ts"
import { ledgerLayer } from "../LedgerAccess.ts"
import { savedIn } from "../SavedPages.ts"
import { requireCapabilities, startService, withoutService } from "../Service.ts"
import { paint, type Terminal } from "../Terminal.ts"
import { scopeOf } from "../Trust.ts"
import type { Failure } from "../Verb.ts"
import * as Report from "./Report.ts"

/** Prints messages to stderr unless quiet, and one JSON object to stdout if requested. */
export interface Printer {
  /** True if a JSON object is printed to stdout. */
  readonly json: boolean
  readonly talk: (text: string, fields?: Readonly<Record<string, unknown>>) => void
  readonly report: (report: Report.Report) => void
}

export interface RunRequest {
  readonly checked: Checked
  readonly settings: SettingValues
  /** Absolute path. */
  readonly dataDir: string
  readonly out: string | undefined
  readonly limit?: number | undefined
  readonly maxCredits?: number | undefined
  readonly backfill?: boolean | undefined
  readonly allowCode?: boolean | undefined
  readonly resume?: RunRecord | undefined
  readonly replay?: Run.RunOptions["replay"]
  readonly scheduledFor?: Date | undefined
  readonly pagesSince?: number | undefined
  readonly quiet: boolean
}

/** Jobs of a hosted service keep running and cost credits. Jobs of the local engine end with the engine. */
const describeJobs = (jobs: ReadonlyArray<string>, service: string): ReadonlyArray<string> => {
  const [first, ...more] = jobs
  if (first === undefined) return []
  return [
    more.length === 0
      ? `Job ${first} keeps running at ${service}.`
      : `${jobs.length} jobs keep running at ${service}: ${jobs.slice(0, 5).join(", ")}${jobs.length > 5 ? ", …" : ""}`
  ]
}

/** Message about a stopped run: its counts, and how to resume it. */
const describeStopped = (summary: Run.Summary, name: string, remote: string | undefined): string =>
  [
    `${name} was stopped after ${duration(summary.durationMs)}: ${Report.countsOf(summary)}`,
    summary.resumable
      ? `Progress is saved: sluice resume ${summary.runId}`
      : "Nothing was done, and no files are left.",
    ...(remote === undefined || !summary.resumable ? [] : describeJobs(summary.runningJobs ?? [], remote))
  ].join("\n")

const jsonRefused = wrongUsage(
  '--json prints its object on standard output, where a step of this pipeline writes its rows ("-"): omit --json, or give that step the path of a file'
)

/** Chunks end at line breaks, so none splits a UTF-8 character. */
const stdoutOf =
  ({ out: { pipe, write } }: Terminal): Stdout =>
  (bytes) =>
    Effect.async((resume) => {
      if (pipe !== undefined) return pipe(bytes, (error) => resume(error ? Effect.fail(error) : Effect.void))
      write(Buffer.from(bytes).toString())
      resume(Effect.void)
    })

/** Starts the services that the pipeline needs, runs it, and reports. */
export const perform = Trace.fn("Cli.perform")(function* (request: RunRequest, terminal: Terminal, print: Printer) {
  const {
    allowCode,
    backfill,
    checked,
    dataDir,
    limit,
    maxCredits,
    out,
    pagesSince,
    quiet,
    replay,
    resume,
    scheduledFor,
    settings
  } = request
  const { name } = checked.frame
  if (print.json && checked.toStdout.length > 0) return yield* jsonRefused
  const isPublishing = resume?.status === "publishing"
  if (!isPublishing) yield* requireCapabilities(checked, settings, terminal.env)
  const { client, hosted, site } = isPublishing ? withoutService : yield* startService(checked, settings, dataDir)
  const run = yield* Run.make(checked, {
    ...scopeOf(terminal.env),
    dataDir,
    out,
    wanted: limit,
    maxCredits,
    backfill,
    allowCode,
    resume,
    replay,
    scheduledFor,
    pagesSince,
    site,
    stdout: print.json ? undefined : stdoutOf(terminal),
    opened: (id) => Effect.sync(() => terminal.tell?.({ began: id }))
  })
  /** Read from the ledger only if the run has read pages. */
  const savedPages = Effect.flatMap(Effect.all([run.progress, run.summary]), ([{ pages }, { runId }]) =>
    pages === 0 ? Effect.succeed(undefined) : savedIn(runId)
  )
  if (terminal.err.interactive && !quiet) yield* Effect.forkScoped(drawProgress(run, checked, terminal))
  const { saved, summary } = yield* run.execute.pipe(
    Effect.flatMap((summary) => Effect.map(savedPages, (saved) => ({ saved, summary }))),
    Effect.tapErrorTag("RunFailed", (failure) =>
      Effect.map(repairCommandOf(failure.summary.runId), (repair) =>
        print.talk(
          Report.describeFailed(name, failure.summary, terminal.err, failure, repair),
          Report.fieldsOf(failure.summary)
        )
      )
    ),
    Effect.provide(client),
    Effect.provide(ledgerLayer(settings, dataDir)),
    Effect.onInterrupt(() =>
      Effect.map(run.summary, (summary) => {
        if (summary.status === "completed") {
          print.talk(
            Report.describe(name, summary, terminal.err, Report.singleFiles(checked)),
            Report.fieldsOf(summary)
          )
          return print.report(Report.completed(summary))
        }
        print.talk(`${describeStopped(summary, name, hosted?.baseUrl)}\n`, Report.fieldsOf(summary))
        print.report(Report.stopped(summary))
      })
    )
  )
  print.talk(Report.describe(name, summary, terminal.err, Report.singleFiles(checked), saved), Report.fieldsOf(summary))
  if (limit !== undefined) print.talk(Report.trial(limit))
  print.report(Report.completed(summary, saved))
  return summary
})

/** The report of a run that ended before it could report itself. */
const reasonOf = (cause: Cause.Cause<Failure>): Report.Report =>
  Option.match(Cause.failureOption(cause), {
    onSome: Report.failed,
    onNone: () => (Cause.isInterruptedOnly(cause) ? Report.neverBegan : Report.broken(cause))
  })

/** Provides the printer. With --json exactly one object is printed, even after a failure. */
export const printing = <E extends Failure, R>(
  { json, quiet }: { readonly json: boolean; readonly quiet: boolean },
  terminal: Terminal,
  program: (print: Printer) => Effect.Effect<void, E, R>
): Effect.Effect<void, E, R> => {
  let reported = false
  const print: Printer = {
    json,
    talk: (text, fields) => (quiet ? undefined : terminal.err.write(text, fields)),
    report: (report) => {
      if (json && !reported) terminal.out.write(`${JSON.stringify(report)}\n`)
      reported = true
    }
  }
  return program(print).pipe(
    Effect.onExit((exit) =>
      Exit.isSuccess(exit) ? Effect.void : Effect.sync(() => print.report(reasonOf(exit.cause)))
    ),
    quiet ? Logger.withMinimumLogLevel(LogLevel.None) : (same) => same
  )
}

const frames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
const barWidth = 20

/** True for steps that announce the rows to come. */
const announcesRows = ({ step: { behaviour } }: Checked["nodes"][number]): boolean =>
  behaviour.kind === "source" || (behaviour.kind === "transform" && behaviour.expectsRows === true)

const clock = (millis: number): string => {
  const seconds = Math.floor(millis / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
}

const rate = (rows: number, millis: number): string => {
  const each = millis < 500 ? 0 : (rows * 1000) / millis
  return `${each < 10 ? each.toFixed(1) : Math.round(each).toLocaleString("en-US")}/s`
}

/** Data shown in the progress line. */
export interface Moment {
  readonly name: string
  readonly progress: Run.Progress
  readonly checked: Checked
  readonly elapsed: number
  readonly frame: number
}

/** Progress line for the terminal's width: the least important parts are dropped first. */
export const progressLine = ({ checked, elapsed, frame, name, progress }: Moment, terminal: Terminal): string => {
  const { credits, expected, rejects, rows, steps } = progress
  const dye = paint(terminal.err)
  const read = checked.nodes.filter(announcesRows).reduce((sum, node) => sum + (steps[node.id] ?? 0), 0)
  const share = expected === 0 ? 0 : Math.min(1, (read + rejects) / expected)
  const filled = Math.round(share * barWidth)
  const parts: ReadonlyArray<readonly [text: string, weight: number, shown: (text: string) => string]> = [
    [frames[frame % frames.length] ?? "", 0, dye.cyan],
    [name, 5, dye.bold],
    ["━".repeat(barWidth), 6, (bar) => dye.cyan(bar.slice(0, filled)) + dye.dim(bar.slice(filled))],
    [
      expected === 0 ? `${count(read, "page")}` : `${read.toLocaleString("en-US")} of ${count(expected, "page")}`,
      0,
      String
    ],
    [count(rows, "row"), 1, String],
    [rejects === 0 ? "" : count(rejects, "reject"), 1, dye.yellow],
    [credits === 0 ? "" : count(Math.round(credits), "credit"), 3, String],
    [rate(read, elapsed), 4, dye.dim],
    [clock(elapsed), 2, dye.dim]
  ]
  const width = (kept: typeof parts) => kept.reduce((sum, [text]) => sum + text.length + 2, -2)
  const squeeze = (kept: typeof parts): typeof parts => {
    const heaviest = Math.max(...kept.map(([, weight]) => weight))
    return heaviest === 0 || width(kept) < terminal.err.columns()
      ? kept
      : squeeze(kept.filter(([, weight]) => weight !== heaviest))
  }
  return squeeze(parts.filter(([text]) => text !== ""))
    .map(([text, , shown]) => shown(text))
    .join("  ")
}

/** Draws the progress line ten times a second until interrupted. */
export const drawProgress = (run: Run.Run, checked: Checked, terminal: Terminal) =>
  Effect.gen(function* () {
    const begin = yield* Clock.currentTimeMillis
    let frame = 0
    const once = Effect.gen(function* () {
      const progress = yield* run.progress
      const elapsed = (yield* Clock.currentTimeMillis) - begin
      terminal.err.status(
        progressLine({ name: checked.frame.name, progress, checked, elapsed, frame: frame++ }, terminal)
      )
    })
    yield* Effect.repeat(once, Schedule.spaced("100 millis"))
  }).pipe(Effect.ensuring(Effect.sync(() => terminal.err.status(""))))
