/** Results of a run's parts, and their counters summed up for the run. */
import * as NodePath from "node:path"
import * as Schema from "effect/Schema"
import { SavedProgress } from "../Ledger/Model.ts"
import { shardRows } from "../Permissions.ts"
import type { Checked } from "../Pipeline/Check.ts"
import { before } from "../Pipeline/Graph.ts"
import { count } from "../Row/Count.ts"
import { reasonsOf } from "../Run/Progress.ts"
import { isReached } from "../Run/Rejects.ts"
import type { Reason } from "../Step/Incomplete.ts"
import { Output } from "../Step/Output.ts"
import { type Split, stopAfterOf } from "./Partition.ts"

/** Result of a part, stored until the finish, the run's final part, reads it. */
export const PartResult = Schema.Struct({
  /** Files of a shard, below its folder. */
  outputs: Schema.Array(Output),
  counted: SavedProgress,
  runId: Schema.String,
  rejectFile: Schema.String,
  /** Why the budget ended the part, with `onReached: publish`. */
  budgetMessage: Schema.optional(Schema.String)
})
export type PartResult = typeof PartResult.Type

/** True for a file of a shard that only the finish reads: rows for the steps that need the rows of all shards. */
export const isKept = ({ path }: Output): boolean => NodePath.basename(NodePath.dirname(path)) === shardRows

/** Counters of a run, as of its last checkpoint. */
export interface Counters {
  readonly rows: number
  readonly rejects: number
  readonly expected: number
  readonly jobCredits: number
  readonly jobUnpriced: number
  readonly jobPages: number
  readonly outputRows: number
  readonly outputBytes: number
  readonly unchanged: number
  readonly given: Readonly<Record<string, number>>
  readonly rejected: Readonly<Record<string, number>>
  readonly jobs: Readonly<Record<string, number>>
  /** Links that crawls found and did not follow, by reason. */
  readonly notFollowed: Readonly<Record<string, number>>
  /** Steps that did not read every row of their source, with the reasons. */
  readonly incomplete: Readonly<Record<string, ReadonlyArray<Reason>>>
}

/** Counters of a part. */
type PartCounters = NonNullable<SavedProgress>

/** Sum of the counters of all parts. Skips steps that no definition contains. */
export const total = (all: ReadonlyArray<PartCounters>): Counters => {
  const sum = (count: (part: PartCounters) => number | undefined): number =>
    all.reduce((total, part) => total + (count(part) ?? 0), 0)
  const sumByStep = (countsOf: (part: PartCounters) => Readonly<Record<string, number>> | undefined) => {
    const sums: Record<string, number> = {}
    for (const part of all) {
      for (const [step, count] of Object.entries(countsOf(part) ?? {})) {
        if (!step.startsWith("~")) sums[step] = (sums[step] ?? 0) + count
      }
    }
    return sums
  }
  const incomplete: Record<string, ReadonlyArray<Reason>> = {}
  for (const each of all) {
    for (const [step, reasons] of reasonsOf(each)) {
      incomplete[step] = [...new Set([...(incomplete[step] ?? []), ...reasons])]
    }
  }
  return {
    rows: sum(({ rows }) => rows),
    rejects: sum(({ rejects }) => rejects),
    expected: sum(({ expected }) => expected),
    jobCredits: sum(({ jobCredits }) => jobCredits),
    jobUnpriced: sum(({ jobUnpriced }) => jobUnpriced),
    jobPages: sum(({ jobPages }) => jobPages),
    // Version 0.1 did not count output rows.
    outputRows: sum(({ outputRows, rows }) => outputRows ?? rows),
    outputBytes: sum(({ outputBytes }) => outputBytes),
    unchanged: sum(({ unchanged }) => unchanged),
    given: sumByStep(({ given }) => given),
    rejected: sumByStep(({ rejected }) => rejected),
    jobs: sumByStep(({ jobs }) => jobs),
    notFollowed: sumByStep(({ notFollowed }) => notFollowed),
    incomplete
  }
}

/** For each step whose rows the finish reads: marks it as incomplete if that step or one before it did not read every row. */
const withIncomplete = ({ kept }: Split, checked: Checked, { incomplete, ...counted }: Counters): Counters => ({
  ...counted,
  incomplete: {
    ...incomplete,
    ...Object.fromEntries(
      kept.flatMap((step) => {
        const reasons = [...new Set([step, ...before(checked, step)].flatMap((each) => incomplete[each] ?? []))]
        return reasons.length === 0 ? [] : [[step, reasons]]
      })
    )
  }
})

/** Counters of a shard. Version 0.1 did not count bytes; they are the sizes of its files. */
const countedOf = ({ counted, outputs }: PartResult) => ({
  outputBytes: outputs.reduce((sum, output) => sum + (isKept(output) ? 0 : output.bytes), 0),
  ...counted
})

/** Counters of the run: the sum of its shards and of the part that has read its source. */
export const merged = (
  parts: Split,
  checked: Checked,
  shards: ReadonlyArray<PartResult>,
  source: SavedProgress | undefined
): Counters =>
  // The shards count the rows of the source, so the part that read it does not.
  withIncomplete(parts, checked, total([...shards.map(countedOf), { ...source, rows: 0, given: {} }]))

/** Leaves out rows that shards keep for the finish: the finish counts them when it reads them. */
export const withoutKept = ({ kept }: Split, { given }: Counters): Counters["given"] =>
  Object.fromEntries(Object.entries(given).filter(([step]) => !kept.includes(step)))

/** Reason why a step's `stopAfter` ends the run, judged by the rejects of all shards together; undefined if none does. */
export const rejectsReached = (parts: Split, { given, rejected }: Counters): string | undefined => {
  for (const node of parts.shared) {
    const allowed = stopAfterOf(node)
    const rejects = rejected[node.id] ?? 0
    const seen = node.inputs.reduce((sum, id) => sum + (given[id] ?? 0), 0)
    if (allowed !== undefined && isReached(allowed, rejects, seen))
      return `${node.id}: rejected ${count(rejects, "row")} of all shards, and stopAfter: ${allowed} ends the run`
  }
  return undefined
}
