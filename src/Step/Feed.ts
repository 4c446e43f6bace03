/** `feed`: gives entries of RSS, Atom and JSON feeds as rows. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Document } from "../Api/Document.ts"
import { PageUrl } from "../Api/Field.ts"
import { grouped } from "../Api/Grouped.ts"
import { fields as scrapeFields } from "../Api/ScrapeOptions.ts"
import { Scrape } from "../Client/Scrape.ts"
import type { Row } from "../Row.ts"
import * as Step from "../Step.ts"
import { sendable } from "./Access.ts"
import { call, pageKey, paid } from "./Call.ts"
import * as Cost from "./Cost.ts"
import * as Estimate from "./Estimate.ts"
import { perRow } from "./Field.ts"
import * as Requirements from "./Requirements.ts"
import { decodeState } from "./SavedState.ts"

const { headers, maxAge, proxy, skipTlsVerification, timeout } = scrapeFields

const mostEntries = 100_000

const Limit = Schema.Int.pipe(Schema.between(1, mostEntries)).annotations({
  description: `a whole number from 1 to ${grouped(mostEntries)}`
})

const Config = Schema.Struct({
  url: Schema.optional(perRow(PageUrl)).annotations({
    description: "Address of a feed, or of an HTML page that names its feed."
  }),
  urls: Schema.optional(
    Schema.NonEmptyArray(PageUrl).annotations({ description: "an array of web addresses" })
  ).annotations({ description: "Addresses of several feeds, in place of `url`." }),
  limit: Schema.optionalWith(Limit, { default: () => 10_000 }).annotations({
    description: "Maximum number of entries of each feed, in the order of the feed."
  }),
  discover: Schema.optionalWith(Schema.Boolean, { default: () => true }).annotations({
    description: 'Reads the first feed that an HTML page names in `<link rel="alternate">`.'
  }),
  headers,
  timeout,
  skipTlsVerification,
  proxy,
  maxAge
})

/** Maximum feeds to read at once. */
const together = 4

/** Maximum rows in a batch. */
const rowsPerBatch = 1_000

const cost = Cost.one("scrape")

/** Current feed, number of its rows already returned, and number of rows of all feeds. */
const Place = Schema.Struct({ feed: Schema.Number, given: Schema.Number, total: Schema.Number })

const decodePlace = decodeState(Place)

const countOf = (fields: unknown): Estimate.Count => {
  const { urls } = Requirements.mapping(fields)
  return urls === Estimate.open
    ? Estimate.some(Estimate.upTo(undefined))
    : Estimate.exactly(Math.max(1, Requirements.list(urls).length))
}

const sites = (fields: unknown): ReadonlyArray<unknown> => {
  const { url, urls } = Requirements.mapping(fields)
  return [url, ...Requirements.list(urls)]
}

const needs = (fields: unknown): ReadonlyArray<Requirements.Need> => [
  ...Requirements.scraping(fields),
  ...Requirements.reaching("url")(fields),
  ...Requirements.within("urls", fields, Requirements.listing)
]

/** Rows of a feed, and failures if it cannot be read. */
interface Entries {
  readonly rows: ReadonlyArray<Row>
  readonly failures: ReadonlyArray<Step.Failure>
}

const notFeed = (url: string, why: string) =>
  new Step.StepError({ reason: "NotAFeed", message: `${url} is neither RSS nor Atom nor JSON Feed: ${why}` })

