/** `urls`: gives addresses from a list, a file, a sitemap or the pages of a list on the web. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { PageUrl } from "../Api/Field.ts"
import { SiteMap } from "../Client/Map.ts"
import { Scrape } from "../Client/Scrape.ts"
import { compileNext } from "../Html/NextLink.ts"
import { bounded, parseQuery } from "../Html/Select.ts"
import { canonicalUrl } from "../Row/Url.ts"
import * as Step from "../Step.ts"
import { ofFile } from "./Access.ts"
import { call, pageKey, paid } from "./Call.ts"
import * as Cost from "./Cost.ts"
import * as Estimate from "./Estimate.ts"
import { notWebAddress } from "./Field.ts"
import { reasonOf } from "./Incomplete.ts"
import { compile, Next, pagesAtMost, pagingObjections, readPage } from "./Paging.ts"
import { Encoding } from "./Read/Encoding.ts"
import { open } from "./Read/Input.ts"
import { gapIn, type RowBatch } from "./Read/RowReader.ts"
import { linesOf } from "./Read/Rows.ts"
import * as Need from "./Requirements.ts"
import { countedBatches, type SourceRow } from "./SavedState.ts"

const List = Schema.Array(PageUrl)

const From = Schema.Union(
  Schema.Struct({
    file: Schema.propertySignature(
      Schema.String.annotations({ description: "a text file with one address on each line" })
    ).annotations({ description: "Reads the addresses of a file." }),
    encoding: Schema.optional(Encoding).annotations({
      description: "Encoding of the file, like windows-1252 or utf-16le; utf-8 by default."
    })
  }),
  Schema.Struct({
    sitemap: Schema.propertySignature(
      PageUrl.annotations({ description: "a site, whose sitemaps are read, or one sitemap" })
    ).annotations({ description: "Reads the addresses of a site's sitemaps, or of one sitemap file." })
  }),
  Schema.Struct({
    list: Schema.propertySignature(PageUrl.annotations({ description: "the first page of a list" })).annotations({
      description: "Reads the pages of a list, as `next` leads from one to the other."
    }),
    next: Schema.propertySignature(Next).annotations({
      description: "A CSS selector of the link to the next page, or another way to find it; as in `scrape`."
    }),
    links: Schema.optional(Schema.NonEmptyString).annotations({
      description:
        "CSS selector of links on these pages: the addresses of the links are the rows; without `links`, the addresses of the pages."
    })
  })
)

const pageCost = Cost.page("scrape", { formats: ["rawHtml"] })

const cost = (fields: Need.Fields): Cost.Cost =>
  fields === undefined || Need.mapping(fields).sitemap !== undefined
    ? Cost.one("map")
    : Need.mapping(fields).list !== undefined
      ? pageCost
      : []

export const urls = Step.make({
  key: "urls",
  summary:
    "Gives addresses as rows with the field `url`: a literal list, the lines of a file, a site's sitemap, or the pages of a list with the links on them. A line that is not a web address is a failed row.",
  example: "urls: [https://example.com/a, https://example.com/b]",
  config: Schema.Union(List, From),
  reads: (fields) => (Array.isArray(fields) || typeof fields === "string" ? [] : ofFile("file")(fields)),
  needs: (fields) => [...Need.listing(fields), ...Need.reaching("sitemap", "list")(fields)],
  objections: (fields) => {
    const { links } = Need.mapping(fields)
    const wrong = typeof links === "string" && !links.includes("${{") ? parseQuery(links) : undefined
    return [
      ...pagingObjections(fields),
      ...(wrong !== undefined && Either.isLeft(wrong) ? [{ path: ["links"], message: wrong.left }] : [])
    ]
  },
  cost,
  // If a value of the run replaces all fields, it may turn out to be a sitemap.
  service: (fields) =>
    typeof fields === "string" || Need.mapping(fields).sitemap !== undefined
      ? { request: "POST /v2/map", documented: false }
      : Need.mapping(fields).list !== undefined
        ? { request: "POST /v2/scrape", documented: false }
        : undefined,
  estimate: (given) => {
    const { links, list, next } = Need.mapping(given.config)
    if (list !== undefined) {
      const pages = Estimate.times(given.times, { least: 1, most: pagesAtMost(next) })
      const rows = links === undefined ? pages : Estimate.times(given.times, Estimate.upTo(given.wanted))
      return { requests: pages, pages, rows, buys: Estimate.bought(given.cost, pages) }
    }
    if (given.listing !== undefined || Need.mapping(given.config).sitemap === undefined)
      return Estimate.listedRows(given)
    return Estimate.requestPerRead({ ...given, wanted: Math.min(mostLinks, given.wanted ?? mostLinks) })
  },
  list: (config, { folder, wanted }) => {
    if (Array.isArray(config)) return Effect.succeed(listingOf(config.slice(0, wanted)))
    const { encoding, file } = Need.mapping(config)
    return typeof file === "string" && file !== "-"
      ? Effect.map(readLines(file, folder, typeof encoding === "string" ? encoding : undefined), (lines) =>
          listingOf(lines.slice(0, wanted))
        )
      : Effect.succeed(undefined)
  },
  behaviour: {
    kind: "source",
    read: (config, context, begin) => {
      if ("list" in config) return readList(config, context, begin)
      return Stream.unwrap(
        Effect.gen(function* () {
          // A list that may change is read only once: a resumed run continues the list that it started with.
          const kept: Listing | Links =
            "file" in config
              ? yield* context.once({ name: "list" }, () => numbered(config.file, config.encoding, context))
              : "sitemap" in config
                ? yield* context.once(
                    {
                      name: "list",
                      buys: { cost: () => Cost.one("map") },
                      book: () => ({ credits: undefined })
                    },
                    (key) => readSitemap(config.sitemap, key)
                  )
                : config
          const found = "links" in kept ? kept.links : kept
          if ("sitemap" in config) yield* judgeSitemap(context, config.sitemap, kept)
          const wanted = found.slice(0, context.wanted)
          const place = "file" in config ? config.file : "sitemap" in config ? config.sitemap : "the list"
          return countedBatches(begin, wanted.map(rowOf(place)), wanted.length)
        })
      )
    }
  }
})

type List = Extract<typeof From.Type, { readonly list: string }>

/** Addresses of a list's pages, or of links on them, page by page. */
const readList = ({ links, list, next }: List, context: Step.Context, { from }: Step.Begin) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const client = yield* Scrape
      const compiled = yield* compile(next)
      const find =
        links === undefined
          ? undefined
          : yield* Either.mapLeft(
              compileNext(links),
              (message) => new Step.StepError({ reason: "InvalidFields", message, scope: "step" })
            )
      const ask = (url: string, name: string | undefined) =>
        paid((key) => call(client.run({ url, formats: ["rawHtml"] }, key)), pageKey(url), pageCost, context, name)
      return Stream.unfoldEffect(from, (at) =>
        at === null
          ? Effect.succeedNone
          : Effect.gen(function* () {
              const { cursor, failure, page, place } = yield* readPage(
                { start: { url: list, number: 1 }, next: compiled, ask, at },
                context
              )
              const parsed = page?.parsed
              const found =
                page === undefined
                  ? []
                  : find === undefined
                    ? [place.url]
                    : parsed === undefined
                      ? []
                      : Either.getOrElse(
                          bounded(() => find(parsed)),
                          () => []
                        )
              if (find !== undefined && page !== undefined && found.length === 0)
                yield* context.warnOnce("links", `${place.url} has no links that match ${links}`)
              const rows = found.map((url) => ({ data: { url }, key: canonicalUrl(url) }))
              const failed = { data: { url: place.url, list }, key: pageKey(place.url) }
              if (failure !== undefined) yield* context.incomplete("failed")
              const failures: ReadonlyArray<Step.Failure> = failure === undefined ? [] : [[failed, failure]]
              return Option.some([{ rows, failures, cursor, dropsAnswers: true }, cursor] as const)
            })
      )
    })
  )

