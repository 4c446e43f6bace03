/** Makes the index anew from the texts that it keeps, when a later version of this program reads them otherwise. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { write } from "./Backlog.ts"
import { locate } from "./Place.ts"

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
