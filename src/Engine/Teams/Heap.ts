/** The JavaScript heap: how far it grows, and when it is collected. */
import { setFlagsFromString } from "node:v8"

/**
 * Percent of what is in use, in place of V8's own rule, by which a heap grows to four times what is in use while pages stream through it:
 * 256 MB in place of about 140 after 600 pages. A collection marks beside the program for the most part.
 */
const growth = 60

/** Limits how far the heap may grow between two collections. Holds for the whole process, so programs call it and libraries do not. */
export const limitGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${growth}`)

/** External allocations that make V8 start a collection. Blocks of this size go straight back to the system when freed. */
const [blocks, blockBytes] = [3, 48 * 1024 * 1024]

/**
 * Makes V8 start an incremental collection of this thread, by external allocations. The blocks are never written to, so they take no physical
 * memory.
 *
 * A collection at once (`gc()`) would forget the shapes of classes without instances, and with them all optimized code: a thread that read one
 * large page would spend more on compiling than on its next hundred pages.
 */
export const triggerCollection = (): void => {
  for (let block = 0; block < blocks; block++) new ArrayBuffer(blockBytes)
}
