/** The graph of a definition as data: what `sluice graph` draws. */
import type { Checked } from "./Check.ts"
import { detailOf } from "./Display.ts"
import { type Node, namedSteps } from "./Node.ts"

export type Drawing = {
  readonly name: string
  readonly nodes: ReadonlyArray<{
    readonly id: string
    readonly key: string
    readonly kind: "source" | "step" | "value" | "sink"
    /** The most telling of its fields, short; empty when none is. */
    readonly detail: string
    /** Progress counts its rows as read, as those of sources. */
    readonly announces?: true
  }>
  readonly edges: ReadonlyArray<{
    readonly from: string
    readonly to: string
    /** Rows that flow, a step that must have ended, or a value that is read. */
    readonly kind: "rows" | "after" | "value"
  }>
}

const kindOf = ({ step }: Node): Drawing["nodes"][number]["kind"] => {
  const { kind } = step.behaviour
  return kind === "source" || kind === "value" || kind === "sink" ? kind : "step"
}

/** The steps in the order of the definition, and everything that one has to do with another. */
export const drawingOf = ({ frame, nodes }: Pick<Checked, "frame" | "nodes">): Drawing => ({
  name: frame.name,
  nodes: nodes.map((node) => ({
    id: node.id,
    key: node.step.key,
    kind: kindOf(node),
    detail: detailOf(node),
    ...(node.step.behaviour.kind === "transform" && node.step.behaviour.announces === true ? { announces: true } : {})
  })),
  edges: nodes.flatMap((node) => {
    const values = [...namedSteps(node)].filter((id) => nodes.some((each) => each.id === id))
    return [
      ...node.inputs.map((from) => ({ from, to: node.id, kind: "rows" as const })),
      ...node.after.map((from) => ({ from, to: node.id, kind: "after" as const })),
      ...values.map((from) => ({ from, to: node.id, kind: "value" as const }))
    ]
  })
})
