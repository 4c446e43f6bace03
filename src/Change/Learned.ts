/**
 * Volatile parts of a page, which differ at every visit: values inside a block, blocks at a position, whole sections, and parts of links.
 *
 * They are learned from two fetches in quick succession, between which nothing important can have changed, and from values that change at
 * every visit. Each list of entries is limited: the latest ones stay. The value is plain JSON and part of the pipeline's state.
 */

import * as Schema from "effect/Schema"
import type { Alignment, Edited, Loose } from "./Align.ts"
import { groupOf, isHeading, nameOf, type ReadBlock } from "./Blocks.ts"
import type { Token, TokenKind } from "./Tokens.ts"

/** Part of a template: a fixed word, or a slot for at most `most` tokens of these kinds, which differ from visit to visit. */
const Part = Schema.Union(
  Schema.String,
  Schema.Struct({
    kinds: Schema.Array(Schema.Literal("word", "number", "date", "time", "mark", "usual")),
    most: Schema.Int
  })
)
type Part = typeof Part.Type

export const Template = Schema.Struct({
  kind: Schema.String,
  parts: Schema.Array(Part),
  before: Schema.String,
  after: Schema.String
})
export type Template = typeof Template.Type

/** Position beside stable blocks at which blocks of one shape come and go: the names of the blocks before and after it, and the shape. */
const Place = Schema.Struct({
  before: Schema.String,
  after: Schema.String,
  shape: Schema.String,
  /** Maximum words that a block at this position had. */
  words: Schema.Int,
  /** Maximum number of such blocks at one visit. */
  most: Schema.Int
})
type Place = typeof Place.Type

export const Learned = Schema.Struct({
  templates: Schema.Array(Template),
  places: Schema.Array(Place),
  /** Names of headings; the blocks below them come and go. */
  sections: Schema.Array(Schema.String),
  /** Names of blocks that come and go. */
  blocks: Schema.Array(Schema.String),
  /** Query parameters whose values differ between visits. */
  parameters: Schema.Array(Schema.String),
  /** Link prefixes; the path segment after the prefix differs at every visit. */
  prefixes: Schema.Array(Schema.String)
})
export type Learned = typeof Learned.Type

export const nothing: Learned = { templates: [], places: [], sections: [], blocks: [], parameters: [], prefixes: [] }

const limits = { templates: 100, places: 100, sections: 50, blocks: 400, parameters: 50, prefixes: 50 }

const latest = <A>(older: ReadonlyArray<A>, newer: ReadonlyArray<A>, most: number): ReadonlyArray<A> => {
  const entries = new Map<string, A>()
  for (const each of [...older, ...newer]) {
    const key = JSON.stringify(each)
    entries.delete(key)
    entries.set(key, each)
  }
  return [...entries.values()].slice(-most)
}

export const merge = (older: Learned, newer: Partial<Learned>): Learned => ({
  templates: latest(older.templates, newer.templates ?? [], limits.templates),
  places: latest(older.places, newer.places ?? [], limits.places),
  sections: latest(older.sections, newer.sections ?? [], limits.sections),
  blocks: latest(older.blocks, newer.blocks ?? [], limits.blocks),
  parameters: latest(older.parameters, newer.parameters ?? [], limits.parameters),
  prefixes: latest(older.prefixes, newer.prefixes ?? [], limits.prefixes)
})

// ---- links

/** Query parameters for sessions, campaigns and caches, which do not change where a link leads. */
const usualParameter =
  /^(?:utm_.*|mc_[ce]id|fbclid|gclid|msclkid|dclid|igshid|yclid|_ga|_gl|ref|referrer|sid|s_?id|sess(?:ion)?_?(?:id)?|phpsessid|jsessionid|token|csrf.*|nonce|ts|timestamp|_|cb|cache|cachebuster|rand|rnd|visitor.*|click_?id|impression.*|trk.*|tracking.*)$/i

