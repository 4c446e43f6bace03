/** Answers what addresses a site has: its sitemap, and the links of the page asked for. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Team } from "../../Api/Auth.ts"
import { TimedOut } from "../../Api/Errors.ts"
import { type Settled, settle } from "../../Api/Field.ts"
import { type MapRequest, requestFields } from "../../Api/Map.ts"
import { Api } from "../../Api.ts"
import { decodeText } from "../Html/Charset.ts"
import { extract } from "../Html/Extract.ts"
import { prices, Usage } from "../Usage/Usage.ts"
import { Fetch } from "./Fetch.ts"
import { kindOf } from "./Kind.ts"
import { collect, type Found } from "./MapLinks.ts"
import { Robots } from "./Robots.ts"
import { Sitemap } from "./Sitemap.ts"

type Request = Settled<typeof requestFields>

const defaultTimeout = 60_000

/** The page itself and what it links to, with the titles that only a fetch can know. */
const fromPage = Effect.fnUntraced(function* (url: string, timeout: number) {
  const fetch = yield* Fetch
  const { body, headers, url: landed } = yield* fetch.get({ url, timeout })
  const contentType = headers["content-type"]
  if (kindOf(contentType, new URL(landed).pathname, body)._tag !== "Html") return [{ url: landed } satisfies Found]
  const { links, title, description, linkTexts } = extract(decodeText(body, contentType).text, {
    wanted: new Set(["linkTexts"]),
    url: landed,
    onlyMainContent: false,
    removeBase64Images: true,
    blockAds: false
  })
  const page: Found = { url: landed, title, description }
  return [page, ...links.map((link): Found => ({ url: link, title: linkTexts?.get(link) }))]
})

const fromSitemaps = Effect.fnUntraced(function* (url: string, limit: number, timeout: number) {
  const { origin } = new URL(url)
  const robots = yield* Robots
  const sitemap = yield* Sitemap
  const { sitemaps } = yield* robots.load(origin)
  const urls = yield* sitemap.urls(origin, sitemaps, { limit, timeout })
  return urls.map((found): Found => ({ url: found }))
})

const find = Effect.fn("Map.find")(function* (request: Request) {
  const { url, sitemap, limit, timeout = defaultTimeout } = request
  // Filters come after, so more is gathered than may be sent.
  const gathered = Math.min(limit * 10 + 1_000, 200_000)
  const [page, listed] = yield* Effect.all(
    [
      Effect.either(sitemap === "only" ? Effect.succeed([]) : fromPage(url, timeout)),
      sitemap === "skip" ? Effect.succeed([]) : fromSitemaps(url, gathered, timeout)
    ],
    { concurrency: 2 }
  ).pipe(
    Effect.timeoutFail({
      duration: timeout,
      onTimeout: () =>
        new TimedOut({
          error: `${url} could not be mapped within ${timeout} ms. Raise "timeout".`,
          code: "MAP_TIMEOUT"
        })
    })
  )
  // A site whose start page fails may still have a sitemap to go by; one that has neither failed.
  if (Either.isLeft(page) && listed.length === 0) return yield* page.left
  return collect(request, [...Either.getOrElse(page, () => []), ...listed])
})

const map = Effect.fn("Map.map")(function* (payload: MapRequest) {
  const team = yield* Team
  const links = yield* find(settle(requestFields, payload))
  const usage = yield* Usage
  yield* usage.charge(team, "map", prices.map)
  return links
})

/** Group `map`. */
export const handlers = HttpApiBuilder.group(Api, "map", (group) =>
  group
    .handle("map", ({ payload }) =>
      map(payload).pipe(
        Effect.map((links) => ({ success: true, links })),
        Effect.catchTag("SqlError", Effect.die)
      )
    )
    .handle("mapV1", ({ payload }) =>
      map(payload).pipe(
        Effect.map((links) => ({ success: true, links: links.map(({ url }) => url) })),
        Effect.catchTag("SqlError", Effect.die)
      )
    )
)
