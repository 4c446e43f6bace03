/** Worker threads beside the server. Each runs one program of this package, one task at a time. */
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { Worker, type WorkerOptions } from "node:worker_threads"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Pool from "effect/Pool"
import { listen, safely } from "../Callback.ts"
import * as Detached from "./Detached.ts"
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

/** A thread that ends with the scope. */
const start = (program: Program) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const worker = spawn(program)
      // Between two tasks there is no other listener, and an unhandled error would end the process.
      worker.on(
        "error",
        safely(() => undefined)
      )
      worker.unref()
      return worker
    }),
    (worker) => Effect.promise(() => worker.terminate())
  )

/** Sends a message and waits for the answer; `lost` makes the failure for a thread that ends without one. */
const ask = <E>(worker: Worker, message: unknown, lost: (reason: string) => E): Effect.Effect<unknown, E> =>
  Effect.async((resume) => {
    const settle = (result: Effect.Effect<unknown, E>) => {
      forget()
      resume(result)
    }
    const exited = () => settle(Effect.fail(lost("its thread ended")))
    const forget = listen(
      worker,
      {
        message: (answer: unknown) => settle(Effect.succeed(answer)),
        error: ({ message }: Error) => settle(Effect.fail(lost(message))),
        exit: exited
      },
      (cause) => settle(Effect.die(cause))
    )
    // The thread ended before the listeners were added.
    if (worker.threadId === -1) exited()
    else worker.postMessage(message)
    return Effect.sync(forget)
  })

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
 * A thread that failed, or whose caller was interrupted while it was working, is discarded.
 */
export const pool = Effect.fnUntraced(function* (program: Program, { idle, size }: PoolOptions) {
  const shares = yield* Shares.ofEngine(size)
  const detached = yield* Detached.make
  const threads = yield* Pool.makeWithTTL({
    acquire: start(program),
    min: 0,
    max: size,
    timeToLive: idle,
    timeToLiveStrategy: "usage"
  })
  const askOne: Ask = (team, message, lost) =>
    detached(Pool.get(threads)).pipe(
      Effect.flatMap((thread) =>
        Effect.onExit(ask(thread, message, lost), (exit) =>
          Exit.isSuccess(exit) ? Effect.void : Pool.invalidate(threads, thread)
        )
      ),
      Effect.scoped,
      shares.withPlace(team)
    )
  return askOne
})
