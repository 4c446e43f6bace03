import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Options from "../../../src/Engine/Parse/Options.ts"
import { describe, expect, scoped } from "../../It.ts"

const refusal = (options: unknown) => Effect.flip(Options.read(JSON.stringify(options)))

describe("options of an upload", () => {
  scoped("have defaults, and unknown ones are ignored", function* () {
    const none = yield* Options.read(undefined)
    expect(none).toMatchObject({ formats: ["markdown"], onlyMainContent: true, timeout: 30_000 })
    expect(yield* Options.read("")).toEqual(none)
    expect(yield* Options.read('{"unheardOf":1,"parsers":["pdf"],"origin":"api"}')).toMatchObject({
      formats: ["markdown"],
      parsers: ["pdf"]
    })
  })

  scoped("that do not apply to a file are refused by name, all at once", function* () {
    const failure = yield* refusal({
      actions: [{ type: "click" }],
      waitFor: 10,
      mobile: true,
      location: { country: "DE" },
      minAge: 1000,
      lockdown: true,
      profile: { name: "shop" },
      jsonOptions: { prompt: "the price" },
      changeTrackingOptions: { modes: ["json"] },
      formats: ["markdown", "screenshot@fullPage", { type: "changeTracking" }, "branding"]
    })
    expect(failure).toMatchObject({ _tag: "BadRequest", code: "PARSE_UNSUPPORTED_OPTIONS" })
    expect(failure.message).toContain(
      "actions, waitFor, mobile, location, minAge, lockdown, profile, jsonOptions, changeTrackingOptions, formats.screenshot@fullPage, formats.changeTracking, formats.branding"
    )
    expect(failure.details).toHaveLength(12)
  })

  scoped("that are set to their defaults are accepted", function* () {
    const harmless = { actions: [], waitFor: 0, mobile: false, location: null, lockdown: false, maxAge: 3_600_000 }
    expect(yield* Options.read(JSON.stringify(harmless))).toMatchObject({ formats: ["markdown"] })
  })

  scoped("that are not JSON, or not of their type, are refused with every error", function* () {
    expect(yield* Effect.flip(Options.read("{formats:"))).toMatchObject({ code: "BAD_REQUEST_INVALID_JSON" })
    expect(yield* refusal([])).toMatchObject({ code: "BAD_REQUEST" })
    const failure = yield* refusal({ timeout: 5, onlyMainContent: "yes" })
    expect(failure).toMatchObject({ code: "BAD_REQUEST" })
    expect(failure.details).toMatchObject([
      { path: ["options", "onlyMainContent"] },
      {
        path: ["options", "timeout"],
        message: "Expected a whole number of milliseconds from 1000 to 300000, actual 5"
      }
    ])
  })

  scoped("with invalid selectors are refused", function* () {
    const failure = yield* refusal({ includeTags: ["main"], excludeTags: ["a[", "p"] })
    expect(failure.message).toContain('"a["')
  })

  scoped("say what to return of the pages of a PDF", function* () {
    const { parsers } = yield* Options.read(
      JSON.stringify({ parsers: [{ type: "pdf", pageMarkdown: true, blocks: false, maxPages: 3 }] })
    )
    expect(Options.readParsers(parsers)).toEqual(
      Either.right({ pdf: true, maxPages: 3, pages: { pages: true, blocks: false, pageMarkers: false } })
    )
    expect(Options.readParsers(["pdf"])).toEqual(Either.right({ pdf: true, maxPages: undefined, pages: undefined }))
    const failure = yield* refusal({ parsers: [{ type: "pdf", blocks: "yes" }] })
    expect(failure).toMatchObject({ _tag: "BadRequest", code: "BAD_REQUEST" })
    expect(failure.message).toContain("blocks")
  })
})
