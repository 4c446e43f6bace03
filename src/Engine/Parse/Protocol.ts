/**
 * Messages between the engine and its parser processes: one job is sent, one reply comes back.
 *
 * A process sends `ready` once it has started, `begun` when it has taken a job, then `parsed` or `refused`. Readers run without Effect,
 * because a process must start fast: they throw a `Refusal`, which becomes a 422.
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

/** Output per page that a request wants from a PDF. */
export interface PageOptions {
  /** True to return the Markdown of each page. */
  readonly pages: boolean
  /** True to return the blocks of each page with their positions. */
  readonly blocks: boolean
  /** True to add a marker to the Markdown where each page begins. */
  readonly pageMarkers: boolean
}

/** Options that change how a file is read. Plain data, because they are sent between processes. */
export interface ReadOptions {
  readonly formats: ReadonlyArray<string>
  readonly data?: WrittenData | undefined
  /** URL of the file, for resolving relative URLs in its data. */
  readonly url?: string | undefined
  readonly onlyMainContent: boolean
  readonly onlyCleanContent: boolean
  readonly includeTags: ReadonlyArray<string>
  readonly excludeTags: ReadonlyArray<string>
  readonly removeBase64Images: boolean
  readonly blockAds: boolean
  /** Only for PDF; undefined for all pages. */
  readonly maxPages?: number | undefined
  /** Only for PDF: the page output to return; undefined for none. */
  readonly pages?: PageOptions | undefined
  /** Milliseconds after which a reader that works page by page stops and returns what it has, with a warning. */
  readonly budgetMillis: number
  /** Nesting depth of a file inserted into a document; undefined for the document itself. */
  readonly insertedDepth?: number | undefined
}

export interface Job {
  readonly path: string
  readonly name: string
  /** Type that the extension of the file name indicates; undefined for an unknown extension. */
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

/** Refuses content that is of no supported type, whatever the file name says. */
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
