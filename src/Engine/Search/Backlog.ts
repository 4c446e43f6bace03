/**
 * Queue of stored pages that are not in the full-text index yet. They are indexed in batches, because each batch adds a segment to the
 * full-text index, and many small segments cost more than the pages in them. Rebuilds the index from the stored texts if a newer version
 * interprets them differently.
 */
import type * as Statement from "@effect/sql/Statement"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { nextTurn } from "../../Callback/EventLoop.ts"
import * as BulkStatement from "../../Database/BulkStatement.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { failing, type Sql } from "../Store/Sql.ts"
import { locate } from "./Place.ts"
import { spaceLetters } from "./Words.ts"

/** Maximum pages and characters indexed in one transaction, which blocks the server's thread. */
const [maxBatchPages, maxBatchCharacters] = [500, 2_000_000]

/** Characters of a page's title that are indexed with each of its images. */
export const maxTitleInCaption = 300

/** Maximum milliseconds that a search waits for pages to be indexed. */
const maxSearchDelay = 1000

/** Time for collecting pages into a batch. Searches index queued pages at once. */
const batchDelay = Duration.millis(400)
/** Wait after a failure of the store. */
const retryDelay = Duration.seconds(30)

interface PendingPage {
  readonly id: number
  readonly spaced: number
}

const insertWords = BulkStatement.inserting("INSERT INTO search_word (rowid, title, text)", 3)
const insertCaptions = BulkStatement.inserting("INSERT INTO search_caption (rowid, caption, title)", 3)

const listOf = (ids: ReadonlyArray<number>) => JSON.stringify(ids)

/** Returns a function that writes the words of pages and of their images to the full-text index, in place of earlier entries. */
export const write = (sql: Sql) =>
  Effect.fnUntraced(function* (taken: ReadonlyArray<PendingPage>) {
    const all = listOf(taken.map(({ id }) => id))
    const plain = listOf(taken.flatMap(({ id, spaced }) => (spaced === 0 ? [id] : [])))
    const spaced = listOf(taken.flatMap(({ id, spaced }) => (spaced === 0 ? [] : [id])))
    yield* sql`DELETE FROM search_word WHERE rowid IN (SELECT value FROM json_each(${all}))`
    yield* removeCaptions(sql, all)
    yield* sql`
      INSERT INTO search_word (rowid, title, text)
      SELECT id, title, text FROM search_text WHERE id IN (SELECT value FROM json_each(${plain}))`
    yield* sql`
      INSERT INTO search_caption (rowid, caption, title)
      SELECT i.id, i.words, substr(t.title, 1, ${maxTitleInCaption}) FROM search_image i JOIN search_text t ON t.id = i.page
      WHERE i.page IN (SELECT value FROM json_each(${plain}))`
    if (spaced === "[]") return
    const texts = yield* sql<{ readonly id: number; readonly title: string; readonly text: string }>`
      SELECT id, title, text FROM search_text WHERE id IN (SELECT value FROM json_each(${spaced}))`
    yield* insertWords(sql, [], texts, ({ id, text, title }) => [id, spaceLetters(title), spaceLetters(text)])
    const images = yield* sql<{ readonly id: number; readonly words: string; readonly title: string }>`
      SELECT i.id, i.words, substr(t.title, 1, ${maxTitleInCaption}) AS title FROM search_image i JOIN search_text t ON t.id = i.page
      WHERE i.page IN (SELECT value FROM json_each(${spaced}))`
    yield* insertCaptions(sql, [], images, ({ id, title, words }) => [id, spaceLetters(words), spaceLetters(title)])
  })

/** Indexes queued pages of one team or of all teams, until the time `until` (milliseconds since 1970). */
const indexPending = (sql: Sql) => {
  const writeAll = write(sql)
  const portion = (of: Statement.Fragment) =>
    sql.withTransaction(
      Effect.gen(function* () {
        const taken = yield* sql<PendingPage>`
          DELETE FROM search_pending WHERE id IN (
            SELECT id FROM (
              SELECT id, size, sum(size) OVER (ORDER BY id) AS upto
              FROM (SELECT id, size FROM search_pending WHERE ${of} ORDER BY id LIMIT ${maxBatchPages}))
            WHERE upto - size < ${maxBatchCharacters})
          RETURNING id, spaced`
        if (taken.length > 0) yield* writeAll(taken)
        return taken.length
      })
    )
  return Effect.fnUntraced(function* (until: number, team?: string) {
    const of = team === undefined ? sql`1 = 1` : sql`team = ${team}`
    // Pages queued in the meantime wait for the next call; otherwise a search could wait for a whole crawl.
    const [waiting] = yield* sql<{ readonly pages: number }>`SELECT count(*) AS pages FROM search_pending WHERE ${of}`
    let left = waiting?.pages ?? 0
    for (let done = 1; left > 0 && done > 0 && (yield* Clock.currentTimeMillis) < until; ) {
      done = yield* portion(of)
      left -= done
      yield* nextTurn
    }
  })
}

