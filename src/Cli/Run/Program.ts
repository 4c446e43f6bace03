/** Reads, checks, serves and runs a pipeline, and tells how it went. */
import * as Path from "@effect/platform/Path"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import { type Checked, check } from "../../Pipeline/Check.ts"
import { read } from "../../Pipeline/Source.ts"
import * as Run from "../../Run.ts"
import * as Folder from "../Folder.ts"
import * as Profile from "../Profile.ts"
import type { RunParameters } from "../Run.ts"
import { scopeOf } from "../Scope.ts"
import type { Terminal } from "../Terminal.ts"
import type { Failure } from "../Verb.ts"
import { duration } from "../Words.ts"
import * as Progress from "./Progress.ts"
import * as Report from "./Report.ts"
import * as Service from "./Service.ts"

/** What a run that was stopped had done, and what is left of it. */
const stopped = (run: Run.Run, checked: Checked, begin: number, remote: string | undefined) =>
  Effect.gen(function* () {
    const { credits, rejects, rows, unpriced } = yield* run.progress
    const durationMs = (yield* Clock.currentTimeMillis) - begin
    const report: Report.Report = {
      runId: run.id,
      status: "stopped",
      rows,
      rejects,
      credits,
      unpricedCalls: unpriced,
      durationMs,
      outputs: []
    }
    const files = checked.nodes.filter(({ step }) => step.key === "write").length
    const lost = files === 1 ? "its unfinished output was" : `its ${files} unfinished outputs were`
    const text = [
      `${checked.frame.name} was stopped after ${duration(durationMs)}: ${Report.countsOf(report)}${files === 0 ? "" : `; ${lost} discarded`}`,
      ...(remote === undefined ? [] : [`Jobs that it has started at ${remote} go on there.`])
    ].join("\n")
    return { report, text }
  })

const perform = Effect.fn("Cli.run")(function* (options: RunParameters, terminal: Terminal, print: Printer) {
  const paths = yield* Path.Path
  const settings = yield* Profile.read(terminal.env, options.profile)
  const source = yield* read(options.file)
  const scope = scopeOf(terminal.env)
  const checked = yield* check(source, { ...scope, inputs: options.input, complete: true })
  const dataDir = paths.resolve(options.data ?? settings.dataDir)
  const out = paths.resolve(options.out ?? ".")
  yield* Folder.require(out, "Name a folder that you may write to with --out")
  const { client, site } = yield* Service.start(checked, settings, dataDir)
  const run = yield* Run.make(checked, {
    ...scope,
    dataDir,
    out,
    wanted: options.limit,
    site
  })
  if (terminal.err.interactive && !options.quiet) yield* Effect.forkScoped(Progress.draw(run, checked, terminal))
  const begin = yield* Clock.currentTimeMillis
  const summary = yield* run.execute.pipe(
    Effect.provide(client),
    Effect.tapErrorTag("RunFailed", ({ summary }) =>
      Effect.sync(() => print.talk(Report.describeFailed(checked.frame.name, summary, terminal.err)))
    ),
    Effect.onInterrupt(() =>
      Effect.map(stopped(run, checked, begin, settings.baseUrl), ({ report, text }) => {
        print.talk(`${text}\n`)
        print.report(report)
      })
    )
  )
  print.talk(Report.describe(checked.frame.name, summary, terminal.err))
  print.report(Report.completed(summary))
})

/** Lines for people go to stderr unless it should be quiet; the object for scripts to stdout when it is wanted. */
interface Printer {
  readonly talk: (text: string) => void
  readonly report: (report: Report.Report) => void
}

/** Why a run ended before it could say so itself. */
const reasonOf = (cause: Cause.Cause<Failure>): Report.Report =>
  Option.match(Cause.failureOption(cause), {
    onSome: Report.failed,
    onNone: () => (Cause.isInterruptedOnly(cause) ? Report.neverBegan : Report.broken(cause))
  })

export const program = (options: RunParameters, terminal: Terminal) => {
  let reported = false
  const print: Printer = {
    talk: (text) => (options.quiet ? undefined : terminal.err.write(text)),
    report: (report) => {
      // Scripts read one object, whatever happens.
      if (options.json && !reported) terminal.out.write(`${JSON.stringify(report)}\n`)
      reported = true
    }
  }
  return perform(options, terminal, print).pipe(
    Effect.scoped,
    Effect.onExit((exit) =>
      Exit.isSuccess(exit) ? Effect.void : Effect.sync(() => print.report(reasonOf(exit.cause)))
    ),
    options.quiet ? Logger.withMinimumLogLevel(LogLevel.None) : (same) => same
  )
}
