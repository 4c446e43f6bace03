/** Limits the growth of the JavaScript heap, and triggers its collections. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/**
 * Heap growth between two collections, in percent of the memory in use. By V8's own rule, a heap grows to four times the memory in use
 * while pages stream through it: 256 MB instead of about 140 after 600 pages. Most of a collection's marking runs concurrently.
 */
const growth = 60

/** Limits how far the heap may grow between two collections. It affects the whole process, so programs call it and libraries do not. */
export const limitGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${growth}`)

/**
 * Number and size of external allocations that make V8 start a collection. Blocks of this size are returned to the system at once when
 * freed.
 */
const [blocks, blockBytes] = [3, 48 * 1024 * 1024]

/**
 * Makes V8 start an incremental collection on this thread, by external allocations. The blocks are never written to, so they take no
 * physical memory.
 *
 * A full collection (`gc()`) would drop the shapes of classes without instances, and with them all optimized code. After one large page, a
 * thread would then spend more time on compiling than on its next hundred pages.
 */
export const triggerCollection = (): void => {
  for (let block = 0; block < blocks; block++) new ArrayBuffer(blockBytes)
}

/**
 * Makes a function that collects the young generation of this thread at once. V8 waits for 32 MB of buffers on a thread that makes few
 * objects. Where little is alive, a collection takes a quarter of a millisecond, and it drops no code. The flag is one of the whole process:
 * it is left to a program that has set it, and where another thread resets it meanwhile, the function does nothing.
 */
export const youngCollector = (): (() => void) => {
  const collect = globalThis.gc ?? exposedCollector()
  return () => collect?.({ type: "minor" })
}

const exposedCollector = (): typeof globalThis.gc => {
  try {
    setFlagsFromString("--expose-gc")
    return runInNewContext("gc") as typeof globalThis.gc
  } catch {
    return undefined
  } finally {
    setFlagsFromString("--no-expose-gc")
  }
}
