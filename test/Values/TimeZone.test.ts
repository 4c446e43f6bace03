import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { readDate } from "../../src/Values/Date.ts"
import { parseInstant } from "../../src/Values/TimeZone.ts"

const iso = (millis: number | undefined): string | undefined =>
  millis === undefined || Number.isNaN(millis) ? undefined : new Date(millis).toISOString().replace(/:00\.000Z$/, "Z")

/** Reads with the strict reader of data and that of pages. */
const both = (text: string) => ({
  data: iso(parseInstant(text)),
  page: iso(readDate(text, { now: 0, locale: "en", timezone: "Asia/Tokyo" })?.millis)
})

describe("Values/TimeZone", () => {
  it.each([
    ["2024-03-05 10:00:00+02", "2024-03-05T08:00Z"],
    ["2024-03-05 10:00:00.000000+02", "2024-03-05T08:00Z"],
    ["2024-03-05 10:00:00-0330", "2024-03-05T13:30Z"],
    ["2024-03-05T10:00:00+05:45", "2024-03-05T04:15Z"],
    ["2024-03-05T10:00+0530", "2024-03-05T04:30Z"],
    ["2024-03-05T10:00:00Z", "2024-03-05T10:00Z"],
    ["2024-03-05T10:00:00z", "2024-03-05T10:00Z"],
    ["2024-03-05 10:00:00 UTC+5:30", "2024-03-05T04:30Z"],
    ["Tue, 05 Mar 2024 10:00:00 +0200 (CEST)", "2024-03-05T08:00Z"],
    ["Tue, 05 Mar 2024 10:00:00 +0900 (JST)", "2024-03-05T01:00Z"],
    ["Tue, 05 Mar 2024 10:00:00  -0500", "2024-03-05T15:00Z"],
    ["Tue, 05 Mar 2024 10:00:00 UT", "2024-03-05T10:00Z"],
    ["Tue, 05 Mar 2024 10:00 (EST)", "2024-03-05T15:00Z"],
    ["Tue Mar 05 2024 10:00:00 GMT+0200 (Central European Standard Time)", "2024-03-05T08:00Z"],
    ["Tue Mar 05 10:00:00 PST 2024", "2024-03-05T18:00Z"],
    ["Mar 5, 2024 10:00 AM CET", "2024-03-05T09:00Z"],
    ["Jul 5, 2024 10:00 AM ET", "2024-07-05T14:00Z"],
    ["2024-03-05 10:00:00 XYZ", undefined],
    ["2024-03-05 10:00:00+99", undefined]
  ])("takes the zone of %s", (text, expected) => {
    assert.deepStrictEqual(both(text), { data: expected, page: expected })
  })

  it("takes UTC for data without a zone, and what is told for a page", () => {
    assert.strictEqual(iso(parseInstant("2024-03-05 10:00:00")), "2024-03-05T10:00Z")
    assert.strictEqual(iso(parseInstant("Tue Mar 05 10:00:00 2024")), "2024-03-05T10:00Z")
    assert.strictEqual(iso(parseInstant("2024-03-05")), "2024-03-05T00:00Z")
    for (const text of ["2024-03-05 10:00", "(2024-03-05 10:00)", "2024-03-05 10:00 (local)"])
      assert.strictEqual(both(text).page, "2024-03-05T01:00Z", text)
  })

  it("takes any offset in any notation, behind a time in any notation", () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4_000_000_000 }),
        fc.integer({ min: -47, max: 55 }),
        fc.constantFrom("iso" as const, "space" as const, "mail" as const, "script" as const),
        fc.constantFrom("colon", "none", "hours"),
        (seconds, quarters, notation, minutes) => {
          const offset = minutes === "hours" ? Math.trunc(quarters / 4) * 4 : quarters
          const [clock, zone] = [new Date((seconds + offset * 900) * 1000), Math.abs(offset)]
          const digits = (value: number) => String(value).padStart(2, "0")
          const rest = minutes === "hours" ? "" : `${minutes === "colon" ? ":" : ""}${digits((zone % 4) * 15)}`
          const written = `${offset < 0 ? "-" : "+"}${digits(Math.floor(zone / 4))}${rest}`
          const [stamp, mail] = [clock.toISOString().slice(0, 19), clock.toUTCString().slice(0, -4)]
          const text = {
            iso: `${stamp}${written}`,
            space: `${stamp.replace("T", " ")}${written}`,
            mail: `${mail} ${written} (TEST)`,
            script: `${mail} GMT${written} (Zone of Test)`
          }[notation]
          assert.strictEqual(parseInstant(text), seconds * 1000, text)
          assert.strictEqual(readDate(text, { now: 0, locale: "en" })?.millis, seconds * 1000, text)
        }
      )
    ))
})
