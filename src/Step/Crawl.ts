/** `crawl`: gives the pages of a site as rows while the crawl runs. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { fullEvery, startFields } from "../Api/Crawl.ts"
import { CrawlParams } from "../Api/CrawlParams.ts"
import { PageUrl } from "../Api/Field.ts"
import { linkWays } from "../Api/Paging.ts"
import { fields as pageFields } from "../Api/ScrapeOptions.ts"
import { Crawl } from "../Client/Crawl.ts"
import { DurationText } from "../Row/Amount.ts"
import * as Step from "../Step.ts"
import { sendable } from "./Access.ts"
import * as Cost from "./Cost.ts"
import * as Estimate from "./Estimate.ts"
import { perRow } from "./Field.ts"
import { documentsIn, jobRows } from "./JobRows.ts"
import { loadFields, loadObjections, withLoading } from "./LoadMore.ts"
import { asMember, without } from "./Login.ts"
import { pagingObjections } from "./Paging.ts"
import * as Requirements from "./Requirements.ts"
import { start } from "./ResumableJob.ts"

const { origin: _, integration: __, webhook: ___, ...fields } = startFields

/** Options of each page, including those that need a browser. */
const PageOptions = Schema.Struct({ ...pageFields, ...loadFields })

/** Default number of days after which a page is visited again. */
const defaultDays = 7

const Revisit = Schema.Union(
  Schema.Literal("all", "changed"),
  Schema.Struct({
    atLeast: Schema.optional(DurationText).annotations({
      description: `A page is visited again at the latest when its last visit is this long ago; ${defaultDays}d by default.`
    }),
    atMost: Schema.optional(DurationText).annotations({
      description:
        "A page is not visited again until its last visit is this long ago, unless its sitemap shows a change; no limit by default."
    }),
    fullEvery: Schema.optional(Schema.Int.pipe(Schema.between(1, fullEvery.max))).annotations({
      description: `One run out of this many visits all pages, to find changes that the others have missed; ${fullEvery.default} by default.`
    })
  }).pipe(
    Schema.filter(({ atLeast = Duration.days(defaultDays), atMost }) =>
      atMost === undefined || Duration.lessThan(atMost, atLeast)
        ? true
        : { path: ["atMost"], message: "atMost must be shorter than atLeast: a page could never be visited" }
    )
  )
).annotations({ description: "all, changed, or { atLeast: 7d, fullEvery: 10 }" })

/** Revisit option for the engine; undefined to visit every page, which is the default unless rows are compared with earlier runs. */
const revisitOf = (
  revisit: typeof Revisit.Type | undefined,
  { isCompared, state }: Pick<Step.Context, "isCompared" | "state">
) => {
  const own = revisit ?? (isCompared && state.active ? "changed" : "all")
  if (own === "all") return undefined
  const {
    atLeast = Duration.days(defaultDays),
    atMost,
    fullEvery: every = fullEvery.default
  } = own === "changed" ? {} : own
  return {
    atLeast: Math.round(Duration.toMillis(atLeast)),
    ...(atMost === undefined ? {} : { atMost: Math.round(Duration.toMillis(atMost)) }),
    fullEvery: every
  }
}

/** Cost of one page; a definition may leave the scrape options to `params`. */
const cost = (fields: Requirements.Fields): Cost.Cost => {
  const { params, scrapeOptions } = Requirements.mapping(fields)
  return Cost.page("crawlPage", scrapeOptions ?? Requirements.mapping(params).scrapeOptions)
}

/** Explains the refusal of a service that does not support `next`. */
const withoutLists = (error: Step.StepError): Step.StepError =>
  error.reason === "InvalidRequest"
    ? new Step.StepError({
        ...error,
        message: `${error.message}. next works only with Sluice's own engine: with other services, read the list with urls: { list, next }`
      })
    : error

