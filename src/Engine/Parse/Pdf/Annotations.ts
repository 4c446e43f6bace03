/**
 * Annotations of a PDF with visible content: links, values of form fields and notes on the page. Comments are not included, because a
 * viewer shows them only on request.
 */
import type { getDocumentProxy } from "unpdf"
import type { LinkArea, Matrix } from "./Geometry.ts"

type Document = Awaited<ReturnType<typeof getDocumentProxy>>
type PageProxy = Awaited<ReturnType<Document["getPage"]>>

/** Text of a form field or a note, with its position on the page. */
export interface FieldText {
  /** Id of the annotation. */
  readonly id: string
  /** True if the text replaces the drawing; false if it is used only when the file draws nothing. */
  readonly replaces: boolean
  readonly lines: ReadonlyArray<string>
  readonly size: number
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
}

export interface PageAnnotations {
  readonly links: ReadonlyArray<LinkArea>
  readonly fields: ReadonlyArray<FieldText>
}

interface Annotation {
  readonly id?: string
  readonly subtype?: string
  readonly url?: string
  readonly rect?: ReadonlyArray<number>
  readonly pageIndex?: number
  readonly fieldType?: string | null
  readonly fieldValue?: unknown
  readonly exportValue?: string
  readonly buttonValue?: string
  readonly checkBox?: boolean
  readonly radioButton?: boolean
  readonly password?: boolean
  readonly options?: ReadonlyArray<{ readonly exportValue?: string; readonly displayValue?: string }>
  readonly textContent?: ReadonlyArray<string>
  readonly contentsObj?: { readonly str?: string }
  readonly defaultAppearanceData?: { readonly fontSize?: number }
}

/** Numbers of the annotation types to read in pdf.js: link, note on the page, and form field. */
const types = [2, 3, 20]
/** Pages read at once, because each call of pdf.js visits the list of all pages. */
const pagesPerRead = 64

const strings = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === "string" && each !== "")

/** Value of a form field; undefined for fields without a value, such as buttons. */
const valueOf = (field: Annotation): ReadonlyArray<string> | undefined => {
  const { buttonValue, checkBox, exportValue, fieldType, fieldValue, options = [], password, radioButton } = field
  switch (fieldType) {
    case "Tx":
      return password === true ? [] : strings(fieldValue).flatMap((value) => value.split(/\r\n?|\n/))
    case "Ch": {
      const chosen = strings(fieldValue).map(
        (value) => options.find((option) => option.exportValue === value)?.displayValue ?? value
      )
      return chosen.length === 0 ? [] : [chosen.join(", ")]
    }
    case "Btn": {
      const [value] = strings(fieldValue)
      const isSet = value !== undefined && value !== "Off"
      if (checkBox === true) return [isSet && (exportValue === undefined || exportValue === value) ? "☑" : "☐"]
      return radioButton === true ? [isSet && value === buttonValue ? "◉" : "○"] : undefined
    }
    default:
      return undefined
  }
}

const textOf = (annotation: Annotation): ReadonlyArray<string> | undefined => {
  if (annotation.subtype === "Widget") return valueOf(annotation)
  if (annotation.subtype !== "FreeText") return undefined
  return annotation.textContent ?? (annotation.contentsObj?.str ?? "").split(/\r\n?|\n/)
}

const contentOf = (annotations: ReadonlyArray<Annotation>, [a, b, c, d, e, f]: Matrix): PageAnnotations => {
  const links: Array<LinkArea> = []
  const fields: Array<FieldText> = []
  for (const annotation of annotations) {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = annotation.rect ?? []
    const xs = [a * x0 + c * y0 + e, a * x1 + c * y1 + e]
    const ys = [b * x0 + d * y0 + f, b * x1 + d * y1 + f]
    const box = { x0: Math.min(...xs), x1: Math.max(...xs), y0: Math.min(...ys), y1: Math.max(...ys) }
    if (annotation.subtype === "Link" && annotation.url !== undefined) links.push({ ...box, href: annotation.url })
    const lines = textOf(annotation)
    if (lines === undefined || annotation.id === undefined) continue
    const stated = annotation.defaultAppearanceData?.fontSize ?? 0
    const size = stated > 0 ? stated : Math.min(12, Math.max(6, 0.7 * (box.y1 - box.y0)))
    fields.push({ id: annotation.id, replaces: annotation.subtype === "Widget", lines, size, ...box })
  }
  return { links, fields }
}

/** Reads the annotations of a batch of pages, beginning with `from`; undefined if one of the pages is broken. */
const readMany = (document: Document, from: number): Promise<ReadonlyArray<Annotation> | undefined> => {
  const others = new Set(
    Array.from({ length: document.numPages }, (_, index) => index).filter(
      (index) => index < from || index >= from + pagesPerRead
    )
  )
  return document.getAnnotationsByType(new Set(types), others).then(
    (found: ReadonlyArray<Annotation> | null) => found ?? [],
    () => undefined
  )
}

export type AnnotationReader = (page: PageProxy, base: Matrix) => Promise<PageAnnotations>

/**
 * Reads the annotations of pages, which must be requested in order. Reads them in batches: for a single page pdf.js
 * would read its text again to find the text of each link.
 */
export const annotationsIn = (document: Document): AnnotationReader => {
  let start = -1
  let batch: ReadonlyArray<Annotation> | undefined
  return async (page, base) => {
    const index = page.pageNumber - 1
    const first = index - (index % pagesPerRead)
    if (first !== start) {
      start = first
      batch = await readMany(document, first)
    }
    return batch === undefined
      ? contentOf(await page.getAnnotations(), base)
      : contentOf(
          batch.filter(({ pageIndex }) => pageIndex === index),
          base
        )
  }
}
