/**
 * Reads the rows of pages whose HTML is in the row, as it comes from a hosted service or a file. Large pages, and medium pages that come
 * together after many others, are read on worker threads, which do not block the event loop and use all processors. Sluice's engine reads
 * its own pages.
 */
import { availableParallelism } from "node:os"
import { getHeapStatistics } from "node:v8"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { FieldRows } from "../../Api/PageData.ts"
import { Lost, type Program, Threads } from "../../Callback/Threads.ts"
import { safely } from "../../Callback.ts"
import type { RowsAsked } from "./Compile.ts"

export interface Setup {
  readonly asked: RowsAsked
  /** Start of the run in milliseconds, for values such as "yesterday". */
  readonly now: number
}

export interface Page {
  readonly html: string
  /** Address of the page. */
  readonly base: string | undefined
  /** Charset of the page, if its answer declares one. */
  readonly charset?: string | undefined
  /** True if the elements of the page's fields should be described. */
  readonly describes: boolean
}

/** Minimum characters of a page that is always read on a thread: shorter pages take less than 50 ms. */
const maxCharacters = 256 * 1024
/**
 * Number of a step's pages after which pages that come together go to threads. Starting a thread costs as much as reading a hundred pages.
 */
const maxPagesHere = 100
/**
 * Minimum characters of a page for a thread in that case, too: for shorter pages the message costs more than it saves (1,500 pages of 15
 * kB: 15 % slower; of 60 kB: 15 % faster).
 */
const minCharacters = 32 * 1024
const maxThreads = Math.min(4, availableParallelism())
/** Maximum pages requested at once: a thread that has read one gets the next. */
export const maxAtOnce = 2 * maxThreads
/** Memory of a thread: as much as this process has, so that a thread can read every page that this process could. */
export const heapMegabytes = Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20)

const program = (setup: Setup, megabytes: number): Program => ({
  source: new URL("./PageThread.ts", import.meta.url),
  built: "fields-thread.js",
  options: {
    env: {},
    workerData: setup,
    resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 16 }
  }
})

/** Rows of a page, or why a thread has none: the page needs too much memory, or there is no thread. */
export type Read = FieldRows | "TooLarge" | "NoThread"

export interface PageThreads {
  /** Counts pages that come together, and decides which of them are read on threads. */
  readonly choose: (pages: ReadonlyArray<string>) => ReadonlyArray<boolean>
  readonly read: (page: Page) => Effect.Effect<Read>
}

const isOutOfMemory = (cause: unknown): boolean =>
  cause instanceof Lost &&
  cause.cause instanceof Error &&
  Reflect.get(cause.cause, "code") === "ERR_WORKER_OUT_OF_MEMORY"

/** Threads of one step, which start on demand and end with the scope. `megabytes`: memory of each thread. */
export const make = (setup: Setup, megabytes = heapMegabytes): Effect.Effect<PageThreads, never, Scope.Scope> =>
  Effect.gen(function* () {
    const threads = new Threads(program(setup, megabytes), { idle: "1 minute" })
    yield* Effect.addFinalizer(() => Effect.promise(() => threads.close()))
    const places = yield* Effect.makeSemaphore(maxThreads)
    let pages = 0
    let hasAnswered = false
    /** False once a thread has ended without any answer: a program that bundles this library has left the thread's file out. */
    let canStart = true
    const failed = (cause: unknown): Read => {
      if (isOutOfMemory(cause)) return "TooLarge"
      if (!hasAnswered) canStart = false
      return "NoThread"
    }
    return {
      choose: (together) =>
        together.map((html) => {
          const isOneOfMany =
            ++pages > maxPagesHere && together.length > 1 && maxThreads > 1 && html.length >= minCharacters
          return canStart && (isOneOfMany || html.length > maxCharacters)
        }),
      read: (page) =>
        Effect.async<Read>((resume) => {
          let cancel = () => {}
          const onCancel = (end: () => void) => {
            cancel = end
            return () => undefined
          }
          threads
            .ask(page, onCancel, () => new Lost("the step has ended"))
            .then(
              safely((read) => {
                hasAnswered = true
                resume(Effect.succeed(read as Read))
              }),
              safely((cause) => resume(Effect.succeed(failed(cause))))
            )
          return Effect.sync(() => cancel())
        }).pipe(places.withPermits(1))
    }
  })
