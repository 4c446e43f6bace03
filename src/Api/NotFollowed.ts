/** Links that a crawl found and did not follow, counted by the setting that excluded them. */

/** Reasons why links were not followed, with the words that follow the number of links in a report. */
const words = {
  anotherSite: "on other sites",
  subdomain: "on subdomains",
  notBelowStart: "not below the start (crawlEntireDomain: true follows them)",
  maxDepth: "deeper than maxDepth",
  includePaths: "outside includePaths",
  excludePaths: "excluded by excludePaths",
  nofollow: "marked nofollow",
  nextPages: "to next pages beyond the limit of next",
  logout: "logout links"
} as const

export type Reason = keyof typeof words

/** Number of links that were not followed, by reason. */
export type NotFollowed = { [reason in Reason]?: number }

export const reasons: ReadonlyArray<string> = Object.keys(words)

export const isReason = (name: string): name is Reason => Object.hasOwn(words, name)

/** Adds up numbers by reason; ignores reasons that this version does not know. */
export const add = (to: NotFollowed, more: Readonly<Record<string, number>>): NotFollowed => {
  const sum = { ...to }
  for (const [name, links] of Object.entries(more)) if (isReason(name)) sum[name] = (sum[name] ?? 0) + links
  return sum
}

/** Text such as `4,120 links not followed: 3,900 outside includePaths, 220 marked nofollow`; undefined if there are none. */
export const describe = (counts: Readonly<Record<string, number>> | undefined): string | undefined => {
  const parts = Object.entries(counts ?? {})
    .flatMap(([name, links]) => (isReason(name) ? [{ links, words: words[name] }] : []))
    .sort((one, other) => other.links - one.links)
  const sum = parts.reduce((all, { links }) => all + links, 0)
  if (sum === 0) return undefined
  const told = parts.map(({ links, words }) => `${links.toLocaleString("en-US")} ${words}`)
  return `${sum.toLocaleString("en-US")} ${sum === 1 ? "link" : "links"} not followed: ${told.join(", ")}`
}
