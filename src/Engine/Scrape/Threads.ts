/** Large documents are worked on beside the server, so that nobody else waits for them (spec 8). */
import { createRequire } from "node:module"
import { availableParallelism } from "node:os"
import { pathToFileURL } from "node:url"
import { Worker, type WorkerOptions } from "node:worker_threads"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Pool from "effect/Pool"
import { TimedOut, Unprocessable } from "../../Api/Errors.ts"
import { turn } from "../../Database/Turn.ts"
import { type Chore, perform, type Results } from "./Chore.ts"

/** Bytes that are worked on at once, where they are: less than 50 ms even for markup that is little else than tags. */
const atOnce = 256 * 1024
/** Milliseconds that small documents may have of a turn of the event loop. */
const shareMillis = 8
/** Threads at work at the same time; further documents wait. */
const size = Math.min(2, availableParallelism())
/** A thread that had nothing to do for this long is let go. */
const idle: Duration.DurationInput = "1 minute"
const heapMegabytes = 768

const options: WorkerOptions = {
  env: {},
  resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 64 }
}

/** An entry of its own in the built package; in the sources a file beside this one, which a loader has to read. */
const startThread = (): Worker => {
  if (!import.meta.url.endsWith(".ts")) return new Worker(new URL("./scrape-thread.js", import.meta.url), options)
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx"))
  const loader = new URL("./esm/api/index.mjs", tsx).href
  const program = new URL("./Thread.ts", import.meta.url).href
  const begin = `import("${loader}").then(({ register }) => { register(); return import("${program}") })`
  return new Worker(begin, { ...options, eval: true })
}

const start = Effect.acquireRelease(
  Effect.sync(() => {
    const worker = startThread()
    // Between documents nobody listens, and an unheard error would end the server.
    worker.on("error", () => undefined)
    worker.unref()
    return worker
  }),
  (worker) => Effect.promise(() => worker.terminate())
)

const lost = (url: string, reason: string) =>
  new Unprocessable({
    error: `${url} could not be read: ${reason}. It is larger or more tangled than there is memory for.`,
    code: "SCRAPE_TOO_COMPLEX"
  })

const late = (url: string, millis: number) =>
  new TimedOut({ error: `${url} could not be read within ${millis} ms. Raise "timeout".`, code: "SCRAPE_TIMEOUT" })

const answer = (worker: Worker, chore: Chore, url: string): Effect.Effect<unknown, Unprocessable> =>
  Effect.async((resume) => {
    const forget = () => worker.off("message", onMessage).off("error", onError).off("exit", onExit)
    const settle = (result: Effect.Effect<unknown, Unprocessable>) => {
      forget()
      resume(result)
    }
    const onMessage = (result: unknown) => settle(Effect.succeed(result))
    const onError = ({ message }: Error) => settle(lost(url, message))
    const onExit = () => settle(lost(url, "its thread ended"))
    worker.on("message", onMessage).on("error", onError).on("exit", onExit)
    // Of one that ended while nobody listened.
    if (worker.threadId === -1) onExit()
    else worker.postMessage(chore)
    return Effect.sync(forget)
  })

export class Threads extends Effect.Service<Threads>()("sluice/Engine/Scrape/Threads", {
  scoped: Effect.gen(function* () {
    const pool = yield* Pool.makeWithTTL({
      acquire: start,
      min: 0,
      max: size,
      timeToLive: idle,
      timeToLiveStrategy: "usage"
    })
    // Many sites may have answered in the same turn of the loop; their pages share several.
    const here = yield* Effect.makeSemaphore(1)
    let began = Number.NEGATIVE_INFINITY
    const rest = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      now - began < shareMillis
        ? Effect.void
        : Effect.zipRight(
            turn,
            Effect.map(Clock.currentTimeMillis, (later) => {
              began = later
            })
          )
    )
    /** `url` is what the document is called in failures; waiting for a thread is part of `millis`. */
    const run = <K extends Chore["kind"]>(
      chore: Extract<Chore, { readonly kind: K }>,
      url: string,
      millis: number
    ): Effect.Effect<Results[K], TimedOut | Unprocessable> => {
      if (chore.bytes.byteLength <= atOnce) {
        return here.withPermits(1)(
          Effect.zipRight(
            rest,
            Effect.sync(() => perform<K>(chore))
          )
        )
      }
      return Pool.get(pool).pipe(
        Effect.flatMap((worker) =>
          // One that has failed is broken, and one that was not waited for is still at work: nobody else gets it.
          Effect.onExit(answer(worker, chore, url), (exit) =>
            Exit.isSuccess(exit) ? Effect.void : Pool.invalidate(pool, worker)
          )
        ),
        Effect.scoped,
        Effect.map((result) => result as Results[K]),
        Effect.timeoutFail({ duration: millis, onTimeout: () => late(url, millis) })
      )
    }
    return { run }
  })
}) {}
