/** Layout of graphs and of differences, without a browser. */
import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { pairRows, wordsOf } from "../../src/Row/PairRows.ts"
import { diffRows, type Side } from "../../src/Web/Dashboard/DiffRows.ts"
import { arrange, type Layout } from "../../src/Web/Dashboard/GraphLayout.ts"

const sizes = { width: 200, height: 80, gapX: 20, gapY: 40 }

const place = (layout: Layout, id: string) => layout.nodes.get(id) ?? { x: Number.NaN, y: Number.NaN }

/** Arbitrary graphs: each step reads from earlier ones. */
const pipelines = fc
  .array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom("rows", "after", "value")), { minLength: 1, maxLength: 24 })
  .map((parts) => ({
    nodes: parts.map((_, index) => ({ id: `n${index}`, kind: "step" })),
    edges: parts.flatMap(([first, second, kind], index) =>
      index === 0
        ? []
        : [
            { from: `n${first % index}`, to: `n${index}`, kind: "rows" },
            ...(kind === "rows" ? [] : [{ from: `n${second % index}`, to: `n${index}`, kind }])
          ]
    )
  }))

describe("The graph of a pipeline", () => {
  it("places every step below its predecessors, without overlaps, within the bounds", () => {
    fc.assert(
      fc.property(pipelines, ({ edges, nodes }) => {
        const layout = arrange(nodes, edges, sizes)
        const places = nodes.map(({ id }) => place(layout, id))
        for (const { x, y } of places) {
          expect(x).toBeGreaterThanOrEqual(0)
          expect(x + sizes.width).toBeLessThanOrEqual(layout.width + 1)
          expect(y + sizes.height).toBeLessThanOrEqual(layout.height)
        }
        for (const [index, one] of places.entries()) {
          for (const other of places.slice(index + 1)) {
            expect(one.y !== other.y || Math.abs(one.x - other.x) >= sizes.width + sizes.gapX - 1).toBe(true)
          }
        }
        for (const [index, { from, to }] of edges.entries()) {
          expect(place(layout, to).y).toBeGreaterThan(place(layout, from).y)
          const line = layout.lines[index] ?? []
          expect(line[0]).toEqual({
            x: place(layout, from).x + sizes.width / 2,
            y: place(layout, from).y + sizes.height
          })
          expect(line.at(-1)).toEqual({ x: place(layout, to).x + sizes.width / 2, y: place(layout, to).y })
        }
      }),
      { numRuns: 60 }
    )
  })

  it("places a pipeline without branches on a straight line, whatever values it reads", () => {
    const nodes = [..."abcd"].map((id) => ({ id, kind: "step" }))
    const edges = [..."bcd"].map((to, index) => ({ from: "abcd"[index] ?? "", to, kind: "rows" }))
    const layout = arrange(
      [...nodes, { id: "v", kind: "value" }],
      [...edges, { from: "v", to: "c", kind: "value" }],
      sizes
    )
    expect(new Set(nodes.map(({ id }) => place(layout, id).x)).size).toBe(1)
    expect(place(layout, "v").y).toBe(place(layout, "b").y)
  })
})

const lines = fc.array(fc.string({ maxLength: 3 }), { maxLength: 30 })

describe("Rows of a difference", () => {
  it("contain every line of both versions once, in order and with its number", () => {
    const parts = fc.array(
      fc.record({ kind: fc.constantFrom("same" as const, "added" as const, "removed" as const), lines }),
      { maxLength: 8 }
    )
    fc.assert(
      fc.property(parts, (parts) => {
        const pairs = diffRows(parts).flatMap((row) => (row.kind === "fold" ? row.pairs : [row]))
        const numbered = (texts: ReadonlyArray<string>) =>
          texts.map((text, index): Side => ({ number: index + 1, text }))
        const of = (kind: string) =>
          parts.flatMap((part) => (part.kind === kind || part.kind === "same" ? part.lines : []))
        expect(pairs.flatMap(({ from }) => from ?? [])).toEqual(numbered(of("removed")))
        expect(pairs.flatMap(({ to }) => to ?? [])).toEqual(numbered(of("added")))
      }),
      { numRuns: 100 }
    )
  })
})

describe("Rows beside those of the last good run", () => {
  const table = (columns: ReadonlyArray<string>, ...rows: ReadonlyArray<ReadonlyArray<string | null>>) => ({
    columns,
    rows
  })

  it("are paired by the column that identifies them, changed ones first", () => {
    const now = table(["sku", "price"], ["A2", null], ["A1", "10"], ["A4", "7"])
    const before = table(["sku", "price"], ["A1", "10"], ["A2", "12"], ["A3", "9"])
    expect(pairRows(now, before)).toEqual({
      columns: ["sku", "price"],
      key: "sku",
      pairs: [
        { kind: "changed", cells: ["A2", null], before: ["A2", "12"] },
        { kind: "gone", cells: ["A3", "9"] },
        { kind: "new", cells: ["A4", "7"] },
        { kind: "same", cells: ["A1", "10"] }
      ]
    })
  })

  it("are paired by what they are, not by a column that counts them", () => {
    const titles = ["e", "d", "c", "b", "a"]
    const counted = (names: ReadonlyArray<string>, first = 1) =>
      names.map((name, index) => [String(first + index), name, `https://x.example/${name}`])
    const columns = ["position", "title", "url"]
    const before = table(columns, ...counted(titles))
    const { key, pairs } = pairRows(table(columns, ...counted(["f", ...titles.slice(0, 4)])), before)
    expect(key).toBe("url")
    expect(pairs.map(({ kind, cells }) => `${kind} ${cells[1]}`)).toEqual([
      ...["changed e", "changed d", "changed c", "changed b"],
      ...["gone a", "new f"]
    ])
    // Ids that count are better than nothing.
    const ids = (first: number) =>
      table(["id", "price"], ...["7", "7", "8"].map((price, at) => [`${first + at}`, price]))
    expect(pairRows(ids(3), ids(2)).key).toBe("id")
  })

  it("are called gone or new only where the other run has no further rows", () => {
    const [cut, whole] = [{ isCut: true }, { isCut: false }]
    expect(wordsOf(whole, whole)).toMatchObject({ gone: "not in this run", new: "new" })
    expect(wordsOf(cut, whole)).toMatchObject({ gone: "not in these rows", new: "new" })
    expect(wordsOf(whole, cut)).toMatchObject({ gone: "not in this run", new: "only in these rows" })
  })

  it("are paired by position where no column identifies them, and by name of the column", () => {
    const now = table(["b", "a"], ["1", "x"], ["1", "x"])
    const before = table(["a"], ["y"])
    expect(pairRows(now, before)).toEqual({
      columns: ["b", "a"],
      key: undefined,
      pairs: [
        { kind: "changed", cells: ["1", "x"], before: [null, "y"] },
        { kind: "new", cells: ["1", "x"] }
      ]
    })
  })
})
