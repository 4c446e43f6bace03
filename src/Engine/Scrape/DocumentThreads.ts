/** Parses documents: small ones on the main thread, with pauses, large ones on worker threads. So no document blocks other requests. */
import { availableParallelism } from "node:os"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { TimedOut, Unprocessable } from "../../Api/Errors.ts"
import { nextTurn } from "../../Callback/EventLoop.ts"
import { failAfter } from "../Teams/Deadline.ts"
import * as FairQueue from "../Teams/FairQueue.ts"
import * as Worker from "../Teams/WorkerThread.ts"
import type { DocumentTask, Results } from "./DocumentTask.ts"

/** Maximum bytes parsed on the main thread: less than 50 ms, also for markup that is nearly all tags, and prompts that are nearly all quotes. */
const maxBytesHere: Readonly<Record<DocumentTask["kind"], number>> = {
  page: 256 * 1024,
  scrape: 256 * 1024,
  sitemap: 256 * 1024,
  prompt: 1_000
}
/** Milliseconds of parsing after which the main thread yields to the event loop. */
const sliceMillis = 8
/** Above this number per `rateMillis`, small pages go to threads, too. Starting a thread costs as much as a hundred of them. */
const maxRate = 24
const rateMillis = 10_000
const heapMegabytes = 768
/** More than four would wait for the main thread, which fetches and stores the pages. */
const maxThreads = Math.min(4, availableParallelism())

const program: Worker.Program = {
  source: new URL("./DocumentThread.ts", import.meta.url),
  built: "scrape-thread.js",
  options: { env: {}, resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 16 } }
}

const lost = (url: string, reason: string) =>
  new Unprocessable({
    error: `${url} could not be read: ${reason}. The document is too large or too deeply nested for the memory of the thread.`,
    code: "SCRAPE_TOO_COMPLEX"
  })

const late = (url: string, millis: number) =>
  new TimedOut({ error: `${url} could not be read within ${millis} ms. Raise "timeout".`, code: "SCRAPE_TIMEOUT" })

/** True while more small pages come than the main thread should read. */
const makeIsBusy = () => {
  let [began, count] = [Number.NEGATIVE_INFINITY, 0]
  let wasBusy = false
  return (): boolean => {
    const now = performance.now()
    if (now - began > rateMillis) {
      wasBusy = count >= maxRate && now - began < 2 * rateMillis
      began = now
      count = 0
    }
    count += 1
    return wasBusy || count > maxRate
  }
}

let parsers: typeof import("./DocumentTask.ts") | undefined

/** Loads the parsers, for the first document or before it. */
export const loadParsers = Effect.suspend(() =>
  parsers === undefined
    ? Effect.tap(
        Effect.promise(() => import("./DocumentTask.ts")),
        (loaded) => {
          parsers = loaded
        }
      )
    : Effect.succeed(parsers)
)

/** Compresses the stored parts on the thread pool when the page is read on this thread. */
const here = <K extends DocumentTask["kind"]>(task: Extract<DocumentTask, { readonly kind: K }>): typeof task =>
  task.kind === "scrape" ? { ...task, stores: undefined } : task

export class DocumentThreads extends Effect.Service<DocumentThreads>()("sluice/Engine/Scrape/DocumentThreads", {
  scoped: Effect.gen(function* () {
    const ask = yield* Worker.pool(program, { size: maxThreads, idle: "1 minute", scaleUpDelay: "1 second" })
    // Many sites may have answered in the same turn of the event loop: one page at a time, and teams take turns.
    const places = yield* FairQueue.ofEngine(1)
    const isBusy = makeIsBusy()
    let began = Number.NEGATIVE_INFINITY
    const yieldIfDue = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      now - began < sliceMillis
        ? Effect.void
        : Effect.zipRight(
            nextTurn,
            Effect.map(Clock.currentTimeMillis, (later) => {
              began = later
            })
          )
    )
    /** `url` names the document in error messages. `millis` includes the wait for a thread. */
    const run = <K extends DocumentTask["kind"]>(
      task: Extract<DocumentTask, { readonly kind: K }>,
      url: string,
      millis: number
    ): Effect.Effect<Results[K], TimedOut | Unprocessable> => {
      const isSmall = task.bytes.byteLength <= maxBytesHere[task.kind]
      if (isSmall && !isBusy()) {
        const read = Effect.zipRight(
          yieldIfDue,
          Effect.map(loadParsers, ({ runTask }) => runTask<K>(here(task)))
        )
        return Effect.flatMap(FairQueue.Owner, (team) => places.withPlace(team)(read))
      }
      const asked = Effect.flatMap(FairQueue.Owner, (team) =>
        ask(team, task, (reason) => lost(url, reason))
      ) as Effect.Effect<Results[K], Unprocessable>
      return failAfter(millis, () => late(url, millis))(asked)
    }
    return { run }
  })
}) {}
