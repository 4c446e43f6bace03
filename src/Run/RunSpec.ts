/**
 * Options that a run has besides its definition, and their record in the ledger, from which a resumed run reads them.
 *
 * A run that takes only some rows of each source (`--limit`) is a trial, and changes nothing that real runs rely on:
 * - It neither reads nor advances the state across runs.
 * - Without an output folder of its own it writes below `trial/PIPELINE/RUN` of the data folder.
 * - All of its outputs are written below its folder, even those with absolute paths or `..`.
 * - In an output folder that the user names, it replaces, appends to and removes only files last written by a trial.
 */
import * as NodePath from "node:path"
import * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { RunRecord, RunSpec } from "../Ledger/Model.ts"
import { type Checked, definitionHash } from "../Pipeline/Check.ts"
import { diagramOf } from "../Pipeline/Diagram.ts"
import type { Scope } from "../Pipeline/Interpolate.ts"
import type { Resources } from "../Pipeline/Resources.ts"
import type { Json, Row } from "../Row.ts"
import { sanitize } from "../Sink/Destination.ts"
import type { Stdout } from "../Step/Output.ts"
import { type BudgetBaseline, bounded } from "./Budget.ts"
import type { Observe, Tap } from "./Operator.ts"

/** Options of a run. */
export interface RunOptions {
  /** Folder for relative output paths. Default: the current folder; for a trial, a folder of its own. */
  readonly out?: string | undefined
  /** Data folder, which also holds the reject file. */
  readonly dataDir: string
  /** Variables that `${{ env.NAME }}` can read; default: none. */
  readonly env?: Scope["env"] | undefined
  readonly secrets?: Scope["secrets"] | undefined
  /**
   * Maximum rows from each source. Makes the run a trial: it does not use the state across runs, and without `out` it writes below `trial`
   * in the data folder.
   */
  readonly wanted?: number | undefined
  /** Limits the credits of the run in addition to its definition. A resume may spend the same number again. */
  readonly maxCredits?: number | undefined
  /** Makes the run a trial; default: true if `wanted` is set. */
  readonly trial?: boolean | undefined
  /** Standard output, for steps that `write` to `-`. Without it such a step fails before the first request. */
  readonly stdout?: Stdout | undefined
  /** Address of the pipeline's `site`, while it is served. */
  readonly site?: string | undefined
  /**
   * Id of the run on many machines that this run is a part of. All its parts in one ledger share the `rate` of each step and the budget's
   * credits, pages, rows and bytes. A part that is resumed gets no new budget.
   */
  readonly group?: string | undefined
  /** Number of runs without a common ledger that share the `rate` of each step: each run uses this fraction of it. */
  readonly rateShare?: number | undefined
  /** Usage of all parts of the `group`, and the time, when it was last resumed: the budget counts from there. */
  readonly budgetFrom?: BudgetBaseline | undefined
  /** Why the budget ended shards of the run early: they have published what was paid for, and the run does the same. */
  readonly budgetMessage?: string | undefined
  /** Treats every row as new, and neither reads nor changes the state across runs. */
  readonly backfill?: boolean | undefined
  /** Allows code of the project to run (`use`). */
  readonly allowCode?: boolean | undefined
  /** Scheduled time; default: now. */
  readonly scheduledFor?: Date | undefined
  /** Value of `$now`, and the time in file names; default: the current time. */
  readonly now?: Date | undefined
  /** Id of the run; default: a new id. */
  readonly id?: string | undefined
  /** Run whose shard this is: rows, values and file names use the id of that run. */
  readonly parentRun?: string | undefined
  /** State key of the parent run. A shard has no state of its own, but it can see what earlier runs have read. */
  readonly stateKey?: string | undefined
  /** Run to resume. */
  readonly resume?: RunRecord | undefined
  /** Replays rejects of another run, at the steps that rejected them; sources are not read. */
  readonly replay?: Replay | undefined
  /** Reads pages from the service's store, if stored since this time (milliseconds since 1970), instead of from their sites. */
  readonly pagesSince?: number | undefined
  /** Stores the run's log in the ledger, up to 1 MB; default: true. */
  readonly log?: boolean | undefined
  /** Called once the ledger has recorded the run. */
  readonly opened?: ((id: string) => Effect.Effect<void>) | undefined
  readonly observe?: Observe | undefined
  /** Receives the rows that reach an end of the pipeline. */
  readonly tap?: Tap | undefined
  /** Rows that replace the output of a step, by step id. */
  readonly instead?: ReadonlyMap<string, ReadonlyArray<Row>> | undefined
}

