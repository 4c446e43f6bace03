/** `dedupe` with `goal`: the service says whether changes matter, and each is asked about once. */

import * as TestClock from "effect/TestClock"
import { changesUnder } from "../../src/Schedule/Changes.ts"
import type { Asked, Reply } from "../Client/Server.ts"
import { describe, expect, it } from "../It.ts"
import { ledgerIn } from "../Ledger/Ledgers.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { project } from "../Project.ts"
import { killed } from "../Run/Killed.ts"
import { run } from "./Odd.ts"
import { errorsOf, runStep } from "./OneStep.ts"

const goal = "the price fell"
const config = { key: "url", across: "runs", changedIn: "markdown", always: ["."], history: 10, goal }

const textOf = (price: number) => `# Harbour\n\nA day costs ${price} euros.`

const answer = (json: unknown): Reply => ({ body: { success: true, data: { json, metadata: { creditsUsed: 6 } } } })

const isQuestion = ({ path }: Asked): boolean => path.endsWith("/parse")

describe("dedupe with a goal", () => {
  it.scoped(
    "drops the changes that do not matter, and keeps those that have no answer, up to a number of questions",
    function* () {
      const here = yield* project({
        onTestClock: true,
        repeats: 0,
        service: ({ body }) => {
          const price = /A day costs \[-5-\]\{\+(\d)\+\}/.exec(body)?.[1]
          if (price === "3")
            return { status: 503, body: { success: false, error: "no model", code: "MODEL_UNAVAILABLE" } }
          return answer(price === "2" ? "fell" : { matters: price === "4", reason: `it is ${price} now` })
        }
      })
      const rows = (prices: ReadonlyArray<number>) =>
        prices.map((price, index) => ({ url: `https://x.example/${index}`, markdown: textOf(price) }))
      const fields = { ...config, goalLimit: 4, emit: ["new", "changed", "unchanged"] }
      yield* runStep(here, "dedupe", fields, rows([5, 5, 5, 5, 5, 5]))
      expect(here.asked).toEqual([])
      yield* TestClock.adjust("1 day")
      const { data, summary, warnings } = yield* runStep(here, "dedupe", fields, rows([5, 4, 6, 3, 2, 1]))
      expect(
        data.map(({ change, difference, markdown }) => [
          markdown,
          change,
          (difference as { readonly goal?: unknown }).goal
        ])
      ).toEqual([
        [textOf(5), "unchanged", undefined],
        // Beyond the limit: it has not waited for the end of the input.
        [
          textOf(1),
          "changed",
          { matters: null, reason: "not asked: this run has asked its maximum of 4 questions (goalLimit)" }
        ],
        [textOf(4), "changed", { matters: true, reason: "it is 4 now" }],
        [textOf(6), "unchanged", { matters: false, reason: "it is 6 now" }],
        [textOf(3), "changed", { matters: null, reason: expect.stringMatching(/^no answer: .*no model/) }],
        [textOf(2), "changed", { matters: null, reason: "no answer: the answer of the model cannot be read" }]
      ])
      expect(summary.credits).toBe(18)
      expect(here.asked).toHaveLength(4)
      expect(here.asked.every(({ body }) => body.includes(goal))).toBe(true)
      expect(warnings.filter((text) => text.includes("no model"))).toHaveLength(1)
      expect((yield* changesUnder(here.ledger, "t")).map(({ key }) => key.slice(-1))).toEqual(["1", "3", "4", "5"])
      // What did not matter is compared with from now on.
      const { data: later, summary: last } = yield* runStep(
        here,
        "dedupe",
        { ...fields, emit: ["changed"] },
        rows([6, 4, 6, 3, 2, 1])
      )
      expect(later).toEqual([])
      // The first row has changed from 5 to 6, which does not matter.
      expect(last).toMatchObject({ credits: 6, changes: { unchanged: 6 } })
    }
  )

  it.scoped.skipIf(skipsLong)("asks about each change once, also when the run is killed while it asks", function* () {
    const dataDir = yield* tempDir
    const frame = "state: { key: prices }\n"
    const urls = [1, 2, 3].map((page) => `http://x.example/${page}`)
    const steps = `  - urls: ${JSON.stringify(urls)}
  - scrape: { formats: [markdown] }
  - dedupe: ${JSON.stringify({ ...config, key: "metadata.sourceURL", emit: ["changed"] })}`
    const serviceOf =
      (price: number, hangs: (asked: Asked) => boolean = () => false) =>
      (asked: Asked): Reply => {
        if (hangs(asked)) return { hangs: true }
        if (isQuestion(asked)) return answer({ matters: true, reason: "it fell" })
        const { url } = JSON.parse(asked.body) as { readonly url: string }
        const metadata = { sourceURL: url, statusCode: 200, creditsUsed: 1 }
        return { body: { success: true, data: { markdown: textOf(price), metadata } } }
      }
    yield* run(serviceOf(5), steps, { dataDir }, frame)
    const isFirst = ({ body }: Asked) => body.includes(`Change of ${urls[0]}`)
    const { resume } = yield* killed({
      dataDir,
      frame,
      steps,
      reply: serviceOf(4, (asked) => isQuestion(asked) && !isFirst(asked)),
      when: ({ progress }) => (progress?.given.dedupe ?? 0) > 0
    })
    const { asked, rows, summary } = yield* resume(serviceOf(4))
    expect(summary.status).toBe("completed")
    expect(asked.map((each) => urls.findIndex((url) => each.body.includes(`Change of ${url}`))).sort()).toEqual([1, 2])
    expect(rows.map(({ metadata }) => (metadata as { readonly sourceURL: string }).sourceURL)).toEqual(urls)
    expect((yield* changesUnder(yield* ledgerIn(dataDir), "prices")).map(({ key }) => key)).toEqual(urls)
  })

  it.scoped("says what is wrong with its fields", function* () {
    const { changedIn, ...without } = config
    expect((yield* errorsOf("dedupe", { ...without, always: undefined })).join()).toContain(
      "goal has no effect without changedIn"
    )
    expect((yield* errorsOf("dedupe", { ...config, emit: ["new"] })).join()).toContain("add changed to emit")
    expect((yield* errorsOf("dedupe", { key: "url", across: "runs", goalLimit: 3 })).join()).toContain(
      "goalLimit has no effect without goal"
    )
    expect(changedIn).toBe("markdown")
  })
})
