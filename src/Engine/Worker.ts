/** Threads beside the server: a program of this package each, which does one thing at a time. */
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
  /** The program's source. */
  readonly source: URL
  /** What it is called in the built package, where it is an entry of its own. */
  readonly built: string
  readonly options: WorkerOptions
}

const spawn = ({ built, options, source }: Program): Worker => {
  if (!import.meta.url.endsWith(".ts")) return new Worker(new URL(`./${built}`, import.meta.url), options)
  // From the sources: a loader has to read them.
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
      // Between two tasks nobody listens, and an unheard error would end the server.
      worker.on(
        "error",
        safely(() => undefined)
      )
      worker.unref()
      return worker
    }),
    (worker) => Effect.promise(() => worker.terminate())
  )

/** Its answer to a message; `lost` says what it means that there is none. */
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
    // Of one that ended while nobody listened.
    if (worker.threadId === -1) exited()
    else worker.postMessage(message)
    return Effect.sync(forget)
  })

export interface PoolOptions {
  /** Threads at work at the same time, shared by teams; further messages wait. */
  readonly size: number
  /** How often threads are counted: those that were not needed since the last time end. */
  readonly idle: Duration.DurationInput
}

/** Has a thread answer a message of a team; `lost` says what it means that it ended without an answer. */
export type Ask = <E>(team: string, message: unknown, lost: (reason: string) => E) => Effect.Effect<unknown, E>

/**
 * Threads of one program. They are started when there is work, and end with the scope.
 *
 * A thread whose answer nobody waits for any more is still at work, and one that failed is broken: neither gets another message.
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
