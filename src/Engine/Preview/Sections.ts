/** Which parts of a site a clause names: explicit paths, known sections, sections named by their words. */
import type { Clause } from "./Clauses.ts"
import * as Nouns from "./Nouns.ts"
import type { Qualifier } from "./Qualifiers.ts"

/** A part of a site; the qualifiers narrow it. */
export interface Section {
  /** Path segments as a regular expression, or a path as it was written; undefined: anywhere. */
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

/** What a clause names, and what in it nobody understood. */
export interface Named {
  readonly sections: ReadonlyArray<Section>
  /** Qualifiers that stand after the clause's sections, or alone. */
  readonly trailing: Qualifiers
  readonly unread: ReadonlyArray<string>
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

const filler = new Set(
  "a an the all any every each our my your their its his her this that these those some please me us i i'd i'm we just latest recent newest new main actual actually individual single whole entire various whatever available public current only also too thanks thank you etc etcetera so on maybe really simply quick quickly basically well then both either as fully most many few more them it is are be was were can could should would will may might must have has if possible hi hello hey dear kindly ok okay yes now here there again overall general regular own two second one's full complete rest other else further additional anything everything something stuff whatever's let's lets and or of to do".split(
    " "
  )
)

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

const noise = new Set(
  "site sites website websites web domain domains page pages url urls link links content contents thing things nothing data information info details detail text html crawl crawling crawler scrape time times order server servers request requests home homepage start it they one ones same lot way ways email emails e-mail name names price prices number numbers phone phones address addresses company companies business product's depth deeper level levels path paths section sections folder folders directory directories part parts area areas clicks click what how why who whom which when where slow slowly slower fast faster careful carefully polite politely gentle gentle gently nicely speed rate limit limits minimum maximum max total duplicates sure note fine good great enough count default result results document documents file files title titles metadata markdown summary images links' internal external first last next previous top bottom day days week weeks month months year years hour hours minute minutes seconds topic version versions language languages translation translations".split(
    " "
  )
)

const prepositions =
  /\b(under|in|within|inside|below|beneath|from|of|for|on|at|into|to|across|starting with|beginning with|start with|starts with|begin with|begins with)\b/i
const topical =
  /\b(?:about|regarding|concerning|related to|relating to|dealing with|mentioning|containing|that (?:mention|talk|contain|discuss|cover|are|is|have)|which|who|whose|where|if|when|because|since|unless|written by|posted by|with)\b.*$/i
const clausal = /\b(?:is|are|it's|we're|i'm|they|what|who|how|why|does|do|did|has|they're|she|he)\b/i

const paths = /(?<![\w@:§/.])(?:https?:\/\/([\w.-]+))?(\/(?:[\w~%+*.-]+\/?)*)(?![\w@])/g

const words = (phrase: string): ReadonlyArray<string> =>
  phrase
    .split(/[\s"'()]*\s[\s"'()]*|^["'(]+|["')]+$/)
    .map((word) => word.replace(/[.…'"*]+$/, ""))
    .filter((word) => word !== "")

type Judgement = { readonly segments: string } | { readonly unread: string } | undefined

/** What one noun phrase names. */
const judge = (phrase: string, clause: Clause, located: boolean, listed: boolean): Judgement => {
  const possessed = phrase.replace(/^.*\b\w+'s\s+(?=\w)/, "")
  const all = words(possessed).filter((word) => !filler.has(word.toLowerCase()) && !word.startsWith("@"))
  const judged = all.some((word) => evaluating.has(word.toLowerCase()))
  const core = all.filter((word) => !evaluating.has(word.toLowerCase()))
  if (judged && !clause.wanted && core.length > 0) return { unread: phrase.trim() }
  const head = core.at(-1)
  if (head === undefined) return undefined
  const whole = Nouns.lookUp(core.join(" "))
  if (whole !== undefined) return { segments: whole }
  const bare = core.filter((word, index) => index < core.length - 1 || !heads.test(word))
  while (bare.length > 1 && heads.test(bare.at(-1) ?? "")) bare.pop()
  const known = Nouns.lookUp(bare.join(" "))
  if (known !== undefined) return { segments: known }
  const meaning = bare.filter((word) => !noise.has(word.toLowerCase()))
  if (meaning.length === 0) return undefined
  if (
    meaning.length > 3 ||
    meaning.length < bare.length ||
    !meaning.every((word) => /^[\p{L}\p{N}][\p{L}\p{N}&-]*$/u.test(word))
  ) {
    const last = Nouns.lookUp(meaning.at(-1) ?? "")
    return last !== undefined && clause.wanted ? { segments: last } : { unread: phrase.trim() }
  }
  const slug = Nouns.slug(meaning.join(" "))
  const kind = meaning.length > 1 ? Nouns.lookUp(meaning.at(-1) ?? "") : undefined
  if (kind !== undefined) {
    // "the engineering blog": /engineering-blog, /blog/engineering, and, wanted, /blog.
    const narrow = Nouns.slug(meaning.slice(0, -1).join(" "))
    return { segments: clause.wanted ? `${slug}|${kind}` : `${slug}|(?:${kind})/${narrow}|${narrow}` }
  }
  const plural = /[^siu]s$/i.test(meaning.at(-1) ?? "")
  const framed = bare.length < core.length && framing.test(head)
  const accepted = !clause.wanted || framed || located || listed || clause.cue === "only" || plural
  return accepted ? { segments: slug } : { unread: phrase.trim() }
}

/** Reads what a clause names; `listed` when the clause before it in the same list named a section. */
export const read = (
  clause: Clause,
  text: string,
  qualifiers: ReadonlyArray<Qualifier>,
  host: string,
  listed: boolean
): Named => {
  const sections: Array<Section> = []
  const unread: Array<string> = []
  let left = text
  const start =
    /\b(?:(?:pages? |links? |content |everything |anything |urls? |whatever |what(?:'s| is) )*(?:that (?:is|are) )?(?:below|under|underneath|beneath|inside|within|in) )?(?:this|the (?:start(?:ing)?|given|current|same))(?: (?:very )?(?:one|url|page|path|section|folder|directory|subtree|part|area|branch|version|subfolder|subdirectory))\b(?: of (?:the )?\w+)?|\b(?:child(?:ren)?|sub-?)(?: ?pages?)\b(?: of (?:this|it))?|\b(?:below|under|beneath) (?:this|it|here)(?: one)?\b/i
  if (clause.wanted && start.test(left)) {
    sections.push({ name: { start: true }, ...none })
    left = left.replace(start, " ")
  }
  left = left.replace(paths, (whole: string, named: string | undefined, path: string, at: number) => {
    if (path === "/" && named === undefined) return whole
    if (named !== undefined && named.replace(/^www\./, "") !== host.replace(/^www\./, "")) return whole
    if (path !== "/") {
      const anywhere =
        /\b(?:contain\w*|with|anywhere|includ\w+)\s*$/i.test(left.slice(0, at)) ||
        /^ (?:in (?:it|the (?:url|path)|them)|anywhere)/i.test(left.slice(at + whole.length))
      sections.push({ name: { path, anywhere }, ...none })
    }
    return " "
  })
  const named = sections.length > 0
  const topic = topical.exec(left)
  if (topic !== null && !named) {
    const said = topic[0].trim()
    if (
      words(said).some((word) => !filler.has(word.toLowerCase()) && !noise.has(word.toLowerCase())) &&
      !/@/.test(said)
    )
      unread.push(said)
    if (!/@/.test(said)) left = left.slice(0, topic.index)
  }
  const clean = left.replaceAll("§", " ")
  const before = qualify(clean, qualifiers)
  const told = unread.length
  let lastNoun = -1
  if (!clausal.test(clean.replace(/^(?:i|we|you)\b/i, "")) || clause.cue !== "none") {
    const pieces = clean.split(prepositions)
    for (let index = 0; index < pieces.length; index += 2) {
      const piece = pieces[index] ?? ""
      const located =
        index > 0 && /^(?:under|in|within|inside|below|beneath|start|begin)/i.test(pieces[index - 1] ?? "")
      if (clausal.test(piece)) continue
      if (piece.trim() === "" || (named && index === 0)) continue
      const judgement = judge(piece, clause, located, listed)
      if (judgement === undefined) continue
      if ("unread" in judgement) unread.push(judgement.unread)
      else if (clause.cue !== "none" || unread.length === told) {
        sections.push({ name: { segments: judgement.segments }, ...none })
        lastNoun = clean.indexOf(piece) + piece.length
      }
    }
  } else if (words(clean).some((word) => !filler.has(word.toLowerCase()))) unread.push(clean.trim())
  const tail = lastNoun < 0 ? -1 : clean.slice(lastNoun).search(/@/)
  const adjectival = sections.length > 0 && tail < 0 && !isEmpty(before)
  const standalone = sections.length === 0
  return {
    sections: adjectival ? sections.map((section) => ({ ...section, ...before })) : sections,
    trailing: adjectival && !standalone ? none : before,
    unread
  }
}
