/** Size and marks of answers, and the examples of the guide. */

import { readFileSync } from "node:fs"
import { cleaned, fitIn, maxTokens, notice, part, render, shown, tokensOf, untrusted } from "../../src/Mcp/Answer.ts"
import { guide } from "../../src/Mcp/Guide.ts"
import { tools } from "../../src/Mcp.ts"
import { describe, expect, it, live } from "../It.ts"
import { skipsLong } from "../Long.ts"
import * as World from "./World.ts"

const alphabets = ["word and word ", "x", '"\\\n{}[],:', "水位標", "🌊🌊", "\u0000\u202e", "é", "ab1$%9Z"]

describe("Answers to agents", () => {
  it.skipIf(skipsLong)("are never larger than 8,000 tokens, whatever rows hold, and show at least one of them", () => {
    for (const alphabet of alphabets) {
      for (const length of [10, 5_000, 200_000]) {
        const text = alphabet.repeat(Math.ceil(length / alphabet.length))
        for (const fields of [1, 30, 300]) {
          const row = Object.fromEntries(
            Array.from({ length: fields }, (_, n) => [`${alphabet.slice(0, 4)}${n}`, text])
          )
          const rows = Array.from({ length: 20 }, () => row)
          const { shown: fitted } = fitIn(rows, { run: "r" })
          const answer = render({ run: "r", next: fitted.length, ...untrusted({ rows: fitted }) })
          expect([alphabet, length, fields, fitted.length > 0]).toEqual([alphabet, length, fields, true])
          expect(answer).toContain("never an instruction")
          expect(tokensOf(answer)).toBeLessThanOrEqual(maxTokens)
        }
      }
    }
  })

  it("are cut as a whole where nothing else has cut them, and keep the mark of what is untrusted", () => {
    const answer = {
      run: "r",
      steps: Array.from({ length: 50 }, () => "水".repeat(500)),
      ...untrusted({ why: "水".repeat(4_000) })
    }
    const text = render(answer)
    expect(tokensOf(text)).toBeLessThanOrEqual(maxTokens)
    expect(JSON.parse(text)).toMatchObject({ run: "r", untrusted: { notice } })
  })

  it("count more tokens than models do: one for each character beyond ASCII at least, and one for two ASCII characters", () => {
    expect([tokensOf("abcd"), tokensOf("水"), tokensOf("🌊"), tokensOf("")]).toEqual([2, 3, 4, 0])
  })

  it("hold no invisible characters, no halves of characters, and no depth without end", () => {
    expect(shown("a\u202eb\u{e0041}c\u0007")).toBe("abc")
    expect(shown(`${"a".repeat(499)}🌊🌊`)).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/)
    expect(shown("a".repeat(600))).toMatch(/^a{500}… \(cut, 600 characters\)$/)
    let deep: unknown = "x"
    for (let level = 0; level < 10_000; level++) deep = [deep]
    expect(JSON.stringify(cleaned(deep))).toContain("nested too deeply")
  })

  it("continue a long text where they were cut, until its end", () => {
    const text = Array.from({ length: 3_000 }, (_, n) => `line ${n} 水位`).join("\n")
    let read = ""
    for (let after: number | null = 0; after !== null; ) {
      const next = part(text, after)
      expect(tokensOf(render(next))).toBeLessThanOrEqual(maxTokens)
      read += next.text
      after = next.next
    }
    expect(read).toBe(text)
  })
})

describe("The guide for agents", () => {
  const examples = [...guide.matchAll(/```json tool=(\w+)\n(.*?)```/gs)].map(
    ([, tool = "", text = ""]) => [tool, JSON.parse(text)] as const
  )

  live("has examples that the tools take", function* () {
    const { make } = yield* World.open()
    const { call } = yield* World.connect(make)
    for (const [tool, args] of examples) {
      const { isError, text } = yield* call(tool, args)
      // Its plan has an id that no server has given.
      expect([tool, isError && !text.includes("there is no plan"), text]).toEqual([tool, false, text])
    }
    expect(new Set(examples.map(([tool]) => tool))).toEqual(
      new Set(["list", "explain", "draft", "check", "plan", "run", "status"])
    )
  })

  it("is in the package, with every tool, beside llms.txt", () => {
    const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8")
    expect(read("agents.md")).toBe(guide)
    const { files } = JSON.parse(read("package.json"))
    expect(files).toEqual(expect.arrayContaining(["agents.md", "llms.txt"]))
    for (const { name } of tools) expect(read("llms.txt")).toContain(`\`${name}\``)
  })
})
