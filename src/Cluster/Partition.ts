/** Partitions a pipeline: steps that run in shards, and steps that need the rows of all shards and run once at the end. */

import * as NodePath from "node:path"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { type Checked, definitionHash } from "../Pipeline/Check.ts"
import { type Node, namedSteps } from "../Pipeline/Node.ts"
import { isEqual } from "../Row/Difference.ts"
import type { Json } from "../Row.ts"
import type { RunOptions } from "../Run.ts"
import type { Destination } from "../Step/Output.ts"
import { ExitCode } from "../TypedError/ExitCode.ts"
import { checkedOf, type Task } from "./Task.ts"

/** Nothing to share out: one worker does all of it. */
export interface Whole {
  readonly kind: "whole"
  readonly why: string
}

export interface Split {
  readonly kind: "split"
  /** The source, with the values that it asks for: read once. */
  readonly reading: ReadonlyArray<Node>
  readonly root: Node
  /** Steps that work on each row by itself, in the order of the definition; the root is not among them. */
  readonly shared: ReadonlyArray<Node>
  /** Steps that see the rows of all shards, and the values that they ask for. */
  readonly tail: ReadonlyArray<Node>
  /** Steps whose rows the tail reads. */
  readonly kept: ReadonlyArray<string>
}

export type Cut = Whole | Split

/** A path that leads somewhere else than into the folder it is given: shards would write over each other there. */
const leadsOut = (path: string): boolean =>
  NodePath.isAbsolute(path) || path.split(/[/\\]/).includes("..") || path.includes("${{")

/** Shards write files of their own; a file that every run appends to is written by the last part alone. */
const writesAlone = (output: Destination | undefined): boolean =>
  output !== undefined && !leadsOut(output.path) && output.mode === "replace"

/** A share of rejects is judged over all shards when they are done, if it is written out. */
export const stopAfterOf = ({ common }: Node): number | string | undefined => {
  const rule = common.onError
  return typeof rule === "object" && rule !== null
    ? ((rule as { readonly stopAfter?: unknown }).stopAfter as number | string | undefined)
    : undefined
}

const isUnclear = (node: Node): boolean =>
  (typeof node.common.onError === "string" && node.common.onError.includes("${{")) ||
  String(stopAfterOf(node) ?? "").includes("${{")

const worksAlone = (node: Node): boolean => {
  if (isUnclear(node)) return false
  const { behaviour } = node.step
  switch (behaviour.kind) {
    case "item":
      return true
    case "source":
      return node.inputs.length > 0
    case "transform":
      return behaviour.alone === true
    case "sink":
      return writesAlone(behaviour.destination(node.config))
    default:
      return false
  }
}

