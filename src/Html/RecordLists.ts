/**
 * Finds the record lists of a page: elements that repeat, each with a title, a link, a price or the like, such as products, articles or
 * posts.
 *
 * Candidates are siblings with the same tag and mostly the same classes, together with elements at the same path elsewhere in the page. The
 * best list has the most text in records of their own; navigation, filters and everything outside of the content count less.
 */
import { hides, isBoilerplate, isMarked } from "./Boilerplate.ts"
import { descendantsOf, type Element, isElement, rankOf, trimmedLength } from "./Element.ts"
import type { PageUrls } from "./PageUrls.ts"
import { type RecordColumns, readColumns } from "./RecordColumns.ts"
import { selectorOf } from "./RecordSelectors.ts"
import type { Tree } from "./Tree.ts"

export interface RecordList extends RecordColumns {
  readonly count: number
  /** CSS selector that matches exactly these records in the page; undefined if there is no simple one. */
  readonly selector: string | undefined
}

/** Maximum lists returned, candidates whose columns are read, and records per list. */
const [maxLists, maxCandidates, maxRecords] = [5, 36, 5_000]

/** Elements that can be parts of a record, but never a record. */
const notRecords = new Set(
  "b br button caption col dd dt em hr i img input label link meta option p path picture source strong sub sup svg td th thead tfoot u".split(
    " "
  )
)

/** Counts for an element, including everything in it. */
interface Facts {
  text: number
  /** Characters in links. */
  linked: number
  links: number
  images: number
  headings: number
  /** Number of elements that have text of their own. */
  pieces: number
  /** Position in the page. */
  order: number
  /** First URL in the element. */
  href: string | undefined
}

interface Group {
  readonly kind: Kind
  /** Tag name of the record, then the tag names and classes of its parent and grandparent: `li<ul.list<div.results`. */
  readonly path: string
}

const stateWord =
  /^(?:first|last|odd|even|active|selected|current|new|open|closed|hidden|visible|alt|is-.*|has-.*|js-.*)$/i

/** Caches of parsed classes for the current page, whose elements share them. */
const knownWords = new Map<string, ReadonlyArray<string>>()
const knownNames = new Map<string, string>()

const cached = <A>(cache: Map<string, A>, key: string, make: () => A): A => {
  const known = cache.get(key)
  if (known !== undefined) return known
  const made = make()
  cache.set(key, made)
  return made
}

/** Words of a class, without states; all digits count as the same. */
const classWords = ({ attributes }: Element): ReadonlyArray<string> => {
  const { class: classes } = attributes
  if (classes === undefined) return []
  return cached(knownWords, classes, () =>
    classes
      .split(/\s+/)
      .filter((word) => word !== "" && !stateWord.test(word))
      .map((word) => word.replace(/\d+/g, "#"))
  )
}

class Reader {
  readonly facts = new Map<Element, Facts>()
  readonly groups: Array<Group> = []

  measure(element: Element, isLinked: boolean): Facts {
    const facts: Facts = {
      text: 0,
      linked: 0,
      links: 0,
      images: 0,
      headings: 0,
      pieces: 0,
      order: this.facts.size,
      href: undefined
    }
    this.facts.set(element, facts)
    const { attributes, name } = element
    const isLink = name === "a" && attributes.href !== undefined
    let hasText = false
    for (const child of element.children) {
      if (!isElement(child)) {
        const length = trimmedLength(child)
        facts.text += length
        if (isLinked || isLink) facts.linked += length
        hasText ||= length > 0
      } else if (child.layout !== "unseen" && !hides(child)) {
        const inner = this.measure(child, isLinked || isLink)
        facts.text += inner.text
        facts.linked += inner.linked
        facts.links += inner.links
        facts.images += inner.images
        facts.headings += inner.headings
        facts.pieces += inner.pieces
        facts.href ??= inner.href
      } else if (child.name === "img") facts.images++
    }
    if (hasText) facts.pieces++
    if (name === "img") facts.images++
    if (isLink) {
      facts.links++
      facts.href = attributes.href
    }
    if (rankOf(element) > 0 && facts.text > 0) facts.headings = 1
    if (element.children.length > 0) this.#group(element)
    return facts
  }

