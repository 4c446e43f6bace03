/**
 * Reads the rows of pages whose HTML is in the row, as it comes from a hosted service or a file. Large pages, and all pages of a run that has
 * many, are read on worker threads: they neither hold up the other steps nor wait for one processor. Our engine reads its pages itself.
 */
import { availableParallelism } from "node:os"
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
  readonly read: FieldRows
}

/** Characters of a page that is always read on a thread: shorter ones take less than 50 ms. */
const maxCharacters = 256 * 1024
/** Pages of a step after which all go to threads. Starting a thread costs as much as a hundred of them. */
const maxPagesHere = 100
/** Pages that may be at the threads at once. Twice their number: each has its next page while an answer is on its way. */
const maxThreads = Math.min(4, availableParallelism())
export const maxAtOnce = 2 * maxThreads
/** Memory of a thread. */
export const heapMegabytes = 768

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
}

/** The rows of a page, or why a thread has none: the page takes more memory than it has, or there is no thread. */
export type Read = FieldRows | "TooLarge" | "NoThread"

export interface PageThreads {
  /** True if the page is to be read on the thread of the step. Counts it. */
  readonly readsHere: (html: string) => boolean
  readonly read: (page: Page) => Effect.Effect<Read>
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && Reflect.get(error, "code") === "ERR_WORKER_OUT_OF_MEMORY"

/** Threads of one step, which start when they are needed and end with the scope. `megabytes`: memory of each. */
export const make = (setup: Setup, megabytes = heapMegabytes): Effect.Effect<PageThreads, never, Scope.Scope> =>
  Effect.gen(function* () {
    const threads = new Set<Thread>()
    let pages = 0
    let lastId = 0

    /** What a thread had to do when it ended: the first page was at work, and the others go to the next thread. */
    const lose = (thread: Thread, why: "TooLarge" | "NoThread"): void => {
      threads.delete(thread)
      const [first, ...others] = thread.asked.values()
      thread.asked.clear()
      first?.answered(why)
      for (const { answered, page } of others) ask(page, answered)
    }

    const start = (): Thread => {
      const thread: Thread = {
        worker: spawn(program(setup, megabytes)),
        asked: new Map()
      }
      threads.add(thread)
      thread.worker.on(
        "message",
        safely(
          ({ id, read }: Answer) => {
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
      thread.worker.on(
        "exit",
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
        // The system refuses another thread, or a program that bundles this library has left its file out.
        answered("NoThread")
        return () => undefined
      }
    }

    yield* Effect.addFinalizer(() =>
      Effect.promise(() => Promise.all([...threads].map(({ worker }) => worker.terminate())))
    )

    return {
      readsHere: (html) => ++pages <= maxPagesHere && html.length <= maxCharacters,
      read: (page) =>
        Effect.async((resume) => {
          const forget = ask(page, (read) => resume(Effect.succeed(read)))
          return Effect.sync(forget)
        })
    }
  })
