/** Queries a search provider page by page until enough results match the request. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { ProviderFailure } from "./Provider/Exchange.ts"
import type { Call, Hit, Provider, Wish } from "./Provider.ts"
import { sieve, write } from "./ProviderQuery.ts"

export interface Found {
  readonly hits: ReadonlyArray<Hit>
  /** Parts of the request that the provider does not support. */
  readonly unmet: ReadonlyArray<string>
  /** Error that occurred after the first results. */
  readonly trouble: string | undefined
}

export type Exchange = (provider: string, base: string, call: Call) => Effect.Effect<unknown, ProviderFailure>

/** Location, country and time filters that the provider does not support. */
const unmetOf = (provider: Provider, wish: Wish, undated: boolean): ReadonlyArray<string> => {
  const takes = provider.places(wish)
  const timed = provider.timing(wish).exact
  return [
    ...(wish.location !== undefined && !takes.location ? ["location"] : []),
    ...(wish.countryAsked && !takes.country ? ["country"] : []),
    ...(timed || !undated ? [] : ["tbs for results without a date"]),
    ...(wish.period.newestFirst && !provider.sorts ? ["sbd (only these results were sorted)"] : [])
  ]
}

const newestFirst = (hits: ReadonlyArray<Hit>): ReadonlyArray<Hit> =>
  [...hits].sort((one, other) => (other.published ?? 0) - (one.published ?? 0))

const tooMuch = (wish: Wish): number => (wish.categories.length > 0 || wish.clauses.length > 1 ? 3 : 1) * wish.limit

/** Reports a limit that is higher than the number of results the provider can return. */
const ended = ({ pages, pageSize }: Provider, { limit, source }: Wish, seen: number): ReadonlyArray<string> => {
  const most = pages(source) * pageSize(source)
  return seen >= most && most < limit ? [`limit ${limit} (it gives ${most} results at most)`] : []
}

/** Returns the results of one provider, up to the limit of the request. */
export const ask = (exchange: Exchange) =>
  Effect.fn("Remote.ask")(function* (provider: Provider, wish: Wish) {
    const { base, name } = provider
    const { text, unmet } = write(wish, provider)
    const { exact } = provider.timing(wish)
    const fits = sieve(wish, provider.operators, exact)
    const size = Math.min(provider.pageSize(wish.source), Math.max(10, tooMuch(wish)))
    const seen = new Set<string>()
    const hits: Array<Hit> = []
    let trouble: string | undefined
    for (let page = 0; page < provider.pages(wish.source) && hits.length < wish.limit; page++) {
      const asked = provider.call(wish, { text, page, size })
      const outcome = yield* Effect.either(
        Effect.gen(function* () {
          const body = yield* exchange(name, base, asked)
          const read = provider.read(wish.source, body, yield* Clock.currentTimeMillis)
          return (
            read ??
            (yield* new ProviderFailure({ provider: name, reason: "its answer has another form than its API says" }))
          )
        })
      )
      if (Either.isLeft(outcome)) {
        if (page === 0) return yield* outcome.left
        trouble = `${outcome.left.message}; these are the results until then`
        break
      }
      const { hits: found, more, trouble: said } = outcome.right
      if (said !== undefined) {
        if (page === 0 && found.length === 0) return yield* new ProviderFailure({ provider: name, reason: said })
        trouble = `${name}: ${said}`
      }
      const fresh = found.filter((hit) => {
        const key = wish.source === "images" ? `${hit.url} ${hit.imageUrl}` : hit.url
        return seen.has(key) ? false : seen.add(key) !== undefined
      })
      hits.push(...fresh.filter(fits))
      if (!more || fresh.length === 0) break
    }
    const kept = (wish.period.newestFirst && !provider.sorts ? newestFirst(hits) : hits).slice(0, wish.limit)
    const undated = kept.some(({ published }) => published === undefined)
    return {
      hits: kept,
      unmet: [...unmet, ...unmetOf(provider, wish, undated), ...ended(provider, wish, seen.size)],
      trouble
    } satisfies Found
  })
