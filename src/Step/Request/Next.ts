/**
 * Pages of an API: makes the request for the next page, and detects the end.
 *
 * - `link` and `url` give the address of the next page, `cursor` gives a value to send, `page` and `offset` count.
 * - A place is plain JSON, saved with the rows before it: a resumed run requests the page that follows them.
 * - A server that leads back to a page already read causes an error, never a loop; if that page has no rows, or with `stop: same`, the
 *   read just ends. Each place is compared with one remembered place (Brent's algorithm), so one saved value finds a cycle of any length.
 *   If pages are counted, the rows of a page are compared with those of the first and of the previous page.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { grouped } from "../../Api/Grouped.ts"
import type { Bindings } from "../../Row/Expression.ts"
import { sha256 } from "../../Row/Hash.ts"
import { JsonValue } from "../../Row/SavedValue.ts"
import type { Json } from "../../Row.ts"
import { scrub } from "../../Telemetry/Redaction.ts"
import { expressionFailed } from "../Field.ts"
import { StepError } from "../StepError.ts"
import { AnswerExpression, whatIsMissing } from "./AnswerExpression.ts"
import { leadsTo, nextLink } from "./Headers.ts"

const Where = {
  param: Schema.optional(Schema.NonEmptyString).annotations({
    description: "Query parameter for the cursor, page number or offset."
  }),
  body: Schema.optional(Schema.NonEmptyString).annotations({
    description:
      "Path in the JSON body for the cursor, page number or offset, such as `variables.after`; in place of `param`."
  })
}

const onePlace = ({ body, param }: { readonly body?: string | undefined; readonly param?: string | undefined }) =>
  (body === undefined) !== (param === undefined) || "needs param or body, to say where it is sent"

const Stop = {
  stop: Schema.optional(Schema.Literal("empty", "total", "same")).annotations({
    description:
      "Where the pages end. empty (the default): at a page without rows. total: when as many rows have come as `total` says. same: at a page with the same rows as the page before or the first page; these rows are left out."
  }),
  total: Schema.optional(AnswerExpression).annotations({
    description:
      "Total number of rows. Pages end once that many rows have come. If pages are empty before that, they end with a warning. The first answer must have it; later ones may leave it out."
  })
}

const totalIfAsked = ({ stop, total }: { readonly stop?: string | undefined; readonly total?: unknown }) =>
  stop !== "total" ||
  total !== undefined || {
    path: ["stop"],
    message:
      "also set `total`, an expression that reads the total number of rows from the response, like total: meta.count"
  }

const WholeNumber = Schema.Int.annotations({ description: "a whole number" })

/** Maximum pages of a read without its own limit; after that it fails. */
const maxPages = 100_000

export const Next = Schema.Struct({
  link: Schema.optional(Schema.NonEmptyString.annotations({ description: "a relation, usually next" })).annotations({
    description: "Follows the header `Link` (RFC 8288) with this relation, usually `next`."
  }),
  url: Schema.optional(AnswerExpression).annotations({
    description: "Address of the next page, as an expression over the answer; the pages end where it gives nothing."
  }),
  cursor: Schema.optional(
    Schema.Struct({
      ...Where,
      from: Schema.propertySignature(AnswerExpression).annotations({
        description:
          "The cursor of the next page; the pages end where it gives nothing, null, false or an empty string."
      }),
      start: Schema.optional(Schema.Union(Schema.String, Schema.Number)).annotations({
        description: "Cursor of the first page, such as `*`; without it the first request has none."
      })
    }).pipe(Schema.filter(onePlace))
  ).annotations({ description: "Sends a value of each answer with the next request." }),
  page: Schema.optional(
    Schema.Struct({
      ...Where,
      start: Schema.optionalWith(WholeNumber, { default: () => 1 }).annotations({
        description: "Number of the first page; 1 by default."
      }),
      ...Stop
    }).pipe(Schema.filter(onePlace), Schema.filter(totalIfAsked))
  ).annotations({ description: "Counts pages." }),
  offset: Schema.optional(
    Schema.Struct({
      ...Where,
      start: Schema.optionalWith(WholeNumber, { default: () => 0 }).annotations({
        description: "Offset of the first page; 0 by default."
      }),
      by: Schema.optional(
        Schema.Int.pipe(Schema.positive()).annotations({ description: "a whole number of at least 1" })
      ).annotations({
        description: "Number by which the offset grows from page to page; by default the number of rows of the page."
      }),
      ...Stop
    }).pipe(Schema.filter(onePlace), Schema.filter(totalIfAsked))
  ).annotations({ description: "Counts rows." }),
  pages: Schema.optional(
    Schema.Int.pipe(Schema.between(1, 100_000_000)).annotations({ description: "a whole number of at least 1" })
  ).annotations({
    description: `Maximum number of pages to read, with a warning if there are more. Without it, a read of more than ${grouped(maxPages)} pages fails.`
  })
}).pipe(
  Schema.filter(({ pages: _, ...ways }) => {
    const given = Object.entries(ways).flatMap(([name, value]) => (value === undefined ? [] : [name]))
    return (
      given.length === 1 ||
      `needs one of link, url, cursor, page and offset${given.length > 1 ? `, not ${given.join(" and ")}` : ""}`
    )
  })
)
export type Next = typeof Next.Type

