/** `sluice resume`: continues a run from its last commit. */

import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { finalReason, isOver, type RunRecord, statuses } from "../Ledger/Model.ts"
import { Ledger } from "../Ledger.ts"
import { definitionHash } from "../Pipeline/Check.ts"
import { parseText, read } from "../Pipeline/Source.ts"
import { isResumable, mayCompleteOnResume } from "../Run/RunResult.ts"
import { optionsOf } from "../Run/RunSpec.ts"
import { ExitCode } from "../TypedError/ExitCode.ts"
import { commandFailed } from "./CommandErrors.ts"
import { readPlaces } from "./CommandSettings.ts"
import { place } from "./Format.ts"
import { withLedger } from "./LedgerAccess.ts"
import { lineDiff } from "./LineDiff.ts"
import * as Parameter from "./Parameter.ts"
import { rejectsOf } from "./Run/OpenRejects.ts"
import { type Printer, perform, printing } from "./Run/Perform.ts"
import { checkFor, findRun } from "./RunRecords.ts"
import * as SharedFlags from "./SharedFlags.ts"
import type { Terminal } from "./Terminal.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  run: Parameter.optional("RUN", "The id of the run; default: the newest run that can be resumed."),
  "with-current": Parameter.toggle("Continues with the current definition, after showing what has changed."),
  ...SharedFlags.forKnownRun
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "A run keeps the definition and the inputs that it started with. Files are truncated to the last checkpoint and continued; no call is paid twice. A budget starts again from zero. Code of the project (`use`) is not kept: the current version runs.",
  parameters,
  examples: [
    { line: "sluice resume", what: "the newest run that did not complete" },
    { line: "sluice resume 20260314T093001-7c2ep2", what: "a given run" }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** The definition differs from the one that the run began with; the differences have been printed. */
class DefinitionChanged extends Data.TaggedError("DefinitionChanged")<{
  readonly file: string
  readonly run: string
}> {
  readonly exitCode = ExitCode.invalid
  override get message() {
    return `${this.file} has changed since run ${this.run} began: restore it, or continue with the current one: --with-current`
  }
}

const isCode = (file: string): boolean => /\.[mc]?[jt]s$/.test(file)

const unfinished = statuses.filter((status) => !isOver(status))

const notResumable = "NotResumable"

/** Finds the run by id, or else the newest run that did not complete and is not running. */
const find = (id: string | undefined) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    if (id === undefined) {
      const alive = yield* history.alive
      const [newest] = (yield* history.runs({ status: unfinished, limit: 100 })).filter(
        (run) => mayCompleteOnResume(run) && !alive.has(run.id)
      )
      if (newest !== undefined) return newest
      return yield* commandFailed(
        "no run can be resumed: each run is complete, still running, or had all its rows rejected",
        notResumable
      )
    }
    const { run: record } = yield* findRun(id)
    const final = finalReason(record)
    if (final !== undefined) return yield* commandFailed(`run ${record.id} cannot be resumed: ${final}`, notResumable)
    if (record.progress?.over === true && !isResumable(record)) {
      return yield* commandFailed(
        `run ${record.id} cannot be resumed: all of its rows were rejected, and nothing is left to do: sluice replay ${record.id} sends them through again`,
        notResumable
      )
    }
    return record
  })

/** The definition that the run began with, or the current one if requested. */
const definitionOf = (record: RunRecord, withCurrent: boolean, terminal: Terminal) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const frozen = yield* parseText(record.file, paths.dirname(record.file), record.definition)
    // All rows are written, and no step processes rows again, so the current definition is not needed.
    if ((record.status === "publishing" || record.status === "held") && !isCode(record.file)) return frozen
    const isThere = yield* Effect.orElseSucceed(files.exists(record.file), () => false)
    if (!isThere) return frozen
    const current = read(record.file)
    const written = isCode(record.file)
      ? Effect.map(current, ({ text }) => text)
      : // The diff is shown also when the current definition is invalid.
        Effect.orElse(files.readFileString(record.file), () => Effect.map(current, ({ text }) => text))
    const text = yield* written
    if (text === record.definition) return isCode(record.file) ? yield* current : frozen
    const diff = lineDiff(record.definition, text).join("\n")
    terminal.err.write(
      `--- ${place(record.file)}, as run ${record.id} began\n+++ ${place(record.file)}, now\n${diff}\n`
    )
    return yield* withCurrent ? current : new DefinitionChanged({ file: record.file, run: record.id })
  })

const run = (options: Options, terminal: Terminal) =>
  printing(options, terminal, (print) => continueRun({ find: find(options.run) }, options, terminal, print))

interface Continued<E> {
  readonly find: Effect.Effect<RunRecord, E, Ledger>
  /** Releases a held run for publication, once its definition has been checked. */
  readonly release?: (run: RunRecord) => Effect.Effect<RunRecord, E, Ledger>
}

/** Resumes the run that `find` returns, and executes it to the end. */
export const continueRun = <E extends Verb.Failure>(
  { find, release }: Continued<E>,
  options: Omit<Options, "run">,
  terminal: Terminal,
  print: Printer
) =>
  Effect.gen(function* () {
    const { dataDir, settings } = yield* readPlaces(options, terminal.env)
    const found = yield* withLedger(options, terminal, find)
    const source = yield* definitionOf(found, options["with-current"], terminal)
    const begun = source.text === found.definition
    const checked = yield* checkFor(found, source, terminal, {
      begun,
      definitionHash: options["with-current"] ? undefined : found.definitionHash
    })
    const record = release === undefined ? found : yield* withLedger(options, terminal, release(found))
    const { out, wanted, replay, ...kept } = optionsOf(record)
    const { shards } = record.options
    if (typeof shards === "string") {
      const Shard = yield* Effect.promise(() => import("./Run/Shard.ts"))
      return yield* Shard.mergeShards({ ...options, shared: shards, data: dataDir }, terminal, print)
    }
    if (record.group === record.id) {
      const Cluster = yield* Effect.promise(() => import("./Run/OnCluster.ts"))
      const isSame = begun && definitionHash(checked) === record.definitionHash
      const revision = isSame ? undefined : { checked, allowCode: options["allow-code"] }
      if (yield* Cluster.resume(record, revision, settings, terminal, print)) return
    }
    // A replay that ended before its first checkpoint has not taken over any rejects yet: they are read again from the run that rejected
    // them.
    const isUnbegun = replay !== undefined && record.progress === null
    const again = isUnbegun ? yield* withLedger(options, terminal, rejectsOf(replay.of, checked)) : replay
    yield* perform(
      {
        checked,
        settings,
        dataDir,
        ...kept,
        replay: again,
        out,
        limit: wanted,
        allowCode: options["allow-code"],
        quiet: options.quiet
      },
      terminal,
      print
    )
  }).pipe(Effect.scoped)
