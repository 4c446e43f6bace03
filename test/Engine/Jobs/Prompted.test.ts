/** Crawls that come with a prompt: who settles them, and what goes before what. */

import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { describe, expect, it } from "../../It.ts"
import * as Local from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { fakeModel, type Reply } from "../Model/FakeModel.ts"
import { serve, withBody } from "../Scrape/Site.ts"

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
  it.scopedLive("takes its parameters from the model if one is configured", function* () {
    const { asked, json, pages } = yield* crawl(() => '{"includePaths":["^/journal/"]}', {
      ...settings,
      prompt: "only the diary"
    })
    expect(pages).toEqual(["/", "/journal/a", "/journal/b", "/journal/c"])
    expect(json).not.toHaveProperty("warning")
    expect(asked).toHaveLength(2)
  })

  it.scopedLive.skipIf(skipsLong)(
    "waits for its turn among the calls of its key, and is refused when too many wait",
    function* () {
      const { url } = yield* Local.site((path) => Local.page(path))
      const held: Array<() => void> = []
      let isOpen = false
      let [underway, most] = [0, 0]
      const origin = yield* serve((request, response) =>
        withBody(request, () => {
          const answer = () => {
            underway -= 1
            response.end(JSON.stringify({ choices: [{ message: { content: "{}" } }] }))
          }
          most = Math.max(most, ++underway)
          if (isOpen) answer()
          else held.push(answer)
        })
      )
      const engine = yield* Local.engine({ workers: 2, model: { url: `${origin}/v1`, name: "small" } })
      const call = Local.caller(engine.baseUrl, Local.keys.first)
      const statuses: Array<number> = []
      const start = (n: number) =>
        Effect.map(
          call.post("/v2/crawl", { url: `${url}/${n}`, ...settings, limit: 1, prompt: "the diary" }),
          (reply) => statuses.push(reply.status)
        )
      const starting = yield* Effect.fork(
        Effect.forEach(Array.from({ length: 20 }).keys(), start, { concurrency: "unbounded" })
      )
      yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => statuses.length === 2 && underway === 2 })
      expect(statuses).toEqual([429, 429])
      // Without a prompt nothing waits.
      expect((yield* call.post("/v2/crawl", { url, ...settings, limit: 1 })).status).toBe(200)
      isOpen = true
      for (const answer of held) answer()
      yield* Fiber.join(starting)
      expect(statuses.filter((status) => status === 200)).toHaveLength(18)
      expect(most).toBe(2)
    }
  )

  it.scopedLive("prefers its explicit parameters to those of the model", function* () {
    const { pages } = yield* crawl(() => '{"includePaths":["^/journal/"]}', {
      ...settings,
      includePaths: ["^/shop/"],
      prompt: "only the diary"
    })
    expect(pages).toEqual(["/", "/shop/a", "/shop/b"])
  })

  it.scopedLive("uses rules when the model has no usable answer, and warns", function* () {
    const { json, pages } = yield* crawl(() => "I would rather not.", {
      ...settings,
      prompt: "only /journal, at most 2 pages"
    })
    expect(pages).toHaveLength(2)
    expect(json.warning).toContain("The parameters come from rules, because the model gave no usable answer: ")
  })

  it.scopedLive("calls no model without a prompt", function* () {
    const { asked, pages } = yield* crawl(() => "{}", { ...settings, limit: 1 })
    expect(asked).toHaveLength(0)
    expect(pages).toEqual(["/"])
  })
})