/** What distinguishes the next request: its address, or the value that is sent with it. */
const Ask = Schema.Struct({ url: Schema.optional(Schema.String), value: Schema.optional(JsonValue) })
export type Ask = typeof Ask.Type

/** Cursor: the page to read next. */
export const Place = Schema.Struct({
  ask: Ask,
  /** Number of pages before this one (`page`), and of the rows of those pages (`rows`). */
  page: Schema.Number,
  rows: Schema.Number,
  /** Number of rows of this page already returned. */
  given: Schema.Number,
  /** Hashes of the previous page's rows and of the first page's. */
  before: Schema.optional(Schema.String),
  first: Schema.optional(Schema.String),
  /** The last total that an answer gave. */
  total: Schema.optional(Schema.Number),
  /** True if the previous page had no rows although the total says that there are more. */
  empty: Schema.optional(Schema.Literal(true)),
  /** Number of rows of the previous page, if they are fewer than `offset.by`. */
  short: Schema.optional(Schema.Number),
  /** Hash of the remembered place, and the page number at which another one replaces it. */
  mark: Schema.optional(Schema.Struct({ hash: Schema.String, until: Schema.Number }))
})
export type Place = typeof Place.Type

/** Facts about a response that decide the next page. */
export interface Answered {
  /** Address of the response, for messages and relative addresses. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** Number of rows of the page, and a hash that distinguishes them from those of another page. */
  readonly count: number
  readonly hash: () => string
  readonly bindings: Bindings
  /** Query parameters that authenticate the request. */
  readonly keys: ReadonlyArray<string>
}

/** How a read continues after a page. */
export interface Following {
  /** Next page; undefined at the end. */
  readonly place: Place | undefined
  /** True if the page repeats the previous or the first one (`stop: same`): its rows are left out. */
  readonly repeated?: boolean
  /** Set if the read ended before the list did: a reason code, and the text of the warning. */
  readonly cut?: { readonly reason: "limit" | "unknown"; readonly why: string } | undefined
  /** Why the first page may not be the last, although nothing leads to another one. */
  readonly doubt?: string | undefined
}

export const firstPlace = (next: Next | undefined): Place => {
  const start = next?.cursor?.start ?? next?.page?.start ?? next?.offset?.start
  return { ask: start === undefined ? {} : { value: start }, page: 0, rows: 0, given: 0 }
}

const looped = (url: string, what: string) =>
  new StepError({ reason: "PageRepeated", scope: "step", message: `${url}: ${what}` })

/** Warning about a page with rows behind one that had fewer rows than the offset grew by. Some services filter their pages afterwards. */
const skippedAt = ({ offset }: Next, { page, short }: Place, { count, url }: Answered): string | undefined =>
  offset?.by === undefined || short === undefined || count === 0
    ? undefined
    : `${url}: page ${page} had ${short} of ${offset.by} rows (next.offset.by) and was not the last. If the service sends at most ${short} a page, rows are skipped: leave out by`

const evaluate = (expression: typeof AnswerExpression.Type, { bindings, body }: Answered) =>
  Effect.mapError(expression.evaluate(body, bindings), expressionFailed)

/** Number of a total; services send it as a string, too. */
const totalOf = (value: unknown): number | undefined => {
  const total = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  return typeof total === "number" && Number.isFinite(total) ? total : undefined
}

