/**
 * Pages that are not in the full-text index yet. They are stored with their texts and indexed in batches, because a segment of the index costs as
 * much as the pages in it. Rebuilds the index from the stored texts when a newer version reads them differently.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Statement from "@effect/sql/Statement"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { nextTurn } from "../../Callback/EventLoop.ts"
import * as BulkStatement from "../../Database/BulkStatement.ts"
import { locate } from "./Place.ts"
import { space } from "./Words.ts"

/** Pages and characters that are indexed at once: nothing else happens meanwhile. */
const [mostPages, mostText] = [500, 2_000_000]

/** Characters of a page's title that each of its images can be found by. */
export const mostTitle = 300

/** Milliseconds after which a search begins with what is indexed by then. */
const mostBefore = 1000

/** How long pages wait for others. Whoever searches does not wait for that. */
const patience = Duration.millis(400)
/** After a failure: what is wrong with the store will not be over at once. */
const pause = Duration.seconds(30)

interface Taken {
  readonly id: number
  readonly spaced: number
}

const insertWords = BulkStatement.inserting("INSERT INTO search_word (rowid, title, text)", 3)
const insertCaptions = BulkStatement.inserting("INSERT INTO search_caption (rowid, caption, title)", 3)

const listOf = (ids: ReadonlyArray<number>) => JSON.stringify(ids)

/** Writes the words of these pages and their images, in place of those that are there. */
export const write = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (taken: ReadonlyArray<Taken>) {
    const all = listOf(taken.map(({ id }) => id))
    const plain = listOf(taken.flatMap(({ id, spaced }) => (spaced === 0 ? [id] : [])))
    const spaced = listOf(taken.flatMap(({ id, spaced }) => (spaced === 0 ? [] : [id])))
    yield* sql`DELETE FROM search_word WHERE rowid IN (SELECT value FROM json_each(${all}))`
    yield* forget(sql, all)
    yield* sql`
      INSERT INTO search_word (rowid, title, text)
      SELECT id, title, text FROM search_text WHERE id IN (SELECT value FROM json_each(${plain}))`
    yield* sql`
      INSERT INTO search_caption (rowid, caption, title)
      SELECT i.id, i.words, substr(t.title, 1, ${mostTitle}) FROM search_image i JOIN search_text t ON t.id = i.page
      WHERE i.page IN (SELECT value FROM json_each(${plain}))`
    if (spaced === "[]") return
    const texts = yield* sql<{ readonly id: number; readonly title: string; readonly text: string }>`
      SELECT id, title, text FROM search_text WHERE id IN (SELECT value FROM json_each(${spaced}))`
    yield* insertWords(sql, [], texts, ({ id, text, title }) => [id, space(title), space(text)])
    const images = yield* sql<{ readonly id: number; readonly words: string; readonly title: string }>`
      SELECT i.id, i.words, substr(t.title, 1, ${mostTitle}) AS title FROM search_image i JOIN search_text t ON t.id = i.page
      WHERE i.page IN (SELECT value FROM json_each(${spaced}))`
    yield* insertCaptions(sql, [], images, ({ id, title, words }) => [id, space(words), space(title)])
  })

