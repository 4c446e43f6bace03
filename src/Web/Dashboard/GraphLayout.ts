/** Where the steps of a pipeline stand in its picture: in layers from top to bottom, with few lines that cross. */

export interface Linked {
  readonly id: string
  readonly kind: string
}
export interface Link {
  readonly from: string
  readonly to: string
  readonly kind: string
}
export interface Place {
  readonly x: number
  readonly y: number
}
export interface Layout {
  readonly width: number
  readonly height: number
  /** Upper left corners. */
  readonly nodes: ReadonlyMap<string, Place>
  /** The points through which each line goes, in the order of the links; empty for a link that leads nowhere. */
  readonly lines: ReadonlyArray<ReadonlyArray<Place>>
}

export interface Sizes {
  readonly width: number
  readonly height: number
  readonly gapX: number
  readonly gapY: number
}

/** A node, or the place where a long line passes a layer. */
interface Spot {
  readonly above: Array<Spot>
  readonly below: Array<Spot>
  readonly width: number
  /** How much it counts where spots want the same place: rows go straight, and the rest around them. */
  readonly weight: number
  readonly layer: number
  x: number
}

/** The middle of what it hangs on, or of what hangs on it; where it is when there is nothing. */
const middle = (spots: ReadonlyArray<Spot>, otherwise: number): number => {
  const weight = spots.reduce((sum, spot) => sum + spot.weight, 0)
  return weight === 0 ? otherwise : spots.reduce((sum, { weight, x }) => sum + weight * x, 0) / weight
}

/** Each one below all it hangs on, and what hangs on nothing right above what needs it. */
const layersOf = (nodes: ReadonlyArray<Linked>, links: ReadonlyArray<Link>): ReadonlyMap<string, number> => {
  const layers = new Map<string, number>()
  // Links go forward in the order of the nodes.
  for (const { id } of nodes) {
    layers.set(id, Math.max(0, ...links.flatMap(({ from, to }) => (to === id ? [(layers.get(from) ?? -1) + 1] : []))))
  }
  for (const { id } of nodes) {
    if (links.some(({ to }) => to === id)) continue
    const next = Math.min(...links.flatMap(({ from, to }) => (from === id ? [layers.get(to) ?? 1] : [])))
    if (Number.isFinite(next)) layers.set(id, Math.max(0, next - 1))
  }
  return layers
}

const join = (upper: Spot, lower: Spot): void => {
  upper.below.push(lower)
  lower.above.push(upper)
}

/**
 * Puts the spots of a layer where they would like to be, as near as their order and their widths allow: those that
 * would overlap stand side by side around the middle of their wishes.
 */
const settle = (layer: ReadonlyArray<Spot>, wish: (spot: Spot) => number, gap: number): void => {
  let edge = 0
  const offsets = layer.map(({ width }, index) => {
    edge += index === 0 ? 0 : ((layer[index - 1]?.width ?? 0) + width) / 2 + gap
    return edge
  })
  const blocks: Array<{ sum: number; weight: number; count: number }> = []
  for (const [index, spot] of layer.entries()) {
    let block = { sum: spot.weight * (wish(spot) - (offsets[index] ?? 0)), weight: spot.weight, count: 1 }
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

/** Of what is no row: enough to follow, too little to push. */
const minor = 0.001

export const arrange = (nodes: ReadonlyArray<Linked>, links: ReadonlyArray<Link>, sizes: Sizes): Layout => {
  const { gapX, gapY, height, width } = sizes
  const depth = layersOf(nodes, links)
  const layers: Array<Array<Spot>> = []
  const put = (layer: number, wide: number, weight: number): Spot => {
    const spot: Spot = { above: [], below: [], width: wide, weight, layer, x: 0 }
    layers[layer] = [...(layers[layer] ?? []), spot]
    return spot
  }
  const spots = new Map(nodes.map(({ id, kind }) => [id, put(depth.get(id) ?? 0, width, kind === "value" ? minor : 1)]))
  const ways = links.map(({ from, kind, to }) => {
    const [first, last] = [spots.get(from), spots.get(to)]
    if (first === undefined || last === undefined || last.layer <= first.layer) return []
    const way = [first]
    for (let layer = first.layer + 1; layer < last.layer; layer++)
      way.push(put(layer, gapX, kind === "rows" ? 1 : minor))
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
  for (const layer of layers) settle(layer, ({ x }) => x * (width + gapX), gapX)
  for (let round = 0; round < 8; round++) {
    for (const layer of layers.toReversed()) settle(layer, (spot) => middle(spot.below, spot.x), gapX)
    for (const layer of layers) settle(layer, (spot) => middle(spot.above, spot.x), gapX)
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
