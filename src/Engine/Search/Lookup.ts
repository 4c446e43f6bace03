/**
 * Finds indexed pages for a query, best or newest first.
 *
 * SQLite's full-text search (FTS5) picks the best pages with all words of the query, and the best with any of its rarer words; `Ranking.ts`
 * puts them in order.
 */
import type { Fragment } from "@effect/sql/Statement"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { nextTurn } from "../../Callback/EventLoop.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import type { Sql } from "../Store/Sql.ts"
import {
  anyOf,
  conditions,
  exclusion,
  expression,
  type Filter,
  optionalWords,
  rankedWords,
  relatedWords,
  verifier
} from "./Match.ts"
import type { Clause, Scope } from "./Query.ts"
import { type IndexStatistics, isLongQuery, maxRankedCharacters, scorer } from "./Ranking.ts"
import { varied } from "./ResultList.ts"
import { quote } from "./Words.ts"

export interface Found {
  readonly id: number
  readonly url: string
  readonly kinds: number
  readonly published: number | null
  readonly title: string
  readonly description: string
  readonly text: string
  /** JSON of the headings' positions and levels; see `encodeHeadings`. */
  readonly headings: string
}

type Candidate = Pick<Found, "id" | "url" | "kinds" | "published">

/** Pages whose text is read at a time, and in total, to verify an exact phrase. */
const [batchSize, maxCandidates] = [100, 3000]

/** Pages whose full text is in memory at a time. */
const verifiedPages = 10

/** Maximum characters stored per page, and maximum characters searched for the passages in results. */
const [maxTextLength, maxShownCharacters] = [1_000_000, 200_000]

/**
 * Number of pages to rank that match all words of the query, and of those that match any of its rarer words; twice the `limit` if that is
 * more.
 */
const rankedPages = 40
/** Maximum matches that FTS5 scores. Of more matches, it scores the newest ones and those in titles. */
const maxScoredMatches = 10_000
/**
 * Maximum matches of the query's words that FTS5 scores when any word may match, and the same for a long query. Only the rarest words that
 * stay within it are looked up.
 */
const [maxOptionalMatches, maxLongMatches] = [5000, 20_000]
/** Maximum pages counted to learn how frequent a word is, for short and for long queries; beyond them the number is extrapolated. */
const [maxCountedPages, maxLongCounted] = [2000, 500]
/** Sample size for the average page length; pages are evenly spaced by id. */
const sampledPages = 300

/** Maximum pages excluded by `-related:`. */
const maxRelatedPages = 100

/** BM25 with k1 = 2 and doubled title weight. FTS5 fixes k1 at 1.2; scaling the weights by 1.2 / 2 has the same effect. */
const [titleWeight, textWeight] = [1.2, 0.6]

export interface Lookup {
  readonly pages: ReadonlyArray<Found>
  /** Weights of the query's word stems, if pages were ranked by them. */
  readonly weights?: ReadonlyMap<string, number>
  /** True if more pages matched the words of an exact phrase than were verified. */
  readonly truncated: boolean
}

const relevanceOf = (sql: Sql) =>
  sql`bm25(search_word, ${sql.literal(String(titleWeight))}, ${sql.literal(String(textWeight))})`

