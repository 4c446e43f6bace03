/** Finds the parts of a site that a clause of the prompt names: explicit paths, known sections, and sections named by their words. */
import type { Clause } from "./Clauses.ts"
import * as Nouns from "./Nouns.ts"
import { lookUp } from "./Nouns.ts"
import { mark } from "./PromptText.ts"
import type { Qualifier } from "./Qualifiers.ts"

/** A section of a site, narrowed by qualifiers. */
export interface Section {
  /** Path segments as a regular expression, a literal path, or the start of the crawl. Undefined means anywhere. */
  readonly name:
    | { readonly segments: string }
    | { readonly path: string; readonly anywhere: boolean }
    | { readonly start: true }
    | undefined
  readonly years: ReadonlyArray<string>
  readonly months: ReadonlyArray<string>
  readonly versions: ReadonlyArray<string>
  readonly languages: ReadonlyArray<string>
  readonly files: ReadonlyArray<string>
}

/** Sections that a clause names, and the parts that were not understood. */
export interface ClauseSections {
  readonly sections: ReadonlyArray<Section>
  /** Qualifiers that follow the sections or stand alone. */
  readonly trailing: Qualifiers
  readonly unread: ReadonlyArray<string>
  /** True if the rest of the list does not name sections either. */
  readonly ends: boolean
}

export type Qualifiers = Omit<Section, "name">

export const none: Qualifiers = { years: [], months: [], versions: [], languages: [], files: [] }

const qualify = (text: string, qualifiers: ReadonlyArray<Qualifier>): Qualifiers => {
  const found = [...text.matchAll(/@(\d+)/g)].flatMap(([, index]) => qualifiers[Number(index)] ?? [])
  const of = (kind: Qualifier["kind"]) => found.filter((each) => each.kind === kind).map(({ value }) => value)
  return {
    years: of("years"),
    months: of("months"),
    versions: of("versions"),
    languages: of("languages"),
    files: of("files")
  }
}

export const isEmpty = (qualifiers: Qualifiers): boolean =>
  Object.values(qualifiers).every((values) => values.length === 0)

const prepositions =
  /(?<![\w-])(under|in|within|inside|below|beneath|from|of|for|on|at|into|to|across|starting with|beginning with|start with|starts with|begin with|begins with)(?![\w-])/i
const topical =
  /\b(?:about(?! (?:us|pages?|sections?)\b|\s*$)|regarding|concerning|related to|relating to|dealing with|mentioning|tagged|containing|that (?:need|require|mention|talk|contain|discuss|cover|are|is|have)|which|who|whose|where|if|when|because|since|unless|until|till|while|written by|posted by|with|like an?)\b.*$/i
