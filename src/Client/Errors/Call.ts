/** The call that an error is about, and how it is told. */

/** The call that failed, and what the service said about it. */
export interface Call {
  readonly method: string
  readonly url: string
  /** The code of the error body, where the service sends one. */
  readonly code?: string | undefined
  /** The service's own words. */
  readonly said?: string | undefined
  /** The id by which it finds the request in its log, where it gives one. */
  readonly requestId?: string | undefined
}

/** One fault of a request. */
export interface Detail {
  /** Where in the request, like `scrapeOptions.formats.0`; empty for the request as a whole. */
  readonly path: string
  readonly message: string
  readonly code?: string | undefined
}

/** What failed, on what, what the service said of it, and what to do next. */
export const describe = (what: string, { method, url, said }: Call, todo: string): string =>
  `${what} (${method} ${url})${said === undefined || said === "" ? "" : `: ${said.replace(/[.\s]+$/, "")}`}. ${todo}`
