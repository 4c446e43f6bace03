/**
 * Reads the pages of a list one after the other: finds the next page, and detects the end.
 *
 * - A cursor is plain JSON, saved with the row of the previous page: a resumed run requests only the page in flight again.
 * - The hashes of all addresses read are saved, so that a list never returns to one of its pages.
 * - A page is compared with the first page and with the previous one: by its links and lines of text, or by the elements that `items`
 *   selects. Links that differ from the page only in query or fragment (other pages, other sort orders) do not count.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Document } from "../Api/Document.ts"
import { characters } from "../Api/Field.ts"
import { defaultPages, linkWays, pages, whyNotOne } from "../Api/Paging.ts"
import { type Format, formatName } from "../Api/ScrapeOptions.ts"
import { charsetIn } from "../Html/Charset.ts"
import { type Element, isElement, squeeze } from "../Html/Element.ts"
import { type ParsedPage, parsePage } from "../Html/Fields.ts"
import { textStart } from "../Html/FieldText.ts"
import { compileNext, type FindNext, isSameSite } from "../Html/NextLink.ts"
import { bounded, parseQuery, type Query } from "../Html/Select.ts"
import { sha256 } from "../Row/Hash.ts"
import { setParameter } from "../Row/Query.ts"
import type { Json, Row } from "../Row.ts"
import { type Context, StepError } from "../Step.ts"
import { documentRow, pageKey } from "./Call.ts"
import { type Fields, mapping, type Objection } from "./Requirements.ts"
import { decodeState } from "./SavedState.ts"

const selector = characters(1000, 1)
const positive = Schema.Int.pipe(Schema.positive()).annotations({ description: "a whole number of at least 1" })
const whole = Schema.Int.annotations({ description: "a whole number" })
const param = Schema.propertySignature(Schema.NonEmptyString).annotations({
  description: "Query parameter for the page number or offset."
})

const ways = [...Object.keys(linkWays), "page", "offset"]

export const Next = Schema.Union(
  selector,
  Schema.Struct({
    ...linkWays,
    page: Schema.optional(
      Schema.Struct({
        param,
        start: Schema.optionalWith(whole, { default: () => 1 }).annotations({
          description: "Number of the first page, if its address has none; 1 by default."
        })
      })
    ).annotations({ description: "Raises the page number by 1, until a page has nothing new or is a 404." }),
    offset: Schema.optional(
      Schema.Struct({
        param,
        by: Schema.propertySignature(positive).annotations({ description: "Items on a page." }),
        start: Schema.optionalWith(whole, { default: () => 0 }).annotations({
          description: "Offset of the first page, if its address has none; 0 by default."
        })
      })
    ).annotations({ description: "Raises the offset by `by`, until a page has nothing new or is a 404." }),
    items: Schema.optional(selector).annotations({
      description:
        "CSS selector of the list's items: the list ends at a page without items, or with the same items as the page before. Without `items`, links and text are compared."
    }),
    pages
  })
).annotations({ description: 'a CSS selector, { rel: next }, { label: "Next" } or { page: { param: page } }' })
export type Next = typeof Next.Type

/** Finds invalid selectors, and `next` with none or several ways to find the next page. */
export const pagingObjections = (fields: Fields, names: ReadonlyArray<string> = ways): ReadonlyArray<Objection> => {
  const { next } = mapping(fields)
  const { css, items } = mapping(next)
  const wrong = typeof next === "object" && next !== null ? whyNotOne(next, names) : undefined
  const selectors = [[next, ["next"]] as const, [css, ["next", "css"]] as const, [items, ["next", "items"]] as const]
  return [
    ...(wrong === undefined ? [] : [{ path: ["next"], message: wrong }]),
    ...selectors.flatMap(([written, path]) => {
      if (typeof written !== "string" || written.includes("${{")) return []
      const query = parseQuery(written)
      return Either.isLeft(query) ? [{ path, message: query.left }] : []
    })
  ]
}

/** Maximum pages to read; undefined if only the run knows it. */
export const pagesAtMost = (next: unknown): number | undefined => {
  if (typeof next === "string" && !next.includes("${{")) return defaultPages
  const { pages = defaultPages } = mapping(next)
  return typeof pages === "number" ? pages : undefined
}

