/** Small PDF files, each for one rule of the layout analysis. */
import { type PDFDict, PDFDocument, type PDFFont, PDFHexString, PDFName, type PDFPage, StandardFonts } from "pdf-lib"

export interface Pens {
  readonly file: PDFDocument
  /** Writes text at a distance from the left and the top. */
  readonly write: (x: number, y: number, text: string, size?: number, font?: PDFFont) => void
  readonly level: (x0: number, x1: number, y: number) => void
  readonly upright: (x: number, y0: number, y1: number) => void
  readonly page: () => PDFPage
  readonly newPage: () => void
  readonly bold: PDFFont
}

const height = 800

/** A file with pages of 600 × 800 points. */
export const drawn = async (draw: (pens: Pens) => void): Promise<Buffer> => {
  const file = await PDFDocument.create()
  const plain = await file.embedFont(StandardFonts.Helvetica)
  const bold = await file.embedFont(StandardFonts.HelveticaBold)
  let page = file.addPage([600, height])
  draw({
    file,
    bold,
    page: () => page,
    newPage: () => {
      page = file.addPage([600, height])
    },
    write: (x, y, text, size = 10, font = plain) => page.drawText(text, { x, y: height - y, size, font }),
    level: (x0, x1, y) => page.drawLine({ start: { x: x0, y: height - y }, end: { x: x1, y: height - y } }),
    upright: (x, y0, y1) => page.drawLine({ start: { x, y: height - y0 }, end: { x, y: height - y1 } })
  })
  return Buffer.from(await file.save())
}

/** A paragraph of several lines. */
export const lines = ({ write }: Pens, y: number, count: number, x = 40, distance = 12): void => {
  for (let line = 0; line < count; line += 1) {
    write(x, y + distance * line, `Water comes and goes with the moon, twice in a day and a bit, line ${line}`)
  }
}

/** Outline entries, all of the first level. */
export const outline = (file: PDFDocument, titles: ReadonlyArray<string>): void => {
  const { context } = file
  const root = context.nextRef()
  const refs = titles.map(() => context.nextRef())
  titles.forEach((title, index) => {
    const entry: PDFDict = context.obj({ Title: PDFHexString.fromText(title), Parent: root })
    const next = refs[index + 1]
    if (next !== undefined) entry.set(PDFName.of("Next"), next)
    const ref = refs[index]
    if (ref !== undefined) context.assign(ref, entry)
  })
  const tree: PDFDict = context.obj({ Type: "Outlines", Count: titles.length })
  const [first] = refs
  const last = refs[refs.length - 1]
  if (first !== undefined && last !== undefined) {
    tree.set(PDFName.of("First"), first)
    tree.set(PDFName.of("Last"), last)
  }
  context.assign(root, tree)
  file.catalog.set(PDFName.of("Outlines"), root)
}
