/** Reads word-processor files: DOCX, DOC, ODT and RTF become a tree. */
import * as Anydoc from "@firecrawl/anydoc"
import { imagePlaceholder } from "../Html/PageUrls.ts"
import { withHeadingNumbers } from "./DocxNumbers.ts"
import { fragmentsOf, withFragments } from "./Fragments.ts"
import type { ReadOptions } from "./Job.ts"
import { readOldWord } from "./OldWord.ts"
import { ofPackage, ofRtf } from "./Properties.ts"
import { corrupt, encrypted, type Refusal, tooComplex } from "./Refusal.ts"
import { withHeadingStyles } from "./RtfOutline.ts"
import { ofCompound } from "./SummaryProperties.ts"
import type { Block, Cell, Inline, Tree } from "./Tree.ts"
import { entriesOf } from "./Zip.ts"

type OfficeKind = "docx" | "doc" | "odt" | "rtf"

/** What the text refers to. */
interface Extras {
  /** The address of an embedded image. */
  readonly image: (asset: number) => string
  /** The number of a note. */
  readonly note: (id: string) => number
}

/** As of pages, what is no address leads nowhere. */
const isScript = (href: string) => /^(?:javascript|vbscript|data):/i.test(href.replace(/[\p{Cc}\s]+/gu, ""))

const inlineOf = (inline: Anydoc.Inline, extras: Extras): Inline | undefined => {
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

const inlinesOf = (content: ReadonlyArray<Anydoc.Inline> | undefined, extras: Extras): ReadonlyArray<Inline> =>
  (content ?? []).flatMap((inline) => inlineOf(inline, extras) ?? [])

/** A heading is bold by itself. */
const unbold = (content: ReadonlyArray<Inline>): ReadonlyArray<Inline> =>
  content.every((inline) => inline.kind !== "text" || inline.style.bold === true || inline.text.trim() === "")
    ? content.map((inline) =>
        inline.kind === "text" ? { ...inline, style: { ...inline.style, bold: false } } : inline
      )
    : content

const tableOf = ({ grid, headerRows }: Anydoc.Table, extras: Extras): Block => ({
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

/** One cell is a frame around text, not a table. */
const isFrame = ({ grid, kind }: Anydoc.Table): boolean =>
  (kind as string) === "layout" && grid.every((row) => row.length === 1)

const blockOf = (block: Anydoc.Block, extras: Extras): ReadonlyArray<Block> => {
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
        : [
            {
              kind: "list",
              ordered: (block.list.marker as string) !== "bullet",
              start: block.list.start,
              items: block.list.items.map((item) => ({
                blocks: blocksOf(item.blocks, extras),
                label: item.markerLabel,
                checked: item.checked
              }))
            }
          ]
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

const blocksOf = (blocks: ReadonlyArray<Anydoc.Block> | undefined, extras: Extras): ReadonlyArray<Block> =>
  (blocks ?? []).flatMap((block) => blockOf(block, extras))

const refusal = (error: unknown): Refusal => {
  const { code, message = "" } = error as { readonly code?: string; readonly message?: string }
  switch (code) {
    case "encrypted":
      return encrypted("The document")
    case "resourceLimit":
      return tooComplex(`The document passes a safety limit (${message})`)
    default:
      return corrupt(`The document cannot be read (${message || "no reason given"})`)
  }
}

/** What the library leaves out or gets wrong. */
const completed = (blocks: ReadonlyArray<Block>, bytes: Buffer): ReadonlyArray<Block> => {
  const parts = entriesOf(bytes)
  return withHeadingNumbers(withFragments(blocks, fragmentsOf(bytes, parts)), bytes, parts)
}

/** Page headers and footers are left out; foot- and endnotes follow the text. */
export const readOffice = async (bytes: Buffer, kind: OfficeKind, options: ReadOptions): Promise<Tree> => {
  const old = kind === "doc" ? readOldWord(bytes) : undefined
  if (old !== undefined) return { blocks: old, metadata: ofCompound(bytes), warnings: [] }
  const source = kind === "rtf" ? withHeadingStyles(bytes) : bytes
  const document = await Anydoc.toDocument(source, kind as Anydoc.Format).catch((error: unknown) => {
    throw refusal(error)
  })
  const numbers = new Map(document.notes.map(({ id }, index) => [id, index + 1] as const))
  const extras: Extras = {
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
  return {
    blocks: [...(kind === "docx" ? completed(text, bytes) : text), ...notes],
    metadata: kind === "rtf" ? ofRtf(bytes) : kind === "doc" ? ofCompound(bytes) : ofPackage(bytes),
    warnings: []
  }
}
