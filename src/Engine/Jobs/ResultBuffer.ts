/**
 * Results that have been fetched and are not in the store yet, committed in batches. A job ends only after its results have been
 * committed.
 */

import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Finished } from "./PageOutcome.ts"

/** Outcomes that a commit waits for while there is other work; each commit costs the disk about the same. */
const batch = 96
/** Bytes of one commit, or one page: nobody else has a turn while it is written, and read for the index. */
const portion = 2 * 1024 * 1024

export interface ResultBuffer {
  readonly add: (page: Finished) => void
  readonly bytes: () => number
  /** A commit more would not be better. */
  readonly isFull: () => boolean
  readonly some: (test: (page: Finished) => boolean) => boolean
  readonly last: () => Finished | undefined
  readonly has: (page: Finished) => boolean
  readonly isEmpty: () => boolean
  /** The oldest, out of it. */
  readonly take: () => ReadonlyArray<Finished>
}

const sizeOf = ({ body }: Finished): number => body?.byteLength ?? 0

export const make = (): ResultBuffer => {
  let pages: Array<Finished> = []
  let bytes = 0
  return {
    add: (page) => {
      pages.push(page)
      bytes += sizeOf(page)
    },
    bytes: () => bytes,
    isFull: () => pages.length >= batch || bytes > portion,
    some: (test) => pages.some(test),
    last: () => pages.at(-1),
    has: (page) => pages.includes(page),
    isEmpty: () => pages.length === 0,
    take: () => {
      let [count, sum] = [0, 0]
      for (const page of pages) {
        if (count > 0 && sum + sizeOf(page) > portion) break
        sum += sizeOf(page)
        count++
      }
      const taken = pages.slice(0, count)
      pages = pages.slice(count)
      bytes -= sum
      return taken
    }
  }
}

export class Pending extends Effect.Service<Pending>()("sluice/Engine/Jobs/Pending", {
  sync: () => {
    const crews = new Set<Effect.Effect<void>>()
    return {
      /** Says how pages in hand are brought into the store, for as long as the scope is open. */
      add: (flush: Effect.Effect<void>): Effect.Effect<void, never, Scope.Scope> =>
        Effect.acquireRelease(
          Effect.sync(() => crews.add(flush)),
          () => Effect.sync(() => crews.delete(flush))
        ),
      /** Done when what was in hand is in the store, or cannot be brought there soon. */
      flush: Effect.suspend(() => Effect.forEach(crews, (flush) => flush, { discard: true }))
    }
  }
}) {}
