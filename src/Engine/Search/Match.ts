/**
 * Translates a search query to SQL: one full-text expression, conditions on a page, and phrases to verify on the text.
 *
 * `related:` finds pages of other domains by the words that are frequent on the given domain and rare in the whole index.
 */

import { domainToASCII } from "node:url"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import type { Category } from "../../Api/SearchRequest.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import type { Sql } from "../Store/Sql.ts"
import { normalizeExtension } from "./Picture.ts"
import { categoryBits, reverseHost } from "./Place.ts"
import type { Clause, Period, Scope, Size, Text } from "./Query.ts"
import { contentWords, fold, hasUnspaced, phrase, quote, split } from "./Words.ts"

/** Conditions of a request besides its query. */
export interface Filter {
  readonly team: string
  readonly period: Period
  readonly categories: ReadonlyArray<Category>
  readonly includeDomains: ReadonlyArray<string>
  readonly excludeDomains: ReadonlyArray<string>
  readonly webOnly: boolean
  /** True to search images: the statement joins `search_image i`, and `filetype:` refers to the images. */
  readonly pictures?: boolean | undefined
  /** True to find only pages with a publication date, and no files. */
  readonly news?: boolean | undefined
}

/** Extensions of files, which are excluded from news: their date is when they were written, not published. */
const fileExtensions = ["pdf", "docx", "doc", "odt", "rtf", "xlsx", "xls"]

const isText = (clause: Clause): clause is Text => clause._tag === "Text"

const inTitle = (clause: Text) => clause.words.map((word) => `title : ${quote(word)}`)

/** FTS5 expression that matches any of the words. */
export const anyOf = (words: ReadonlyArray<string>): string => words.map(quote).join(" OR ")

/**
 * FTS5 expression for the query. `words` selects whether all plain words are required, any of them, or any of a list; one word
 * of each list in `near` is required. Undefined when the query has no text to look up.
 */
export const expression = (
  clauses: ReadonlyArray<Clause>,
  words: "all" | "any" | ReadonlyArray<string>,
  near: ReadonlyArray<ReadonlyArray<string>> = []
): string | undefined => {
  const texts = clauses.filter(isText)
  const chosen = words === "all" ? requiredWords(texts) : words === "any" ? optionalWords(texts) : words
  const plain = chosen.map((word) => quote(word))
  const required = texts
    .filter((clause) => !clause.negated && (clause.place === "title" || (clause.place === "page" && clause.exact)))
    .flatMap((clause) => (clause.place === "title" ? inTitle(clause) : clause.words.map(quote)))
  const parts = [
    ...required,
    ...near.map(anyOf),
    ...(plain.length === 0 ? [] : [plain.join(words === "all" ? " AND " : " OR ")])
  ]
  if (parts.length === 0) return undefined
  const wanted = parts.map((part) => `(${part})`).join(" AND ")
  const unwanted = exclusion(clauses)
  return unwanted === undefined ? wanted : `(${wanted}) NOT (${unwanted})`
}

/** FTS5 expression for negated words. Exact phrases are verified on the text instead. */
export const exclusion = (clauses: ReadonlyArray<Clause>): string | undefined => {
  const parts = clauses
    .filter(isText)
    .filter((clause) => clause.negated && !clause.exact)
    .flatMap((clause) =>
      clause.place === "title"
        ? [`(${inTitle(clause).join(" AND ")})`]
        : clause.place === "page"
          ? clause.words.map(quote)
          : []
    )
  return parts.length === 0 ? undefined : parts.join(" OR ")
}

/** Plain words of a query as they were written. */
export const wordsOf = (clauses: ReadonlyArray<Clause>): ReadonlyArray<string> =>
  clauses
    .filter(isText)
    .filter((clause) => clause.place === "page" && !clause.exact && !clause.negated)
    .flatMap((clause) => clause.words)

/** Distinct plain words in the form of the index, without stop words: `node.js` becomes two words. */
export const requiredWords = (clauses: ReadonlyArray<Clause>): ReadonlyArray<string> => [
  ...new Set(contentWords(wordsOf(clauses).flatMap((word) => (hasUnspaced(word) ? [word] : split(word)))))
]

/**
 * Words for ranking pages, folded, with the order and repetitions of the query. Empty if the query has words in scripts without spaces,
 * because FTS5 alone ranks those.
 */
export const rankedWords = (clauses: ReadonlyArray<Clause>): ReadonlyArray<string> => {
  const words = clauses
    .filter(isText)
    .filter((clause) => !clause.negated && clause.place !== "url")
    .flatMap((clause) => clause.words)
  return words.some(hasUnspaced) ? [] : contentWords(words.flatMap(split))
}

