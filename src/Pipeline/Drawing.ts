/** The graph of a definition as data: what `sluice graph` draws. */
import type { Checked } from "./Check.ts"
import { type Node, namedSteps } from "./Node.ts"

export interface Drawing {
  readonly name: string
  readonly nodes: ReadonlyArray<{
    readonly id: string
    readonly key: string
    readonly kind: "source" | "step" | "value" | "sink"
    /** The most telling of its fields, short; empty when none is. */
    readonly detail: string
  }>
  readonly edges: ReadonlyArray<{
    readonly from: string
    readonly to: string
    /** Rows that flow, a step that must have ended, or a value that is read. */
    readonly kind: "rows" | "after" | "value"
  }>
}

/** One line, as long as a picture bears. */
const short = (text: string): string => {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim()
  const characters = [...line]
  return characters.length > 60 ? `${characters.slice(0, 59).join("")}…` : line
}

const sayValue = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(sayValue).join(", ")
  if (typeof value !== "object" || value === null) return String(value)
  const { expr } = value as { readonly expr?: unknown }
  return typeof expr === "string" ? expr : Object.keys(value).join(", ")
}

const detailOf = ({ config, step }: Node): string => {
  if (typeof config !== "object" || config === null || Array.isArray(config)) return short(sayValue(config))
  if (step.key === "select") return short(Object.keys(config).join(", "))
  const [first] = Object.entries(config)
  return first === undefined ? "" : short(`${first[0]}: ${sayValue(first[1])}`)
}

const kindOf = ({ step }: Node): Drawing["nodes"][number]["kind"] => {
  const { kind } = step.behaviour
  return kind === "source" || kind === "value" || kind === "sink" ? kind : "step"
}

/** The steps in the order of the definition, and everything that one has to do with another. */
export const drawingOf = ({ frame, nodes }: Pick<Checked, "frame" | "nodes">): Drawing => ({
  name: frame.name,
  nodes: nodes.map((node) => ({ id: node.id, key: node.step.key, kind: kindOf(node), detail: detailOf(node) })),
  edges: nodes.flatMap((node) => {
    const values = [...namedSteps(node)].filter((id) => nodes.some((each) => each.id === id))
    return [
      ...node.inputs.map((from) => ({ from, to: node.id, kind: "rows" as const })),
      ...node.after.map((from) => ({ from, to: node.id, kind: "after" as const })),
      ...values.map((from) => ({ from, to: node.id, kind: "value" as const }))
    ]
  })
})
