/** Snippets of search results. */
import { describe, expect, it } from "@effect/vitest"
import * as Snippet from "../../../src/Engine/Search/Words.ts"

describe("a snippet", () => {
  it("shows the words in context, also in scripts without spaces", () => {
    const around = "然后回家吃饭".repeat(200)
    const shown = Snippet.snippet(`${around}北京天气很好${around}`, "", ["天气"])
    expect(shown).toContain("天气很好")
    expect(shown.length).toBeGreaterThan(200)
    expect(shown.length).toBeLessThan(260)
  })

  it("has the same length in scripts without spaces, and splits no character", () => {
    expect(Snippet.snippet("漢字".repeat(500), "", [])).toBe(`${"漢字".repeat(120)} …`)
    expect(Snippet.snippet(`a${"𠮷".repeat(500)}`, "", [])).not.toMatch(/\p{Surrogate}/u)
    expect(Snippet.snippet("one two three", "", ["two"])).toBe("one two three")
  })
})