/** Maximum letter pairs looked up for one run of letters without spaces. */
const maxPairs = 20

const letterPairs = (word: string): ReadonlyArray<string> => {
  const letters = split(word)
  return letters.length < 3
    ? [word]
    : letters.slice(1, maxPairs + 1).map((letter, at) => `${letters[at] ?? ""} ${letter}`)
}

/** Words for a partial match: runs of letters without spaces become pairs of letters. */
export const optionalWords = (clauses: ReadonlyArray<Clause>): ReadonlyArray<string> => [
  ...new Set(requiredWords(clauses).flatMap((word) => (hasUnspaced(word) ? letterPairs(word) : [word])))
]

/** Words that the passages shown in results should contain. */
export const highlightWords = (clauses: ReadonlyArray<Clause>): ReadonlyArray<string> => [
  ...clauses
    .filter(isText)
    .filter((clause) => !clause.negated && (clause.exact || clause.place === "title"))
    .flatMap((clause) => clause.words),
  ...contentWords(wordsOf(clauses))
]

/** Verifies exact phrases on the text, because the index is stemmed. Undefined if the query has no exact phrase. */
export const verifier = (
  clauses: ReadonlyArray<Clause>
): ((page: { readonly title: string; readonly text: string }) => boolean) | undefined => {
  const exact = clauses
    .filter(isText)
    .filter((clause) => clause.exact && clause.place !== "url")
    .map((clause) => ({ clause, occurs: phrase(clause.words.join(" ")) }))
  if (exact.length === 0) return undefined
  const needsText = exact.some(({ clause }) => clause.place === "page")
  return (page) => {
    const title = fold(page.title)
    const text = needsText ? fold(page.text) : ""
    return exact.every(
      ({ clause, occurs }) => (occurs(title) || (clause.place === "page" && occurs(text))) !== clause.negated
    )
  }
}

