import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type Diagram, dot, escapeMermaid, mermaid } from "../../src/Pipeline/Diagram.ts"

/** Decodes the entities of a label, as Mermaid does. */
const decode = (text: string): string =>
  text.replace(/#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))

const flat = (text: string): string => text.replace(/[\s\p{Cc}\p{Cs}]/gu, " ")

const opening = { '(["': "source", '["': "step", '>"': "value", '[("': "sink" } as const

/** Reads the few forms of Mermaid that we write; anything else is an error. */
const parse = (text: string) => {
  const lines = text.trimEnd().split("\n")
  const head = lines.splice(0, 4)
  expect([head[0], head[2], head[3]]).toEqual(["---", "---", "flowchart LR"])
  const nodes: Array<{ kind: string; lines: ReadonlyArray<string> }> = []
  const edges: Array<readonly [from: number, arrow: string, to: number]> = []
  let dashed: ReadonlyArray<number> = []
  for (const line of lines) {
    const node = /^ {2}n(\d+)(\(\["|\["|>"|\[\(")([^"]*)("\]\)|"\]|"\)\])$/.exec(line)
    const edge = /^ {2}n(\d+) (-->|-\. "after" \.->|-- "value" -->) n(\d+)$/.exec(line)
    const style = /^ {2}linkStyle ([\d,]+) stroke-dasharray:6 4$/.exec(line)
    if (node !== null) {
      expect(Number(node[1])).toBe(nodes.length)
      const kind = opening[node[2] as keyof typeof opening]
      nodes.push({ kind, lines: (node[3] ?? "").split("<br/>").map(decode) })
    } else if (edge !== null) edges.push([Number(edge[1]), edge[2] ?? "", Number(edge[3])])
    else if (style !== null) dashed = (style[1] ?? "").split(",").map(Number)
    else throw new Error(`no Mermaid: ${line}`)
  }
  return { nodes, edges, dashed }
}

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    '"',
    "end",
    "#quot;",
    "[(]){}<br/>|",
    "`*a*`",
    "style x:#123;",
    "%% no",
    "--> n1",
    "Ölfass 水 🚰",
    "a\nb\u0000"
  )
)

describe("Mermaid", () => {
  it("keeps every string unchanged within its label, however hostile", () => {
    fc.assert(
      fc.property(text, (given) => {
        const escaped = escapeMermaid(given)
        expect(escaped.replace(/#\d+;/g, "")).toMatch(/^[\p{L}\p{M}\p{N} _.,/=-]*$/u)
        expect(decode(escaped)).toBe(flat(given))
      }),
      { numRuns: 500 }
    )
  })

  it("shows every node and edge of a graph in its own form", () => {
    const graph = fc
      .array(fc.record({ kind: fc.constantFrom(...(["source", "step", "value", "sink"] as const)), detail: text }), {
        minLength: 1,
        maxLength: 8
      })
      .chain((nodes) =>
        fc.record({
          nodes: fc.constant(nodes),
          edges: fc.array(
            fc.record({
              from: fc.nat(nodes.length - 1),
              to: fc.nat(nodes.length - 1),
              kind: fc.constantFrom(...(["rows", "after", "value"] as const))
            }),
            { maxLength: 8 }
          )
        })
      )
    fc.assert(
      fc.property(graph, ({ edges, nodes }) => {
        const ids = nodes.map((_, index) => (index === 0 ? "end" : `subgraph-${index}`))
        const drawing: Diagram = {
          name: "end",
          nodes: nodes.map((node, index) => ({ ...node, id: ids[index] ?? "", key: "where" })),
          edges: edges.map(({ from, kind, to }) => ({ from: ids[from] ?? "", to: ids[to] ?? "", kind }))
        }
        const read = parse(mermaid(drawing))
        expect(read.nodes).toEqual(
          drawing.nodes.map(({ detail, id, kind }) => ({
            kind,
            lines: [`${id}: where`, ...(detail === "" ? [] : [flat(detail)])]
          }))
        )
        const arrows = { rows: "-->", after: '-. "after" .->', value: '-- "value" -->' } as const
        expect(read.edges).toEqual(edges.map(({ from, kind, to }) => [from, arrows[kind], to]))
        expect(read.dashed).toEqual(edges.flatMap(({ kind }, index) => (kind === "value" ? [index] : [])))
      })
    )
  })
})

describe("Graphviz", () => {
  it("escapes every label", () => {
    fc.assert(
      fc.property(text, (detail) => {
        const line =
          dot({ name: "x", nodes: [{ id: "a", key: "a", kind: "step", detail }], edges: [] }).split("\n")[2] ?? ""
        const label = /^ {2}"a" \[shape=box, label="((?:[^"\\]|\\.)*)"\]$/.exec(line)?.[1]
        const said = label?.replace(/\\n/, "\u0001").replace(/\\(.)/g, "$1").replaceAll("&amp;", "&")
        expect(said).toBe(detail === "" ? "a" : `a\u0001${flat(detail)}`)
      })
    )
  })
})
