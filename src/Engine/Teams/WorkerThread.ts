/** Worker threads beside the server. Each runs one program of this package, one task at a time. */
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { Worker, type WorkerOptions } from "node:worker_threads"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { listen, safely } from "../../Callback.ts"
import * as FairQueue from "./FairQueue.ts"
import { Cancelled, placed, plainly, type Work } from "./Work.ts"

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
  /** Time for which all threads must have been busy before another one starts; 0 by default. Each takes memory, and compiles its own code. */
  readonly scaleUpDelay?: Duration.DurationInput | undefined
}

/** A message that waits for a thread. */
interface Waiting {
  readonly start: (worker: Worker) => void
  readonly fail: (cause: unknown) => void
  /** The pool is closed. */
  readonly refuse: () => void
}

/** The thread ended without an answer. */
export class Lost extends Error {}

export interface Pool {
  /** Sends a message to a thread, for the team of the work. Rejects with `Lost`. */
  readonly open: (work: Work, message: unknown) => Promise<unknown>
  /** The same in a fiber, for a team. `lost` makes the failure. */
  readonly ask: <E>(team: string, message: unknown, lost: (reason: string) => E) => Effect.Effect<unknown, E>
}

/**
 * Pool of threads of one program. Threads start on demand and end with the scope.
 *
 * - A thread has one task at a time. The one that became free last gets the next task, so that those that are not needed end.
 * - A thread that failed, or whose caller was interrupted while it was working, is ended.
 * - Another thread starts when all have been busy for `scaleUpDelay`. Until then a message waits for them, also one of another team.
 * - When the pool is closed, messages that wait are interrupted.
 * - Threads, and what waits here, keep nothing of the request that they work for once it has its answer.
 */
export const pool = Effect.fnUntraced(function* (program: Program, { idle, scaleUpDelay = 0, size }: PoolOptions) {
  const shares = yield* FairQueue.ofEngine(size)
  const timeToLive = Duration.toMillis(idle)
  const scaleUpMillis = Duration.toMillis(scaleUpDelay)
  const threads = new Set<Worker>()
  /** Threads without a task, with the time since when; the last one became free last. */
  let free: Array<{ readonly worker: Worker; readonly since: number }> = []
  /** Oldest first. While one waits, no thread is free. */
  const waiting: Array<Waiting> = []
  /** When a thread was last free, or the last one started. */
  let lastFreeOrStart = Number.NEGATIVE_INFINITY
  let scaleUpTimer: NodeJS.Timeout | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const end = (worker: Worker): Promise<unknown> => {
    threads.delete(worker)
    free = free.filter((each) => each.worker !== worker)
    if (!isClosed) startOldest()
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
    lastFreeOrStart = performance.now()
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
      clearTimeout(scaleUpTimer)
      for (const { refuse } of waiting.splice(0)) refuse()
      return Promise.all([...threads].map(end))
    })
  )

  const release = (worker: Worker): void => {
    const next = waiting.shift()
    if (next !== undefined) {
      next.start(worker)
      return
    }
    lastFreeOrStart = performance.now()
    free.push({ worker, since: lastFreeOrStart })
    watchFree()
  }

  /** Starts a thread for the message that waits longest. The system may refuse one: then it goes on waiting for the others. */
  const startOldest = (): void => {
    const [oldest] = waiting
    if (oldest === undefined) return
    try {
      const worker = begin()
      waiting.shift()
      oldest.start(worker)
    } catch (cause) {
      if (threads.size > 0) watchWaiting()
      else for (const { fail } of waiting.splice(0)) fail(cause)
    }
  }

  const untilScaleUp = (): number => lastFreeOrStart + scaleUpMillis - performance.now()

  const watchWaiting = (): void => {
    if (scaleUpTimer !== undefined || waiting.length === 0) return
    scaleUpTimer = setTimeout(
      safely(() => {
        scaleUpTimer = undefined
        if (untilScaleUp() <= 0) startOldest()
        watchWaiting()
      }),
      Math.max(1, untilScaleUp())
    )
    scaleUpTimer.unref()
  }

  /** Starts with a thread that is free, or once there is one. Returns a function that no longer waits for it. */
  const whenFree = (one: Waiting): (() => void) => {
    const found = free.pop()?.worker ?? (threads.size === 0 || untilScaleUp() <= 0 ? begin() : undefined)
    if (found !== undefined) {
      one.start(found)
      return () => undefined
    }
    waiting.push(one)
    watchWaiting()
    return () => {
      const at = waiting.indexOf(one)
      if (at !== -1) waiting.splice(at, 1)
    }
  }

  const askThread = (work: Work, message: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(new Cancelled())
      let working: Worker | undefined
      let isAnswered = false
      let isSettled = false
      let forget = () => {}
      let stop = () => {}
      const fail = (cause: unknown) => {
        isSettled = true
        stop()
        reject(cause)
      }
      const start = (worker: Worker) => {
        working = worker
        forget = ask(
          worker,
          message,
          (answer) => {
            isAnswered = true
            stop()
            release(worker)
            resolve(answer)
          },
          (reason) => {
            void end(worker)
            fail(new Lost(reason))
          },
          (cause) => {
            void end(worker)
            fail(cause)
          }
        )
      }
      const leave = whenFree({ start, fail, refuse: () => fail(new Cancelled()) })
      if (isSettled) return
      stop = work.onCancel(() => {
        leave()
        if (isAnswered) return
        forget()
        if (working === undefined) return reject(new Cancelled())
        void end(working).then(() => reject(new Cancelled()))
      })
    })

  const open: Pool["open"] = (work, message) => placed(work, shares, () => askThread(work, message))
  const pool: Pool = {
    open,
    ask: (team, message, lost) =>
      plainly<unknown, never>((work) => open(work, message)).pipe(
        Effect.catchAllDefect((defect) =>
          defect instanceof Lost ? Effect.fail(lost(defect.message)) : Effect.die(defect)
        ),
        Effect.provideService(FairQueue.Owner, team)
      )
  }
  return pool
})