/** Line that is not a web address, with its number. Plain JSON, stored with the addresses for a resume. */
interface Stray {
  readonly line: number
  readonly text: string
}

const isPageUrl = Schema.is(PageUrl)

/** Makes a row from an address, or a failed row from a line or link that is not one. */
const rowOf =
  (place: string) =>
  (found: string | Stray, position: number): SourceRow => {
    if (typeof found === "string" && isPageUrl(found)) {
      return { data: { url: found }, key: canonicalUrl(found), position }
    }
    const { line, text } = typeof found === "string" ? { line: undefined, text: found } : found
    const where = line === undefined ? `a link of ${place}` : `${place}, line ${line},`
    const data = { url: text, file: place, ...(line === undefined ? {} : { line }) }
    return [{ data, key: `${place}:${line ?? text}`, position }, notWebAddress(where, text)]
  }

/** Lines of a file without empty ones and comments; lines that are not web addresses have their numbers. */
const numbered = (file: string, encoding: string | undefined, context: Step.Context) =>
  Effect.gen(function* () {
    const lines = yield* addressLines(file, context.folder, encoding, (batch) =>
      Effect.zipRight(
        Effect.forEach(batch.warnings, ({ matter, message }) => context.warnOnce(matter, message), { discard: true }),
        gapIn(batch) === "unread" ? context.incomplete("unread") : Effect.void
      )
    )
    if (lines.length === 0) {
      yield* context.warnOnce("empty", `${file} has no addresses`)
      yield* context.incomplete("blank")
    }
    return lines.map(({ line, text }): string | Stray => (isPageUrl(text) ? text : { line, text }))
  })

