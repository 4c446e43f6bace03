/** Which parts of a site a clause names: explicit paths, known sections, sections named by their words. */
import type { Clause } from "./Clauses.ts"
import { lookUp } from "./Nouns.ts"
import { judge, matters, says } from "./Phrase.ts"
import type { Qualifier } from "./Qualifiers.ts"
import { mark } from "./Text.ts"

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
  /** What follows in the same list is no section either. */
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

/** The place where the crawl starts, and what lies below it. */
const start =
  /\b(?:(?:pages? |links? |content |everything |anything |urls? |whatever |what(?:'s| is) )*(?:that (?:is|are) )?(?:below|under|underneath|beneath|inside|within|in) )?(?:this|the (?:start(?:ing)?|given|current|same))(?: (?:very )?(?:one|url|page|path|section|folder|directory|category|collection|subtree|part|area|branch|version|subfolder|subdirectory))\b(?: of (?:the )?\w+)?|\b(?:child(?:ren)?|sub-?)(?: ?pages?)\b(?: of (?:this|it))?|\b(?:below|under|beneath) (?:this|it|here)(?: one)?\b/i

const paths = /(?<![\w@:§/.])(?:https?:\/\/([\w.-]+))?(\/(?:[\w~%+*.-]+\/?)*)(?![\w@])/g

/** Takes the explicit paths out of a text; a path of another host stays. */
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

/** Cuts off what pages are about: a crawl goes by addresses. */
const takeTopic = (text: string): { readonly text: string; readonly unread: ReadonlyArray<string> } => {
  const topic = topical.exec(text)
  if (topic === null || topic[0].includes("@")) return { text, unread: [] }
  // "pages about pricing": a section after all.
  const known = /^about (?:the |our |your |their )?([\w -]+?)\s*$/i.exec(topic[0])?.[1]
  if (known !== undefined && lookUp(known) !== undefined && !matters(text.slice(0, topic.index)))
    return { text: `in ${known}`, unread: [] }
  return { text: text.slice(0, topic.index), unread: matters(topic[0]) ? [topic[0].trim()] : [] }
}

/** The noun phrases of a text, each with where it ends and whether it says where something lies. */
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

/** Reads what a clause names; `listed` when the clause before it in the same list named a section. */
export const read = (
  clause: Clause,
  text: string,
  qualifiers: ReadonlyArray<Qualifier>,
  host: string,
  listed: boolean
): Named => {
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
      // "extract titles from the blog": what comes before the place is on pages, and no page.
      // "articles in /blog" are those below the path; "pagination like /page/2" is more than its example.
      const exemplified = example.test(piece)
      if (first && ((named && !exemplified) || clause.cue === "extract")) continue
      const judgement = judge(piece.replace(example, ""), clause, { located, listed })
      // What was not understood before it may be about anything, unless this is called a section.
      const certain = clause.cue !== "none" || unread.length === topic.unread.length || framed.test(piece)
      if (judgement?._tag === "Section" && certain) {
        sections.push({ name: { segments: judgement.segments }, ...none })
        last = end
      }
      if (judgement?._tag === "Unread") unread.push(piece.trim())
      ends = judgement?._tag === "Unread" && judgement.ends
      if (ends) break
    }
  }
  // "German docs": of these sections only. "docs and blog from 2024": of all that are listed before.
  const adjectival = sections.length > 0 && (last < 0 || !topic.text.slice(last).includes("@"))
  return adjectival
    ? { sections: sections.map((section) => ({ ...section, ...qualified })), trailing: none, unread, ends }
    : { sections, trailing: qualified, unread, ends }
}
