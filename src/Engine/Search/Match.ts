/**
 * A search query as SQL: one full-text expression, conditions on a page, and what remains to verify on the text.
 *
 * `related:` finds pages of other domains by the words that are frequent on the given domain and rare in the whole index.
 */

import { domainToASCII } from "node:url"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import type { Category } from "../../Api/Search.ts"
import { spellType } from "./Picture.ts"
import { bits, reverse } from "./Place.ts"
import type { Clause, Period, Scope, Size, Text } from "./Query.ts"
import { fold, isSpaced, phrase, quote, split, telling } from "./Words.ts"

/** What a request asks of a page besides the query. */
export interface Filter {
  readonly team: string
  readonly period: Period
  readonly categories: ReadonlyArray<Category>
  readonly includeDomains: ReadonlyArray<string>
  readonly excludeDomains: ReadonlyArray<string>
  readonly webOnly: boolean
  /** `search_image i` is there as well, and files are those of images. */
  readonly pictures?: boolean | undefined
  /** Only pages that say when they were published, and no files. */
  readonly news?: boolean | undefined
}

/** Their dates say when they were written, which is no news. */
const files = ["pdf", "docx", "doc", "odt", "rtf", "xlsx", "xls"]

const isText = (clause: Clause): clause is Text => clause._tag === "Text"

const inTitle = (clause: Text) => clause.words.map((word) => `title : ${quote(word)}`)

/** Any of these words. */
export const anyOf = (words: ReadonlyArray<string>): string => words.map(quote).join(" OR ")

/**
 * The full-text expression, all words required or any, and any word of each list in `near`; undefined when the query has
 * nothing to look up.
 */
