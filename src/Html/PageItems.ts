/** Items that a page describes for programs: JSON-LD, microdata and RDFa Lite, by their type. */
import { descendantsOf, type Element, indexIds, isElement } from "./Element.ts"
import { readProperty } from "./FieldText.ts"
import { readLinkedData } from "./LinkedData.ts"
import { isObject } from "./Metadata.ts"
import type { PageUrls } from "./PageUrls.ts"
import type { Tree } from "./Tree.ts"

/** Names without their vocabulary; the type is in `@type`. A property with several values has an array. */
export type Item = Readonly<Record<string, unknown>>

/** Bounds on the work for one page. */
const [maxNodes, maxDepth] = [50_000, 60]

/** `https://schema.org/Product` and `schema:Product` are `Product`. */
const localName = (name: string): string => (name.startsWith("@") ? name : (/[^/#:]+$/.exec(name)?.[0] ?? name))

const simplify = (value: unknown, depth = 0): unknown => {
  if (depth > maxDepth) return undefined
  if (Array.isArray(value)) return value.slice(0, maxNodes).map((each) => simplify(each, depth + 1))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [localName(name), simplify(each, depth + 1)]))
}

const isScope = ({ attributes }: Element): boolean =>
  attributes.itemscope !== undefined || attributes.typeof !== undefined

const words = (text: string | undefined): ReadonlyArray<string> =>
  (text ?? "").split(/\s+/).filter((word) => word !== "")

const put = (item: Record<string, unknown>, name: string, value: unknown): void => {
  const known = Object.hasOwn(item, name) ? item[name] : undefined
  item[name] = known === undefined ? value : Array.isArray(known) ? [...known, value] : [known, value]
}

const markedItems = (tree: Tree, urls: PageUrls): ReadonlyArray<Item> => {
  const items: Array<Item> = []
  let nodes = 0
  let byId: ReadonlyMap<string, Element> | undefined
  const itemOf = (element: Element, depth: number): Item => {
    const { itemid, itemref, itemtype, resource, typeof: types } = element.attributes
    const names = words(itemtype ?? types).map(localName)
    const item: Record<string, unknown> = names.length === 0 ? {} : { "@type": names.length === 1 ? names[0] : names }
    const id = itemid ?? resource
    if (id !== undefined) item["@id"] = urls.resolve(id) ?? id
    fill(element, item, depth)
    for (const id of words(itemref)) {
      byId ??= indexIds(descendantsOf(tree.root))
      const other = byId.get(id)
      if (other !== undefined && depth < 10) visit(other, item, depth + 1)
    }
    return item
  }
  const visit = (element: Element, item: Record<string, unknown> | undefined, depth: number): void => {
    if (depth > maxDepth * 10 || ++nodes > maxNodes * 10) return
    const names = words(element.attributes.itemprop ?? (item === undefined ? undefined : element.attributes.property))
    if (isScope(element)) {
      const inner = itemOf(element, depth + 1)
      if (item === undefined || names.length === 0) items.push(inner)
      else for (const name of names) put(item, localName(name), inner)
      return
    }
    if (item !== undefined) for (const name of names) put(item, localName(name), readProperty(element, urls))
    fill(element, item, depth)
  }
  const fill = (element: Element, item: Record<string, unknown> | undefined, depth: number): void => {
    for (const child of element.children) if (isElement(child)) visit(child, item, depth + 1)
  }
  if (tree.tags.some(({ tag }) => tag.attributes.itemscope !== undefined || tag.attributes.typeof !== undefined))
    fill(tree.root, undefined, 0)
  return items
}

/** The items of a page by their syntax: JSON-LD first. */
export type PageItems = ReadonlyArray<ReadonlyArray<unknown>>

/** `linked` is the page's JSON-LD, where it has been read before. */
export const readItems = (
  tree: Tree,
  urls: PageUrls,
  linked: ReadonlyArray<unknown> = readLinkedData(tree, () => undefined)
): PageItems => [linked.map((value) => simplify(value)), markedItems(tree, urls)]

export const isOfType = (item: Item, type: string): boolean =>
  [item["@type"]].flat().some((name) => typeof name === "string" && localName(name).toLowerCase() === type)

/** Items of a type, those that are nearest to the root first. The parts of an item of the type are not searched. */
const itemsOfType = (roots: ReadonlyArray<unknown>, type: string): ReadonlyArray<Item> => {
  const name = type.toLowerCase()
  const found: Array<Item> = []
  const open: Array<unknown> = [...roots]
  for (let at = 0; at < open.length && at < maxNodes; at++) {
    const value = open[at]
    if (Array.isArray(value)) open.push(...value.slice(0, maxNodes))
    else if (isObject(value)) {
      if (isOfType(value, name)) found.push(value)
      else open.push(...Object.values(value).filter((each) => typeof each === "object" && each !== null))
    }
  }
  return found
}

/** Every item of a type; from the first syntax that has any. */
export const allOfType = (items: PageItems, type: string): ReadonlyArray<Item> =>
  items.map((roots) => itemsOfType(roots, type)).find((found) => found.length > 0) ?? []

/** A node that stands for another one with the same `@id`. */
const resolved = (value: unknown, items: PageItems): unknown => {
  if (!isObject(value) || typeof value["@id"] !== "string" || Object.keys(value).length > 1) return value
  const open: Array<unknown> = items.flat()
  for (let at = 0; at < open.length && at < maxNodes; at++) {
    const each = open[at]
    if (Array.isArray(each)) open.push(...each)
    else if (isObject(each)) {
      if (each["@id"] === value["@id"] && Object.keys(each).length > 1) return each
      open.push(...Object.values(each).filter((inner) => typeof inner === "object" && inner !== null))
    }
  }
  return value
}

/** The values at a path of properties; of an array, those of all its items. */
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

/** The values of `Product.offers.price`: of the first product of each syntax, as a page may list others beside its own. */
export const valuesOf = (items: PageItems, path: string): ReadonlyArray<unknown> => {
  const [type = "", ...rest] = path.split(".")
  for (const roots of items) {
    const [first] = itemsOfType(roots, type)
    const values = first === undefined ? [] : valuesAt(first, rest, items)
    if (values.length > 0) return values
  }
  return []
}

/** An item as text: its name, else its value or its address. */
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
