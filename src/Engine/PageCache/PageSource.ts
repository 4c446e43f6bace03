/**
 * A source of pages: HTTP, a browser, or the page cache around one of them, as plain work (see `Work`).
 *
 * A source answers with whatever the site said; 404 and 500 are pages, not failures. It rejects with its failure.
 */
import type { ActionResults, Metadata } from "../../Api/Document.ts"
import type { PageDirectives } from "../../Html/PageDirectives.ts"
import type { Held, Work } from "../Teams/Work.ts"
import type { PackedText } from "./Packing.ts"

export interface PageSource<Request, Page> {
  readonly open: (work: Work, request: Request) => Promise<Held<Page>>
}

/** Additional results of a browser. */
export interface Shown {
  readonly screenshot?: string | undefined
  readonly actions?: typeof ActionResults.Type | undefined
  readonly warning?: string | undefined
}

/** A converted page as it is stored. */
export interface Converted {
  /** JSON of the document without its metadata. */
  readonly content: PackedText
  readonly metadata: Metadata
  readonly links: ReadonlyArray<string>
  readonly directives?: PageDirectives | undefined
}

export interface Fetched {
  /** The address after redirects. */
  readonly url: string
  readonly statusCode: number
  /** Names in lower case; the first value of a repeated header, and all values of `Link` and `X-Robots-Tag`, one a line. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The body as received, when the site compressed it. */
  readonly packed?: { readonly coding: string; readonly body: Uint8Array } | undefined
  /** Address of the proxy through which the page was fetched, without user name and password. */
  readonly proxy?: string | undefined
  /** Present when a browser was used, or would have been needed. */
  readonly shown?: Shown | undefined
  /** Milliseconds in which its requests waited for their turn at the host. No timeout ran meanwhile. */
  readonly waited?: number | undefined
  /** Parts that the page cache will store: they are compressed after the conversion, on the same thread. */
  readonly stores?: { readonly body: boolean; readonly conversion: boolean } | undefined
  /** Conversion of this very body, when it is stored: the body is not converted, and empty unless the site has sent it. */
  readonly converted?: Converted | undefined
}
