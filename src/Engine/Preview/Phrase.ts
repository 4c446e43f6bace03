/** Whether the words of a noun phrase name a part of a site, and which. */
import type { Clause } from "./Clauses.ts"
import * as Nouns from "./Nouns.ts"

/** Words that add nothing to what is named. */
const filler = new Set(
  "a an the all any every each our my your their its his her this that these those some please me us i i'd i'm we just latest recent newest new main actual actually individual single whole entire various whatever available public current only also too thanks thank you etc etcetera so on maybe really simply quick quickly basically well then both either as fully most many few more them it is are be was were can could should would will may might must have has if possible hi hello hey dear kindly ok okay yes now here there again overall general regular own two second top-level one's full complete rest other else further additional anything everything something stuff whatever's let's lets and or of to do published updated posted written dated released created modified entirely completely altogether fully totally like".split(
    " "
  )
)

/** Judgements that a crawler cannot make. */
const evaluating = new Set(
  "old older outdated obsolete important relevant useful interesting good best better top popular long short deep big small boring irrelevant unrelated nice key free paid cheap different similar certain specific main empty broken thin".split(
    " "
  )
)

/** Nouns that say "a part of the site" and not which. */
const heads =
  /^(?:pages?|sections?|areas?|folders?|director(?:y|ies)|parts?|content|contents|subsections?|trees?|urls?|links?|ones|materials?|paths?|listings?|entries|posts?|articles?|archives?|branch|category|version|subpages?|sub-pages?|database|documents?|files?)$/i

const framing =
  /^(?:pages?|sections?|areas?|folders?|director(?:y|ies)|subsections?|trees?|paths?|posts?|articles?|entries|listings?|branch|part|parts|subpages?)$/i

/** What pages hold, rather than pages. */
const facts = /^(?:info|information|details|data|e?-?mails?|phones?|numbers?|prices|names|addresses)$/i

/** Nouns that are no sections. */
const noise = new Set(
  "site sites website websites web domain domains page pages url urls link links content contents thing things nothing data information info details detail text html crawl crawling crawler scrape time times order server servers request requests home homepage start it they one ones same lot way ways email emails e-mail name names price prices number numbers phone phones address addresses company companies business product's depth deeper level levels path paths section sections folder folders directory directories part parts area areas clicks click what how why who whom which when where slow slowly slower fast faster careful carefully polite politely gentle gentle gently nicely speed rate limit limits minimum maximum max total duplicates sure note fine good great enough count default result results document documents file files title titles metadata markdown summary images links' internal external first last next previous top bottom day days week weeks month months year years hour hours minute minutes seconds topic version versions language languages translation translations per go visit follow open unlimited infinite item items entry catalog catalogue front rules rule robots robot navigation menu menus footer header sidebar social media landing touch need want further deeper waste hammer overload stress submit log concurrency parallel fetch leave bother render javascript cookies' mode".split(
    " "
  )
)

/** Without signs at its ends, which are looked for from there: a long row of them costs its length. */
const stripped = (word: string): string => {
  let [start, end] = [0, word.length]
  while (start < end && "\"'()".includes(word.charAt(start))) start += 1
  while (end > start && "\"'().…*".includes(word.charAt(end - 1))) end -= 1
  return word.slice(start, end)
}

const words = (phrase: string): ReadonlyArray<string> =>
  phrase
    .split(/\s+/)
    .map(stripped)
    .filter((word) => word !== "")

/** Whether a text says anything besides fillers. */
export const says = (text: string): boolean => words(text).some((word) => !filler.has(word.toLowerCase()))

/** Whether a text holds a word that could matter. */
export const matters = (text: string): boolean =>
  words(text).some((word) => !filler.has(word.toLowerCase()) && !noise.has(word.toLowerCase()))

/** Segments of a path; or nothing that a crawl can use, and then perhaps nothing that could follow either. */
export type Judgement =
  | { readonly _tag: "Section"; readonly segments: string }
  | { readonly _tag: "Unread"; readonly ends: boolean }
  | undefined

/** What speaks for a word that nobody knows. */
export interface Circumstance {
  /** After "under", "in" and the like. */
  readonly located: boolean
  /** In a list with a section. */
  readonly listed: boolean
}

const section = (segments: string): Judgement => ({ _tag: "Section", segments })
const puzzle: Judgement = { _tag: "Unread", ends: false }

/** What one noun phrase names. */
export const judge = (phrase: string, clause: Clause, { located, listed }: Circumstance): Judgement => {
  // "the women's section": there is nothing else that it could be called.
  const owner = /\b(\w+)'s (?:section|categor(?:y|ies)|area|department|collection|pages|range)\s*$/i.exec(phrase)?.[1]
  if (owner !== undefined && !/^(?:company|site|website|today|it|that|what|let|here|there|who)$/i.test(owner))
    return section(`${Nouns.slug(owner)}(?:-?s)?`)
  const possessed = phrase.replace(/^.*\b\w+'s\s+(?=\w)/, "")
  const all = words(possessed).filter((word) => !filler.has(word.toLowerCase()) && !word.startsWith("@"))
  const judged = all.some((word) => evaluating.has(word.toLowerCase()))
  const core = all.filter((word) => !evaluating.has(word.toLowerCase()))
  if (!clause.wanted && /\bother\b/i.test(phrase)) return undefined
  if (facts.test(core.at(-1) ?? "")) return { _tag: "Unread", ends: true }
  if (judged && !clause.wanted && core.length > 0) return puzzle
  const head = core.at(-1)
  if (head === undefined) return undefined
  const whole = Nouns.lookUp(core.join(" "))
  if (whole !== undefined) return section(whole)
  const bare = core.filter((word, index) => index < core.length - 1 || !heads.test(word))
  while (bare.length > 1 && heads.test(bare.at(-1) ?? "")) bare.pop()
  const known = Nouns.lookUp(bare.join(" "))
  if (known !== undefined) return section(known)
  const meaning = bare.filter((word) => !noise.has(word.toLowerCase()))
  if (meaning.length === 0) return undefined
  if (meaning.every((word) => /^\d+$/.test(word))) return puzzle
  if (
    meaning.length > 3 ||
    meaning.length < bare.length ||
    !meaning.every((word) => /^[\p{L}\p{N}][\p{L}\p{N}&-]*$/u.test(word))
  ) {
    const last = Nouns.lookUp(meaning.at(-1) ?? "")
    return last !== undefined && clause.wanted ? section(last) : puzzle
  }
  const slug = Nouns.slug(meaning.join(" "))
  const kind = meaning.length > 1 ? Nouns.lookUp(meaning.at(-1) ?? "") : undefined
  if (kind !== undefined) {
    // "the engineering blog": /engineering-blog, /blog/engineering, and, wanted, /blog.
    const narrow = Nouns.slug(meaning.slice(0, -1).join(" "))
    return section(clause.wanted ? `${slug}|${kind}` : `${slug}|(?:${kind})/${narrow}|${narrow}`)
  }
  const plural = /[^siu]s$/i.test(meaning.at(-1) ?? "")
  const framed = bare.length < core.length && framing.test(head)
  const each = /\b(?:every|each)\b/i.test(phrase)
  // "without breaking anything", "no rush": a plain no is not about sections unless something else says so.
  const told = clause.cue === "only" || clause.cue === "refuse"
  const accepted = each || framed || located || listed || plural || (told && !/ing$/i.test(head))
  if (!accepted) return puzzle
  // "the shoes category": /shoes, or /category/shoes.
  return section(bare.length < core.length && /^categor/i.test(head) ? `${slug}|categor(?:y|ies)/${slug}` : slug)
}
