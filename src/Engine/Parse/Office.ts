/**
 * Reads word-processor files (DOCX, DOC, ODT, RTF) as a tree, with the library `anydoc`. Adds what anydoc lacks: outline levels of RTF, and
 * link fragments and heading numbers of DOCX.
 */
import * as Anydoc from "@firecrawl/anydoc"
import { imagePlaceholder } from "../../Html/PageUrls.ts"
import { streamOf } from "./Compound.ts"
import { type Prepared, prepareDocx } from "./Docx.ts"
import { withHeadingNumbers } from "./DocxNumbers.ts"
import { withMarks } from "./Marks.ts"
import { prepareOdt } from "./OdtXml.ts"
import { compoundProperties, packageProperties, rtfProperties } from "./Properties.ts"
import { corrupt, encrypted, type ReadOptions, Refusal, tooComplex } from "./Protocol.ts"
import { prepareRtf } from "./RtfText.ts"
import type { Block, Cell, Inline, Item, Tree } from "./Tree.ts"
import { withTypedLists } from "./TypedLists.ts"
import { type Entry, entriesOf, readPart } from "./Zip.ts"

type OfficeKind = "docx" | "doc" | "odt" | "rtf"

/** Resolves the ids of images and notes that the text refers to. */
interface References {
  /** URL of an embedded image. */
  readonly image: (asset: number) => string
  /** Number of a note, from 1; 0 if the note is missing. */
  readonly note: (id: string) => number
}

/** True for script URLs, which are removed as on web pages. */
const isScript = (href: string) => /^(?:javascript|vbscript|data):/i.test(href.replace(/[\p{Cc}\s]+/gu, ""))

const inlineOf = (inline: Anydoc.Inline, extras: References): Inline | undefined => {
  switch (inline.kind as string) {
    case "text": {
      const { bold, italic, strike, code } = inline.style ?? {}
      return {
        kind: "text",
        text: inline.text ?? "",
        style: { ...(bold && { bold }), ...(italic && { italic }), ...(strike && { strike }), ...(code && { code }) }
      }
    }
    case "link": {
      const { kind, value = "" } = inline.target ?? {}
      const href = (kind as string) === "anchor" ? `#${value}` : isScript(value) ? "" : value
      return { kind: "link", href, content: inlinesOf(inline.content, extras) }
    }
    case "image": {
      const { assetId = -1, url } = inline.source ?? {}
      return { kind: "image", src: url ?? extras.image(assetId), alt: inline.alt ?? "" }
    }
    case "noteRef":
      return { kind: "call", note: extras.note(inline.noteId ?? "") }
    case "lineBreak":
      return { kind: "break" }
    default:
      return undefined
  }
}

const inlinesOf = (content: ReadonlyArray<Anydoc.Inline> | undefined, extras: References): ReadonlyArray<Inline> =>
  (content ?? []).flatMap((inline) => inlineOf(inline, extras) ?? [])

/** Removes bold from a heading that is entirely bold. */
const unbold = (content: ReadonlyArray<Inline>): ReadonlyArray<Inline> =>
  content.every((inline) => inline.kind !== "text" || inline.style.bold === true || inline.text.trim() === "")
    ? content.map((inline) =>
        inline.kind === "text" ? { ...inline, style: { ...inline.style, bold: false } } : inline
      )
    : content

const tableOf = ({ grid, headerRows }: Anydoc.Table, extras: References): Block => ({
  kind: "table",
  headerRows,
  rows: grid.map((row) =>
    row.map(({ cell }): Cell | undefined =>
      cell === undefined
        ? undefined
        : { blocks: blocksOf(cell.blocks, extras), colSpan: cell.colSpan, rowSpan: cell.rowSpan }
    )
  )
})

/** True for a table with one column, which serves as a frame around text. */
const isFrame = ({ grid, kind }: Anydoc.Table): boolean =>
  (kind as string) === "layout" && grid.every((row) => row.length === 1)

const bullets = /^[•·▪▫◦○●■□◆❖➢➤✓✔*o§–-]$/u

