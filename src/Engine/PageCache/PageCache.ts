/**
 * Page cache: stores responses as fetched, for requests that accept a stored page (`maxAge`) and for conditional requests.
 *
 * `keep` and `confirm` never wait for the disk: entries are queued, written in batches, and dropped if they arrive faster than they can be
 * written. `find` and `peek` see queued entries. The queue is written when the scope closes; a crash loses at most the queue.
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Cache from "effect/Cache"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { repeatedly } from "../../Telemetry/Log.ts"
import { failing, type Sql } from "../Store/Sql.ts"
import * as BatchBodies from "./BatchBodies.ts"
import type { CachedPage, CachedResponse, StoredResponse } from "./CacheSegments.ts"
import * as CacheSegments from "./CacheSegments.ts"

/** A page to store; the cache adds the time. */
export type NewPage = Omit<CachedPage, "at">

/** A stored response whose body has not been read yet. */
export interface Peeked extends CachedResponse {
  /** Reads the body; undefined if it cannot be read. */
  readonly body: Effect.Effect<Uint8Array | undefined>
  /** Sets the time to now, and adds the headers of the response that confirmed the page. Counts as a visit if `site` is given. */
  readonly confirm: (headers: CachedResponse["headers"], site?: string) => Effect.Effect<void>
}

/** Entries of the page cache for a page: its response and its conversion, each undefined if there is none. */
export interface StoredBefore {
  readonly page: Peeked | undefined
  readonly conversion: Peeked | undefined
}

interface Service {
  /** Returns the response under a key if `isRight` accepts its time. Undefined when there is none or it cannot be read. */
  readonly find: (key: string, isRight: (at: number) => boolean) => Effect.Effect<CachedPage | undefined>
  /** Returns the response under a key. Undefined when there is none. */
  readonly peek: (key: string) => Effect.Effect<Peeked | undefined>
  /** Like `peek` for several groups of keys: responses in the order of the keys. Bodies of a group are read together. */
  readonly peekAll: (
    groups: ReadonlyArray<ReadonlyArray<string>>
  ) => Effect.Effect<ReadonlyArray<ReadonlyArray<Peeked | undefined>>>
  /** Queues a response for storage. Drops it when responses arrive faster than the disk writes. */
  readonly keep: (key: string, page: NewPage) => void
  /**
   * Resets the visit history of a page that its site no longer showed, so that the next crawl visits it no matter how rarely it has changed
   * before.
   */
  readonly forget: (key: string) => Effect.Effect<void>
  /** Removes the response under a key: the page is gone from its site. */
  readonly drop: (key: string) => Effect.Effect<void>
  /** Sums the visits of the pages with this `site`. May be five minutes old. */
  readonly visitsOf: (site: string) => Effect.Effect<CacheSegments.Visits>
}

/** Bytes of bodies that are read together; the last body may exceed them. */
const maxBatchBytes = 512 * 1024

const noBody: Peeked["body"] = Effect.succeed(undefined)

const noVisits: CacheSegments.Visits = { visits: 0, changes: 0, millis: 0 }

/** Returns a stored page as it is after a visit that confirmed it. */
const visited = <Page extends CachedResponse>(page: Page, site: string | undefined, at: number): Page => {
  if (site === undefined) return page
  const { history } = page
  return {
    ...page,
    site,
    history: history === undefined ? { since: at, visits: 0, changes: 0 } : { ...history, visits: history.visits + 1 }
  }
}

export class PageCache extends Context.Tag("sluice/Engine/PageCache/PageCache")<PageCache, Service>() {}

/** Page cache that stores nothing. */
export const disabled: Layer.Layer<PageCache> = Layer.succeed(PageCache, {
  find: () => Effect.succeed(undefined),
  peek: () => Effect.succeed(undefined),
  peekAll: (groups) => Effect.succeed(groups.map((keys) => keys.map(() => undefined))),
  keep: () => undefined,
  forget: () => Effect.void,
  drop: () => Effect.void,
  visitsOf: () => Effect.succeed(noVisits)
})

/** Maximum decoded bytes of a cached page. */
export const maxPageBytes = 10 * 1024 * 1024

/** Maximum bytes in the write queue; further responses are dropped. */
const maxWaiting = 16 * 1024 * 1024
/** Maximum confirmed pages in the write queue; further ones keep their old time. */
const maxConfirmed = 10_000
/** Queued bytes that trigger a write, and milliseconds after which a smaller batch is written. */
const batchBytes = 2 * 1024 * 1024
const batchDelay = 1_000
/** Pause in milliseconds after a failed write. */
const retryDelay = 10_000

