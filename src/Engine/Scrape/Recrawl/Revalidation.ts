/**
 * Adds conditional requests to a page source: asks a site whether the stored page is still current, and checks a share of the pages.
 *
 * - After a 304 the stored page is returned. If the site sends a page, that page is returned, as without conditions; it counts as unchanged
 *   if its bytes and validators equal those of the stored page.
 * - `HostTrust` decides how many pages are checked by fetching them in full. Validators are wrong if strong ones are equal and the bytes
 *   are not, or if the site answers 304 for a page that has changed. A check takes one request, and a second one if the page has changed.
 * - The page is fetched in full if there are no usable validators, if the stored page cannot be read, if a 304 is about another response,
 *   or if the site refuses the conditional request.
 * - While a request waits for a body, it holds at most one other body; see `PageMemory`.
 */
import type * as Context from "effect/Context"
import * as Random from "effect/Random"
import { isGone } from "../../../Api/Document.ts"
import { isFailure } from "../../../Api/Errors.ts"
import { withoutFragment } from "../../../Api/Url.ts"
import * as Validators from "../../Fetch/Validators.ts"
import { bodyHash } from "../../PageCache/Packing.ts"
import { maxPageBytes, type Peeked } from "../../PageCache/PageCache.ts"
import type { Fetched, PageSource } from "../../PageCache/PageSource.ts"
import { type Held, keeping, orFailure, type Work } from "../../Teams/Work.ts"
import { isSuccess, notModified, type ScrapeRequest } from "../Sources.ts"
import * as Trust from "./HostTrust.ts"

export interface Revalidated {
  readonly fetched: Fetched
  /** Headers of the response that confirmed the stored page; undefined if the page has changed or was not compared. */
  readonly confirmedBy: Fetched["headers"] | undefined
}

const isAt = ({ url }: Fetched, stored: Peeked): boolean => withoutFragment(url) === withoutFragment(stored.url)

/** True for a 304 that refers to the stored page. */
const confirms = (answer: Fetched, { conditions, stored }: Attempt): boolean =>
  answer.statusCode === notModified && isAt(answer, stored) && !Validators.contradicts(conditions, answer.headers)

/** True for a response that shows the page or that it is gone, rather than a refused request. */
const isConclusive = ({ shown, statusCode }: Fetched): boolean =>
  shown === undefined && (isSuccess(statusCode) || isGone(statusCode))

/**
 * True for an error that the conditions may have caused, so that a second request without them is worthwhile. Not for 429 and 503, which
 * ask for fewer requests.
 */
const mayRefuseConditions = ({ statusCode }: Fetched): boolean =>
  statusCode >= 400 && !isGone(statusCode) && statusCode !== 429 && statusCode !== 503

const hasBytesOf = (stored: Peeked, { body, statusCode }: Fetched): boolean =>
  statusCode === stored.statusCode && body.byteLength <= maxPageBytes && bodyHash(body) === stored.hash

/** Creates the function that revalidates a stored page. `restore` reads the stored page; undefined when it cannot be read. */
export const make = (
  trust: Context.Tag.Service<typeof Trust.HostTrust>,
  source: PageSource<ScrapeRequest, Fetched>,
  restore: (work: Work, stored: Peeked, request: ScrapeRequest) => Promise<Held<Fetched | undefined>>
) => {
  const conditionsOf = (stored: Peeked, record: Trust.HostRecord, now: number) =>
    stored.hash !== "" && !Trust.isDistrusted(record, now)
      ? Validators.conditionsOf(stored, Trust.usesEtag(record))
      : undefined

  /**
   * Compares a page that the site sent with the stored page. `asksAgain` sends the conditional request and returns the conclusion from its
   * response.
   */
  const compare = async (
    { conditions, note, stored }: Attempt,
    page: Fetched,
    asksAgain: () => Promise<Trust.Observation>
  ): Promise<Revalidated> => {
    if (!isAt(page, stored) || !isConclusive(page)) return fresh(page)
    const isEqual = hasBytesOf(stored, page)
    if (Validators.claimsSame(conditions, page.headers)) {
      await note(isEqual ? "confirmed" : Validators.promisesBytes(conditions) ? "lied" : "differed")
      return isEqual ? { fetched: page, confirmedBy: page.headers } : fresh(page)
    }
    if (isEqual) {
      if (conditions.etag !== undefined) await note("renewed")
    } else {
      const observation = await orFailure(asksAgain())
      if (!isFailure(observation)) await note(observation)
    }
    return fresh(page)
  }

  return async (work: Work, stored: Peeked, request: ScrapeRequest): Promise<Held<Revalidated>> => {
    const { plan, target } = request
    const address = new URL(stored.url)
    const deadline = work.now() + plan.options.timeout
    /** Milliseconds that requests waited for their turn, which do not count against the deadline. */
    let waited = 0
    const withinDeadline = (more: Partial<ScrapeRequest>) => ({
      ...request,
      ...more,
      timeout: Math.max(1, deadline + waited - work.now())
    })
    const note: Note = (observation) => work.run(trust.note(target.teamId, address, observation))
    const get = async (more: Partial<ScrapeRequest> = {}): Promise<Held<Fetched>> =>
      keeping(await source.open(work, withinDeadline(more)), async (answer) => {
        waited += answer.waited ?? 0
        if (isAt(answer, stored) && Validators.isSameTag(stored.headers.etag, answer.headers.etag)) {
          await note("sameTag")
        }
        return answer
      })
    const withWait = ({ confirmedBy, fetched }: Revalidated): Revalidated => ({
      fetched: { ...fetched, waited },
      confirmedBy
    })
    const getFresh = async () => keeping(await get(), async (answer) => withWait(fresh(answer)))
    const compared = (attempt: Attempt, held: Held<Fetched>, asksAgain: () => Promise<Trust.Observation>) =>
      keeping(held, async (answer) => withWait(await compare(attempt, answer, asksAgain)))
    const record = await work.run(trust.of(target.teamId, address.host))
    const conditions = conditionsOf(stored, record, work.now())
    if (conditions === undefined) return getFresh()
    const attempt: Attempt = { conditions, note, stored }
    if ((await work.run(Random.next)) < Trust.checkShare(record)) {
      // If the site sends a page instead of a 304, its body is not read.
      return compared(attempt, await get(), async () => {
        const { page: answer, release } = await get({ conditions, maxBytes: 0 })
        release()
        if (answer.statusCode !== notModified) return "told"
        // A 304 about another version says nothing about the change.
        return confirms(answer, attempt) ? "lied" : "differed"
      })
    }
    const answer = await get({ conditions })
    if (answer.page.statusCode !== notModified && !mayRefuseConditions(answer.page)) {
      return compared(attempt, answer, async () => "told")
    }
    answer.release()
    const kept = confirms(answer.page, attempt) ? await restore(work, stored, withinDeadline({})) : undefined
    const page = kept?.page
    if (kept === undefined || page === undefined) return getFresh()
    return keeping(kept, async () => {
      if (conditions.etag !== undefined) await note("sameTag")
      return withWait({ fetched: page, confirmedBy: answer.page.headers })
    })
  }
}

type Note = (observation: Trust.Observation) => Promise<void>

interface Attempt {
  readonly conditions: Validators.Conditions
  readonly note: Note
  readonly stored: Peeked
}

const fresh = (fetched: Fetched): Revalidated => ({ fetched, confirmedBy: undefined })
