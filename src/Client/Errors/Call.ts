/** Failed call in a client error, and its text in the error message. */

/** Request that failed, with the error body of the service. */
export interface Call {
  readonly method: string
  readonly url: string
  /** `code` of the error body, if the service sends one. */
  readonly code?: string | undefined
  /** Error message of the service. */
  readonly said?: string | undefined
  /** Request id in the log of the service, if it sends one. */
  readonly requestId?: string | undefined
}

/** Validation error of one field of a request. */
export interface Detail {
  /** Path of the field, like `scrapeOptions.formats.0`; empty for the request as a whole. */
  readonly path: string
  readonly message: string
  readonly code?: string | undefined
}

/** Builds an error message: what failed, on which call, the message of the service, and what to do next. */
export const describe = (what: string, { method, url, said }: Call, todo: string): string =>
  `${what} (${method} ${url})${said === undefined || said === "" ? "" : `: ${said.replace(/[.\s]+$/, "")}`}. ${todo}`
