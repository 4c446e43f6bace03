/**
 * Reads rows and fields of a page by a specification. Plain functions without Effect; FieldRows.ts compiles a definition or a request to a
 * specification.
 *
 * Every field has a list of sources; the first one that gives a value counts. A field without a value is null, with a reason.
 */

import * as Either from "effect/Either"
import type { FieldType } from "../Api/PageData.ts"
import type { Order } from "../Values/Date.ts"
import { chooseTable, type DataGrid, readGrid, tableAt } from "./DataGrid.ts"
import { Element } from "./Element.ts"
import { isAddressAttribute, readLabelled, readOwnText, readText } from "./FieldText.ts"
import { asText, convert, type Reading, Unreadable } from "./FieldValue.ts"
import { isObject, type PageMetadata, readMetadata } from "./Metadata.ts"
import { allOfType, type Item, type PageItems, readItems, valuesAt, valuesOf } from "./PageItems.ts"
import { PageUrls } from "./PageUrls.ts"
import { asItem, readProduct } from "./Product.ts"
import { readMainRecords } from "./RecordLists.ts"
import { bounded, type Query } from "./Select.ts"
import { parseTree, type Tree } from "./Tree.ts"

/** Finds at most `most` matches of a pattern in text: the first group of each, or the whole match if the pattern has no group. */
export type TextMatch = (text: string, most: number) => ReadonlyArray<string>

/** Place from which a field's value is read. */
export type Place =
  | {
      readonly kind: "css"
      readonly query: Query
      readonly attribute?: string | undefined
      readonly own?: boolean | undefined
    }
  | { readonly kind: "label"; readonly names: ReadonlyArray<string> }
  | { readonly kind: "meta" | "column" | "data"; readonly name: string }
  | { readonly kind: "regex"; readonly find: TextMatch }

export interface FieldSource {
  readonly place: Place
  /** The source as written in the definition, for messages: `css ".price"`. */
  readonly written: string
  readonly type: FieldType
  /** True to return every value, as an array. */
  readonly all: boolean
  readonly match?: TextMatch | undefined
  readonly locale?: string | undefined
  readonly order?: Order | undefined
  readonly timezone?: string | undefined
  /** If set, the value is an object of these fields, relative to the found element. */
  readonly fields?: FieldSet | undefined
  /** Used if the value is missing or unreadable. */
  readonly fallback?: { readonly value: unknown } | undefined
}

export type FieldSet = ReadonlyArray<readonly [name: string, sources: ReadonlyArray<FieldSource>]>

export type RowPlace =
  | { readonly kind: "page" }
  | { readonly kind: "css"; readonly query: Query }
  | { readonly kind: "table"; readonly which: Query | number | true }
  | { readonly kind: "data"; readonly type: string }
  | { readonly kind: "list" }

/** Describes the rows and fields to read. Without `fields`, a row has all columns of a table or list, or all properties of an item. */
export interface Specification {
  readonly rows: RowPlace
  readonly fields: FieldSet | undefined
  readonly locale?: string | undefined
  readonly order?: Order | undefined
  readonly timezone?: string | undefined
}

/** Reason why a field has no value. */
export interface Missing {
  readonly why: string
  /** True if text was found, but could not be converted to the type. */
  readonly isUnreadable: boolean
}

/** A row, and its fields that have no value. */
export interface FieldRow {
  readonly values: Readonly<Record<string, unknown>>
  readonly missing: ReadonlyMap<string, Missing>
}

/** Maximum values per field and rows per page. */
const [maxValues, maxRows] = [10_000, 100_000]

/** A parsed page to read fields from. */
export interface Page {
  readonly tree: Tree
  readonly urls: PageUrls
  readonly reading: Reading
  readonly metadata: () => Readonly<Record<string, unknown>>
  readonly items: () => PageItems
  /** The main product of the page, even if only embedded state or `dataLayer` describes it. */
  readonly product: () => Item | undefined
}

