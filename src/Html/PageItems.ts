/** Structured data of a page in one shape, found by type: items of JSON-LD, microdata and RDFa. */
import { squeeze } from "./Element.ts"
import { readLinkedData } from "./LinkedData.ts"
import { addSome, isObject } from "./Metadata.ts"
import { type MicrodataItem, readMicrodata } from "./Microdata.ts"
import type { PageUrls } from "./PageUrls.ts"
import { type RdfaNode, type RdfaValue, readRdfa } from "./Rdfa.ts"
import type { Tree } from "./Tree.ts"

/**
 * An item of structured data. Property names have no vocabulary prefix; the type is in `@type`. Several values of a property are an array.
 */
export type Item = Readonly<Record<string, unknown>>

/** Maximum nodes visited per search, and maximum nesting. */
const [maxNodes, maxDepth] = [50_000, 60]

/** Removes the vocabulary: `https://schema.org/Product` and `schema:Product` become `Product`. */
const localName = (name: string): string =>
  name.startsWith("@") ? name : (/[^/#:]+$/.exec(name.slice(-200))?.[0] ?? name)

const simplify = (value: unknown, depth = 0): unknown => {
  if (depth > maxDepth) return undefined
  if (Array.isArray(value)) return value.slice(0, maxNodes).map((each) => simplify(each, depth + 1))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [localName(name), simplify(each, depth + 1)]))
}

/** A single value, or an array if there are several. */
const single = (values: ReadonlyArray<unknown>): unknown => (values.length === 1 ? values[0] : values)

const itemOf = (
  types: ReadonlyArray<string>,
  id: string | undefined,
  properties: ReadonlyArray<readonly [string, unknown]>
): Item =>
  Object.fromEntries([
    ...(types.length === 0 ? [] : [["@type", single(types.map(localName))]]),
    ...(id === undefined ? [] : [["@id", id]]),
    ...properties.map(([name, value]) => [localName(name), value])
  ])

const microdataItem = ({ id, properties, type = [] }: MicrodataItem): Item =>
  itemOf(
    type,
    id,
    Object.entries(properties).map(([name, values]) => [
      name,
      single(values.map((value) => (typeof value === "string" ? value : microdataItem(value))))
    ])
  )

/** Converts nodes to items: a node that another node refers to becomes part of that node. */
const rdfaItems = (nodes: ReadonlyArray<RdfaNode>): ReadonlyArray<Item> => {
  const byId = new Map(nodes.map((node) => [node["@id"], node]))
  const items = new Map<RdfaNode, Item | undefined>()
  const parts = new Set<RdfaNode>()
  const valueOf = (value: string | RdfaValue, depth: number): unknown => {
    if (typeof value === "string") return value
    if ("@list" in value) return value["@list"].map((each) => valueOf(each, depth))
    if ("@value" in value) return squeeze(value["@value"])
    const node = byId.get(value["@id"])
    const item = node === undefined || depth > maxDepth ? undefined : convert(node, depth + 1)
    if (node === undefined || item === undefined) return value["@id"]
    parts.add(node)
    return item
  }
  const convert = (node: RdfaNode, depth: number): Item | undefined => {
    if (items.has(node)) return items.get(node)
    items.set(node, undefined)
    const { "@id": id, "@type": types = [], ...properties } = node
    const item = itemOf(
      [types].flat().map(String),
      typeof id === "string" && !id.startsWith("_:") ? id : undefined,
      Object.entries(properties).map(([name, values]) => [
        name,
        single([values].flat().flatMap((value) => valueOf(value, depth)))
      ])
    )
    items.set(node, item)
    return item
  }
  const all = nodes.map((node) => [node, convert(node, 0)] as const)
  return all.flatMap(([node, item]) => (item === undefined || parts.has(node) ? [] : [item]))
}

const ignore = () => undefined

/** The items of a page by their syntax: JSON-LD, microdata, RDFa. */
export type PageItems = ReadonlyArray<ReadonlyArray<unknown>>

export const toItems = (
  linked: ReadonlyArray<object>,
  microdata: ReadonlyArray<MicrodataItem>,
  rdfa: ReadonlyArray<RdfaNode>
): PageItems => [linked.map((value) => simplify(value)), microdata.map(microdataItem), rdfaItems(rdfa)]

export const readItems = (tree: Tree, urls: PageUrls): PageItems =>
  toItems(readLinkedData(tree, ignore), readMicrodata(tree, urls, ignore), readRdfa(tree, urls, ignore))

