import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { described, numeric } from "../../src/Api/Field.ts"
import { ScrapeOptions } from "../../src/Api/ScrapeOptions.ts"
import { ParseOptions } from "../../src/Api/Upload.ts"

const faultOf = <A, I>(schema: Schema.Schema<A, I>, value: unknown): string =>
  Either.match(Schema.decodeUnknownEither(schema)(value), {
    onLeft: ({ message }) => message,
    onRight: () => "no fault"
  })

describe("the message about an invalid field", () => {
  it("contains the bounds of a number", () => {
    const limits = "Expected a whole number of milliseconds from 1000 to 300000, actual"
    expect(faultOf(ParseOptions, { timeout: 999 })).toContain(`${limits} 999`)
    expect(faultOf(ScrapeOptions, { timeout: 300_001 })).toContain(`${limits} 300001`)
    expect(faultOf(ScrapeOptions, { waitFor: -1 })).toContain(
      "Expected a whole number of milliseconds, at least 0, actual -1"
    )
  })

  it("contains the bounds of a string, or else the type", () => {
    const word = described(Schema.String.pipe(Schema.maxLength(3)), "A word.")
    expect(faultOf(word, "flood")).toContain('Expected a string of at most 3 characters, actual "flood"')
    expect(faultOf(described(Schema.Boolean, "Whether."), 1)).toContain("Expected a boolean, actual 1")
    const deep = Array.from({ length: 3 }, () => ({ deep: ["x".repeat(10_000)] }))
    const flag = described(Schema.Boolean, "Whether.")
    expect(faultOf(flag, deep)).toBe("Expected a boolean, actual an array of 3")
    expect(faultOf(flag, { deep })).toBe("Expected a boolean, actual an object")
  })
})

describe("a number that is sent as a string", () => {
  it("is decoded, unless it is not finite", () => {
    const read = Schema.decodeUnknownEither(numeric)
    expect(["12", " 1.5", 3].map((text) => Either.getOrUndefined(read(text)))).toEqual([12, 1.5, 3])
    for (const text of ["NaN", "Infinity", "-Infinity", "", "many"]) expect(Either.isLeft(read(text)), text).toBe(true)
  })
})
