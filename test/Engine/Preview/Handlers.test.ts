/** The crawl preview over HTTP. */

import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { rules } from "../../../src/Engine/Preview/Rules.ts"
import { expect, layer } from "../../It.ts"
import * as Local from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { share } from "../../Repetitions.ts"

const prompts: Readonly<Record<string, ReadonlyArray<{ readonly request: { readonly prompt: string } }>>> = JSON.parse(
  readFileSync(new URL("./prompts.json", import.meta.url), "utf8")
)

const english = [
  ...Object.values(prompts).flatMap((cases) => cases.map(({ request }) => request.prompt)),
  "5 pages per minute",
  "limit: 20, /docs",
  "max_depth: 2, sitemap=skip, allowSubdomains: true",
  "docs",
  "(((("
]

layer(Local.layer)("POST /v2/crawl/params-preview", (it) => {
  const preview = (prompt: string) =>
    Effect.flatMap(Local.Local, ({ call }) =>
      call.post("/v2/crawl/params-preview", { url: "https://example.com", prompt })
    )

  it.effect("sets only what the prompt asks for", function* () {
    const { status, json } = yield* preview("only /docs, at most 50 pages")
    expect(status).toBe(200)
    expect(json).toEqual({
      success: true,
      data: { url: "https://example.com", includePaths: ["^/docs(?:/|$)"], limit: 50 },
      answeredBy: "rules"
    })
  })

  it.effect("quotes the parts that it did not understand", function* () {
    const some = yield* preview("blog posts about security, 2 clicks deep")
    expect(some.json.warning).toBe('Not understood and left out: "about security".')
    const long = yield* preview("wait 2 hours between requests, at most 50 pages")
    expect(long.json).toMatchObject({ success: true, data: { limit: 50 } })
    expect(long.json.warning).toContain('"wait 2 hours between requests"')
    const nothing = yield* preview("What is this company about?")
    expect(nothing.json.data).toEqual({ url: "https://example.com" })
    expect(nothing.json.warning).toContain("no parameters are set")
  })

  it.effect.each<readonly [string, string]>([
    ["de", "Nur das Impressum, höchstens 50 Seiten, 2 Sekunden Pause zwischen den Anfragen"],
    ["fr", "Tout le site sauf le blog, 50 pages au maximum"],
    ["es", "Solo el aviso legal, máximo 50 páginas"],
    ["de", "keine Blogs"],
    ["it", "solo il blog, massimo 20 pagine"],
    ["ja", "ブログだけ"]
  ])("sets nothing for a prompt in another language (%s), and says so: %s", function* ([language, prompt]) {
    const { json } = yield* preview(prompt)
    expect(json.data).toEqual({ url: "https://example.com" })
    expect(json.warning).toContain(`not in English (detected: "${language}")`)
  })

  it.effect.skipIf(skipsLong)("takes no English prompt for one in another language", function* () {
    const foreign = yield* Effect.filter(share(english, 8), (prompt) =>
      Effect.map(preview(prompt), ({ json }) => `${json.warning}`.includes("not in English"))
    )
    expect(foreign).toEqual([])
  })

  it.effect.skipIf(skipsLong)(
    "reads long prompts beside the event loop, so that others are answered meanwhile",
    function* () {
      // Of the prompts of this length this one takes longest.
      const prompt = `ten pages. ${"(".repeat(9_900)}`
      // Starts the thread.
      expect((yield* preview(prompt)).json).toMatchObject({ success: true, data: { limit: 10 } })
      const four = Array.from({ length: 4 }, () => prompt)
      const before = performance.eventLoopUtilization()
      const answers = yield* Effect.forEach(four, preview, { concurrency: 4 })
      const { active } = performance.eventLoopUtilization(before)
      expect(answers.map(({ json }) => json.data.limit)).toEqual([10, 10, 10, 10])
      const begun = performance.now()
      for (const each of four) rules("https://example.com", each)
      expect(active).toBeLessThan(0.7 * (performance.now() - begun))
    }
  )
})
