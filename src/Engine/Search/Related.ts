/**
 * What the pages of a domain are about, in words, to find pages of other domains that are about the same: the `related:`
 * operator. Its words are those that are frequent on the domain and rare in everything that was gathered.
 */
import { domainToASCII } from "node:url"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { reverse } from "./Place.ts"
import { quote, split, telling } from "./Words.ts"

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
export const wordsOf = (sql: SqlClient.SqlClient) =>
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