interface Compiled {
  /** Finds the link to the next page; undefined if the address counts pages or items. */
  readonly find: FindNext | undefined
  readonly counted: { readonly param: string; readonly start: number; readonly by: number } | undefined
  readonly relation: string | undefined
  readonly items: Query | undefined
  readonly pages: number
}

export const compile = (next: Next): Either.Either<Compiled, StepError> =>
  Either.gen(function* () {
    const { items, offset, page, pages = defaultPages, ...way } = typeof next === "string" ? { css: next } : next
    const wrong = whyNotOne({ ...way, page, offset }, ways)
    if (wrong !== undefined) yield* Either.left(`next: ${wrong}`)
    const counted = offset ?? (page && { ...page, by: 1 })
    return {
      find: counted === undefined ? yield* compileNext(way) : undefined,
      counted,
      relation: way.rel?.toLowerCase(),
      items: items === undefined ? undefined : yield* parseQuery(items),
      pages
    } satisfies Compiled
  }).pipe(Either.mapLeft((message) => new StepError({ reason: "InvalidFields", message, scope: "step" })))

/** Cursor: the page to read next, and what is known about the pages before it. */
const Place = Schema.Struct({
  url: Schema.String,
  /** Other links of the previous page. They are followed if `url` turns out to have been read under another address. */
  others: Schema.Array(Schema.String),
  /** Number of the page, from 1. */
  page: Schema.Number,
  /** Hashes of the addresses read so far. */
  read: Schema.Array(Schema.String),
  /** Content hashes of the first page (`first`) and of the previous page (`before`). */
  first: Schema.Array(Schema.String),
  before: Schema.Array(Schema.String),
  /** Number of successive pages with hardly any new content: at most two lines of new text. */
  poor: Schema.Number
})
type Place = typeof Place.Type

const decodePlace = decodeState(Schema.NullOr(Place))

const hashOf = (text: string): string => sha256(text).slice(0, 10)

const addressHash = (address: string): string => hashOf(pageKey(address))

/** Maximum hashes to keep of a page. */
const maxHashes = 2_000

/** Maximum lines of new text on a page that still counts as without new content, such as "No results". */
const fewLines = 2

/** Content of a page for comparisons: hashes with their weights. */
type Shown = ReadonlyMap<string, number>

const isApart = ({ layout, name }: Element): boolean =>
  layout === "block" || name === "td" || name === "th" || name === "br" || name === "option"

/** Calls `add` with each line of text below an element. */
const eachLine = (element: Element, isRow: boolean, add: (line: string, isRow: boolean) => void): void => {
  let line = ""
  const flush = () => {
    const text = squeeze(line)
    line = ""
    // Leave out lines with only page numbers.
    if (/[^\d\s]/.test(text)) add(text, isRow)
  }
  const append = (node: Element, depth: number) => {
    for (const child of node.children) {
      if (!isElement(child)) line += child
      else if (child.layout !== "unseen") {
        if (isApart(child)) {
          flush()
          const isCells = child.name === "tr" && child.children.filter(isElement).length > 1
          if (depth > 0) eachLine(child, isRow || isCells, add)
        } else if (depth > 0) append(child, depth - 1)
      }
    }
  }
  append(element, 400)
  flush()
}

