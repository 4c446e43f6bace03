import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { canParse } from "../../src/Api/Url.ts"

/** As texts come from outside: each in one piece. */
const read = (text: string): string => JSON.parse(JSON.stringify(text))

describe("a URL", () => {
  it("with letters beyond ASCII is valid after any number of checks", () => {
    const texts = Array.from({ length: 100 }, (_, n) => read(`https://MÜNCHEN.de/straße/${n}`))
    const refused = Array.from({ length: 30_000 }, (_, n) => texts[n % 100] ?? "").filter((text) => !canParse(text))
    expect(refused).toEqual([])
  })

  it("is checked as the platform does, with a base and without", () => {
    expect(["https://a.example/", "mailto:a@b", "/only/a/path", "http://", "ü"].map((text) => canParse(text))).toEqual([
      true,
      true,
      false,
      false,
      false
    ])
    expect(canParse("/größe", "https://a.example/")).toBe(true)
    expect(canParse("x", "größe")).toBe(false)
  })

  it("is checked by one function only", () => {
    const src = fileURLToPath(new URL("../../src", import.meta.url))
    const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"))
    const own = files.filter((name) => /\bURL\.canParse\(/.test(readFileSync(join(src, name), "utf8")))
    expect(own).toEqual([join("Api", "Url.ts")])
  })
})
