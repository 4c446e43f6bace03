/** Worker threads that run a program of this package, one task at a time. */
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { Worker, type WorkerOptions } from "node:worker_threads"
import * as Duration from "effect/Duration"
import { after, listen, on, safely } from "../Callback.ts"

export interface Program {
  readonly source: URL
  /** File name of the program in the built package, where it is bundled as a file of its own. */
  readonly built: string
  readonly options: WorkerOptions
}

const spawn = ({ built, options, source }: Program): Worker => {
  if (!import.meta.url.endsWith(".ts")) return new Worker(new URL(`./${built}`, import.meta.url), options)
  // When running from source, the thread needs a loader for TypeScript.
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx"))
  const loader = new URL("./esm/api/index.mjs", tsx).href
  const begin = `import("${loader}").then(({ register }) => { register(); return import("${source.href}") })`
  return new Worker(begin, { ...options, eval: true })
}

/** The thread ended without an answer. `cause`: the thread's error, if any. */
export class Lost extends Error {}

/** Sends a message to a thread and reports its answer, or why there is none. Returns a function that removes the listeners. */
const askWorker = (
  worker: Worker,
  message: unknown,
  onAnswer: (answer: unknown) => void,
  onLost: (lost: Lost) => void,
  onThrow: (cause: unknown) => void
): (() => void) => {
  const lost = (reason: string, cause?: Error) => {
    forget()
    onLost(new Lost(reason, { cause }))
  }
  const forget = listen(
    worker,
    {
      message: (answer: unknown) => {
        forget()
        onAnswer(answer)
      },
      error: (error: Error) => lost(error.message, error),
      messageerror: (error: Error) => lost(error.message, error),
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

export interface ThreadOptions {
  /** Time after which unused threads end. */
  readonly idle: Duration.DurationInput
  /**
   * Time for which all threads must be busy before another one starts; 0 by default. Each thread takes memory and compiles its own code.
   */
  readonly scaleUpDelay?: Duration.DurationInput | undefined
}

/** A message that waits for a thread. */
interface Waiting {
  readonly start: (worker: Worker) => void
  readonly fail: (cause: unknown) => void
  /** Called when the pool closes. */
  readonly refuse: () => void
}

/**
 * Threads of one program, started on demand.
 *
 * - A thread has one task at a time. The thread that became free last gets the next task, so that surplus threads stay idle and end.
 * - A thread ends if it fails, or if its caller is cancelled while it works.
 * - Another thread starts when all have been busy for `scaleUpDelay`; until then a message waits. Callers bound the number of messages, and
 *   thereby of threads.
 * - Neither threads nor waiting entries keep references to a caller that has its answer.
 */
export class Threads {
  readonly #program: Program
  readonly #timeToLive: number
  readonly #scaleUpMillis: number
  readonly #threads = new Set<Worker>()
  /** Idle threads, each with the timer that ends it; the last one became idle last. */
  readonly #free: Array<{ readonly worker: Worker; readonly timer: NodeJS.Timeout }> = []
  /** Waiting messages, oldest first. While one waits, no thread is idle. */
  readonly #waiting: Array<Waiting> = []
  /** Time when a thread was last idle, or the last one started. */
  #lastFreeOrStart = Number.NEGATIVE_INFINITY
  #scaleUpTimer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(program: Program, { idle, scaleUpDelay = 0 }: ThreadOptions) {
    this.#program = program
    this.#timeToLive = Duration.toMillis(idle)
    this.#scaleUpMillis = Duration.toMillis(scaleUpDelay)
  }

  /**
   * Sends a message to a thread. `onCancel` registers a function to call when the caller ends, and returns one that unregisters it. Rejects
   * with the result of `cancelled` if the message is cancelled, or still waits when the threads are closed; with `Lost` if the thread ends
   * without an answer.
   */
  ask(message: unknown, onCancel: (end: () => void) => () => void, cancelled: () => unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(cancelled())
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
          void this.#end(worker)
          fail(cause)
        }
        working = worker
        // Keeps the process alive until the answer arrives.
        worker.ref()
        forget = askWorker(
          worker,
          message,
          (answer) => {
            isAnswered = true
            stop()
            this.#release(worker)
            resolve(answer)
          },
          failed,
          failed
        )
      }
      const leave = this.#whenFree({ start, fail, refuse: () => fail(cancelled()) })
      if (isSettled) return
      stop = onCancel(() => {
        leave()
        if (isAnswered) return
        forget()
        if (working === undefined) return reject(cancelled())
        void this.#end(working).then(() => reject(cancelled()))
      })
    })
  }

  /** Ends all threads, and rejects the waiting messages. */
  close(): Promise<unknown> {
    this.#isClosed = true
    clearTimeout(this.#scaleUpTimer)
    for (const { refuse } of this.#waiting.splice(0)) refuse()
    return Promise.all([...this.#threads].map((worker) => this.#end(worker)))
  }

  /** Starts at once on an idle or new thread, or waits for one. Returns a function that stops the wait. */
  #whenFree(one: Waiting): () => void {
    const mayBegin = this.#threads.size === 0 || this.#untilScaleUp() <= 0
    const idle = this.#free.pop()
    clearTimeout(idle?.timer)
    const found = idle?.worker ?? (mayBegin ? this.#begin() : undefined)
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

  #release(worker: Worker): void {
    worker.unref()
    const next = this.#waiting.shift()
    if (next !== undefined) {
      next.start(worker)
      return
    }
    this.#lastFreeOrStart = performance.now()
    this.#free.push({ worker, timer: after(this.#timeToLive, () => void this.#end(worker)).unref() })
  }

  #end(worker: Worker): Promise<unknown> {
    this.#forget(worker)
    if (!this.#isClosed) this.#startOldest()
    return worker.terminate()
  }

  #forget(worker: Worker): void {
    this.#threads.delete(worker)
    const at = this.#free.findIndex((each) => each.worker === worker)
    if (at !== -1) clearTimeout(this.#free.splice(at, 1)[0]?.timer)
  }

  #begin(): Worker {
    this.#lastFreeOrStart = performance.now()
    const worker = spawn(this.#program)
    this.#threads.add(worker)
    // Between two tasks the thread has no other error listener, and an unhandled error would end the process.
    on(worker, "error", () => undefined)
    on(worker, "exit", () => this.#forget(worker))
    worker.unref()
    return worker
  }

  /** Starts a thread for the oldest waiting message. If the system refuses a thread, the message waits for the existing ones. */
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
    this.#scaleUpTimer = after(Math.max(1, this.#untilScaleUp()), () => {
      this.#scaleUpTimer = undefined
      if (this.#untilScaleUp() <= 0) this.#startOldest()
      this.#watchWaiting()
    })
    this.#scaleUpTimer.unref()
  }
}
