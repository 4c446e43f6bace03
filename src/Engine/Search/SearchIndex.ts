/** The pages and files that were gathered, searchable by team. */
import type * as SqlError from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { SearchRequest, SearchResponse } from "../../Api/Search.ts"

/** What is kept of a page. */
export interface IndexedPage {
  readonly teamId: string
  readonly url: string
  readonly title: string
  readonly description: string
  readonly text: string
}

export class SearchIndex extends Context.Tag("sluice/Engine/Search/SearchIndex")<
  SearchIndex,
  {
    /** Adds or replaces pages by (team, url); runs inside the caller's transaction when there is one. */
    readonly add: (pages: ReadonlyArray<IndexedPage>) => Effect.Effect<void, SqlError.SqlError>
    /** Answers a request from what the team has gathered. */
    readonly search: (
      teamId: string,
      request: SearchRequest
    ) => Effect.Effect<Pick<SearchResponse, "data" | "warning">, SqlError.SqlError>
  }
>() {}
