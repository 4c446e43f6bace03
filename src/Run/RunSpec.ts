/**
 * Options of a run beside its definition, and the record of them that a resumed run reads from the ledger.
 *
 * A run that takes only some rows of each source (`--limit`) is a trial, and changes nothing that real runs rely on:
 * - It neither reads nor advances the state across runs.
 * - Without an output folder of its own it writes below `trial/PIPELINE/RUN` of the data folder.
 * - All of its outputs lie below its folder, absolute paths and paths with `..` too.
 * - In a folder that it was given, it replaces, continues and removes only files whose last writer was a trial.
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
  /** Folder for relative output paths; default: the current folder, and for a trial a folder of its own. */
  readonly out?: string | undefined
  /** Data folder: the reject file is below it. */
  readonly dataDir: string
  /** Variables that `${{ env.NAME }}` may read; default: none. */
  readonly env?: Scope["env"] | undefined
  readonly secrets?: Scope["secrets"] | undefined
  /**
   * Rows from each source, at most. Such a run is a trial: it does not use the state across runs, and without `out`
   * it writes below `trial` of the data folder.
   */
  readonly wanted?: number | undefined
  /** Credits that the run may spend, whatever its definition allows. A resume gets as many again. */
  readonly maxCredits?: number | undefined
  /** Makes the run a trial; default: true with `wanted`. */
  readonly trial?: boolean | undefined
  /** Standard output, for `write` to `-`. Without it such a step fails before the first request. */
  readonly stdout?: Stdout | undefined
  /** Address of the pipeline's `site`, while it is served. */
  readonly site?: string | undefined
  /**
   * Id of the run that it is a shard of. All runs of one group in a ledger share each step's `rate`, and the credits,
   * pages, rows and bytes of the budget. A shard that is resumed gets no new budget.
   */
  readonly group?: string | undefined
  /** Number of runs that have each step's `rate` together, and share no ledger: each takes that part of it. */
  readonly rateShare?: number | undefined
  /** Usage of its group when the group was last resumed, and that time: the budget counts from there. */
  readonly budgetFrom?: BudgetBaseline | undefined
  /** Why the budget cut shards of the run short: they have published what was paid for, and so does the run. */
  readonly budgetMessage?: string | undefined
  /** Treats every row as new, and neither reads nor changes the state across runs. */
  readonly backfill?: boolean | undefined
  /** Allows code of the project to run (`use`). */
  readonly allowCode?: boolean | undefined
  /** Scheduled time; default: now. */
  readonly scheduledFor?: Date | undefined
  /** Value of `$now`, and the time in file names; default: the current time. */
  readonly now?: Date | undefined
  /** Default: a new id. */
  readonly id?: string | undefined
  /** Run that it is a shard of: rows, values and file names have the id of that run. */
  readonly parentRun?: string | undefined
  /** State key of the parent run. A shard has no state of its own, but it knows what earlier runs have read. */
  readonly stateKey?: string | undefined
  /** Run to resume. */
  readonly resume?: RunRecord | undefined
  /** Replays rejects of another run, at the steps that rejected them; sources are not read. */
  readonly replay?: Replay | undefined
  /** Takes pages that the service has stored since this time, in milliseconds since 1970, in place of those of their sites. */
  readonly pagesSince?: number | undefined
  /** Stores in the ledger what the run logs, at most 1 MB; default: true. */
  readonly log?: boolean | undefined
  /** Runs once the ledger knows of the run. */
  readonly opened?: ((id: string) => Effect.Effect<void>) | undefined
  readonly observe?: Observe | undefined
  /** Receives the rows that reach an end of the pipeline. */
  readonly tap?: Tap | undefined
  /** Rows that replace the output of a step. */
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
  /** Id of that run. */
  readonly of: string
  /** By the step that rejected them, and that gets them again. */
  readonly rows: ReadonlyMap<string, ReadonlyArray<Row>>
  /** Their numbers among the rejects of that run; the first checkpoint claims them. */
  readonly numbers: ReadonlyArray<number>
}

interface Made {
  readonly id: string
  readonly startedAt: number
}

/** True for a run that neither reads nor advances the state across runs. */
export const isStateless = ({ backfill, wanted }: RunOptions): boolean => backfill === true || wanted !== undefined

/** Limits of the budget, for those who watch the run. */
const limitsOf = ({ frame }: Checked, maxCredits: number | undefined): Json | undefined => {
  const budget = bounded(frame.budget, maxCredits)
  return budget && { ...budget, duration: budget.duration && Duration.toMillis(budget.duration) }
}

/** Record of a run for the ledger. `key`: key of its state across runs, if the pipeline has one. */
export const makeRunSpec = (
  checked: Checked,
  options: ResolvedOptions,
  { id, startedAt }: Made,
  { key, touches }: { readonly key: string | undefined; readonly touches?: Resources | undefined }
): RunSpec => {
  const { resume } = options
  const { frame, source } = checked
  const { text } = source
  // The dashboard runs no code of the project: it shows this graph in place of what the definition would give.
  const isExtended = (checked.registry?.added.length ?? 0) > 0 && options.parentRun === undefined
  const graph = isExtended ? diagramOf({ frame, nodes: checked.all ?? checked.nodes }) : undefined
  // A run that is resumed `withCurrent` takes over a newer definition, and its graph.
  if (resume !== undefined) {
    const { graph: _, ...kept } = resume.options
    const saved = graph === undefined ? kept : { ...kept, graph }
    return { ...resume, definition: text, definitionHash: definitionHash(checked), options: saved }
  }
  return {
    id,
    pipeline: frame.name,
    // A definition in a program has no file: a name in the folder for its relative paths.
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
      // As written. Earlier versions kept it with inputs filled in, as `touches`: the two cannot be compared.
      named: touches,
      graph
    },
    startedAt,
    scheduledFor: options.scheduledFor?.getTime(),
    stateKey: isStateless(options) ? undefined : key,
    group: options.group
  }
}

/** Options of a resumed run, from its record: a resume cannot change them. */
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
    // The rows belong to this run since its first checkpoint.
    replay: replayOf === undefined ? undefined : { of: replayOf, rows: new Map(), numbers: [] }
  }
}
