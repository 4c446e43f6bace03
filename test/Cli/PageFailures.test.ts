import { describe, expect, it } from "vitest"
import { describeFailedPages } from "../../src/Cli/PageFailures.ts"

describe("failed pages", () => {
  it("are described once for each reason, whatever differs from page to page", () => {
    const pages = Array.from({ length: 17 }, (_, at) => `https://shop.example/p/${at}`).map((page, at) => ({
      page,
      message: `The service failed with status 503 (${page}); its log has request 01je-${at}4f2k1a`
    }))
    const other = { page: "https://shop.example/q", message: "The site answered 404" }
    expect(describeFailedPages([...pages, other], "cannot be read")).toEqual([
      "17 pages cannot be read, such as The service failed with status 503 (https://shop.example/p/0); its log has request 01je-04f2k1a",
      "https://shop.example/q: The site answered 404"
    ])
    expect(describeFailedPages([other, { ...other, page: "https://shop.example/r" }], "fail")).toEqual([
      "2 pages fail, such as https://shop.example/q: The site answered 404"
    ])
  })

  it("are of different reasons where fields, versions or words with numbers differ", () => {
    const messages = [
      "field price-2024: expected a number",
      "field weight-2024: expected a number",
      "field a1-longer-name-2: expected a number",
      "field b1-longer-name-2: expected a number",
      "HTML5 is not understood",
      "XHTML11 is not understood"
    ]
    const pages = messages.map((message, at) => ({ page: `https://shop.example/${at}`, message }))
    expect(describeFailedPages(pages, "fail")).toHaveLength(messages.length)
    const ids = ["0b7c8a52-1d35-4e2b-8f5a-b0a4ff3c9a10", "deadbeef0123", "20260314-7c2-5b1"]
    const made = ids.map((id, at) => ({ page: `p${at}`, message: `no answer (${id})` }))
    const asked = ["a1", "b2"].map((id, at) => ({
      page: `p${at}`,
      message: `no answer, the log has it under the id ${id}`
    }))
    expect(describeFailedPages([...made, ...asked], "fail")).toEqual([
      `3 pages fail, such as p0: no answer (${ids[0]})`,
      "2 pages fail, such as p0: no answer, the log has it under the id a1"
    ])
  })

  it("are named unless the message names them, and not a longer address or number", () => {
    const said = [
      ["1", "the site answered with status 199"],
      ["https://shop.example/p", "https://shop.example/p/1 is missing"],
      ["https://shop.example/p", "nothing at https://shop.example/p."],
      ["", "the run failed"]
    ] as const
    expect(said.flatMap(([page, message]) => describeFailedPages([{ page, message }], "fail"))).toEqual([
      "1: the site answered with status 199",
      "https://shop.example/p: https://shop.example/p/1 is missing",
      "nothing at https://shop.example/p.",
      "the run failed"
    ])
  })

  it("each have their line up to a number, beyond which the first of them are named", () => {
    const pages = Array.from({ length: 7 }, (_, at) => ({ page: `https://a.example/${at}`, message: "no answer" }))
    expect(describeFailedPages(pages.slice(0, 5), "fail", 5)).toEqual(
      pages.slice(0, 5).map(({ page }) => `${page}: no answer`)
    )
    expect(describeFailedPages(pages, "fail", 5)).toEqual([
      "7 pages fail, such as https://a.example/0: no answer (also https://a.example/1, https://a.example/2, https://a.example/3, https://a.example/4)"
    ])
  })
})
