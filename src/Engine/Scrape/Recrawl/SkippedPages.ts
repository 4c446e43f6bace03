/**
 * Answers pages of a crawl without a visit. `judge` decides that for one page; `lookUp` looks up, judges and reads a group of pages at
 * once, before they are queued for a request slot of their host. Most pages of a later crawl need nothing else.
 *
 * The other pages are visited with the entries found here, and judged again then. The random number that decides whether a page is checked
 * anyway is the same both times. If an entry has been replaced meanwhile, it is not confirmed, and a missing body is fetched.
 */
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { PageCache, Peeked, StoredBefore } from "../../PageCache/PageCache.ts"
import type { Converted, Fetched } from "../../PageCache/PageSource.ts"
import { addressOf, siteOf, storedKey } from "../CacheKey.ts"
import * as Conversion from "../Conversion.ts"
import type { ScrapeTarget, Unchanged } from "../ScrapedPage.ts"
import type { ScrapeRequest } from "../Sources.ts"
import { checkShare, type HostTrust, isDistrusted, type Subject } from "./HostTrust.ts"
import * as Revisit from "./Revisit.ts"

/** A candidate for skipping: a stored page that may replace a visit. */
export interface Judged {
  /** What says whether the page has changed; undefined for a page younger than the policy's `floor`. */
  readonly subject: Exclude<Subject, "validators"> | undefined
  /** True if the page is visited anyway. */
  readonly isVisited: boolean
  /** True if the page is visited because the subject reports a change. */
  readonly isTold: boolean
}

/** A result for a page that need not be visited, or the entries that its visit needs. */
export type Found =
  | {
      readonly answer: Fetched & { readonly converted: Converted }
      readonly unchanged: Unchanged
      readonly stored?: undefined
    }
  | { readonly answer?: undefined; readonly stored: StoredBefore }

/** Bytes of results after which the other pages of a group get no result here: each of them is judged again when its visit is due. */
const maxAnswerBytes = 4 * 1024 * 1024

/** Share of pages that are visited although their change rates say that no visit is due, to check the rates. */
const rateCheckShare = 0.02

/** Reason why a page was not visited. */
export const reasonOf = ({ subject }: Judged): Unchanged => (subject === "sitemap" ? "sitemap" : "notDue")

export const make = (
  cache: Context.Tag.Service<typeof PageCache>,
  trust: Context.Tag.Service<typeof HostTrust>,
  conversions: Conversion.Conversions
) => {
  /** Judges a stored page; undefined if the page is visited regardless of its host. */
  const judge = Effect.fnUntraced(function* (
    stored: Peeked,
    { revisit, teamId }: ScrapeTarget
  ): Effect.fn.Return<Judged | undefined> {
    if (revisit === undefined || stored.hash === "" || stored.history === undefined) return undefined
    const now = yield* Clock.currentTimeMillis
    const age = now - stored.at
    // If the clock of the last visit was ahead, the age of the page is unknown.
    if (age < 0 || age >= revisit.ceiling) return undefined
    const { host } = new URL(stored.url)
    const checked = (subject: Exclude<Subject, "validators">, share: number) =>
      Effect.map(revisit.draw === undefined ? Random.next : Effect.succeed(revisit.draw), (draw) => ({
        subject,
        isVisited: draw < share,
        isTold: false
      }))
    const isListed = Revisit.saysUnchanged(revisit.listed, stored.at, now)
    const sitemap = isListed === undefined ? undefined : yield* trust.of(teamId, host, "sitemap")
    if (sitemap !== undefined && !isDistrusted(sitemap, now)) {
      if (isListed !== true) return { subject: "sitemap", isVisited: true, isTold: true }
      return yield* checked("sitemap", revisit.isAudit ? 1 : checkShare(sitemap))
    }
    if (age < (revisit.floor ?? 0)) return { subject: undefined, isVisited: revisit.isAudit, isTold: false }
    if (isDistrusted(yield* trust.of(teamId, host, "rates"), now)) return undefined
    const visits = yield* cache.visitsOf(siteOf(teamId, host))
    if (Revisit.chanceOfChange(stored, visits, now) >= Revisit.maxChance) return undefined
    return yield* checked("rates", revisit.isAudit ? 1 : rateCheckShare)
  })

  /** Looks up pages that share a plan. Results are in the order of the requests. */
  const lookUp = Effect.fnUntraced(function* (requests: ReadonlyArray<ScrapeRequest>) {
    const keyed = requests.flatMap((request) => {
      const pageKey = storedKey(request)
      return pageKey === undefined ? [] : [{ pageKey, target: request.target }]
    })
    const plan = requests[0]?.plan
    // Whether a page has a key depends only on the plan, so either all pages have one or none has.
    if (plan === undefined || keyed.length < requests.length) return []
    const [pages = [], converted = []] = yield* cache.peekAll([
      keyed.map(({ pageKey }) => pageKey),
      Conversion.isRepeatable(plan) ? keyed.map(({ pageKey }) => Conversion.keyOf(pageKey, plan)) : []
    ])
    const found: Array<Found> = []
    let bytes = 0
    for (const [at, { pageKey, target }] of keyed.entries()) {
      const page = pages[at]
      const stored = { page, conversion: converted[at] }
      const judged = page === undefined || bytes > maxAnswerBytes ? undefined : yield* judge(page, target)
      const conversion =
        page === undefined || judged?.isVisited !== false
          ? undefined
          : yield* conversions.find({ pageKey, plan, page, bodyHash: page.hash }, stored)
      if (page === undefined || judged === undefined || conversion === undefined) {
        found.push({ stored })
        continue
      }
      bytes += conversion.content.body.byteLength
      const { headers, statusCode } = page
      const url = addressOf(page, target)
      found.push({
        answer: { url, statusCode, headers, body: noBody, converted: conversion },
        unchanged: reasonOf(judged)
      })
    }
    return found
  })

  return { judge, lookUp }
}

const noBody = new Uint8Array()