interface Scope {
  readonly page: Page
  readonly element: Element
  /** Cells of a table row, or texts of a list record. */
  readonly cells?: ReadonlyMap<string, Element | string | undefined> | undefined
  /** If present, receives the element of each field's first value. */
  readonly found?: Map<string, Element> | undefined
  /** Item of the row, and its type. */
  readonly item?: { readonly type: string; readonly value: unknown } | undefined
}

export const lazily = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** A page to read rows from. */
export interface ParsedPage {
  readonly tree: Tree
  readonly urls: PageUrls
  readonly metadata: () => PageMetadata
}

/** Parses a page. `url` is its address; `charset`: see `PageUrls`. */
export const parsePage = (html: string, url: string | undefined, charset?: string): ParsedPage => {
  const tree = parseTree(html)
  const urls = new PageUrls(tree, url, true, charset)
  return { tree, urls, metadata: () => readMetadata(tree, (href) => urls.resolve(href)) }
}

/** Prepares a page for reading fields below its elements. */
export const openPage = (
  { metadata, tree, urls }: ParsedPage,
  { locale, order, timezone }: Omit<Specification, "rows" | "fields">,
  now: number
): Page => {
  const { lang, "xml:lang": xmlLang } = tree.html?.attributes ?? {}
  const items = lazily(() => readItems(tree, urls))
  return {
    tree,
    urls,
    reading: { locale: locale ?? lang ?? xmlLang, order, timezone, now, urls },
    metadata: lazily(metadata),
    items,
    product: lazily(() => productItem(tree, urls, items()))
  }
}

const resolveAttribute = (name: string, value: string, urls: PageUrls): string | undefined =>
  isAddressAttribute(name) ? urls.resolve(value) : value

const find = (place: Place, scope: Scope, most: number): ReadonlyArray<unknown> => {
  const { element, page } = scope
  switch (place.kind) {
    case "css": {
      const first = most === 1 ? place.query.first(element) : undefined
      const found = most === 1 ? (first === undefined ? [] : [first]) : place.query.all(element, most)
      const { attribute, own } = place
      if (attribute !== undefined)
        return found.map(({ attributes }) => {
          const value = Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined
          return value === undefined ? undefined : resolveAttribute(attribute, value.trim(), page.urls)
        })
      return own === true ? found.map(readOwnText) : found
    }
    case "label":
      for (const name of place.names) {
        const found = readLabelled(element, name, most)
        if (found.length > 0) return found
      }
      return []
    case "meta": {
      const metadata = page.metadata()
      const value = metadata[place.name] ?? metadata[place.name.toLowerCase()]
      return value === undefined ? [] : [value].flat()
    }
    case "column": {
      const cell = scope.cells?.get(place.name)
      return cell === undefined ? [] : [cell]
    }
    case "data":
      return dataOf(place.name, scope).slice(0, most)
    case "regex":
      return place.find(readText(element), most)
  }
}

const productItem = (tree: Tree, urls: PageUrls, items: PageItems): Item | undefined => {
  const product = readProduct(tree, urls, () => undefined, items)
  return product && asItem(product)
}

/**
 * Values at a property path (`Product.offers.price`) in the page's structured data. If no item has them and the type is Product, values of
 * the page's main product, which may also come from embedded state, `dataLayer` or Open Graph.
 */
const valuesInPage = (path: string, { items, product }: Pick<Page, "items" | "product">): ReadonlyArray<unknown> => {
  const values = valuesOf(items(), path)
  if (values.length > 0) return values
  const [type = "", ...rest] = path.split(".")
  const item = isProduct(type) ? product() : undefined
  return item === undefined ? [] : valuesAt(item, rest, items())
}

const isProduct = (type: string): boolean => type.toLowerCase() === "product"

const dataOf = (path: string, { item, page }: Scope): ReadonlyArray<unknown> => {
  if (item === undefined) return valuesInPage(path, page)
  const prefix = `${item.type}.`
  const own = path.toLowerCase().startsWith(prefix.toLowerCase()) ? path.slice(prefix.length) : path
  return valuesAt(item.value, own.split("."), page.items())
}

const readingOf = ({ locale, order, timezone }: FieldSource, reading: Reading): Reading =>
  locale === undefined && order === undefined && timezone === undefined
    ? reading
    : {
        ...reading,
        locale: locale ?? reading.locale,
        order: order ?? reading.order,
        timezone: timezone ?? reading.timezone
      }