export const crawl = Step.make({
  key: "crawl",
  summary: "Starts a crawl and gives its pages as rows while it runs; fields written here win over `params`.",
  example: `crawl:
  url: https://example.com/docs
  limit: 100
  scrapeOptions: { formats: [markdown, links] }`,
  config: Schema.Struct({
    ...fields,
    scrapeOptions: Schema.optional(PageOptions).annotations({ description: "How each page is scraped." }),
    url: Schema.optional(perRow(PageUrl)).annotations({
      description: "Address where the crawl starts; without it, the one in params."
    }),
    revisit: Schema.optional(Revisit).annotations({
      description: `Which pages of earlier runs are visited again; only the local engine can leave some out. all: every page. changed: leaves out pages unchanged according to their sitemap or earlier visits; they count as unchanged, and are free. { atLeast, atMost, fullEvery }: like changed, with other limits. Default: changed if a step below compares with earlier runs (dedupe with across: runs), otherwise all.`
    }),
    params: Schema.optional(
      CrawlParams.annotations({ description: "crawl parameters, usually of a crawlPreview" })
    ).annotations({
      description: "Parameters that apply where the step sets none, usually `${{ steps.ID.output }}` of a crawlPreview."
    }),
    login: without
  }).pipe(
    Schema.filter((config) =>
      config.url === undefined && config.params?.url == null ? "needs a url, in the step or in params" : true
    )
  ),
  needs: (fields) => [
    // Optional, because it is not known before the run whether the service is Sluice's own, which supports `next`.
    ...(Requirements.mapping(fields).next === undefined
      ? []
      : [{ ability: "lists" as const, path: ["next"], what: "`next`", optional: true as const }]),
    ...Requirements.within("scrapeOptions", fields, Requirements.scrapingMany),
    ...Requirements.reaching("url")(fields)
  ],
  cost,
  service: { request: "POST /v2/crawl", documented: false },
  estimate: ({ config, cost, crawlLimit, times, wanted }) => {
    const { limit, params } = Requirements.mapping(config)
    const isOpen = [config, limit, limit ?? params].includes(Estimate.open)
    const ownLimit = Estimate.numberOf(limit) ?? Estimate.numberOf(Requirements.mapping(params).limit) ?? crawlLimit
    const known = isOpen ? undefined : ownLimit
    const pages = Estimate.times(times, Estimate.upTo(known === undefined ? wanted : Math.min(known, wanted ?? known)))
    return { requests: times, pages, rows: pages, buys: Estimate.bought(cost, pages) }
  },
  nouns: { request: "job" },
  headers: ["scrapeOptions", "headers"],
  formatsAt: ["scrapeOptions", "formats"],
  takesOwnFormat: () => true,
  objections: (fields) => [
    ...pagingObjections(fields, Object.keys(linkWays)),
    ...Requirements.within("scrapeOptions", fields, (options) => [
      ...Requirements.unknownFormats(options),
      ...loadObjections(options)
    ])
  ],
  behaviour: {
    kind: "source",
    pages: true,
    drains: true,
    read: ({ login, params, revisit, url, ...own }, context, { from: cursor, row }) =>
      Stream.unwrapScoped(
        Effect.gen(function* () {
          const client = yield* Crawl
          const from = row ?? { data: {} }
          const address = url === undefined ? params?.url : yield* url.of(from, context.bindings(from))
          yield* sendable(address ?? "", context)
          const asked = row === undefined ? [] : [row]
          const { scrapeOptions: written, ...rest } = own
          const given = written === undefined ? undefined : withLoading(written)
          const scrapeOptions = yield* asMember(given ?? {}, login, context)
          const hasOptions = given !== undefined || scrapeOptions.profile !== undefined
          const request = { ...params, ...rest, ...(hasOptions ? { scrapeOptions } : {}) }
          const revisits = revisitOf(revisit, context)
          const { limit } = request
          const wanted = Math.min(limit ?? fields.limit.defaultValue, context.wanted ?? Number.POSITIVE_INFINITY)
          const job = yield* start(
            {
              begin: (options, pages) => {
                // Without its own limit, the crawl keeps the service's default, unless fewer pages are wanted or affordable.
                const own = limit === undefined && pages >= fields.limit.defaultValue ? {} : { limit: pages }
                return client.start({ ...request, ...own, url: address ?? "" }, { ...options, revisit: revisits })
              },
              cancel: client.cancel,
              status: (id) => client.status(id, { limit: 1 }),
              cost: cost(request),
              pages: wanted
            },
            context
          ).pipe(Effect.mapError((error) => (request.next === undefined ? error : withoutLists(error))))
          yield* Effect.logDebug(`${context.id}: crawl ${job.id} of ${address}`)
          if (revisit !== undefined && revisits !== undefined && job.started.revisits !== true) {
            yield* context.warnOnce(
              "revisit",
              "the service does not say which pages have changed, so every page is read: remove revisit, or use the local engine"
            )
          }
          const isLimited = job.pages < job.wanted
          // Includes the pages read before a resume.
          let pages = yield* documentsIn(context, cursor)
          let refusal: Step.StepError | undefined
          return jobRows(
            {
              job,
              pages: (position) => client.pages(job.id, { from: position }),
              errors: client.errors(job.id),
              bounds: {
                // Pages that the budget left out are reported as cut by the budget instead.
                limit: isLimited ? undefined : wanted,
                hasDepth: request.maxDiscoveryDepth !== undefined || request.maxDepth !== undefined
              },
              askedBy: () => asked,
              usedUp: (error) => {
                refusal = error
              }
            },
            context,
            cursor
          ).pipe(
            // If the budget made the crawl smaller and it has reached that size, it has left pages out.
            Stream.tap((batch) => {
              pages += batch.pages?.length ?? 0
              return isLimited && pages >= job.pages ? context.cut : Effect.void
            }),
            Stream.concat(Stream.suspend(() => (refusal === undefined ? Stream.empty : Stream.fail(refusal))))
          )
        })
      )
  }
})
