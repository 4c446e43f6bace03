/**
 * Compares a page with its last visit, and distinguishes changes that matter from those that occur at every visit.
 *
 * - Compares blocks by their words, not byte by byte. Their order does not count; short blocks belong to their headings.
 * - A second visit soon after the first one teaches: differences between these two occur at every visit (see Learned.ts).
 * - A value that has changed at each of the last few visits is learned, too, and so is a block that keeps coming back.
 * - A visit that finds hardly anything of the last one, such as an error page, decides and teaches nothing: the last visit is kept. If the
 *   next visit finds the same again, the page has changed.
 * - A {@link Snapshot} is plain JSON, bounded by the maximum length of a page and the limits on what is learned.
 */
import * as Schema from "effect/Schema"
import { type Alignment, align, type Edited, type Loose } from "./Align.ts"
import { type Block, nameOf, type ReadBlock, readBlocks } from "./Blocks.ts"
import * as Learned from "./Learned.ts"
import { isDayOf, type Token } from "./Tokens.ts"

const SavedBlock = Schema.Struct({
  kind: Schema.Literal("h1", "h2", "h3", "h4", "h5", "h6", "paragraph", "item", "row", "code", "value"),
  text: Schema.String,
  links: Schema.optional(Schema.Array(Schema.String)),
  isLink: Schema.optional(Schema.Literal(true)),
  isSettled: Schema.optional(Schema.Literal(true))
})

/** State that is stored per page: its blocks at the last visit, and which parts of it change at every visit. */
export const Snapshot = Schema.Struct({
  /** Version of this format. */
  version: Schema.Literal(1),
  /** Time of the last visit in milliseconds since 1970. */
  at: Schema.Number,
  /** Start of the run that made the visit, in milliseconds since 1970. */
  run: Schema.optional(Schema.Number),
  visits: Schema.Int,
  blocks: Schema.Array(SavedBlock),
  /** True if the page is longer than the stored blocks. */
  isCut: Schema.optional(Schema.Literal(true)),
  learned: Learned.Learned,
  /** Values that were reported as changed at the last visits, with the number of visits in a row. */
  streaks: Schema.Array(Schema.Struct({ template: Learned.Template, times: Schema.Int })),
  /** Names of blocks that were removed, each with the number of times that the block has come back. */
  removed: Schema.Array(Schema.Tuple(Schema.String, Schema.Int)),
  /** Names of the blocks of a later visit that found hardly anything of this snapshot. */
  doubtful: Schema.optional(Schema.Array(Schema.String))
})
export type Snapshot = typeof Snapshot.Type

export interface Rules {
  /** True for text of blocks to leave out of the comparison. */
  readonly ignore: (text: string) => boolean
  /** True for text of blocks in which every difference counts; they are compared exactly. */
  readonly always: (text: string) => boolean
  /** True if a visit at `at` follows the first one so soon that their differences are learned as occurring at every visit. */
  readonly teaches: (first: Snapshot, at: number) => boolean
}

/** Differences that are reported as changes. */
export interface Differences {
  readonly edited: ReadonlyArray<Edited>
  readonly removed: ReadonlyArray<Loose>
  readonly added: ReadonlyArray<Loose>
}

export interface Comparison {
  /**
   * `learned`: the visit has taught the differences that occur at every visit. `doubtful`: the visit found hardly anything of the last one,
   * and `next` keeps the last one.
   */
  readonly result: "first" | "learned" | "same" | "changed" | "doubtful"
  readonly differences: Differences
  /** Texts of the blocks whose differences do not matter: as in this visit; for removed blocks, as in the last one. */
  readonly ignored: ReadonlyArray<string>
  /** Values that will be ignored from the next visit on, because they have changed at each of the last visits. */
  readonly newlyLearned: ReadonlyArray<string>
  readonly next: Snapshot
}

/** Number of visits in a row with a changed value before the value is learned. */
const timesToLearn = 4
/** Number of times a removed block comes back before it is learned. */
const returnsToLearn = 2
const maxStreaks = 30
const maxRemoved = 300
const maxIgnored = 20
/** Maximum stored block names of a doubtful visit. */
const maxDoubtful = 300
/**
 * Minimum share of the last visit's blocks that a visit must find; otherwise the visit is doubtful. Pages with fewer than `minBlocks`
 * blocks may change completely.
 */
const minShare = 0.1
const minBlocks = 4

const noDifferences: Differences = { edited: [], removed: [], added: [] }

const save = (blocks: ReadonlyArray<Block>, isSettled: (at: number) => boolean): Snapshot["blocks"] =>
  blocks.map(({ isLink, kind, links, text }, at) => ({
    kind,
    text,
    ...(links.length === 0 ? {} : { links }),
    ...(isLink ? { isLink } : {}),
    ...(isSettled(at) ? { isSettled: true } : {})
  }))

