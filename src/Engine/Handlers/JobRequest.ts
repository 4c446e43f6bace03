/** Converts requests that start a job, in either API version, to the spec and the pages of the job. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Team } from "../../Api/Auth.ts"
import type { BatchRequest, BatchRequestV1 } from "../../Api/BatchScrape.ts"
import type { CrawlRequest, CrawlRequestV1 } from "../../Api/Crawl.ts"
import * as CrawlParams from "../../Api/CrawlParams.ts"
import { BadRequest } from "../../Api/Errors.ts"
import { type Settled, settle } from "../../Api/Field.ts"
import { whyNotOne } from "../../Api/Paging.ts"
import * as ScrapeOptions from "../../Api/ScrapeOptions.ts"
import { nextTurn } from "../../Callback/EventLoop.ts"
import { compileNext } from "../../Html/NextLink.ts"
import { Logins } from "../Fetch/Logins.ts"
import type { Spec, Version } from "../Jobs/JobRecord.ts"
import { type Address, compile, type Params, parse } from "../Jobs/LinkRule.ts"
import type { FoundPage } from "../Jobs/PageOutcome.ts"
import * as Plan from "../Scrape/Plan.ts"
import { fromV1, invalid, loginOf } from "../ScrapeOptions.ts"

type Options = Settled<typeof ScrapeOptions.fields>

const pick = (fields: object, value: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([key, item]) => key in fields && item !== undefined))

/**
 * Lets the pages of a job share the cookies of a profile as a login, because only one browser at a time could use the profile's storage.
 */
const withLogin = <A extends { readonly profile?: Options["profile"] }>(options: A): A => {
  const { profile } = options
  return profile === undefined || profile.name.startsWith(ScrapeOptions.loginPrefix)
    ? options
    : { ...options, profile: { ...profile, name: ScrapeOptions.loginPrefix + profile.name } }
}

/** Returns the scrape options among the fields of a v2 request. */
export const readOptions = (request: object | undefined): Options =>
  withLogin(settle(ScrapeOptions.fields, pick(ScrapeOptions.fields, request ?? {})))

/** Returns the scrape options of a v1 request, converted to v2. */
export const readOptionsV1 = (request: object | undefined): Options =>
  readOptions(fromV1(pick(ScrapeOptions.fieldsV1, request ?? {})))

/** Returns the scrape options that the request sets explicitly, under their v2 names. */
export const namedOptions = (version: Version, request: object): object =>
  version === 2
    ? withLogin(pick(ScrapeOptions.fields, request))
    : pick(ScrapeOptions.fields, fromV1(pick(ScrapeOptions.fieldsV1, request)))

/** Applies zero data retention if the request or its scrape options ask for it. */
export const withRetention = (
  request: { readonly zeroDataRetention?: boolean | undefined },
  options: Options
): Options => (request.zeroDataRetention === true ? { ...options, zeroDataRetention: true } : options)

/** Refuses unsupported options and missing profiles when the job starts, rather than on each page. */
export const refuseUnsupported = (options: Options) =>
  Effect.gen(function* () {
    yield* Plan.makeForMany(options)
    const login = loginOf(options)
    if (login === undefined) return
    const logins = yield* Logins
    yield* Effect.mapError(logins.find((yield* Team).id, login), ({ error }) => invalid("profile", error))
  })

/** Keeps the query of batch URLs, and merges no similar URLs. */
const exact = { ignoreQueryParameters: false, deduplicateSimilarURLs: false }

/** Maximum faults listed in an answer, and maximum characters of a quoted value. */
const [maxFaults, maxValueLength] = [100, 500]

const asPage = (address: Address): FoundPage => ({ address, depth: 0 })

/** Number of URLs parsed before the fiber yields. */
const urlsAtOnce = 5_000

/** Parses the URLs of a batch. */
export const readUrls = Effect.fnUntraced(function* (
  request: Pick<BatchRequest | BatchRequestV1, "urls" | "ignoreInvalidURLs">
) {
  const read: Array<{ readonly text: string; readonly address: Address | undefined }> = []
  for (const [at, text] of request.urls.entries()) {
    if (at % urlsAtOnce === urlsAtOnce - 1) yield* nextTurn
    read.push({ text, address: parse(text.trim(), exact) })
  }
  const pages = read.flatMap(({ address }) => (address === undefined ? [] : [asPage(address)]))
  const invalidURLs = read.flatMap(({ address, text }) => (address === undefined ? [text] : []))
  if (invalidURLs.length === 0 || (request.ignoreInvalidURLs !== false && pages.length > 0)) {
    return { pages, invalidURLs }
  }
  const details = read.flatMap(({ address }, at) =>
    address === undefined ? [{ path: ["urls", at], message: "Invalid URL", code: "invalid_value" }] : []
  )
  const first = invalidURLs[0]?.slice(0, maxValueLength)
  return yield* new BadRequest({
    error: `urls: "${first}" is not an absolute http:// or https:// address`,
    code: "BAD_REQUEST",
    details: details.slice(0, maxFaults)
  })
})

const sitemaps = ["skip", "include", "only"]

/** Returns the explicit parameters of a crawl, with v1 names translated. */
const readParams = (request: CrawlRequest | CrawlRequestV1): Partial<Params> => {
  const { ignoreSitemap, allowBackwardLinks } = request as Partial<CrawlRequestV1>
  return {
    ...(ignoreSitemap === true ? { sitemap: "skip" } : {}),
    ...(allowBackwardLinks === undefined ? {} : { crawlEntireDomain: allowBackwardLinks }),
    ...pick(CrawlParams.fields, request)
  }
}

/** Merges the parameters of a crawl: explicit ones take precedence over those derived from the prompt, and both over the defaults. */
export const readCrawl = (request: CrawlRequest | CrawlRequestV1, prompted: object, options: Options) =>
  Effect.gen(function* () {
    const params = settle(CrawlParams.fields, { ...pick(CrawlParams.fields, prompted), ...readParams(request) })
    if (!sitemaps.includes(params.sitemap)) {
      const message = `"${params.sitemap}" is not one of ${sitemaps.join(", ")}`
      return yield* new BadRequest({
        error: `sitemap: ${message}`,
        code: "BAD_REQUEST",
        details: [{ path: ["sitemap"], message, code: "invalid_value" }]
      })
    }
    const { next } = params
    if (next !== undefined) {
      const wrong = typeof next === "string" ? undefined : whyNotOne(next)
      yield* wrong === undefined
        ? Either.mapLeft(compileNext(next), (message) => invalid("next", message))
        : Either.left(invalid("next", wrong))
    }
    // The start URL keeps its query; `ignoreQueryParameters` applies to links.
    const start = parse(request.url.trim(), { ...params, ignoreQueryParameters: false })
    if (start === undefined) return yield* new BadRequest({ error: "url: Invalid URL", code: "BAD_REQUEST" })
    yield* Either.match(compile(params, [start.url]), { onLeft: Effect.fail, onRight: () => Effect.void })
    const spec = {
      options: next === undefined ? options : { ...options, next },
      params,
      maxConcurrency: request.maxConcurrency
    } satisfies Spec
    return { start, spec, pages: params.sitemap === "only" ? [] : [asPage(start)], seeded: params.sitemap === "skip" }
  })
