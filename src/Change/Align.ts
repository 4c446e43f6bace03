/** Finds the blocks that two versions of a page have in common, in any order, and pairs the edited ones. */
import { groupOf, isHeading, nameOf, type ReadBlock } from "./Blocks.ts"
import { makeSpans, type Span } from "./Spans.ts"
import type { Token } from "./Tokens.ts"

/** A block that is not common to both versions, with the common blocks around it. */
export interface Loose {
  readonly block: ReadBlock
  /** Position of the block in its own version. */
  readonly at: number
  /** Position in the new version. A removed block gets the position of the block before it plus one half. */
  readonly order: number
  /** Words of the nearest common blocks before and after it (`before`, `after`), and the names of these two blocks (`above`, `below`). */
  readonly before: string
  readonly after: string
  readonly above: string
  readonly below: string
}

export interface Edited {
  readonly old: Loose
  readonly fresh: Loose
  /** Returns the runs of tokens that are common to both blocks or differ; computed at the first call. */
  readonly spans: () => ReadonlyArray<Span>
}

export interface Alignment {
  /** Common blocks: position in the new version → position in the old one. */
  readonly common: ReadonlyMap<number, number>
  readonly edited: ReadonlyArray<Edited>
  readonly removed: ReadonlyArray<Loose>
  readonly added: ReadonlyArray<Loose>
}

/** Maximum pairs that are compared word by word. With more, only blocks after the same common block are compared. */
const maxPairs = 10_000

/** Maximum candidates that a block is compared with above `maxPairs`. */
const maxNear = 4

/** Minimum share of common words for two blocks to be versions of each other. */
const minSimilarity = 0.5
/** Minimum share of common words for two blocks between the same neighbours. */
const minNearSimilarity = 0.34

const withLinks = (block: ReadBlock, linkOf: (link: string) => string): string =>
  `${block.words}\n${block.links.map(linkOf).join(" ")}`

/** Maximum tokens of a short block, such as a price or a stock level, which is only comparable under the same headings. */
const maxShort = 8

const withHeadings = (block: ReadBlock, key: string): string =>
  isHeading(block) || block.tokens.length > maxShort ? key : `${key}\n${block.sections.join("\n")}`

const looseOf = (blocks: ReadonlyArray<ReadBlock>, isCommon: (at: number) => boolean): ReadonlyArray<Loose> => {
  const after = new Array<string>(blocks.length)
  let next = "end"
  for (let at = blocks.length - 1; at >= 0; at--) {
    after[at] = next
    if (isCommon(at)) next = blocks[at]?.words ?? ""
  }
  let before = "start"
  const names = new Map<string, string>()
  const cachedName = (words: string): string => {
    const known = names.get(words) ?? nameOf(words)
    names.set(words, known)
    return known
  }
  return blocks.flatMap((block, at) => {
    if (isCommon(at)) {
      before = block.words
      return []
    }
    const end = after[at] ?? "end"
    return [{ block, at, order: at, before, after: end, above: cachedName(before), below: cachedName(end) }]
  })
}

/** Two numbers or two dates count as equal, because they are often what was edited. */
const comparedAs = ({ kind, value }: Token): string => (kind === "word" || kind === "mark" ? value : `<${kind}>`)

const counts = new WeakMap<ReadBlock, ReadonlyMap<string, number>>()

const countsOf = (block: ReadBlock): ReadonlyMap<string, number> => {
  const known = counts.get(block)
  if (known !== undefined) return known
  const made = new Map<string, number>()
  for (const token of block.tokens) made.set(comparedAs(token), (made.get(comparedAs(token)) ?? 0) + 1)
  counts.set(block, made)
  return made
}

/** Share of tokens that two blocks have in common (Dice coefficient). */
const similarity = (a: ReadBlock, b: ReadBlock): number => {
  const total = a.tokens.length + b.tokens.length
  if (total === 0) return 0
  const other = countsOf(b)
  let common = 0
  for (const [word, count] of countsOf(a)) common += Math.min(count, other.get(word) ?? 0)
  return (2 * common) / total
}

/** True if only numbers, dates and times differ: "$10" and "$12", or "12 May" and "13 May". */
const isSameForm = (a: ReadBlock, b: ReadBlock): boolean =>
  a.tokens.length === b.tokens.length &&
  a.tokens.every(({ kind, value }, index) => {
    const other = b.tokens[index]
    return other !== undefined && (value === other.value || (kind === other.kind && kind !== "word" && kind !== "mark"))
  })

/** True if both blocks consist of a link to the same page. */
const isSameLink = (a: ReadBlock, b: ReadBlock): boolean =>
  a.isLink && b.isLink && a.links.length === 1 && b.links.length === 1 && a.links[0] === b.links[0]

