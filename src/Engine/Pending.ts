/** Stand-ins for parts that are being written: they answer 501 and say so. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { NotImplemented } from "../Api/Errors.ts"
import { Api } from "../Api.ts"
import { Scraper } from "./Scrape/Scraper.ts"

const absent = new NotImplemented({ error: "This is not implemented by this engine yet.", code: "NOT_IMPLEMENTED" })

export const scraper = Layer.succeed(Scraper, { scrape: () => Effect.fail(absent) })
export const scrape = HttpApiBuilder.group(Api, "scrape", (group) =>
  group.handle("scrape", () => absent).handle("scrapeV1", () => absent)
)
export const map = HttpApiBuilder.group(Api, "map", (group) =>
  group.handle("map", () => absent).handle("mapV1", () => absent)
)
export const crawlPreview = HttpApiBuilder.group(Api, "crawlPreview", (group) => group.handle("preview", () => absent))