/** Subtypes of schema.org's `Event` for events that people attend, in lower case: pages describe a concert as a `MusicEvent`. */
const narrower: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    "event",
    new Set([
      ...["business", "childrens", "comedy", "conference", "dance", "education", "exhibition", "food", "literary"].map(
        (kind) => `${kind}event`
      ),
      ...["music", "performingarts", "sale", "screening", "social", "sports", "theater", "visualarts"].map(
        (kind) => `${kind}event`
      ),
      ...["courseinstance", "eventseries", "festival", "hackathon"]
    ])
  ]
])

/** True if the item has one of the types, given in lower case. */
const isOneOf = (item: Item, types: ReadonlySet<string>): boolean =>
  [item["@type"]].flat().some((name) => typeof name === "string" && types.has(localName(name).toLowerCase()))

export const isOfType = (item: Item, type: string): boolean => isOneOf(item, new Set([type]))

/** True for an object or an array. */
const isParsed = (value: unknown): boolean => typeof value === "object" && value !== null

/** Items of a type, those nearest to the root first; if there are none, items of its known subtypes. */
const itemsOfType = (roots: ReadonlyArray<unknown>, type: string): ReadonlyArray<Item> => {
  const name = type.toLowerCase()
  const exact = itemsOf(roots, new Set([name]))
  const more = narrower.get(name)
  return exact.length > 0 || more === undefined ? exact : itemsOf(roots, more)
}

/** Items of the types; does not search the parts of an item that was found. */
const itemsOf = (roots: ReadonlyArray<unknown>, types: ReadonlySet<string>): ReadonlyArray<Item> => {
  const found: Array<Item> = []
  const open: Array<unknown> = [...roots]
  for (let at = 0; at < open.length && at < maxNodes; at++) {
    const value = open[at]
    if (Array.isArray(value)) addSome(open, value, maxNodes)
    else if (isObject(value)) {
      if (isOneOf(value, types)) found.push(value)
      else addSome(open, Object.values(value).filter(isParsed), maxNodes)
    }
  }
  return found
}

/** Every item of a type, from the first syntax that has any. */
export const allOfType = (items: PageItems, type: string): ReadonlyArray<Item> =>
  items.map((roots) => itemsOfType(roots, type)).find((found) => found.length > 0) ?? []

/** Nodes of a page by `@id`; if several have the same id, the first one. */
const nodesById = new WeakMap<PageItems, ReadonlyMap<string, unknown>>()

const indexNodes = (items: PageItems): ReadonlyMap<string, unknown> => {
  const known = nodesById.get(items)
  if (known !== undefined) return known
  const byId = new Map<string, unknown>()
  const open: Array<unknown> = items.flat()
  for (let at = 0; at < open.length && at < maxNodes; at++) {
    const each = open[at]
    if (Array.isArray(each)) addSome(open, each, maxNodes)
    else if (isObject(each)) {
      const id = each["@id"]
      if (typeof id === "string" && !byId.has(id) && Object.keys(each).length > 1) byId.set(id, each)
      addSome(open, Object.values(each).filter(isParsed), maxNodes)
    }
  }
  nodesById.set(items, byId)
  return byId
}

/** Replaces a reference (an object with only an `@id`) by the node with that id, if there is one. */
const resolved = (value: unknown, items: PageItems): unknown =>
  isObject(value) && typeof value["@id"] === "string" && Object.keys(value).length === 1
    ? (indexNodes(items).get(value["@id"]) ?? value)
    : value

/** The values at a path of properties; arrays on the way give the values of all their items. */
export const valuesAt = (item: unknown, path: ReadonlyArray<string>, items: PageItems): ReadonlyArray<unknown> => {
  let values: ReadonlyArray<unknown> = [item]
  for (const name of path)
    values = values
      .map((value) => resolved(value, items))
      .flatMap((value) => (isObject(value) && Object.hasOwn(value, name) ? [value[name]].flat() : []))
  return values
    .map((value) => resolved(value, items))
    .filter((value) => value !== null && value !== undefined && value !== "")
}

/** Values at a path like `Product.offers.price`, read from the first item of the type: a page may list other products after its own. */
export const valuesOf = (items: PageItems, path: string): ReadonlyArray<unknown> => {
  const [type = "", ...rest] = path.split(".")
  for (const roots of items) {
    const [first] = itemsOfType(roots, type)
    const values = first === undefined ? [] : valuesAt(first, rest, items)
    if (values.length > 0) return values
  }
  return []
}

/** An item as text: its name, otherwise its value or its URL. */
export const textOfValue = (value: unknown): string | undefined => {
  if (typeof value === "string") return value
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  if (!isObject(value)) return undefined
  const [text] = ["name", "@value", "value", "url", "contentUrl", "@id"].flatMap((name) => {
    const [each] = [value[name]].flat()
    return typeof each === "string" || typeof each === "number" ? [String(each)] : []
  })
  return text
}
