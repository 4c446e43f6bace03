/** Finds images by their captions and page titles, best first or newest page first, one result per image URL. */
import * as Effect from "effect/Effect"
import * as Trace from "../../Telemetry/Trace.ts"
import type { Sql } from "../Store/Sql.ts"
import { conditions, exclusion, expression, type Filter, optionalWords, sizes, verifier } from "./Match.ts"
import type { Clause } from "./Query.ts"

export interface FoundImage {
  readonly id: number
  readonly imageUrl: string
  readonly url: string
  readonly caption: string
  readonly title: string
  readonly width: number | null
  readonly height: number | null
}

interface Candidate extends FoundImage {
  readonly words: string
}

/** Images read at a time, and in all. More than requested are read, because the same image may occur on many pages. */
const [batchSize, maxCandidates] = [200, 4000]

/** Weights of the caption and of the page title, 3 to 1. */
const [captionWeight, titleWeight] = [1.8, 0.6]

export const find = (sql: Sql) =>
  Trace.fn("SearchIndex.findImages")(function* (clauses: ReadonlyArray<Clause>, filter: Filter, limit: number) {
    const where = sql.and([...conditions(sql, clauses, { ...filter, pictures: true }), ...sizes(sql, clauses)])
    const columns = sql`i.id, i.url AS "imageUrl", p.url, i.caption, i.words, t.title, i.width, i.height`
    const newest = sql`coalesce(p.published, p.first_seen) DESC, i.id`
    const best = sql`bm25(search_caption, ${sql.literal(String(captionWeight))}, ${sql.literal(String(titleWeight))}), i.id`
    const verify = verifier(clauses)
    const unwanted = exclusion(clauses)

    const candidates = (match: string | undefined, offset: number) =>
      match === undefined
        ? sql<Candidate>`
            SELECT ${columns} FROM search_image i JOIN search_page p ON p.id = i.page JOIN search_text t ON t.id = p.id
            WHERE ${where} ${unwanted === undefined ? sql`` : sql`AND i.id NOT IN (SELECT rowid FROM search_caption WHERE search_caption MATCH ${unwanted})`}
            ORDER BY ${newest} LIMIT ${batchSize} OFFSET ${offset}`
        : sql<Candidate>`
            SELECT ${columns} FROM search_caption CROSS JOIN search_image i ON i.id = search_caption.rowid
            JOIN search_page p ON p.id = i.page JOIN search_text t ON t.id = p.id
            WHERE search_caption MATCH ${match} AND ${where}
            ORDER BY ${filter.period.newestFirst ? newest : best} LIMIT ${batchSize} OFFSET ${offset}`

    const gather = Effect.fnUntraced(function* (match: string | undefined, found: Map<string, FoundImage>) {
      for (let offset = 0; offset < maxCandidates && found.size < limit; offset += batchSize) {
        const next = yield* candidates(match, offset)
        for (const image of next) {
          const fits = verify === undefined || verify({ title: image.title, text: `${image.caption}\n${image.words}` })
          if (fits && !found.has(image.imageUrl) && found.size < limit) found.set(image.imageUrl, image)
        }
        if (next.length < batchSize) return false
      }
      return found.size < limit
    })

    const found = new Map<string, FoundImage>()
    const truncated = yield* gather(expression(clauses, "all"), found)
    const enough = found.size >= limit || (filter.period.newestFirst && found.size > 0)
    const more = !enough && optionalWords(clauses).length > 1 ? yield* gather(expression(clauses, "any"), found) : false
    return { images: [...found.values()], truncated: verify !== undefined && (truncated || more) }
  })

/** Returns the image URL of each page by page id: its preview image, or else the first image in its text. */
export const firstPictures = (sql: Sql, pages: ReadonlyArray<{ readonly id: number }>) =>
  pages.length === 0
    ? Effect.succeed<ReadonlyMap<number, string>>(new Map())
    : Effect.map(
        sql<{ readonly page: number; readonly url: string }>`
          SELECT page, url FROM search_image WHERE id IN (
            SELECT min(id) FROM search_image
            WHERE page IN (SELECT value FROM json_each(${JSON.stringify(pages.map(({ id }) => id))})) GROUP BY page)`,
        (rows): ReadonlyMap<number, string> => new Map(rows.map(({ page, url }) => [page, url]))
      )
