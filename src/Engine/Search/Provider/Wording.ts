/** A query in the words that a provider understands, and what of it cannot be said. */
import { hostsOf } from "../Place.ts"
import type { Operator, Provider, Wish } from "../Provider.ts"
import type { Clause, Text } from "../Query.ts"
import { isPicture } from "../Sift.ts"

export interface Wording {
  readonly text: string
  readonly unmet: ReadonlyArray<string>
}

const quoted = (words: ReadonlyArray<string>): string => `"${words.join(" ").replaceAll('"', " ")}"`

const textOf = (clause: Text, knows: (operator: Operator) => boolean): string => {
  const { exact, negated, place, words } = clause
  if (negated && !knows("minus")) return ""
  const sign = negated ? "-" : ""
  if (place !== "page" && knows(place === "url" ? "inurl" : "intitle")) {
    const name = place === "url" ? "inurl" : "intitle"
    return exact && knows("phrase")
      ? `${sign}${name}:${quoted(words)}`
      : words.map((word) => `${sign}${name}:${word}`).join(" ")
  }
  // What is in a title is in the page; what is in an address often is.
  if (place !== "page") return negated ? "" : words.join(" ")
  return exact && knows("phrase") ? `${sign}${quoted(words)}` : negated && exact ? "" : `${sign}${words.join(" ")}`
}

/** `(site:a OR site:b)`; empty where it cannot be said. */
const any = (parts: ReadonlyArray<string>, knows: (operator: Operator) => boolean): string =>
  parts.length > 1 ? (knows("or") ? `(${parts.join(" OR ")})` : "") : parts.join("")

const scopesOf = (wish: Wish, provider: Provider): ReadonlyArray<string> => {
  const knows = (operator: Operator) => provider.operators.has(operator)
  const { categories, clauses, excludeDomains, includeDomains } = wish
  const values = (tag: "Site" | "FileType", negated: boolean) =>
    clauses.flatMap((clause) => (clause._tag === tag && clause.negated === negated ? [clause.value] : []))
  const files = (negated: boolean) => values("FileType", negated).map((value) => `filetype:${value.replace(/^\./, "")}`)
  const site = (host: string) => `site:${host}`
  const sites = knows("site") && !provider.hostParameters
  const kinds = categories.flatMap((category) =>
    category === "pdf" ? (knows("filetype") ? ["filetype:pdf"] : []) : principal[category].map(site)
  )
  return [
    ...(sites ? [any(values("Site", false).map(site), knows), any(includeDomains.map(site), knows)] : []),
    ...(sites || categories.every((category) => category === "pdf") ? [any(kinds, knows)] : []),
    ...(knows("filetype") ? [any(files(false), knows)] : []),
    ...(knows("minus") && sites ? [...values("Site", true), ...excludeDomains].map((host) => `-site:${host}`) : []),
    ...(knows("minus") && knows("filetype") ? files(true).map((part) => `-${part}`) : [])
  ].filter((part) => part !== "")
}

/** Those that a query has room for; results of others are not sorted out. */
const principal = {
  github: ["github.com"],
  research: ["arxiv.org", "ncbi.nlm.nih.gov", "nature.com", "ieee.org", "acm.org", "springer.com", "edu"]
} as const

/** The hosts for a provider that takes them as parameters; too many are left to the sieve. */
export const hosts = (
  wish: Wish,
  most: number
): { readonly wanted: ReadonlyArray<string>; readonly unwanted: ReadonlyArray<string> } => {
  const { categories, clauses, excludeDomains, includeDomains } = wish
  const sites = (negated: boolean) =>
    clauses.flatMap((clause) =>
      clause._tag === "Site" && clause.negated === negated
        ? [clause.value.replace(/^https?:\/\//, "").replace(/[/?#].*$/, "")]
        : []
    )
  const kinds = categories.includes("pdf") ? [] : categories.flatMap((category) => hostsOf[category])
  const wanted = [includeDomains, sites(false), kinds].find((some) => some.length > 0) ?? []
  return {
    wanted: wanted.length > most ? [] : wanted,
    unwanted: [...excludeDomains, ...sites(true)].slice(0, most)
  }
}

const named = (clauses: ReadonlyArray<Clause>, provider: Provider, source: Wish["source"]): ReadonlyArray<string> => {
  const knows = (operator: Operator) => provider.operators.has(operator)
  return clauses.flatMap((clause) => {
    if (clause._tag === "Related") return ["related:"]
    if (clause._tag === "ImageSize" || clause._tag === "Larger") {
      const name = clause._tag === "Larger" ? "larger:" : "imagesize:"
      return isPicture(source) ? [] : [`${name} (it is for the source images)`]
    }
    if (clause._tag !== "Text" || clause.place !== "page") return []
    if (clause.exact && !knows("phrase")) return ["quoted phrases"]
    return clause.negated && !knows("minus") ? ["-word (judged by title and description)"] : []
  })
}

/** Never empty for a query that says anything. */
export const write = (wish: Wish, provider: Provider): Wording => {
  const knows = (operator: Operator) => provider.operators.has(operator)
  const words = wish.clauses.flatMap((clause) => (clause._tag === "Text" ? [textOf(clause, knows)] : []))
  const unmet = [...named(wish.clauses, provider, wish.source)]
  const said = words.filter((word) => word !== "").join(" ")
  const { longest, mostWords = Number.POSITIVE_INFINITY } = provider
  const fits = (text: string) => text.length <= longest && text.split(" ").length <= mostWords
  let text = said.slice(0, longest)
  if (!fits(said)) {
    text = text.split(" ").slice(0, mostWords).join(" ")
    unmet.push("the end of the query")
  }
  let full = false
  for (const scope of new Set(scopesOf(wish, provider))) {
    if (fits(`${text} ${scope}`)) text = text === "" ? scope : `${text} ${scope}`
    else full = true
  }
  if (full) unmet.push("some of the sites (the query has no room for them; other results were left out afterwards)")
  if (text === "") {
    text = [...hosts(wish, 20).wanted, ...wish.clauses.flatMap((clause) => ("value" in clause ? [clause.value] : []))]
      .join(" ")
      .slice(0, provider.longest)
  }
  return { text, unmet }
}
