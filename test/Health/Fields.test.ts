/** What the fields of `extract` match from run to run: stored, compared, and named when a site has changed. */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Profile } from "../../src/Health/Profile.ts"
import type { Ledger } from "../../src/Ledger.ts"
import { FieldMatches } from "../../src/Step/Extract/FieldMatches.ts"
import type { Asked, Reply } from "../Client/Server.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { brokenIn, type Ended, jsonLines, type Options, project } from "../Project.ts"
import { killed } from "../Run/Killed.ts"

type Design = (name: string, price: string, weight: string) => string

const first: Design = (name, price, weight) =>
  `<h1>${name}</h1><p>Price: <b class="price">${price}</b></p><p>Weight: <i class="weight">${weight}</i></p>`

const pages = (design: Design, count = 12) =>
  jsonLines(
    Array.from({ length: count }, (_, at) => ({
      url: `https://shop.example/${at}`,
      rawHtml: `<html lang="de"><main>${design(`Product ${at}`, `${at + 2},35 €`, `${at + 1} kg`)}</main>`
    }))
  )

const steps = (more = "") => `  - read: in.jsonl
  - extract:
      fields:
        title: h1
        price: { css: .price, as: price${more} }
        weight: .weight
        isSold: { css: .sold, as: exists }
  - write: { jsonl: rows.jsonl }
`

/** A project with good runs of the first design. */
const good = (definition: string, runs = 5, options: Options = {}) =>
  Effect.gen(function* () {
    const here = yield* project()
    const run = (design: Design) => {
      here.write("in.jsonl", pages(design))
      return here.run(definition, options)
    }
    let last = yield* run(first)
    for (let each = 1; each < runs; each++) last = yield* run(first)
    expect(last.summary.status).toBe("completed")
    return { here, last, run }
  })

const matchesOf = (ledger: typeof Ledger.Service, runId: string) =>
  Effect.map(
    ledger.health.sinksOf(runId),
    (records) => records.find(({ metrics }) => metrics.matches !== undefined)?.metrics.matches
  )

const broken = (ended: Ended) => brokenIn(ended).filter((each) => each.startsWith("extract:"))

