/** Where links lead from on the pages of a PDF, read for many pages at a time. */
import type { getDocumentProxy } from "unpdf"
import type { LinkArea } from "./PdfInterpreter.ts"
import type { Matrix } from "./PdfMatrix.ts"

type Document = Awaited<ReturnType<typeof getDocumentProxy>>
type PageProxy = Awaited<ReturnType<Document["getPage"]>>

interface Annotation {
  readonly subtype?: string
  readonly url?: string
  readonly rect?: ReadonlyArray<number>
  readonly pageIndex?: number
}

/** As the library numbers them. */
const linkType = 2
/** The library goes through the list of all pages for each reading. */
const pagesAtOnce = 64

const areasOf = (annotations: ReadonlyArray<Annotation>, [a, b, c, d, e, f]: Matrix): ReadonlyArray<LinkArea> =>
  annotations.flatMap(({ rect: [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = [], subtype, url }) => {
    if (subtype !== "Link" || url === undefined) return []
    const xs = [a * x0 + c * y0 + e, a * x1 + c * y1 + e]
    const ys = [b * x0 + d * y0 + f, b * x1 + d * y1 + f]
    return [{ x0: Math.min(...xs), x1: Math.max(...xs), y0: Math.min(...ys), y1: Math.max(...ys), href: url }]
  })

/** Of the pages from one on; undefined where a page among them is broken. */
const readMany = (document: Document, from: number): Promise<ReadonlyArray<Annotation> | undefined> => {
  const others = new Set(
    Array.from({ length: document.numPages }, (_, index) => index).filter(
      (index) => index < from || index >= from + pagesAtOnce
    )
  )
  return document.getAnnotationsByType(new Set([linkType]), others).then(
    (found: ReadonlyArray<Annotation> | null) => found ?? [],
    () => undefined
  )
}

export type Links = (page: PageProxy, base: Matrix) => Promise<ReadonlyArray<LinkArea>>

/**
 * Pages are asked for in their order. Asked for one page alone, the library reads all its text once more to know the
 * words of each link.
 */
export const linksIn = (document: Document): Links => {
  let start = -1
  let many: ReadonlyArray<Annotation> | undefined
  return async (page, base) => {
    const index = page.pageNumber - 1
    const first = index - (index % pagesAtOnce)
    if (first !== start) {
      start = first
      many = await readMany(document, first)
    }
    return many === undefined
      ? areasOf(await page.getAnnotations(), base)
      : areasOf(
          many.filter(({ pageIndex }) => pageIndex === index),
          base
        )
  }
}
