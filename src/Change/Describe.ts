/** Describes a page change in one sentence, and as a word diff in the format of `git diff --word-diff`. */
import type { Edited, Loose } from "./Align.ts"
import { type BlockKind, isHeading } from "./Blocks.ts"
import type { Differences } from "./Compare.ts"
import { makeSpans } from "./Spans.ts"

const nouns: Readonly<Record<BlockKind, string>> = {
  h1: "heading",
  h2: "heading",
  h3: "heading",
  h4: "heading",
  h5: "heading",
  h6: "heading",
  paragraph: "paragraph",
  item: "list item",
  row: "table row",
  code: "code block",
  value: "value"
}

const maxQuote = 100

const quote = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim()
  return `“${line.length > maxQuote ? `${line.slice(0, maxQuote - 1).trimEnd()}…` : line}”`
}

/** Run of words in both texts, or in only one of them. */
interface Run {
  readonly sign: "same" | "removed" | "added"
  readonly text: string
}

const piecesOf = (text: string): ReadonlyArray<string> =>
  text.match(/\s+|[\p{L}\p{N}\p{M}_]+(?:[.,'’-][\p{L}\p{N}\p{M}_]+)*|[^\s]/gu) ?? []

type SpansOf = ReturnType<typeof makeSpans>

/** Splits two texts into runs of words that are in both or in only one. */
const wordRuns = (before: string, after: string, spansOf: SpansOf): ReadonlyArray<Run> => {
  const [old, fresh] = [piecesOf(before), piecesOf(after)]
  return spansOf(old, fresh).flatMap((span): ReadonlyArray<Run> => {
    const [was, is] = [old.slice(...span.old).join(""), fresh.slice(...span.fresh).join("")]
    if (span.isCommon) return [{ sign: "same", text: is }]
    const runs: ReadonlyArray<Run> = [
      { sign: "removed", text: was },
      { sign: "added", text: is }
    ]
    return runs.filter(({ text }) => text !== "")
  })
}

const marked = ({ sign, text }: Run): string =>
  sign === "same"
    ? text
    : text.trim() === ""
      ? sign === "added"
        ? text
        : ""
      : sign === "added"
        ? `{+${text}+}`
        : `[-${text}-]`

/** Joins differing runs that only a space separates, so that a rewritten phrase is shown as one change. */
const joined = (runs: ReadonlyArray<Run>): ReadonlyArray<Run> => {
  const made: Array<Run> = []
  let [old, fresh] = ["", ""]
  const flush = () => {
    if (old !== "") made.push({ sign: "removed", text: old })
    if (fresh !== "") made.push({ sign: "added", text: fresh })
    old = ""
    fresh = ""
  }
  for (const [index, run] of runs.entries()) {
    const isOpen = old !== "" || fresh !== ""
    const next = runs[index + 1]
    if (run.sign === "removed") old += run.text
    else if (run.sign === "added") fresh += run.text
    else if (isOpen && run.text.trim() === "" && next !== undefined) {
      if (old !== "") old += run.text
      if (fresh !== "") fresh += run.text
    } else {
      flush()
      made.push(run)
    }
  }
  flush()
  return made
}

const linkRuns = ({ fresh, old }: Edited): ReadonlyArray<Run> => [
  { sign: "same", text: `${fresh.block.text} (link: ` },
  { sign: "removed", text: old.block.links.filter((link) => !fresh.block.links.includes(link)).join(" ") },
  { sign: "added", text: fresh.block.links.filter((link) => !old.block.links.includes(link)).join(" ") },
  { sign: "same", text: ")" }
]

const runsOf = (edited: Edited, spansOf: SpansOf): ReadonlyArray<Run> =>
  edited.old.block.text === edited.fresh.block.text
    ? linkRuns(edited)
    : joined(wordRuns(edited.old.block.text, edited.fresh.block.text, spansOf))

const maxDiff = 20_000

/** Word diff with one line per differing block, in page order, under the blocks' headings. */
export const wordDiff = ({ added, edited, removed }: Differences): string => {
  const spansOf = makeSpans()
  const lines = [
    ...edited.map((each) => ({ ...each.fresh, line: runsOf(each, spansOf).map(marked).join("") })),
    ...added.map((each) => ({ ...each, line: marked({ sign: "added", text: each.block.text }) })),
    ...removed.map((each) => ({ ...each, line: marked({ sign: "removed", text: each.block.text }) }))
  ].sort((a, b) => a.order - b.order || a.at - b.at)
  let heading: string | undefined
  const made: Array<string> = []
  for (const { block, line } of lines) {
    if (block.heading !== heading && block.heading !== undefined) made.push(`# ${block.heading}`)
    // A heading block is the heading of the lines below it.
    heading = isHeading(block) ? block.text : block.heading
    made.push(line)
  }
  const text = made.join("\n")
  return text.length > maxDiff ? `${text.slice(0, maxDiff)}…` : text
}

const under = (headings: ReadonlyArray<string | undefined>): string => {
  const named = [...new Set(headings)].filter((heading) => heading !== undefined)
  if (named.length === 0) return ""
  return ` under ${named.slice(0, 2).map(quote).join(" and ")}${named.length > 2 ? ` and ${named.length - 2} more` : ""}`
}

const editedSentence = (edited: Edited): string => {
  const { fresh } = edited
  const place = under([fresh.block.heading])
  const runs = runsOf(edited, makeSpans())
  const [old, now] = (["removed", "added"] as const).map((sign) =>
    runs.filter((run) => run.sign === sign && run.text.trim() !== "")
  )
  const differing = Math.max(old?.length ?? 0, now?.length ?? 0)
  const noun = nouns[fresh.block.kind]
  if (edited.old.block.text === fresh.block.text) return `The link of ${quote(fresh.block.text)} changed${place}.`
  const [was, is] = [old?.[0]?.text.trim(), now?.[0]?.text.trim()]
  if (differing > 1) return `A ${noun} changed in ${differing} places${place}: ${quote(fresh.block.text)}.`
  if (was !== undefined && is !== undefined) return `${quote(was)} became ${quote(is)} in a ${noun}${place}.`
  return is === undefined
    ? `${quote(was ?? "")} was removed from a ${noun}${place}.`
    : `${quote(is)} was added to a ${noun}${place}.`
}

const looseSentence = ({ block }: Loose, deed: "added" | "removed"): string =>
  `A ${nouns[block.kind]} was ${deed}${under([block.heading])}: ${quote(block.text)}.`

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`

/** Describes the change in one sentence. */
export const sentence = (differences: Differences): string => {
  const { added, edited, removed } = differences
  const all = [...edited.map(({ fresh }) => fresh), ...added, ...removed]
  const [edit] = edited
  const [fresh] = added
  const [old] = removed
  if (all.length === 1) {
    if (edit !== undefined) return editedSentence(edit)
    if (fresh !== undefined) return looseSentence(fresh, "added")
    if (old !== undefined) return looseSentence(old, "removed")
  }
  const parts = [
    edited.length === 0 ? [] : [`${count(edited.length, "block")} changed`],
    added.length === 0 ? [] : [`${count(added.length, "block")} ${added.length === 1 ? "was" : "were"} added`],
    removed.length === 0 ? [] : [`${count(removed.length, "block")} ${removed.length === 1 ? "was" : "were"} removed`]
  ].flat()
  const [most] = [...all].sort((a, b) => Number(b.block.kind !== "row") - Number(a.block.kind !== "row"))
  const what =
    parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : (parts[0] ?? "Nothing changed")
  return `${what}${under(all.map(({ block }) => block.heading))}${most === undefined ? "" : `, among them ${quote(most.block.text)}`}.`
}