/** Returns a function that picks the best or newest matching pages among those that meet the conditions. */
const candidatesOf = (sql: Sql, clauses: ReadonlyArray<Clause>, filter: Filter, required: ReadonlyArray<Fragment>) => {
  const relevance = relevanceOf(sql)
  const where = sql.and(required)
  const newest = sql`coalesce(p.published, p.first_seen) DESC, p.id DESC`
  const fromAll = (match: string, count: number, offset: number) => sql<Candidate>`
    SELECT p.id, p.url, p.kinds, p.published FROM search_word CROSS JOIN search_page p ON p.id = search_word.rowid
    WHERE search_word MATCH ${match} AND ${where}
    ORDER BY ${filter.period.newestFirst ? newest : sql`${relevance}, p.id`} LIMIT ${count} OFFSET ${offset}`
  const isExcluding = exclusion(clauses) !== undefined
  const inTitles = (match: string) => `${isExcluding ? `(${match}) AND ` : ""}({title} : (${match}))`
  const best = (match: string, from: number, count: number) => sql<{ readonly id: number }>`
    SELECT rowid AS id FROM search_word WHERE search_word MATCH ${match} AND rowid >= ${from}
    ORDER BY ${relevance}, rowid LIMIT ${count}`

  /**
   * Scores the newest matches, plus matches in titles, and reads only the pages of the best. Undefined if the conditions may have removed
   * too many.
   */
  const fromBest = Effect.fnUntraced(function* ({ few, match }: Match, count: number, offset: number) {
    const [newest] = few
      ? []
      : yield* sql<{ readonly matches: number; readonly first: number | null }>`
          SELECT count(*) AS matches, min(id) AS first FROM (
            SELECT rowid AS id FROM search_word WHERE search_word MATCH ${match} ORDER BY rowid DESC LIMIT ${maxScoredMatches + 1})`
    const isMore = (newest?.matches ?? 0) > maxScoredMatches
    const most = 2 * (count + offset) + 200
    const scored = yield* best(match, newest?.first ?? 0, most)
    const titled = isMore ? yield* best(inTitles(match), 0, Math.ceil(count / 2)) : []
    const ids = [...new Set([...titled, ...scored].map(({ id }) => id))]
    const found = yield* sql<Candidate>`
      SELECT p.id, p.url, p.kinds, p.published FROM json_each(${JSON.stringify(ids)}) best
      CROSS JOIN search_page p ON p.id = best.value WHERE ${where} ORDER BY best.key LIMIT ${count} OFFSET ${offset}`
    return found.length === count || (!isMore && scored.length < most) ? found : undefined
  })

  return (match: Match | undefined, count: number, offset: number) => {
    if (match !== undefined) {
      if (filter.period.newestFirst || required.length > 1) return fromAll(match.match, count, offset)
      return Effect.flatMap(fromBest(match, count, offset), (found) =>
        found === undefined ? fromAll(match.match, count, offset) : Effect.succeed(found)
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
}

export const find = (sql: Sql) => {
  const wordsOfDomain = relatedWords(sql)
  const statisticsOf = statistics(sql)
  const relevance = relevanceOf(sql)
  return Trace.fn("SearchIndex.find")(function* (clauses: ReadonlyArray<Clause>, filter: Filter, limit: number) {
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
    const required = [
      ...conditions(sql, clauses, filter),
      ...far
        .filter((words) => words.length > 0)
        .map(
          (words) => sql`p.id NOT IN (
            SELECT rowid FROM search_word WHERE search_word MATCH ${anyOf(words)} ORDER BY ${relevance} LIMIT ${maxRelatedPages})`
        )
    ]
    const verify = verifier(clauses)

    const candidates = candidatesOf(sql, clauses, filter, required)

    const read = (pages: ReadonlyArray<Candidate>, characters: number) =>
      Effect.map(
        sql<Pick<Found, "id" | "title" | "description" | "text" | "headings">>`
          SELECT id, title, description, substr(text, 1, ${characters}) AS text, headings FROM search_text
          WHERE id IN (SELECT value FROM json_each(${JSON.stringify(pages.map(({ id }) => id))}))`,
        (texts) => {
          const byId = new Map(texts.map((text) => [text.id, text]))
          return pages.flatMap((page) => {
            const text = byId.get(page.id)
            return text === undefined ? [] : [{ ...page, ...text }]
          })
        }
      )

    const words = filter.period.newestFirst ? [] : rankedWords(clauses)
    const isRanked = words.length > 0
    // Fewer pages are read if phrases must be verified, because that needs the whole text.
    const wanted = isRanked && verify === undefined ? Math.max(rankedPages, 2 * limit) : limit
    const characters = isRanked ? maxRankedCharacters : maxShownCharacters

    /** Returns the pages that contain the phrases. Keeps few long texts in memory at a time, and yields to other work in between. */
    const verified = (pages: ReadonlyArray<Candidate>) =>
      verify === undefined
        ? Effect.succeed(pages)
        : Effect.map(
            Effect.forEach(Arr.chunksOf(pages, verifiedPages), (some) =>
              Effect.zipLeft(
                Effect.map(read(some, maxTextLength), (texts) => texts.filter(verify).map(({ id }) => id)),
                nextTurn
              )
            ),
            (found) => {
              const ids = new Set(found.flat())
              return pages.filter(({ id }) => ids.has(id))
            }
          )

    const gather = Effect.fnUntraced(function* (match: Match | undefined, count: number, seen: ReadonlySet<number>) {
      const pages: Array<Found> = []
      let offset = 0
      const size = verify === undefined ? count + seen.size : Math.max(batchSize, count + seen.size)
      while (pages.length < count && offset < maxCandidates) {
        const next = yield* candidates(match, size, offset)
        const right = yield* verified(next.filter(({ id }) => !seen.has(id)))
        pages.push(...(yield* read(right, characters)))
        offset += size
        if (next.length < size) return { pages: pages.slice(0, count), truncated: false }
      }
      return { pages: pages.slice(0, count), truncated: pages.length < count }
    })

    const optional = optionalWords(clauses)
    const isLong = isLongQuery(words)
    const [mostCounted, mostMatches] = isLong ? [maxLongCounted, maxLongMatches] : [maxCountedPages, maxOptionalMatches]
    const counts = isRanked ? yield* statisticsOf([...new Set([...words, ...optional])], mostCounted) : undefined
    const few = optional.some((word) => (counts?.pagesWith.get(word) ?? maxCountedPages) < maxCountedPages)
    const rare = counts === undefined ? [] : rarest(optional, counts, mostMatches)
    // If the rare words alone form a long query, the best pages for them include those with all words.
    const strict = isLongQuery(rare)
      ? { pages: [], truncated: false }
      : yield* gather(matchOf(expression(clauses, "all", near), few), wanted, new Set())
    const seen = new Set(strict.pages.map(({ id }) => id))
    if (counts === undefined) {
      // Pages with only some of the words follow those with all words. In a search for the newest pages they could come first, so they are
      // left out.
      const enough = strict.pages.length >= limit || (filter.period.newestFirst && strict.pages.length > 0)
      if (enough || optional.length < 2) return strict satisfies Lookup
      const any = matchOf(expression(clauses, "any", near), false)
      const loose = yield* gather(any, limit - strict.pages.length, seen)
      return { pages: [...strict.pages, ...loose.pages], truncated: loose.truncated } satisfies Lookup
    }

    // A search for a single frequent word is in vain: its pages rank below the many pages with all words.
    const isVain =
      rare.length < 2 &&
      strict.pages.length >= wanted &&
      (counts.pagesWith.get(rare[0] ?? "") ?? 0) > maxOptionalMatches
    const loose =
      optional.length < 2 || isVain
        ? { pages: [], truncated: false }
        : yield* gather(matchOf(expression(clauses, rare, near), rare.length > 1), wanted, seen)
    const { score, weights } = scorer(words, counts)
    const scored = [...strict.pages, ...loose.pages]
      .map((page) => ({ ...page, score: score(page) }))
      .sort((one, other) => other.score - one.score)
    // A search restricted to hosts or URLs lists all their pages.
    const ranked = isRestricted(clauses, filter) ? scored.slice(0, limit) : varied(scored, limit)
    const pages = yield* read(ranked, maxShownCharacters)
    return {
      pages,
      weights,
      truncated: (strict.truncated || loose.truncated) && pages.length < limit
    } satisfies Lookup
  })
}

/** FTS5 expression. `few`: it is known to have no more matches than `maxScoredMatches`. */
interface Match {
  readonly match: string
  readonly few: boolean
}

const matchOf = (match: string | undefined, few: boolean): Match | undefined =>
  match === undefined ? undefined : { match, few }

const isRestricted = (clauses: ReadonlyArray<Clause>, { includeDomains }: Filter): boolean =>
  includeDomains.length > 0 ||
  clauses.some(
    (clause) => !clause.negated && (clause._tag === "Site" || (clause._tag === "Text" && clause.place === "url"))
  )

/** Returns the rarest words that together have at most `most` matches, but at least one word. */
const rarest = (words: ReadonlyArray<string>, { pagesWith }: IndexStatistics, most: number): ReadonlyArray<string> => {
  const count = (word: string) => pagesWith.get(word) ?? 0
  let matches = 0
  return words
    .toSorted((one, other) => count(one) - count(other))
    .filter((word, at) => {
      matches += count(word)
      return at === 0 || matches <= most
    })
}

const statistics = (sql: Sql) => {
  // Matches are ordered by id, so the last counted id tells which share of the index was counted.
  const countOf = (word: string, most: number) => sql<{ readonly counted: number; readonly last: number | null }>`
    SELECT count(*) AS counted, max(id) AS last FROM (
      SELECT rowid AS id FROM search_word WHERE search_word MATCH ${quote(word)} LIMIT ${most})`
  return Trace.fn("SearchIndex.statistics")(function* (words: ReadonlyArray<string>, most: number) {
    const [newest] = yield* sql<{ readonly pages: number }>`SELECT coalesce(max(id), 0) AS pages FROM search_page`
    const pages = newest?.pages ?? 0
    const sample = Array.from({ length: Math.min(pages, sampledPages) }, (_, at) =>
      Math.ceil(((at + 1) * pages) / Math.min(pages, sampledPages))
    )
    const [average] = yield* sql<{ readonly length: number | null }>`
      SELECT avg(length(title) + min(octet_length(text), ${maxRankedCharacters})) AS length FROM search_text
      WHERE id IN (SELECT value FROM json_each(${JSON.stringify(sample)}))`
    const pagesWith = new Map<string, number>()
    for (const word of words) {
      const [found] = yield* countOf(word, most)
      const { counted, last } = found ?? { counted: 0, last: null }
      pagesWith.set(word, counted < most || last === null ? counted : (counted * pages) / last)
    }
    return { pages, averageLength: Math.max(1, average?.length ?? 1), pagesWith } satisfies IndexStatistics
  })
}