const framed = /\b(?:section|categor(?:y|ies)|folder|area|director(?:y|ies))s?\s*$/i
const example = /,? \(?(?:like|such as)\s*$/i
const clausal = /\b(?:is|are|it's|we're|i'm|they|what|who|how(?![- ]to\b)|why|does|do|did|has|they're|she|he)\b/i

/** Phrases for the start of the crawl and everything below it. */
const start =
  /\b(?:(?:pages? |links? |content |everything |anything |urls? |whatever |what(?:'s| is) )*(?:that (?:is|are) )?(?:below|under|underneath|beneath|inside|within|in) )?(?:this|the (?:start(?:ing)?|given|current|same))(?: (?:very )?(?:one|url|page|path|section|folder|directory|category|collection|subtree|part|area|branch|version|subfolder|subdirectory))\b(?: of (?:the )?\w+)?|\b(?:child(?:ren)?|sub-?)(?: ?pages?)\b(?: of (?:this|it))?|\b(?:below|under|beneath) (?:this|it|here)(?: one)?\b/i

const paths = /(?<![\w@:§/.])(?:https?:\/\/([\w.-]+))?(\/(?:[\w~%+*.-]+\/?)*)(?![\w@])/g

/** Extracts explicit paths. Paths of other hosts stay in the text. */
const takePaths = (
  text: string,
  host: string
): { readonly text: string; readonly sections: ReadonlyArray<Section> } => {
  const sections: Array<Section> = []
  const bare = (name: string) => name.replace(/^www\./, "")
  const left = text.replace(paths, (whole: string, named: string | undefined, path: string, at: number) => {
    if ((path === "/" && named === undefined) || (named !== undefined && bare(named) !== bare(host))) return whole
    const anywhere =
      /\b(?:contain\w*|(?<!\b(?:start|begin)(?:s|ning|ing)? )with|anywhere|includ\w+)\s*$|\*$/i.test(
        text.slice(0, at)
      ) || /^ (?:in (?:it|the (?:url|path)|them)|anywhere)/i.test(text.slice(at + whole.length))
    if (path !== "/") sections.push({ name: { path, anywhere }, ...none })
    return " "
  })
  return { text: left, sections }
}

/** Removes conditions on page content ("about …"), because a crawl selects by URL. */
const takeTopic = (text: string): { readonly text: string; readonly unread: ReadonlyArray<string> } => {
  const topic = topical.exec(text)
  if (topic === null || topic[0].includes("@")) return { text, unread: [] }
  // "pages about pricing": a known section after all.
  const known = /^about (?:the |our |your |their )?([\w -]+?)\s*$/i.exec(topic[0])?.[1]
  if (known !== undefined && lookUp(known) !== undefined && !matters(text.slice(0, topic.index)))
    return { text: `in ${known}`, unread: [] }
  return { text: text.slice(0, topic.index), unread: matters(topic[0]) ? [topic[0].trim()] : [] }
}

/** Splits into noun phrases, with the end position of each, and whether a preposition of place precedes it. */
const phrases = (text: string) => {
  const pieces = text.split(prepositions)
  let end = 0
  return pieces.flatMap((piece, index) => {
    end += piece.length
    const located = index > 0 && /^(?:under|in|within|inside|below|beneath|start|begin)/i.test(pieces[index - 1] ?? "")
    return index % 2 === 1 || piece.trim() === "" || clausal.test(piece)
      ? []
      : [{ piece, end, located, first: index === 0 }]
  })
}

/** Reads the sections of a clause. `listed`: the previous item of the same list named a section. */
export const read = (
  clause: Clause,
  text: string,
  qualifiers: ReadonlyArray<Qualifier>,
  host: string,
  listed: boolean
): ClauseSections => {
  const below = clause.wanted && start.test(text)
  const unmarked = text.replaceAll(mark, " ")
  const explicit = takePaths(below ? unmarked.replace(start, " ") : unmarked, host)
  const sections: Array<Section> = [
    ...(below ? [{ name: { start: true } as const, ...none }] : []),
    ...explicit.sections
  ]
  const named = sections.length > 0
  const topic = named ? { text: explicit.text, unread: [] } : takeTopic(explicit.text)
  const unread: Array<string> = [...topic.unread]
  const qualified = qualify(topic.text, qualifiers)
  let last = -1
  let ends = false
  // A whole sentence without a cue ("what is this company?") asks for no section.
  if (clause.cue === "none" && clausal.test(topic.text.replace(/^(?:i|we|you)\b/i, ""))) {
    if (says(topic.text)) unread.push(topic.text.trim())
  } else {
    for (const { piece, end, located, first } of phrases(topic.text)) {
      // "extract titles from the blog": the words before the place are data on pages, not pages.
      // "articles in /blog" means those below the path; "pagination like /page/2" means more than its example.
      const exemplified = example.test(piece)
      if (first && ((named && !exemplified) || clause.cue === "extract")) continue
      const found = classify(piece.replace(example, ""), clause, { located, listed })
      // After a phrase that was not understood, a noun counts only with a cue, or if it is called a section.
      const certain = clause.cue !== "none" || unread.length === topic.unread.length || framed.test(piece)
      if (found?._tag === "Section" && certain) {
        sections.push({ name: { segments: found.segments }, ...none })
        last = end
      }
      if (found?._tag === "Unread") unread.push(piece.trim())
      ends = found?._tag === "Unread" && found.ends
      if (ends) break
    }
  }
  // "German docs": narrows these sections. "docs and blog from 2024": narrows the whole list.
  const adjectival = sections.length > 0 && (last < 0 || !topic.text.slice(last).includes("@"))
  return adjectival
    ? { sections: sections.map((section) => ({ ...section, ...qualified })), trailing: none, unread, ends }
    : { sections, trailing: qualified, unread, ends }
}

/** Words that do not matter for the choice of sections. */
const filler = new Set(
  "a an the all any every each our my your their its his her this that these those some please me us i i'd i'm we just latest recent newest new main actual actually individual single whole entire various whatever available public current only also too thanks thank you etc etcetera so on maybe really simply quick quickly basically well then both either as fully most many few more them it is are be was were can could should would will may might must have has if possible hi hello hey dear kindly ok okay yes now here there again overall general regular own two second top-level one's full complete rest other else further additional anything everything something stuff whatever's let's lets and or of to do published updated posted written dated released created modified entirely completely altogether fully totally like".split(
    " "
  )
)

/** Subjective adjectives, which a crawler cannot apply. */
const subjective = new Set(
  "old older outdated obsolete important relevant useful interesting good best better top popular long short deep big small boring irrelevant unrelated nice key free paid cheap different similar certain specific main empty broken thin".split(
    " "
  )
)

/** Generic nouns for a part of a site. */
const heads =
  /^(?:pages?|sections?|areas?|folders?|director(?:y|ies)|parts?|content|contents|subsections?|trees?|urls?|links?|ones|materials?|paths?|listings?|entries|posts?|articles?|archives?|branch|category|version|subpages?|sub-pages?|database|documents?|files?|pieces?)$/i

const framing =
  /^(?:pages?|sections?|areas?|folders?|director(?:y|ies)|subsections?|trees?|paths?|posts?|articles?|entries|listings?|branch|part|parts|subpages?)$/i

/** Nouns for data on pages, as opposed to pages. */
const facts = /^(?:info|information|details|data|e?-?mails?|phones?|numbers?|prices|names|addresses)$/i

/** Nouns that never name a section. */
const noise = new Set(
  "site sites website websites web domain domains page pages url urls link links content contents thing things nothing data information info details detail text html crawl crawling crawler scrape time times order server servers request requests home homepage start it they one ones same lot way ways email emails e-mail name names price prices number numbers phone phones address addresses company companies business product's depth deeper level levels path paths section sections folder folders directory directories part parts area areas clicks click what how why who whom which when where slow slowly slower fast faster careful carefully polite politely gentle gentle gently nicely speed rate limit limits minimum maximum max total duplicates sure note fine good great enough count default result results document documents file files title titles metadata markdown summary images links' internal external first last next previous top bottom day days week weeks month months year years hour hours minute minutes seconds topic version versions language languages translation translations per go visit follow open unlimited infinite item items entry catalog catalogue front rules rule robots robot navigation menu menus footer header sidebar social media landing touch need want further deeper waste hammer overload stress submit log concurrency parallel fetch leave bother end ends ending render javascript cookies' mode".split(
    " "
  )
)

/** Removes quotes and punctuation at both ends, in linear time. */
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

/** True if the text has a word that is not a filler. */
export const says = (text: string): boolean => words(text).some((word) => !filler.has(word.toLowerCase()))

/** True if the text has a word that could name a section. */
export const matters = (text: string): boolean =>
  words(text).some((word) => !filler.has(word.toLowerCase()) && !noise.has(word.toLowerCase()))

/** A section, a phrase that a crawl cannot use (`ends`: the rest of the list cannot be used either), or nothing. */
export type Classification =
  | { readonly _tag: "Section"; readonly segments: string }
  | { readonly _tag: "Unread"; readonly ends: boolean }
  | undefined

/** Hints that an unknown word names a section. */
export interface PhraseHints {
  /** True if the word follows "under", "in" or another preposition of place. */
  readonly located: boolean
  /** True if the word is in a list with a section. */
  readonly listed: boolean
}

const section = (segments: string): Classification => ({ _tag: "Section", segments })
const unknown: Classification = { _tag: "Unread", ends: false }

/** Classifies one noun phrase. */
export const classify = (phrase: string, clause: Clause, { located, listed }: PhraseHints): Classification => {
  // "the women's section": the possessive is the section's name.
  const owner = /\b(\w+)'s (?:section|categor(?:y|ies)|area|department|collection|pages|range)\s*$/i.exec(phrase)?.[1]
  if (owner !== undefined && !/^(?:company|site|website|today|it|that|what|let|here|there|who)$/i.test(owner))
    return section(`${Nouns.slug(owner)}(?:-?s)?`)
  const possessed = phrase.replace(/^.*\b\w+'s\s+(?=\w)/, "")
  const all = words(possessed).filter((word) => !filler.has(word.toLowerCase()) && !word.startsWith("@"))
  const isSubjective = all.some((word) => subjective.has(word.toLowerCase()))
  const core = all.filter((word) => !subjective.has(word.toLowerCase()))
  if (!clause.wanted && /\bother\b/i.test(phrase)) return undefined
  if (facts.test(core.at(-1) ?? "")) return { _tag: "Unread", ends: true }
  if (isSubjective && !clause.wanted && core.length > 0) return unknown
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
  if (meaning.every((word) => /^\d+$/.test(word))) return unknown
  if (
    meaning.length > 3 ||
    meaning.length < bare.length ||
    !meaning.every((word) => /^[\p{L}\p{N}][\p{L}\p{N}&-]*$/u.test(word))
  ) {
    const last = Nouns.lookUp(meaning.at(-1) ?? "")
    return last !== undefined && clause.wanted ? section(last) : unknown
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
  // "without breaking anything", "no rush": a plain "no" refuses a section only with another hint.
  const hasStrongCue = clause.cue === "only" || clause.cue === "refuse"
  const accepted = each || framed || located || listed || plural || (hasStrongCue && !/ing$/i.test(head))
  if (!accepted) return unknown
  // "the shoes category": /shoes, or /category/shoes.
  return section(bare.length < core.length && /^categor/i.test(head) ? `${slug}|categor(?:y|ies)/${slug}` : slug)
}