/** True for a link to the list itself: to another page of it, or to another sort order. */
const isOfList = (link: string, url: string): boolean => link.split(/[?#]/, 1)[0] === url.split(/[?#]/, 1)[0]

const shownOn = ({ tree, urls }: ParsedPage, url: string, items: Query | undefined): Shown => {
  const shown = new Map<string, number>()
  const add = (text: string, worth: number) => {
    if (shown.size < maxHashes) shown.set(hashOf(text), worth)
  }
  const enough = fewLines + 1
  if (items !== undefined) {
    for (const item of items.all(tree.root, maxHashes)) {
      add(JSON.stringify([textStart(item, 10_000), urls.links([item, ...anchorsIn(item)])]), enough)
    }
    return shown
  }
  for (const link of urls.links(tree.anchors)) if (!isOfList(link, url)) add(pageKey(link), enough)
  // One new table row is new content; a few new lines may only be a notice.
  eachLine(tree.body ?? tree.root, false, (line, isRow) => add(line, isRow ? enough : 1))
  return shown
}

const anchorsIn = (element: Element): ReadonlyArray<Element> =>
  element.children.filter(isElement).flatMap((child) => (child.name === "a" ? [child] : anchorsIn(child)))

/** Total weight of the content that is not among the known hashes. */
const worthOf = (shown: Shown, known: ReadonlyArray<string>): number => {
  const old = new Set(known)
  let worth = 0
  for (const [hash, each] of shown) if (!old.has(hash)) worth += each
  return worth
}

/** Status codes with which sites answer for a page after the last one. */
const pastTheEnd: ReadonlySet<number> = new Set([400, 404, 410, 416, 422])

/** Number of successive pages with hardly any new content ({@link fewLines}) after which a chain of links ends. */
const maxPoor = 3

/** Maximum links to keep besides the one that is followed, in case its page was already read under another address. */
const maxOthers = 20

const numberIn = (value: string | null): number | undefined =>
  value !== null && /^-?\d+$/.test(value) ? Number(value) : undefined

const countOn = (address: string, { by, param, start }: NonNullable<Compiled["counted"]>): string => {
  const url = new URL(address)
  setParameter(url, param, [String((numberIn(url.searchParams.get(param)) ?? start) + by)])
  return url.href
}

/** Page of a list. */
export interface ListPage {
  readonly document: Document
  readonly number: number
  /** Parsed HTML; undefined for a file. */
  readonly parsed: ParsedPage | undefined
}

/** Address and number of the page to start with. */
export interface Start {
  readonly url: string
  readonly number: number
}

interface ReadPage<R> {
  /** The first page; in a replay, the page that failed. */
  readonly start: Start
  readonly next: Compiled
  /** Requests a page with its `rawHtml`; `name` distinguishes the calls of one row. */
  readonly ask: (address: string, name: string | undefined) => Effect.Effect<Document, StepError, R>
  /** Cursor after the previous page. */
  readonly at: Json | undefined
}

/** Result of reading a page: the page, unless it shows nothing new, and the cursor after it; null at the end. */
interface Reading {
  readonly page: ListPage | undefined
  readonly place: Start
  readonly cursor: Json
  /** Failure of a page other than the first. */
  readonly failure?: StepError
}

/** Reads the page at the cursor, and finds the next one. A failure of the first page is raised like that of any page. */
export const readPage = <R>(
  { ask, at, next, start }: ReadPage<R>,
  context: Context
): Effect.Effect<Reading, StepError, R> =>
  Effect.gen(function* () {
    const place = (yield* decodePlace(context, at)) ?? {
      url: start.url,
      others: [],
      page: start.number,
      read: [],
      first: [],
      before: [],
      poor: 0
    }
    const { first, before, page: number, url: address } = place
    const { counted, find, items, pages, relation } = next
    const isFirst = place.read.length === 0
    const end = (page?: ListPage): Reading => ({ page, place: { url: address, number }, cursor: null })
    const repeated = (why: Effect.Effect<void>): Effect.Effect<Reading> => {
      const read = [...place.read, addressHash(address)]
      const [url, ...others] = place.others.filter((each) => !read.includes(addressHash(each)))
      return url === undefined
        ? Effect.as(why, end())
        : Effect.succeed({ ...end(), cursor: { ...place, url, others, read } })
    }
    const warn = (what: string, isComplete = false) =>
      Effect.zipRight(
        context.warnOnce(`pages of ${start.url}`, `${start.url}: ${what}`),
        isComplete ? Effect.void : context.incomplete("unknown")
      )
    // Two pages may have the same number, if the first was already read under another address: number the calls instead.
    const name = isFirst ? undefined : `page-${place.read.length}`
    const asked = yield* Effect.either(ask(address, name))
    if (Either.isLeft(asked)) {
      const error = asked.left
      if (isFirst || error.scope !== "row") return yield* error
      if (counted !== undefined && pastTheEnd.has(error.status ?? 0)) return end()
      yield* context.warnOnce(
        `pages of ${start.url}`,
        `${start.url}: page ${number} (${address}) failed, so the pages from there on are missing; a replay continues with it. To publish nothing in such a run: onError: fail`
      )
      return { ...end(), failure: error }
    }
    const document = asked.right
    const { metadata, rawHtml } = document
    if (counted !== undefined && !isFirst && pastTheEnd.has(metadata?.statusCode ?? 0)) return end()
    const landed = metadata?.url ?? address
    const isBack = landed !== address && place.read.includes(addressHash(landed))
    if (isBack && addressHash(landed) !== addressHash(address)) {
      return yield* repeated(
        counted === undefined
          ? warn(`page ${number} (${address}) redirects to ${landed}, which was read already, so the list ends there`)
          : Effect.void
      )
    }
    if (typeof rawHtml !== "string") return end({ document, number, parsed: undefined })
    const parsed = parsePage(rawHtml, landed, charsetIn(metadata?.contentType ?? undefined))
    const looked = bounded(() => ({ shown: shownOn(parsed, landed, items), found: find?.(parsed) ?? [] }))
    if (Either.isLeft(looked)) {
      return yield* new StepError({ reason: "InvalidFields", message: `${address}: next: ${looked.left}` })
    }
    const { found, shown } = looked.right
    const page: ListPage = { document, number, parsed }
    const worth = worthOf(shown, [...first, ...before])
    const isPoor = !isFirst && worth <= fewLines
    if (counted !== undefined && isPoor) {
      if (number === 2 && worth === 0 && shown.size > 0) {
        yield* warn(
          `${address} shows the same as the first page: the list has one page, or its site does not know the parameter ${counted.param}, or scripts load its items. Open the address: correct the parameter, or use scrape with scroll or waitFor`,
          true
        )
      }
      return end()
    }
    if (counted !== undefined && items !== undefined && shown.size === 0) return end(page)
    if (counted === undefined && !isFirst && worth === 0) {
      return yield* repeated(
        warn(
          `page ${number} (${address}) shows nothing new beside the first page and the one before it, so the list ends there: check next if the list continues`
        )
      )
    }
    const poor = isPoor ? place.poor + 1 : 0
    if (counted === undefined && poor >= maxPoor) {
      yield* warn(
        `the last ${maxPoor} pages, up to ${address}, show hardly anything new, so the list ends there: check next if the list continues`
      )
      return end(page)
    }
    const read = [...new Set([...place.read, addressHash(address), addressHash(landed)])]
    const header = relation === "next" && typeof metadata?.next === "string" ? [metadata.next] : []
    const candidates = counted === undefined ? [...new Set([...header, ...found])] : [countOn(address, counted)]
    const [to, ...others] = candidates.filter((each) => isSameSite(each, landed) && !read.includes(addressHash(each)))
    if (to === undefined) {
      const [only] = candidates
      // If there are several links, as in a pager, it is normal for the last page to link only to pages already read.
      if (only !== undefined && candidates.length === 1) {
        if (!isSameSite(only, landed))
          yield* warn(`page ${number} (${address}) leads to another site (${only}), so the list ends there`)
        else {
          const isSelf = addressHash(only) === addressHash(landed) || addressHash(only) === addressHash(address)
          yield* warn(
            `page ${number} (${address}) leads to ${isSelf ? "itself" : `${only}, which was read already`}, so the list ends there`,
            isSelf
          )
        }
      }
      return end(page)
    }
    if (number >= pages) {
      yield* context.warnOnce(
        `pages of ${start.url}`,
        `${start.url}: the list was read up to page ${number}, and there are more pages (${to}): raise next.pages, now ${pages.toLocaleString("en")}`
      )
      yield* context.incomplete("limit")
      return end(page)
    }
    const hashes = [...shown.keys()]
    const following: Place = {
      url: to,
      others: others.slice(0, maxOthers),
      page: number + 1,
      read,
      first: isFirst ? hashes : first,
      before: isFirst ? [] : hashes,
      poor
    }
    return { ...end(page), cursor: following }
  })

/** Adds the HTML to the formats of a page, because the next link is read from it. `extract` also reads it if `fields` has failed. */
export const withHtml = (formats: ReadonlyArray<Format> = ["markdown"]) => {
  const names = formats.map(formatName)
  return {
    formats: names.includes("rawHtml") ? formats : [...formats, "rawHtml" as const],
    isAdded: !names.includes("rawHtml") && !names.includes("fields")
  }
}

/** The page as a row, without the HTML if it was not requested. */
export const rowOf = ({ document, number }: ListPage, isAdded: boolean, extra: Omit<Row, "data" | "key">): Row => {
  const { rawHtml, ...rest } = document
  const { data, ...row } = documentRow(isAdded ? rest : document, extra)
  return { ...row, data: { ...data, metadata: { ...document.metadata, page: number } } }
}
