/** The pages that were fetched and are not in the store yet, taken out in portions that a transaction can bear. */
import type { Finished } from "./Finished.ts"

/** Outcomes that a commit waits for while there is other work; each commit costs the disk about the same. */
const batch = 96
/** Bytes of one commit, or one page: nobody else has a turn while it is written, and read for the index. */
const portion = 2 * 1024 * 1024

export interface Harvest {
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

export const make = (): Harvest => {
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
