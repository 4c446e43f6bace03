/** A graph in the language of Graphviz. */
import type { Drawing } from "./Drawing.ts"

/** Backslashes begin escapes, `&` begins entities, and a quote ends the text. */
const quote = (text: string): string =>
  `"${text
    .replace(/[\s\p{Cc}\p{Cs}]/gu, " ")
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("&", "&amp;")}"`

const shapes = { source: "oval", step: "box", value: "note", sink: "cylinder" } as const
const styles = { rows: "solid", after: "dotted", value: "dashed" } as const

export const dot = ({ edges, name, nodes }: Drawing): string =>
  `${[
    `digraph ${quote(name)} {`,
    "  rankdir=LR",
    ...nodes.map(({ detail, id, key, kind }) => {
      const lines = [id === key ? id : `${id}: ${key}`, ...(detail === "" ? [] : [detail])]
      // The line break is Graphviz's own, behind each quoted line.
      const label = lines.map((line) => quote(line).slice(1, -1)).join("\\n")
      return `  ${quote(id)} [shape=${shapes[kind]}, label="${label}"]`
    }),
    ...edges.map(({ from, kind, to }) => `  ${quote(from)} -> ${quote(to)} [style=${styles[kind]}]`),
    "}"
  ].join("\n")}\n`