const segmentsOf = (link: string): ReadonlyArray<string> => (/^[^?#]*/.exec(link)?.[0] ?? "").split("/")

const parametersOf = (link: string): ReadonlyArray<readonly [name: string, value: string]> =>
  (/\?([^#]*)/.exec(link)?.[1] ?? "")
    .split("&")
    .filter((each) => each !== "")
    .map((each) => [each.split("=")[0] ?? "", each])

/** Comparison key of a link. */
export const linkOf =
  ({ parameters, prefixes }: Learned) =>
  (link: string): string => {
    const left = parametersOf(link)
      .filter(([name]) => !usualParameter.test(name) && !parameters.includes(name))
      .map(([, each]) => each)
      .sort()
    const segments = segmentsOf(link.replace(/;jsessionid=[^?#/]*/i, "")).map((segment, at, all) =>
      prefixes.includes(all.slice(0, at).join("/")) ? "…" : segment
    )
    const path = segments.join("/").replace(/\/$/, "")
    // "#/plans" is a page of a single-page application; other fragments are positions in a page.
    const route = /#[!/].*/.exec(link)?.[0] ?? ""
    return `${path}${left.length === 0 ? "" : `?${left.join("&")}`}${route}`
  }

const linkDifferences = ({ fresh, old }: Edited): Pick<Learned, "parameters" | "prefixes"> => {
  const parameters: Array<string> = []
  const prefixes: Array<string> = []
  for (const [index, before] of old.block.links.entries()) {
    const now = fresh.block.links[index]
    if (now === undefined || now === before) continue
    const known = new Map(parametersOf(before))
    for (const [name, value] of parametersOf(now))
      if (known.has(name) && known.get(name) !== value) parameters.push(name)
    const [was, is] = [segmentsOf(before), segmentsOf(now)]
    const different = was.flatMap((segment, at) => (segment === is[at] ? [] : [at]))
    const [at = 0] = different
    // A link that differs in more than one segment, or in its host, leads elsewhere.
    if (different.length === 1 && was.length === is.length && at > 2) prefixes.push(was.slice(0, at).join("/"))
  }
  return { parameters, prefixes }
}

// ---- values inside blocks

const kindsOf = (tokens: ReadonlyArray<Token>): ReadonlyArray<TokenKind> =>
  [...new Set(tokens.map(({ kind }) => kind))].sort()

const templateOf = ({ fresh, old, spans }: Edited): Template => {
  const parts = spans().flatMap((span): ReadonlyArray<Part> => {
    const [was, is] = [old.block.tokens.slice(...span.old), fresh.block.tokens.slice(...span.fresh)]
    return span.isCommon
      ? is.map(({ value }) => value)
      : [{ kinds: kindsOf([...was, ...is]), most: Math.max(was.length, is.length) * 2 + 1 }]
  })
  return { kind: groupOf(fresh.block), parts, before: fresh.above, after: fresh.below }
}

/**
 * Minimum fixed words of a template that applies anywhere. With fewer it is too general, and applies only next to a block beside which it
 * was learned.
 */
const minWords = 3

const fits = (template: Template, { above, below, block }: Loose): boolean => {
  if (template.kind !== groupOf(block)) return false
  const words = template.parts.filter((part) => typeof part === "string").length
  if (words < minWords && template.before !== above && template.after !== below) return false
  let at = 0
  for (const [index, part] of template.parts.entries()) {
    if (typeof part === "string") {
      if (block.tokens[at]?.value !== part) return false
      at++
      continue
    }
    const next = template.parts[index + 1]
    const start = at
    for (; at < block.tokens.length && at - start < part.most; at++) {
      const token = block.tokens[at]
      if (token === undefined || (typeof next === "string" && token.value === next)) break
      if (!part.kinds.includes(token.kind)) return false
    }
  }
  return at === block.tokens.length
}

/** True if two versions of a block differ only in values that a template has learned. */
export const isLearnedEdit = ({ templates }: Learned, { fresh, old }: Edited): boolean =>
  old.block.words !== fresh.block.words && templates.some((template) => fits(template, old) && fits(template, fresh))

/** True if the template fits the block before and after the edit, so that only the values in its slots have changed. */
export const fitsTemplate = (template: Template, edited: Edited): boolean =>
  fits(template, edited.old) && fits(template, edited.fresh)

// ---- blocks that come and go

const maxQuote = 1000

/** True for a quotation followed by its speaker's name: “…” – Ada Lovelace. */
const isQuote = ({ links, text }: ReadBlock): boolean =>
  links.length === 0 &&
  text.length <= maxQuote &&
  /^[“„"«»][^“”"«»]{10,}[”“"«»]\s{0,3}[-–—]\s{0,3}\p{Lu}[^\d.!?]{1,60}$/u.test(text)

/**
 * Shape of a block, which similar blocks share, such as items of a list: kind, whether it is a link, and the beginning of its first link.
 * Quotations are a kind of their own.
 */
const shapeOf = (block: ReadBlock): string => {
  const { isLink, links } = block
  const [first] = links
  const host = first === undefined ? "" : segmentsOf(first).slice(0, 4).join("/")
  const kind = isQuote(block) ? "quote" : block.kind
  return `${kind} ${isLink ? "link" : first === undefined ? "text" : "linked"} ${host}`
}

const generalShape = (shape: string): string => shape.split(" ").slice(0, 2).join(" ")

const placesOf = (loose: ReadonlyArray<Loose>): ReadonlyArray<Place> => {
  const found = new Map<string, Place>()
  for (const { above, below, block } of loose) {
    const place = { before: above, after: below, shape: shapeOf(block) }
    const key = Object.values(place).join(" ")
    const known = found.get(key)
    const words = Math.max(known?.words ?? 0, block.tokens.length)
    found.set(key, { ...place, words, most: (known?.most ?? 0) + 1 })
  }
  return [...found.values()]
}

/** Maximum share of the page's blocks that a section may have to count as coming and going as a whole. */
const maxShareOfPage = 0.4

const sectionsOf = ({ added, common, removed }: Alignment, fresh: ReadonlyArray<ReadBlock>): ReadonlyArray<string> => {
  const stays = new Map<string, number>()
  const moves = new Map<string, number>()
  const count = (counts: Map<string, number>, sections: ReadonlyArray<string>) => {
    for (const section of sections) counts.set(section, (counts.get(section) ?? 0) + 1)
  }
  for (const at of common.keys()) {
    const block = fresh[at]
    if (block !== undefined) count(stays, block.sections)
  }
  if (common.size === 0) return []
  for (const { block } of [...added, ...removed]) count(moves, block.sections.slice(-1))
  return [...moves].flatMap(([section, moved]) => {
    const stable = stays.get(section) ?? 0
    return moved >= 2 && moved >= stable && stable <= common.size * maxShareOfPage ? [nameOf(section)] : []
  })
}

/** Edits that replaced an item by another: several words changed, or words and the link's target. */
const rewritten = (edited: ReadonlyArray<Edited>): ReadonlyArray<Edited> =>
  edited.filter((edit) => {
    const { fresh, old } = edit
    const hasWords = (part: Part) => typeof part !== "string" && part.kinds.includes("word")
    const slots = templateOf(edit).parts.filter(hasWords)
    const leadsElsewhere = fresh.block.isLink && fresh.block.links.join(" ") !== old.block.links.join(" ")
    return slots.some((part) => leadsElsewhere || (typeof part !== "string" && part.most > 3))
  })

/** Learns what changes at every visit from two fetches of the same page in quick succession. */
export const learn = (alignment: Alignment, fresh: ReadonlyArray<ReadBlock>): Partial<Learned> => {
  const { added, edited, removed } = alignment
  const links = edited.map(linkDifferences)
  const loose = [...added, ...removed, ...edited.flatMap(({ fresh, old }) => [fresh, old])]
  return {
    templates: edited.filter(({ fresh, old }) => fresh.block.words !== old.block.words).map(templateOf),
    // Counted separately, because added and removed blocks are never on the page at the same time.
    places: [...placesOf([...added, ...rewritten(edited).map(({ fresh }) => fresh)]), ...placesOf(removed)],
    sections: sectionsOf(alignment, fresh),
    blocks: loose.map(({ block }) => nameOf(block.words)),
    parameters: links.flatMap(({ parameters }) => parameters),
    prefixes: links.flatMap(({ prefixes }) => prefixes)
  }
}

/** Makes the template of an edit, which recognizes later edits of the same values. */
export const template = templateOf

const relatedHeading =
  /\b(?:related|recommended|you (?:may|might) (?:also )?(?:like|enjoy)|more (?:from|in|stories|articles|posts)|popular|trending|most (?:read|viewed|popular)|latest (?:news|posts|stories|articles|videos)|recently viewed|(?:customers|people|others) (?:also|who)|similar|sponsored|from around the web|read next|up next|don't miss|editors?'? picks|das könnte|ähnliche|mehr zum thema|meistgelesen|à lire aussi|sur le même sujet|te puede interesar|relacionad[oa]s)\b/

/** Headings above customer testimonials, which sites rotate. */
const testimonialHeading =
  /\b(?:testimonials?|what (?:our |the )?(?:customers|clients|users|readers|members|people) (?:say|are saying)|kundenstimmen|das sagen unsere kunden|témoignages|testimonios)\b/

const advertising =
  /^(?:\w+ )?(?:ad|ads|advert|advertisement|advertising|sponsored|promoted|paid content|anzeige|werbung|publicité|publicidad|patrocinado)\b/

const notice =
  /\b(?:(?:we|this (?:site|website|page)) uses? cookies?|accept (?:all )?cookies|cookie (?:policy|settings|preferences|consent)|(?:subscribe|sign up) (?:to|for) (?:our|the) (?:free )?newsletter|wir verwenden cookies|utilise des cookies|utiliza cookies)\b/

/** Advertising networks. A site's own `/ads/` may be its offers. */
const adNetwork = /(?:doubleclick|googlesyndication|adservice|taboola|outbrain|\/\/ads?\.)/i

const maxTeaser = 40
const maxWeather = 200

const weather = /\b(?:currently|right now|weather|feels like|humidity)\b.*°|°.*\b(?:currently|right now|humidity)\b/i

const textOf = (block: ReadBlock): string => block.tokens.map(({ value }) => value).join(" ")

const maxHeading = 8
const maxLabel = 3

const isNamed = (block: ReadBlock, names: RegExp): boolean =>
  isHeading(block) && block.kind !== "h1" && block.tokens.length <= maxHeading && names.test(textOf(block))

/** Quotes and authors under testimonial headings: at most two paragraphs, because later ones may belong to the page. */
const voicesIn = (blocks: ReadonlyArray<ReadBlock>): ReadonlySet<ReadBlock> =>
  new Set(
    blocks.flatMap((block, at) =>
      isNamed(block, testimonialHeading)
        ? blocks
            .slice(at + 1, at + 3)
            .filter(
              ({ kind, tokens }) =>
                kind === "paragraph" && tokens.length <= maxTeaser && !tokens.some((token) => token.kind === "number")
            )
        : []
    )
  )

/** Sections of related links: the heading says so, at least half of the blocks are links, and the section is not most of the page. */
const relatedSections = (blocks: ReadonlyArray<ReadBlock>): ReadonlySet<string> => {
  const named = blocks.filter((block) => isNamed(block, relatedHeading))
  const sizes = new Map(named.map(({ words }) => [words, { all: 0, links: 0 }]))
  for (const { isLink, sections } of sizes.size === 0 ? [] : blocks) {
    for (const section of new Set(sections)) {
      const size = sizes.get(section)
      if (size === undefined) continue
      size.all++
      if (isLink) size.links++
    }
  }
  const isRelated = ({ all, links }: { readonly all: number; readonly links: number }) =>
    links >= 1 && links * 2 >= all && all <= blocks.length * maxShareOfPage
  return new Set([...sizes].filter(([, size]) => isRelated(size)).map(([words]) => words))
}

/** True for advertisements, cookie notices, weather and related links, recognized by their words. */
const isUsual = ({ before, block }: Loose, isEdited: boolean, related: ReadonlySet<string>): boolean => {
  if (isHeading(block)) return related.has(block.words)
  const text = textOf(block)
  const label = before.startsWith("text ") ? before.slice("text ".length) : ""
  const isAdvertisement = block.links.length > 0 || block.tokens.length <= maxLabel
  return (
    (advertising.test(text) && isAdvertisement && block.tokens.length <= maxTeaser) ||
    // A notice may appear or disappear, but changed words in a notice count.
    (!isEdited && notice.test(text) && block.tokens.length <= maxTeaser) ||
    (advertising.test(label) && label.split(" ").length <= maxLabel) ||
    (block.isLink && block.links.some((link) => adNetwork.test(link))) ||
    (block.text.length <= maxWeather && weather.test(block.text)) ||
    (block.tokens.length <= maxTeaser && block.sections.some((section) => related.has(section)))
  )
}

const [minCall, maxCall] = [3, 8]

const signUp = /\/(?:join|sign-?up|subscribe|newsletter|trial|free-trial|get-started)\/?(?:[?#]|$)/i

const closing = /^(?:closed|full|sold|ended|over|wait(?:list|ing)?|paused|soon|not|no|never|until|last)$/

const isCall = ({ block }: Loose): boolean =>
  block.kind === "paragraph" &&
  block.isLink &&
  block.links.every((link) => signUp.test(link)) &&
  block.tokens.length >= minCall &&
  block.tokens.length <= maxCall

/** True for a call to sign up made only of words, none of which says that the offer has ended. */
const isOpenCall = (loose: Loose): boolean =>
  isCall(loose) && loose.block.tokens.every(({ kind, value }) => kind === "word" && !closing.test(value))

/**
 * True for a call to sign up with new wording, as in A/B tests: a short paragraph that is a link, whose target is unchanged.
 *
 * Other links count: "Sold out" may have become "Buy now".
 */
export const isReworded = ({ fresh, old, spans }: Edited): boolean => {
  if (!isCall(old) || !isCall(fresh) || old.block.links.join(" ") !== fresh.block.links.join(" ")) return false
  const differing = spans().flatMap((span) =>
    span.isCommon ? [] : [...old.block.tokens.slice(...span.old), ...fresh.block.tokens.slice(...span.fresh)]
  )
  return differing.every(({ kind, value }) => kind === "word" && !closing.test(value))
}

/** Makes the test that decides, for one comparison, which blocks without a counterpart merely come and go. */
export const makeLooseTest = (
  { blocks, places, sections }: Learned,
  { added, common, removed }: Pick<Alignment, "added" | "common" | "removed">,
  fresh: ReadonlyArray<ReadBlock>,
  version: ReadonlyArray<ReadBlock>
): ((loose: Loose, isEdited: boolean) => boolean) => {
  const related = relatedSections(version)
  const voices = voicesIn(version)
  const swapsCalls = added.some(isOpenCall) && removed.some(isOpenCall)
  const names = new Set(blocks)
  const moving = new Set(sections)
  const stableShapes = new Set(
    [...common.keys()].flatMap((at) => (fresh[at] === undefined ? [] : [shapeOf(fresh[at])]))
  )
  /** Number of blocks matched to each position, which is limited. */
  const used = new Map<Place, number>()
  const take = (place: Place, most: number): boolean => {
    const count = (used.get(place) ?? 0) + 1
    used.set(place, count)
    return count <= most
  }
  return (loose, isEdited) => {
    const { above, below, block } = loose
    if (isUsual(loose, isEdited, related) || names.has(nameOf(block.words))) return true
    if (voices.has(block) || (!isEdited && swapsCalls && isOpenCall(loose))) return true
    // A block that two visits in a row have found is not one that comes and goes.
    if (block.isSettled) return false
    if (block.sections.some((section) => moving.has(nameOf(section)))) return true
    if (isHeading(block) && moving.has(nameOf(block.words))) return true
    const shape = shapeOf(block)
    const isOfSize = ({ words }: Place) => block.tokens.length <= words * 2 + 4
    for (const place of places) {
      if (generalShape(place.shape) !== generalShape(shape) || !isOfSize(place)) continue
      const isThere = place.before === above || place.after === below
      if (isThere && take(place, place.most)) return true
    }
    // Links and quotations of a shape that no stable block has match at any position, because advertisements move.
    if ((block.links.length === 0 && !isQuote(block)) || stableShapes.has(shape)) return false
    return places.some((place) => place.shape === shape && isOfSize(place) && take(place, 2 * place.most + 1))
  }
}

// ---- for people

const maxShown = 80

const shown = (text: string): string => (text.length > maxShown ? `${text.slice(0, maxShown - 1)}…` : text)

/** A learned template as text for people, with … for the parts that vary: `… views`. */
export const describeTemplate = ({ parts }: Template): string =>
  shown(parts.map((part) => (typeof part === "string" ? part : "…")).join(" "))
