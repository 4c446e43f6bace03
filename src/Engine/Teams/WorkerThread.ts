/** Worker threads beside the server. Each runs one program of this package, one task at a time. */
import type { Worker } from "node:worker_threads"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { type Program, spawn } from "../../Callback/Thread.ts"
import { listen, safely } from "../../Callback.ts"
import * as FairQueue from "./FairQueue.ts"
import { Cancelled, placed, plainly, type Work } from "./Work.ts"

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
 * Threads of one program, started on demand.
 *
 * - A thread has one task at a time. The one that became free last gets the next task, so that those that are not needed end.
 * - Another thread starts when all have been busy for `scaleUpDelay`. Until then a message waits for them, also one of another team.
 */
class Threads {
  readonly #program: Program
  readonly #timeToLive: number
  readonly #scaleUpMillis: number
  readonly #threads = new Set<Worker>()
  /** Threads without a task, with the time since when; the last one became free last. */
  #free: Array<{ readonly worker: Worker; readonly since: number }> = []
  /** Oldest first. While one waits, no thread is free. */
  readonly #waiting: Array<Waiting> = []
  /** When a thread was last free, or the last one started. */
  #lastFreeOrStart = Number.NEGATIVE_INFINITY
  #scaleUpTimer: NodeJS.Timeout | undefined
  #timer: NodeJS.Timeout | undefined
  isClosed = false

  constructor(program: Program, { idle, scaleUpDelay = 0 }: Omit<PoolOptions, "size">) {
    this.#program = program
    this.#timeToLive = Duration.toMillis(idle)
    this.#scaleUpMillis = Duration.toMillis(scaleUpDelay)
  }

  /** Starts with a thread that is free, or once there is one. Returns a function that no longer waits for it. */
  whenFree(one: Waiting): () => void {
    const mayBegin = this.#threads.size === 0 || this.#untilScaleUp() <= 0
    const found = this.#free.pop()?.worker ?? (mayBegin ? this.#begin() : undefined)
    if (found !== undefined) {
      one.start(found)
      return () => undefined
    }
    this.#waiting.push(one)
    this.#watchWaiting()
    return () => {
      const at = this.#waiting.indexOf(one)
      if (at !== -1) this.#waiting.splice(at, 1)
    }
  }

  release(worker: Worker): void {
    const next = this.#waiting.shift()
    if (next !== undefined) {
      next.start(worker)
      return
    }
    this.#lastFreeOrStart = performance.now()
    this.#free.push({ worker, since: this.#lastFreeOrStart })
    this.#watchFree()
  }

  end(worker: Worker): Promise<unknown> {
    this.#forget(worker)
    if (!this.isClosed) this.#startOldest()
    return worker.terminate()
  }

  /** Ends all threads, and refuses the messages that wait. */
  close(): Promise<unknown> {
    this.isClosed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#scaleUpTimer)
    for (const { refuse } of this.#waiting.splice(0)) refuse()
    return Promise.all([...this.#threads].map((worker) => this.end(worker)))
  }

  #forget(worker: Worker): void {
    this.#threads.delete(worker)
    this.#free = this.#free.filter((each) => each.worker !== worker)
  }

  #endUnused(): void {
    this.#timer = undefined
    const latest = performance.now() - this.#timeToLive
    for (const { since, worker } of this.#free) if (since <= latest) void this.end(worker)
    this.#watchFree()
  }

  #watchFree(): void {
    const [first] = this.#free
    if (this.#timer !== undefined || first === undefined) return
    const millis = first.since + this.#timeToLive - performance.now() + 1
    this.#timer = setTimeout(
      safely(() => this.#endUnused()),
      Math.max(1, millis)
    )
    this.#timer.unref()
  }

  #begin(): Worker {
    this.#lastFreeOrStart = performance.now()
    const worker = spawn(this.#program)
    this.#threads.add(worker)
    // Between two tasks there is no other listener, and an unhandled error would end the process.
    worker.on(
      "error",
      safely(() => undefined)
    )
    worker.on(
      "exit",
      safely(() => this.#forget(worker))
    )
    worker.unref()
    return worker
  }

  /** Starts a thread for the message that waits longest. The system may refuse one: then it goes on waiting for the others. */
  #startOldest(): void {
    const [oldest] = this.#waiting
    if (oldest === undefined) return
    try {
      const worker = this.#begin()
      this.#waiting.shift()
      oldest.start(worker)
    } catch (cause) {
      if (this.#threads.size > 0) this.#watchWaiting()
      else for (const { fail } of this.#waiting.splice(0)) fail(cause)
    }
  }

  #untilScaleUp(): number {
    return this.#lastFreeOrStart + this.#scaleUpMillis - performance.now()
  }

  #watchWaiting(): void {
    if (this.#scaleUpTimer !== undefined || this.#waiting.length === 0) return
    this.#scaleUpTimer = setTimeout(
      safely(() => {
        this.#scaleUpTimer = undefined
        if (this.#untilScaleUp() <= 0) this.#startOldest()
        this.#watchWaiting()
      }),
      Math.max(1, this.#untilScaleUp())
    )
    this.#scaleUpTimer.unref()
  }
}

const askThread = (threads: Threads, work: Work, message: unknown): Promise<unknown> =>
  new Promise((resolve, reject) => {
    if (threads.isClosed) return reject(new Cancelled())
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
      const failed = (cause: unknown) => {
        void threads.end(worker)
        fail(cause)
      }
      working = worker
      forget = ask(
        worker,
        message,
        (answer) => {
          isAnswered = true
          stop()
          threads.release(worker)
          resolve(answer)
        },
        (reason) => failed(new Lost(reason)),
        failed
      )
    }
    const leave = threads.whenFree({ start, fail, refuse: () => fail(new Cancelled()) })
    if (isSettled) return
    stop = work.onCancel(() => {
      leave()
      if (isAnswered) return
      forget()
      if (working === undefined) return reject(new Cancelled())
      void threads.end(working).then(() => reject(new Cancelled()))
    })
  })

/**
 * Pool of threads of one program, which end with the scope.
 *
 * - A thread that failed, or whose caller was interrupted while it was working, is ended.
 * - When the pool is closed, messages that wait are interrupted.
 * - Threads, and what waits here, keep nothing of the request that they work for once it has its answer.
 */
export const pool = Effect.fnUntraced(function* (program: Program, { size, ...options }: PoolOptions) {
  const shares = yield* FairQueue.ofEngine(size)
  const threads = new Threads(program, options)
  yield* Effect.addFinalizer(() => Effect.promise(() => threads.close()))
  const open: Pool["open"] = (work, message) => placed(work, shares, () => askThread(threads, work, message))
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
