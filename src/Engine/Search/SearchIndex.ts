/** The pages and files that were gathered, searchable by team (spec 4.4). */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { settle } from "../../Api/Field.ts"
import { requestFields, type SearchRequest, type SearchResponse } from "../../Api/Search.ts"
import { add } from "./Gather.ts"
import { find } from "./Lookup.ts"
import { shown } from "./Match.ts"
import * as Period from "./Period.ts"
import { bits } from "./Place.ts"
import * as Query from "./Query.ts"
import * as Snippet from "./Snippet.ts"
import * as Warning from "./Warning.ts"

/** What is kept of a page. */
export interface IndexedPage {
  readonly teamId: string
  readonly url: string
  readonly title: string
  readonly description: string
  readonly text: string
  /** When the page says it was published; without it, the day it was first seen counts. */
  readonly published?: Date | undefined
}

export class SearchIndex extends Context.Tag("sluice/Engine/Search/SearchIndex")<
  SearchIndex,
  {
    /** Adds or replaces pages by (team, url), inside the caller's transaction when there is one; never fails. */
    readonly add: (pages: ReadonlyArray<IndexedPage>) => Effect.Effect<void>
    /** Answers a request from what the team has gathered. */
    readonly search: (
      teamId: string,
      request: SearchRequest
    ) => Effect.Effect<Pick<SearchResponse, "data" | "warning">, SqlError.SqlError>
  }
>() {}

/** The index in the engine's store. */
export const layer: Layer.Layer<SearchIndex, never, SqlClient.SqlClient> = Layer.effect(
  SearchIndex,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const lookUp = find(sql)

    const search = Effect.fn("SearchIndex.search")(function* (teamId: string, asked: SearchRequest) {
      const request = settle(requestFields, asked)
      const clauses = Query.parse(request.query)
      const categories = request.categories.map((category) => (typeof category === "string" ? category : category.type))
      const source = request.sources
        .map((item) => (typeof item === "string" ? { type: item, tbs: request.tbs } : item))
        .find(({ type }) => type === "web")
      const limit = (source !== undefined && "limit" in source ? source.limit : undefined) ?? request.limit
      if (source === undefined || clauses.length === 0) {
        return { data: {}, warning: Warning.make(request, clauses, { found: 0, truncated: false }) }
      }
      const { pages, truncated } = yield* lookUp(
        clauses,
        {
          team: teamId,
          period: Period.parse(source.tbs, yield* Clock.currentTimeMillis),
          categories,
          includeDomains: request.includeDomains ?? [],
          excludeDomains: request.excludeDomains ?? [],
          webOnly: request.ignoreInvalidURLs
        },
        limit
      )
      const words = shown(clauses)
      const web = pages.map((page, index) => {
        const category = categories.find((name) => (page.kinds & bits[name]) !== 0)
        return {
          url: page.url,
          title: page.title === "" ? page.url : page.title,
          description: Snippet.make(page.text, page.description, words),
          position: index + 1,
          ...(category === undefined ? {} : { category })
        }
      })
      const warning = Warning.make(request, clauses, { found: web.length, truncated })
      return { data: web.length === 0 ? {} : { web }, ...(warning === undefined ? {} : { warning }) }
    })

    return { add: add(sql), search }
  })
)
