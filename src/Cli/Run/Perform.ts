/** Carries a run out and tells how it went: for every verb that runs a pipeline. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import type { RunRecord } from "../../Ledger/Model.ts"
import type { Checked } from "../../Pipeline/Check.ts"
import * as Run from "../../Run.ts"
import type { Stdout } from "../../Step/Output.ts"
import { ensure } from "../Abilities.ts"
import { WrongUsage } from "../Errors.ts"
import * as Ledger from "../Ledger.ts"
import type { Values } from "../Profile.ts"
import { scopeOf } from "../Scope.ts"
import type { Terminal } from "../Terminal.ts"
import type { Failure } from "../Verb.ts"
import { duration } from "../Words.ts"
import * as Progress from "./Progress.ts"
import * as Report from "./Report.ts"
import * as Service from "./Service.ts"

/** Lines for people go to stderr unless it should be quiet; the object for scripts to stdout when it is wanted. */
export interface Printer {
  /** The object goes to stdout. */
  readonly json: boolean
  readonly talk: (text: string, fields?: Readonly<Record<string, unknown>>) => void
  readonly report: (report: Report.Report) => void
}

export interface Errand {
  readonly checked: Checked
  readonly settings: Values
  /** Absolute. */
  readonly dataDir: string
  readonly out: string | undefined
  readonly limit?: number | undefined
  readonly backfill?: boolean | undefined
  readonly allowCode?: boolean | undefined
  readonly resume?: RunRecord | undefined
  readonly replay?: Run.RunOptions["replay"]
  readonly scheduledFor?: Date | undefined
  readonly quiet: boolean
}

/** Jobs of the local engine end with it; those of a service go on, and cost something. */
const describeJobs = (jobs: ReadonlyArray<string>, service: string): ReadonlyArray<string> => {
  const [first, ...more] = jobs
  if (first === undefined) return []
  return [
    more.length === 0
      ? `Job ${first} goes on at ${service}.`
      : `${jobs.length} jobs go on at ${service}: ${jobs.slice(0, 5).join(", ")}${jobs.length > 5 ? ", …" : ""}`
  ]
}

/** What a run that was stopped had done, and how to resume it. */
const describeStopped = (summary: Run.Summary, name: string, remote: string | undefined): string =>
  [
    `${name} was stopped after ${duration(summary.durationMs)}: ${Report.countsOf(summary)}`,
    summary.resumable
      ? `What is done is kept: sluice resume ${summary.runId}`
      : "Nothing was done yet, and nothing is left behind.",
    ...(remote === undefined || !summary.resumable ? [] : describeJobs(summary.runningJobs ?? [], remote))
  ].join("\n")

const jsonRefused = new WrongUsage({
  reason:
    '--json prints its object on standard output, where a step of this pipeline writes its rows ("-"): leave --json out, or give that step the path of a file'
})

/** Chunks end at line ends, so none splits a UTF-8 character. */
const stdoutOf = ({ out }: Terminal): Stdout =>
  out.pipe ?? ((bytes) => Effect.sync(() => out.write(Buffer.from(bytes).toString())))

/** Serves what the pipeline needs, runs it, and reports. */
export const perform = Effect.fn("Cli.perform")(function* (errand: Errand, terminal: Terminal, print: Printer) {
  const { allowCode, backfill, checked, dataDir, limit, out, quiet, replay, resume, scheduledFor, settings } = errand
  const { name } = checked.frame
  if (print.json && checked.toStdout.length > 0) return yield* jsonRefused
  yield* ensure(checked, settings, terminal.env)
  const { client, hosted, site } = yield* Service.start(checked, settings, dataDir)
  const run = yield* Run.make(checked, {
    ...scopeOf(terminal.env),
    dataDir,
    out,
    wanted: limit,
    backfill,
    allowCode,
    resume,
    replay,
    scheduledFor,
    site,
    stdout: print.json ? undefined : stdoutOf(terminal),
    opened: (id) => Effect.sync(() => terminal.tell?.({ began: id }))
  })
  if (terminal.err.interactive && !quiet) yield* Effect.forkScoped(Progress.draw(run, checked, terminal))
  const summary = yield* run.execute.pipe(
    Effect.provide(client),
    Effect.provide(Ledger.layer(settings, dataDir)),
    Effect.tapErrorTag("RunFailed", (failure) =>
      Effect.sync(() =>
        print.talk(
          Report.describeFailed(name, failure.summary, terminal.err, failure),
          Report.fieldsOf(failure.summary)
        )
      )
    ),
    Effect.onInterrupt(() =>
      Effect.map(run.summary, (summary) => {
        if (summary.status === "completed") {
          print.talk(Report.describe(name, summary, terminal.err), Report.fieldsOf(summary))
          return print.report(Report.completed(summary))
        }
        print.talk(`${describeStopped(summary, name, hosted?.baseUrl)}\n`, Report.fieldsOf(summary))
        print.report(Report.stopped(summary))
      })
    )
  )
  print.talk(Report.describe(name, summary, terminal.err), Report.fieldsOf(summary))
  if (limit !== undefined) print.talk(Report.trial(limit))
  print.report(Report.completed(summary))
  return summary
})

/** Why a run ended before it could say so itself. */
const reasonOf = (cause: Cause.Cause<Failure>): Report.Report =>
  Option.match(Cause.failureOption(cause), {
    onSome: Report.failed,
    onNone: () => (Cause.isInterruptedOnly(cause) ? Report.neverBegan : Report.broken(cause))
  })

/** Gives a program its printer: scripts read one object on stdout, whatever happens. */
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
