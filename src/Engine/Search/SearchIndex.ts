/**
 * Search index of scraped pages and parsed files, by team.
 *
 * Ports: the SQL store, and `Shares` for the turn of each team. Pages become searchable a moment after `add`: they wait in the backlog until they
 * are indexed in a batch.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { settle } from "../../Api/Field.ts"
import { requestFields, type SearchRequest, type SearchResponse } from "../../Api/Search.ts"
import { nextTurn } from "../../Callback/EventLoop.ts"
import * as Shares from "../Shares.ts"
import * as Backlog from "./Backlog.ts"
import { find as findImages, firstPictures } from "./Gallery.ts"
import { add, type IndexedPage } from "./Gather.ts"
import { find } from "./Lookup.ts"
import { shown } from "./Match.ts"
import * as Query from "./Query.ts"
import * as Shape from "./Shape.ts"

export class SearchIndex extends Context.Tag("sluice/Engine/Search/SearchIndex")<
  SearchIndex,
  {
    /** Adds or replaces pages by (team, url), inside the caller's transaction when there is one; never fails. */
    readonly add: (pages: ReadonlyArray<IndexedPage>) => Effect.Effect<void>
    /** Searches the pages of the team. */
    readonly search: (
      teamId: string,
      request: SearchRequest
    ) => Effect.Effect<Pick<SearchResponse, "data" | "warning">, SqlError.SqlError>
  }
>() {}

/** The index in the engine's store. */
export const layer: Layer.Layer<SearchIndex, never, SqlClient.SqlClient> = Layer.scoped(
  SearchIndex,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const lookUp = find(sql)
    const lookUpImages = findImages(sql)
    const backlog = yield* Backlog.make(sql)
    const addAll = add(sql)
    // Beside the searches: until then they find what they found before.
    yield* Backlog.reindex(sql).pipe(
      Effect.tap((count) =>
        count === 0 ? Effect.void : Effect.logInfo(`${count} pages of the search index were made anew`)
      ),
      Effect.catchAllCause((cause) => Effect.logWarning("The search index could not be made anew", cause)),
      Effect.forkScoped
    )

    // The store answers on the thread of the server: searches are made one by one, of teams in turn, and others have a turn between them.
    const places = yield* Shares.ofEngine(1)

    const searchOne = Effect.fn("SearchIndex.search")(function* (teamId: string, asked: SearchRequest) {
      const request = settle(requestFields, asked)
      const clauses = Query.parse(request.query)
      const categories = request.categories.map((category) => (typeof category === "string" ? category : category.type))
      const sources = request.sources.map((item) =>
        typeof item === "string" ? { type: item, tbs: request.tbs } : item
      )
      if (sources.length === 0 || clauses.length === 0) {
        return { data: {}, warning: Shape.make(request, clauses, { found: 0, truncated: false }) }
      }
      const now = yield* Clock.currentTimeMillis
      const showing = { categories, words: shown(clauses) }
      const of = (type: (typeof sources)[number]["type"]) =>
        sources
          .filter((source) => source.type === type)
          .map((source) => ({
            filter: {
              team: teamId,
              period: Query.parsePeriod(source.tbs, now),
              categories,
              includeDomains: request.includeDomains ?? [],
              excludeDomains: request.excludeDomains ?? [],
              webOnly: request.ignoreInvalidURLs,
              news: type === "news"
            },
            limit: ("limit" in source ? source.limit : undefined) ?? request.limit
          }))
      const pagesOf = (type: "web" | "news") =>
        Effect.forEach(of(type), ({ filter, limit }) => lookUp(clauses, filter, limit))
      const [web, news] = [yield* pagesOf("web"), yield* pagesOf("news")]
      const images = yield* Effect.forEach(of("images"), ({ filter, limit }) => lookUpImages(clauses, filter, limit))
      const reports = news.flatMap(({ pages }) => pages)
      const data = {
        ...Shape.web(
          web.flatMap(({ pages }) => pages),
          showing
        ),
        ...Shape.news(reports, yield* firstPictures(sql, reports), showing),
        ...Shape.images(images.flatMap((lookup) => lookup.images))
      }
      const warning = Shape.make(request, clauses, {
        found: Object.keys(data).length,
        truncated: [...web, ...news, ...images].some(({ truncated }) => truncated)
      })
      return { data, ...(warning === undefined ? {} : { warning }) }
    })

    const search = (teamId: string, asked: SearchRequest) =>
      Effect.zipRight(
        backlog.clear(teamId),
        places.withPlace(teamId)(Effect.zipRight(nextTurn, searchOne(teamId, asked)))
      )

    return { add: (pages) => Effect.zipRight(addAll(pages), backlog.ring), search }
  })
)
