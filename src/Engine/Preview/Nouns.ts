/** Names of common site sections, and the path segments for them. */

/** Names in prompts and segments in paths, both as regular expressions. */
const known: ReadonlyArray<readonly [string, string]> = [
  ["docs?|documentation|docs? site|product docs", "docs?|documentation"],
  ["api docs?|api documentation|api reference|api references?", "api|api-docs?|api-reference|reference|docs/api"],
  ["api", "api"],
  ["references?", "reference"],
  ["blogs?|blog posts?|blog articles?|blog entries|weblog|posts?", "blogs?|posts?"],
  ["help|help cent(?:er|re)|help pages|help docs?|help articles?", "help|help-cent(?:er|re)"],
  ["support|support cent(?:er|re)|support articles?", "support"],
  ["knowledge ?base|kb|kb articles?", "knowledge-?base|kb"],
  ["faqs?|frequently asked questions", "faqs?"],
  ["products?|product catalogu?e|product listings?|product details?", "products?"],
  ["shop|store|online shop|online store|storefront", "shop|store"],
  ["collections?", "collections?"],
  ["carts?|shopping carts?|baskets?", "cart|basket|shopping-cart"],
  ["checkouts?", "checkout"],
  ["accounts?|my account|account pages|user accounts?", "account|my-account"],
  ["log ?ins?|sign ?ins?|log-in|sign-in", "log-?in|sign-?in"],
  ["log ?outs?|sign ?outs?", "log-?out|sign-?out"],
  ["sign ?ups?|sign-up|registers?|registrations?", "sign-?up|register|registration"],
  ["password resets?|reset password|forgot(?:ten)? password", "password-reset|reset-password|forgot-password"],
  ["users?|user profiles?|profiles?|members?|member profiles?|user pages", "users?|profiles?|members?"],
  ["authors?|author pages|author profiles?|author bios?", "authors?"],
  ["tags?|tag pages|tag archives?", "tags?"],
  ["categor(?:y|ies)|category pages|category archives?|category listings?", "categor(?:y|ies)"],
  ["search|search results?|search result pages|search pages|internal search", "search"],
  ["pagination|paginated|paginated listings?", "page/\\d+"],
  ["(?:user |reader )?comments?|comment pages|comment threads|comments? sections?", "comments?"],
  ["feeds?|rss(?: feeds?)?", "feed|rss"],
  ["print(?:able|er)?(?: versions?| views?| friendly)?", "print"],
  ["news|news articles?|news stories|news items?|news posts?", "news"],
  ["articles?", "articles?"],
  ["press|press coverage|media coverage|newsroom|press room|press cent(?:er|re)", "press|newsroom"],
  ["(?:media|press) ?kits?", "(?:media|press)-?kits?"],
  ["press releases?|news releases?", "press-releases?|press|news-releases?"],
  ["changelogs?|change logs?", "change-?log"],
  ["release ?notes?|releases?", "release-?notes?|releases?"],
  [
    "jobs?|job (?:postings?|listings?|openings?|ads?|offers?)|open positions|vacanc(?:y|ies)",
    "jobs?|careers?|vacancies"
  ],
  ["careers?|career pages", "careers?|jobs?"],
  ["about|about us|about page|company page", "about|about-us"],
  ["contacts?|contact us|contact page", "contact|contact-us|contacts"],
  ["team|our team|team members?|people|staff|leadership", "team|our-team|people|staff|leadership"],
  ["pricing|price list|plans|plans and pricing", "pricing|prices|plans"],
  [
    "terms|terms of (?:service|use)|terms (?:and|&) conditions|tos|t&cs?",
    "terms|terms-of-(?:service|use)|terms-and-conditions|tos"
  ],
  ["privacy|privacy polic(?:y|ies)|privacy notice", "privacy|privacy-policy|privacy-notice"],
  ["cookies?|cookie polic(?:y|ies)", "cookies?|cookie-policy"],
  ["legal|legal pages|legal notices?|imprint|impressum", "legal|imprint|impressum"],
  [
    "forums?|discussion boards?|message boards?|community forums?|discussions?",
    "forums?|community|discussions?|boards?"
  ],
  ["communit(?:y|ies)", "community|forums?"],
  ["threads?|forum threads?|discussion threads?", "threads?"],
  ["topics?|forum topics?", "topics?"],
  ["events?|event calendars?|events calendars?|calendar", "events?|calendar"],
  ["case stud(?:y|ies)", "case-stud(?:y|ies)"],
  [
    "customers?|customer stor(?:y|ies)|success stor(?:y|ies)|customer success stories",
    "customers?|customer-stor(?:y|ies)|success-stor(?:y|ies)"
  ],
  ["tutorials?", "tutorials?"],
  ["guides?|user guides?|how-?to guides?", "guides?|user-guides?"],
  ["how-?tos?|how-?to articles?", "how-?tos?"],
  ["(?:research |white ?)?papers?", "papers?|research-papers?|white-?papers?"],
  ["galler(?:y|ies)", "galler(?:y|ies)"],
  ["admin|admin area|admin panel|back ?office", "admin|wp-admin"],
  ["archives?|archived pages", "archives?"],
  ["downloads?|download pages", "downloads?"],
  ["road ?maps?", "roadmap"],
  ["status", "status"],
  ["wiki|wiki pages|wiki articles?", "wiki"]
]

const entries = known.map(([said, written]) => [new RegExp(`^(?:${said})$`, "i"), written] as const)

/** Returns a regular expression that matches singular and plural. */
const inflect = (stem: string): string => {
  if (/[^aeiou]ies$/.test(stem)) return `${stem.slice(0, -3)}(?:y|ies)`
  if (/[^aeiou]y$/.test(stem) && stem.length > 3) return `${stem.slice(0, -1)}(?:y|ies)`
  if (/(?:ss|sh|ch|x)es$/.test(stem)) return `${stem.slice(0, -2)}(?:es)?`
  if (/(?:ss|us|is|ics)$/.test(stem)) return stem
  return `${stem.replace(/s$/, "")}s?`
}

/** Returns the path segments of a known section name, as a regular expression; undefined for any other name. */
export const lookUp = (name: string): string | undefined => {
  const plain = name.toLowerCase().trim()
  return entries.find(([pattern]) => pattern.test(plain))?.[1]
}

/** Returns a regular expression for the path segment of an unknown name: its words joined by a hyphen, an underscore or nothing. */
export const slug = (name: string): string => {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word, index) => (index === words.length - 1 ? inflect(word) : word)).join("[-_]?")
}
