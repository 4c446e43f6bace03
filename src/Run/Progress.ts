/**
 * Counters of a run: plain numbers, because every chunk of rows changes them. Checkpoints save them, and a resume
 * restores them.
 */
import * as NodePath from "node:path"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { NotFollowed } from "../Api/NotFollowed.ts"
import type { SavedProgress } from "../Ledger/Model.ts"
import type { Checked } from "../Pipeline/Check.ts"
import type { OutputRows } from "../Row/Count.ts"
import type { Json, Row } from "../Row.ts"
import { type Reason, reasonOf } from "../Step/Incomplete.ts"
import { Timeline } from "./Timeline.ts"

/** Progress of a run at one moment. */
export interface Progress {
  /** Rows announced so far by sources and jobs. */
  readonly expected: number
  /** Rows emitted by each step. */
  readonly steps: Readonly<Record<string, number>>
  /** Rows that have reached an end of the pipeline. */
  readonly rows: number
  readonly rejects: number
  readonly credits: number
  /** Calls for which the service reported no price. */
  readonly unpriced: number
  /** Pages that were requested. */
  readonly pages: number
}

type SavedCounters = NonNullable<SavedProgress>
type SavedReasons = Pick<SavedCounters, "given" | "incomplete">

/**
 * Reasons why each step is incomplete. Version 0.1 did not record limits and failed rows, so with its checkpoints every
 * step that emitted rows counts as possibly incomplete.
 */
export const reasonsOf = ({
  given = {},
  incomplete = {}
}: SavedReasons): ReadonlyArray<readonly [step: string, reasons: ReadonlyArray<Reason>]> =>
  isList(incomplete)
    ? [...new Set([...incomplete, ...Object.keys(given)])]
        .filter((step) => !step.startsWith("~"))
        .map((step) => [step, ["earlier"]])
    : Object.entries(incomplete).map(([step, reasons]) => [step, reasons.map(reasonOf)])

const isList = (saved: SavedReasons["incomplete"]): saved is ReadonlyArray<string> => Array.isArray(saved)

/** File name of each step that writes; the whole path if two names are equal. Placeholders are shown as `*`. */
export const fileNames = ({ nodes, all = nodes }: Pick<Checked, "all" | "nodes">): ReadonlyMap<string, string> => {
  // Includes sinks that ran in shards: their rows are in the counters with which the run begins.
  const paths = all.flatMap(({ config, id, step: { behaviour } }): ReadonlyArray<readonly [string, string]> => {
    if (behaviour.kind !== "sink" || id.startsWith("~")) return []
    const path = behaviour.destination(config)?.path
    return [[id, path === undefined ? id : path === "-" ? "standard output" : path.replace(/\$?\{.*?\}+/g, "*")]]
  })
  const isShared = (name: string) => paths.filter(([, path]) => NodePath.basename(path) === name).length > 1
  return new Map(paths.map(([id, path]) => [id, isShared(NodePath.basename(path)) ? path : NodePath.basename(path)]))
}

const decodeOutputs = Schema.decodeUnknownOption(
  Schema.Struct({
    now: Schema.Struct({
      outputs: Schema.Array(Schema.Struct({ step: Schema.String, name: Schema.String, rows: Schema.Number }))
    })
  })
)

/** Rows of a run's outputs at its last checkpoint; undefined for a run of an earlier version, or without a sink. */
export const outputRows = (progress: SavedProgress): ReadonlyArray<OutputRows> | undefined =>
  Option.getOrUndefined(decodeOutputs(progress))?.now.outputs

type Counts = Readonly<Record<string, number>>

/** Rows that steps compared with earlier runs, emitted or not, by change; undefined if there are none. */
export const comparedRows = ({
  changes = {},
  withheld = {}
}: {
  readonly changes?: Counts | undefined
  readonly withheld?: Counts | undefined
}): Counts | undefined => {
  const counts = ["new", "changed", "unchanged", "gone"]
    .map((change) => [change, (changes[change] ?? 0) + (withheld[change] ?? 0)] as const)
    .filter(([, rows]) => rows > 0)
  return counts.length === 0 ? undefined : Object.fromEntries(counts)
}

