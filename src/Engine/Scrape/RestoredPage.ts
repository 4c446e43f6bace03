import { isFailure } from "../../Api/Errors.ts"
import { decode } from "../Fetch/Body.ts"
import { memoryTimeout } from "../Fetch/Fetch.ts"
import type { CachedPage } from "../PageCache/CacheSegments.ts"
import { maxPageBytes, type Peeked } from "../PageCache/PageCache.ts"
import type { Fetched } from "../PageCache/PageSource.ts"
import * as PageMemory from "../Teams/PageMemory.ts"
import { type Held, orFailure, type Work } from "../Teams/Work.ts"
import { addressOf, keyOf } from "./CacheKey.ts"
import type * as Conversion from "./Conversion.ts"
import type { ScrapeRequest } from "./Sources.ts"

const nothingHeld = () => undefined

const noBody = new Uint8Array()

export const make = (memory: PageMemory.MemoryPool, conversions: ReturnType<typeof Conversion.make>) => {
  const decompressed = async (
    work: Work,
    page: CachedPage,
    { plan: { options }, target, timeout = options.timeout }: ScrapeRequest
  ): Promise<Held<Uint8Array | undefined>> => {
    const { teamId: team } = target
    const { close, reservation } = memory.enter({ team, host: new URL(page.url).host }, work.seam.call)
    const limit = { bytes: maxPageBytes, reservation }
    const unpacked = async (inner: Work) => {
      if (page.body.byteLength > PageMemory.uncountedSize) await inner.run(reservation.grow(page.body.byteLength))
      const body = await orFailure(decode(inner, new URL(page.url), page.body, page.coding, limit))
      return isFailure(body) ? undefined : body
    }
    try {
      return { page: await work.within(timeout, () => memoryTimeout(target.url, timeout), unpacked), release: close }
    } catch (cause) {
      close()
      throw cause
    }
  }

  /** Restores the page as its site sent it; undefined if its body cannot be decompressed. */
  const restore = async (work: Work, page: CachedPage, request: ScrapeRequest): Promise<Held<Fetched | undefined>> => {
    const { page: body, release } = await decompressed(work, page, request)
    if (body === undefined) {
      release()
      return { page: undefined, release: nothingHeld }
    }
    const { plan, target } = request
    const { headers, statusCode } = page
    // The key includes the rendering: a request that needs a browser only finds rendered pages.
    const shown = plan.rendering === undefined ? {} : { shown: {} }
    return { page: { url: addressOf(page, target), statusCode, headers, body, ...shown }, release }
  }

  /** Restores the stored page. Leaves out its body if its conversion is stored. */
  const restorePeeked = async (
    work: Work,
    stored: Peeked,
    request: ScrapeRequest
  ): Promise<Held<Fetched | undefined>> => {
    const { plan, target } = request
    const wanted = { pageKey: keyOf(target, plan), plan, page: stored, bodyHash: stored.hash }
    const converted = await work.run(conversions.find(wanted, target.stored))
    if (converted !== undefined) {
      const { headers, statusCode } = stored
      return {
        page: { url: addressOf(stored, target), statusCode, headers, body: noBody, converted },
        release: nothingHeld
      }
    }
    const body = await work.run(stored.body)
    return body === undefined ? { page: undefined, release: nothingHeld } : restore(work, { ...stored, body }, request)
  }

  return { restore, restorePeeked }
}
