import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { masking } from "../../../src/Client/Recording/Mask.ts"
import { hide, hideTimes, reveal } from "../../../src/Client/Recording/Placeholders.ts"

const now = new Date("2026-01-01T00:00:00Z")

describe("a placeholder in a recording", () => {
  it("replaces a secret in any encoding", () => {
    expect(masking([{ value: "a-long-&", mark: "{m}" }])("|a-long-&amp;|a-long-&|")).toBe("|{m}|{m}|")
    for (const value of ['-----BEGIN KEY-----\n"abc"\tdef\n', "DOMAIN\\user-s3cret", "a\\\\b'c\"\\"]) {
      const inJson = JSON.stringify({ value })
      const deeper = JSON.stringify({ body: inJson })
      for (const text of [value, inJson, deeper, JSON.stringify({ body: deeper })])
        expect(masking([{ value, mark: "{m}" }])(text), text).toContain("{m}")
    }
    const spellings: ReadonlyArray<(text: string) => string> = [
      (text) => text,
      encodeURIComponent,
      (text) => JSON.stringify(text).slice(1, -1),
      (text) => text.replace(/[^A-Za-z0-9]/gu, "\\$&"),
      (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")
    ]
    fc.assert(
      fc.property(
        fc.fullUnicodeString({ minLength: 6, maxLength: 40 }),
        fc.constantFrom(...spellings),
        fc.string(),
        (secret, spell, around) => {
          const mask = masking([{ value: secret, mark: "\u0000" }])
          expect(mask(`${around}|${spell(secret)}|`)).toContain("|\u0000|")
          const basic = mask(Buffer.from(`${around}${secret}${around}`).toString("base64"))
          if (Buffer.byteLength(secret) >= 9) expect(basic).toContain("\u0000")
        }
      )
    )
  })

  it("becomes its address again, and strings that look like placeholders stay", () => {
    const here = { site: "http://127.0.0.1:2080", service: "http://127.0.0.1:20801", runId: "20260101T000000-abcd" }
    const piece = fc.constantFrom(
      ...[
        "{site}",
        "{{site}}",
        "{=site}",
        "=",
        "{now}",
        "{now+24h}",
        "{",
        "}",
        "{service.host}",
        " ",
        "a",
        here.site,
        here.service
      ],
      ...["127.0.0.1:2080", "127.0.0.1:20801", encodeURIComponent(here.site), here.runId, "{runId}", "{site", "}}"]
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join("")
        expect(reveal(here, now)(hide(here)(text))).toBe(text)
        const hidden = hide(here)(pieces.join(" "))
        expect(hidden).not.toMatch(/127\.0\.0\.1(:|%3A)2080(1)?(?!\d)/)
      })
    )
    const there = { ...here, site: "http://site.test" }
    expect(reveal(there, now)(hide(here)("see http://127.0.0.1:2080/a or 127.0.0.1:2080"))).toBe(
      "see http://site.test/a or site.test"
    )
  })

  it("replaces a time of the service, which follows the clock of the test; dates of pages stay", () => {
    const at = Date.parse("2026-05-05T10:00:00Z")
    const text = [
      "2026-05-05T10:00:01.000Z",
      "2026-05-06T10:00:05Z",
      "2026-05-04T10:00:00Z",
      "2026-05-05",
      "2030-01-01T00:00:00Z"
    ]
    const hidden = hideTimes(at, at + 5000)(text.join(" "))
    expect(hidden).toBe("{now} {now+24h} 2026-05-04T10:00:00Z 2026-05-05 2030-01-01T00:00:00Z")
    expect(reveal({}, now)(hidden)).toBe(
      "2026-01-01T00:00:00.000Z 2026-01-02T00:00:00.000Z 2026-05-04T10:00:00Z 2026-05-05 2030-01-01T00:00:00Z"
    )
  })
})
