/**
 * Long queries: a paragraph of a document, which is taken out of its text, asks for the document. The rule knows nothing of any ranking.
 */
import { createHash } from "node:crypto"
import type { Entry, Topic } from "./Collection.ts"

/** Words of a query, its characters (the API takes 500), and characters that remain of its document. */
const [minWords, maxWords, maxQuery, minRest] = [30, 80, 450, 500]

/** The first fitting paragraph without the signs that operators of a query have, and the rest of the text. */
const askingFor = ({ text }: Entry): readonly [query: string, rest: string] | undefined => {
  for (const paragraph of text.split("\n")) {
    const words = paragraph
      .replace(/["“”„«»:-]/g, " ")
      .trim()
      .split(/\s+/)
    const query = words.join(" ")
    const rest = text.replace(paragraph, () => "")
    if (words.length >= minWords && words.length <= maxWords && query.length <= maxQuery && rest.length >= minRest)
      return [query, rest]
  }
  return undefined
}

const orderOf = (id: string): string => createHash("sha256").update(id).digest("hex")

/** The documents without the paragraphs that ask for `count` of them. */
export const withPassages = (entries: ReadonlyArray<Entry>, count: number) => {
  const chosen = new Map(
    entries
      .map((entry) => ({ id: entry.id, asking: askingFor(entry), order: orderOf(entry.id) }))
      .sort((one, other) => (one.order < other.order ? -1 : 1))
      .flatMap(({ asking, id }) => (asking === undefined ? [] : [[id, asking] as const]))
      .slice(0, count)
  )
  return {
    entries: entries.map((entry): Entry => ({ ...entry, text: chosen.get(entry.id)?.[1] ?? entry.text })),
    topics: [...chosen].map(([id, [query]]): Topic => ({ query, grades: { [id]: 1 } }))
  }
}
