/** Lists and deletes indexed pages, for the operator. */
import * as Effect from "effect/Effect"
import { Sql } from "../Store/Sql.ts"
import * as Captions from "./Backlog.ts"
import { rangeOf } from "./Match.ts"

export interface PageEntry {
  readonly team: string
  readonly url: string
  readonly title: string
  readonly published: number | null
  readonly firstSeen: number
  readonly lastSeen: number
}

/** Filter for pages. Fields are combined with AND. */
export interface PageFilter {
  readonly team?: string | undefined
  /** Normalized URL; `*` matches any characters. */
  readonly url?: string | undefined
  /** Host, including its subdomains. */
  readonly site?: string | undefined
}

const conditions = (sql: Sql, { site, team, url }: PageFilter) => {
  const [from, to] = rangeOf(site ?? "")
  return sql.and([
    sql`true`,
    ...(team === undefined ? [] : [sql`p.team = ${team}`]),
    ...(site === undefined ? [] : [sql`p.host >= ${from} AND p.host < ${to}`]),
    ...(url === undefined
      ? []
      : // In GLOB, `?` and `[` are wildcards too: escape them.
        [url.includes("*") ? sql`p.url GLOB ${url.replace(/[?[]/g, "[$&]")}` : sql`p.url = ${url}`])
  ])
}

/** Lists pages, most recently read first. */
export const list = (which: PageFilter, limit: number) =>
  Effect.flatMap(
    Sql,
    (sql) => sql<PageEntry>`
      SELECT p.team, p.url, t.title, p.published, p.first_seen AS "firstSeen", p.last_seen AS "lastSeen"
      FROM search_page p JOIN search_text t ON t.id = p.id WHERE ${conditions(sql, which)}
      ORDER BY p.last_seen DESC, p.id DESC LIMIT ${limit}`
  )

/** Pages deleted per transaction, which blocks other writers. */
const batchSize = 500

/** Deletes pages with their images. Returns the number of pages. */
export const remove = (which: PageFilter) =>
  Effect.gen(function* () {
    const sql = yield* Sql
    const removeSome = sql.withTransaction(
      Effect.gen(function* () {
        // Write first: SQLite cannot turn a read transaction into a write transaction after another process has written.
        const gone = yield* sql<{ readonly id: number }>`
          DELETE FROM search_page WHERE id IN (
            SELECT p.id FROM search_page p WHERE ${conditions(sql, which)} LIMIT ${batchSize}) RETURNING id`
        const ids = JSON.stringify(gone.map(({ id }) => id))
        yield* sql`DELETE FROM search_word WHERE rowid IN (SELECT value FROM json_each(${ids}))`
        yield* Captions.removeCaptions(sql, ids)
        yield* sql`DELETE FROM search_image WHERE page IN (SELECT value FROM json_each(${ids}))`
        yield* sql`DELETE FROM search_pending WHERE id IN (SELECT value FROM json_each(${ids}))`
        yield* sql`DELETE FROM search_text WHERE id IN (SELECT value FROM json_each(${ids}))`
        return gone.length
      })
    )
    let removed = 0
    for (let last = batchSize; last === batchSize; removed += last) last = yield* removeSome
    return removed
  })
