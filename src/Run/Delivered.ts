/**
 * Decides whether every row that the sources delivered was rejected: such a run fails (exit code 3) and replaces no output,
 * because an older output is worth more than an empty one.
 *
 * - A row that a step filtered, deduplicated or found unchanged was delivered and not rejected: the run is a good one, also
 *   when the few rows that were left have failed.
 * - Rows that a `limit` or `sample` cut off, or that no later step wanted, were not looked at and count for neither side.
 * - It is judged by what each step was given, gave and rejected, which checkpoints keep: a resumed run decides as it would
 *   have done without the crash, and a run on a cluster by the sums of its shards.
 */
import type { Checked } from "../Pipeline/Check.ts"
import type { Node } from "../Pipeline/Node.ts"
import type { Counters } from "./Progress.ts"

type Counted = Pick<Counters, "given" | "incomplete" | "rejected" | "rejects" | "rows" | "unchanged">

/** Steps that cut rows off without judging them: these rows count neither as kept nor as rejected. */
const cutting: ReadonlySet<string> = new Set(["limit", "sample"])

const isSource = ({ inputs, step }: Node): boolean => step.behaviour.kind === "source" && inputs.length === 0

/** True when some rows that came to a step ended there without being rejected. */
const hasKept = (counters: Counted, { id, inputs, step }: Node): boolean => {
  if (inputs.length === 0 || step.behaviour.kind === "value" || cutting.has(step.key)) return false
  if (counters.incomplete.get(id)?.has("wanted") === true) return false
  const given = (step: string) => counters.given.get(step) ?? 0
  return inputs.reduce((sum, input) => sum + given(input), 0) > given(id) + (counters.rejected.get(id) ?? 0)
}

/** The steps of the whole definition, also where a part of it finishes what others have begun. */
const stepsOf = ({ all, nodes }: Checked): ReadonlyArray<Node> => all ?? nodes

/** True when every row that the sources delivered was rejected, and there was at least one. */
export const isEveryRowRejected = (checked: Checked, counters: Counted): boolean =>
  counters.rows === 0 &&
  counters.rejects > 0 &&
  counters.unchanged === 0 &&
  !stepsOf(checked).some((node) => hasKept(counters, node))

/** A warning about a good run most of whose rows were rejected; undefined when they were not. */
export const manyRejectedWarning = (checked: Checked, counters: Counted, isReplay: boolean): string | undefined => {
  const { given, rejected, rejects, rows, unchanged } = counters
  const delivered = stepsOf(checked)
    .filter(isSource)
    .reduce((sum, { id }) => sum + (given.get(id) ?? 0) + (rejected.get(id) ?? 0), unchanged)
  // The rows of a replay come from no source; steps that make several rows of one may reject more than were delivered.
  const all = isReplay || rejects > delivered ? rows + rejects : delivered
  if (rejects * 2 <= all) return undefined
  return `${rejects} of ${all} rows were rejected. To end a run in which so many are, set stopAfter in onError`
}
