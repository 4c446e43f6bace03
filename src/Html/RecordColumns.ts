/** Columns of record lists: collects the texts at the same position in each record, and names them. */
import { readPrice } from "../Values/Price.ts"
import { hides } from "./Boilerplate.ts"
import { descendantsOf, type Element, isElement, rankOf, trimmedLength } from "./Element.ts"
import { textStart } from "./FieldText.ts"
import type { PageUrls } from "./PageUrls.ts"
import { type Inside, innerSelectorOf, wholeOf } from "./RecordSelectors.ts"

/** Source of a column as a field of the step `extract` writes it, relative to a record. */
export interface ColumnSource {
  readonly css: string
  readonly attr?: "href"
  readonly as?: "price" | "date" | "url"
}

export interface RecordColumns {
  readonly fields: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Readonly<Record<string, string>>>
  /** Sources for those columns that a simple selector can find. */
  readonly sources: Readonly<Record<string, ColumnSource>>
}

/** Text or an image of a record. */
interface Piece {
  readonly element: Element
  readonly text: string
}

interface Column {
  /** Pieces by the number of their record. */
  readonly pieces: Map<number, Piece>
  readonly isImage: boolean
}

/** Maximum pieces per record, characters per piece, columns per list, and positions that can become columns. */
const [maxPieces, maxPiece, maxColumns, maxPlaces] = [200, 2_000, 40, 2_000]

/**
 * Maximum pieces at one position of a record, such as tags, and maximum characters of a text whose elements with a class are pieces, too.
 */
const [maxRepeats, maxMixed] = [5, 160]

const words = ({ attributes }: Element): ReadonlyArray<string> =>
  (attributes.class ?? "")
    .split(/\s+/)
    .filter((word) => word !== "" && !/\d|--/.test(word))
    .slice(0, 2)

/** Part of a piece's path for one element. Empty for inline elements without a class, which some records have and others do not. */
const stepOf = (element: Element): string => {
  const own = words(element)
  return own.length === 0 && element.layout === "inline" && element.name !== "img" && element.name !== "time"
    ? ""
    : `>${[element.name, ...own].join(".")}`
}

const hasOwnText = ({ children }: Element): boolean =>
  children.some((child) => !isElement(child) && trimmedLength(child) > 0)

/** True for texts in inline elements with no white space between them: `<b>$</b><i>30</i>`. */
const isOneWord = (element: Element): boolean => {
  if (element.layout !== "inline" || element.name === "a") return false
  let pieces = 0
  for (const child of element.children) {
    if (!isElement(child)) {
      if (trimmedLength(child) !== child.length) return false
      pieces++
    } else {
      if (child.layout !== "inline" || child.name === "a" || child.name === "img" || child.children.length === 0)
        return false
      if (!child.children.every((each) => !isElement(each) && /^\S+$/.test(each))) return false
      pieces++
    }
  }
  return pieces > 1
}

const piecesOf = (record: Element, urls: PageUrls): ReadonlyArray<readonly [string, Piece, boolean]> => {
  const found: Array<readonly [string, Piece, boolean]> = []
  const seen = new Map<string, number>()
  const add = (full: string, element: Element, text: string, isImage: boolean): void => {
    if (text === "" || found.length >= maxPieces) return
    const path = full.split(">").slice(-3).join(">")
    const times = seen.get(path) ?? 0
    if (times >= maxRepeats) return
    seen.set(path, times + 1)
    found.push([times === 0 ? path : `${path}#${times}`, { element, text: text.slice(0, maxPiece) }, isImage])
  }
  const visit = (element: Element, path: string): void => {
    if (element.name === "img") {
      add(path, element, urls.image(element) ?? "", true)
      return
    }
    if (element.name === "time" && element.attributes.datetime !== undefined) {
      add(path, element, element.attributes.datetime, false)
      return
    }
    if (element.name === "meta" && element.attributes.itemprop !== undefined) {
      add(path, element, element.attributes.content ?? "", false)
      return
    }
    if (element.layout === "unseen" || hides(element)) return
    if (hasOwnText(element) || isOneWord(element)) {
      const text = textStart(element, maxPiece)
      add(path, element, text, false)
      for (const child of element.children) if (isElement(child)) parts(child, path, text.length)
      return
    }
    for (const child of element.children) if (isElement(child)) visit(child, path + stepOf(child))
  }
  /** Finds pieces within text: images and times; in short text also elements with a class. */
  const parts = (element: Element, path: string, length: number): void => {
    const { attributes, name } = element
    const isNamed = name === "a" || attributes.class !== undefined || attributes.itemprop !== undefined
    if (name === "img" || name === "time" || (isNamed && length <= maxMixed)) visit(element, path + stepOf(element))
    else for (const child of element.children) if (isElement(child)) parts(child, path, length)
  }
  visit(record, "")
  return found
}

const columnsOf = (records: ReadonlyArray<Element>, urls: PageUrls): ReadonlyArray<Column> => {
  const columns = new Map<string, Column>()
  for (const [at, record] of records.entries())
    for (const [key, piece, isImage] of piecesOf(record, urls)) {
      let column = columns.get(key)
      if (column === undefined) {
        if (columns.size >= maxPlaces) continue
        column = { pieces: new Map(), isImage }
        columns.set(key, column)
      }
      column.pieces.set(at, piece)
    }
  return [...columns.values()]
}

