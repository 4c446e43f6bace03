/** Crawls that come with a prompt: who settles them, and what goes before what (spec 4.5). */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Local from "../../Local.ts"
import { fakeModel, type Reply } from "../Model/FakeModel.ts"

const settings = { sitemap: "skip", ignoreRobotsTxt: true }

const links = ["/journal/a", "/journal/b", "/journal/c", "/shop/a", "/shop/b"]

/** A crawl to its end; the model is asked as its parameter says. */
const crawl = (reply: () => Reply, body: object, version = 2) =>
  Effect.gen(function* () {
    const { url } = yield* Local.site((path) => Local.page(path, links))
    const { asked, url: modelUrl } = yield* fakeModel(reply)
    const engine = yield* Local.engine({ model: { url: modelUrl, name: "small" } })
    const call = Local.caller(engine.baseUrl, Local.keys.first)
    const { json, status } = yield* call.post(`/v${version}/crawl`, { url: `${url}/`, ...body })
    expect(status).toBe(200)
    const { data } = yield* Local.drain(call, new URL(json.url).pathname)
    const pages = data.map(({ metadata }) => new URL(metadata.sourceURL).pathname)
    return { asked, json, pages: [...pages].sort() }
  })

describe("a crawl with a prompt", () => {
  it.scopedLive("is settled by the model where one is set", () =>
    Effect.gen(function* () {
      const { asked, json, pages } = yield* crawl(() => '{"includePaths":["^/journal/"]}', {
        ...settings,
        prompt: "only the diary"
      })
      expect(pages).toEqual(["/", "/journal/a", "/journal/b", "/journal/c"])
      expect(json).not.toHaveProperty("warning")
      expect(asked).toHaveLength(2)
    })
  )

  it.scopedLive("goes by what it says itself before what the model makes of its prompt", () =>
    Effect.gen(function* () {
      const { pages } = yield* crawl(() => '{"includePaths":["^/journal/"]}', {
        ...settings,
        includePaths: ["^/shop/"],
        prompt: "only the diary"
      })
      expect(pages).toEqual(["/", "/shop/a", "/shop/b"])
    })
  )

  it.scopedLive("is settled by rules when the model has no usable answer, and says so", () =>
    Effect.gen(function* () {
      const { json, pages } = yield* crawl(() => "I would rather not.", {
        ...settings,
        prompt: "only /journal, at most 2 pages"
      })
      expect(pages).toHaveLength(2)
      expect(json.warning).toContain("The model gave no usable answer, so rules have: ")
    })
  )

  it.scopedLive("asks nobody when it has no prompt", () =>
    Effect.gen(function* () {
      const { asked, pages } = yield* crawl(() => "{}", { ...settings, limit: 1 })
      expect(asked).toHaveLength(0)
      expect(pages).toEqual(["/"])
    })
  )
})
