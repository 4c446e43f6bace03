/** Parses documents: small ones on the main thread, with pauses, large ones on worker threads. So no document blocks other requests. */
import { availableParallelism } from "node:os"
import * as Effect from "effect/Effect"
import { TimedOut, Unprocessable } from "../../Api/Errors.ts"
import { turnOfLoop } from "../../Callback/EventLoop.ts"
import type { Program } from "../../Callback/Threads.ts"
import * as FairQueue from "../Teams/FairQueue.ts"
import { placed, plainly, type Work } from "../Teams/Work.ts"
import * as Worker from "../Teams/WorkerThread.ts"
import type { DocumentTask, Results } from "./DocumentTask.ts"

/**
 * Maximum bytes parsed on the main thread. They take less than 50 ms, even if the markup is nearly all tags, or the prompt nearly all
 * quotes.
 */
const maxBytesHere: Readonly<Record<DocumentTask["kind"], number>> = {
  page: 256 * 1024,
  scrape: 256 * 1024,
  text: 256 * 1024,
  sitemap: 256 * 1024,
  prompt: 1_000
}
/** Milliseconds of parsing after which the main thread yields to the event loop. */
const sliceMillis = 8
/**
 * Above this number of small pages per `rateMillis`, small pages also go to threads. Below it they do not, because starting a thread costs
 * as much as parsing a hundred of them.
 */
const maxRate = 24
const rateMillis = 10_000
/** Half of the threads may parse larger documents at once: 10 MB of HTML take 130 MB until they are read. */
const maxBytesTogether = 2 * 1024 * 1024
const heapMegabytes = 768
/** Maximum worker threads. More than four would wait for the main thread, which fetches and stores the pages. */
const maxThreads = Math.min(4, availableParallelism())

/**
 * Another thread starts after no thread has been free for this time. On two cores a second thread competes with the main thread: when it
 * started after 3 s, 1,170 pages took a tenth more CPU and 40 MB more, and no less time.
 */
const scaleUpDelay = availableParallelism() > 2 ? "3 seconds" : "10 seconds"

const program: Program = {
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

/** Returns a function that is true while more small pages arrive than the main thread should parse. */
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

/** Loads the parsers, at the latest for the first document. */
export const loadParsers = async () => {
  parsers ??= await import("./DocumentTask.ts")
  return parsers
}

/** Removes `stores` from a task that runs on this thread, because its parts are then compressed on the thread pool. */
const here = <K extends DocumentTask["kind"]>(task: Extract<DocumentTask, { readonly kind: K }>): typeof task =>
  task.kind === "scrape" || task.kind === "text" ? { ...task, stores: undefined } : task

export class DocumentThreads extends Effect.Service<DocumentThreads>()("sluice/Engine/Scrape/DocumentThreads", {
  scoped: Effect.gen(function* () {
    const threads = yield* Worker.pool(program, { size: maxThreads, idle: "1 minute", scaleUpDelay })
    // Many sites may have answered in the same event-loop turn, so pages are parsed one at a time, and teams take turns.
    const places = yield* FairQueue.ofEngine(1)
    const largePlaces = yield* FairQueue.ofEngine(Math.max(1, Math.floor(maxThreads / 2)))
    const isBusy = makeIsBusy()
    let began = Number.NEGATIVE_INFINITY
    const readHere = async <K extends DocumentTask["kind"]>(
      work: Work,
      task: Extract<DocumentTask, { readonly kind: K }>
    ): Promise<Results[K]> => {
      if (performance.now() - began >= sliceMillis) {
        await turnOfLoop()
        began = performance.now()
      }
      const { runTask } = await loadParsers()
      work.check()
      return work.inTurn(() => runTask<K>(here(task)))
    }
    /**
     * `url` names the document in error messages. `millis` limits the work on a thread, including the waits for a thread and for other large
     * documents; a small document that is parsed here has no limit. Rejects with `TimedOut` or `Unprocessable`.
     */
    const open = <K extends DocumentTask["kind"]>(
      work: Work,
      task: Extract<DocumentTask, { readonly kind: K }>,
      url: string,
      millis: number
    ): Promise<Results[K]> => {
      const { byteLength } = task.bytes
      const isSmall = byteLength <= maxBytesHere[task.kind]
      if (isSmall && !isBusy()) return placed(work, places, () => readHere<K>(work, task))
      return work.within(
        millis,
        () => late(url, millis),
        (inner) => {
          const onThread = () => threads.open(inner, task)
          const read = byteLength > maxBytesTogether ? placed(inner, largePlaces, onThread) : onThread()
          return read.catch((cause) => {
            throw cause instanceof Worker.Lost ? lost(url, cause.message) : cause
          }) as Promise<Results[K]>
        }
      )
    }
    /** Like `open`, as an effect. */
    const run = <K extends DocumentTask["kind"]>(
      task: Extract<DocumentTask, { readonly kind: K }>,
      url: string,
      millis: number
    ): Effect.Effect<Results[K], TimedOut | Unprocessable> => plainly((work) => open<K>(work, task, url, millis))
    return { open, run }
  })
}) {}