const around = function* (element: Element, record: Element): Iterable<Element> {
  for (let each: Element | undefined = element; each !== undefined; each = each.parent) {
    yield each
    if (each === record) return
  }
}

const linkOf = (element: Element, record: Element): Element | undefined => {
  for (const each of around(element, record)) if (each.name === "a" && each.attributes.href !== undefined) return each
  const inner = deepestLink(element)
  if (inner !== undefined) return inner
  const { parent } = record
  return parent?.name === "a" && parent.attributes.href !== undefined ? parent : undefined
}

/** The link with the longest URL, as the repository in `owner / project`. */
const deepestLink = (element: Element): Element | undefined => {
  let found: Element | undefined
  for (const each of descendantsOf(element)) {
    if (each.name !== "a" || each.attributes.href === undefined) continue
    if (found === undefined || each.attributes.href.length > (found.attributes.href ?? "").length) found = each
  }
  return found
}

const firstLink = (element: Element): Element | undefined => {
  for (const child of element.children) {
    if (!isElement(child)) continue
    const found = child.name === "a" && child.attributes.href !== undefined ? child : firstLink(child)
    if (found !== undefined) return found
  }
  return undefined
}

const namesTitle = /(?:^|[\s_-])(?:title|name|headline|heading|subject)(?=$|[\s_-])/i
const looksLikePrice = /^(?:\D{0,12}\p{Sc}\s?\d|\D{0,12}\d[\d.,\s]*\s?\p{Sc})/u
const looksLikeNumber = /^[\d\s.,:%()+#/-]+$/

/** Scores how likely a column is the title of the records. */
const titleValue = (column: Column, records: ReadonlyArray<Element>): number => {
  if (column.isImage) return 0
  const texts = new Set<string>()
  let [headings, links, named, length, plain, prices] = [0, 0, 0, 0, 0, 0]
  for (const [at, piece] of column.pieces) {
    const record = records[at]
    if (record === undefined) continue
    const { element, text } = piece
    texts.add(text)
    length += Math.min(text.length, 300)
    if (looksLikeNumber.test(text) || element.name === "time") plain++
    if (looksLikePrice.test(text)) prices++
    let [isHeading, isNamed] = [false, false]
    for (const each of around(element, record)) {
      if (each === record) break
      if (rankOf(each) > 0 || each.name === "header") isHeading = true
      if (namesTitle.test(each.attributes.class ?? "") || /^(?:name|headline)$/.test(each.attributes.itemprop ?? ""))
        isNamed = true
    }
    if (isHeading) headings++
    if (isNamed) named++
    if (linkOf(element, record) !== undefined) links++
  }
  const count = column.pieces.size
  const mean = length / count
  const share = (part: number) => part / count
  const fit = mean < 3 ? 0.1 : mean < 8 ? 0.6 : mean > 200 ? 0.3 : 1
  return (
    (count / records.length) *
    (0.2 + 0.8 * (texts.size / count)) *
    fit *
    (1 - share(plain)) *
    (1 - 0.9 * share(prices)) *
    (1 + 3 * share(headings) + 2 * share(named) + 3 * share(links) + Math.min(mean, 60) / 60)
  )
}

/** Words for page layout, and for texts that only screen readers announce. */
const layoutWord =
  /^(?:w|h|m|p|mt|mb|ml|mr|pt|pb|px|py|my|mx|u|js|wt|nds|row|col|column|container|wrapper|wrap|inner|outer|box|block|item|list|card|content|body|text|txt|flex|grid|link|btn|button|label|value|field|group|span|div|left|right|top|bottom|small|large|sm|md|lg|xl|xs|bold|font|base|clearfix|icon|sr|only|hidden|visually|screen|reader|inline|align|items|center|none|full|show|hide|border|color|fg|bg|muted|default|primary|secondary|underline|hover|data|main|meta|info|details?|wide|element|component|style|styled|rounded|gray|grey|black|white|uppercase|truncate|relative|absolute)s?$/i

/** Words of a class that describe the content, as an identifier: `product-card__price` gives `price`, `BaseText-fEwdHD` nothing. */
const wordFrom = (classes: ReadonlyArray<string>): string | undefined => {
  for (const name of classes) {
    const parts = (name.split("__").at(-1) ?? name)
      .split(/[-_]|(?<=[a-z])(?=[A-Z][a-z])/)
      .filter((part) => /^[A-Z]?[a-z]{2,}$/.test(part) && /[aeiouy]/i.test(part) && !layoutWord.test(part))
      .map((part) => part.toLowerCase())
    const last = parts.slice(-2)
    if (last.length > 0)
      return last.map((part, at) => (at === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1))).join("")
  }
  return undefined
}

/** `aggregateRating` from `https://schema.org/aggregateRating`; undefined for text that is not an identifier. */
const identifier = (name: string): string | undefined => /\w+$/.exec(name.slice(-200).trimEnd())?.[0]

