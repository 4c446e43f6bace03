/** Asks one provider after the other, for each source, until one answers; says who did, and what was lost. */
import type * as SqlError from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Unavailable } from "../../Api/Errors.ts"
import { type Settled, settle } from "../../Api/Field.ts"
import { requestFields, type SearchRequest, type SearchResponse } from "../../Api/Search.ts"
import { catalogue } from "../../Settings.ts"
import { bits, locate } from "./Place.ts"
import { ProviderFailure } from "./Provider/Exchange.ts"
import type { Hit, Source, Wish } from "./Provider.ts"
import { type Asked, Providers } from "./ProviderSettings.ts"
import * as Query from "./Query.ts"
import { SearchIndex } from "./SearchIndex.ts"

type Data = SearchResponse["data"]
export type Answer = Pick<SearchResponse, "data" | "warning">
type Request = Settled<typeof requestFields>

/** What came of one source. */
interface Outcome {
  readonly data: Data
  readonly lines: ReadonlyArray<string>
  readonly failures: ReadonlyArray<ProviderFailure>
  readonly answered: boolean
}

const sourcesOf = (request: Request) =>
  request.sources.map((item) =>
    typeof item === "string"
      ? { type: item, limit: request.limit, tbs: request.tbs, location: request.location, item }
      : { ...item, limit: item.limit ?? request.limit, item }
  )

type Item = ReturnType<typeof sourcesOf>[number]

const namesOf = (categories: Request["categories"]) =>
  categories.map((category) => (typeof category === "string" ? category : category.type))

const wishOf = (request: Request, { limit, location, tbs, type }: Item, now: number): Wish => ({
  source: type,
  limit,
  clauses: Query.parse(request.query),
  period: Query.parsePeriod(tbs, now),
  tbs,
  location,
  country: request.country?.toUpperCase() ?? (location === undefined ? "US" : undefined),
  countryAsked: request.country !== undefined,
  categories: namesOf(request.categories),
  includeDomains: request.includeDomains ?? [],
  excludeDomains: request.excludeDomains ?? []
})

const dataOf = (source: Source, hits: ReadonlyArray<Hit>, { categories }: Wish): Data => {
  if (hits.length === 0) return {}
  const kindOf = ({ url }: Hit) => {
    const { kinds } = locate(url)
    // One that was asked for by the query alone is of that kind, whatever its address looks like.
    const category = categories.find((name) => (kinds & bits[name]) !== 0) ?? categories[0]
    return category === undefined ? {} : { category }
  }
  switch (source) {
    case "web":
      return {
        web: hits.map((hit, at) => ({
          url: hit.url,
          title: hit.title,
          description: hit.description,
          position: at + 1,
          ...kindOf(hit)
        }))
      }
    case "images":
      return {
        images: hits.map(({ height, imageUrl, title, url, width }, at) => ({
          title,
          imageUrl: imageUrl ?? url,
          ...(width === undefined ? {} : { imageWidth: width }),
          ...(height === undefined ? {} : { imageHeight: height }),
          url,
          position: at + 1
        }))
      }
    case "news":
      return {
        news: hits.map((hit, at) => ({
          title: hit.title,
          snippet: hit.description,
          url: hit.url,
          ...(hit.date === undefined ? {} : { date: hit.date }),
          ...(hit.imageUrl === undefined ? {} : { imageUrl: hit.imageUrl }),
          position: at + 1,
          ...kindOf(hit)
        }))
      }
  }
}

const unique = (lines: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(lines)]

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const late = (provider: string, milliseconds: number) => () =>
  new ProviderFailure({ provider, reason: `it did not answer within ${Math.round(milliseconds)} ms` })

const noneLeft = (failures: ReadonlyArray<ProviderFailure>, silent: boolean) => {
  const waits = failures.flatMap(({ retryAfter }) => retryAfter ?? [])
  return new Unavailable({
    error: silent
      ? `Nobody may be asked: with enterprise zdr only the local index is, and ${catalogue.searchProviders.env} does not name it. Add local there.`
      : `No search provider answered. ${unique(failures.map(({ message }) => sentence(message))).join(" ")} Add local to ${catalogue.searchProviders.env} to search what was gathered here instead.`,
    code: "SEARCH_UNAVAILABLE",
    ...(waits.length === 0 ? {} : { retryAfter: Math.min(...waits) })
  })
}

