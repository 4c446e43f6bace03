/** A query as what SQLite can answer: one full-text expression, conditions on a page, and what is left to verify. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import type { Category } from "../../Api/Search.ts"
import type { Period } from "./Period.ts"
import { bits, reverse } from "./Place.ts"
import type { Clause, Scope, Text } from "./Query.ts"
import { fold, isSpaced, phrase, quote, split, telling } from "./Words.ts"

/** What a request asks of a page besides the query. */
export interface Filter {
  readonly team: string
  readonly period: Period
  readonly categories: ReadonlyArray<Category>
  readonly includeDomains: ReadonlyArray<string>
  readonly excludeDomains: ReadonlyArray<string>
  readonly webOnly: boolean
  /** Only pages that say when they were published, and no files. */
  readonly news?: boolean | undefined
}

/** Their dates say when they were written, which is no news. */
const files = ["pdf", "docx", "doc", "odt", "rtf", "xlsx", "xls"]

const isText = (clause: Clause): clause is Text => clause._tag === "Text"

const inTitle = (clause: Text) => clause.words.map((word) => `title : ${quote(word)}`)

/** The full-text expression, all words required or any; undefined when the query has nothing to look up. */
export const expression = (clauses: ReadonlyArray<Clause>, words: "all" | "any"): string | undefined => {
  const texts = clauses.filter(isText)
  const plain = partsOf(texts).map((word) => quote(word))
  const required = texts
    .filter((clause) => !clause.negated && (clause.place === "title" || (clause.place === "page" && clause.exact)))
    .flatMap((clause) => (clause.place === "title" ? inTitle(clause) : clause.words.map(quote)))
  const parts = [...required, ...(plain.length === 0 ? [] : [plain.join(words === "all" ? " AND " : " OR ")])]
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
    const host = reverse(domain.replace(/^\*?\./, ""))
    return sql`(p.host >= ${host} AND p.host < ${`${host.slice(0, -1)}/`})`
  }
  const inUrl = (word: string) => {
    const [plain, encoded] = [word.toLowerCase(), encodeURI(word.replace(/\p{Surrogate}/gu, "")).toLowerCase()]
    return sql`(instr(lower(p.url), ${plain}) > 0 OR instr(lower(p.url), ${encoded}) > 0)`
  }
  const site = (value: string) => {
    const [host = "", ...path] = value.replace(/^https?:\/\//, "").split("/")
    const rest = path.join("/")
    return rest === "" ? under(host) : sql`(${under(host)} AND ${inUrl(`${host}/${rest}`)})`
  }
  const fileType = (value: string) => sql`p.extension = ${value.replace(/^\./, "")}`
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
