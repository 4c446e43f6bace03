/** Queries a search provider page by page until enough results match the request. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Trace from "../../Telemetry/Trace.ts"
import { ProviderFailure } from "./Provider/Exchange.ts"
import type { Call, Hit, Provider, SourceRequest } from "./Provider.ts"
import { resultFilter, writeQuery } from "./ProviderQuery.ts"

export interface ProviderResults {
  readonly hits: ReadonlyArray<Hit>
  /** Parts of the request that the provider does not support. */
  readonly unmet: ReadonlyArray<string>
  /** Error that occurred after the first results. */
  readonly trouble: string | undefined
}

export type SendCall = (provider: string, base: string, call: Call) => Effect.Effect<unknown, ProviderFailure>

/** Location, country and time filters that the provider does not support. */
const unmetOf = (provider: Provider, request: SourceRequest, undated: boolean): ReadonlyArray<string> => {
  const takes = provider.locationSupport(request)
  const timed = provider.timeFilter(request).exact
  return [
    ...(request.location !== undefined && !takes.location ? ["location"] : []),
    ...(request.countryAsked && !takes.country ? ["country"] : []),
    ...(timed || !undated ? [] : ["tbs for results without a date"]),
    ...(request.period.newestFirst && !provider.sortsByDate ? ["sbd (only these results were sorted)"] : [])
  ]
}

const newestFirst = (hits: ReadonlyArray<Hit>): ReadonlyArray<Hit> =>
  [...hits].sort((one, other) => (other.published ?? 0) - (one.published ?? 0))

const requestedResults = (request: SourceRequest): number =>
  (request.categories.length > 0 || request.clauses.length > 1 ? 3 : 1) * request.limit

/** Reports a limit that is higher than the number of results the provider can return. */
const missingResults = (
  { pages, pageSize }: Provider,
  { limit, source }: SourceRequest,
  seen: number
): ReadonlyArray<string> => {
  const most = pages(source) * pageSize(source)
  return seen >= most && most < limit ? [`limit ${limit} (the maximum is ${most} results)`] : []
}

/** Returns the results of a provider, up to the limit of the request. */
export const ask = (exchange: SendCall) =>
  Trace.fn("Remote.ask")(function* (provider: Provider, request: SourceRequest) {
    const { base, name } = provider
    const { text, unmet } = writeQuery(request, provider)
    const { exact } = provider.timeFilter(request)
    const fits = resultFilter(request, provider.operators, exact)
    const size = Math.min(provider.pageSize(request.source), Math.max(10, requestedResults(request)))
    const seen = new Set<string>()
    const hits: Array<Hit> = []
    let trouble: string | undefined
    for (let page = 0; page < provider.pages(request.source) && hits.length < request.limit; page++) {
      const asked = provider.call(request, { text, page, size })
      const outcome = yield* Effect.either(
        Effect.gen(function* () {
          const body = yield* exchange(name, base, asked)
          const read = provider.read(request.source, body, yield* Clock.currentTimeMillis)
          return read ?? (yield* new ProviderFailure({ provider: name, reason: "its answer does not match its API" }))
        })
      )
      if (Either.isLeft(outcome)) {
        if (page === 0) return yield* outcome.left
        trouble = `${outcome.left.message}; the results are incomplete`
        break
      }
      const { hits: found, more, trouble: said } = outcome.right
      if (said !== undefined) {
        if (page === 0 && found.length === 0) return yield* new ProviderFailure({ provider: name, reason: said })
        trouble = `${name}: ${said}`
      }
      const fresh = found.filter((hit) => {
        const key = request.source === "images" ? `${hit.url} ${hit.imageUrl}` : hit.url
        return seen.has(key) ? false : seen.add(key) !== undefined
      })
      hits.push(...fresh.filter(fits))
      if (!more || fresh.length === 0) break
    }
    const kept = (request.period.newestFirst && !provider.sortsByDate ? newestFirst(hits) : hits).slice(
      0,
      request.limit
    )
    const undated = kept.some(({ published }) => published === undefined)
    return {
      hits: kept,
      unmet: [...unmet, ...unmetOf(provider, request, undated), ...missingResults(provider, request, seen.size)],
      trouble
    } satisfies ProviderResults
  })
