/** Buffer of fetched results that are not yet committed. Results are committed in batches, and a job ends only after its last batch. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Finished } from "./PageOutcome.ts"

/** Pages per commit. A commit costs nearly the same for any number of pages. */
const maxCommitPages = 96
/** Bytes per commit, unless a single page is larger. The commit blocks the event loop while it is written and indexed. */
const maxCommitBytes = 2 * 1024 * 1024

export interface ResultBuffer {
  readonly add: (page: Finished) => void
  readonly bytes: () => number
  /** True at `maxCommitPages` pages or above `maxCommitBytes`: a larger commit would not be more efficient. */
  readonly isFull: () => boolean
  readonly some: (test: (page: Finished) => boolean) => boolean
  readonly last: () => Finished | undefined
  readonly has: (page: Finished) => boolean
  readonly isEmpty: () => boolean
  /** Removes and returns the oldest pages, up to the size of one commit. */
  readonly take: () => ReadonlyArray<Finished>
}

/** Bytes of the document as it is stored. */
const storedSize = ({ body, content }: Finished): number => (body?.byteLength ?? 0) + (content?.body.byteLength ?? 0)

export const make = (): ResultBuffer => {
  let pages: Array<Finished> = []
  let bytes = 0
  return {
    add: (page) => {
      pages.push(page)
      bytes += storedSize(page)
    },
    bytes: () => bytes,
    isFull: () => pages.length >= maxCommitPages || bytes > maxCommitBytes,
    some: (test) => pages.some(test),
    last: () => pages.at(-1),
    has: (page) => pages.includes(page),
    isEmpty: () => pages.length === 0,
    take: () => {
      let [count, sum] = [0, 0]
      for (const page of pages) {
        if (count > 0 && sum + storedSize(page) > maxCommitBytes) break
        sum += storedSize(page)
        count++
      }
      const taken = pages.slice(0, count)
      pages = pages.slice(count)
      bytes -= sum
      return taken
    }
  }
}

export class PendingResults extends Effect.Service<PendingResults>()("sluice/Engine/Jobs/PendingResults", {
  sync: () => {
    const flushes = new Set<Effect.Effect<void>>()
    return {
      /** Registers an effect that commits a pool's buffered pages, for as long as the scope is open. */
      add: (flush: Effect.Effect<void>): Effect.Effect<void, never, Scope.Scope> =>
        Effect.acquireRelease(
          Effect.sync(() => flushes.add(flush)),
          () => Effect.sync(() => flushes.delete(flush))
        ),
      /** Commits the buffered pages of all pools. Completes when done, or after a timeout per pool. */
      flush: Effect.suspend(() => Effect.forEach(flushes, (flush) => flush, { discard: true }))
    }
  }
}) {}