/** Like {@link numbered}, but gives all lines as text. */
const readLines = (file: string, folder: string, encoding: string | undefined) =>
  Effect.map(addressLines(file, folder, encoding), (lines) => lines.map(({ text }) => text))

const addressLines = (
  file: string,
  folder: string,
  encoding: string | undefined,
  note?: (batch: RowBatch) => Effect.Effect<void>
) =>
  Effect.gen(function* () {
    const input = yield* open(file, folder)
    const batches = yield* Stream.runCollect(linesOf(input, encoding, note))
    return Array.from(batches).flatMap(({ rows }) =>
      rows.flatMap(({ data, position = 0 }): ReadonlyArray<Stray> => {
        const text = String(data.text).trim()
        return text === "" || text.startsWith("#") ? [] : [{ line: position, text }]
      })
    )
  })

/** Listing of the rows that addresses will become; has keys only if every address is a literal. */
const listingOf = (urls: ReadonlyArray<unknown>): Estimate.Listing => ({
  count: urls.length,
  keys: urls.every((url) => typeof url === "string") ? urls.map((url) => canonicalUrl(url) ?? url) : undefined
})

/** Maximum addresses that the service returns from a sitemap. */
const mostLinks = 100_000

type Links = ReadonlyArray<string | Stray>

/** Links that a service found in the sitemaps of a site. Plain JSON; version 0.1 stored only the links. */
interface Listing {
  readonly links: ReadonlyArray<string>
  /** Why addresses may be missing, if the service says so. */
  readonly leftOut: ReadonlyArray<string>
}

/** Marks the step as incomplete if addresses may be missing: a site that lists nothing may have lost its sitemap. */
const judgeSitemap = (context: Step.Context, site: string, kept: Listing | Links) =>
  Effect.gen(function* () {
    const { leftOut, links } = "links" in kept ? kept : { leftOut: [], links: kept }
    if (leftOut.length > 0) {
      yield* context.warnOnce("sitemap", `a sitemap of ${site} could not be read: addresses may be missing`)
      yield* Effect.forEach(leftOut, (why) => context.incomplete(reasonOf(why)), { discard: true })
    }
    if (links.length === 0) {
      yield* context.warnOnce(
        "empty",
        `${site} has no sitemap with addresses: check whether its robots.txt names one, and give the address of that file`
      )
      yield* context.incomplete("empty")
    }
    if (links.length >= mostLinks) yield* context.incomplete("limit")
  })

const readSitemap = (url: string, idempotencyKey: string) =>
  Effect.gen(function* () {
    const client = yield* SiteMap
    const { leftOut = [], links } = yield* call(
      client.run({ url, sitemap: "only", ignoreQueryParameters: false, limit: mostLinks }, { idempotencyKey })
    )
    return { links: links.map((link) => (typeof link === "string" ? link : link.url)), leftOut } satisfies Listing
  })