/** Total of all rows, from this answer or an earlier one; undefined without `total`. */
const totalAt = ({ offset, page }: Next, { total: known }: Place, answered: Answered) =>
  Effect.gen(function* () {
    const expression = (page ?? offset)?.total
    if (expression === undefined) return undefined
    const written = yield* evaluate(expression, answered)
    const total = totalOf(written)
    // The largest total counts, because some services give 0 beside an empty list.
    if (total !== undefined) return answered.count === 0 ? Math.max(known ?? 0, total) : total
    // Some services give it on the first page only, and something else beside an empty list.
    if (answered.count === 0 || (known !== undefined && (written ?? undefined) === undefined)) return known
    const message = `${answered.url}: total gives ${JSON.stringify(written) ?? "nothing"}, which is not a number: correct the expression (${expression.source}), or remove total and let an empty page end the list (stop: empty)`
    return yield* new StepError({ reason: "PageInvalid", scope: "step", message })
  })

/** End at a page without rows, or that does not exist, although the total says that there are more rows. */
const endBeforeTotal = ({ page, rows, total = 0 }: Place, what = "has no rows"): Following => ({
  place: undefined,
  cut: {
    reason: "unknown",
    why: `page ${page + 1} ${what}, and only ${grouped(rows)} of ${grouped(total)} rows have come, so rows may be missing. If total is wrong, remove it: then the first empty page ends the list (stop: empty)`
  }
})

/** Status codes with which APIs answer for a page after the last one. */
const pastTheEnd: ReadonlySet<number> = new Set([404, 410, 416])

/**
 * Treats a 404, 410 or 416 for a counted page after the first as the end of the list. The failure stands for any other status, and where
 * a total says that there are more rows, unless the previous page was empty, too. Without a total it warns, because the service may just
 * have failed.
 */
export const endAt = (next: Next | undefined, place: Place, error: StepError): Following | StepError => {
  const { empty, page, rows, total } = place
  const { status = 0 } = error
  const isCounted = next?.page !== undefined || next?.offset !== undefined
  if (isCounted && page > 0 && total === undefined && status === 400) {
    const message = `${error.message}. If page ${page + 1} is behind the last one, set total, like $headers."x-wp-total"`
    return new StepError({ ...error, message })
  }
  if (!isCounted || page === 0 || !pastTheEnd.has(status)) return error
  if (total === undefined) {
    const doubt = `page ${page + 1} answered ${status}, which was read as the end of the list. If the API gives a total, set total in next, so that this can be checked`
    return { place: undefined, doubt }
  }
  if (rows >= total) return { place: undefined }
  return empty === true ? endBeforeTotal(place, `answered ${status}`) : error
}

const waysToEnd = {
  cursor: "correct cursor.from, so that it gives nothing behind the last page",
  url: "correct next.url, so that it gives nothing behind the last page",
  link: "check next.link"
} as const

/** Request for the next page. Nothing at the end; `missing` if the response does not say whether it is the last page. */
const askNext = (
  next: Next,
  { ask, rows: before }: Place,
  answered: Answered,
  total: number | undefined
): Effect.Effect<Ask | "missing" | undefined, StepError> =>
  Effect.gen(function* () {
    const { count, headers, keys, url } = answered
    const { cursor, link, offset, page, url: address } = next
    if (link !== undefined || address !== undefined) {
      const found =
        address === undefined ? nextLink(headers.link ?? "", link ?? "") : yield* evaluate(address, answered)
      if (found === undefined) return "missing"
      if (found === null || found === "" || found === false) return undefined
      const to = typeof found === "string" ? leadsTo(found, url, keys) : undefined
      if (to !== undefined) return { url: to }
      const message = `${url}: the next page is ${scrub(JSON.stringify(found)).slice(0, 200)}, which is not a web address (http:// or https://): ${waysToEnd[address === undefined ? "link" : "url"]}`
      return yield* new StepError({ reason: "PageInvalid", scope: "step", message })
    }
    if (cursor !== undefined) {
      const value = yield* evaluate(cursor.from, answered)
      if (value === undefined) return "missing"
      return value === null || value === "" || value === false ? undefined : { value: value as Json }
    }
    const counted = page ?? offset
    if (counted === undefined) return undefined
    if (total === undefined ? count === 0 : before + count >= total) return undefined
    const value = Number(ask.value)
    return { value: page === undefined ? value + (offset?.by ?? count) : value + 1 }
  })