export const feed = Step.make({
  key: "feed",
  summary:
    "Gives the entries of RSS, Atom and JSON feeds as rows, in the order of the feed; a feed that cannot be read is a failed row.",
  example: `feed:
  url: https://example.com/blog/feed.xml`,
  config: Config.pipe(
    Schema.filter(({ url, urls }) => {
      if (url === undefined && urls === undefined) return "needs a url, or urls"
      return url === undefined || urls === undefined || { path: ["urls"], message: "give either url or urls" }
    })
  ),
  needs,
  headers: ["headers"],
  // An address that is not a literal is known only with its row.
  sites: (fields) => (sites(fields).some((url) => typeof url === "object" && url !== null) ? "rows" : undefined),
  cost: () => cost,
  service: { request: "POST /v2/scrape", documented: false },
  estimate: ({ config, cost, times, wanted }) => {
    const feeds = Estimate.times(times, countOf(config))
    const limit = Estimate.numberOf(Requirements.mapping(config).limit) ?? 10_000
    const rows = Estimate.atMost(Estimate.times(feeds, Estimate.upTo(limit)), wanted)
    return { requests: feeds, pages: feeds, rows, buys: Estimate.bought(cost, feeds) }
  },
  note: "an HTML page that names its feed needs one more request",
  behaviour: {
    kind: "source",
    pages: true,
    read: ({ discover, limit, url, urls, ...options }, context, { from, row }) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const client = yield* Scrape
          const { feedsOf, read, rowsOf } = yield* Effect.promise(() => import("./Feed/FeedReader.ts"))
          const incoming = row ?? { data: {} }
          const addresses = urls ?? (url === undefined ? [] : [yield* url.of(incoming, context.bindings(incoming))])
          const place = yield* Either.match(decodePlace(context, from), {
            onLeft: Effect.fail,
            onRight: Effect.succeed
          })
          const start = place ?? { feed: 0, given: 0, total: 0 }
          const wanted = context.wanted ?? Number.POSITIVE_INFINITY

          const get = (address: string, name: string, headers: typeof options.headers) =>
            paid(
              (key) => call(client.run({ ...options, headers, formats: ["rawHtml"], url: address }, key)),
              pageKey(address),
              cost,
              context,
              name
            )

          const readDocument = (document: Document, address: string) => {
            const { statusCode, url } = document.metadata ?? {}
            if (typeof statusCode === "number" && statusCode >= 400) {
              const message = `${address}: the site answered ${statusCode}`
              return new Step.StepError({ reason: "HttpError", status: statusCode, message })
            }
            const at = url ?? address
            const text = document.rawHtml ?? ""
            return Effect.map(read(text, at, Math.min(limit, wanted)), (feed) => ({ feed, text, at }))
          }

          /** Feed at an address, or the one that the page there links to. */
          const find = Effect.fnUntraced(function* (address: string, position: number) {
            yield* sendable(address, context)
            const { headers } = options
            const first = yield* Effect.flatMap(get(address, `feed-${position}`, headers), (document) =>
              readDocument(document, address)
            )
            if (!("unreadable" in first.feed)) return { at: address, feed: first.feed }
            const [named] = discover ? feedsOf(first.text, first.at) : []
            if (named === undefined) {
              const links = discover ? ', and no <link rel="alternate"> names a feed' : ""
              return yield* notFeed(address, `${first.feed.unreadable}${links}`)
            }
            // Headers are meant for the site that the definition names, so a feed on another site does not get them.
            const ofSite = new URL(named).origin === new URL(address).origin ? headers : undefined
            const second = yield* Effect.flatMap(get(named, `named-${position}`, ofSite), (document) =>
              readDocument(document, named)
            )
            if ("unreadable" in second.feed)
              return yield* notFeed(named, `${second.feed.unreadable}; ${address} names it as its feed`)
            return { at: named, feed: second.feed }
          })

          const entriesOf = (position: number): Effect.Effect<Entries, Step.StepError> => {
            const address = addresses[position] ?? ""
            return find(address, position).pipe(
              Effect.tap(({ at, feed }) =>
                feed.isDamaged
                  ? Effect.zipRight(
                      context.warnOnce(
                        `damaged ${address}`,
                        `${at} is damaged or ends in the middle: it gives the entries that could be read`
                      ),
                      context.incomplete("unread")
                    )
                  : Effect.void
              ),
              Effect.map(({ at, feed }): Entries => ({ rows: rowsOf(address, at, feed, row?.data), failures: [] })),
              Effect.catchIf(
                ({ _tag, scope }) => _tag === "StepError" && scope === "row",
                (error) => {
                  const failed: Step.Failure = [
                    { data: { url: address }, key: pageKey(address), source: row?.data },
                    error
                  ]
                  return Effect.succeed({ rows: [], failures: [failed] })
                }
              )
            )
          }

          // Entries that have left the feed since the last run may still exist, so no row counts as gone.
          yield* context.incomplete("latest")
          return Stream.range(start.feed, addresses.length - 1).pipe(
            Stream.mapEffect((position) => Effect.map(entriesOf(position), (entries) => ({ ...entries, position })), {
              concurrency: context.wanted === undefined ? together : 1
            }),
            Stream.mapAccum(start.total, (total, { failures, position, rows }) => {
              const skipped = position === start.feed ? start.given : 0
              const left = rows.slice(skipped, skipped + Math.max(0, wanted - total))
              const batches: Array<Step.Batch> = []
              for (let at = 0; at < left.length; at += rowsPerBatch) {
                const some = left.slice(at, at + rowsPerBatch)
                const given = skipped + at + some.length
                const cursor = { feed: position, given, total: total + at + some.length }
                batches.push({ rows: some, cursor, expected: at === 0 && skipped === 0 ? left.length : undefined })
              }
              const cursor = { feed: position + 1, given: 0, total: total + left.length }
              const last = batches.pop()
              // The cursor of the last batch begins the next feed, so that a resume does not read this one again.
              batches.push(last === undefined ? { rows: [], failures, cursor } : { ...last, failures, cursor })
              return [cursor.total, batches] as const
            }),
            Stream.takeUntil((batches) =>
              batches.some(({ cursor }) => (Requirements.mapping(cursor).total as number) >= wanted)
            ),
            Stream.mapConcat((batches) => batches)
          )
        })
      )
  }
})
