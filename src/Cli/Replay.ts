/** `sluice replay`: sends the rejected rows of a run through the pipeline again. */

import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { type RunRecord, replayReads } from "../Ledger/Model.ts"
import { Ledger } from "../Ledger.ts"
import { type Checked, definitionHash } from "../Pipeline/Check.ts"
import { parseText, read } from "../Pipeline/Source.ts"
import * as Held from "../Run/Held.ts"
import { runStatus } from "../Run/RunResult.ts"
import { optionsOf } from "../Run/RunSpec.ts"
import { mapping } from "../Step/Requirements.ts"
import { readPlaces } from "./CommandSettings.ts"
import { count, place } from "./Format.ts"
import { withLedger } from "./LedgerAccess.ts"
import * as Parameter from "./Parameter.ts"
import { gather, nothingToReplay, sort } from "./Run/OpenRejects.ts"
import { type Printer, perform, printing, type RunRequest } from "./Run/Perform.ts"
import * as RunOutputs from "./RunOutputs.ts"
import { checkFor, findRun } from "./RunRecords.ts"
import { requireCapabilities } from "./Service.ts"
import * as SharedFlags from "./SharedFlags.ts"
import type { Terminal } from "./Terminal.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  run: Parameter.optional("RUN", "The id of the run; default: the newest run."),
  ...SharedFlags.forKnownRun
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "Starts a new run with the current definition: fix it first. For a run that is held or has failed, so that none of its rows are published, it discards the run and reads all of its pages again; stored pages need no request. Otherwise the new rows are added to the outputs; rows for a CSV file without declared columns go to a separate file beside it. Rows that fail again are rejects of the new run.",
  parameters,
  examples: [
    { line: "sluice replay", what: "the rejects of the newest run, after the definition is fixed" },
    { line: "sluice replay 20260314T093001-7c2ep2", what: "a given run, after the site is back" }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** Current definition of the pipeline; the one stored with the run if the file no longer exists. */
const definitionOf = (run: RunRecord) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const isThere = yield* Effect.orElseSucceed(files.exists(run.file), () => false)
    return isThere ? yield* read(run.file) : yield* parseText(run.file, paths.dirname(run.file), run.definition)
  })

/** Message that the definition or its code has changed since the run; undefined if neither has. */
const changeOf = (run: RunRecord, checked: Checked): string | undefined => {
  if (definitionHash(checked) === run.definitionHash) return undefined
  const { text, value } = checked.source
  const what = text === run.definition ? `the code of its extensions (${mapping(value).extensions})` : place(run.file)
  return `${what} has changed since run ${run.id} began: the replay uses it as it is now`
}

/** The newest run of the pipeline that has published after this one began; undefined if there is none. */
const published = ({ pipeline, startedAt }: RunRecord) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const runs = yield* history.runs({ pipeline, status: ["completed"], limit: 20 })
    return runs.find((run) => run.startedAt > startedAt && RunOutputs.isReal(run))
  })

/**
 * Runs the definition of a held or failed run again over the pages that the run left in the page cache: its other rows are not published,
 * either. Discards the run first, and with it the state changes that would exclude its rows.
 */
const readAgain = (
  old: RunRecord,
  { dataDir, settings }: Pick<RunRequest, "dataDir" | "settings">,
  options: Options,
  terminal: Terminal,
  print: Printer
) =>
  Effect.gen(function* () {
    const { definitionHash: known, id, out, scheduledFor, startedAt } = old
    const hasNoPages = replayReads(old) === "nothing"
    const source = yield* definitionOf(old)
    const checked = yield* checkFor(old, source, terminal, { begun: source.text === old.definition })
    const isHeld = old.status === "held"
    // The rows of a trial and of a window of a backfill are not those of other runs.
    const isApart = old.options.backfill === true || !RunOutputs.isReal(old)
    const later = isHeld || isApart ? undefined : yield* withLedger(options, terminal, published(old))
    if (later !== undefined) {
      const reason = `run ${later.id} has published its rows since then. sluice discard ${id} drops this run`
      return yield* nothingToReplay(id, reason)
    }
    if (hasNoPages || (isHeld && definitionHash(checked) === known)) {
      const why = hasNoPages
        ? "the pages of a run on the cluster cannot be read again"
        : `${place(old.file)} has not changed since the run, so reading the pages again would not help`
      const reason = isHeld
        ? `its outputs are held, and ${why}. sluice publish ${id} releases them, sluice discard ${id} drops them`
        : `it has published nothing, and ${why}: continue it with sluice resume ${id}, or run the pipeline again`
      return yield* nothingToReplay(id, reason)
    }
    yield* requireCapabilities(checked, settings, terminal.env)
    yield* withLedger(options, terminal, Held.discard(id, "user"))
    print.talk(
      isHeld
        ? `the outputs of run ${id} are discarded: ${place(old.file)} reads its pages again; stored pages need no request\n`
        : `run ${id} is discarded: ${place(old.file)} runs again as a whole; stored pages need no request\n`
    )
    const { backfill, maxCredits, wanted: limit } = optionsOf(old)
    yield* perform(
      {
        checked,
        backfill,
        limit,
        maxCredits,
        settings,
        dataDir,
        out,
        pagesSince: startedAt,
        scheduledFor: scheduledFor === undefined ? undefined : new Date(scheduledFor),
        allowCode: options["allow-code"],
        quiet: options.quiet
      },
      terminal,
      print
    )
  })

const run = (options: Options, terminal: Terminal) =>
  printing(options, terminal, (print) =>
    Effect.gen(function* () {
      const { dataDir, settings } = yield* readPlaces(options, terminal.env)
      const found = yield* withLedger(options, terminal, findRun(options.run))
      const { id, options: chosen } = found.run
      const { replayOf } = chosen
      const hasFailed = runStatus(found.run, found.alive) === "failed"
      if (replayReads(found.run) !== "rejects")
        return yield* readAgain(found.run, { settings, dataDir }, options, terminal, print)
      if (hasFailed) {
        // It has published none of the rows that it took over: all of them are open rejects of their run again.
        yield* withLedger(options, terminal, Held.discard(id, "user"))
        print.talk(`replay ${id} is discarded: the rejects of run ${replayOf} are sent again\n`)
      }
      const { rejects, run } = yield* withLedger(options, terminal, gather(hasFailed ? replayOf : id))
      const source = yield* definitionOf(run)
      const checked = yield* checkFor(run, source, terminal, { begun: source.text === run.definition })
      const change = changeOf(run, checked)
      if (change !== undefined) print.talk(`${change}\n`)
      const { left, numbers, rows } = sort(rejects, checked)
      for (const [step, many] of left) {
        print.talk(
          `${count(many, "reject")} of ${step} cannot be replayed: the step makes its own rows, or is no longer in the definition; run the pipeline again for them\n`
        )
      }
      if (numbers.length === 0) {
        return yield* nothingToReplay(run.id, "no step of the definition can process its rejects again")
      }
      yield* perform(
        {
          checked,
          settings,
          dataDir,
          out: run.out,
          // Rejects of a trial are replayed as a trial.
          limit: optionsOf(run).wanted,
          allowCode: options["allow-code"],
          replay: { of: run.id, rows, numbers },
          quiet: options.quiet
        },
        terminal,
        print
      )
    }).pipe(Effect.scoped)
  )
