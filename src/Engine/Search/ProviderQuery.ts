/** Translates a query for a provider, and filters out results that the provider could not be asked to leave out. */
import { bits, hostsOf, locate, reverse } from "./Place.ts"
import type { Hit, Operator, Provider, Source, Wish } from "./Provider.ts"
import type { Clause, Text } from "./Query.ts"
import { fold, phrase } from "./Words.ts"

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

/** Only pictures have a size. */
export const isPicture = (source: Source): boolean => source === "images"

const under = (host: string, domain: string): boolean => host.startsWith(reverse(domain.replace(/^\*?\./, "")))

const onSite = (hit: Hit, value: string): boolean => {
  const bare = value.replace(/^https?:\/\//, "")
  const [host = ""] = bare.split("/")
  return under(locate(hit.url).host, host) && (host === bare || hit.url.toLowerCase().includes(bare))
}

const has = (text: string, words: ReadonlyArray<string>, exact: boolean): boolean => {
  const folded = fold(text)
  return exact ? phrase(words.join(" "))(folded) : words.every((word) => phrase(word)(folded))
}

const decoded = (url: string): string => {
  const lower = url.toLowerCase()
  return lower.replace(/(?:%[0-9a-f]{2})+/g, (part) => Buffer.from(part.replaceAll("%", ""), "hex").toString("utf8"))
}

type Check = (hit: Hit) => boolean

const checkOf = (clause: Clause, wish: Wish, knows: (operator: Operator) => boolean): Check | undefined => {
  const { negated } = clause
  const unless = (check: Check): Check => (negated ? (hit) => !check(hit) : check)
  switch (clause._tag) {
    case "Site":
    case "FileType":
    case "Related":
      return undefined
    case "ImageSize":
    case "Larger": {
      if (!isPicture(wish.source)) return undefined
      const { height, width } = clause
      const larger = clause._tag === "Larger"
      return unless((hit) =>
        larger ? (hit.width ?? 0) > width && (hit.height ?? 0) > height : hit.width === width && hit.height === height
      )
    }
    case "Text": {
      const { exact, place, words } = clause
      if (place === "url") {
        const check: Check = (hit) => words.every((word) => decoded(hit.url).includes(word.toLowerCase()))
        return knows("inurl") ? undefined : unless(check)
      }
      if (place === "title") return knows("intitle") ? undefined : unless((hit) => has(hit.title, words, exact))
      if (!negated || knows("minus")) return undefined
      return (hit) => !has(`${hit.title}\n${hit.description}`, words, exact)
    }
  }
}

/** Sites and file types are alternatives to each other. */
const oneOf = (
  clauses: ReadonlyArray<Clause>,
  tag: "Site" | "FileType",
  check: (hit: Hit, value: string) => boolean
) => {
  const values = (negated: boolean) =>
    clauses.flatMap((clause) => (clause._tag === tag && clause.negated === negated ? [clause.value] : []))
  const [wanted, unwanted] = [values(false), values(true)]
  return (hit: Hit) =>
    (wanted.length === 0 || wanted.some((value) => check(hit, value))) && !unwanted.some((value) => check(hit, value))
}

/** Whether a result is what was asked for, as far as the result itself can tell. */
export const sieve = (wish: Wish, operators: ReadonlySet<Operator>, isTimed: boolean): Check => {
  const knows = (operator: Operator) => operators.has(operator)
  const { categories, clauses, excludeDomains, includeDomains, period } = wish
  // Providers know a PDF without its extension.
  const trusted = knows("filetype") && categories.every((category) => category === "pdf")
  const kinds = trusted ? 0 : categories.reduce((sum, category) => sum | bits[category], 0)
  const bySite = oneOf(clauses, "Site", onSite)
  const byType = knows("filetype")
    ? () => true
    : oneOf(clauses, "FileType", (hit, value) => {
        const address = isPicture(wish.source) ? (hit.imageUrl ?? hit.url) : hit.url
        return locate(address).extension === value.replace(/^\./, "")
      })
  const checks = clauses.flatMap((clause) => checkOf(clause, wish, knows) ?? [])
  return (hit) => {
    const { host, kinds: kind } = locate(hit.url)
    const { published } = hit
    return (
      (includeDomains.length === 0 || includeDomains.some((domain) => under(host, domain))) &&
      !excludeDomains.some((domain) => under(host, domain)) &&
      (kinds === 0 || (kind & kinds) !== 0) &&
      bySite(hit) &&
      byType(hit) &&
      (isTimed ||
        published === undefined ||
        (published >= (period.from ?? Number.NEGATIVE_INFINITY) &&
          published < (period.to ?? Number.POSITIVE_INFINITY))) &&
      checks.every((check) => check(hit))
    )
  }
}
