/** Finds pages, best or newest first. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import {
  anyOf,
  conditions,
  exclusion,
  expression,
  type Filter,
  optionalWords,
  relatedWords,
  verifier
} from "./Match.ts"
import type { Clause, Scope } from "./Query.ts"

export interface Found {
  readonly id: number
  readonly url: string
  readonly kinds: number
  readonly published: number | null
  readonly title: string
  readonly description: string
  readonly text: string
}

type Candidate = Pick<Found, "id" | "url" | "kinds" | "published">

/** Pages whose text is read at a time, and in all, to verify an exact phrase. */
const [batchSize, maxCandidates] = [100, 3000]

/** Pages excluded by `-related:`. */
const maxRelatedPages = 100

/** BM25 with k1 = 2 and doubled title weight. FTS5 fixes k1 at 1.2; scaling the weights by 1.2 / 2 has the same effect. */
const [titleWeight, textWeight] = [1.2, 0.6]

export interface Lookup {
  readonly pages: ReadonlyArray<Found>
  /** More pages matched the words of an exact phrase than were verified. */
  readonly truncated: boolean
}

export const find = (sql: SqlClient.SqlClient) => {
  const wordsOfDomain = relatedWords(sql)
  return Effect.fn("SearchIndex.find")(function* (clauses: ReadonlyArray<Clause>, filter: Filter, limit: number) {
    const score = sql`bm25(search_word, ${sql.literal(String(titleWeight))}, ${sql.literal(String(textWeight))})`
    const domains = clauses.filter((clause): clause is Scope => clause._tag === "Related")
    const near = yield* Effect.forEach(
      domains.filter(({ negated }) => !negated),
      ({ value }) => wordsOfDomain(filter.team, value)
    )
    // No page of a `related:` domain is indexed.
    if (near.some((words) => words.length === 0)) return { pages: [], truncated: false } satisfies Lookup
    const far = yield* Effect.forEach(
      domains.filter(({ negated }) => negated),
      ({ value }) => wordsOfDomain(filter.team, value)
    )
    const wanted = [
      ...conditions(sql, clauses, filter),
      ...far
        .filter((words) => words.length > 0)
        .map(
          (words) => sql`p.id NOT IN (
            SELECT rowid FROM search_word WHERE search_word MATCH ${anyOf(words)} ORDER BY ${score} LIMIT ${maxRelatedPages})`
        )
    ]
    const where = sql.and(wanted)
    const newest = sql`coalesce(p.published, p.first_seen) DESC, p.id DESC`
    const verify = verifier(clauses)

    const fromAll = (match: string, count: number, offset: number) => sql<Candidate>`
      SELECT p.id, p.url, p.kinds, p.published FROM search_word CROSS JOIN search_page p ON p.id = search_word.rowid
      WHERE search_word MATCH ${match} AND ${where}
      ORDER BY ${filter.period.newestFirst ? newest : sql`${score}, p.id`} LIMIT ${count} OFFSET ${offset}`
    /** Joins only the best matches with their pages: usually enough, and cheaper than joining all. */
    const fromBest = (match: string, count: number, offset: number) => sql<Candidate>`
      SELECT p.id, p.url, p.kinds, p.published FROM (
        SELECT rowid AS id, ${score} AS score FROM search_word WHERE search_word MATCH ${match}
        ORDER BY score, rowid LIMIT ${2 * (count + offset) + 200}) best
      CROSS JOIN search_page p ON p.id = best.id WHERE ${where} ORDER BY best.score, p.id LIMIT ${count} OFFSET ${offset}`

    const candidates = (match: string | undefined, count: number, offset: number) => {
      if (match !== undefined) {
        if (filter.period.newestFirst || wanted.length > 1) return fromAll(match, count, offset)
        return Effect.flatMap(fromBest(match, count, offset), (best) =>
          best.length === count ? Effect.succeed(best) : fromAll(match, count, offset)
        )
      }
      const unwanted = exclusion(clauses)
      const allowed =
        unwanted === undefined
          ? where
          : sql`${where} AND p.id NOT IN (SELECT rowid FROM search_word WHERE search_word MATCH ${unwanted})`
      return sql<Candidate>`
        SELECT p.id, p.url, p.kinds, p.published FROM search_page p WHERE ${allowed} ORDER BY ${newest} LIMIT ${count} OFFSET ${offset}`
    }

    const read = (pages: ReadonlyArray<Candidate>) =>
      Effect.map(
        sql<Pick<Found, "id" | "title" | "description" | "text">>`
          SELECT id, title, description, text FROM search_text
          WHERE id IN (SELECT value FROM json_each(${JSON.stringify(pages.map(({ id }) => id))}))`,
        (texts) => {
          const byId = new Map(texts.map((text) => [text.id, text]))
          return pages.flatMap((page) => {
            const text = byId.get(page.id)
            return text === undefined ? [] : [{ ...page, ...text }]
          })
        }
      )

    const gather = Effect.fnUntraced(function* (match: string | undefined, wanted: number, seen: ReadonlySet<number>) {
      const pages: Array<Found> = []
      let offset = 0
      const size = verify === undefined ? wanted + seen.size : Math.max(batchSize, wanted + seen.size)
      while (pages.length < wanted && offset < maxCandidates) {
        const next = yield* candidates(match, size, offset)
        const texts = yield* read(next.filter(({ id }) => !seen.has(id)))
        pages.push(...(verify === undefined ? texts : texts.filter(verify)))
        offset += size
        if (next.length < size) return { pages: pages.slice(0, wanted), truncated: false }
      }
      return { pages: pages.slice(0, wanted), truncated: pages.length < wanted }
    })

    const strict = yield* gather(expression(clauses, "all", near), limit, new Set())
    // Pages with some of the words come after those with all of them; newest first, they would come before.
    const enough = strict.pages.length >= limit || (filter.period.newestFirst && strict.pages.length > 0)
    if (enough || optionalWords(clauses).length < 2) return strict satisfies Lookup
    const seen = new Set(strict.pages.map(({ id }) => id))
    const loose = yield* gather(expression(clauses, "any", near), limit - strict.pages.length, seen)
    return { pages: [...strict.pages, ...loose.pages], truncated: loose.truncated } satisfies Lookup
  })
}
