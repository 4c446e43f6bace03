/**
 * Search index of scraped pages and parsed files, by team.
 *
 * Needs the SQL store, and `FairQueue` to take turns between teams. Pages become searchable shortly after `add`: they are stored at once
 * and indexed in batches (`Backlog.ts`).
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { settle } from "../../Api/Field.ts"
import { requestFields, type SearchRequest, type SearchResponse } from "../../Api/SearchRequest.ts"
import { nextTurn } from "../../Callback/EventLoop.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { Sql } from "../Store/Sql.ts"
import * as FairQueue from "../Teams/FairQueue.ts"
import * as Backlog from "./Backlog.ts"
import { find as findImages, firstPictures } from "./Gallery.ts"
import { add, type IndexedPage } from "./Gather.ts"
import { find, type Lookup } from "./Lookup.ts"
import { highlightWords } from "./Match.ts"
import { passageFinder } from "./Passage.ts"
import * as Query from "./Query.ts"
import * as Shape from "./Shape.ts"

export class SearchIndex extends Context.Tag("sluice/Engine/Search/SearchIndex")<
  SearchIndex,
  {
    /** Adds or replaces pages by (team, url). Runs inside the caller's transaction if there is one; never fails. */
    readonly add: (pages: ReadonlyArray<IndexedPage>) => Effect.Effect<void>
    /** Searches the pages of the team. */
    readonly search: (teamId: string, request: SearchRequest) => Effect.Effect<Pick<SearchResponse, "data" | "warning">>
  }
>() {}

/** The index in the engine's store. */
export const layer: Layer.Layer<SearchIndex, never, FairQueue.Teams | Sql> = Layer.scoped(
  SearchIndex,
  Effect.gen(function* () {
    const sql = yield* Sql
    const lookUp = find(sql)
    const lookUpImages = findImages(sql)
    const backlog = yield* Backlog.make(sql)
    const addAll = add(sql)
    // Rebuilds the index in the background: searches find the old entries until they are replaced.
    yield* Backlog.reindex(sql).pipe(
      Effect.tap((pages) =>
        pages === 0
          ? Effect.void
          : Effect.logInfo(`Rebuilt the search index of ${pages === 1 ? "one page" : `${pages} pages`}`)
      ),
      Effect.catchAllCause((cause) => Effect.logWarning("The search index could not be rebuilt", cause)),
      Effect.forkScoped
    )

    // SQLite runs on the server's thread: searches run one at a time, teams take turns, and other work runs in between.
    const turns = yield* FairQueue.ofEngine(1)

    const searchOne = Trace.fn("SearchIndex.search")(function* (teamId: string, asked: SearchRequest) {
      const request = settle(requestFields, asked)
      const clauses = Query.parse(request.query)
      const categories = request.categories.map((category) => (typeof category === "string" ? category : category.type))
      const sources = request.sources.map((item) =>
        typeof item === "string" ? { type: item, tbs: request.tbs } : { ...item, tbs: item.tbs ?? request.tbs }
      )
      if (sources.length === 0 || clauses.length === 0) {
        return { data: {}, warning: Shape.warningOf(request, clauses, { found: 0, truncated: false }) }
      }
      const now = yield* Clock.currentTimeMillis
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
        Effect.forEach(of(type), ({ filter, limit }): Effect.Effect<Lookup> => lookUp(clauses, filter, limit))
      const [web, news] = [yield* pagesOf("web"), yield* pagesOf("news")]
      const images = yield* Effect.forEach(of("images"), ({ filter, limit }) => lookUpImages(clauses, filter, limit))
      const showing = {
        categories,
        passageOf: passageFinder(
          highlightWords(clauses),
          new Map([...web, ...news].flatMap(({ weights }) => [...(weights ?? [])]))
        )
      }
      const reports = news.flatMap(({ pages }) => pages)
      const data = {
        ...Shape.web(
          web.flatMap(({ pages }) => pages),
          showing
        ),
        ...Shape.news(reports, yield* firstPictures(sql, reports), showing),
        ...Shape.images(images.flatMap((lookup) => lookup.images))
      }
      const warning = Shape.warningOf(request, clauses, {
        found: Object.keys(data).length,
        truncated: [...web, ...news, ...images].some(({ truncated }) => truncated)
      })
      return { data, ...(warning === undefined ? {} : { warning }) }
    })

    const search = (teamId: string, asked: SearchRequest) =>
      Effect.zipRight(
        backlog.indexNow(teamId),
        turns.withPlace(teamId)(Effect.zipRight(nextTurn, searchOne(teamId, asked)))
      )

    return { add: (pages) => Effect.zipRight(addAll(pages), backlog.notify), search }
  })
)
