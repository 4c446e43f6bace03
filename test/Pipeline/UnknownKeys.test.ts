/** Keys on the wrong level of a definition. */
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { describe, expect, it, scoped } from "../It.ts"

const issuesIn = (text: string) =>
  Effect.flatMap(parseText("p.yaml", "/tmp", `version: 1\nname: p\n${text}`), (source) =>
    check(source, { inputs: {}, env: {}, secrets: () => undefined, complete: true })
  ).pipe(
    Effect.match({
      onFailure: ({ issues }) => issues.map(({ message, path }) => `${path.join(".")}: ${message}`),
      onSuccess: () => []
    }),
    Effect.provide(Path.layer)
  )

const issuesOf = (step: string) => issuesIn(`steps:\n  - urls: [https://a.example/]\n  - ${step}\n`)

const byOrder = "write by: [{ expr: …, order: … }]"

describe("a key on the wrong level", () => {
  it.effect.each<readonly [step: string, ...issues: ReadonlyArray<string>]>([
    ["sort: { by: n, order: desc }", `steps.1.sort.order: "order" belongs within "by": ${byOrder}`],
    [
      "sort: { by: n }\n    order: desc",
      `steps.1.order: unknown key "order" beside "sort": in "sort", it belongs within "by": ${byOrder}`
    ],
    ["sort: { by: [{ expr: n, limit: 5 }] }", 'steps.1.sort.by.0.limit: "limit" belongs beside "by"'],
    [
      "check: [{ rule: n > 1 }]\n    onFail: warn",
      'steps.1.onFail: unknown key "onFail" beside "check": it belongs within "check"'
    ],
    [
      "each: true\n    crawl: { url: https://a.example/, includeTags: [main] }",
      'steps.1.crawl.includeTags: "includeTags" belongs within "scrapeOptions"'
    ],
    [
      "each: true\n    crawl: { url: https://a.example/, scrapeOptions: { includePaths: [a], rate: 8/s } }",
      'steps.1.crawl.scrapeOptions.includePaths: "includePaths" belongs beside "scrapeOptions"',
      'steps.1.crawl.scrapeOptions.rate: unknown key "rate" within "crawl": it belongs beside "crawl", indented as far as it'
    ],
    ["scrape: { url: { expr: a, foo: b } }", 'steps.1.scrape.url.foo: unknown key "foo"; the only key is expr'],
    [
      "where: a\n    budget: { pages: 5 }",
      'steps.1.budget: unknown key "budget" beside "where": it belongs beside "steps"'
    ],
    [
      "scrape:\n    formats: [markdown]",
      'steps.1.formats: unknown key "formats" beside "scrape": it belongs within "scrape", indented further'
    ],
    [
      "crawl:\n    url: https://a.example/\n    limit: 5",
      "steps.1: is two steps at once (crawl and limit): write each as its own list item, or put limit within crawl",
      'steps.1.url: unknown key "url" beside "crawl": it belongs within "crawl", indented further'
    ]
  ])("within a step is told where it belongs: %s", ([step, ...issues]) =>
    Effect.map(issuesOf(step), (found) => expect(found).toEqual(issues))
  )

  it.effect.each([
    "sort: { by: [{ expr: n, order: desc }] }\n    id: s",
    "sort: { by: n }\n  - limit: 5\n  - check: [{ rule: n > 1, onFail: warn }]",
    "rate: 8/s\n    concurrency: 4\n    scrape: { timeout: 5000 }",
    "each: true\n    crawl: { url: https://a.example/, limit: 5, scrapeOptions: { formats: [markdown], timeout: 5000 } }",
    "each: true\n    crawl: { url: https://a.example/, params: { limit: 5, scrapeOptions: { timeout: 5000 } } }",
    "write: { jsonl: a.jsonl, order: input }\n  - select: { limit: a, order: b, expr: c, url: d, rate: e }"
  ])("is not reported where it also belongs: %s", (step) =>
    Effect.map(issuesOf(step), (found) => expect(found).toEqual([]))
  )

  it.effect("is not reported at the top where it also belongs", () =>
    Effect.map(
      issuesIn(
        'description: x\nbudget: { credits: 5, pages: 5 }\nschedule: { cron: "0 5 * * *", timezone: UTC }\nsteps:\n  - urls: [https://a.example/]\n    id: name\n'
      ),
      (found) => expect(found).toEqual([])
    )
  )

  scoped("at the top is told where it belongs", function* () {
    const steps = "steps:\n  - urls: [https://a.example/]\n"
    for (const [key, issue] of [
      ["concurrency: 4", 'unknown key "concurrency": it belongs beside a step, in the list of steps'],
      ["crawl: { url: https://a.example/ }", 'unknown key "crawl": it is a step, and belongs into the list of steps'],
      ["timezone: UTC", 'unknown key "timezone": it belongs within "schedule"'],
      ["credits: 5", 'unknown key "credits": it belongs within "budget"'],
      ["descripton: x", 'unknown key "descripton", did you mean "description"?']
    ] as const) {
      const name = key.split(":")[0]
      expect(yield* issuesIn(`${key}\n${steps}`), key).toEqual([`${name}: ${issue}`])
    }
  })
})