/** SQL conditions on `search_page p`. */
export const conditions = (sql: Sql, clauses: ReadonlyArray<Clause>, filter: Filter): ReadonlyArray<Fragment> => {
  const date = sql`coalesce(p.published, p.first_seen)`
  const underDomain = (domain: string) => {
    const [from, to] = rangeOf(domain)
    return sql`(p.host >= ${from} AND p.host < ${to})`
  }
  const inUrl = (word: string) => {
    const [plain, encoded] = [word.toLowerCase(), encodeURI(word.replace(/\p{Surrogate}/gu, "")).toLowerCase()]
    return sql`(instr(lower(p.url), ${plain}) > 0 OR instr(lower(p.url), ${encoded}) > 0)`
  }
  const site = (value: string) => {
    const [host = "", ...path] = value.replace(/^https?:\/\//, "").split("/")
    const rest = path.join("/")
    const name = host.replace(/:\d*$/, "")
    if (rest === "" && name === host) return underDomain(host)
    return sql`(${underDomain(name)} AND ${inUrl(`${host}/${rest}`)})`
  }
  const fileType = (value: string) => {
    const extension = value.replace(/^\./, "")
    return filter.pictures === true
      ? sql`i.extension = ${normalizeExtension(extension)}`
      : sql`p.extension = ${extension}`
  }
  const scoped = (tag: "Site" | "FileType", toFragment: (value: string) => Fragment) => {
    const all = clauses.filter((clause): clause is Scope => clause._tag === tag)
    const wanted = all.filter((clause) => !clause.negated).map((clause) => toFragment(clause.value))
    const unwanted = all.filter((clause) => clause.negated).map((clause) => sql`NOT ${toFragment(clause.value)}`)
    return [...(wanted.length === 0 ? [] : [sql.or(wanted)]), ...unwanted]
  }
  const kinds = filter.categories.reduce((sum, category) => sum | categoryBits[category], 0)
  return [
    sql`p.team = ${filter.team}`,
    ...scoped("Site", site),
    ...scoped("FileType", fileType),
    // Pages of the domain itself are not results of `related:`.
    ...clauses
      .filter((clause): clause is Scope => clause._tag === "Related")
      .map((clause) => sql`NOT ${underDomain(domainOf(clause.value))}`),
    ...clauses
      .filter(isText)
      .filter((clause) => clause.place === "url")
      .map((clause) => {
        const all = sql.and(clause.words.map(inUrl))
        return clause.negated ? sql`NOT (${all})` : all
      }),
    ...(filter.includeDomains.length === 0 ? [] : [sql.or(filter.includeDomains.map(underDomain))]),
    ...filter.excludeDomains.map((domain) => sql`NOT ${underDomain(domain)}`),
    ...(kinds === 0 ? [] : [sql`(p.kinds & ${kinds}) <> 0`]),
    ...(filter.news === true
      ? [sql`p.published IS NOT NULL AND p.host <> '' AND NOT ${sql.in("p.extension", fileExtensions)}`]
      : []),
    ...(filter.webOnly ? [sql`p.host <> ''`] : []),
    ...(filter.period.from === undefined ? [] : [sql`${date} >= ${filter.period.from}`]),
    ...(filter.period.to === undefined ? [] : [sql`${date} < ${filter.period.to}`])
  ]
}

/** Size conditions on `search_image i`. Images of unknown size match no size. */
export const sizes = (sql: Sql, clauses: ReadonlyArray<Clause>): ReadonlyArray<Fragment> =>
  clauses
    .filter((clause): clause is Size => clause._tag === "ImageSize" || clause._tag === "Larger")
    .map(({ _tag, height, negated, width }) => {
      const fits =
        _tag === "Larger"
          ? sql`coalesce(i.width > ${width} AND i.height > ${height}, 0)`
          : sql`coalesce(i.width = ${width} AND i.height = ${height}, 0)`
      return negated ? sql`NOT ${fits}` : fits
    })

/** Limits of `related:`: pages of the domain to choose from, pages read, characters of each, words to weigh, and words to search for. */
const [maxCandidatePages, maxSamplePages, maxSampleCharacters, maxCandidateWords, maxRelatedWords] = [
  5000, 20, 20_000, 60, 12
]
/** Maximum pages counted to measure how frequent a word is. */
const maxCountedPages = 5000

/** Reduces a value to its domain: `https://docs.example.com/path` and `docs.example.com` are the same. */
export const domainOf = (value: string): string => value.replace(/^https?:\/\//, "").replace(/[/:?#].*$/, "")

/** Range of `search_page.host` values under a domain. Accepts international names. */
export const rangeOf = (domain: string): readonly [from: string, to: string] => {
  const bare = domain.replace(/^\*?\./, "")
  const host = reverseHost(domainToASCII(bare) || bare)
  // An empty domain matches no host.
  return [host, host === "" ? "" : `${host.slice(0, -1)}/`]
}

/** Words with their weights, best first. Each page counts the same, regardless of its length. */
const wordWeights = (texts: ReadonlyArray<string>): ReadonlyArray<readonly [word: string, weight: number]> => {
  const weights = new Map<string, number>()
  for (const text of texts) {
    const counts = new Map<string, number>()
    for (const word of contentWords(split(text))) {
      if (word.length >= 3 && word.length <= 40 && !/^\d+$/.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
    }
    for (const [word, count] of counts) weights.set(word, (weights.get(word) ?? 0) + 1 + Math.log(count))
  }
  return [...weights].sort(([, one], [, other]) => other - one).slice(0, maxCandidateWords)
}

/** Characteristic words of a domain's pages, best first. Empty when no page of the domain is indexed. */
export const relatedWords = (sql: Sql) =>
  Trace.fn("SearchIndex.related")(function* (team: string, value: string) {
    const [from, to] = rangeOf(domainOf(value))
    const pages = yield* sql<{ readonly text: string }>`
      SELECT substr(t.title || ' ' || t.text, 1, ${maxSampleCharacters}) AS text FROM (
        SELECT id, size FROM (
          SELECT id, length(url) AS size FROM search_page
          WHERE team = ${team} AND host >= ${from} AND host < ${to} ORDER BY host, id LIMIT ${maxCandidatePages})
        ORDER BY size, id LIMIT ${maxSamplePages}) p
      JOIN search_text t ON t.id = p.id ORDER BY p.size, p.id`
    const weighted = yield* Effect.forEach(wordWeights(pages.map(({ text }) => text)), ([word, weight]) =>
      Effect.map(
        sql<{ readonly pages: number }>`
          SELECT count(*) AS pages FROM (SELECT 1 FROM search_word WHERE search_word MATCH ${quote(word)} LIMIT ${maxCountedPages})`,
        (rows) => ({ word, weight: weight / Math.log(3 + (rows[0]?.pages ?? 0)) })
      )
    )
    return weighted
      .sort((one, other) => other.weight - one.weight)
      .slice(0, maxRelatedWords)
      .map(({ word }) => word)
  })
