/** Page cache: responses as fetched, for requests that accept a stored page (`maxAge`). */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { type Copy, type Limits, make as makeShelf } from "./Shelf.ts"

/** Response to store; the cache adds the time. */
export type Kept = Omit<Copy, "at">

interface Service {
  /** Returns the response under a key if `isRight` accepts its fetch time. Undefined when there is none or it cannot be read. */
  readonly find: (key: string, isRight: (at: number) => boolean) => Effect.Effect<Copy | undefined>
  /** Queues a response for storage. Drops it when responses arrive faster than the disk writes. */
  readonly keep: (key: string, copy: Kept) => Effect.Effect<void>
}

/** Without a layer nothing is cached. */
export class Copies extends Context.Reference<Copies>()("sluice/Engine/Copies", {
  defaultValue: (): Service => ({ find: () => Effect.succeed(undefined), keep: () => Effect.void })
}) {}

/** Maximum bytes in the write queue; further responses are dropped. */
const maxWaiting = 16 * 1024 * 1024
/** Queued bytes that trigger a write, and milliseconds after which a smaller batch is written. */
const worthwhile = 2 * 1024 * 1024
const patience = 1_000
/** Pause in milliseconds after a failed write. */
const grudge = 10_000

const make = Effect.fnUntraced(function* (folder: string, limits: Limits) {
  const shelf = yield* makeShelf(folder, limits)
  const some = yield* Queue.sliding<void>(1)
  const many = yield* Queue.sliding<void>(1)
  let waiting = new Map<string, Copy>()
  let waitingBytes = 0
  let leaving = new Map<string, Copy>()

  /** Whether all that waited is stored. */
  const write = Effect.suspend(() => {
    leaving = waiting
    waiting = new Map()
    waitingBytes = 0
    return leaving.size === 0 ? Effect.void : shelf.add([...leaving])
  }).pipe(
    Effect.as(true),
    Effect.catchAllCause((cause) =>
      Effect.as(Effect.logWarning("Copies of pages could not be stored and are left out", cause), false)
    ),
    Effect.ensuring(
      Effect.sync(() => {
        leaving = new Map()
      })
    ),
    Effect.uninterruptible
  )

  const keep = (key: string, kept: Kept) =>
    Effect.map(Clock.currentTimeMillis, (at) => {
      const bytes = kept.body.byteLength
      if (waitingBytes + bytes > maxWaiting) return
      waitingBytes += bytes - (waiting.get(key)?.body.byteLength ?? 0)
      waiting.set(key, { ...kept, at })
      some.unsafeOffer()
      if (waitingBytes >= worthwhile) many.unsafeOffer()
    })

  const find = (key: string, isRight: (at: number) => boolean) =>
    Effect.suspend(() => {
      const copy = waiting.get(key) ?? leaving.get(key)
      if (copy !== undefined) return Effect.succeed(isRight(copy.at) ? copy : undefined)
      return Effect.catchAll(shelf.find(key, isRight), (error) =>
        Effect.as(Effect.logWarning("A copy of a page could not be looked up", error), undefined)
      )
    })

  const turn = Queue.take(some).pipe(
    Effect.zipRight(Effect.timeoutOption(Queue.take(many), Duration.millis(patience))),
    Effect.zipRight(write),
    Effect.flatMap((stored) => (stored ? Effect.void : Effect.sleep(Duration.millis(grudge))))
  )
  const sweep = Effect.catchAllCause(shelf.sweep, (cause) =>
    Effect.logWarning("Old copies of pages could not be removed; trying again later", cause)
  )
  yield* Effect.addFinalizer(() => write)
  yield* Effect.forkScoped(Effect.forever(turn))
  yield* Effect.forkScoped(Effect.forever(Effect.zipRight(sweep, Effect.sleep(Duration.hours(1)))))
  return { find, keep } satisfies Service
})

/** How long a copy is kept. */
const age = Duration.days(30)

/** In files of the data folder, so many bytes at most, for as long as the scope is open. */
export const layer = (
  dataDir: string,
  bytes: number = 512 * 1024 * 1024
): Layer.Layer<never, never, SqlClient.SqlClient | FileSystem.FileSystem | Path.Path> =>
  bytes <= 0
    ? Layer.empty
    : Layer.scoped(
        Copies,
        Effect.flatMap(Path.Path, (path) => make(path.join(dataDir, "copies"), { bytes, age }))
      )
