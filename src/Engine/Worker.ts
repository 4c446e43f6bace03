/** Worker threads beside the server. Each runs one program of this package, one task at a time. */
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { Worker, type WorkerOptions } from "node:worker_threads"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { listen, safely } from "../Callback.ts"
import * as Shares from "./Shares.ts"

export interface Program {
  readonly source: URL
  /** File name in the built package, where the program is a separate entry. */
  readonly built: string
  readonly options: WorkerOptions
}

const spawn = ({ built, options, source }: Program): Worker => {
  if (!import.meta.url.endsWith(".ts")) return new Worker(new URL(`./${built}`, import.meta.url), options)
  // Running from source: the thread needs a TypeScript loader.
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx"))
  const loader = new URL("./esm/api/index.mjs", tsx).href
  const begin = `import("${loader}").then(({ register }) => { register(); return import("${source.href}") })`
  return new Worker(begin, { ...options, eval: true })
}

/** Asks one thread and reports its answer, or why it has none. Returns a function that forgets the question. */
const ask = (
  worker: Worker,
  message: unknown,
  onAnswer: (answer: unknown) => void,
  onLost: (reason: string) => void,
  onThrow: (cause: unknown) => void
): (() => void) => {
  const lost = (reason: string) => {
    forget()
    onLost(reason)
  }
  const forget = listen(
    worker,
    {
      message: (answer: unknown) => {
        forget()
        onAnswer(answer)
      },
      error: ({ message }: Error) => lost(message),
      exit: () => lost(ended)
    },
    onThrow
  )
  // The thread ended before the listeners were added.
  if (worker.threadId === -1) lost(ended)
  else {
    const post = safely(
      () => worker.postMessage(message),
      (cause) => {
        forget()
        onThrow(cause)
      }
    )
    post()
  }
  return forget
}

const ended = "its thread ended"

export interface PoolOptions {
  /** Maximum number of threads, in fair shares between teams; further messages wait. */
  readonly size: number
  /** Interval after which unused threads end. */
  readonly idle: Duration.DurationInput
}

/** Sends a message to a thread for a team; `lost` makes the failure for a thread that ends without an answer. */
export type Ask = <E>(team: string, message: unknown, lost: (reason: string) => E) => Effect.Effect<unknown, E>

/**
 * Pool of threads of one program. Threads start on demand and end with the scope.
 *
 * - A thread has one task at a time. The one that became free last gets the next task, so that those that are not needed end.
 * - A thread that failed, or whose caller was interrupted while it was working, is ended.
 * - Threads, and what waits here, keep nothing of the request that they work for once it has its answer.
 */
export const pool = Effect.fnUntraced(function* (program: Program, { idle, size }: PoolOptions) {
  const shares = yield* Shares.ofEngine(size)
  const timeToLive = Duration.toMillis(idle)
  const threads = new Set<Worker>()
  /** Threads without a task, with the time since when; the last one became free last. */
  let free: Array<{ readonly worker: Worker; readonly since: number }> = []
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const end = (worker: Worker): Promise<unknown> => {
    threads.delete(worker)
    free = free.filter((each) => each.worker !== worker)
    return worker.terminate()
  }

  const endUnused = (): void => {
    timer = undefined
    const latest = performance.now() - timeToLive
    for (const { since, worker } of free) if (since <= latest) void end(worker)
    free = free.filter(({ since }) => since > latest)
    watchFree()
  }

  const watchFree = (): void => {
    const [first] = free
    if (timer !== undefined || first === undefined) return
    timer = setTimeout(safely(endUnused), Math.max(1, first.since + timeToLive - performance.now() + 1))
    timer.unref()
  }

  const begin = (): Worker => {
    const worker = spawn(program)
    threads.add(worker)
    // Between two tasks there is no other listener, and an unhandled error would end the process.
    worker.on(
      "error",
      safely(() => undefined)
    )
    worker.on(
      "exit",
      safely(() => {
        threads.delete(worker)
        free = free.filter((each) => each.worker !== worker)
      })
    )
    worker.unref()
    return worker
  }

  yield* Effect.addFinalizer(() =>
    Effect.promise(() => {
      isClosed = true
      clearTimeout(timer)
      return Promise.all([...threads].map(end))
    })
  )

  const askOne: Ask = (team, message, lost) =>
    shares.withPlace(team)(
      Effect.async((resume) => {
        if (isClosed) return resume(Effect.interrupt)
        const worker = free.pop()?.worker ?? begin()
        let isAnswered = false
        const forget = ask(
          worker,
          message,
          (answer) => {
            isAnswered = true
            free.push({ worker, since: performance.now() })
            watchFree()
            resume(Effect.succeed(answer))
          },
          (reason) => {
            void end(worker)
            resume(Effect.fail(lost(reason)))
          },
          (cause) => {
            void end(worker)
            resume(Effect.die(cause))
          }
        )
        return Effect.suspend(() => {
          // Between its answer and the next turn of this fiber, the thread may already work for another one.
          if (isAnswered) return Effect.void
          forget()
          return Effect.promise(() => end(worker))
        })
      })
    )
  return askOne
})
