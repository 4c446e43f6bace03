/** Dates of headers mean the same on machines in all time zones. */
import { expect, it } from "vitest"
import { httpDateMillis } from "../../src/Api/HttpDate.ts"
import { retryAfterMillis } from "../../src/Api/RetryAfter.ts"
import { conditionsOf } from "../../src/Engine/Fetch/Validators.ts"
import { robotsVerdict } from "../../src/Html/PageDirectives.ts"
import { waitOf } from "../../src/Step/Request/Headers.ts"

const inTokyo = <A>(use: () => A): A => {
  const before = process.env.TZ
  process.env.TZ = "Asia/Tokyo"
  try {
    return use()
  } finally {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  }
}

const at = Date.UTC(1994, 10, 6, 8, 49, 37)

it.each([
  ["Sun, 06 Nov 1994 08:49:37 GMT", at],
  ["Sunday, 06-Nov-94 08:49:37 GMT", at],
  ["Sun Nov  6 08:49:37 1994", at],
  ["Sun, 06 Nov 1994 08:49:37", at],
  ["Sun, 06 Nov 1994 10:49:37 +0200", at],
  ["Sun Nov 06 1994 10:49:37 GMT+0200 (EET)", at],
  ["6 Nov 1994 8:49:37 AM", at],
  ["1994-11-06T08:49:37", at],
  ["1994-11-06 08:49:37", at],
  ["1994-11-06T08:49:37Z", at],
  ["1994-11-06T10:49:37+02:00", at],
  ["1994-11-06", Date.UTC(1994, 10, 6)],
  ["6 Nov 1994", Date.UTC(1994, 10, 6)],
  ["yesterday", Number.NaN],
  ["some day", Number.NaN]
])("%s", (text, expected) => {
  expect(inTokyo(() => httpDateMillis(text))).toBe(expected)
})

it("Retry-After, resets of limits, validators and unavailable_after may have no zone", () => {
  const asctime = "Sun Nov  6 08:49:37 1994"
  const found = inTokyo(() => [
    retryAfterMillis(asctime, at - 5_000),
    waitOf({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": asctime }, at - 5_000),
    conditionsOf({
      url: "http://a.example/",
      headers: { date: "Sun, 06 Nov 1994 08:50:00 GMT", "last-modified": asctime }
    }),
    robotsVerdict({ metas: [["robots", `unavailable_after: ${asctime}`]] }, "sluice", at - 1).isNoindex,
    robotsVerdict({ metas: [["robots", `unavailable_after: ${asctime}`]] }, "sluice", at).isNoindex
  ])
  expect(found).toEqual([5_000, 5_000, undefined, false, true])
})