const numberOf = ({ label = "" }: Item): number => Number(/^(\d{1,9})[.)]$/.exec(label.trim())?.[1] ?? Number.NaN)

const isBullet = ({ label }: Item): boolean => label !== undefined && bullets.test(label.trim())

const unlabelled = (items: ReadonlyArray<Item>): ReadonlyArray<Item> =>
  items.map((item) => ({ ...item, label: undefined }))

/** True for an item that contains only lists. Programs that write ODT and DOC wrap nested lists this way. */
const isWrapper = (item: Item | undefined): boolean =>
  item !== undefined && item.blocks.length > 0 && item.blocks.every(({ kind }) => kind === "list")

type List = Extract<Block, { readonly kind: "list" }>

/** A list that can still get more items. */
interface OpenList extends List {
  readonly items: Array<Item & { readonly blocks: Array<Block> }>
}

/** True if a list continues another: it has bullets too, or starts with the next number. */
const goesOn = (list: List, before: List): boolean =>
  list.ordered === before.ordered && (!list.ordered || list.start === before.start + before.items.length)

/**
 * Moves lists out of wrapper items into the item before them. If that is the last item of the previous list, the previous list continues
 * afterwards.
 */
const withInnerLists = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const joined: Array<Block> = []
  let open: OpenList | undefined
  for (const block of blocks) {
    if (block.kind !== "list") {
      open = undefined
      joined.push(block)
      continue
    }
    let isOpen = open !== undefined && isWrapper(block.items[0]) && goesOn(block, open)
    for (const item of block.items) {
      const last = open?.items.at(-1)
      if (last !== undefined && isWrapper(item)) {
        for (const inner of item.blocks) last.blocks.push(inner)
        continue
      }
      if (open === undefined || !isOpen) {
        open = { ...block, items: [] }
        joined.push(open)
        isOpen = true
      }
      open.items.push({ ...item, blocks: [...item.blocks] })
    }
  }
  return joined.flatMap((block): ReadonlyArray<Block> => {
    const [only, second] = block.kind === "list" ? block.items : []
    return only !== undefined && second === undefined && isWrapper(only) ? only.blocks : [block]
  })
}

/**
 * Splits a list where the kind of label changes or a number does not follow, because Markdown writes bullets and consecutive numbers
 * itself.
 */
const listsOf = (ordered: boolean, start: number, items: ReadonlyArray<Item>): ReadonlyArray<Block> => {
  if (items.every(({ label }) => label === undefined)) return [{ kind: "list", ordered, start, items }]
  const parts: Array<{ readonly first: number; readonly items: Array<Item> }> = []
  for (const item of items) {
    const last = parts.at(-1)
    const number = numberOf(item)
    const follows =
      last !== undefined &&
      (Number.isNaN(number)
        ? Number.isNaN(last.first) && last.items.every((other) => isBullet(other) === isBullet(item))
        : number === last.first + last.items.length)
    if (follows) last.items.push(item)
    else parts.push({ first: number, items: [item] })
  }
  return parts.map(({ first, items: own }) => {
    if (!Number.isNaN(first)) return { kind: "list", ordered: true, start: first, items: unlabelled(own) }
    const counted = ordered && own.some(({ label }) => label === undefined)
    return { kind: "list", ordered: counted, start, items: own.every(isBullet) ? unlabelled(own) : own }
  })
}

const blockOf = (block: Anydoc.Block, extras: References): ReadonlyArray<Block> => {
  switch (block.kind as string) {
    case "heading":
      return [
        { kind: "heading", level: Math.min(block.level ?? 1, 6), content: unbold(inlinesOf(block.content, extras)) }
      ]
    case "paragraph":
      return [{ kind: "paragraph", content: inlinesOf(block.content, extras) }]
    case "list":
      return block.list === undefined
        ? []
        : listsOf(
            (block.list.marker as string) !== "bullet",
            block.list.start,
            block.list.items.map((item) => ({
              blocks: blocksOf(item.blocks, extras),
              label: item.markerLabel,
              checked: item.checked
            }))
          )
    case "table":
      if (block.table === undefined) return []
      return isFrame(block.table)
        ? block.table.grid.flatMap((row) => row.flatMap(({ cell }) => blocksOf(cell?.blocks, extras)))
        : [tableOf(block.table, extras)]
    case "blockQuote":
      return [{ kind: "quote", blocks: blocksOf(block.blocks, extras) }]
    case "codeBlock":
      return [{ kind: "code", text: block.text ?? "" }]
    case "rule":
      return [{ kind: "rule" }]
    default:
      return []
  }
}

