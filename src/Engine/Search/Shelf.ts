/** What is in the index, for whoever runs the engine: looked through, and taken out (spec 4.4). */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

export interface Kept {
  readonly team: string
  readonly url: string
  readonly title: string
  readonly published: number | null
  readonly firstSeen: number
  readonly lastSeen: number
}

/** The pages that were read last, of all teams. */
export const list = (limit: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<Kept>`
      SELECT p.team, p.url, t.title, p.published, p.first_seen AS "firstSeen", p.last_seen AS "lastSeen"
      FROM search_page p JOIN search_text t ON t.id = p.id ORDER BY p.last_seen DESC, p.id DESC LIMIT ${limit}`
  )

/** Pages removed at once: the words of many are dear, and nobody else may write meanwhile. */
const portion = 500

/** Takes out the page of this address, of every team; without one everything. Gives how many pages that were. */
export const remove = (url: string | undefined) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const which = url === undefined ? sql`true` : sql`url = ${url}`
    const removeSome = sql.withTransaction(
      Effect.gen(function* () {
        // Written first: a transaction that has read cannot write once another process has.
        const gone = yield* sql<{ readonly id: number }>`
          DELETE FROM search_page WHERE id IN (SELECT id FROM search_page WHERE ${which} LIMIT ${portion}) RETURNING id`
        const ids = JSON.stringify(gone.map(({ id }) => id))
        yield* sql`DELETE FROM search_word WHERE rowid IN (SELECT value FROM json_each(${ids}))`
        yield* sql`
          DELETE FROM search_caption WHERE rowid IN (
            SELECT id FROM search_image WHERE page IN (SELECT value FROM json_each(${ids})))`
        yield* sql`DELETE FROM search_image WHERE page IN (SELECT value FROM json_each(${ids}))`
        yield* sql`DELETE FROM search_pending WHERE id IN (SELECT value FROM json_each(${ids}))`
        yield* sql`DELETE FROM search_text WHERE id IN (SELECT value FROM json_each(${ids}))`
        return gone.length
      })
    )
    let removed = 0
    for (let last = portion; last === portion; removed += last) last = yield* removeSome
    return removed
  })