/** Indexes the pages that wait, of one team or of all, until an instant at most. */
const work = (sql: SqlClient.SqlClient) => {
  const writeAll = write(sql)
  const portion = (of: Statement.Fragment) =>
    sql.withTransaction(
      Effect.gen(function* () {
        const taken = yield* sql<Taken>`
          DELETE FROM search_pending WHERE id IN (
            SELECT id FROM (
              SELECT id, size, sum(size) OVER (ORDER BY id) AS upto
              FROM (SELECT id, size FROM search_pending WHERE ${of} ORDER BY id LIMIT ${mostPages}))
            WHERE upto - size < ${mostText})
          RETURNING id, spaced`
        if (taken.length > 0) yield* writeAll(taken)
        return taken.length
      })
    )
  return Effect.fnUntraced(function* (until: number, team?: string) {
    const of = team === undefined ? sql`1 = 1` : sql`team = ${team}`
    // What comes in meanwhile is for the next time: whoever waits for this does not wait for a whole crawl.
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
  /** There are pages that wait. */
  readonly ring: Effect.Effect<void>
  /** Indexes what waits now of a team, as far as there is time. A failure is for the log: what was indexed before is found all the same. */
  readonly clear: (team: string) => Effect.Effect<void>
}

/** Indexes what comes in, a little later, for as long as the scope is open; and what a killed engine has left. */
export const make = (sql: SqlClient.SqlClient): Effect.Effect<Backlog, never, Scope.Scope> =>
  Effect.gen(function* () {
    const bell = yield* Effect.makeLatch(true)
    const some = work(sql)
    // What one search indexes, those of its team beside it need not.
    const searches = new Map<string, Effect.Semaphore>()
    const searchesOf = (team: string): Effect.Semaphore => {
      const known = searches.get(team) ?? Effect.unsafeMakeSemaphore(1)
      searches.set(team, known)
      return known
    }
    const told = (until: number, team?: string) =>
      Effect.tapErrorCause(some(until, team), (cause) =>
        Effect.logWarning("Pages that were read last are missing from the search index for now", cause)
      )
    yield* bell.await.pipe(
      Effect.zipRight(Effect.sleep(patience)),
      Effect.zipRight(bell.close),
      Effect.zipRight(told(Number.POSITIVE_INFINITY)),
      Effect.catchAllCause(() => Effect.zipRight(Effect.sleep(pause), bell.open)),
      Effect.forever,
      Effect.forkScoped
    )
    const clear = (team: string) =>
      Effect.ignore(
        Effect.flatMap(Clock.currentTimeMillis, (now) => searchesOf(team).withPermits(1)(told(now + mostBefore, team)))
      )
    return { ring: Effect.asVoid(bell.open), clear }
  })

/** Takes the captions of these pages' images out of the index, while the images are still known; `pages` is a JSON list of ids. */
export const forget = (sql: SqlClient.SqlClient, pages: string) => sql`
  DELETE FROM search_caption WHERE rowid IN (
    SELECT id FROM search_image WHERE page IN (SELECT value FROM json_each(${pages})))`

/**
 * How texts become words, and addresses places. It goes up when `space`, {@link locate} or the tokens of the table
 * change: then every page is read again, a few at a time, beside the searches that go on.
 */
export const version = 1

/** Texts may have a million characters each. */
const atOnce = 50

interface State {
  readonly version: number
  /** The last page that was made anew; null when all were. */
  readonly upto: number | null
}

/** What a later version has begun is not for an earlier one to undo. */
const isDone = (state: State | undefined, wanted: number): boolean =>
  state === undefined || state.version > wanted || (state.version === wanted && state.upto === null)

/** Goes on where a killed one has stopped; nothing to do costs one look. */
export const reindex = Effect.fn("SearchIndex.reindex")(function* (sql: SqlClient.SqlClient, wanted = version) {
  const [state] = yield* sql<State>`SELECT version, upto FROM search_version`
  if (isDone(state, wanted)) return 0

  const writeAll = write(sql)
  const portion = sql.withTransaction(
    Effect.gen(function* () {
      // Written first: a transaction that has read cannot write once another process has.
      const [now] = yield* sql<State>`
        UPDATE search_version SET upto = CASE WHEN version < ${wanted} THEN 0 ELSE upto END, version = max(version, ${wanted})
        RETURNING version, upto`
      if (now === undefined || now.upto === null || now.version !== wanted) return 0
      const pages = yield* sql<{ readonly id: number; readonly url: string; readonly known: string }>`
        SELECT id, url, extension AS known FROM search_page WHERE id > ${now.upto} ORDER BY id LIMIT ${atOnce}`
      for (const { id, known, url } of pages) {
        // Of a file without one in its address nobody else knows it any more.
        const { extension, host, kinds } = locate(url, locate(url).extension || known || undefined)
        yield* sql`DELETE FROM search_pending WHERE id = ${id}`
        yield* sql`UPDATE search_page SET host = ${host}, extension = ${extension}, kinds = ${kinds} WHERE id = ${id}`
      }
      yield* writeAll(pages.map(({ id }) => ({ id, spaced: 1 })))
      const last = pages.at(-1)
      // A null alone is nothing that the driver could bind.
      yield* last === undefined
        ? sql`UPDATE search_version SET upto = NULL`
        : sql`UPDATE search_version SET upto = ${last.id}`
      return pages.length
    })
  )
  let count = 0
  for (let last = atOnce; last > 0; count += last) {
    last = yield* portion
    yield* Effect.yieldNow()
  }
  return count
})