const isMostly = (texts: ReadonlyArray<string>, test: (text: string) => boolean): boolean =>
  texts.filter(test).length > 0.6 * texts.length

const nameFrom = (column: Column, records: ReadonlyArray<Element>): string => {
  if (column.isImage) return "image"
  const [[at, piece] = [0, undefined]] = column.pieces
  const record = records[at]
  if (piece === undefined || record === undefined) return "text"
  if (piece.element.name === "time") return "date"
  const texts = Array.from(column.pieces.values(), ({ text }) => text)
  if (isMostly(texts, (text) => text.length < 40 && looksLikePrice.test(text))) return "price"
  for (const each of around(piece.element, record)) {
    const { itemprop } = each.attributes
    const word = itemprop === undefined ? wordFrom(words(each)) : identifier(itemprop)
    if (word !== undefined) return word
    if (each === record) break
  }
  return "text"
}

/** Minimum share of the records that must have a column. */
const minShare = 0.1

/** Number of records on which column selectors are tried. */
const maxTried = 50

interface NamedColumn extends Column {
  readonly name: string
}

/** Names the columns. Columns with the same name are merged if no record has both. */
const named = (columns: ReadonlyArray<Column>, records: ReadonlyArray<Element>): ReadonlyArray<NamedColumn> => {
  const found: Array<NamedColumn> = []
  const taken = new Set(["title", "url"])
  for (const column of columns) {
    if (column.pieces.size < minShare * records.length || found.length >= maxColumns) continue
    const base = nameFrom(column, records)
    const other = found.find(
      ({ name, pieces }) => name === base && ![...column.pieces.keys()].some((at) => pieces.has(at))
    )
    if (other !== undefined) {
      for (const [at, piece] of column.pieces) other.pieces.set(at, piece)
      continue
    }
    let name = base
    for (let number = 2; taken.has(name); number++) name = `${base}${number}`
    taken.add(name)
    found.push({ ...column, name })
  }
  return found
}

/** The texts of records as columns. The first columns are the title and URL of a record, if it has them. */
export const readColumns = (records: ReadonlyArray<Element>, urls: PageUrls): RecordColumns => {
  const columns = columnsOf(records, urls)
  const titles = columns
    .map((column) => ({ column, value: titleValue(column, records) }))
    .filter(({ value }) => value > 1)
    .toSorted((a, b) => b.value - a.value)
    .map(({ column }) => column)
  const [title] = titles
  const others = named(
    columns.filter((column) => column !== title),
    records
  )
  const links = new Map<number, Element>()
  const headings = new Map<number, Element>()
  const rows = records.map((record, at) => {
    const row: Record<string, string> = {}
    const piece = titles.find(({ pieces }) => pieces.has(at))?.pieces.get(at)
    if (piece !== undefined) {
      row.title = piece.text
      headings.set(at, piece.element)
    }
    const link = (piece === undefined ? undefined : linkOf(piece.element, record)) ?? firstLink(record)
    const url = link === undefined ? undefined : urls.resolve(link.attributes.href ?? "")
    if (link !== undefined && url !== undefined) {
      row.url = url
      links.set(at, link)
    }
    for (const { name, pieces } of others) {
      const text = pieces.get(at)?.text
      if (text !== undefined) row[name] = text
    }
    return row
  })
  const fields = [
    ...(headings.size > 0 ? ["title"] : []),
    ...(links.size > 0 ? ["url"] : []),
    ...others.map(({ name }) => name)
  ]
  return { fields, rows, sources: sourcesOf(records, headings, links, others) }
}

const sourcesOf = (
  records: ReadonlyArray<Element>,
  headings: ReadonlyMap<number, Element>,
  links: ReadonlyMap<number, Element>,
  columns: ReadonlyArray<NamedColumn>
): RecordColumns["sources"] => {
  const tried = records.slice(0, maxTried)
  const inside: Inside = tried.map(descendantsOf)
  const find = (elementOf: (at: number) => Element | undefined) =>
    innerSelectorOf(
      tried.map((_, at) => elementOf(at)),
      inside
    )
  const sources: Record<string, ColumnSource> = {}
  const headingOf = (at: number) => {
    const element = headings.get(at)
    return element === undefined ? undefined : wholeOf(element, (around) => rankOf(around) > 0)
  }
  const title = headings.size === 0 ? undefined : (find(headingOf) ?? find((at) => headings.get(at)))
  if (title !== undefined) sources.title = { css: title }
  const link = links.size === 0 ? undefined : find((at) => links.get(at))
  if (link !== undefined) sources.url = { css: link, attr: "href" }
  for (const { isImage, name, pieces } of columns) {
    const css = find((at) => pieces.get(at)?.element)
    if (css === undefined) continue
    const all = [...pieces.values()]
    const isPrice = /^price\d*$/.test(name) && all.every(({ text }) => readPrice(text) !== undefined)
    const as = isImage
      ? "url"
      : isPrice
        ? "price"
        : all.every(({ element }) => element.name === "time")
          ? "date"
          : undefined
    sources[name] = as === undefined ? { css } : { css, as }
  }
  return sources
}
