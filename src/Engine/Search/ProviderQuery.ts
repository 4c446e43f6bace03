/** Writes a query in a provider's syntax, and filters results for conditions that the provider does not support. */
import { categoryBits, hostsOf, locate, reverseHost } from "./Place.ts"
import type { Hit, Operator, Provider, Source, SourceRequest } from "./Provider.ts"
import type { Clause, Text } from "./Query.ts"
import { fold, phrase } from "./Words.ts"

export interface ProviderText {
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
  // Without the operator, search the whole page: words of its title also occur in it, and words of its URL often do.
  if (place !== "page") return negated ? "" : words.join(" ")
  return exact && knows("phrase") ? `${sign}${quoted(words)}` : negated && exact ? "" : `${sign}${words.join(" ")}`
}

/** Joins alternatives to `(site:a OR site:b)`; empty for several alternatives if the provider has no OR. */
const any = (parts: ReadonlyArray<string>, knows: (operator: Operator) => boolean): string =>
  parts.length > 1 ? (knows("or") ? `(${parts.join(" OR ")})` : "") : parts.join("")

const scopesOf = (request: SourceRequest, provider: Provider): ReadonlyArray<string> => {
  const knows = (operator: Operator) => provider.operators.has(operator)
  const { categories, clauses, excludeDomains, includeDomains } = request
  const values = (tag: "Site" | "FileType", negated: boolean) =>
    clauses.flatMap((clause) => (clause._tag === tag && clause.negated === negated ? [clause.value] : []))
  const files = (negated: boolean) => values("FileType", negated).map((value) => `filetype:${value.replace(/^\./, "")}`)
  const site = (host: string) => `site:${host}`
  const sites = knows("site") && !provider.hostParameters
  const kinds = categories.flatMap((category) =>
    category === "pdf" ? (knows("filetype") ? ["filetype:pdf"] : []) : mainHosts[category].map(site)
  )
  return [
    ...(sites ? [any(values("Site", false).map(site), knows), any(includeDomains.map(site), knows)] : []),
    ...(sites || categories.every((category) => category === "pdf") ? [any(kinds, knows)] : []),
    ...(knows("filetype") ? [any(files(false), knows)] : []),
    ...(knows("minus") && sites ? [...values("Site", true), ...excludeDomains].map((host) => `-site:${host}`) : []),
    ...(knows("minus") && knows("filetype") ? files(true).map((part) => `-${part}`) : [])
  ].filter((part) => part !== "")
}

/** Main hosts of each category, few enough for a query. Results from other hosts of a category still pass the filter. */
const mainHosts = {
  github: ["github.com"],
  research: ["arxiv.org", "ncbi.nlm.nih.gov", "nature.com", "ieee.org", "acm.org", "springer.com", "edu"]
} as const

/**
 * Hosts for a provider that takes them as parameters. If there are more than `most`, none are sent, and the results are filtered
 * afterwards.
 */
export const hosts = (
  request: SourceRequest,
  most: number
): { readonly wanted: ReadonlyArray<string>; readonly unwanted: ReadonlyArray<string> } => {
  const { categories, clauses, excludeDomains, includeDomains } = request
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

const unsupportedOperators = (
  clauses: ReadonlyArray<Clause>,
  provider: Provider,
  source: SourceRequest["source"]
): ReadonlyArray<string> => {
  const knows = (operator: Operator) => provider.operators.has(operator)
  return clauses.flatMap((clause) => {
    if (clause._tag === "Related") return ["related:"]
    if (clause._tag === "ImageSize" || clause._tag === "Larger") {
      const name = clause._tag === "Larger" ? "larger:" : "imagesize:"
      return isPicture(source) ? [] : [`${name} (only for the source images)`]
    }
    if (clause._tag !== "Text" || clause.place !== "page") return []
    if (clause.exact && !knows("phrase")) return ["quoted phrases"]
    return clause.negated && !knows("minus") ? ["-word (judged by title and description)"] : []
  })
}

/** Writes the query. Never empty when the query has any clause. */
export const writeQuery = (request: SourceRequest, provider: Provider): ProviderText => {
  const knows = (operator: Operator) => provider.operators.has(operator)
  const words = request.clauses.flatMap((clause) => (clause._tag === "Text" ? [textOf(clause, knows)] : []))
  const unmet = [...unsupportedOperators(request.clauses, provider, request.source)]
  const said = words.filter((word) => word !== "").join(" ")
  const { maxQueryLength: longest, maxQueryWords: mostWords = Number.POSITIVE_INFINITY } = provider
  const fits = (text: string) => text.length <= longest && text.split(" ").length <= mostWords
  let text = said.slice(0, longest)
  if (!fits(said)) {
    text = text.split(" ").slice(0, mostWords).join(" ")
    unmet.push("the end of the query")
  }
  let full = false
  for (const scope of new Set(scopesOf(request, provider))) {
    if (fits(`${text} ${scope}`)) text = text === "" ? scope : `${text} ${scope}`
    else full = true
  }
  if (full)
    unmet.push("some of the sites (the query is too long to name all of them; results of other sites were removed)")
  if (text === "") {
    text = [
      ...hosts(request, 20).wanted,
      ...request.clauses.flatMap((clause) => ("value" in clause ? [clause.value] : []))
    ]
      .join(" ")
      .slice(0, provider.maxQueryLength)
  }
  return { text, unmet }
}

/** True for images, the only results with a size. */
export const isPicture = (source: Source): boolean => source === "images"

const under = (host: string, domain: string): boolean => host.startsWith(reverseHost(domain.replace(/^\*?\./, "")))

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

const checkOf = (clause: Clause, request: SourceRequest, knows: (operator: Operator) => boolean): Check | undefined => {
  const { negated } = clause
  const unless = (check: Check): Check => (negated ? (hit) => !check(hit) : check)
  switch (clause._tag) {
    case "Site":
    case "FileType":
    case "Related":
      return undefined
    case "ImageSize":
    case "Larger": {
      if (!isPicture(request.source)) return undefined
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

/** Returns a test of results for the sites or file types of the query: one of the wanted ones must match, and none of the excluded ones. */
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

/** Returns a test for whether a result meets the conditions of the request, as far as the result shows it. */
export const resultFilter = (request: SourceRequest, operators: ReadonlySet<Operator>, isTimed: boolean): Check => {
  const knows = (operator: Operator) => operators.has(operator)
  const { categories, clauses, excludeDomains, includeDomains, period } = request
  // Trust the provider's file type filter, because a PDF's URL may lack the extension.
  const trusted = knows("filetype") && categories.every((category) => category === "pdf")
  const kinds = trusted ? 0 : categories.reduce((sum, category) => sum | categoryBits[category], 0)
  const bySite = oneOf(clauses, "Site", onSite)
  const byType = knows("filetype")
    ? () => true
    : oneOf(clauses, "FileType", (hit, value) => {
        const address = isPicture(request.source) ? (hit.imageUrl ?? hit.url) : hit.url
        return locate(address).extension === value.replace(/^\./, "")
      })
  const checks = clauses.flatMap((clause) => checkOf(clause, request, knows) ?? [])
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
