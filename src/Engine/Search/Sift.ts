/** Leaves out results that a provider could not be told to leave out. */
import { bits, locate, reverse } from "./Place.ts"
import type { Hit, Operator, Source, Wish } from "./Provider.ts"
import type { Clause } from "./Query.ts"
import { fold, phrase } from "./Words.ts"

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
