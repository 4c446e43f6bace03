/**
 * Reads the switches of a prompt, which are the parameters other than numbers and path patterns: hosts, sitemap, robots.txt, user agent,
 * duplicate URLs, the whole site.
 */
import { tldts } from "../../Packages.ts"
import type { Clause } from "./Clauses.ts"
import { mark, take } from "./PromptText.ts"

export interface Switches {
  readonly crawlEntireDomain?: boolean
  readonly allowExternalLinks?: boolean
  readonly allowSubdomains?: boolean
  readonly sitemap?: string
  readonly ignoreQueryParameters?: boolean
  readonly ignoreRobotsTxt?: boolean
  readonly robotsUserAgent?: string
  readonly deduplicateSimilarURLs?: boolean
}

const site = "(?:(?:the|this|that|my|our|same|one|single|a) )*(?:web ?)?(?:site|domain|host|hostname|website)"

const phrases: ReadonlyArray<readonly [RegExp, Switches]> = [
  [
    new RegExp(
      `\\b(?:do not|don't|never|without|not) (?:leav(?:e|ing)|go(?:ing)? (?:outside|beyond|off)(?: of)?|stray(?:ing)? from|wander(?:ing)? off|follow(?:ing)? links (?:off|outside(?: of)?|away from|leaving)) ?${site}\\b`,
      "gi"
    ),
    { allowExternalLinks: false }
  ],
  [
    new RegExp(
      `\\b(?:only )?(?:stay|remain|keep|stick)(?:ing)?(?: only)? (?:on|within|in|inside|to) ${site}\\b(?: only)?`,
      "gi"
    ),
    { allowExternalLinks: false }
  ],
  [
    /\b(?:only (?:follow )?internal links?|internal links? only|same[- ](?:site|domain|host) (?:links )?only)\b/gi,
    { allowExternalLinks: false }
  ],
  [
    /\b(?:treat|consider|count|handle)\b[^.;]{0,60}(?:\b(?:query|parameters?|params)\b|[?&][\w-]+)[^.;]{0,40}\b(?:same|one|identical|equal|duplicates?)\b(?: (?:page|url|thing|one)s?)?/gi,
    { ignoreQueryParameters: true }
  ],
  [
    /\b(?:treat|consider|count|handle)\b[^.;]{0,60}\b(?:www|index\.html?|trailing slash(?:es)?|https?(?= |,))[^.;]{0,60}\b(?:same|one|identical|equal|duplicates?)\b(?: (?:page|url|thing|one)s?)?/gi,
    { deduplicateSimilarURLs: true }
  ],
  [
    /\b(?:https? and https?|www and non-?www|non-?www and www)\b[^.;]{0,40}\b(?:same|identical|equal|duplicates?)\b(?: (?:page|url|thing|one|site)s?)?/gi,
    { deduplicateSimilarURLs: true }
  ],
  [
    /\brobots?(?:\.txt)?(?: (?:rules?|files?))? (?:(?:should|must|has to|have to|needs? to|is to|are to|to) be|is|are) (?:respected|obeyed|honou?red|followed)\b/gi,
    { ignoreRobotsTxt: false }
  ],
  [
    /\b(?:pages?|urls?|links?)\b[^.;]{0,30}\b(?:query|parameters?|params)\b[^.;]{0,40}\b(?:same|identical|equal|duplicates?)\b(?: (?:page|url|thing|one)s?)?/gi,
    { ignoreQueryParameters: true }
  ],
  [
    /\b(?:do not|don't|never|without|no) (?:go(?:ing)?|climb(?:ing)?|crawl(?:ing)?|visit(?:ing)?|follow(?:ing)?)?(?: links?)?(?: the)? ?(?:up(?:wards?)?(?: the (?:tree|path|hierarchy))?|(?:to )?(?:any )?(?:parent|sibling)s?(?: (?:pages?|paths?|director(?:y|ies)|folders?|urls?|sections?))?)(?! to)\b/gi,
    { crawlEntireDomain: false }
  ]
]

const agentName = "([A-Za-z][\\w.+/-]*\\w)"
const agents = [
  new RegExp(
    `\\b(?:(?:with|use|using|set|as) )?(?:(?:the|a|an|your|its|my) )?(?:robots? |crawler )?(?:user[- ]?agent|ua)(?: (?:string|name|header))?(?: (?:should be|is|of|to|as|called|named)|:|=)? ?["']?${agentName}["']?(?: (?:for|when (?:checking|reading)|in|against) (?:the )?robots?(?:\\.txt)?(?: (?:rules?|checks?|files?))?)?`,
    "gi"
  ),
  new RegExp(
    `\\b(?:identify(?:ing)?(?: yourself| itself| the crawler)?|pretend(?:ing)? to be|pose|act(?:ing)?|call(?:ing)? yourself|introduce yourself|known|present yourself)(?: as)? (?:the |an? )?["']?${agentName}["']?`,
    "gi"
  ),
  new RegExp(`["']?\\b${agentName}["']? (?:as (?:the )?)?(?:user[- ]?agent|ua)\\b`, "g"),
  /\bas (?:the |an? )?["']?([A-Za-z][\w.+/-]*(?:[Bb]ot|[Cc]rawler|[Ss]pider|[Ss]craper|[Aa]gent)[\w.+/-]*|[A-Z]\w*[a-z][A-Z][\w./-]*)["']?/g
]

/** Reads the user agent. Runs before other rules, so that the name keeps its capitals and dots. */
export const agent = (prompt: string): { readonly text: string; readonly switches: Switches } => {
  for (const pattern of agents) {
    const reading = take(prompt, pattern, (name) =>
      name === undefined || /^(?:and|for|the|when|robots?|crawl(?:er|ing)?)$/i.test(name) ? undefined : name
    )
    const [name] = reading.found
    if (name !== undefined) return { text: reading.text, switches: { robotsUserAgent: name } }
  }
  return { text: prompt, switches: {} }
}

/** Reads fixed phrases, before the prompt is split into clauses. */
export const fixed = (prompt: string): { readonly text: string; readonly switches: Switches } => {
  // "subdomains like help. and status.": these are examples, not sections.
  const start = prompt
    .replace(/(?:\b[\w-]+\.(?:,? (?:and |or )?))+(?=sub-?domains?\b)/gi, "")
    .replace(
      /\b(sub-?domains?)((?:,? \(?(?:like|such as|including|namely|and|or|e\.g\.)?,? ?(?:[\w-]+\.(?=[\s,;)]|$)|(?:[\w-]+\.)+[a-z]{2,}\b)\)?)+)/gi,
      "$1"
    )
  return phrases.reduce(
    ({ text, switches }, [pattern, values]) => {
      const reading = take(text, pattern, () => values)
      return { text: reading.text, switches: reading.found.length === 0 ? switches : { ...switches, ...values } }
    },
    { text: start, switches: {} as Switches }
  )
}

type Rule = readonly [RegExp, (clause: Clause, match: string) => Switches | undefined]

const wholeSite = `(?:(?:whole|entire|full|complete|all(?: of)?) ?(?:(?:the|this|my|our) )?(?:whole |entire |full )?(?:web ?)?(?:site|domain|website)(?: content)?|everything(?: (?:on|across|in|from) ${site})?(?! (?:under|in|inside|from|about|below|else|within|on|that|beneath|at|related|of|published|updated|posted|written|dated|tagged|labell?ed|new|newer|older|since|before|after|between)\\b| *@)|(?:the )?whole thing|all of it|every(?: single)? page(?: (?:on|of) ${site})?(?! (?:under|in|inside|from|about|below|within|on|that|with|at|of)\\b)|all(?: the)? pages(?= (?:on|of) ${site}| including| except|[,.;]|$)(?: (?:on|of) ${site})?)\\b`

const rules: ReadonlyArray<Rule> = [
  [
    /\b(?:any |all |the |other )?(?:\w+ )?sub-?domains?\b(?: (?:as well|too|also))?/gi,
    ({ wanted }) => ({ allowSubdomains: wanted })
  ],
  [
    /\b(?:links? (?:to|from|on|leading to|pointing to|that (?:lead|go|point) to) )?(?:any |the )?(?:external|outbound|outgoing|off-?site|third[- ]party|other|foreign|outside) (?:links?|(?:web ?)?sites?|websites?|domains?|hosts?|urls?|resources?)\b(?: (?:as well|too|also))?|\boff-?site\b|\bexternally\b|\bexternals?\b(?=\s*$)/gi,
    ({ wanted }) => ({ allowExternalLinks: wanted })
  ],
  [
    /\b(?:what(?:'s| is) |(?:the )?(?:urls?|pages?|links?) )?(?:(?:that are |which are )?(?:listed|found|contained|mentioned|present) )?(?:(?:in|on|from|of|by) )?(?:the |any |a |its |their )?(?:xml )?site-?maps?(?:\.xml)?\b/gi,
    ({ wanted, cue }) => ({ sitemap: !wanted ? "skip" : cue === "only" ? "only" : "include" })
  ],
  [
    /\b(?:the |any )?robots?(?:\.txt|[- ]?txt)?(?: (?:files?|rules?|directives?|exclusions?|restrictions?|protocol|polic(?:y|ies)))*(?![\w-])/gi,
    ({ wanted, cue }) => (cue === "none" ? undefined : { ignoreRobotsTxt: !wanted })
  ],
  [
    /\b(?:the |any |all )?(?:(?:url |link |tracking |utm |get )*(?:query|url|utm|tracking)[- ]?(?:strings?|param(?:eter)?s?|arg(?:ument)?s?|quer(?:y|ies))(?: param(?:eter)?s?| strings?)?|param(?:eter)?s|querystrings?)\b(?: (?:in|on|of|from) (?:the )?urls?)?/gi,
    ({ wanted, cue }) => (cue === "none" ? undefined : { ignoreQueryParameters: !wanted })
  ],
  [
    /\b(?:the |any )?trailing slash(?:es)?(?: (?:differences?|variants?|versions?|duplicates?))?\b/gi,
    ({ wanted }) => (wanted ? undefined : { deduplicateSimilarURLs: true })
  ],
  [
    /(?:\b(?:any |all )?(?:urls?|links?|pages?) with )?(?<![\w/])[?&][\w-]+(?:=[\w%-]*)?/gi,
    ({ wanted }) => (wanted ? undefined : { ignoreQueryParameters: true })
  ],
  [
    /\b(?:de-?dup\w*|merg(?:e|ing)|collaps(?:e|ing)|combin(?:e|ing)|unify)\b(?: (?:all|any|the|near-?identical|near-?duplicate[ds]?|very|nearly|near|them|similar|duplicate[ds]?|identical|looking|urls?|pages?|links?|content|ones))*/gi,
    ({ wanted }) => ({ deduplicateSimilarURLs: wanted })
  ],
  [
    /\b(?:all |any |the )*(?:near[- ]?|almost[- ])?(?:duplicates?d?|similar(?:[- ]looking)?|identical|repeated|dupes?)(?: (?:urls?|pages?|links?|content|versions?))*\b/gi,
    ({ wanted, cue }) => (cue === "none" ? undefined : { deduplicateSimilarURLs: !wanted })
  ],
  [
    /\b(?:all |any |the |its )*(?:parents?|siblings?)(?: and (?:parents?|siblings?))?(?: (?:pages?|paths?|urls?|sections?|folders?|director(?:y|ies)))*\b/gi,
    ({ wanted }) => ({ crawlEntireDomain: wanted })
  ],
  [
    new RegExp(`\\b(?:the |of |on )*${wholeSite}`, "gi"),
    ({ wanted }) => (wanted ? { crawlEntireDomain: true } : undefined)
  ]
]

const fileNames = /\.(?:md|sh|py|rs|pl|zip|mov|ps|ai|cc|so)$/i

/** Reads host names: the start URL's own host, one of its subdomains, or another site. */
const hosts = (clause: Clause, start: URL) =>
  take(
    clause.text,
    /(?<![\w@/.-])(all of |everything on |the (?:whole|entire) (?:of )?)?(?:https?:\/\/)?((?:[a-z0-9-]+\.)+[a-z]{2,})(?:'s)?(?![\w/-])(?: (?:as well|too|also))?/gi,
    (all, name) => {
      if (name === undefined || fileNames.test(name)) return undefined
      const domain = tldts().getDomain(name, { allowIcannDomains: true })
      const known =
        domain !== null &&
        (domain === tldts().getDomain(start.hostname) ||
          /\.(?:com|org|net|io|dev|edu|gov|co|app|info)$|\.[a-z]{2}$/i.test(name))
      if (!known) return undefined
      if (name.replace(/^www\./i, "").toLowerCase() === start.hostname.replace(/^www\./, "")) {
        return all !== undefined && clause.wanted ? { crawlEntireDomain: true } : {}
      }
      return domain === tldts().getDomain(start.hostname)
        ? { allowSubdomains: clause.wanted }
        : { allowExternalLinks: clause.wanted }
    }
  )

/** Reads the switches of a clause. Returns its text with a {@link mark} in place of each part that was understood. */
export const read = (clause: Clause, start: URL): { readonly text: string; readonly switches: Switches } => {
  const named = hosts(clause, start)
  return rules.reduce(
    ({ text, switches }, [pattern, toSwitches]) => {
      const reading = take(text, pattern, () => toSwitches(clause, text))
      return { text: reading.text, switches: Object.assign({}, switches, ...reading.found) as Switches }
    },
    {
      text: named.text.replaceAll(mark, named.found.length > 0 ? mark : ""),
      switches: Object.assign({}, ...named.found) as Switches
    }
  )
}
