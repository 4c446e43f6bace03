/**
 * Conditional requests around a page source: asks a site whether the stored page is still current, and checks a share of the pages.
 *
 * - 304: the stored page is the page. A page that the site sends is the page, as without conditions; it counts as unchanged if it has the
 *   bytes and the validators of the stored one.
 * - `HostTrust` decides how many pages are checked: they are fetched in full. If strong validators are the same and the bytes are not, or
 *   if the site answers 304 for a page that has changed, the validators are wrong. A check is one request, and a second one for a page that
 *   has changed.
 * - Without validators that may be used, with a stored page that cannot be read, with a 304 that is about another response, or when the
 *   site refuses the conditional request, the page is fetched in full.
 * - At most one body is held while another is waited for: see `PageMemory`.
 */
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import type * as Scope from "effect/Scope"
import * as Validators from "../../Fetch/Validators.ts"
import { bodyHash } from "../../PageCache/Packing.ts"
import { maxPageBytes, type Peeked } from "../../PageCache/PageCache.ts"
import type { Fetched, PageSource } from "../../PageCache/PageSource.ts"
import type { ScrapeFailure } from "../ScrapedPage.ts"
import { isSuccess, notModified, type ScrapeRequest } from "../Sources.ts"
import * as Trust from "./HostTrust.ts"

export interface Revalidated {
  readonly fetched: Fetched
  /** Headers of the answer that confirmed the stored page; undefined for a page that has changed or was not compared. */
  readonly confirmedBy: Fetched["headers"] | undefined
}

const withoutFragment = (url: string): string => url.split("#", 1)[0] ?? ""

const isAt = ({ url }: Fetched, stored: Peeked): boolean => withoutFragment(url) === withoutFragment(stored.url)

/** True for a 304 about the stored page. */
const confirms = (answer: Fetched, { conditions, stored }: Attempt): boolean =>
  answer.statusCode === notModified && isAt(answer, stored) && !Validators.contradicts(conditions, answer.headers)

const isGone = (status: number): boolean => status === 404 || status === 410

/** True for an answer that shows what the site has at the address, and not only that it refused the request. */
const isConclusive = ({ shown, statusCode }: Fetched): boolean =>
  shown === undefined && (isSuccess(statusCode) || isGone(statusCode))

/** True for an error that the conditions may have caused. 429 and 503 ask for fewer requests, and get no second one. */
const mayRefuseConditions = ({ statusCode }: Fetched): boolean =>
  statusCode >= 400 && !isGone(statusCode) && statusCode !== 429 && statusCode !== 503

const hasBytesOf = (stored: Peeked, { body, statusCode }: Fetched): boolean =>
  statusCode === stored.statusCode && body.byteLength <= maxPageBytes && bodyHash(body) === stored.hash

/** `restore` returns the stored page; undefined when it cannot be read. */
export const make = (
  trust: Context.Tag.Service<typeof Trust.HostTrust>,
  source: PageSource<ScrapeRequest, ScrapeFailure>,
  restore: (stored: Peeked, request: ScrapeRequest) => Effect.Effect<Fetched | undefined, ScrapeFailure, Scope.Scope>
) => {
  const conditionsOf = Effect.fnUntraced(function* (stored: Peeked, record: Trust.HostRecord) {
    const isUsable = stored.hash !== "" && !Trust.isDistrusted(record, yield* Clock.currentTimeMillis)
    return isUsable ? Validators.conditionsOf(stored, Trust.usesEtag(record)) : undefined
  })

  /** Compares a page that the site sent with the stored one. `asksAgain`: what its answer to the conditions shows. */
  const compare = Effect.fnUntraced(function* (
    { conditions, note, stored }: Attempt,
    page: Fetched,
    asksAgain: Effect.Effect<Trust.Observation, ScrapeFailure, Scope.Scope>
  ) {
    if (!isAt(page, stored) || !isConclusive(page)) return fresh(page)
    const isEqual = hasBytesOf(stored, page)
    if (Validators.claimsSame(conditions, page.headers)) {
      yield* note(isEqual ? "confirmed" : Validators.promisesBytes(conditions) ? "lied" : "differed")
      return isEqual ? { fetched: page, confirmedBy: page.headers } : fresh(page)
    }
    if (isEqual) {
      if (conditions.etag !== undefined) yield* note("renewed")
    } else {
      const observation = yield* Effect.option(asksAgain)
      if (Option.isSome(observation)) yield* note(observation.value)
    }
    return fresh(page)
  })

  return Effect.fnUntraced(function* (stored: Peeked, request: ScrapeRequest) {
    const { plan, target } = request
    const page = new URL(stored.url)
    const deadline = (yield* Clock.currentTimeMillis) + plan.options.timeout
    /** Milliseconds in which requests have waited for their turn: they do not count against the deadline. */
    let waited = 0
    const withinDeadline = (more: Partial<ScrapeRequest>) =>
      Effect.map(Clock.currentTimeMillis, (now) => ({
        ...request,
        ...more,
        timeout: Math.max(1, deadline + waited - now)
      }))
    const withWait = ({ confirmedBy, fetched }: Revalidated): Revalidated => ({
      fetched: { ...fetched, waited },
      confirmedBy
    })
    const note: Note = (observation) => trust.note(target.teamId, page, observation)
    const get = (more: Partial<ScrapeRequest> = {}) =>
      Effect.tap(Effect.flatMap(withinDeadline(more), source.get), (answer) => {
        waited += answer.waited ?? 0
        return isAt(answer, stored) && Validators.isSameTag(stored.headers.etag, answer.headers.etag)
          ? note("sameTag")
          : Effect.void
      })
    const record = yield* trust.of(target.teamId, page.host)
    const conditions = yield* conditionsOf(stored, record)
    if (conditions === undefined) return withWait(fresh(yield* get()))
    const attempt: Attempt = { conditions, note, stored }
    if ((yield* Random.next) < Trust.checkShare(record)) {
      // A page that the site sends instead of a 304 is not read.
      const asksAgain = Effect.map(get({ conditions, maxBytes: 0 }), (answer) => {
        if (answer.statusCode !== notModified) return "told"
        // A 304 about another version proves nothing about the change.
        return confirms(answer, attempt) ? "lied" : "differed"
      })
      return withWait(yield* compare(attempt, yield* get(), asksAgain))
    }
    const [release, answer] = yield* Effect.withEarlyRelease(get({ conditions }))
    if (answer.statusCode !== notModified && !mayRefuseConditions(answer)) {
      return withWait(yield* compare(attempt, answer, Effect.succeed("told")))
    }
    yield* release
    const kept = confirms(answer, attempt) ? yield* restore(stored, yield* withinDeadline({})) : undefined
    if (kept === undefined) return withWait(fresh(yield* get()))
    if (conditions.etag !== undefined) yield* note("sameTag")
    return withWait({ fetched: kept, confirmedBy: answer.headers })
  })
}

type Note = (observation: Trust.Observation) => Effect.Effect<void>

interface Attempt {
  readonly conditions: Validators.Conditions
  readonly note: Note
  readonly stored: Peeked
}

const fresh = (fetched: Fetched): Revalidated => ({ fetched, confirmedBy: undefined })