/** Warns that a first page with rows has nothing that leads to the next page: the definition may name the wrong field. */
const doubtOf = ({ cursor, link, url: address }: Next, { page }: Place, answered: Answered): string | undefined => {
  const { count, headers, url } = answered
  if (page > 0 || count === 0) return undefined
  const expression = cursor?.from ?? address
  const only = "so it was read as the only page"
  if (link !== undefined && headers.link === undefined)
    return `${url}: the answer has no header Link, ${only} (next.link)`
  if (expression === undefined) return undefined
  const missing = whatIsMissing(expression, answered)
  const name = cursor === undefined ? "next.url" : "next.cursor.from"
  return (
    missing &&
    `${url}: ${name} (${expression.source}) gives nothing, ${only}: ${missing}. If the API leaves it out of its last page, write ${expression.source} ?? null`
  )
}

const keyOf = (ask: Ask): string => sha256(JSON.stringify([ask.url, ask.value]))

/** The page after one that was read. */
export const follow = (
  next: Next | undefined,
  place: Place,
  answered: Answered
): Effect.Effect<Following, StepError> => {
  if (next === undefined) return Effect.succeed({ place: undefined })
  const skipped = skippedAt(next, place, answered)
  const found = pageAfter(next, place, answered)
  return skipped === undefined ? found : Effect.map(found, (following) => ({ doubt: skipped, ...following }))
}

const pageAfter = (next: Next, place: Place, answered: Answered): Effect.Effect<Following, StepError> =>
  Effect.gen(function* () {
    const { count, url } = answered
    const counted = next.page ?? next.offset
    // If the API itself names the next page, equal rows mean nothing: addresses and cursors are compared below.
    const hash = count === 0 || counted === undefined ? undefined : answered.hash()
    const same = hash === place.before ? "the page before" : "the first page"
    if (hash !== undefined && (hash === place.before || hash === place.first)) {
      if (counted?.stop === "same") return { place: undefined, repeated: true }
      return yield* looped(
        url,
        `page ${place.page + 1} has the same rows as ${same}: if the API ignores ${counted?.param ?? counted?.body}, correct the name; if it answers like this after its last page, set stop: same`
      )
    }
    const by = next.offset?.by
    const total = yield* totalAt(next, place, answered)
    const isEmpty = count === 0 && total !== undefined && place.rows < total
    if (isEmpty && (place.empty === true || (next.page === undefined && by === undefined)))
      return endBeforeTotal({ ...place, total })
    const ask = yield* askNext(next, place, answered, total)
    if (ask === undefined) return { place: undefined }
    if (ask === "missing") return { place: undefined, doubt: doubtOf(next, place, answered) }
    const page = place.page + 1
    const key = keyOf(ask)
    const isBack = key === place.mark?.hash || key === keyOf(place.ask)
    if (isBack) {
      // Some services keep repeating the last cursor on pages without rows.
      if (count === 0) return { place: undefined }
      const { cursor } = next
      const way = cursor !== undefined ? "cursor" : next.url !== undefined ? "url" : "link"
      const isZero = cursor !== undefined && Number(ask.value) === 0
      const zero = `. If 0 ends the list, write from: ${cursor?.from.source} = ${JSON.stringify(ask.value)} ? null : ${cursor?.from.source}`
      const named =
        cursor === undefined ? "" : `, and check the name ${cursor.param ?? cursor.body}${isZero ? zero : ""}`
      return yield* looped(
        url,
        `page ${page} leads back to a page that was read, so the pages would never end: ${waysToEnd[way]}${named}`
      )
    }
    if (next.pages !== undefined && page >= next.pages) {
      const why = `the list was read up to page ${page} (next.pages), and there are more`
      return { place: undefined, cut: { reason: "limit", why } }
    }
    if (next.pages === undefined && page >= maxPages) {
      return yield* looped(url, `more than ${grouped(maxPages)} pages: set next.pages to the number of pages to read`)
    }
    const { mark } = place
    return {
      place: {
        ask,
        page,
        rows: place.rows + count,
        given: 0,
        before: hash ?? place.before,
        first: place.first ?? hash,
        total,
        empty: isEmpty ? true : undefined,
        short: by !== undefined && count > 0 && count < by ? count : undefined,
        mark: mark === undefined || page >= mark.until ? { hash: key, until: Math.max(2, page * 2) } : mark
      }
    }
  })
