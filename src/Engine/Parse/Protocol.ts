/**
 * Messages between the engine and its parser processes: a job goes in, one reply comes out.
 *
 * A process says `ready` once it has started, `begun` when it has taken a job, then `parsed` or `refused`. Readers run without
 * Effect, because a process must start fast: they throw a `Refusal`, which becomes a 422.
 */
import type { Document } from "../../Api/Document.ts"
import { dataFormats } from "../../Api/PageData.ts"
import type { WrittenData } from "../ScrapeOptions.ts"
import type { Entry } from "../Search/Entry.ts"
import type { IndexedPage } from "../Search/Gather.ts"

/** Formats that can be made from a file. */
export const formats: ReadonlyArray<string> = [
  "markdown",
  "html",
  "rawHtml",
  "links",
  "images",
  "summary",
  ...dataFormats
]

/** File types that can be read. */
export type Kind =
  | "html"
  | "pdf"
  | "docx"
  | "doc"
  | "odt"
  | "rtf"
  | "xlsx"
  | "xls"
  | "ods"
  | "sheetXml"
  | "delimited"
  | "text"

/** Page output that a request asks of a PDF. */
export interface PageOptions {
  /** Markdown of each page. */
  readonly pages: boolean
  /** Blocks of each page with their positions. */
  readonly blocks: boolean
  /** Marks in the Markdown where a page begins. */
  readonly pageMarkers: boolean
}

/** Options that change how a file is read. Plain data: they travel between processes. */
export interface ReadOptions {
  readonly formats: ReadonlyArray<string>
  readonly data?: WrittenData | undefined
  /** Address of the file, for relative addresses in its data. */
  readonly url?: string | undefined
  readonly onlyMainContent: boolean
  readonly onlyCleanContent: boolean
  readonly includeTags: ReadonlyArray<string>
  readonly excludeTags: ReadonlyArray<string>
  readonly removeBase64Images: boolean
  readonly blockAds: boolean
  /** Only for PDF; undefined for all pages. */
  readonly maxPages?: number | undefined
  /** Only for PDF: what to return of the pages; undefined for nothing. */
  readonly pages?: PageOptions | undefined
  /** A reader that works page by page stops after this time and returns what it has, with a warning. */
  readonly budgetMillis: number
  /** Depth of a file that is inserted into a document; undefined for the document itself. */
  readonly insertedDepth?: number | undefined
}

export interface Job {
  readonly path: string
  readonly name: string
  /** Type of the file name's extension; undefined when it is unknown. */
  readonly promised: Kind | undefined
  /** Running time after which the process is killed. */
  readonly limitMillis: number
  readonly options: ReadOptions
}

export interface ParsedFile {
  readonly document: Document
  /** Fields for the search index. */
  readonly indexed: Entry & Pick<IndexedPage, "published">
  /** Milliseconds that the file waited for a process; undefined when one was free. */
  readonly waitedMillis?: number | undefined
}

export type RefusalCode = "FILE_CORRUPT" | "FILE_ENCRYPTED" | "FILE_TOO_COMPLEX" | "UNSUPPORTED_FILE_TYPE"

/** The file cannot be read. Thrown by readers. */
export class Refusal extends Error {
  readonly code: RefusalCode
  constructor(code: RefusalCode, message: string) {
    super(message)
    this.name = "Refusal"
    this.code = code
  }
}

export const corrupt = (what: string): Refusal =>
  new Refusal("FILE_CORRUPT", `${what}. Open it in the program that made it and save it again.`)

/** The content is of no supported type, whatever the file name says. */
export const unsupportedContent = (): Refusal =>
  new Refusal(
    "FILE_CORRUPT",
    "The content is not HTML, PDF, Word, Excel, OpenDocument, RTF or plain text. Convert it to one of them."
  )

export const encrypted = (what: string): Refusal =>
  new Refusal("FILE_ENCRYPTED", `${what} is password-protected. Remove the password and send it again.`)

export const tooComplex = (what: string): Refusal =>
  new Refusal("FILE_TOO_COMPLEX", `${what}. Split the file and send the parts.`)

export type Reply =
  | { readonly kind: "parsed"; readonly file: ParsedFile }
  | { readonly kind: "refused"; readonly code: RefusalCode; readonly message: string }

export type Message = Reply | { readonly kind: "ready" | "begun" }