const scoreOf = (old: Loose, fresh: Loose): number => {
  if (groupOf(old.block) !== groupOf(fresh.block)) return 0
  // The same block under another heading is not an edit: it is removed in the old place and added in the new one.
  if (old.block.words === fresh.block.words && old.block.links.join(" ") === fresh.block.links.join(" ")) return 0
  const isBetween = old.before === fresh.before && old.after === fresh.after
  const isNear = isBetween || old.before === fresh.before || old.after === fresh.after
  const alike = similarity(old.block, fresh.block)
  const isForm = (isNear && isSameForm(old.block, fresh.block)) || isSameLink(old.block, fresh.block)
  if (!isForm && alike < (isBetween ? minNearSimilarity : minSimilarity)) return 0
  return alike + (isBetween ? 0.4 : isNear ? 0.2 : 0) + (isForm ? 0.3 : 0)
}

const valuesOf = ({ block }: Loose): ReadonlyArray<string> => block.tokens.map(({ value }) => value)

const pairsOf = (
  removed: ReadonlyArray<Loose>,
  added: ReadonlyArray<Loose>
): ReadonlyArray<Pick<Edited, "old" | "fresh">> => {
  const isLarge = removed.length * added.length > maxPairs
  const near = new Map<string, Array<Loose>>()
  if (isLarge)
    for (const fresh of added) near.set(fresh.before, [...(near.get(fresh.before) ?? []), fresh].slice(-maxNear))
  const candidates = removed.flatMap((old) =>
    (isLarge ? (near.get(old.before) ?? []) : added).flatMap((fresh) => {
      const score = scoreOf(old, fresh)
      return score === 0 ? [] : [{ old, fresh, score }]
    })
  )
  candidates.sort((a, b) => b.score - a.score || a.old.at - b.old.at || a.fresh.at - b.fresh.at)
  const taken = new Set<Loose>()
  return candidates.filter(({ fresh, old }) => {
    if (taken.has(old) || taken.has(fresh)) return false
    taken.add(old).add(fresh)
    return true
  })
}

type Test = (block: ReadBlock) => boolean

/** Finds the common blocks: position in the new version → position in the old one. */
const commonOf = (
  old: ReadonlyArray<ReadBlock>,
  fresh: ReadonlyArray<ReadBlock>,
  linkOf: (link: string) => string
): ReadonlyMap<number, number> => {
  const common = new Map<number, number>()
  const kept = new Set<number>()
  const match = (keyOf: (block: ReadBlock) => string, isOld: Test, isFresh: Test) => {
    const places = new Map<string, Array<number>>()
    for (let at = old.length - 1; at >= 0; at--) {
      const block = old[at]
      if (block === undefined || kept.has(at) || !isOld(block)) continue
      const found = places.get(keyOf(block))
      if (found === undefined) places.set(keyOf(block), [at])
      else found.push(at)
    }
    for (const [at, block] of fresh.entries()) {
      const place = common.has(at) || !isFresh(block) ? undefined : places.get(keyOf(block))?.pop()
      if (place === undefined) continue
      common.set(at, place)
      kept.add(place)
    }
  }
  const any = () => true
  match((block) => withHeadings(block, withLinks(block, linkOf)), any, any)
  // Then match the blocks under headings that only one version has, without their headings: the heading may have been renamed, or shown
  // only once.
  const isUnder = (others: ReadonlyArray<ReadBlock>): Test => {
    const headings = new Set(others.filter(isHeading).map(({ words }) => words))
    return ({ sections }) => sections.some((section) => !headings.has(section))
  }
  match((block) => withLinks(block, linkOf), any, isUnder(old))
  match((block) => withLinks(block, linkOf), isUnder(fresh), any)
  return common
}

/** Aligns two versions of a page. `linkOf` returns the key by which links are compared. */
export const align = (
  old: ReadonlyArray<ReadBlock>,
  fresh: ReadonlyArray<ReadBlock>,
  linkOf: (link: string) => string
): Alignment => {
  const common = commonOf(old, fresh, linkOf)
  const places = new Map([...common].map(([at, place]) => [place, at]))
  const removed = looseOf(old, (at) => places.has(at))
  const added = looseOf(fresh, (at) => common.has(at))
  const spansOf = makeSpans()
  const edited = pairsOf(removed, added).map((pair): Edited => {
    let spans: ReadonlyArray<Span> | undefined
    return {
      ...pair,
      spans: () => {
        spans ??= spansOf(valuesOf(pair.old), valuesOf(pair.fresh))
        return spans
      }
    }
  })
  for (const pair of edited) places.set(pair.old.at, pair.fresh.at)
  const orders: Array<number> = []
  for (const at of old.keys()) orders.push(places.get(at) ?? Math.floor(orders.at(-1) ?? -1) + 0.5)
  const paired = new Set(edited.flatMap((pair) => [pair.old, pair.fresh]))
  return {
    common,
    edited,
    removed: removed.flatMap((loose) => (paired.has(loose) ? [] : [{ ...loose, order: orders[loose.at] ?? 0 }])),
    added: added.filter((loose) => !paired.has(loose))
  }
}