/** Maximum characters of page text in a message. */
const maxShown = 60

const shown = (text: string): string => JSON.stringify(text.length > maxShown ? `${text.slice(0, maxShown)}…` : text)

/** A value with its element, a default with the reason for using it, or no value. */
type Outcome = { readonly value: unknown; readonly element?: Element | undefined; readonly why?: string } | Missing

/** The value of a source, or the reason why it has none. Collects missing values of nested fields in `inner`. */
const readSource = (source: FieldSource, scope: Scope, inner: Map<string, Missing>): Outcome => {
  const { all, fallback, fields, match, place, type, written } = source
  const found = find(place, scope, all ? maxValues : 1)
  if (type === "exists") return { value: found.some((each) => each !== undefined) }
  const none = (why: string, isUnreadable = false): Outcome =>
    fallback === undefined
      ? { why: `${written} ${why}`, isUnreadable }
      : { value: fallback.value, why: `${written} ${why}` }
  if (found.length === 0) return all && fallback === undefined ? { value: [] } : none("matches nothing")
  const element = found.find((each) => each instanceof Element)
  if (fields !== undefined) {
    const objects = found
      .filter((each) => each instanceof Element)
      .map((element) => readFields(fields, { page: scope.page, element }, inner))
    return { value: all ? objects : objects[0], element }
  }
  const reading = readingOf(source, scope.page.reading)
  const values: Array<unknown> = []
  for (const each of found) {
    const parts = match === undefined ? [each] : match(asText(each) ?? "", all ? maxValues : 1)
    if (parts.length === 0 && !all) return none(`gives ${shown(asText(each) ?? "")}, which its pattern does not match`)
    for (const part of parts) {
      const value = convert(part, type, reading)
      if (value instanceof Unreadable) return none(`gives ${shown(value.text)}, which is not ${value.expected}`, true)
      if (value !== undefined) values.push(value)
    }
  }
  if (all) return { value: values, element }
  return values.length === 0 ? none("matches, but is empty") : { value: values[0], element }
}

/** True for a value that counts as missing, so that the next source is tried. */
const isNothing = (value: unknown): boolean => value === false || (Array.isArray(value) && value.length === 0)

const readFields = (fields: FieldSet, scope: Scope, missing: Map<string, Missing>): Record<string, unknown> => {
  const values: Record<string, unknown> = {}
  for (const [name, sources] of fields) {
    const reasons: Array<Missing> = []
    const inner = new Map<string, Missing>()
    let isDefault = false
    values[name] = null
    for (const source of sources) {
      const read = readSource(source, scope, inner)
      if (!("value" in read)) {
        reasons.push(read)
        continue
      }
      values[name] = read.value
      if (read.why !== undefined) {
        reasons.push({ why: read.why, isUnreadable: false })
        isDefault = true
      } else if (!isNothing(read.value)) {
        reasons.length = 0
        if (read.element !== undefined && scope.found?.has(name) === false) scope.found.set(name, read.element)
      }
      if (!isNothing(read.value)) break
      if (read.why !== undefined) continue
      reasons.push({ why: `${source.written} matches nothing`, isUnreadable: false })
    }
    for (const [field, each] of inner) missing.set(`${name}.${field}`, each)
    if (reasons.length > 0)
      missing.set(name, {
        why: reasons.map(({ why }) => why).join("; "),
        // With a default, unreadable text is no failure.
        isUnreadable: !isDefault && reasons.some(({ isUnreadable }) => isUnreadable)
      })
  }
  return values
}

const scopesOfTable = ({ names, rows }: DataGrid, page: Page): ReadonlyArray<Scope> => {
  // A column's number also works as its name, unless another column has that name.
  const taken = new Set(names)
  const columns = names.flatMap((name, column) => {
    const number = String(column + 1)
    return [[name, column] as const, ...(taken.has(number) ? [] : [[number, column] as const])]
  })
  return rows.map((line) => ({
    page,
    // Selectors search the whole row, not a single cell.
    element: line.find((cell) => cell !== undefined)?.parent ?? page.tree.root,
    cells: new Map(columns.map(([name, column]) => [name, line[column]]))
  }))
}