const restore = (blocks: Snapshot["blocks"]): ReadonlyArray<Block> =>
  blocks.map(({ isLink = false, links = [], ...block }) => ({ ...block, links, isLink }))

/** Runs of tokens in which the two versions of a block differ. */
const runsOf = ({
  fresh,
  old,
  spans
}: Edited): ReadonlyArray<readonly [old: ReadonlyArray<Token>, fresh: ReadonlyArray<Token>]> =>
  spans().flatMap((span) =>
    span.isCommon ? [] : [[old.block.tokens.slice(...span.old), fresh.block.tokens.slice(...span.fresh)]]
  )

const weekday = /^(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)[a-zé]{0,9}$/

/** True if the difference is the date of the visit, alone or with a time of day and a weekday. */
const isClock = (edited: Edited, then: number, now: number): boolean => {
  const runs = runsOf(edited)
  const isOfDay = (tokens: ReadonlyArray<Token>, at: number) =>
    tokens.every((token) => isDayOf(token, at) || token.kind === "time" || weekday.test(token.value))
  const hasToday = edited.fresh.block.tokens.some((token) => isDayOf(token, now))
  return runs.length > 0 && hasToday && runs.every(([old, fresh]) => isOfDay(old, then) && isOfDay(fresh, now))
}

const separator = /[,;|·•]\s+|\s+[/|·•]\s+/
const label = /^[^:,;|]{1,40}:\s+/

/** True if both blocks list the same items in another order, such as tags, after the same label. */
const isReordered = ({ fresh, old }: Edited): boolean => {
  const read = ({ kind, text }: ReadBlock) => {
    const plain = text.toLowerCase().replace(/\.$/, "")
    const [start = ""] = label.exec(plain) ?? []
    return { start, items: kind === "row" ? [] : plain.slice(start.length).split(separator).sort() }
  }
  const [was, is] = [read(old.block), read(fresh.block)]
  const isSame = was.items.length === is.items.length && was.items.every((item, index) => item === is.items[index])
  return is.items.length > 2 && was.start === is.start && isSame
}

const isNoise = (
  edited: Edited,
  learned: Learned.Learned,
  times: { readonly before: number; readonly now: number },
  isMoving: (edited: Edited) => boolean
): boolean =>
  isReordered(edited) ||
  Learned.isReworded(edited) ||
  isClock(edited, times.before, times.now) ||
  Learned.isLearnedEdit(learned, edited) ||
  isMoving(edited)

const first = (blocks: ReadonlyArray<Block>, at: number): Comparison => ({
  result: "first",
  differences: noDifferences,
  ignored: [],
  newlyLearned: [],
  next: {
    version: 1,
    at,
    visits: 1,
    blocks: save(blocks, () => false),
    learned: Learned.nothing,
    streaks: [],
    removed: []
  }
})

const textsOf = ({
  added,
  edited,
  removed
}: Pick<Alignment, "added" | "edited" | "removed">): ReadonlyArray<string> => [
  ...edited.map(({ fresh }) => fresh.block.text),
  ...added.map(({ block }) => block.text),
  ...removed.map(({ block }) => block.text)
]

/** Updates the streaks of changed values after a visit, and returns the templates that are learned now. */
const continueStreaks = (streaks: Snapshot["streaks"], edited: ReadonlyArray<Edited>) => {
  const next = edited.map((edit) => {
    const known = streaks.find(({ template }) => Learned.fitsTemplate(template, edit))
    return { template: known?.template ?? Learned.template(edit), times: (known?.times ?? 0) + 1 }
  })
  return {
    streaks: next.filter(({ times }) => times < timesToLearn).slice(-maxStreaks),
    templates: next.filter(({ times }) => times >= timesToLearn).map(({ template }) => template)
  }
}

/** Updates the removed blocks after a visit, and returns the names of those that have come back `returnsToLearn` times. */
const continueRemoved = (removed: Snapshot["removed"], { added, removed: gone }: Differences) => {
  const times = new Map(removed)
  const returned: Array<string> = []
  for (const { block } of added) {
    const name = nameOf(block.words)
    const before = times.get(name)
    if (before === undefined) continue
    times.set(name, before + 1)
    if (before + 1 >= returnsToLearn) returned.push(name)
  }
  for (const { block } of gone) {
    const name = nameOf(block.words)
    times.set(name, times.get(name) ?? 0)
  }
  return { removed: [...times].slice(-maxRemoved), returned }
}

/** Number of common and edited blocks, as a share of the blocks of the largest given version. */
const shareOf = ({ common, edited }: Alignment, ...versions: ReadonlyArray<ReadonlyArray<ReadBlock>>): number =>
  (common.size + edited.length) / Math.max(1, ...versions.map((blocks) => blocks.length))

const namesOf = (blocks: ReadonlyArray<ReadBlock>): ReadonlyArray<string> =>
  [...new Set(blocks.map(({ words }) => nameOf(words)))].slice(0, maxDoubtful)