/** Logs a failed read. The page is then fetched again. */
const orUndefined = <A, E>(read: Effect.Effect<A, E>) =>
  Effect.catchAll(failing(read), (error) =>
    Effect.as(Effect.logWarning("The page cache could not be read", error), undefined)
  )

type Segments = Effect.Effect.Success<ReturnType<typeof CacheSegments.make>>

/** Reads the bodies of stored responses in batches: the first body requested reads all of its batch. */
const bodiesOf = Effect.fnUntraced(function* (
  segments: Segments,
  batches: ReturnType<typeof BatchBodies.make>,
  rows: ReadonlyArray<readonly [key: string, row: StoredResponse]>
) {
  const bodies = new Map<string, Peeked["body"]>()
  for (let at = 0; at < rows.length; ) {
    let [end, bytes] = [at, 0]
    while (end < rows.length && (end === at || bytes <= maxBatchBytes)) bytes += rows[end++]?.[1].bytes ?? 0
    const batch = rows.slice(at, end)
    const places = new Map(batch)
    const read = yield* batches.open({
      bytes,
      readAll: orUndefined(segments.readAll(batch)),
      readOne: (key) => {
        const place = places.get(key)
        return place === undefined ? noBody : orUndefined(segments.read(key, place))
      }
    })
    for (const [key] of batch) bodies.set(key, read(key))
    at = end
  }
  return bodies
})

/** Visits by site, read again after five minutes. */
const visitsBySite = (segments: Segments) =>
  Cache.make({
    capacity: 1000,
    timeToLive: Duration.minutes(5),
    lookup: (site: string) => Effect.map(orUndefined(segments.visitsOf(site)), (visits) => visits ?? noVisits)
  })

