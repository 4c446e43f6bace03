/** Processes large documents on worker threads, so that they do not block other requests. */
import { availableParallelism } from "node:os"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Pool from "effect/Pool"
import { TimedOut, Unprocessable } from "../../Api/Errors.ts"
import { turn } from "../../Database/Turn.ts"
import * as Detached from "../Detached.ts"
import * as Shares from "../Shares.ts"
import * as Worker from "../Worker.ts"
import { type Chore, perform, type Results } from "./Chore.ts"

/** Bytes that are worked on at once, where they are: less than 50 ms even for markup that is little else than tags. */
const atOnce = 256 * 1024
/** Milliseconds that small documents may have of a turn of the event loop. */
const shareMillis = 8
/** Threads at work at the same time, shared by teams; further documents wait. */
const size = Math.min(2, availableParallelism())
/** A thread that had nothing to do for this long is let go. */
const idle: Duration.DurationInput = "15 seconds"
const heapMegabytes = 768

const program: Worker.Program = {
  source: new URL("./Thread.ts", import.meta.url),
  built: "scrape-thread.js",
  options: { env: {}, resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 64 } }
}

const lost = (url: string, reason: string) =>
  new Unprocessable({
    error: `${url} could not be read: ${reason}. It is larger or more tangled than there is memory for.`,
    code: "SCRAPE_TOO_COMPLEX"
  })

const late = (url: string, millis: number) =>
  new TimedOut({ error: `${url} could not be read within ${millis} ms. Raise "timeout".`, code: "SCRAPE_TIMEOUT" })

export class Threads extends Effect.Service<Threads>()("sluice/Engine/Scrape/Threads", {
  scoped: Effect.gen(function* () {
    const pool = yield* Pool.makeWithTTL({
      acquire: Worker.start(program),
      min: 0,
      max: size,
      timeToLive: idle,
      timeToLiveStrategy: "usage"
    })
    const detached = yield* Detached.make
    const threads = yield* Shares.ofEngine(size)
    // Many sites may have answered in the same turn of the loop; their pages share several.
    const here = yield* Shares.ofEngine(1)
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
        const read = Effect.zipRight(
          rest,
          Effect.sync(() => perform<K>(chore))
        )
        return Effect.flatMap(Shares.Owner, (team) => here.withPlace(team)(read))
      }
      const read = detached(Pool.get(pool)).pipe(
        Effect.flatMap((worker) =>
          // One that has failed is broken, and one that was not waited for is still at work: nobody else gets it.
          Effect.onExit(
            Worker.ask(worker, chore, (reason) => lost(url, reason)),
            (exit) => (Exit.isSuccess(exit) ? Effect.void : Pool.invalidate(pool, worker))
          )
        ),
        Effect.scoped,
        Effect.map((result) => result as Results[K])
      )
      return Effect.flatMap(Shares.Owner, (team) => threads.withPlace(team)(read)).pipe(
        Effect.timeoutFail({ duration: millis, onTimeout: () => late(url, millis) })
      )
    }
    return { run }
  })
}) {}