const gridOf = (place: RowPlace & { readonly kind: "table" }, { tree }: Page): DataGrid | undefined => {
  const { which } = place
  const found = typeof which === "object" ? which.first(tree.root) : chooseTable(tree.root, which)
  const table = found === undefined ? undefined : tableAt(found)
  return table === undefined ? undefined : readGrid(table)
}

const columnsOf = (names: ReadonlyArray<string>): FieldSet =>
  names.map((name) => [
    name,
    [{ place: { kind: "column", name }, written: `column "${name}"`, type: "text", all: false }]
  ])

const isData = (name: string): boolean => !name.startsWith("@")

/**
 * Reads the rows of a page; the left side is the reason why it cannot be read. `now`: the time that relative dates refer to. `found`
 * receives the element that gave the first value of each field.
 */
export const readRows = (
  page: ParsedPage,
  specification: Specification,
  now: number,
  found?: Map<string, Element>
): Either.Either<ReadonlyArray<FieldRow>, string> =>
  bounded(() => rowsOf(openPage(page, specification, now), specification, found))

const rowsOf = (page: Page, { fields, rows }: Specification, found?: Map<string, Element>): ReadonlyArray<FieldRow> => {
  const { root } = page.tree
  const rowOf = (scope: Scope, own: FieldSet): FieldRow => {
    const missing = new Map<string, Missing>()
    return { values: readFields(own, { ...scope, found }, missing), missing }
  }
  switch (rows.kind) {
    case "page":
      return [rowOf({ page, element: root }, fields ?? [])]
    case "css":
      return rows.query.all(root, maxRows).map((element) => rowOf({ page, element }, fields ?? []))
    case "table": {
      const grid = gridOf(rows, page)
      if (grid === undefined) return []
      const own = fields ?? columnsOf(grid.names)
      return scopesOfTable(grid, page).map((scope) => rowOf(scope, own))
    }
    case "list": {
      const list = readMainRecords(page.tree, page.urls)
      if (list === undefined) return []
      const own = fields ?? columnsOf(list.columns.fields)
      return list.records.map((element, at) =>
        rowOf({ page, element, cells: new Map(Object.entries(list.columns.rows[at] ?? {})) }, own)
      )
    }
    case "data":
      return itemsOf(rows.type, page)
        .slice(0, maxRows)
        .map((value) =>
          fields === undefined
            ? { values: Object.fromEntries(Object.entries(value).filter(([name]) => isData(name))), missing: new Map() }
            : rowOf({ page, element: root, item: { type: rows.type, value } }, fields)
        )
  }
}

const itemsOf = (type: string, { items, product }: Page): ReadonlyArray<Item> => {
  const found = allOfType(items(), type)
  return found.length > 0 || !isProduct(type) ? found : [product() ?? []].flat()
}

/** The value of a field below an element of a prepared page; undefined if it is missing or unreadable. */
export const readField = (page: Page, element: Element, sources: ReadonlyArray<FieldSource>): unknown =>
  Either.getOrUndefined(
    bounded(() => readFields([["field", sources]], { page, element }, new Map()).field ?? undefined)
  )

/** The text of the first element that matches a selector; the left side is the reason why the page cannot be searched. */
export const readFirst = (html: string, query: Query): Either.Either<string | undefined, string> =>
  bounded(() => {
    const found = query.first(parseTree(html).root)
    return found === undefined ? undefined : readText(found)
  })

/**
 * Reads embedded data of a page at a path like `Product.sku`: a text, a number or an object; the left side is the reason why this
 * failed.
 */
export const readData = (html: string, path: string): Either.Either<unknown, string> =>
  bounded(() => {
    const tree = parseTree(html)
    const urls = new PageUrls(tree, undefined, true)
    const items = lazily(() => readItems(tree, urls))
    const [value] = valuesInPage(path, { items, product: () => productItem(tree, urls, items()) })
    return isObject(value) ? value : (value ?? undefined)
  })
