/** Layered layout of a graph: layers from top to bottom, few crossings, straight paths for rows. */

export interface LayoutNode {
  readonly id: string
  readonly kind: string
}
export interface LayoutEdge {
  readonly from: string
  readonly to: string
  readonly kind: string
}
export interface Point {
  readonly x: number
  readonly y: number
}
export interface Layout {
  readonly width: number
  readonly height: number
  /** Upper left corner of each node. */
  readonly nodes: ReadonlyMap<string, Point>
  /** Points of each edge, in the order of the edges; empty if an end is unknown. */
  readonly lines: ReadonlyArray<ReadonlyArray<Point>>
}

export interface Sizes {
  readonly width: number
  readonly height: number
  readonly gapX: number
  readonly gapY: number
}

/** A node, or the point at which a long edge crosses a layer. */
interface Spot {
  readonly above: Array<Spot>
  readonly below: Array<Spot>
  readonly width: number
  /** Weight with which this spot attracts its neighbours: high on paths of rows, so that these stay straight and other edges bend. */
  readonly weight: number
  readonly layer: number
  x: number
}

/** Weighted mean position of the neighbours; `fallback` if there are none. */
const middle = (spots: ReadonlyArray<Spot>, fallback: number): number => {
  const weight = spots.reduce((sum, spot) => sum + spot.weight, 0)
  return weight === 0 ? fallback : spots.reduce((sum, { weight, x }) => sum + weight * x, 0) / weight
}

/** Layer of each node: below all predecessors; a node without predecessors is directly above its first successor. */
const layersOf = (nodes: ReadonlyArray<LayoutNode>, edges: ReadonlyArray<LayoutEdge>): ReadonlyMap<string, number> => {
  const layers = new Map<string, number>()
  // Nodes are in such an order that every edge goes forward, so one pass is enough.
  for (const { id } of nodes) {
    layers.set(id, Math.max(0, ...edges.flatMap(({ from, to }) => (to === id ? [(layers.get(from) ?? -1) + 1] : []))))
  }
  for (const { id } of nodes) {
    if (edges.some(({ to }) => to === id)) continue
    const next = Math.min(...edges.flatMap(({ from, to }) => (from === id ? [layers.get(to) ?? 1] : [])))
    if (Number.isFinite(next)) layers.set(id, Math.max(0, next - 1))
  }
  return layers
}

const join = (upper: Spot, lower: Spot): void => {
  upper.below.push(lower)
  lower.above.push(upper)
}

/**
 * Moves the spots of a layer as close to their desired positions as order and widths allow. Spots that would overlap form a
 * block around the mean of their desired positions (pool adjacent violators).
 */
const place = (layer: ReadonlyArray<Spot>, desired: (spot: Spot) => number, gap: number): void => {
  let edge = 0
  const offsets = layer.map(({ width }, index) => {
    edge += index === 0 ? 0 : ((layer[index - 1]?.width ?? 0) + width) / 2 + gap
    return edge
  })
  const blocks: Array<{ sum: number; weight: number; count: number }> = []
  for (const [index, spot] of layer.entries()) {
    let block = { sum: spot.weight * (desired(spot) - (offsets[index] ?? 0)), weight: spot.weight, count: 1 }
    for (
      let last = blocks.at(-1);
      last !== undefined && last.sum / last.weight > block.sum / block.weight;
      last = blocks.at(-1)
    ) {
      blocks.pop()
      block = { sum: last.sum + block.sum, weight: last.weight + block.weight, count: last.count + block.count }
    }
    blocks.push(block)
  }
  const places = blocks.flatMap(({ count, sum, weight }) => Array<number>(count).fill(sum / weight))
  for (const [index, spot] of layer.entries()) spot.x = (places[index] ?? 0) + (offsets[index] ?? 0)
}

/** Weight of value edges and other edges without rows: they follow other nodes but do not move them. */
const minorWeight = 0.001

export const arrange = (nodes: ReadonlyArray<LayoutNode>, edges: ReadonlyArray<LayoutEdge>, sizes: Sizes): Layout => {
  const { gapX, gapY, height, width } = sizes
  const depth = layersOf(nodes, edges)
  const layers: Array<Array<Spot>> = []
  const put = (layer: number, wide: number, weight: number): Spot => {
    const spot: Spot = { above: [], below: [], width: wide, weight, layer, x: 0 }
    layers[layer] = [...(layers[layer] ?? []), spot]
    return spot
  }
  const spots = new Map(
    nodes.map(({ id, kind }) => [id, put(depth.get(id) ?? 0, width, kind === "value" ? minorWeight : 1)])
  )
  const ways = edges.map(({ from, kind, to }) => {
    const [first, last] = [spots.get(from), spots.get(to)]
    if (first === undefined || last === undefined || last.layer <= first.layer) return []
    const way = [first]
    for (let layer = first.layer + 1; layer < last.layer; layer++)
      way.push(put(layer, gapX, kind === "rows" ? 1 : minorWeight))
    way.push(last)
    for (let index = 1; index < way.length; index++) join(way[index - 1] as Spot, way[index] as Spot)
    return way
  })
  const number = () => {
    for (const layer of layers) for (const [index, spot] of layer.entries()) spot.x = index
  }
  number()
  for (let round = 0; round < 4; round++) {
    for (const layer of layers) layer.sort((a, b) => middle(a.above, a.x) - middle(b.above, b.x))
    number()
    for (const layer of layers.toReversed()) layer.sort((a, b) => middle(a.below, a.x) - middle(b.below, b.x))
    number()
  }
  for (const layer of layers) place(layer, ({ x }) => x * (width + gapX), gapX)
  for (let round = 0; round < 8; round++) {
    for (const layer of layers.toReversed()) place(layer, (spot) => middle(spot.below, spot.x), gapX)
    for (const layer of layers) place(layer, (spot) => middle(spot.above, spot.x), gapX)
  }
  const all = layers.flat()
  const offset = all.length === 0 ? 0 : Math.min(...all.map((spot) => spot.x - spot.width / 2))
  const right = Math.max(offset, ...all.map((spot) => spot.x + spot.width / 2))
  const top = (layer: number) => layer * (height + gapY)
  return {
    width: right - offset,
    height: Math.max(0, layers.length * (height + gapY) - gapY),
    nodes: new Map(
      [...spots].map(([id, { layer, x }]) => [id, { x: Math.round(x - offset - width / 2), y: top(layer) }])
    ),
    lines: ways.map((way) =>
      way.flatMap(({ layer, x }, index) => [
        ...(index === 0 ? [] : [{ x: Math.round(x - offset), y: top(layer) }]),
        ...(index === way.length - 1 ? [] : [{ x: Math.round(x - offset), y: top(layer) + height }])
      ])
    )
  }
}