export const isTrial = ({ trial, wanted }: Pick<RunOptions, "trial" | "wanted">): boolean =>
  trial ?? wanted !== undefined

/** Default output folder of a trial. */
export const trialFolder = (dataDir: string, pipeline: string, runId: string): string =>
  NodePath.resolve(dataDir, "trial", sanitize(pipeline), runId)

/** Options with the output folder resolved. */
export interface ResolvedOptions extends RunOptions {
  readonly out: string
}

/** Rejects of an earlier run. */
export interface Replay {
  /** Id of the earlier run. */
  readonly of: string
  /** Rejected rows, by the step that rejected them; that step gets them again. */
  readonly rows: ReadonlyMap<string, ReadonlyArray<Row>>
  /** Numbers of these rows among the rejects of the earlier run. The first checkpoint marks them as replayed by this run. */
  readonly numbers: ReadonlyArray<number>
}

interface Made {
  readonly id: string
  readonly startedAt: number
}

/** True for a run that neither reads nor advances the state across runs. */
export const isStateless = ({ backfill, wanted }: RunOptions): boolean => backfill === true || wanted !== undefined

/** Limits of the budget, for progress displays. */
const limitsOf = ({ frame }: Checked, maxCredits: number | undefined): Json | undefined => {
  const budget = bounded(frame.budget, maxCredits)
  return budget && { ...budget, duration: budget.duration && Duration.toMillis(budget.duration) }
}

/** Record of a run for the ledger. `key`: the run's state key, if the pipeline keeps state across runs. */
export const makeRunSpec = (
  checked: Checked,
  options: ResolvedOptions,
  { id, startedAt }: Made,
  { key, touches }: { readonly key: string | undefined; readonly touches?: Resources | undefined }
): RunSpec => {
  const { resume } = options
  const { frame, source } = checked
  const { text } = source
  // The dashboard does not run code of the project: it shows this graph instead of deriving one from the definition.
  const isExtended = (checked.registry?.added.length ?? 0) > 0 && options.parentRun === undefined
  const graph = isExtended ? diagramOf({ frame, nodes: checked.all ?? checked.nodes }) : undefined
  // A run that is resumed `withCurrent` uses the newer definition and its graph.
  if (resume !== undefined) {
    const { graph: _, ...kept } = resume.options
    const saved = graph === undefined ? kept : { ...kept, graph }
    return { ...resume, definition: text, definitionHash: definitionHash(checked), options: saved }
  }
  return {
    id,
    pipeline: frame.name,
    // A definition in a program has no file: make up a path in its folder, so that relative paths work.
    file: NodePath.resolve(source.folder, NodePath.basename(source.file)),
    definition: text,
    definitionHash: definitionHash(checked),
    inputs: checked.inputs as Json,
    out: options.out,
    folder: `${options.dataDir}/runs/${id}`,
    options: {
      limit: options.wanted,
      backfill: options.backfill,
      replayOf: options.replay?.of,
      pagesSince: options.pagesSince,
      maxCredits: options.maxCredits,
      budget: limitsOf(checked, options.maxCredits),
      // As written in the definition. Earlier versions stored it with inputs filled in, as `touches`, which cannot be compared.
      named: touches,
      graph
    },
    startedAt,
    scheduledFor: options.scheduledFor?.getTime(),
    stateKey: isStateless(options) ? undefined : key,
    group: options.group
  }
}

/** Options of a resumed run, read from its record: a resume cannot change them. */
export const optionsOf = (
  record: RunRecord
): Pick<RunOptions, "backfill" | "group" | "maxCredits" | "out" | "pagesSince" | "replay" | "resume" | "wanted"> => {
  const { backfill, limit, maxCredits, pagesSince, replayOf } = record.options
  return {
    resume: record,
    out: record.out,
    wanted: limit,
    maxCredits,
    backfill,
    pagesSince,
    group: record.group,
    // The rejected rows belong to this run since its first checkpoint, so they are not replayed a second time.
    replay: replayOf === undefined ? undefined : { of: replayOf, rows: new Map(), numbers: [] }
  }
}
