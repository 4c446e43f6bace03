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
import { drawingOf } from "../Pipeline/Drawing.ts"
import type { Scope } from "../Pipeline/Interpolate.ts"
import type { Touches } from "../Pipeline/Touches.ts"
import type { Json, Row } from "../Row.ts"
import { sanitize } from "../Sink/Destination.ts"
import type { Stdout } from "../Step/Output.ts"
import type { BudgetBaseline } from "./Budget.ts"
import type { Tap } from "./RowStream.ts"

/** Where a run writes, what it may read, and how much of it is wanted. */
export interface RunOptions {
  /** The folder that relative output paths are under; default: the current one, and for a trial a folder of its own. */
  readonly out?: string | undefined
  /** The folder that keeps what the run leaves behind: rejects. */
  readonly dataDir: string
  /** What `${{ env.NAME }}` may read; nothing where nothing is said. */
  readonly env?: Scope["env"] | undefined
  readonly secrets?: Scope["secrets"] | undefined
  /**
   * At most so many rows from each source. Such a run is a trial: it leaves the state across runs alone, and without `out`
   * it writes below `trial` of the data folder.
   */
  readonly wanted?: number | undefined
  /** Whether the run is a trial; default: whether `wanted` is given. */
  readonly trial?: boolean | undefined
  /** Standard output, for `write` to `-`; without it such a step fails before the first request. */
  readonly stdout?: Stdout | undefined
  /** The address of the pipeline's `site`, while it is served. */
  readonly site?: string | undefined
  /**
   * What it is a shard of: all runs of one group in a ledger share each step's `rate`, and together keep to the credits,
   * pages, rows and bytes of the budget; a shard that is resumed brings no new one.
   */
  readonly group?: string | undefined
  /** What its group had used when it was last resumed, and that time: the budget counts from there. */
  readonly budgetFrom?: BudgetBaseline | undefined
  /** Why parts of the run were cut short: they have published what was paid for, and so does the run. */
  readonly budgetMessage?: string | undefined
  /** Takes everything as new, and leaves the state across runs as it is. */
  readonly backfill?: boolean | undefined
  /** Whether code of the project may run (`use`). */
  readonly allowCode?: boolean | undefined
  /** When it should have started; default: now. */
  readonly scheduledFor?: Date | undefined
  /** `$now`, and the time in names; default: the clock's. */
  readonly now?: Date | undefined
  /** Its id; default: a new one. */
  readonly id?: string | undefined
  /** The run that it is a part of: that run's id stands in rows, values and file names. */
  readonly parentRun?: string | undefined
  /** Of a part: the state key of its run. A part has no state of its own, but judges by what earlier runs have read. */
  readonly stateKey?: string | undefined
  /** The run to go on with. */
  readonly resume?: RunRecord | undefined
  /** Takes up rejects of another run, where they were turned away, in place of what the sources would give. */
  readonly replay?: Replay | undefined
  /** Done once the ledger knows of the run. */
  readonly opened?: ((id: string) => Effect.Effect<void>) | undefined
  /** Shown the rows that every step gives, while the run waits. */
  readonly observe?: ((step: string, rows: ReadonlyArray<Row>) => Effect.Effect<void>) | undefined
  /** Takes the rows that reach an end of the pipeline. */
  readonly tap?: Tap | undefined
  /** Rows that a step gives in place of its own. */
  readonly instead?: ReadonlyMap<string, ReadonlyArray<Row>> | undefined
}

export const isTrial = ({ trial, wanted }: Pick<RunOptions, "trial" | "wanted">): boolean =>
  trial ?? wanted !== undefined

/** The folder of a trial that was given none. */
export const trialFolder = (dataDir: string, pipeline: string, runId: string): string =>
  NodePath.resolve(dataDir, "trial", sanitize(pipeline), runId)

/** The options of a run whose output folder is known. */
export interface ResolvedOptions extends RunOptions {
  readonly out: string
}

/** Rows that an earlier run has rejected. */
export interface Replay {
  /** Its id. */
  readonly of: string
  /** By the step that rejected them: they are given to it again. */
  readonly rows: ReadonlyMap<string, ReadonlyArray<Row>>
  /** Their numbers among the rejects of that run: they are this run's once it has begun. */
  readonly numbers: ReadonlyArray<number>
}

interface Made {
  readonly id: string
  readonly startedAt: number
}

/** True for a run that neither reads nor advances the state across runs. */
export const isStateless = ({ backfill, wanted }: RunOptions): boolean => backfill === true || wanted !== undefined

/** Limits as they were settled, for those who look on. */
const limitsOf = ({ frame: { budget } }: Checked): Json | undefined =>
  budget && ({ ...budget, duration: budget.duration && Duration.toMillis(budget.duration) } as unknown as Json)

/** `key` is that of the state across runs, if the pipeline has one. */
export const makeRunSpec = (
  checked: Checked,
  options: ResolvedOptions,
  { id, startedAt }: Made,
  { key, touches }: { readonly key: string | undefined; readonly touches?: Touches | undefined }
): RunSpec => {
  const { resume } = options
  const { frame, source } = checked
  const { text } = source
  // It may go on with a newer definition than it was begun with, when its user says so.
  if (resume !== undefined) return { ...resume, definition: text, definitionHash: definitionHash(checked) }
  return {
    id,
    pipeline: frame.name,
    // Of a value in a program, a file in the folder that its relative paths are under.
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
      budget: limitsOf(checked),
      // As written. Earlier versions kept it with inputs filled in, as `touches`: the two cannot be compared.
      named: touches,
      // The dashboard runs no code of the project: it shows this in place of what the definition would give.
      graph: (checked.registry?.added.length ?? 0) > 0 ? (drawingOf(checked) as unknown as Json) : undefined
    },
    startedAt,
    scheduledFor: options.scheduledFor?.getTime(),
    stateKey: isStateless(options) ? undefined : key,
    group: options.group
  }
}

/** Options of a resumed run, from its record: they cannot be changed by the resume. */
export const optionsOf = (
  record: RunRecord
): Pick<RunOptions, "backfill" | "group" | "out" | "replay" | "resume" | "wanted"> => {
  const { backfill, limit, replayOf } = (record.options ?? {}) as {
    readonly backfill?: boolean
    readonly limit?: number
    readonly replayOf?: string
  }
  return {
    resume: record,
    out: record.out,
    wanted: limit,
    backfill,
    group: record.group,
    // Its rows are the run's own since its first checkpoint.
    replay: replayOf === undefined ? undefined : { of: replayOf, rows: new Map(), numbers: [] }
  }
}
