/**
 * Page cache: stores responses as fetched, for requests that accept a stored page (`maxAge`).
 *
 * `keep` never waits for the disk: entries are queued, written in batches, and dropped when they arrive faster than they can be
 * written. `find` sees queued entries. The queue is written when the scope closes; a crash loses at most the queue.
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import type { CachedPage } from "./CacheSegments.ts"
import * as CacheSegments from "./CacheSegments.ts"

/** A page to store; the cache adds the time. */
export type NewPage = Omit<CachedPage, "at">

interface Service {
  /** Returns the response under a key if `isRight` accepts its fetch time. Undefined when there is none or it cannot be read. */
  readonly find: (key: string, isRight: (at: number) => boolean) => Effect.Effect<CachedPage | undefined>
  /** Queues a response for storage. Drops it when responses arrive faster than the disk writes. */
  readonly keep: (key: string, page: NewPage) => Effect.Effect<void>
}

/** Without a layer nothing is cached. */
export class PageCache extends Context.Reference<PageCache>()("sluice/Engine/PageCache", {
  defaultValue: (): Service => ({ find: () => Effect.succeed(undefined), keep: () => Effect.void })
}) {}

/** Maximum bytes in the write queue; further responses are dropped. */
const maxWaiting = 16 * 1024 * 1024
/** Queued bytes that trigger a write, and milliseconds after which a smaller batch is written. */
const batchBytes = 2 * 1024 * 1024
const batchDelay = 1_000
/** Pause in milliseconds after a failed write. */
const retryDelay = 10_000

const make = Effect.fnUntraced(function* (folder: string, limits: CacheSegments.Limits) {
  const segments = yield* CacheSegments.make(folder, limits)
  /** Signals a first queued page, and a full batch. */
  const some = yield* Queue.sliding<void>(1)
  const many = yield* Queue.sliding<void>(1)
  let waiting = new Map<string, CachedPage>()
  let waitingBytes = 0
  /** The batch that is being written. */
  let leaving = new Map<string, CachedPage>()

  /** Writes the queue; false when that failed. */
  const write = Effect.suspend(() => {
    leaving = waiting
    waiting = new Map()
    waitingBytes = 0
    return leaving.size === 0 ? Effect.void : segments.add([...leaving])
  }).pipe(
    Effect.as(true),
    Effect.catchAllCause((cause) =>
      Effect.as(Effect.logWarning("Pages could not be written to the page cache and were dropped", cause), false)
    ),
    Effect.ensuring(
      Effect.sync(() => {
        leaving = new Map()
      })
    ),
    Effect.uninterruptible
  )

  const keep = (key: string, page: NewPage) =>
    Effect.map(Clock.currentTimeMillis, (at) => {
      const bytes = page.body.byteLength
      if (waitingBytes + bytes > maxWaiting) return
      waitingBytes += bytes - (waiting.get(key)?.body.byteLength ?? 0)
      waiting.set(key, { ...page, at })
      some.unsafeOffer()
      if (waitingBytes >= batchBytes) many.unsafeOffer()
    })

  const find = (key: string, isRight: (at: number) => boolean) =>
    Effect.suspend(() => {
      const page = waiting.get(key) ?? leaving.get(key)
      if (page !== undefined) return Effect.succeed(isRight(page.at) ? page : undefined)
      return Effect.catchAll(segments.find(key, isRight), (error) =>
        Effect.as(Effect.logWarning("The page cache could not be read", error), undefined)
      )
    })

  const writeBatch = Queue.take(some).pipe(
    Effect.zipRight(Effect.timeoutOption(Queue.take(many), Duration.millis(batchDelay))),
    Effect.zipRight(write),
    Effect.flatMap((stored) => (stored ? Effect.void : Effect.sleep(Duration.millis(retryDelay))))
  )
  const sweep = Effect.catchAllCause(segments.sweep, (cause) =>
    Effect.logWarning("Expired pages could not be removed from the page cache; retrying in an hour", cause)
  )
  yield* Effect.addFinalizer(() => write)
  yield* Effect.forkScoped(Effect.forever(writeBatch))
  yield* Effect.forkScoped(Effect.forever(Effect.zipRight(sweep, Effect.sleep(Duration.hours(1)))))
  return { find, keep } satisfies Service
})

/** Time after which a page expires. */
const age = Duration.days(30)

/** Stores at most `bytes` in the data folder; 0 disables the cache. */
export const layer = (
  dataDir: string,
  bytes: number = 512 * 1024 * 1024
): Layer.Layer<never, never, SqlClient.SqlClient | FileSystem.FileSystem | Path.Path> =>
  bytes <= 0
    ? Layer.empty
    : Layer.scoped(
        PageCache,
        Effect.flatMap(Path.Path, (path) => make(path.join(dataDir, "copies"), { bytes, age }))
      )
