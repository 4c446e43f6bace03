/** Headings that a PDF declares, by tags or by its outline. */
import type { getDocumentProxy } from "unpdf"

type Document = Awaited<ReturnType<typeof getDocumentProxy>>
type PageProxy = Awaited<ReturnType<Document["getPage"]>>

/** Heading levels by id of marked content. */
export type Levels = ReadonlyMap<number, number>
/** Heading levels by normalized title. */
export type Outline = ReadonlyMap<string, number>

interface Node {
  readonly role?: string
  readonly id?: string
  readonly children?: ReadonlyArray<Node>
}

const maxDepth = 100

/** Heading levels of a page's tags; empty for untagged files. */
export const levelsOf = async (page: PageProxy): Promise<Levels> => {
  const levels = new Map<number, number>()
  const walk = (node: Node, level: number | undefined, depth: number): void => {
    const [, digit] = /^H([1-6])$/.exec(node.role ?? "") ?? []
    const own = digit === undefined ? level : Number(digit)
    const number = /_mc(\d+)$/.exec(node.id ?? "")?.[1]
    if (own !== undefined && number !== undefined) levels.set(Number(number), own)
    if (depth < maxDepth) for (const child of node.children ?? []) walk(child, own, depth + 1)
  }
  const root = await page.getStructTree().catch(() => undefined)
  if (root) walk(root as Node, undefined, 0)
  return levels
}

/** Normalises a title to its letters and digits: outline and page may differ in spaces and punctuation. */
export const keyOf = (words: string): string =>
  words
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")

/** Titles kept in memory. */
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
