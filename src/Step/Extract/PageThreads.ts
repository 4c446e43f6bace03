/**
 * Reads the rows of pages whose HTML is in the row, as it comes from a hosted service or a file. Large pages, and all pages of a run that has
 * many that come together, are read on worker threads: they do not block the event loop, and use all processors. Our engine reads its pages
 * itself.
 */
import { availableParallelism } from "node:os"
import { getHeapStatistics } from "node:v8"
import type { Worker } from "node:worker_threads"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { FieldRows } from "../../Api/PageData.ts"
import { type Program, spawn } from "../../Callback/Thread.ts"
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
  /** True if the elements of its fields are described. */
  readonly describes: boolean
}

export interface Question extends Page {
  readonly id: number
}

export interface Answer {
  readonly id: number
  readonly read: Read
}

/** Characters of a page that is read on a thread even if it comes alone: shorter ones take less than 50 ms. */
const maxCharacters = 256 * 1024
/** Pages of a step after which all that come together go to threads. Starting a thread costs as much as a hundred of them. */
const maxPagesHere = 100
const maxThreads = Math.min(4, availableParallelism())
/** Pages that may be at the threads at once: each has its next page while an answer is on its way. */
export const maxAtOnce = 2 * maxThreads
/** Memory of a thread: that of this one, so that a page which could be read here can be read there. */
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

interface Asked {
  readonly page: Page
  readonly answered: (read: Read) => void
}

/** A thread and the pages that it was asked for, by the id of the question, in their order. */
interface Thread {
  readonly worker: Worker
  readonly asked: Map<number, Asked>
  hasAnswered: boolean
}

/** The rows of a page, or why a thread has none: the page takes more memory than it has, or there is no thread. */
export type Read = FieldRows | "TooLarge" | "NoThread"

export interface PageThreads {
  /** Decides for pages that come together which of them threads read. Counts them. */
  readonly choose: (pages: ReadonlyArray<string>) => ReadonlyArray<boolean>
  readonly read: (page: Page) => Effect.Effect<Read>
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && Reflect.get(error, "code") === "ERR_WORKER_OUT_OF_MEMORY"

/** Threads of one step, which start when they are needed and end with the scope. `megabytes`: memory of each. */
export const make = (setup: Setup, megabytes = heapMegabytes): Effect.Effect<PageThreads, never, Scope.Scope> =>
  Effect.gen(function* () {
    const threads = new Set<Thread>()
    let isClosed = false
    /** False once a thread has ended before its first answer: a program that bundles this library has left its file out. */
    let canStart = true
    let pages = 0
    let lastId = 0

    /** What a thread had to do when it ended: the first page was at work, and the others go to the next thread. */
    const lose = (thread: Thread, why: "TooLarge" | "NoThread"): void => {
      if (!threads.delete(thread)) return
      void thread.worker.terminate()
      if (!thread.hasAnswered && why === "NoThread") canStart = false
      const [first, ...others] = thread.asked.values()
      thread.asked.clear()
      first?.answered(why)
      for (const { answered, page } of others) {
        if (isClosed) answered("NoThread")
        else ask(page, answered)
      }
    }

    const start = (): Thread => {
      const thread: Thread = {
        worker: spawn(program(setup, megabytes)),
        asked: new Map(),
        hasAnswered: false
      }
      threads.add(thread)
      thread.worker.on(
        "message",
        safely(
          ({ id, read }: Answer) => {
            thread.hasAnswered = true
            thread.asked.get(id)?.answered(read)
            thread.asked.delete(id)
          },
          () => lose(thread, "NoThread")
        )
      )
      thread.worker.on(
        "error",
        safely((error) => lose(thread, isOutOfMemory(error) ? "TooLarge" : "NoThread"))
      )
      for (const event of ["messageerror", "exit"])
        thread.worker.on(
          event,
          safely(() => lose(thread, "NoThread"))
        )
      thread.worker.unref()
      return thread
    }

    /** A thread without work, else a new one while there may be more, else the one with the least. */
    const next = (): Thread => {
      const [least] = [...threads].sort((one, other) => one.asked.size - other.asked.size)
      return least === undefined || (least.asked.size > 0 && threads.size < maxThreads) ? start() : least
    }

    /** Returns a function that no longer waits for the answer. */
    const ask = (page: Page, answered: Asked["answered"]): (() => void) => {
      const id = ++lastId
      try {
        const { asked, worker } = next()
        const question: Question = { ...page, id }
        worker.postMessage(question)
        asked.set(id, { page, answered })
        return () => asked.delete(id)
      } catch {
        // The system refuses another thread.
        answered("NoThread")
        return () => undefined
      }
    }

    yield* Effect.addFinalizer(() =>
      Effect.promise(() => {
        isClosed = true
        return Promise.all([...threads].map(({ worker }) => worker.terminate()))
      })
    )

    return {
      choose: (together) =>
        together.map((html) => {
          const isOneOfMany = ++pages > maxPagesHere && together.length > 1 && maxThreads > 1
          return canStart && (isOneOfMany || html.length > maxCharacters)
        }),
      read: (page) =>
        Effect.async((resume) => {
          const forget = ask(page, (read) => resume(Effect.succeed(read)))
          return Effect.sync(forget)
        })
    }
  })