const blocksOf = (blocks: ReadonlyArray<Anydoc.Block> | undefined, extras: References): ReadonlyArray<Block> =>
  withInnerLists(withTypedLists((blocks ?? []).flatMap((block) => blockOf(block, extras))))

const refusal = (error: unknown): Refusal => {
  const { code, message = "" } = error as { readonly code?: string; readonly message?: string }
  switch (code) {
    case "encrypted":
      return encrypted("The document")
    case "resourceLimit":
      return tooComplex(`The document exceeds a safety limit (${message})`)
    default:
      return corrupt(`The document cannot be read (${message || "no reason given"})`)
  }
}

/** Adds heading numbers and link fragments to a DOCX document. */
const withMissingParts = (blocks: ReadonlyArray<Block>, bytes: Buffer): ReadonlyArray<Block> => {
  const parts = entriesOf(bytes)
  return withHeadingNumbers(withFragments(blocks, fragmentsOf(bytes, parts)), bytes, parts)
}

/** Rewrites the file for anydoc. */
const prepare = async (bytes: Buffer, kind: OfficeKind, options: ReadOptions): Promise<Prepared> => {
  switch (kind) {
    case "docx":
      return prepareDocx(bytes, options, readOffice)
    case "rtf":
      return { bytes: prepareRtf(withHeadingStyles(bytes)), contents: [], warnings: [] }
    case "odt":
      return { bytes: prepareOdt(bytes), contents: [], warnings: [] }
    default:
      return { bytes, contents: [], warnings: [] }
  }
}

/** True for Word 6 and 95. Later versions start with another number. */
const isOldWord = (bytes: Buffer): boolean =>
  streamOf(bytes, "WordDocument")
    ?.subarray(0, 2)
    .equals(Buffer.from([0xdc, 0xa5])) === true

/** Reads a document. Page headers and footers are dropped; notes follow the text. */
export const readOffice = async (bytes: Buffer, kind: OfficeKind, options: ReadOptions): Promise<Tree> => {
  if (kind === "doc" && isOldWord(bytes)) {
    throw new Refusal(
      "UNSUPPORTED_FILE_TYPE",
      "Files of Word 6 and Word 95 are not supported. Open it in a newer program and save it as DOCX."
    )
  }
  const prepared = await prepare(bytes, kind, options)
  const source = prepared.bytes
  const document = await Anydoc.toDocument(source, kind as Anydoc.Format).catch((error: unknown) => {
    throw refusal(error)
  })
  const numbers = new Map(document.notes.map(({ id }, index) => [id, index + 1] as const))
  const extras: References = {
    image: (id) => {
      const asset = document.assets[id]
      if (asset === undefined) return ""
      return options.removeBase64Images
        ? imagePlaceholder
        : `data:${asset.mediaType};base64,${asset.data.toString("base64")}`
    },
    note: (id) => numbers.get(id) ?? 0
  }
  const notes = document.notes.map(
    ({ blocks }, index): Block => ({ kind: "note", note: index + 1, blocks: blocksOf(blocks, extras) })
  )
  const text = blocksOf(document.blocks, extras)
  const blocks = [...(kind === "docx" ? withMissingParts(text, source) : text), ...notes]
  return {
    blocks: withMarks(blocks, prepared.contents),
    metadata:
      kind === "rtf" ? rtfProperties(bytes) : kind === "doc" ? compoundProperties(bytes) : packageProperties(bytes),
    warnings: prepared.warnings
  }
}

/** First number for the heading styles that are added, above the style numbers that programs use. */
const firstStyle = 9000

const outline = /\\outlinelevel([0-8])(?!\d)/g