  /** Groups the children of an element. */
  #group(parent: Element): void {
    const byTag = new Map<string, Array<Element>>()
    for (const child of parent.children) {
      if (!isElement(child) || notRecords.has(child.name)) continue
      const facts = this.facts.get(child)
      if (facts === undefined || facts.text + facts.images === 0) continue
      const same = byTag.get(child.name)
      if (same === undefined) byTag.set(child.name, [child])
      else same.push(child)
    }
    for (const [name, same] of byTag) {
      if (same.length > maxRecords) continue
      for (const kind of kindsOf(same)) {
        const path = `${name}<${nameOf(parent)}<${parent.parent === undefined ? "" : nameOf(parent.parent)}`
        this.groups.push({ kind, path })
      }
    }
  }
}

const nameOf = (element: Element): string => {
  const { class: classes } = element.attributes
  if (classes === undefined) return element.name
  return cached(knownNames, `${element.name} ${classes}`, () =>
    [element.name, ...classWords(element).filter((word) => !word.includes("#"))].join(".")
  )
}

/**
 * Minimum share of siblings that must have a class word for it to be common, and minimum share of the common words that a record must have.
 */
const [commonShare, ownShare] = [0.6, 0.5]

/** Profile of a record: the names and classes of the elements in it, two levels deep. */
const profileOf = (record: Element): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const child of record.children) {
    if (!isElement(child) || child.layout === "unseen") continue
    const name = nameOf(child)
    found.add(name)
    for (const inner of child.children)
      if (isElement(inner) && inner.layout !== "unseen") found.add(`${name}>${nameOf(inner)}`)
    if (found.size > maxProfile) break
  }
  return found
}

const maxProfile = 60

/** Minimum share of the smaller profile that two records of the same kind have in common. */
const likeness = 0.3

const isLike = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => {
  if (a.size === 0 || b.size === 0) return a.size === b.size
  let count = 0
  for (const name of a) if (b.has(name)) count++
  return count >= likeness * Math.min(a.size, b.size)
}

/** Records that are similar. */
class Kind {
  readonly records: Array<Element>
  /** Class words, of which each record has some. */
  readonly words: ReadonlySet<string>
  #profile: ReadonlySet<string> | undefined

  constructor(record: Element, words: ReadonlySet<string>) {
    this.records = [record]
    this.words = words
  }

  /** Profile of the first record; computed only when there is another kind to compare with. */
  get profile(): ReadonlySet<string> {
    const [first] = this.records
    this.#profile ??= first === undefined ? new Set() : profileOf(first)
    return this.#profile
  }
}

/** Groups siblings with the same tag by their classes and their content. */
const kindsOf = (siblings: ReadonlyArray<Element>): ReadonlyArray<Kind> => {
  const words = siblings.map((element) => new Set(classWords(element)))
  const counts = new Map<string, number>()
  for (const own of words) for (const word of own) counts.set(word, (counts.get(word) ?? 0) + 1)
  const common = new Set(
    [...counts].filter(([, count]) => count >= commonShare * siblings.length).map(([word]) => word)
  )
  const kinds = new Map<string, Array<Kind>>()
  for (const [at, element] of siblings.entries()) {
    const own = words[at] ?? new Set()
    const isMain = common.size > 0 && shares(own, common)
    const key = isMain ? "" : `.${[...own].sort().join(" ")}`
    const same = kinds.get(key) ?? []
    const candidate = new Kind(element, isMain ? common : own)
    const kind = same.find((each) => isLike(each.profile, candidate.profile))
    if (kind !== undefined) kind.records.push(element)
    else if (same.length < maxKinds) same.push(candidate)
    if (same.length === 1) kinds.set(key, same)
  }
  return joinKinds([...kinds.values()].flat())
}

/**
 * Kinds with different classes, such as sticky posts, are merged if their profiles have `minProfile` entries and share `sameness` of the
 * larger one.
 */
const [minProfile, sameness] = [3, 0.6]

const joinKinds = (kinds: ReadonlyArray<Kind>): ReadonlyArray<Kind> => {
  const found: Array<Kind> = []
  for (const kind of kinds.toSorted((a, b) => b.records.length - a.records.length)) {
    const same = found.slice(0, maxKinds).find(({ profile }) => isSameProfile(profile, kind.profile))
    if (same === undefined) found.push(kind)
    else same.records.push(...kind.records)
  }
  return found
}

const isSameProfile = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => {
  if (a.size < minProfile || b.size < minProfile) return false
  let count = 0
  for (const name of a) if (b.has(name)) count++
  return count >= sameness * Math.max(a.size, b.size)
}