export interface Backlog {
  /** Wakes the background indexing after pages were queued. */
  readonly notify: Effect.Effect<void>
  /** Indexes the queued pages of a team within a time limit. Failures are logged, so that a search still finds indexed pages. */
  readonly indexNow: (team: string) => Effect.Effect<void>
}

/** Indexes queued pages in the background while the scope is open, including pages left by an earlier process. */
export const make = (sql: Sql): Effect.Effect<Backlog, never, Scope.Scope> =>
  Effect.gen(function* () {
    const notified = yield* Effect.makeLatch(true)
    const index = indexPending(sql)
    // One semaphore per team, so that concurrent searches of a team index its queued pages once.
    const searches = new Map<string, Effect.Semaphore>()
    const searchesOf = (team: string): Effect.Semaphore => {
      const known = searches.get(team) ?? Effect.unsafeMakeSemaphore(1)
      searches.set(team, known)
      return known
    }
    const indexUntil = (until: number, team?: string) =>
      Effect.tapErrorCause(index(until, team), (cause) =>
        Effect.logWarning("The newest pages are not in the search index yet", cause)
      )
    yield* notified.await.pipe(
      Effect.zipRight(Effect.sleep(batchDelay)),
      Effect.zipRight(notified.close),
      Effect.zipRight(indexUntil(Number.POSITIVE_INFINITY)),
      Effect.catchAllCause(() => Effect.zipRight(Effect.sleep(retryDelay), notified.open)),
      Effect.forever,
      Effect.forkScoped
    )
    const indexNow = (team: string) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        searchesOf(team).withPermits(1)(indexUntil(now + maxSearchDelay, team))
      ).pipe(failing, Effect.ignore)
    return { notify: Effect.asVoid(notified.open), indexNow }
  })

/** Deletes the captions of these pages' images. Call before the images are deleted; `pages` is a JSON array of ids. */
export const removeCaptions = (sql: Sql, pages: string) => sql`
  DELETE FROM search_caption WHERE rowid IN (
    SELECT id FROM search_image WHERE page IN (SELECT value FROM json_each(${pages})))`

/**
 * Version of the indexed words. Increase it when `spaceLetters`, {@link locate} or the tokenizer of the tables changes: all pages are then
 * indexed again in the background.
 */
export const version = 1

/** Pages rebuilt in one transaction; each may have a million characters. */
const reindexBatch = 50

interface ReindexState {
  readonly version: number
  /** Last page that was rebuilt; null when all were. */
  readonly upto: number | null
}

/** True if no rebuild is left to do, also if a newer version of the engine has rebuilt the index. */
const isDone = (state: ReindexState | undefined, wanted: number): boolean =>
  state === undefined || state.version > wanted || (state.version === wanted && state.upto === null)

/** Rebuilds the index, continuing after the last page of an interrupted rebuild. Returns the number of pages. */
export const reindex = Trace.fn("SearchIndex.reindex")(function* (sql: Sql, wanted = version) {
  const [state] = yield* sql<ReindexState>`SELECT version, upto FROM search_version`
  if (isDone(state, wanted)) return 0

  const writeAll = write(sql)
  const portion = sql.withTransaction(
    Effect.gen(function* () {
      // Write first: SQLite cannot turn a read transaction into a write transaction after another process has written.
      const [now] = yield* sql<ReindexState>`
        UPDATE search_version SET upto = CASE WHEN version < ${wanted} THEN 0 ELSE upto END, version = max(version, ${wanted})
        RETURNING version, upto`
      if (now === undefined || now.upto === null || now.version !== wanted) return 0
      const pages = yield* sql<{ readonly id: number; readonly url: string; readonly known: string }>`
        SELECT id, url, extension AS known FROM search_page WHERE id > ${now.upto} ORDER BY id LIMIT ${reindexBatch}`
      for (const { id, known, url } of pages) {
        // If the URL has no extension, keep the stored one, because it is stored nowhere else.
        const { extension, host, kinds } = locate(url, locate(url).extension || known || undefined)
        yield* sql`DELETE FROM search_pending WHERE id = ${id}`
        yield* sql`UPDATE search_page SET host = ${host}, extension = ${extension}, kinds = ${kinds} WHERE id = ${id}`
      }
      yield* writeAll(pages.map(({ id }) => ({ id, spaced: 1 })))
      const last = pages.at(-1)
      // The SQL driver cannot bind a null as the only parameter, so it is in the statement.
      yield* last === undefined
        ? sql`UPDATE search_version SET upto = NULL`
        : sql`UPDATE search_version SET upto = ${last.id}`
      return pages.length
    })
  )
  let count = 0
  for (let last = reindexBatch; last > 0; count += last) {
    last = yield* portion
    yield* Effect.yieldNow()
  }
  return count
})
