/** Headers of APIs that `request` reads: limits of rate, and links. */
import { expect, it } from "@effect/vitest"
import { nextLink, waitOf } from "../../src/Step/Request/Headers.ts"

const now = Date.parse("2026-05-01T12:00:00Z")
const seconds = now / 1000

it.each([
  ["seconds", { "retry-after": "7" }, 7_000],
  ["a date", { "retry-after": "Fri, 01 May 2026 12:00:09 GMT" }, 9_000],
  ["a date that has passed", { "retry-after": "Fri, 01 May 2026 11:00:00 GMT" }, 0],
  ["the structured header", { ratelimit: '"burst";r=0;t=30' }, 30_000],
  ["the header of older drafts", { ratelimit: "limit=100, remaining=0, reset=12" }, 12_000],
  ["seconds from now on", { "ratelimit-remaining": "0", "ratelimit-reset": "5" }, 5_000],
  ["a time in seconds", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(seconds + 20) }, 20_000],
  ["a time in milliseconds", { "x-rate-limit-remaining": "0", "x-rate-limit-reset": String(now + 300) }, 300],
  ["a time as text", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "2026-05-01T12:01:00Z" }, 60_000],
  ["requests that are left", { "x-ratelimit-remaining": "3", "x-ratelimit-reset": "60" }, undefined],
  ["structured requests that are left", { ratelimit: '"default";r=10;t=30' }, undefined],
  ["no word", {}, undefined],
  ["nonsense", { "retry-after": "soon", "x-ratelimit-remaining": "none" }, undefined]
] as const)("a limit says when to ask again: %s", (_, headers, wait) => {
  expect(waitOf(headers, now)).toBe(wait)
})

it.each([
  ["one link", '<https://x.example/?page=2>; rel="next"', "https://x.example/?page=2"],
  ["without quotes", "</a?b=1>;rel=next", "/a?b=1"],
  ["behind others", '<a>; rel="prev", <b>; rel="last", <c>; rel="next"', "c"],
  [
    "with commas and brackets in address and title",
    '<a,b;c>; title="x, <n>; rel=next"; rel=last, <d,e>; rel=next',
    "d,e"
  ],
  ["one of several relations", '<a>; rel="last next"', "a"],
  ["in single quotes", "<a>; title='x, y'; rel='last', <b>; rel='prev next'", "b"],
  ["with one single quote", "<a>; title='tis; rel=next", "a"],
  ["in capitals", "<a>; REL=Next", "a"],
  ["only the first rel counts", "<a>; rel=prev; rel=next", undefined],
  ["behind something that is no link", "nonsense, <a>; rel=next", "a"],
  ["a link without end", "<a", undefined],
  ["nothing", "", undefined],
  ["a relation that begins alike", '<a>; rel="next-archive"', undefined]
] as const)("a link of the header: %s", (_, header, target) => {
  expect(nextLink(header, "next")).toBe(target)
})