/** Maximum kinds of siblings with the same classes. */
const maxKinds = 8

const shares = (own: ReadonlySet<string>, common: ReadonlySet<string>): boolean => {
  if (common.size === 0) return true
  let count = 0
  for (const word of common) if (own.has(word)) count++
  return count >= ownShare * common.size
}

/** Joins groups that have the same path and the same classes. */
const joined = (groups: ReadonlyArray<Group>): ReadonlyArray<ReadonlyArray<Element>> => {
  const byPath = new Map<string, Array<Group>>()
  for (const group of groups) {
    const same = byPath.get(group.path)
    if (same === undefined) byPath.set(group.path, [group])
    else same.push(group)
  }
  const found: Array<ReadonlyArray<Element>> = []
  for (const same of byPath.values()) {
    let open = same.map(({ kind }) => kind).toSorted((a, b) => b.records.length - a.records.length)
    for (let turn = 0; turn < maxKinds && open.length > 0; turn++) {
      const [kind, ...others] = open as [Kind, ...Array<Kind>]
      const fitting = others.filter((each) => fits(kind.words, each.words) && isLike(kind.profile, each.profile))
      const records = [kind, ...fitting].flatMap((each) => each.records)
      if (records.length > 1 && records.length <= maxRecords) found.push(records)
      const taken = new Set(fitting)
      open = others.filter((each) => !taken.has(each))
    }
  }
  return found
}

