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
})
