/**
 * Blocked pages of 22 systems and pages that resemble them (`blocked-pages.json`), scraped from a site on loopback.
 *
 * At least 95 % of the blocked pages are recognised, and none of the others is taken for one.
 */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe, expect, it, layer } from "../../It.ts"
import * as Local from "../../Local.ts"
import { skipsLong } from "../../Long.ts"

const Page = Schema.Struct({
  name: Schema.String,
  language: Schema.String,
  status: Schema.Int,
  /** Lines. */
  html: Schema.Array(Schema.String)
})

const kinds = {
  "bot wall": ["challenge", "captcha", "denied"],
  captcha: ["challenge", "captcha", "denied"],
  "rate limit": ["denied"],
  "consent wall": ["consent"],
  "login wall": ["login"],
  "javascript shell": ["javascript"],
  "soft 404": ["notFound"],
  "parked domain": ["parked"]
} as const

const Samples = Schema.Struct({
  about: Schema.Array(Schema.String),
  sources: Schema.Record({
    key: Schema.String,
    value: Schema.Struct({ what: Schema.String, addresses: Schema.Array(Schema.String) })
  }),
  blocked: Schema.Array(
    Schema.Struct({
      ...Page.fields,
      system: Schema.String,
      kind: Schema.Literal(
        "bot wall",
        "captcha",
        "rate limit",
        "consent wall",
        "login wall",
        "javascript shell",
        "soft 404",
        "parked domain"
      ),
      source: Schema.String,
      headers: Schema.Record({ key: Schema.String, value: Schema.String })
    })
  ),
  innocent: Schema.Array(Page)
})

const { blocked, innocent, sources } = Schema.decodeUnknownSync(Schema.parseJson(Samples), {
  onExcessProperty: "error"
})(readFileSync(new URL("./blocked-pages.json", import.meta.url), "utf8"))

/** Addresses say nothing about the pages: who asks for a login page gets one. */
const addressOf = new Map([...blocked, ...innocent].map(({ name }, index) => [name, `/pages/${index}`]))

const pages = new Map(
  [...blocked, ...innocent.map((page) => ({ ...page, headers: {} }))].map(({ headers, html, name, status }) => [
    addressOf.get(name),
    { status, headers: { ...headers, "content-type": "text/html; charset=utf-8" }, body: html.join("\n") }
  ])
)

describe("samples of blocked pages", () => {
  it("have names of their own, and a source", () => {
    expect(addressOf.size).toBe(blocked.length + innocent.length)
    expect(new Set(blocked.map(({ source }) => source))).toEqual(new Set(Object.keys(sources)))
  })

  layer(Local.layer)("over HTTP", (it) => {
    it.scoped.skipIf(skipsLong)(
      "are recognised, and pages that resemble them are not",
      function* () {
        const { call } = yield* Local.Local
        const { url } = yield* Local.site((path) => pages.get(path))
        const shown = (name: string) =>
          Effect.map(
            call.post("/v2/scrape", { url: `${url}${addressOf.get(name)}` }),
            ({ json }) => json.data.metadata.blocked
          )
        const missed: Array<string> = []
        const misnamed: Array<string> = []
        for (const { kind, name } of blocked) {
          const found = yield* shown(name)
          if (found === undefined) missed.push(`${name} (${kind})`)
          else if (!kinds[kind].some((one) => one === found.kind))
            misnamed.push(`${name} (${kind}): ${found.kind}, ${found.evidence}`)
        }
        const accused: Array<string> = []
        for (const { name } of innocent) {
          const found = yield* shown(name)
          if (found !== undefined) accused.push(`${name}: ${found.kind}, ${found.evidence}`)
        }
        expect(accused).toEqual([])
        expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(blocked.length * 0.05)
        expect(misnamed).toEqual([])
      },
      180_000
    )
  })
})
