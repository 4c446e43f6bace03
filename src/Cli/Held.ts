/** `sluice publish` and `sluice discard`: publish or discard outputs that are held because they are broken. */
import * as Effect from "effect/Effect"
import { RunNotHeld } from "../Ledger/Held.ts"
import type { RunRecord } from "../Ledger/Model.ts"
import { Ledger } from "../Ledger.ts"
import * as Held from "../Run/Held.ts"
import { commandFailed } from "./CommandErrors.ts"
import { place } from "./Format.ts"
import { type LedgerPlace, withLedger } from "./LedgerAccess.ts"
import * as Parameter from "./Parameter.ts"
import { continueRun } from "./Resume.ts"
import { printing } from "./Run/Perform.ts"
import { findRun } from "./RunRecords.ts"
import * as SharedFlags from "./SharedFlags.ts"
import type { Terminal } from "./Terminal.ts"
import * as Verb from "./Verb.ts"

const runOrPipeline = Parameter.one("RUN", "The run's id; with --all, the name of the pipeline.")

/** Finds the run. Fails if its outputs are already published or discarded. */
const find = (asked: string) =>
  Effect.gen(function* () {
    const { run } = yield* findRun(asked)
    const { id, status } = run
    return status === "completed" || status === "discarded" ? yield* new RunNotHeld({ id, status }) : run
  })

const release = ({ id }: RunRecord) =>
  Effect.gen(function* () {
    const { held } = yield* Ledger
    yield* held.release(id)
    return (yield* findRun(id)).run
  })

/** Ids of the runs to decide about, oldest first. */
const findAll = (
  { all, run, ...options }: { readonly all: boolean; readonly run: string } & LedgerPlace,
  terminal: Terminal
) =>
  all
    ? withLedger(
        options,
        terminal,
        Effect.flatMap(Ledger, ({ held }) => held.list(run))
      ).pipe(
        Effect.filterOrFail(
          (ids) => ids.length > 0,
          () =>
            commandFailed(`no run of ${run} is held: sluice runs --status held lists the held runs of all pipelines`)
        )
      )
    : Effect.succeed([run])

export const publish = Verb.make({
  details:
    "What this run wrote becomes the new normal for later runs. Appended rows are added to the end of the current file. If a later run has written a file, that file keeps its name, and the held one is published beside it, with the run's id in its name. To finish an interrupted publication, use sluice resume.",
  parameters: {
    run: runOrPipeline,
    all: Parameter.toggle("Publishes all held runs of a pipeline, the oldest first."),
    ...SharedFlags.forKnownRun
  },
  examples: [
    { line: "sluice publish 20260314T093001-7c2ep2", what: "the site was redesigned, and the data is right" },
    { line: "sluice publish --all shop", what: "all held runs of a pipeline, the oldest first" }
  ],
  run: (options, terminal) =>
    Effect.flatMap(findAll(options, terminal), (ids) =>
      Effect.forEach(
        ids,
        (id) =>
          printing(options, terminal, (print) =>
            continueRun({ find: find(id), release }, { ...options, "with-current": true }, terminal, print)
          ),
        { discard: true }
      )
    )
})

export const discard = Verb.make({
  details:
    "Published outputs stay as they are. If the publication of this run was interrupted, files that already have their final names stay, too, and are printed. Later runs are compared with the good runs before this one. The next run reads its rows again. A run that failed, was stopped or crashed can be discarded, too: its partial files are removed (outside the output folder, only those that a commit has recorded), and it can no longer be resumed.",
  parameters: {
    run: runOrPipeline,
    all: Parameter.toggle("Discards all held runs of a pipeline."),
    data: SharedFlags.data("the ledger"),
    profile: SharedFlags.profile,
    json: SharedFlags.runAsJson,
    quiet: SharedFlags.quiet
  },
  examples: [
    {
      line: "sluice discard 20260314T093001-7c2ep2",
      what: "the run read a login wall in place of the pages"
    },
    { line: "sluice discard --all shop", what: "all held runs of a pipeline" }
  ],
  run: ({ json, quiet, ...options }, terminal) =>
    Effect.flatMap(findAll(options, terminal), (ids) =>
      withLedger(
        options,
        terminal,
        Effect.forEach(ids, (id) => discardOne(id, { json, quiet }, terminal), { discard: true })
      )
    )
})

const discardOne = (
  id: string,
  { json, quiet }: { readonly json: boolean; readonly quiet: boolean },
  terminal: Terminal
) =>
  Effect.gen(function* () {
    const { run } = yield* findRun(id)
    const published = yield* Held.discard(run.id, "user")
    if (json) {
      const more = published.length === 0 ? {} : { published }
      terminal.out.write(`${JSON.stringify({ runId: run.id, status: "discarded", ...more })}\n`)
    }
    if (quiet) return
    terminal.err.write(`the outputs of run ${run.id} are discarded\n`)
    for (const path of published) terminal.err.write(`was published before, and stays: ${place(path)}\n`)
  })