export class Counters {
  expected = 0
  rows = 0
  rejects = 0
  /** Credits of calls are booked with their answers, those of jobs with the checkpoint that contains their pages. */
  callCredits = 0
  callUnpriced = 0
  callPages = 0
  /** Answered calls, and jobs started. */
  calls = 0
  /** Answers booked: work that a resume does not repeat, whether it was paid or free. */
  answers = 0
  jobCredits = 0
  /** Credits of jobs by step. */
  readonly jobs = new Map<string, number>()
  jobUnpriced = 0
  jobPages = 0
  /** Rows admitted to outputs by the budget, and an upper bound of their bytes. */
  outputRows = 0
  outputBytes = 0
  /** Length of the reject file at the last checkpoint, in bytes. */
  rejectBytes = 0
  /** Steps that left out rows of their source, with the reasons. */
  readonly incomplete = new Map<string, Set<Reason>>()
  /** Jobs that continue at the service after this run has stopped. */
  readonly runningJobs = new Set<string>()
  /** True once all rows have passed all steps. */
  over = false
  /** True once all rows have passed, and all of them were rejected. */
  spent = false
  /** Rows that sources skipped because an earlier run has seen them. */
  unchanged = 0
  /** Number of rows that the last step of each branch that compares emitted as new, changed, unchanged or gone since earlier runs. */
  readonly changes = new Map<string, number>()
  /** Number of rows that steps compared with earlier runs and did not emit, by the same words. */
  readonly withheld = new Map<string, number>()
  /** Links that crawls have found but not followed. */
  notFollowed: NotFollowed = {}
  /** Reason why the run publishes only a part of its rows; set once no more rows come, and saved until its files are published. */
  budgetMessage: string | undefined = undefined
  /** True once the budget has cut a step short. */
  isCut = false
  /** Rows that moved since the last checkpoint. */
  uncommitted = 0
  /** Bytes of each sink that are safely on disk. */
  readonly written = new Map<string, number>()
  /** Name of each sink's file. */
  readonly files: ReadonlyMap<string, string>
  readonly timeline = new Timeline()
  /** Rows emitted by each step. */
  readonly given = new Map<string, number>()
  readonly rejected = new Map<string, number>()

  constructor(files: ReadonlyMap<string, string> = new Map()) {
    this.files = files
  }

  give(step: string, rows: number): void {
    this.given.set(step, (this.given.get(step) ?? 0) + rows)
    this.uncommitted += rows
  }

  reject(step: string, rows = 1): void {
    this.rejects++
    this.uncommitted++
    this.rejected.set(step, (this.rejected.get(step) ?? 0) + rows)
  }

  /** Counts rows by their kind of change since earlier runs, as stored in the field. */
  countChanges(rows: ReadonlyArray<Row>, field: string): void {
    for (const { data } of rows) {
      const change = data[field]
      if (typeof change === "string") this.changes.set(change, (this.changes.get(change) ?? 0) + 1)
    }
  }

  /** Counts a row that a step compared with earlier runs and does not emit. */
  withhold(change: string): void {
    this.withheld.set(change, (this.withheld.get(change) ?? 0) + 1)
  }

  /** Marks a step as incomplete; the next checkpoint records it. */
  markIncomplete(step: string, reason: Reason): void {
    const reasons = this.incomplete.get(step)
    if (reasons === undefined) this.incomplete.set(step, new Set([reason]))
    else reasons.add(reason)
  }

  /** Books the credits that a step's job has used since the last call. */
  job(step: string, credits: number): void {
    this.jobCredits += credits
    this.jobs.set(step, (this.jobs.get(step) ?? 0) + credits)
  }