export const expression = (
  clauses: ReadonlyArray<Clause>,
  words: "all" | "any",
  near: ReadonlyArray<ReadonlyArray<string>> = []
): string | undefined => {
  const texts = clauses.filter(isText)
  const plain = (words === "all" ? partsOf(texts) : looseParts(texts)).map((word) => quote(word))
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

/** What must not be there, as far as the index can tell; exact phrases are verified in the text. */
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

/** The plain words of a query. */
export const wordsOf = (clauses: ReadonlyArray<Clause>): ReadonlyArray<string> =>
  clauses
    .filter(isText)
    .filter((clause) => clause.place === "page" && !clause.exact && !clause.negated)
    .flatMap((clause) => clause.words)

/** The same as the index knows them: `node.js` is two words; telling ones only, each once. */
export const partsOf = (clauses: ReadonlyArray<Clause>): ReadonlyArray<string> => [
  ...new Set(telling(wordsOf(clauses).flatMap((word) => (isSpaced(word) ? [word] : split(word)))))
]

/** Of a sentence that writes no spaces, so many pairs of letters are looked up. */
const mostPairs = 20

const pairsOf = (word: string): ReadonlyArray<string> => {
  const letters = split(word)
  return letters.length < 3
    ? [word]
    : letters.slice(1, mostPairs + 1).map((letter, at) => `${letters[at] ?? ""} ${letter}`)
}

/** The same for pages that have some of it: where no spaces part words, a sentence is none of them. */
export const looseParts = (clauses: ReadonlyArray<Clause>): ReadonlyArray<string> => [
  ...new Set(partsOf(clauses).flatMap((word) => (isSpaced(word) ? pairsOf(word) : [word])))
]

/** Everything that was looked for in a page's text or title. */
export const shown = (clauses: ReadonlyArray<Clause>): ReadonlyArray<string> => [
  ...clauses
    .filter(isText)
    .filter((clause) => !clause.negated && (clause.exact || clause.place === "title"))
    .flatMap((clause) => clause.words),
  ...telling(wordsOf(clauses))
]

/** The check that the stemmed index cannot make: quoted texts in their own spelling. Undefined when there are none. */
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

/** Conditions on `search_page p`; every value is bound. */
export const conditions = (
  sql: SqlClient.SqlClient,
  clauses: ReadonlyArray<Clause>,
  filter: Filter
): ReadonlyArray<Fragment> => {
  const date = sql`coalesce(p.published, p.first_seen)`
  const under = (domain: string) => {
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
    if (rest === "" && name === host) return under(host)
    return sql`(${under(name)} AND ${inUrl(`${host}/${rest}`)})`
  }
  const fileType = (value: string) => {
    const extension = value.replace(/^\./, "")
    return filter.pictures === true ? sql`i.extension = ${spellType(extension)}` : sql`p.extension = ${extension}`
  }
  const scoped = (tag: "Site" | "FileType", toFragment: (value: string) => Fragment) => {
    const all = clauses.filter((clause): clause is Scope => clause._tag === tag)
    const wanted = all.filter((clause) => !clause.negated).map((clause) => toFragment(clause.value))
    const unwanted = all.filter((clause) => clause.negated).map((clause) => sql`NOT ${toFragment(clause.value)}`)
    return [...(wanted.length === 0 ? [] : [sql.or(wanted)]), ...unwanted]
  }
  const kinds = filter.categories.reduce((sum, category) => sum | bits[category], 0)
  return [
    sql`p.team = ${filter.team}`,
    ...scoped("Site", site),
    ...scoped("FileType", fileType),
    // Whoever asks for what is related to a domain knows the domain.
    ...clauses
      .filter((clause): clause is Scope => clause._tag === "Related")
      .map((clause) => sql`NOT ${under(domainOf(clause.value))}`),
    ...clauses
      .filter(isText)
      .filter((clause) => clause.place === "url")
      .map((clause) => {
        const all = sql.and(clause.words.map(inUrl))
        return clause.negated ? sql`NOT (${all})` : all
      }),
    ...(filter.includeDomains.length === 0 ? [] : [sql.or(filter.includeDomains.map(under))]),
    ...filter.excludeDomains.map((domain) => sql`NOT ${under(domain)}`),
    ...(kinds === 0 ? [] : [sql`(p.kinds & ${kinds}) <> 0`]),
    ...(filter.news === true
      ? [sql`p.published IS NOT NULL AND p.host <> '' AND NOT ${sql.in("p.extension", files)}`]
      : []),
    ...(filter.webOnly ? [sql`p.host <> ''`] : []),
    ...(filter.period.from === undefined ? [] : [sql`${date} >= ${filter.period.from}`]),
    ...(filter.period.to === undefined ? [] : [sql`${date} < ${filter.period.to}`])
  ]
}

/** Conditions on the pixels of `search_image i`; one whose size nobody told has none of them. */
export const sizes = (sql: SqlClient.SqlClient, clauses: ReadonlyArray<Clause>): ReadonlyArray<Fragment> =>
  clauses
    .filter((clause): clause is Size => clause._tag === "ImageSize" || clause._tag === "Larger")
    .map(({ _tag, height, negated, width }) => {
      const fits =
        _tag === "Larger"
          ? sql`coalesce(i.width > ${width} AND i.height > ${height}, 0)`
          : sql`coalesce(i.width = ${width} AND i.height = ${height}, 0)`
      return negated ? sql`NOT ${fits}` : fits
    })

/** Pages of the domain that are looked at, those of them that are read, characters of each, words whose rarity is looked up, and words that are taken. */
const [mostSeen, mostPages, mostText, candidates, taken] = [5000, 20, 20_000, 60, 12]
/** Pages with a word that are counted: what more of them have is frequent. */
const mostCounted = 5000

/** `https://docs.example.com/path` and `docs.example.com` are the same domain here. */
export const domainOf = (value: string): string => value.replace(/^https?:\/\//, "").replace(/[/:?#].*$/, "")

/** Addresses of hosts under a domain, as a range; a name in other letters is found by the one that is dialled. */
export const rangeOf = (domain: string): readonly [from: string, to: string] => {
  const bare = domain.replace(/^\*?\./, "")
  const host = reverse(domainToASCII(bare) || bare)
  // No name is no domain, and has nothing under it.
  return [host, host === "" ? "" : `${host.slice(0, -1)}/`]
}

/** On how many pages each word is, and how often in all, of pages that count alike whatever their length. */
const weigh = (texts: ReadonlyArray<string>): ReadonlyArray<readonly [word: string, weight: number]> => {
  const weights = new Map<string, number>()
  for (const text of texts) {
    const counts = new Map<string, number>()
    for (const word of telling(split(text))) {
      if (word.length >= 3 && word.length <= 40 && !/^\d+$/.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
    }
    for (const [word, count] of counts) weights.set(word, (weights.get(word) ?? 0) + 1 + Math.log(count))
  }
  return [...weights].sort(([, one], [, other]) => other - one).slice(0, candidates)
}

/** The words, best first; none when nothing of the domain was gathered. */
export const relatedWords = (sql: SqlClient.SqlClient) =>
  Effect.fn("SearchIndex.related")(function* (team: string, value: string) {
    const [from, to] = rangeOf(domainOf(value))
    const pages = yield* sql<{ readonly text: string }>`
      SELECT substr(t.title || ' ' || t.text, 1, ${mostText}) AS text FROM (
        SELECT id, size FROM (
          SELECT id, length(url) AS size FROM search_page
          WHERE team = ${team} AND host >= ${from} AND host < ${to} ORDER BY host, id LIMIT ${mostSeen})
        ORDER BY size, id LIMIT ${mostPages}) p
      JOIN search_text t ON t.id = p.id ORDER BY p.size, p.id`
    const weighed = yield* Effect.forEach(weigh(pages.map(({ text }) => text)), ([word, weight]) =>
      Effect.map(
        sql<{ readonly pages: number }>`
          SELECT count(*) AS pages FROM (SELECT 1 FROM search_word WHERE search_word MATCH ${quote(word)} LIMIT ${mostCounted})`,
        (rows) => ({ word, weight: weight / Math.log(3 + (rows[0]?.pages ?? 0)) })
      )
    )
    return weighed
      .sort((one, other) => other.weight - one.weight)
      .slice(0, taken)
      .map(({ word }) => word)
  })
