/** Structure that a PDF declares: heading levels and replacement texts of its tags, and its outline. */
import type { getDocumentProxy } from "unpdf"

type Document = Awaited<ReturnType<typeof getDocumentProxy>>
type PageProxy = Awaited<ReturnType<Document["getPage"]>>

/** Heading level and replacement text that a tag declares for marked content. */
export interface Tag {
  readonly level?: number | undefined
  /** Text that replaces the drawn text. */
  readonly text?: string | undefined
}

/** Tags by id of marked content. */
export type Tags = ReadonlyMap<number, Tag>
/** Heading levels by normalized title. */
export type Outline = ReadonlyMap<string, number>

interface Node {
  readonly role?: string
  readonly id?: string
  /** Description or replacement text; pdf.js does not distinguish them. */
  readonly alt?: string
  readonly children?: ReadonlyArray<Node>
}

const maxDepth = 100

/** Tags of a page; empty for untagged files. */
export const tagsOf = async (page: PageProxy): Promise<Tags> => {
  const tags = new Map<number, Tag>()
  const walk = (
    node: Node,
    level: number | undefined,
    replacement: { text: string } | undefined,
    depth: number
  ): void => {
    const [, digit] = /^H([1-6])$/.exec(node.role ?? "") ?? []
    const own = digit === undefined ? level : Number(digit)
    // The `alt` of a span replaces its text; that of a figure describes it.
    const inside = replacement ?? (node.role === "Span" && node.alt ? { text: node.alt } : undefined)
    const number = /_mc(\d+)$/.exec(node.id ?? "")?.[1]
    if (number !== undefined && (own !== undefined || inside !== undefined)) {
      tags.set(Number(number), { level: own, text: inside?.text })
      // The text replaces the whole content of the span, so it is used only once.
      if (inside !== undefined) inside.text = ""
    }
    if (depth < maxDepth) for (const child of node.children ?? []) walk(child, own, inside, depth + 1)
  }
  const root = await page.getStructTree().catch(() => undefined)
  if (root) walk(root as Node, undefined, undefined, 0)
  return tags
}

/** Normalises a title to its letters and digits: outline and page may differ in spaces and punctuation. */
export const keyOf = (words: string): string =>
  words
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")

/** Maximum titles read from the outline. */
const maxTitles = 5000

interface Title {
  readonly title: string
  readonly items: ReadonlyArray<Title>
}

export const outlineOf = async (document: Document): Promise<Outline> => {
  const found = new Map<string, number>()
  const walk = (titles: ReadonlyArray<Title>, level: number): void => {
    for (const { items, title } of titles) {
      const key = keyOf(title)
      if (found.size >= maxTitles) return
      if (key.length > 1 && !found.has(key)) found.set(key, Math.min(level, 6))
      if (level < maxDepth) walk(items, level + 1)
    }
  }
  const root: ReadonlyArray<Title> | null = await document.getOutline().catch(() => null)
  walk(root ?? [], 1)
  return found
}
