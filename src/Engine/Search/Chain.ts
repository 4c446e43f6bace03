/** Queries providers in order, per source, until one returns results. The warning names the provider that answered, and the failures. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Unavailable } from "../../Api/Errors.ts"
import { type Settled, settle } from "../../Api/Field.ts"
import { requestFields, type SearchRequest, type SearchResponse } from "../../Api/SearchRequest.ts"
import { catalogue } from "../../Settings.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { categoryBits, locate } from "./Place.ts"
import { ProviderFailure } from "./Provider/Exchange.ts"
import type { Hit, Source, SourceRequest } from "./Provider.ts"
import { type ChainLink, Providers } from "./ProviderSettings.ts"
import * as Query from "./Query.ts"
import { SearchIndex } from "./SearchIndex.ts"

type Data = SearchResponse["data"]
export type Answer = Pick<SearchResponse, "data" | "warning">
type Request = Settled<typeof requestFields>

/** Outcome of one source (web, news or images): its results, the lines of the warning, and the failures of providers. */
interface SourceOutcome {
  readonly data: Data
  readonly lines: ReadonlyArray<string>
  readonly failures: ReadonlyArray<ProviderFailure>
  readonly answered: boolean
}

const sourcesOf = (request: Request) =>
  request.sources.map((item) =>
    typeof item === "string"
      ? { type: item, limit: request.limit, tbs: request.tbs, location: request.location, item }
      : {
          ...item,
          limit: item.limit ?? request.limit,
          tbs: item.tbs ?? request.tbs,
          location: item.location ?? request.location,
          item
        }
  )

type Item = ReturnType<typeof sourcesOf>[number]

const namesOf = (categories: Request["categories"]) =>
  categories.map((category) => (typeof category === "string" ? category : category.type))

const sourceRequestOf = (request: Request, { limit, location, tbs, type }: Item, now: number): SourceRequest => ({
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

const dataOf = (source: Source, hits: ReadonlyArray<Hit>, { categories }: SourceRequest): Data => {
  if (hits.length === 0) return {}
  const kindOf = ({ url }: Hit) => {
    const { kinds } = locate(url)
    // Results of a search restricted to one category belong to it, whatever their address.
    const category = categories.find((name) => (kinds & categoryBits[name]) !== 0) ?? categories[0]
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

const timedOut = (provider: string, milliseconds: number) => () =>
  new ProviderFailure({ provider, reason: `it did not answer within ${Math.round(milliseconds)} ms` })

const unavailable = (failures: ReadonlyArray<ProviderFailure>, silent: boolean) => {
  const waits = failures.flatMap(({ retryAfter }) => retryAfter ?? [])
  return new Unavailable({
    error: silent
      ? `No search provider is allowed: enterprise zdr permits only the local index. Add local to ${catalogue.searchProviders.env}.`
      : `No search provider answered. ${unique(failures.map(({ message }) => sentence(message))).join(" ")} Add local to ${catalogue.searchProviders.env} to search the local index instead.`,
    code: "SEARCH_UNAVAILABLE",
    ...(waits.length === 0 ? {} : { retryAfter: Math.min(...waits) })
  })
}

/** Runs a search of a team with all requested sources. `deadline`: milliseconds since 1970. */
export const search = Trace.fn("Chain.search")(function* (
  teamId: string,
  asked: SearchRequest,
  deadline: number
): Effect.fn.Return<Answer, Unavailable, Providers | SearchIndex> {
  const index = yield* SearchIndex
  const all = yield* Providers
  const request = settle(requestFields, asked)
  const clauses = Query.parse(request.query)
  const zeroRetention = request.enterprise?.includes("zdr") === true
  const chain = zeroRetention ? all.filter(({ name }) => name === "local") : all
  if (chain.length === 0) return yield* unavailable([], true)
  const localOnly = chain.every(({ name }) => name === "local")
  // The local index answers an empty query with a warning; no provider is called for it.
  if (localOnly || clauses.length === 0) {
    const answer = yield* index.search(teamId, asked)
    const skipped = all.filter((link) => !chain.includes(link)).map(({ name }) => name)
    if (skipped.length === 0) return answer
    const line = `Not queried, because zero retention is not guaranteed there: ${skipped.join(", ")}.`
    return { ...answer, warning: [answer.warning, line].filter((text) => text !== undefined).join(" ") }
  }

  const askLink = (link: ChainLink, item: Item, last: boolean) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (!("provider" in link)) {
        const answer = yield* index.search(teamId, { ...asked, sources: [item.item] })
        return { data: answer.data, lines: answer.warning == null ? [] : [answer.warning] }
      }
      const sourceRequest = sourceRequestOf(request, item, now)
      // Leave time for the next provider in case this one hangs.
      const share = last ? deadline - now : (deadline - now) / 2
      const found = yield* Effect.timeoutFail(link.ask(sourceRequest), {
        duration: Math.max(1, share),
        onTimeout: timedOut(link.name, share)
      })
      const { hits, trouble, unmet } = found
      return {
        data: dataOf(item.type, hits, sourceRequest),
        lines: [
          ...(unmet.length === 0 ? [] : [`Not supported by ${link.name}: ${unique(unmet).join(", ")}.`]),
          ...(trouble === undefined ? [] : [sentence(trouble)])
        ]
      }
    })

  const askChain = Effect.fnUntraced(function* (item: Item) {
    const failures: Array<ProviderFailure> = []
    const able = chain.filter((link) => !("provider" in link) || link.provider.sources.includes(item.type))
    for (const [at, link] of able.entries()) {
      const outcome = yield* Effect.catchTag(
        askLink(link, item, at === able.length - 1),
        "ProviderFailure",
        (failure) => Effect.succeed(failure)
      )
      if (outcome instanceof ProviderFailure) {
        failures.push(outcome)
        yield* Effect.logWarning(`A search provider failed: ${outcome.message}`)
        continue
      }
      const { data, lines } = outcome
      const told = failures.map(({ message }) => sentence(message))
      const who = failures.length === 0 ? [] : [`${sentence(`${link.name} answered instead`)}`]
      return { data, lines: [...told, ...who, ...lines], failures, answered: true } satisfies SourceOutcome
    }
    const lines =
      able.length === 0
        ? [`No configured provider has results of type ${item.type}.`]
        : failures.map(({ message }) => sentence(message))
    return { data: {}, lines, failures, answered: able.length === 0 } satisfies SourceOutcome
  })

  const outcomes = yield* Effect.forEach(sourcesOf(request), askChain, { concurrency: 3 })
  if (outcomes.every(({ answered }) => !answered))
    return yield* unavailable(
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
