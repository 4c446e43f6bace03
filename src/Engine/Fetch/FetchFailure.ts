/** Maps network errors to API errors, with advice for the user. */
import { BadRequest, Forbidden, TimedOut, Unprocessable } from "../../Api/Errors.ts"
import { catalogue } from "../../Settings.ts"

/** First error code (undici, `node:net`, `node:dns` or OpenSSL) in the chain of causes, else an empty string. */
export const codeOf = (cause: unknown): string => {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code === "string") return error.code
    if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  }
  return ""
}

const droppedCodes = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"])

/** The connection dropped. Common when a site closes a kept-alive connection just before it is reused. */
export const isDropped = (cause: unknown): boolean => droppedCodes.has(codeOf(cause))

const forbiddenIn = (cause: unknown): Forbidden | undefined => {
  for (let error = cause; error instanceof Error; error = error.cause) if (error instanceof Forbidden) return error
  return undefined
}

/** Message of an error. An `AggregateError` (several addresses tried) has none of its own, so the first inner one is used. */
const textOf = (cause: unknown): string => {
  if (cause instanceof AggregateError && cause.message === "" && cause.errors.length > 0) return textOf(cause.errors[0])
  return cause instanceof Error ? cause.message : String(cause)
}

const closedReason = "the site closed it before its answer was whole. Try again later, or more slowly"
const unreachableReason = "this machine has no route to it. Check the network, or a firewall in between"

/** Explanation and advice by error code. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there. Check the address and its port, or whether the site is down",
  ECONNRESET: closedReason,
  EPIPE: closedReason,
  UND_ERR_SOCKET: closedReason,
  ERR_ASSERTION: "its answer is not valid HTTP",
  EHOSTUNREACH: unreachableReason,
  ENETUNREACH: unreachableReason,
  UND_ERR_HEADERS_OVERFLOW: "its headers are larger than 256 KB, which is what is read"
}

/** The host of a page did not resolve, or resolved to a refused address. Raised before the proxy is asked. */
export class TargetRefused extends Error {
  constructor(cause: unknown) {
    super("the host was not resolved", { cause })
  }
}

/** A proxy answered CONNECT with a status other than 2xx. */
export class TunnelRefused extends Error {
  readonly status: number
  constructor(status: number) {
    super(`no tunnel (${status})`)
    this.status = status
  }
}

const targetRefusedIn = (cause: unknown): TargetRefused | undefined => {
  for (let error = cause; error instanceof Error; error = error.cause) if (error instanceof TargetRefused) return error
  return undefined
}

/** Failure of a request through a proxy. Never contains the proxy's URL, which may hold a password. */
export const proxyFailure = (
  url: URL,
  proxy: string,
  cause: unknown
): BadRequest | Forbidden | TimedOut | Unprocessable => {
  const refused = targetRefusedIn(cause)
  if (refused !== undefined) return connectionFailure(url, refused.cause)
  const code = codeOf(cause)
  const answer = /\(\d{3}\)/.exec(textOf(cause))?.[0]
  if (answer === undefined && (code === "UND_ERR_INVALID_ARG" || code === "ERR_INVALID_CHAR")) {
    return new BadRequest({
      error: `The request to ${url.href} cannot be sent: one of its headers is not valid.`,
      code: "BAD_REQUEST"
    })
  }
  if (tlsCode.test(code) && url.protocol === "https:") {
    return new Unprocessable({
      error: `No secure connection to ${url.host} through the proxy "${proxy}" (${code}). If you trust the site, set "skipTlsVerification".`,
      code: "SCRAPE_SSL_ERROR"
    })
  }
  const status = answer ?? (code === "" ? "" : `(${code})`)
  const hint =
    answer === undefined || answer === "(407)" || !(cause instanceof TunnelRefused)
      ? ""
      : " It was asked to connect to the checked address of the site; if it takes only names, add ?dns=proxy to its address there."
  return new Unprocessable({
    error: `The proxy "${proxy}" did not get through to ${url.host}${status === "" ? "" : ` ${status}`}. Check it in ${catalogue.proxies.env}, or use another.${hint}`,
    code: "SCRAPE_PROXY_ERROR"
  })
}

const tlsCode = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_CERT|HOSTNAME_MISMATCH|EPROTO)/

/** API error for an error of undici, `node:net`, `node:dns` or OpenSSL. */
export const connectionFailure = (url: URL, cause: unknown): BadRequest | Forbidden | TimedOut | Unprocessable => {
  const refusal = forbiddenIn(cause)
  if (refusal !== undefined) return refusal
  const code = codeOf(cause)
  if (code === "UND_ERR_INVALID_ARG" || code === "ERR_INVALID_CHAR") {
    return new BadRequest({
      error: `The request to ${url.href} cannot be sent: ${textOf(cause)}.`,
      code: "BAD_REQUEST"
    })
  }
  if (code === "UND_ERR_CONNECT_TIMEOUT") {
    return new TimedOut({
      error: `${url.host} did not accept a connection within 10 s. Check the address, or whether a firewall is between.`,
      code: "SCRAPE_TIMEOUT"
    })
  }
  if (code === "ETIMEDOUT") {
    return new TimedOut({
      error: `The connection to ${url.host} timed out (ETIMEDOUT): the site stopped answering. Try again later.`,
      code: "SCRAPE_TIMEOUT"
    })
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN" || code === "ENODATA") {
    return new Unprocessable({
      error: `${url.hostname} could not be resolved (${code}). ${code === "EAI_AGAIN" ? "Check this machine's DNS, and try again" : "Check the spelling of the address"}.`,
      code: "SCRAPE_DNS_RESOLUTION_ERROR"
    })
  }
  if (tlsCode.test(code)) {
    return new Unprocessable({
      error: `No secure connection to ${url.host} (${code}). If you trust the site, set "skipTlsVerification".`,
      code: "SCRAPE_SSL_ERROR"
    })
  }
  return new Unprocessable({
    error: `The connection to ${url.host} failed${code === "" ? "" : ` (${code})`}: ${reasons[code] ?? textOf(cause)}.`,
    code: "SCRAPE_CONNECTION_ERROR"
  })
}
