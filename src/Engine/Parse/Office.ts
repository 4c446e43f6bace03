/** Reads word-processor files: DOCX, DOC, ODT and RTF become a tree (spec 4.2). */
import * as Anydoc from "@firecrawl/anydoc"
import { imagePlaceholder } from "../Html/PageUrls.ts"
import type { ReadOptions } from "./Job.ts"
import { ofPackage, ofRtf } from "./Properties.ts"
import { corrupt, encrypted, type Refusal, tooComplex } from "./Refusal.ts"
import { type Block, type Cell, type Inline, type Tree, text } from "./Tree.ts"

type OfficeKind = "docx" | "doc" | "odt" | "rtf"

/** The address of an embedded image. */
type Images = (asset: number) => string

const inlineOf = (inline: Anydoc.Inline, images: Images): Inline | undefined => {
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
      const href = (kind as string) === "anchor" ? `#${value}` : value
      return { kind: "link", href, content: inlinesOf(inline.content, images) }
    }
    case "image": {
      const { assetId = -1, url } = inline.source ?? {}
      return { kind: "image", src: url ?? images(assetId), alt: inline.alt ?? "" }
    }
    case "noteRef":
      return text(`[${inline.noteId ?? ""}]`)
    case "lineBreak":
      return { kind: "break" }
    default:
      return undefined
  }
}

const inlinesOf = (content: ReadonlyArray<Anydoc.Inline> | undefined, images: Images): ReadonlyArray<Inline> =>
  (content ?? []).flatMap((inline) => inlineOf(inline, images) ?? [])

const tableOf = ({ grid, headerRows }: Anydoc.Table, images: Images): Block => ({
  kind: "table",
  headerRows,
  rows: grid.map((row) =>
    row.map(({ cell }): Cell | undefined =>
      cell === undefined
        ? undefined
        : { blocks: blocksOf(cell.blocks, images), colSpan: cell.colSpan, rowSpan: cell.rowSpan }
    )
  )
})

/** One cell is a frame around text, not a table. */
const isFrame = ({ grid, kind }: Anydoc.Table): boolean =>
  (kind as string) === "layout" && grid.every((row) => row.length === 1)

const blockOf = (block: Anydoc.Block, images: Images): ReadonlyArray<Block> => {
  switch (block.kind as string) {
    case "heading":
      return [{ kind: "heading", level: Math.min(block.level ?? 1, 6), content: inlinesOf(block.content, images) }]
    case "paragraph":
      return [{ kind: "paragraph", content: inlinesOf(block.content, images) }]
    case "list":
      return block.list === undefined
        ? []
        : [
            {
              kind: "list",
              ordered: (block.list.marker as string) !== "bullet",
              start: block.list.start,
              items: block.list.items.map((item) => ({
                blocks: blocksOf(item.blocks, images),
                label: item.markerLabel,
                checked: item.checked
              }))
            }
          ]
    case "table":
      if (block.table === undefined) return []
      return isFrame(block.table)
        ? block.table.grid.flatMap((row) => row.flatMap(({ cell }) => blocksOf(cell?.blocks, images)))
        : [tableOf(block.table, images)]
    case "blockQuote":
      return [{ kind: "quote", blocks: blocksOf(block.blocks, images) }]
    case "codeBlock":
      return [{ kind: "code", text: block.text ?? "" }]
    case "rule":
      return [{ kind: "rule" }]
    default:
      return []
  }
}

const blocksOf = (blocks: ReadonlyArray<Anydoc.Block> | undefined, images: Images): ReadonlyArray<Block> =>
  (blocks ?? []).flatMap((block) => blockOf(block, images))

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

/** Page headers and footers are left out; foot- and endnotes follow the text. */
export const readOffice = async (bytes: Buffer, kind: OfficeKind, options: ReadOptions): Promise<Tree> => {
  const document = await Anydoc.toDocument(bytes, kind as Anydoc.Format).catch((error: unknown) => {
    throw refusal(error)
  })
  const images: Images = (id) => {
    const asset = document.assets[id]
    if (asset === undefined) return ""
    return options.removeBase64Images
      ? imagePlaceholder
      : `data:${asset.mediaType};base64,${asset.data.toString("base64")}`
  }
  const notes = document.notes.map(({ id, blocks }): Block => {
    const [first, ...rest] = blocksOf(blocks, images)
    const label = text(`[${id}] `)
    return first?.kind === "paragraph"
      ? { kind: "quote", blocks: [{ kind: "paragraph", content: [label, ...first.content] }, ...rest] }
      : { kind: "quote", blocks: [{ kind: "paragraph", content: [label] }, ...(first ? [first, ...rest] : [])] }
  })
  return {
    blocks: [...blocksOf(document.blocks, images), ...notes],
    metadata: kind === "rtf" ? ofRtf(bytes) : kind === "doc" ? {} : ofPackage(bytes),
    warnings: []
  }
}