/** True if at least half of the names in each list are also in the other. */
const isAlike = (some: ReadonlyArray<string>, others: ReadonlyArray<string>): boolean => {
  const known = new Set(some)
  const common = others.filter((name) => known.has(name)).length
  return common * 2 >= Math.max(some.length, others.length)
}

/** Splits differences by a test. Calls `isOne` once per difference, because the test may count its calls. */
const partition = (
  { added, edited, removed }: Differences,
  isOne: (each: Edited | Loose) => boolean
): readonly [Differences, Differences] => {
  const chosen = new Set([...edited, ...added, ...removed].filter(isOne))
  const part = (isChosen: boolean): Differences => ({
    edited: edited.filter((each) => chosen.has(each) === isChosen),
    added: added.filter((each) => chosen.has(each) === isChosen),
    removed: removed.filter((each) => chosen.has(each) === isChosen)
  })
  return [part(true), part(false)]
}

const isAny = ({ added, edited, removed }: Differences): boolean => added.length + edited.length + removed.length > 0

/** Compares the blocks of a page with its last visit; `at` is the time of this visit. */
export const compare = (
  before: Snapshot | undefined,
  blocks: ReadonlyArray<Block>,
  at: number,
  { always, ignore, teaches }: Rules
): Comparison => {
  const shown = blocks.filter(({ text }) => !ignore(text))
  if (before === undefined) return first(shown, at)
  const fresh = readBlocks(shown, always)
  const old = readBlocks(
    restore(before.blocks).filter(({ text }) => !ignore(text)),
    always
  )
  const { doubtful, learned, ...last } = before
  const alignment = align(old, fresh, Learned.linkOf(learned))
  const nextOf = (edited: ReadonlyArray<Edited>) => {
    const settled = new Set([
      ...alignment.common.keys(),
      ...edited.flatMap(({ fresh, old }) => (old.block.isSettled ? [fresh.at] : []))
    ])
    const blocks = save(shown, (at) => settled.has(at))
    return { ...last, at, visits: before.visits + 1, blocks, streaks: [] }
  }
  const isAlways = (each: Edited | Loose): boolean =>
    "block" in each ? always(each.block.text) : always(each.old.block.text) || always(each.fresh.block.text)

  const isTeaching = before.visits === 1 && teaches(before, at)
  const isEmpty = fresh.length === 0 && old.length > 0
  const isOther = old.length >= minBlocks && shareOf(alignment, old) < minShare
  // True if both versions have half of their blocks in common; otherwise one may be an error page, or part of a page.
  const isSimilar = shareOf(alignment, old, fresh) >= 0.5
  if (isEmpty || isOther || (isTeaching && !isSimilar)) {
    const names = namesOf(fresh)
    if (isTeaching || doubtful === undefined || !isAlike(doubtful, names)) {
      const next = { ...before, doubtful: names }
      return { result: "doubtful", differences: noDifferences, ignored: [], newlyLearned: [], next }
    }
    const next = { ...nextOf([]), learned }
    return { result: "changed", differences: alignment, ignored: [], newlyLearned: [], next }
  }

  if (isTeaching) {
    const [matters, taught] = partition(alignment, isAlways)
    return {
      result: isAny(matters) ? "changed" : "learned",
      differences: matters,
      ignored: textsOf(taught).slice(0, maxIgnored),
      newlyLearned: [],
      next: { ...nextOf([]), learned: Learned.merge(learned, Learned.learn({ ...alignment, ...taught }, fresh)) }
    }
  }

  const comes = Learned.makeLooseTest(learned, alignment, fresh, fresh)
  const goes = Learned.makeLooseTest(learned, alignment, fresh, old)
  const times = { before: before.at, now: at }
  const isMoving = (edit: Edited) => goes(edit.old, true) && comes(edit.fresh, true)
  const isGone = new Set(alignment.removed)
  const [matters, noise] = partition(alignment, (each) => {
    if (isAlways(each)) return true
    if (!("block" in each)) return !isNoise(each, learned, times, isMoving)
    return isGone.has(each) ? !goes(each, false) : !comes(each, false)
  })
  const values = continueStreaks(
    before.streaks,
    matters.edited.filter((edit) => !isAlways(edit))
  )
  // If the versions are not similar, the page may have been read only in part: its missing blocks are not recorded as removed.
  const returning = isSimilar ? continueRemoved(before.removed, matters) : { removed: before.removed, returned: [] }
  return {
    result: isAny(matters) ? "changed" : "same",
    differences: matters,
    ignored: textsOf(noise).slice(0, maxIgnored),
    newlyLearned: values.templates.map(Learned.describeTemplate),
    next: {
      ...nextOf(matters.edited),
      streaks: values.streaks,
      removed: returning.removed,
      learned: Learned.merge(learned, {
        templates: values.templates,
        blocks: [...[...noise.added, ...noise.removed].map(({ block }) => nameOf(block.words)), ...returning.returned]
      })
    }
  }
}