/** Cuts the pipeline, or says why it stays whole; `limited` when only so many rows of each source are wanted. */
export const cut = (checked: Checked, { limited }: { readonly limited: boolean }): Cut => {
  const whole = (why: string): Whole => ({ kind: "whole", why })
  const { nodes } = checked
  const flowing = nodes.filter(({ step }) => step.behaviour.kind !== "value")
  const values = nodes.filter(({ step }) => step.behaviour.kind === "value")
  const roots = flowing.filter(({ inputs }) => inputs.length === 0)
  const [root] = roots
  if (root === undefined) return whole("it has no source")
  if (roots.length > 1) return whole(`it has ${roots.length} sources: ${roots.map(({ id }) => id).join(", ")}`)
  if (checked.frame.site !== undefined) return whole("it brings its own site")
  if (checked.remembering.includes(root.id)) return whole(`"${root.id}" remembers what earlier runs have seen`)
  if (root.common.when !== undefined) return whole(`"${root.id}" runs under a condition`)
  const waiting = flowing.find(({ after }) => after.length > 0)
  if (waiting !== undefined) return whole(`"${waiting.id}" waits for the end of other steps`)
  const many = flowing.find(({ inputs, step }) => step.behaviour.kind === "source" && inputs.length > 0)
  if (limited && many !== undefined) return whole(`--limit counts the rows of "${many.id}" over all others`)

  const shared: Array<Node> = []
  const ids = new Set([root.id])
  for (const node of flowing) {
    if (node.inputs.length === 0 || !node.inputs.every((id) => ids.has(id)) || !worksAlone(node)) continue
    shared.push(node)
    ids.add(node.id)
  }
  const rest = flowing.filter(({ id }) => !ids.has(id))
  if (shared.length === 0) return whole(`"${rest[0]?.id ?? root.id}" sees all rows, right behind the source`)

  const names = (part: ReadonlyArray<Node>): ReadonlySet<string> =>
    new Set(part.flatMap((node) => [...namedSteps(node)]))
  const [ofRoot, ofShared, ofRest] = [names([root]), names(shared), names(rest)]
  const torn = values.find(({ id }) => ofShared.has(id) || (ofRoot.has(id) && ofRest.has(id)))
  if (torn !== undefined) return whole(`the value of "${torn.id}" is one for the whole run`)
  const asked = values.find((value) => names([value]).size > 0)
  if (asked !== undefined) return whole(`"${asked.id}" builds on the value of another step`)
  return {
    kind: "split",
    root,
    reading: [...values.filter(({ id }) => ofRoot.has(id)), root],
    shared,
    tail: [...values.filter(({ id }) => ofRest.has(id)), ...rest],
    kept: [...new Set(rest.flatMap(({ inputs }) => inputs.filter((id) => ids.has(id))))]
  }
}

/** The definition has become another one: what is done of the run is no part of it. */
export class CutDiffers extends Data.TaggedError("CutDiffers")<{ readonly run: string; readonly what: string }> {
  readonly exitCode = ExitCode.invalid
  override get message() {
    return `run ${this.run} cannot go on with the definition as it is now: ${this.what}. Put it back, or run it anew.`
  }
}

const ids = ({ kept, root, shared, tail }: Split) => ({
  root: root.id,
  shared: shared.map(({ id }) => id),
  tail: tail.map(({ id }) => id),
  kept
})

/** The source, and the values that it asks for, as they are written. */
const readingOf = ({ source }: Checked, { reading }: Split): Json => {
  const { steps = [] } = source.value as { readonly steps?: ReadonlyArray<Json> }
  return reading.map(({ index }) => steps[index] ?? null)
}

/** What keeps the parts of one from being parts of the other. */
const difference = (before: Checked, now: Checked, limited: boolean): string | undefined => {
  const [old, fresh] = [cut(before, { limited }), cut(now, { limited })]
  if (old.kind === "whole" || fresh.kind === "whole") {
    return old.kind === fresh.kind
      ? undefined
      : "it is shared out among workers, and would not be now, or the other way round"
  }
  if (!isEqual(readingOf(before, old), readingOf(now, fresh))) return "its source reads something else"
  return isEqual(ids(old), ids(fresh)) ? undefined : "its steps are not the same any more"
}

/** From now on workers carry the run out by this definition. */
export const revise = (runId: string, checked: Checked, scope: Required<Pick<RunOptions, "env" | "secrets">>) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const [row] = yield* sql<{ task: string }>`SELECT task FROM submissions WHERE run_id = ${runId} FOR UPDATE`
    if (row === undefined) return
    const task = JSON.parse(row.task) as Task
    const what = difference(
      yield* checkedOf({ ...task, definitionHash: undefined }, scope),
      checked,
      task.limit !== undefined
    )
    if (what !== undefined) return yield* new CutDiffers({ run: runId, what })
    yield* sql`UPDATE submissions SET task = ${JSON.stringify({ ...task, definition: checked.source.text, definitionHash: definitionHash(checked) })}
      WHERE run_id = ${runId}`
  }).pipe((whole) => Effect.flatMap(PgClient.PgClient, (sql) => sql.withTransaction(whole)))
