/** Which of the addresses found are the site's, each once, those that match a search first. */
import * as Option from "effect/Option"
import { getDomain } from "tldts"
import type { Settled } from "../../Api/Field.ts"
import type { requestFields } from "../../Api/Map.ts"
import { canParse } from "../../Api/Url.ts"

export interface Found {
  readonly url: string
  readonly title?: string | undefined
  readonly description?: string | undefined
}

type Rules = Pick<
  Settled<typeof requestFields>,
  "url" | "search" | "includeSubdomains" | "ignoreQueryParameters" | "limit"
>

const bare = (host: string): string => host.replace(/^www\./, "")

/** `host` as written in the request, with or without www; or its whole registrable domain. */
const isOfSite = (rules: Rules) => {
  const start = new URL(rules.url)
  const domain = getDomain(start.hostname, { allowPrivateDomains: true })
  return (url: URL): boolean => {
    if (bare(url.host) === bare(start.host)) return true
    if (!rules.includeSubdomains || domain === null || url.port !== start.port) return false
    return url.hostname === domain || url.hostname.endsWith(`.${domain}`)
  }
}

const merge = (known: Found | undefined, found: Found, url: string): Found => {
  const title = known?.title || found.title
  const description = known?.description || found.description
  return { url, ...(title ? { title } : {}), ...(description ? { description } : {}) }
}

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Words of the search that occur, those in the title twice. */
const relevance = (words: ReadonlyArray<string>, { url, title = "", description = "" }: Found): number => {
  const [address, heading, text] = [readable(url).toLowerCase(), title.toLowerCase(), description.toLowerCase()]
  let score = 0
  for (const word of words) {
    if (heading.includes(word)) score += 2
    if (address.includes(word)) score += 1
    if (text.includes(word)) score += 1
  }
  return score
}

/** The address as people read it. */
const readable = (url: string): string => Option.getOrElse(Option.liftThrowable(decodeURI)(url), () => url)

/** Addresses of the site in the order found, at most `limit`. */
export const collect = (rules: Rules, all: ReadonlyArray<Found>): ReadonlyArray<Found> => {
  const ofSite = isOfSite(rules)
  const found = new Map<string, Found>()
  for (const each of all) {
    if (!canParse(each.url)) continue
    const url = new URL(each.url)
    if (!ofSite(url)) continue
    url.hash = ""
    if (rules.ignoreQueryParameters) url.search = ""
    found.set(url.href, merge(found.get(url.href), each, url.href))
  }
  const links = [...found.values()]
  const words = wordsOf(rules.search ?? "")
  if (words.length === 0) return links.slice(0, rules.limit)
  return links
    .map((link, index) => ({ link, index, score: relevance(words, link) }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, rules.limit)
    .map(({ link }) => link)
}
