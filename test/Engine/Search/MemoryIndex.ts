/** An index in memory, with helpers to query it. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SearchRequest } from "../../../src/Api/SearchRequest.ts"
import { migrate } from "../../../src/Database/Migration.ts"
import * as Sqlite from "../../../src/Database/Sqlite.ts"
import { type Content, makeEntry } from "../../../src/Engine/Search/Entry.ts"
import type { IndexedPage } from "../../../src/Engine/Search/Gather.ts"
import { layer, SearchIndex } from "../../../src/Engine/Search/SearchIndex.ts"
import { searchTables } from "../../../src/Engine/Store/Schema.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import { alone } from "../Alone.ts"

/** A store without tables. Its statements fail, where those of an engine die. */
export const emptyStore = Layer.effect(
  Sql,
  Effect.map(SqlClient.SqlClient, (sql) => sql as Sql)
).pipe(Layer.provide(Sqlite.layer(":memory:")))

const store = Layer.effectDiscard(Effect.flatMap(Sql, (sql) => migrate(sql, { search: searchTables }))).pipe(
  Layer.provideMerge(emptyStore)
)

export const index = Layer.provideMerge(Layer.provide(layer, alone), store)

type More = Partial<Content & Pick<IndexedPage, "extension" | "published" | "teamId">>

export const page = (
  url: string,
  title: string,
  text: string,
  { extension, published, teamId = "team", ...more }: More = {}
): IndexedPage => ({ teamId, url, published, extension, ...makeEntry({ title, description: "", text, ...more }) })

export const web = (request: SearchRequest, team = "team") =>
  Effect.flatMap(SearchIndex, (found) => Effect.map(found.search(team, request), ({ data }) => data.web ?? []))

export const urls = (query: string, more: Partial<SearchRequest> = {}) =>
  Effect.map(web({ query, ...more }), (results) => results.map(({ url }) => url))

export const images = (request: SearchRequest) =>
  Effect.flatMap(SearchIndex, (found) =>
    Effect.map(found.search("team", { sources: ["images"], ...request }), ({ data }) => data.images ?? [])
  )
