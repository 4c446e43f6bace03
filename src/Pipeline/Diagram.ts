/** The graph of a pipeline as text: a Mermaid flowchart, which GitHub and most Markdown viewers draw, or Graphviz DOT. */
import type { Drawing } from "./Drawing.ts"

/**
 * A text as part of a quoted label. Ids and expressions may hold anything: what is no letter, digit or harmless mark
 * becomes an entity, so that it can neither end the label, begin a tag or Markdown, nor be taken for a style.
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

/** The id, the step's key where it is another, and below them what it does. */
const labelOf = ({ detail, id, key }: Drawing["nodes"][number]): string =>
  [id === key || id.startsWith(`${key}-`) ? id : `${id}: ${key}`, ...(detail === "" ? [] : [detail])]
    .map(escapeMermaid)
    .join("<br/>")

/** Nodes are numbered, since an id of a step may be a word of Mermaid, like `end`. */
export const mermaid = ({ edges, name, nodes }: Drawing): string => {
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

/** Backslashes begin escapes, `&` begins entities, and a quote ends the text. */
const quoteDot = (text: string): string =>
  `"${text
    .replace(/[\s\p{Cc}\p{Cs}]/gu, " ")
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("&", "&amp;")}"`

const dotShapes = { source: "oval", step: "box", value: "note", sink: "cylinder" } as const
const dotStyles = { rows: "solid", after: "dotted", value: "dashed" } as const

export const dot = ({ edges, name, nodes }: Drawing): string =>
  `${[
    `digraph ${quoteDot(name)} {`,
    "  rankdir=LR",
    ...nodes.map(({ detail, id, key, kind }) => {
      const lines = [id === key ? id : `${id}: ${key}`, ...(detail === "" ? [] : [detail])]
      // The line break is Graphviz's own, behind each quoted line.
      const label = lines.map((line) => quoteDot(line).slice(1, -1)).join("\\n")
      return `  ${quoteDot(id)} [shape=${dotShapes[kind]}, label="${label}"]`
    }),
    ...edges.map(({ from, kind, to }) => `  ${quoteDot(from)} -> ${quoteDot(to)} [style=${dotStyles[kind]}]`),
    "}"
  ].join("\n")}\n`
