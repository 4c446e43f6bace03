/**
 * A source of pages: HTTP, a browser, or the page cache around one of them. It runs as a promise (see `Work`).
 *
 * A source returns any response of the site; 404 and 500 are pages, not failures. It rejects with a failure of its own type.
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
  /**
   * Names in lower case. Has the first value of a repeated header; for `Link` and `X-Robots-Tag` all values, one per line; for
   * `Cache-Control` and `Vary` all, as one list.
   */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The body as received, when the site compressed it. */
  readonly packed?: { readonly coding: string; readonly body: Uint8Array } | undefined
  /** URL of the proxy that fetched the page, without user name and password. */
  readonly proxy?: string | undefined
  /** Present when a browser was used, or would have been needed. */
  readonly shown?: Shown | undefined
  /** Milliseconds that the requests of the page waited for their turn at the host. Timeouts do not run meanwhile. */
  readonly waited?: number | undefined
  /** Parts that the page cache will store: they are compressed after the conversion, on the same thread. */
  readonly stores?: { readonly body: boolean; readonly conversion: boolean } | undefined
  /** Stored conversion of exactly this body. The body is then not converted again, and is empty unless the site sent it. */
  readonly converted?: Converted | undefined
}