describe("the fields of a run", () => {
  it.scopedLive("are stored with their matches and an element of each", function* () {
    const { here, last } = yield* good(steps(), 1)
    const matches = yield* matchesOf(here.ledger, last.runId)
    expect(matches?.price).toMatchObject({
      asked: 12,
      matched: 12,
      fingerprint: {
        tag: "b",
        attributes: { class: "price" },
        path: "body > main > p",
        before: "Price:",
        sample: "2,35 €"
      }
    })
    expect(Object.keys(matches ?? {})).toEqual(["title", "price", "weight"])
  })

  it.scopedLive.each([
    [
      "renames a class",
      (name, price, weight) => first(name, price, weight).replace('class="price"', 'class="amount"'),
      'b.amount "2,35 €"'
    ],
    [
      "hashes its classes",
      (name, price, weight) =>
        `<h1>${name}</h1><div class="css-1x2y3z"><s>90 kg</s><span class="css-9a8b7c">${price}</span></div><i class="weight">${weight}</i>`,
      'span "2,35 €"'
    ],
    [
      "has no prices any more",
      (name, _, weight) => `<h1>${name}</h1><p>Weight: <i class="weight">${weight}</i></p><p>On request</p>`,
      "none"
    ]
  ] as const satisfies ReadonlyArray<readonly [string, Design, string]>)(
    "hold it when the site %s, with the numbers of the run before and the nearest element",
    function* ([, design, nearest]) {
      const { last, run } = yield* good(steps())
      const ended = yield* run(design)
      expect(ended.summary.status).toBe("held")
      expect(broken(ended)).toEqual([
        `extract: price matched: expected 100 % (12 of 12 rows in run ${last.runId}), got 0 % (0 of 12 rows); nearest now: ${nearest}`
      ])
      // Neither the empty column nor the step says it once more.
      const reason = Either.isLeft(ended.outcome) ? ended.outcome.left.message : ""
      expect([reason, ...ended.warnings].join("\n").match(/\bprice\b/g)).toHaveLength(1)
      const again = yield* run(design)
      expect(broken(again)[0]).toContain(`, since run ${ended.runId}`)
    }
  )

  it.scopedLive.each(["ignore: [price matched]", "ignore: [matched]", "fields: { price: { ignore: true } }"])(
    "are not compared with `health: { %s }`",
    function* (rules) {
      const { here, run } = yield* good(steps())
      const without: Design = (...all) => first(...all).replace('class="price"', "")
      expect(broken(yield* run(without))).toHaveLength(1)
      here.write("in.jsonl", pages(without))
      const ended = yield* here.run(steps(), { frame: `health: { ${rules} }\n` })
      expect(broken(ended)).toEqual([])
      expect(ended.summary.status).toBe(rules.startsWith("fields") ? "completed" : "held")
      // It is a verdict on the `extract`, not on an output.
      const ofOutput = steps().replace("rows.jsonl", "rows.jsonl, health: { ignore: [price matched] }")
      expect(yield* here.errorsIn(ofOutput)).toEqual([
        expect.stringContaining(
          '"price matched" is a health verdict on an `extract`, not on one output: write it under `health` of the pipeline'
        )
      ])
    }
  )

  it.scopedLive("count a default as a miss", function* () {
    const { run } = yield* good(steps(", default: 0"))
    const ended = yield* run((...all) => first(...all).replace('class="price"', ""))
    expect(ended.summary.status).toBe("held")
    expect(broken(ended)).toHaveLength(1)
  })

  it.scopedLive("say in the first rejects when they matched last, and what is nearest now", function* () {
    const { last, run } = yield* good(steps().replace("  - write", "      required: [price]\n  - write"), 1)
    const ended = yield* run((...all) => first(...all).replace('"price"', '"amount"'))
    const messages = ended.rejects.map(({ message }) => String(message))
    expect(messages).toHaveLength(12)
    expect(messages[0]).toContain(
      `no price: css ".price" matches nothing; it matched in 12 of 12 rows of run ${last.runId}; nearest now: b.amount "2,35 €"`
    )
    expect(messages.filter((each) => each.includes("nearest now"))).toHaveLength(3)
  })

  scoped.skipIf(skipsLong)("are counted exactly over a kill", function* () {
    const answer = (asked: Asked): Reply => {
      const { url }: { readonly url: string } = JSON.parse(asked.body)
      const at = Number(url.split("/").at(-1))
      const price = at % 3 === 0 ? "" : `<b class="price">${at},50 €</b>`
      const metadata = { url, sourceURL: url, statusCode: 200 }
      return { body: { success: true, data: { rawHtml: `<html lang="de"><h1>P</h1>${price}`, metadata } } }
    }
    let answered = 0
    const { dataDir, resume } = yield* killed({
      steps: `  - urls: ${JSON.stringify(Array.from({ length: 30 }, (_, at) => `http://x.example/${at}`))}
  - scrape: {}
    concurrency: 1
  - extract: { fields: { title: h1, price: .price } }`,
      reply: (asked) => (answered++ < 17 ? answer(asked) : { hangs: true }),
      when: ({ rows }) => rows >= 8
    })
    const { rows, runId, summary } = yield* resume(answer)
    expect(summary.status).toBe("completed")
    expect(rows).toHaveLength(30)
    const { ledger } = yield* project({ dataDir })
    expect(yield* matchesOf(ledger, runId)).toMatchObject({
      title: { asked: 30, matched: 30 },
      price: { asked: 30, matched: 20, missedOn: [expect.any(String), expect.any(String), expect.any(String)] }
    })
  })

  it("are those of all shards", () => {
    const of = (found: number) => {
      const matches = new FieldMatches()
      const missing = [{ field: "price", reason: "css", rows: [1] }]
      for (let at = 0; at < 10; at++)
        matches.add({ rows: [{}], ...(at < found ? {} : { missing }) }, ["price"], false, `https://x.example/${at}`)
      return Profile.ofMatches(matches)
    }
    const whole = Profile.decode(of(10).encode())
    whole.merge(of(4))
    expect(whole.metrics().matches).toMatchObject({ price: { asked: 20, matched: 14 } })
  })

  it.scopedLive("count the pages whose rows are gone", function* () {
    const list = steps()
      .replace("      fields:", "      rows: main\n      fields:")
      .replace("  - write", "      onEmpty: skip\n  - write")
    const { here } = yield* good(list)
    here.write("in.jsonl", pages(first).replaceAll("main>", "section>"))
    const ended = yield* here.run(list)
    expect(broken(ended)[0]).toContain("extract: rows matched: expected 100 % (12 of 12 pages")
    expect(ended.summary.status).toBe("held")
    // Twelve rows are too few for the verdict on rows: no other one sees it.
    expect((yield* here.run(list, { frame: "health: { ignore: [matched] }\n" })).summary.status).toBe("completed")
  })
})
