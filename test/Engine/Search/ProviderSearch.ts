/** A search through a chain of providers, as the handler runs it, with a local index of one page. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import type { SearchRequest } from "../../../src/Api/SearchRequest.ts"
import { search } from "../../../src/Engine/Search/Chain.ts"
import * as Providers from "../../../src/Engine/Search/ProviderSettings.ts"
import { SearchIndex } from "../../../src/Engine/Search/SearchIndex.ts"

export const key = "very-secret-key"

/** Time of the test clock. */
export const now = Date.UTC(2026, 2, 10, 12)

export const numbered = <A>(count: number, make: (n: number) => A) =>
  Array.from({ length: count }, (_, at) => make(at + 1))

const index = SearchIndex.of({
  add: () => Effect.void,
  search: (_, { sources = ["web"] }) =>
    Effect.succeed(
      sources.some((source) => source === "web" || (typeof source !== "string" && source.type === "web"))
        ? { data: { web: [{ url: "https://gathered.example/", title: "Gathered", description: "here", position: 1 }] } }
        : { data: {}, warning: "The local index has web pages only." }
    )
})

/** `setting` is the value of SLUICE_SEARCH_PROVIDERS. */
export const ask = (setting: string, request: SearchRequest) =>
  Effect.gen(function* () {
    const chain = Either.getOrThrow(Providers.parse(Redacted.make(setting)))
    const deadline = (yield* Clock.currentTimeMillis) + (request.timeout ?? 60_000)
    return yield* Effect.provide(search("team", request, deadline), Providers.layer(chain))
  }).pipe(Effect.provideService(SearchIndex, index))
