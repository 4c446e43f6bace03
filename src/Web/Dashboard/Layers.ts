/** Where the steps of a pipeline stand in its picture: in layers from top to bottom, with few lines that cross. */

export interface Linked {
  readonly id: string
}
export interface Link {
  readonly from: string
  readonly to: string
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
  layer: number
  x: number
}

const mean = (spots: ReadonlyArray<Spot>, otherwise: number, of: (spot: Spot) => number): number =>
  spots.length === 0 ? otherwise : spots.reduce((sum, spot) => sum + of(spot), 0) / spots.length

/** Each one below all it hangs on; a circle, which no definition has, ends where it was entered. */
const layersOf = (nodes: ReadonlyArray<Linked>, links: ReadonlyArray<Link>): ReadonlyMap<string, number> => {
  const layers = new Map<string, number>()
  const open = new Set<string>()
  const layerOf = (id: string): number => {
    const known = layers.get(id)
    if (known !== undefined) return known
    if (open.has(id)) return 0
    open.add(id)
    const layer = Math.max(0, ...links.filter(({ to }) => to === id).map(({ from }) => layerOf(from) + 1))
    layers.set(id, layer)
    return layer
  }
  for (const { id } of nodes) layerOf(id)
  return layers
}

const join = (upper: Spot, lower: Spot): void => {
  upper.below.push(lower)
  lower.above.push(upper)
}

/** Moves the spots of a layer towards where they would like to be, as far as their neighbours allow. */
const settle = (layer: ReadonlyArray<Spot>, wish: (spot: Spot) => number, gap: number): void => {
  const wishes = layer.map(wish)
  const distance = (index: number) => ((layer[index - 1]?.width ?? 0) + (layer[index]?.width ?? 0)) / 2 + gap
  const right = [...wishes]
  for (let index = 1; index < right.length; index++) {
    right[index] = Math.max(right[index] ?? 0, (right[index - 1] ?? 0) + distance(index))
  }
  const left = [...wishes]
  for (let index = left.length - 2; index >= 0; index--) {
    left[index] = Math.min(left[index] ?? 0, (left[index + 1] ?? 0) - distance(index + 1))
  }
  for (const [index, spot] of layer.entries()) spot.x = ((right[index] ?? 0) + (left[index] ?? 0)) / 2
}

export const arrange = (nodes: ReadonlyArray<Linked>, links: ReadonlyArray<Link>, sizes: Sizes): Layout => {
  const { gapX, gapY, height, width } = sizes
  const depth = layersOf(nodes, links)
  const layers: Array<Array<Spot>> = []
  const put = (layer: number, wide: number): Spot => {
    const spot: Spot = { above: [], below: [], width: wide, layer, x: 0 }
    layers[layer] = [...(layers[layer] ?? []), spot]
    return spot
  }
  const spots = new Map(nodes.map(({ id }) => [id, put(depth.get(id) ?? 0, width)]))
  const ways = links.map(({ from, to }) => {
    const [first, last] = [spots.get(from), spots.get(to)]
    if (first === undefined || last === undefined || last.layer <= first.layer) return []
    const way = [first]
    for (let layer = first.layer + 1; layer < last.layer; layer++) way.push(put(layer, gapX))
    way.push(last)
    for (let index = 1; index < way.length; index++) join(way[index - 1] as Spot, way[index] as Spot)
    return way
  })
  const number = () => {
    for (const layer of layers) for (const [index, spot] of layer.entries()) spot.x = index
  }
  number()
  for (let round = 0; round < 4; round++) {
    for (const layer of layers)
      layer.sort((a, b) => mean(a.above, a.x, ({ x }) => x) - mean(b.above, b.x, ({ x }) => x))
    number()
    for (const layer of layers.toReversed()) {
      layer.sort((a, b) => mean(a.below, a.x, ({ x }) => x) - mean(b.below, b.x, ({ x }) => x))
    }
    number()
  }
  for (const layer of layers) settle(layer, ({ x }) => x * (width + gapX), gapX)
  for (let round = 0; round < 6; round++) {
    for (const layer of layers) settle(layer, (spot) => mean(spot.above, spot.x, ({ x }) => x), gapX)
    for (const layer of layers.toReversed()) settle(layer, (spot) => mean(spot.below, spot.x, ({ x }) => x), gapX)
  }
  const all = layers.flat()
  const offset = all.length === 0 ? 0 : Math.min(...all.map((spot) => spot.x - spot.width / 2))
  const right = Math.max(offset, ...all.map((spot) => spot.x + spot.width / 2))
  const top = (layer: number) => layer * (height + gapY)
  return {
    width: right - offset,
    height: Math.max(0, layers.length * (height + gapY) - gapY),
    nodes: new Map([...spots].map(([id, { layer, x }]) => [id, { x: x - offset - width / 2, y: top(layer) }])),
    lines: ways.map((way) =>
      way.flatMap(({ layer, x }, index) => [
        ...(index === 0 ? [] : [{ x: x - offset, y: top(layer) }]),
        ...(index === way.length - 1 ? [] : [{ x: x - offset, y: top(layer) + height }])
      ])
    )
  }
}
