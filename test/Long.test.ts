import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { filesOfPart, skipsLong } from "./Long.ts"

describe("parts of the test files", () => {
  it("have each file once, and as many of each folder", () => {
    const folder = fileURLToPath(new URL(".", import.meta.url))
    const all = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => `${folder}${name}`)
    const parts = [1, 2, 3, 4].map((number) => [...filesOfPart(`${number}/4`)])
    expect(parts.flat().sort()).toEqual(all.sort())
    const sizes = parts.map((part) => part.filter((file) => file.includes("/Engine/")).length)
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
  })

  it("are refused unless they are one of some", () => {
    for (const part of ["0/4", "5/4", "1/0", "a/4", "1/"]) expect(() => filesOfPart(part), part).toThrow(part)
  })

  it("decide for each file whether its long tests run", () => {
    const part = process.env.SLUICE_LONG_TESTS ?? ""
    if (part.includes("/")) expect(skipsLong).toBe(!filesOfPart(part).has(fileURLToPath(import.meta.url)))
  })
})