/** Answers a request; the deadline is in milliseconds since 1970. */
export const search = Effect.fn("Chain.search")(function* (
  teamId: string,
  asked: SearchRequest,
  deadline: number
): Effect.fn.Return<Answer, SqlError.SqlError | Unavailable, SearchIndex> {
  const index = yield* SearchIndex
  const all = yield* Providers
  const request = settle(requestFields, asked)
  const clauses = Query.parse(request.query)
  const unkept = request.enterprise?.includes("zdr") === true
  const chain = unkept ? all.filter(({ name }) => name === "local") : all
  if (chain.length === 0) return yield* noneLeft([], true)
  const isLocal = chain.every(({ name }) => name === "local")
  // Words that say nothing are told of by the index; nobody else is bothered with them.
  if (isLocal || clauses.length === 0) {
    const answer = yield* index.search(teamId, asked)
    const skipped = all.filter((link) => !chain.includes(link)).map(({ name }) => name)
    if (skipped.length === 0) return answer
    const line = `Not asked, because nobody knows what they keep: ${skipped.join(", ")}.`
    return { ...answer, warning: [answer.warning, line].filter((text) => text !== undefined).join(" ") }
  }

  const askOne = (link: Asked, item: Item, last: boolean) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (!("provider" in link)) {
        const answer = yield* index.search(teamId, { ...asked, sources: [item.item] as typeof request.sources })
        return { data: answer.data, lines: answer.warning == null ? [] : [answer.warning] }
      }
      const wish = wishOf(request, item, now)
      // A provider that hangs leaves time for the next one.
      const share = last ? deadline - now : (deadline - now) / 2
      const found = yield* Effect.timeoutFail(link.ask(wish), {
        duration: Math.max(1, share),
        onTimeout: late(link.name, share)
      })
      const { hits, trouble, unmet } = found
      return {
        data: dataOf(item.type, hits, wish),
        lines: [
          ...(unmet.length === 0 ? [] : [`Not honoured by ${link.name}: ${unique(unmet).join(", ")}.`]),
          ...(trouble === undefined ? [] : [sentence(trouble)])
        ]
      }
    })

  const goDown = Effect.fnUntraced(function* (item: Item) {
    const failures: Array<ProviderFailure> = []
    const able = chain.filter((link) => !("provider" in link) || link.provider.sources.includes(item.type))
    for (const [at, link] of able.entries()) {
      const outcome = yield* Effect.catchTag(askOne(link, item, at === able.length - 1), "ProviderFailure", (failure) =>
        Effect.succeed(failure)
      )
      if (outcome instanceof ProviderFailure) {
        failures.push(outcome)
        yield* Effect.logWarning(`a search provider did not answer: ${outcome.message}`)
        continue
      }
      const { data, lines } = outcome
      const told = failures.map(({ message }) => sentence(message))
      const who = failures.length === 0 ? [] : [`${sentence(`${link.name} answered instead`)}`]
      return { data, lines: [...told, ...who, ...lines], failures, answered: true } satisfies Outcome
    }
    const lines =
      able.length === 0
        ? [`No provider that is set has ${item.type}.`]
        : failures.map(({ message }) => sentence(message))
    return { data: {}, lines, failures, answered: able.length === 0 } satisfies Outcome
  })

  const outcomes = yield* Effect.forEach(sourcesOf(request), goDown, { concurrency: 3 })
  if (outcomes.every(({ answered }) => !answered))
    return yield* noneLeft(
      outcomes.flatMap(({ failures }) => failures),
      false
    )
  const data: Data = Object.assign({}, ...outcomes.map((outcome) => outcome.data))
  const lines = [
    ...outcomes.flatMap((outcome) => outcome.lines),
    ...(Object.keys(data).length === 0 && outcomes.every(({ lines }) => lines.length === 0) ? ["Nothing found."] : [])
  ]
  return { data, ...(lines.length === 0 ? {} : { warning: unique(lines).join(" ") }) }
})