/** True if the outline level at `at` needs no heading style: its paragraph has a style, or it is part of a style definition. */
const isStyled = (text: string, at: number): boolean => {
  const before = text.slice(Math.max(0, at - 400), at)
  return /\\s\d/.test(before.slice(Math.max(0, before.lastIndexOf("\\pard"))))
}

const entry = (level: string): string =>
  `{\\s${firstStyle + Number(level)}\\outlinelevel${level} heading ${Number(level) + 1};}`

/** Adds a heading style to RTF paragraphs that only have an outline level, as converters write them. */
export const withHeadingStyles = (bytes: Buffer): Buffer => {
  if (!bytes.includes("\\outlinelevel")) return bytes
  const text = bytes.toString("latin1")
  const levels = new Set<string>()
  const styled = text.replace(outline, (word: string, level: string, at: number) => {
    if (isStyled(text, at)) return word
    levels.add(level)
    return `${word}\\s${firstStyle + Number(level)}`
  })
  if (levels.size === 0) return bytes
  const entries = [...levels].map(entry).join("")
  const withSheet = styled.includes("{\\stylesheet")
    ? styled.replace("{\\stylesheet", (start) => start + entries)
    : styled.replace(/^\s*\{\\rtf\d*/, (start) => `${start}{\\stylesheet${entries}}`)
  return Buffer.from(withSheet, "latin1")
}

const maxPart = 64 * 1024 * 1024

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]?.replace(/&amp;/g, "&")

/** Fragments of the links to each URL, in order; undefined for links without one. */
export const fragmentsOf = (
  bytes: Buffer,
  entries: ReadonlyArray<Entry>
): ReadonlyMap<string, ReadonlyArray<string | undefined>> => {
  const found = new Map<string, Array<string | undefined>>()
  const text = readPart(bytes, entries, "word/document.xml", maxPart) ?? ""
  const links = text.match(/<w:hyperlink\s[^>]{1,2000}>/g) ?? []
  if (!links.some((link) => link.includes(" r:id=") && link.includes(" w:anchor="))) return found
  const relations = readPart(bytes, entries, "word/_rels/document.xml.rels", maxPart) ?? ""
  const targets = new Map(
    (relations.match(/<Relationship\s[^>]{1,5000}>/g) ?? []).map((tag) => [
      attribute(tag, "Id"),
      attribute(tag, "Target")
    ])
  )
  for (const link of links) {
    const target = targets.get(attribute(link, "r:id"))
    if (target === undefined) continue
    const fragments = found.get(target) ?? []
    fragments.push(attribute(link, "w:anchor"))
    found.set(target, fragments)
  }
  return found
}

/** Adds the fragments from `fragmentsOf` to the links of the blocks. */
export const withFragments = (
  blocks: ReadonlyArray<Block>,
  fragments: ReadonlyMap<string, ReadonlyArray<string | undefined>>
): ReadonlyArray<Block> => {
  if (fragments.size === 0) return blocks
  const seen = new Map<string, number>()
  const ofInlines = (content: ReadonlyArray<Inline>): ReadonlyArray<Inline> =>
    content.map((inline) => {
      if (inline.kind !== "link") return inline
      const count = seen.get(inline.href) ?? 0
      seen.set(inline.href, count + 1)
      const fragment = fragments.get(inline.href)?.[count]
      return fragment === undefined ? inline : { ...inline, href: `${inline.href}#${fragment}` }
    })
  const ofBlocks = (list: ReadonlyArray<Block>): ReadonlyArray<Block> =>
    list.map((block): Block => {
      switch (block.kind) {
        case "heading":
        case "paragraph":
          return { ...block, content: ofInlines(block.content) }
        case "quote":
          return { ...block, blocks: ofBlocks(block.blocks) }
        case "list":
          return { ...block, items: block.items.map((item) => ({ ...item, blocks: ofBlocks(item.blocks) })) }
        case "table":
          return {
            ...block,
            rows: block.rows.map((row) => row.map((cell) => cell && { ...cell, blocks: ofBlocks(cell.blocks) }))
          }
        default:
          return block
      }
    })
  return ofBlocks(blocks)
}