  get credits(): number {
    return this.callCredits + this.jobCredits
  }

  get unpriced(): number {
    return this.callUnpriced + this.jobUnpriced
  }

  get bytes(): number {
    let sum = 0
    for (const bytes of this.written.values()) sum += bytes
    return sum
  }

  /** Rows received by each sink. */
  get outputs(): ReadonlyArray<OutputRows> {
    return Array.from(this.files, ([step, name]) => ({ step, name, rows: this.given.get(step) ?? 0 }))
  }

  /** Rows compared with earlier runs, by change; undefined if there are none. */
  get compared(): Counts | undefined {
    return comparedRows({ changes: Object.fromEntries(this.changes), withheld: Object.fromEntries(this.withheld) })
  }

  /** Pages that were requested. */
  get pages(): number {
    return this.callPages + this.jobPages
  }

  /** Snapshot for progress displays. */
  progress(): Progress {
    const { credits, expected, given, pages, rejects, rows, unpriced } = this
    return { expected, steps: Object.fromEntries(given), rows, rejects, credits, unpriced, pages }
  }

  /**
   * State for a checkpoint: the totals from which a resumed run continues. For displays of the run also, under `now`, the load of the
   * operators, pages, calls, and rows and bytes of outputs, and the timeline of the steps.
   */
  save(loads: Readonly<Record<string, Json>> = {}): Json {
    const { budgetMessage, bytes, calls, given, incomplete, pages, rejected } = this
    const timeline = this.timeline.save()
    return {
      now: {
        loads,
        pages,
        calls,
        bytes,
        ...(this.files.size === 0 ? {} : { outputs: this.outputs.map((each) => ({ ...each })) })
      },
      ...Struct.pick(this, "expected", "over", "spent", "unchanged", "rows", "rejects", "rejectBytes"),
      ...Struct.pick(this, "jobCredits", "jobUnpriced", "jobPages", "outputRows", "outputBytes"),
      incomplete: Object.fromEntries(Array.from(incomplete, ([step, reasons]) => [step, [...reasons]])),
      jobs: Object.fromEntries(this.jobs),
      given: Object.fromEntries(given),
      ...(Object.keys(this.notFollowed).length === 0 ? {} : { notFollowed: this.notFollowed }),
      ...(this.changes.size === 0 ? {} : { changes: Object.fromEntries(this.changes) }),
      ...(this.withheld.size === 0 ? {} : { withheld: Object.fromEntries(this.withheld) }),
      rejected: Object.fromEntries(rejected),
      ...(budgetMessage === undefined ? {} : { budgetMessage }),
      ...(timeline === undefined ? {} : { timeline })
    }
  }

  /**
   * Restores the counters from a checkpoint. `bytes` is the size of the run's outputs, which version 0.1 stored outside
   * of the checkpoint.
   */
  restore(saved: SavedProgress, bytes: number): void {
    if (saved === null) return
    const {
      changes = {},
      given = {},
      incomplete,
      jobs = {},
      now: _,
      rejected = {},
      timeline,
      withheld = {},
      ...numbers
    } = saved
    this.timeline.restore(timeline)
    // Version 0.1 stored `rows`, the rows at the end of the pipeline, instead of `outputRows`.
    Object.assign(this, { outputRows: numbers.rows ?? 0, outputBytes: bytes, ...numbers })
    for (const [step, reasons] of reasonsOf({ given, incomplete })) {
      for (const reason of reasons) this.markIncomplete(step, reason)
    }
    for (const [step, credits] of Object.entries(jobs)) this.jobs.set(step, credits)
    for (const [change, rows] of Object.entries(changes)) this.changes.set(change, rows)
    for (const [change, rows] of Object.entries(withheld)) this.withheld.set(change, rows)
    for (const [step, rows] of Object.entries(given)) this.given.set(step, rows)
    for (const [step, rows] of Object.entries(rejected)) this.rejected.set(step, rows)
  }
}
