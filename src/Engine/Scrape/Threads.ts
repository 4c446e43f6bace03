/** Processes large documents on worker threads, so that they do not block other requests. */
import { availableParallelism } from "node:os"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { TimedOut, Unprocessable } from "../../Api/Errors.ts"
import { nextTurn } from "../../Callback/EventLoop.ts"
import * as Shares from "../Shares.ts"
import * as Worker from "../Worker.ts"
import { type Chore, perform, type Results } from "./Chore.ts"

/** Bytes that are worked on at once, where they are: less than 50 ms even for markup that is little else than tags. */
const atOnce = 256 * 1024
/** Milliseconds that small documents may have of a turn of the event loop. */
const shareMillis = 8
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
    const ask = yield* Worker.pool(program, { size: Math.min(2, availableParallelism()), idle: "15 seconds" })
    // Many sites may have answered in the same turn of the loop; their pages share several.
    const here = yield* Shares.ofEngine(1)
    let began = Number.NEGATIVE_INFINITY
    const rest = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      now - began < shareMillis
        ? Effect.void
        : Effect.zipRight(
            nextTurn,
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
      return Effect.flatMap(Shares.Owner, (team) => ask(team, chore, (reason) => lost(url, reason))).pipe(
        Effect.map((result) => result as Results[K]),
        Effect.timeoutFail({ duration: millis, onTimeout: () => late(url, millis) })
      )
    }
    return { run }
  })
}) {}