const fits = (words: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  words.size === 0 ? others.size === 0 : shares(others, words)

/** Characters of a record's text that count towards its score. */
const maxText = 400

const marginTags = new Set(["nav", "footer", "aside", "dialog", "menu"])

/** Factor for the score of a list by its position: higher in `main`, lower in navigation and other boilerplate. */
const placeOf = (records: ReadonlyArray<Element>): number => {
  let factor = 1
  let around = records[0]
  let isOwn = true
  for (; around !== undefined; around = around.parent, isOwn = false) {
    if (around.name === "body") break
    if (marginTags.has(around.name) || around.attributes.role === "navigation") return 0.1
    if (isMarked(around)) factor = Math.min(factor, around.name === "form" || around.name === "fieldset" ? 0.7 : 0.2)
    else if (!isOwn && isBoilerplate(around)) factor = Math.min(factor, 0.4)
    if (around.name === "main" || around.attributes.role === "main") return factor * 1.3
  }
  return factor
}

/** Score of a candidate, computed from its facts. */
const valueOf = (records: ReadonlyArray<Element>, facts: ReadonlyMap<Element, Facts>): number => {
  let [text, headings, images, pieces] = [0, 0, 0, 0]
  const addresses = new Set<string>()
  for (const record of records) {
    const own = facts.get(record)
    if (own === undefined) continue
    text += Math.min(own.text, maxText)
    headings += own.headings > 0 ? 1 : 0
    images += own.images > 0 ? 1 : 0
    pieces += Math.min(own.pieces + own.images, 6)
    if (own.href !== undefined) addresses.add(own.href)
  }
  const count = records.length
  const distinct = count === 0 ? 0 : addresses.size / count
  const each = text / count + 30 * (headings / count) + 30 * (images / count)
  // A record usually has more than one piece of information.
  const facets = Math.min(1, pieces / count / 3)
  return count ** 0.9 * each * facets * (0.3 + 0.7 * distinct) * placeOf(records)
}

interface Candidate {
  readonly records: ReadonlyArray<Element>
  readonly value: number
  readonly text: number
  /** Number of different URLs per record. */
  readonly linked: number
}

const candidateOf = (records: ReadonlyArray<Element>, facts: ReadonlyMap<Element, Facts>): Candidate => {
  const addresses = new Set<string>()
  let text = 0
  for (const record of records) {
    const own = facts.get(record)
    if (own?.href !== undefined) addresses.add(own.href)
    text += own?.text ?? 0
  }
  return {
    records,
    value: valueOf(records, facts),
    text,
    linked: addresses.size / records.length
  }
}

interface Nesting {
  /** Number of the candidate's records that lie within records of the other candidate. */
  inside: number
  /** Records of the other candidate that contain at least one of these. */
  readonly holding: Set<Element>
}

/** Maximum levels searched above a record. */
const maxAbove = 100

/** Counts, for each pair of candidates, the records of one inside those of the other. */
const nestingOf = (candidates: ReadonlyArray<Candidate>) => {
  const owners = new Map<Element, Array<Candidate>>()
  for (const candidate of candidates)
    for (const record of candidate.records) {
      const known = owners.get(record)
      if (known === undefined) owners.set(record, [candidate])
      else known.push(candidate)
    }
  const all = new Map(candidates.map((inner) => [inner, new Map<Candidate, Nesting>()]))
  for (const inner of candidates) {
    const nestings = all.get(inner) ?? new Map<Candidate, Nesting>()
    for (const record of inner.records) {
      const seen = new Set<Candidate>()
      let around = record.parent
      for (let level = 0; around !== undefined && level < maxAbove; around = around.parent, level++)
        for (const outer of owners.get(around) ?? []) {
          if (seen.has(outer)) continue
          seen.add(outer)
          const nesting = nestings.get(outer) ?? { inside: 0, holding: new Set() }
          nesting.inside++
          nesting.holding.add(around)
          nestings.set(outer, nesting)
        }
    }
  }
  return (inner: Candidate, outer: Candidate): Nesting =>
    all.get(inner)?.get(outer) ?? { inside: 0, holding: new Set() }
}

/**
 * Minimum score of inner records that replace outer ones, as a share of the outer score. The lower one applies if they have 80 % of the
 * text, and most a link.
 */
const [innerValue, innerLinks] = [0.35, 0.1]

/** True if the inner records are the actual ones: each outer record contains several of them, with most of its text. */
const splits = (inner: Candidate, outer: Candidate, { holding, inside }: Nesting): boolean => {
  if (inside === 0 || inner.value < innerLinks * outer.value) return false
  const isLinks = inner.text >= 0.8 * outer.text && inner.linked >= 0.8
  if (inner.value < innerValue * outer.value && !isLinks) return false
  // A section of the page that contains the whole list is not a record.
  if (holding.size === 1 && inside >= 4 && inside === inner.records.length)
    return inner.value >= innerValue * outer.value
  return inside >= 1.5 * holding.size && inside >= most * inner.records.length && inner.text >= 0.6 * outer.text
}

/** Share of the records from which on a statement counts as true for the whole list. */
const most = 0.8

/** Record lists of a page as elements, the main list first. */
const recordsOf = (tree: Tree): ReadonlyArray<ReadonlyArray<Element>> => {
  const reader = new Reader()
  reader.measure(tree.body ?? tree.root, false)
  const { facts } = reader
  const orderOf = (element: Element) => facts.get(element)?.order ?? 0
  const candidates = joined(reader.groups)
    .map((records) =>
      candidateOf(
        records.toSorted((a, b) => orderOf(a) - orderOf(b)),
        facts
      )
    )
    .filter(({ value }) => value > 0)
    .toSorted((a, b) => b.value - a.value)
    .slice(0, maxCandidates)
  knownWords.clear()
  knownNames.clear()
  const nesting = nestingOf(candidates)
  const whole = candidates.filter((outer) => !candidates.some((inner) => splits(inner, outer, nesting(inner, outer))))
  /** True if the candidate's records are parts of other records, such as the author of each post. */
  const isPart = (candidate: Candidate): boolean =>
    whole.some(
      (outer) =>
        outer.value >= innerValue * candidate.value &&
        nesting(candidate, outer).inside >= most * candidate.records.length
    )
  const lists: Array<Candidate> = []
  for (const candidate of whole) {
    const holdsBetter = lists.some((better) => nesting(better, candidate).inside >= most * better.records.length)
    if (!holdsBetter && !isPart(candidate)) lists.push(candidate)
  }
  return lists.map(({ records }) => records)
}

/** The record lists of a page, the main one first. */
export const readRecordLists = (tree: Tree, urls: PageUrls): ReadonlyArray<RecordList> => {
  const lists = recordsOf(tree).slice(0, maxLists)
  const all = lists.length === 0 ? [] : descendantsOf(tree.root)
  return lists.map((records) => ({
    count: records.length,
    ...readColumns(records, urls),
    selector: selectorOf(records, all)
  }))
}

/** The records of the main list, with their columns. */
export const readMainRecords = (
  tree: Tree,
  urls: PageUrls
): { readonly records: ReadonlyArray<Element>; readonly columns: RecordColumns } | undefined => {
  const [records] = recordsOf(tree)
  return records === undefined ? undefined : { records, columns: readColumns(records, urls) }
}
