/**
 * Pages of a crawl that are answered without a visit. `judge` decides that for one page; `answerAll` looks up, judges and reads a group of
 * pages at once, before they wait for a request slot of their host: most pages of a later crawl cost nothing else.
 *
 * Pages that `answerAll` leaves undefined are visited like any other, and judged again then, with the same random number: it says whether a
 * page is checked all the same.
 */
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { checkShare, type HostTrust, isDistrusted, type Subject } from "../PageCache/HostTrust.ts"
import type { PageCache, Peeked } from "../PageCache/PageCache.ts"
import type { Converted, Fetched } from "../PageSource.ts"
import { addressOf, siteOf, storedKey } from "./CacheKey.ts"
import type * as Conversion from "./Conversion.ts"
import * as Revisit from "./Revisit.ts"
import type { ScrapeTarget, Unchanged } from "./ScrapedPage.ts"
import type { ScrapeRequest } from "./Sources.ts"

/** What is known of a page that could be left out. */
export interface Judged {
  /** What says that it has not changed; undefined for the floor. */
  readonly subject: Exclude<Subject, "validators"> | undefined
  /** True if the page is visited all the same. */
  readonly isVisited: boolean
  /** True if it is visited because the subject says that it has changed. */
  readonly isTold: boolean
}

/** A stored page that need not be visited. */
export interface Unvisited {
  readonly fetched: Fetched & { readonly converted: Converted }
  readonly unchanged: Unchanged
}

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

  /** Answers of the pages that need no visit, in the order of the requests. */
  const answerAll = Effect.fnUntraced(function* (requests: ReadonlyArray<ScrapeRequest>) {
    const keyed = requests.flatMap((request, at) => {
      const key = request.target.revisit === undefined ? undefined : storedKey(request)
      return key === undefined ? [] : [{ at, key, request }]
    })
    const answers: Array<Unvisited | undefined> = requests.map(() => undefined)
    if (keyed.length === 0) return answers
    const pages = yield* cache.peekAll(keyed.map(({ key }) => key))
    const left: Array<(typeof keyed)[number] & { readonly page: Peeked; readonly judged: Judged }> = []
    for (const [index, one] of keyed.entries()) {
      const page = pages[index]
      const judged = page === undefined ? undefined : yield* judge(page, one.request.target)
      if (page !== undefined && judged?.isVisited === false) left.push({ ...one, page, judged })
    }
    const converted = yield* conversions.findAll(
      left.map(({ key, page, request: { plan } }) => ({ pageKey: key, plan, page, bodyHash: page.hash }))
    )
    for (const [index, { at, judged, page, request }] of left.entries()) {
      const conversion = converted[index]
      if (conversion === undefined) continue
      const { headers, statusCode } = page
      const url = addressOf(page, request.target)
      answers[at] = {
        fetched: { url, statusCode, headers, body: noBody, converted: conversion },
        unchanged: reasonOf(judged)
      }
    }
    return answers
  })

  return { answerAll, judge }
}

const noBody = new Uint8Array()
