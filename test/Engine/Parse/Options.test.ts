import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Options from "../../../src/Engine/Parse/Options.ts"

const refusal = (options: unknown) => Effect.flip(Options.read(JSON.stringify(options)))

describe("options of an upload", () => {
  it.effect("have defaults, and what nobody knows is ignored", () =>
    Effect.gen(function* () {
      const none = yield* Options.read(undefined)
      expect(none).toMatchObject({ formats: ["markdown"], onlyMainContent: true, timeout: 30_000 })
      expect(yield* Options.read("")).toEqual(none)
      expect(yield* Options.read('{"unheardOf":1,"parsers":["pdf"],"origin":"api"}')).toMatchObject({
        formats: ["markdown"],
        parsers: ["pdf"]
      })
    })
  )

  it.effect("that make no sense for a file are refused by name, all of them", () =>
    Effect.gen(function* () {
      const failure = yield* refusal({
        actions: [{ type: "click" }],
        waitFor: 10,
        mobile: true,
        location: { country: "DE" },
        formats: ["markdown", "screenshot@fullPage", { type: "changeTracking" }, "branding"]
      })
      expect(failure).toMatchObject({ _tag: "BadRequest", code: "PARSE_UNSUPPORTED_OPTIONS" })
      expect(failure.details).toHaveLength(7)
      for (const name of ["actions", "waitFor", "mobile", "location", "screenshot", "changeTracking", "branding"]) {
        expect(failure.message).toContain(name)
      }
    })
  )

  it.effect("that ask for nothing are no reason to refuse", () =>
    Effect.gen(function* () {
      const harmless = { actions: [], waitFor: 0, mobile: false, location: null }
      expect(yield* Options.read(JSON.stringify(harmless))).toMatchObject({ formats: ["markdown"] })
    })
  )

  it.effect("that are not JSON, or not of their type, are refused with every fault", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(Options.read("{formats:"))).toMatchObject({ code: "BAD_REQUEST_INVALID_JSON" })
      expect(yield* refusal([])).toMatchObject({ code: "BAD_REQUEST" })
      const failure = yield* refusal({ timeout: 5, onlyMainContent: "yes" })
      expect(failure).toMatchObject({ code: "BAD_REQUEST" })
      expect(failure.details).toMatchObject([
        { path: ["options", "onlyMainContent"] },
        { path: ["options", "timeout"] }
      ])
    })
  )

  it.effect("with selectors that are none are refused", () =>
    Effect.gen(function* () {
      const failure = yield* refusal({ includeTags: ["main"], excludeTags: ["a[", "p"] })
      expect(failure.message).toContain('"a["')
    })
  )
})
