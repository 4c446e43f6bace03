/** Pages with HTML in their rows are read here or on worker threads: `src/Step/Extract/PageThreads.ts`. */

import { availableParallelism } from "node:os"
import * as Effect from "effect/Effect"
import * as PageThreads from "../../src/Step/Extract/PageThreads.ts"
import { describe, expect, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { runStepOnce } from "./OneStep.ts"

/** Long enough to go to a thread where pages come together. */
const padded = (html: string) => `<!-- ${"-".repeat(33 * 1024)} -->${html}`

/** Every third page lacks its price, and every fifth has no rows. */
const pages = Array.from({ length: 160 }, (_, index) => ({
  rawHtml: padded(
    index % 5 === 4 ? "<p>sold out" : `<ul><li><b>n${index}</b>${index % 3 === 0 ? "" : `<i>${index} €</i>`}</ul>`
  ),
  url: `https://shop.example/${index}`
}))

describe("extract over many pages with HTML", () => {
  scoped.skipIf(skipsLong)(
    "gives rows and rejects of all pages in their order, also of those that threads read",
    function* () {
      const fields = { rows: "li", fields: { name: "b", price: { css: "i", as: "price" } }, required: ["price"] }
      const { data, messages, reasons } = yield* runStepOnce("extract", fields, pages)
      const whole = pages.map(({ url }, index) => ({ index, url }))
      const withRows = whole.filter(({ index }) => index % 5 !== 4)
      const priced = withRows.filter(({ index }) => index % 3 !== 0)
      expect(data).toEqual(priced.map(({ index, url }) => ({ url, name: `n${index}`, price: index })))
      expect(reasons.filter((each) => each === "NoRows")).toHaveLength(whole.length - withRows.length)
      expect(messages.filter((each) => String(each).includes("no price"))).toHaveLength(withRows.length - priced.length)
    }
  )
})

describe("threads for pages", () => {
  const asked = { rows: "li", fields: { name: "b" }, locale: undefined, order: undefined, timezone: undefined }

  scoped("read large pages, and after a hundred those that come together", function* () {
    const threads = yield* PageThreads.make({ asked, now: 0 })
    const large = "x".repeat(300_000)
    expect(threads.choose([large, "<p>"])).toEqual([true, false])
    expect(threads.choose(Array.from({ length: 98 }, () => "<p>")).filter(Boolean)).toEqual([])
    const isMany = availableParallelism() > 1
    expect(threads.choose([padded("<p>"), "<p>", padded("<p>")])).toEqual([isMany, false, isMany])
    expect(threads.choose([padded("<p>")])).toEqual([false])
  })

  scoped("give the rows of each page, however many are asked for at once", function* () {
    const threads = yield* PageThreads.make({ asked, now: 0 })
    const reads = yield* Effect.forEach(
      Array.from({ length: 40 }, (_, index) => index),
      (index) => threads.read({ html: `<ul><li><b>${index}</b></ul>`, base: undefined, describes: index === 0 }),
      { concurrency: "unbounded" }
    )
    expect(reads.map((read) => (typeof read === "string" ? read : read.rows))).toEqual(
      Array.from({ length: 40 }, (_, index) => [{ name: String(index) }])
    )
    expect(reads[0]).toHaveProperty("fingerprints.name")
  })

  scoped.skipIf(skipsLong)("end a page that is too large for their memory, and read the pages behind it", function* () {
    const threads = yield* PageThreads.make({ asked, now: 0 }, 24)
    const large = { html: "<b>".repeat(400_000), base: undefined, describes: false }
    const small = { html: "<ul><li><b>a</b></ul>", base: undefined, describes: false }
    const reads = yield* Effect.forEach([large, large, small, small, small, small], threads.read, {
      concurrency: "unbounded"
    })
    expect(reads.slice(0, 2)).toEqual(["TooLarge", "TooLarge"])
    expect(reads.slice(2)).toEqual(Array.from({ length: 4 }, () => ({ rows: [{ name: "a" }] })))
  })
})
