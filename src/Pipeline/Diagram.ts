/** The graph of a definition as data, and as text: Mermaid, which GitHub and most Markdown viewers render, or Graphviz DOT. */
import type { Checked } from "./Check.ts"
import { detailOf } from "./Display.ts"
import { type Node, namedSteps } from "./Node.ts"

export type Diagram = {
  readonly name: string
  readonly nodes: ReadonlyArray<{
    readonly id: string
    readonly key: string
    readonly kind: "source" | "step" | "value" | "sink"
    /** The step's most important field, shortened; empty if it has no fields. */
    readonly detail: string
    /** True if progress counts the step's rows as read, like those of a source. */
    readonly announces?: true
  }>
  readonly edges: ReadonlyArray<{
    readonly from: string
    readonly to: string
    /** The second step reads the first one's rows, waits for its end, or uses its value. */
    readonly kind: "rows" | "after" | "value"
  }>
}

const kindOf = ({ step }: Node): Diagram["nodes"][number]["kind"] => {
  const { kind } = step.behaviour
  return kind === "source" || kind === "value" || kind === "sink" ? kind : "step"
}

/** The steps in the order of the definition, and all connections between them. */
export const diagramOf = ({ frame, nodes }: Pick<Checked, "frame" | "nodes">): Diagram => ({
  name: frame.name,
  nodes: nodes.map((node) => ({
    id: node.id,
    key: node.step.key,
    kind: kindOf(node),
    detail: detailOf(node),
    ...(node.step.behaviour.kind === "transform" && node.step.behaviour.expectsRows === true ? { announces: true } : {})
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

/**
 * A string as part of a quoted label. Ids and expressions may contain any character: all except letters, digits and harmless marks
 * become entities, so that none ends the label, begins a tag or Markdown, or reads as a style.
 */
export const escapeMermaid = (text: string): string =>
  Array.from(text.replace(/[\s\p{Cc}\p{Cs}]/gu, " "), (character) =>
    /[\p{L}\p{M}\p{N} _.,/=-]/u.test(character) ? character : `#${character.codePointAt(0)};`
  ).join("")

const mermaidShapes = {
  source: ['(["', '"])'],
  step: ['["', '"]'],
  value: ['>"', '"]'],
  sink: ['[("', '")]']
} as const

/** Label of a node: its id, its key if different, and the detail on the next line. */
const labelOf = ({ detail, id, key }: Diagram["nodes"][number]): string =>
  [id === key || id.startsWith(`${key}-`) ? id : `${id}: ${key}`, ...(detail === "" ? [] : [detail])]
    .map(escapeMermaid)
    .join("<br/>")

/** Nodes are numbered, because a step's id may be a Mermaid keyword, like `end`. */
export const mermaid = ({ edges, name, nodes }: Diagram): string => {
  const numbered = new Map(nodes.map(({ id }, index) => [id, `n${index}`]))
  const dashed = edges.flatMap(({ kind }, index) => (kind === "value" ? [index] : []))
  const arrows = { rows: "-->", after: '-. "after" .->', value: '-- "value" -->' } as const
  return `${[
    "---",
    `title: ${JSON.stringify(name)}`,
    "---",
    "flowchart LR",
    ...nodes.map((node) => {
      const [open, close] = mermaidShapes[node.kind]
      return `  ${numbered.get(node.id)}${open}${labelOf(node)}${close}`
    }),
    ...edges.map(({ from, kind, to }) => `  ${numbered.get(from)} ${arrows[kind]} ${numbered.get(to)}`),
    ...(dashed.length === 0 ? [] : [`  linkStyle ${dashed.join(",")} stroke-dasharray:6 4`])
  ].join("\n")}\n`
}

/** Quotes a label; escapes backslashes, quotes, and `&`, which begins an entity. */
const quoteDot = (text: string): string =>
  `"${text
    .replace(/[\s\p{Cc}\p{Cs}]/gu, " ")
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("&", "&amp;")}"`

const dotShapes = { source: "oval", step: "box", value: "note", sink: "cylinder" } as const
const dotStyles = { rows: "solid", after: "dotted", value: "dashed" } as const

export const dot = ({ edges, name, nodes }: Diagram): string =>
  `${[
    `digraph ${quoteDot(name)} {`,
    "  rankdir=LR",
    ...nodes.map(({ detail, id, key, kind }) => {
      const lines = [id === key ? id : `${id}: ${key}`, ...(detail === "" ? [] : [detail])]
      // `\\n` is a line break of Graphviz and must not be escaped again.
      const label = lines.map((line) => quoteDot(line).slice(1, -1)).join("\\n")
      return `  ${quoteDot(id)} [shape=${dotShapes[kind]}, label="${label}"]`
    }),
    ...edges.map(({ from, kind, to }) => `  ${quoteDot(from)} -> ${quoteDot(to)} [style=${dotStyles[kind]}]`),
    "}"
  ].join("\n")}\n`
