/**
 * Pages of a crawl that are answered without a visit. `judge` decides that for one page; `lookUp` looks up, judges and reads a group of
 * pages at once, before they wait for a request slot of their host: most pages of a later crawl cost nothing else.
 *
 * The other pages are visited with what was found of them, and judged again then, with the same random number: it says whether a page is
 * checked all the same. What was found may have been replaced meanwhile: then it is not confirmed, and a body that is gone is fetched.
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

/** A candidate to skip: a stored page that may be the answer without a visit. */
export interface Judged {
  /** Evidence that it has not changed; undefined for a page younger than the floor. */
  readonly subject: Exclude<Subject, "validators"> | undefined
  /** True if the page is visited all the same. */
  readonly isVisited: boolean
  /** True if it is visited because the subject says that it has changed. */
  readonly isTold: boolean
}

/** A stored page that need not be visited, or what the visit needs to know. */
export type Found =
  | {
      readonly answer: Fetched & { readonly converted: Converted }
      readonly unchanged: Unchanged
      readonly stored?: undefined
    }
  | { readonly answer?: undefined; readonly stored: StoredBefore }

/** Bytes of answers after which the other pages of a group are visited, each of which is judged again. */
const maxAnswerBytes = 4 * 1024 * 1024

/** Share of the pages that are visited although they are not due. */
const rateCheckShare = 0.02

/** Why a page was not visited. */
export const reasonOf = ({ subject }: Judged): Unchanged => (subject === "sitemap" ? "sitemap" : "notDue")

export const make = (
  cache: Context.Tag.Service<typeof PageCache>,
  trust: Context.Tag.Service<typeof HostTrust>,
  conversions: Conversion.Conversions
) => {
  /** Undefined for a page that is visited whatever is known of its host. */
  const judge = Effect.fnUntraced(function* (
    stored: Peeked,
    { revisit, teamId }: ScrapeTarget
  ): Effect.fn.Return<Judged | undefined> {
    if (revisit === undefined || stored.hash === "" || stored.history === undefined) return undefined
    const now = yield* Clock.currentTimeMillis
    const age = now - stored.at
    // The clock of the last visit was ahead: how long ago it was is not known.
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

  /** Looks pages up that share a plan. Answers are in the order of the requests. */
  const lookUp = Effect.fnUntraced(function* (requests: ReadonlyArray<ScrapeRequest>) {
    const keyed = requests.flatMap((request) => {
      const pageKey = storedKey(request)
      return pageKey === undefined ? [] : [{ pageKey, target: request.target }]
    })
    const plan = requests[0]?.plan
    // The plan alone decides: either all pages have a key or none has.
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