const make = Effect.fnUntraced(function* (folder: string, limits: CacheSegments.Limits) {
  const segments = yield* CacheSegments.make(folder, limits)
  const clock = yield* Effect.clock
  /** `some` signals the first queued page, `many` a full batch. */
  const some = yield* Queue.sliding<void>(1)
  const many = yield* Queue.sliding<void>(1)
  let waiting = new Map<string, CachedPage>()
  let waitingBytes = 0
  /** Stored pages that their sites have confirmed. */
  let confirmed = new Map<string, StoredResponse>()
  /** The batch that is being written. */
  let leaving: { readonly pages: typeof waiting; readonly confirmed: typeof confirmed } | undefined

  /** Writes the queue. Returns false if that failed. */
  const write = Effect.suspend(() => {
    const batch = { pages: waiting, confirmed }
    leaving = batch
    waiting = new Map()
    confirmed = new Map()
    waitingBytes = 0
    const renewed = [...batch.confirmed].filter(([key]) => !batch.pages.has(key))
    return Effect.zipRight(
      renewed.length === 0 ? Effect.void : segments.confirm(renewed),
      batch.pages.size === 0 ? Effect.void : segments.add([...batch.pages])
    )
  }).pipe(
    Effect.as(true),
    Effect.catchAllCause((cause) =>
      Effect.as(Effect.logWarning("Pages could not be written to the page cache and were dropped", cause), false)
    ),
    Effect.ensuring(
      Effect.sync(() => {
        leaving = undefined
      })
    ),
    Effect.uninterruptible
  )

  const keep = (key: string, page: NewPage): void => {
    const bytes = page.body.byteLength
    if (waitingBytes + bytes > maxWaiting) return
    waitingBytes += bytes - (waiting.get(key)?.body.byteLength ?? 0)
    waiting.set(key, { ...page, at: clock.unsafeCurrentTimeMillis() })
    some.unsafeOffer()
    if (waitingBytes >= batchBytes) many.unsafeOffer()
  }

  /** Confirms a page that was read from the queue, even if it has been written since. Has no effect if there is a newer page. */
  const confirmQueued =
    (key: string, page: CachedPage): Peeked["confirm"] =>
    (headers, site) =>
      Effect.flatMap(Clock.currentTimeMillis, (at) => {
        const queued = waiting.get(key) ?? leaving?.pages.get(key)
        if (queued === page) {
          return Effect.sync(() => keep(key, { ...visited(page, site, at), headers: { ...page.headers, ...headers } }))
        }
        return queued !== undefined
          ? Effect.void
          : Effect.flatMap(peek(key), (stored) =>
              stored?.at === page.at && stored.hash === page.hash ? stored.confirm(headers, site) : Effect.void
            )
      })

  const confirmStored = (key: string, stored: StoredResponse) => (headers: CachedResponse["headers"], site?: string) =>
    Effect.map(Clock.currentTimeMillis, (at) => {
      if (confirmed.size >= maxConfirmed) return
      confirmed.set(key, { ...visited(stored, site, at), headers: { ...stored.headers, ...headers }, at })
      some.unsafeOffer()
    })

  const peekQueued = (key: string): Peeked | undefined => {
    const page = waiting.get(key) ?? leaving?.pages.get(key)
    return page === undefined
      ? undefined
      : { ...page, body: Effect.succeed(page.body), confirm: confirmQueued(key, page) }
  }

  const peekStored = (
    key: string,
    row: StoredResponse | undefined,
    body: Peeked["body"] = row === undefined ? noBody : orUndefined(segments.read(key, row))
  ): Peeked | undefined => {
    if (row === undefined) return undefined
    const known = confirmed.get(key) ?? leaving?.confirmed.get(key)
    // A newer page may have been written since the confirmed page was read.
    const stored = known?.file === row.file && known.position === row.position ? known : row
    return { ...stored, body, confirm: confirmStored(key, stored) }
  }

  const peek = (key: string) =>
    Effect.suspend((): Effect.Effect<Peeked | undefined> => {
      const queued = peekQueued(key)
      return queued === undefined
        ? Effect.map(orUndefined(segments.peek(key)), (row) => peekStored(key, row))
        : Effect.succeed(queued)
    })

  const batches = BatchBodies.make()
  yield* Effect.addFinalizer(() => Effect.sync(batches.dropAll))

  const peekAll = Effect.fnUntraced(function* (groups: ReadonlyArray<ReadonlyArray<string>>) {
    const rows = (yield* orUndefined(segments.peekAll(groups.flat()))) ?? new Map<string, StoredResponse>()
    return yield* Effect.forEach(groups, (keys) =>
      Effect.map(
        bodiesOf(
          segments,
          batches,
          keys.flatMap((key) => {
            const row = rows.get(key)
            return row === undefined ? [] : [[key, row] as const]
          })
        ),
        (bodies) => keys.map((key) => peekQueued(key) ?? peekStored(key, rows.get(key), bodies.get(key)))
      )
    )
  })

  const find = Effect.fnUntraced(function* (key: string, isRight: (at: number) => boolean) {
    const page = yield* peek(key)
    if (page === undefined || !isRight(page.at)) return undefined
    const body = yield* page.body
    return body === undefined ? undefined : ({ ...page, body } satisfies CachedPage)
  })

  const writeBatch = Queue.take(some).pipe(
    Effect.zipRight(Effect.timeoutOption(Queue.take(many), Duration.millis(batchDelay))),
    Effect.zipRight(write),
    Effect.flatMap((stored) => (stored ? Effect.void : Effect.sleep(Duration.millis(retryDelay))))
  )
  yield* Effect.addFinalizer(() => write)
  yield* Effect.forkScoped(Effect.forever(writeBatch))
  const warning = "Expired pages could not be removed from the page cache; retrying in an hour"
  yield* repeatedly(segments.sweep, "1 hour", warning)
  const forget = (key: string) =>
    Effect.suspend(() => {
      confirmed.delete(key)
      const queued = waiting.get(key)
      if (queued !== undefined) waiting.set(key, { ...queued, history: undefined })
      return Effect.asVoid(orUndefined(segments.forget(key)))
    })
  const drop = (key: string) =>
    Effect.suspend(() => {
      confirmed.delete(key)
      waitingBytes -= waiting.get(key)?.body.byteLength ?? 0
      waiting.delete(key)
      return Effect.asVoid(orUndefined(segments.drop(key)))
    })
  const visits = yield* visitsBySite(segments)
  return { drop, find, forget, keep, peek, peekAll, visitsOf: (site) => visits.get(site) } satisfies Service
})

/** Time after which a page expires. */
const age = Duration.days(30)

/** Stores at most `bytes` in the data folder; 0 disables the cache. */
export const layer = (
  dataDir: string,
  bytes: number = 512 * 1024 * 1024
): Layer.Layer<PageCache, never, Sql | FileSystem.FileSystem | Path.Path> =>
  bytes <= 0
    ? disabled
    : Layer.scoped(
        PageCache,
        Effect.flatMap(Path.Path, (path) => make(path.join(dataDir, "copies"), { bytes, age }))
      )
