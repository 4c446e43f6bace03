/** Partitions a pipeline into steps that run in shards, and steps that need the rows of all shards and run once at the end. */
import * as NodePath from "node:path"
import type { Checked } from "../Pipeline/Check.ts"
import { type Node, namedSteps } from "../Pipeline/Node.ts"
import type { Destination } from "../Step/Output.ts"

/** Result of partitioning a pipeline that cannot be split: it runs as one part, for the reason `why`. */
export interface Whole {
  readonly kind: "whole"
  readonly why: string
}

export interface Split {
  readonly kind: "split"
  /** Steps of the part that reads the source: the source, and the value steps that it uses. */
  readonly reading: ReadonlyArray<Node>
  readonly root: Node
  /** Steps of the shards in definition order, without the root. */
  readonly shared: ReadonlyArray<Node>
  /** Steps that need the rows of all shards, and the value steps that they use. */
  readonly tail: ReadonlyArray<Node>
  /** Ids of the steps whose rows the tail reads. */
  readonly kept: ReadonlyArray<string>
}

export type Partition = Whole | Split

/** True if the path may lead out of a shard's own folder: shards could then overwrite each other's files. */
const leadsOut = (path: string): boolean =>
  NodePath.isAbsolute(path) || path.split(/[/\\]/).includes("..") || path.includes("${{")

/** True if each shard can write its own file. A file that every run appends to is written only by the last part. */
const writesAlone = (output: Destination | undefined): boolean =>
  output !== undefined && !leadsOut(output.path) && output.mode === "replace"

/** `stopAfter` of a step. A percentage applies to all shards together. */
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
      return behaviour.independent === true
    case "sink":
      return writesAlone(behaviour.destination(node.config))
    default:
      return false
  }
}

/** Partitions the pipeline, or says why it is not split. `limited`: the run has a row limit. */
export const partition = (checked: Checked, { limited }: { readonly limited: boolean }): Partition => {
  const whole = (why: string): Whole => ({ kind: "whole", why })
  const { nodes } = checked
  const flowing = nodes.filter(({ step }) => step.behaviour.kind !== "value")
  const values = nodes.filter(({ step }) => step.behaviour.kind === "value")
  const roots = flowing.filter(({ inputs }) => inputs.length === 0)
  const [root] = roots
  if (root === undefined) return whole("it has no source")
  if (roots.length > 1) return whole(`it has ${roots.length} sources: ${roots.map(({ id }) => id).join(", ")}`)
  if (checked.frame.site !== undefined) return whole("it serves its own `site`, which only one machine can reach")
  if (checked.remembering.includes(root.id)) return whole(`"${root.id}" remembers what earlier runs have seen`)
  if (root.common.when !== undefined) return whole(`"${root.id}" runs under a condition`)
  const waiting = flowing.find(({ after }) => after.length > 0)
  if (waiting !== undefined) return whole(`"${waiting.id}" waits for the end of other steps`)
  const many = flowing.find(({ inputs, step }) => step.behaviour.kind === "source" && inputs.length > 0)
  if (limited && many !== undefined) return whole(`--limit counts the rows of "${many.id}" for the whole run`)

  const shared: Array<Node> = []
  const ids = new Set([root.id])
  for (const node of flowing) {
    if (node.inputs.length === 0 || !node.inputs.every((id) => ids.has(id)) || !worksAlone(node)) continue
    shared.push(node)
    ids.add(node.id)
  }
  const rest = flowing.filter(({ id }) => !ids.has(id))
  if (shared.length === 0)
    return whole(`"${rest[0]?.id ?? root.id}" needs all rows, and no step before it could run in shards`)

  const names = (part: ReadonlyArray<Node>): ReadonlySet<string> =>
    new Set(part.flatMap((node) => [...namedSteps(node)]))
  const [ofRoot, ofShared, ofRest] = [names([root]), names(shared), names(rest)]
  const torn = values.find(({ id }) => ofShared.has(id) || (ofRoot.has(id) && ofRest.has(id)))
  if (torn !== undefined) return whole(`the value of "${torn.id}" must be the same in all shards`)
  const asked = values.find((value) => names([value]).size > 0)
  if (asked !== undefined) return whole(`"${asked.id}" uses the value of another step`)
  return {
    kind: "split",
    root,
    reading: [...values.filter(({ id }) => ofRoot.has(id)), root],
    shared,
    tail: [...values.filter(({ id }) => ofRest.has(id)), ...rest],
    kept: [...new Set(rest.flatMap(({ inputs }) => inputs.filter((id) => ids.has(id))))]
  }
}
