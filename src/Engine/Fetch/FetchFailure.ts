/** Maps network errors to API errors, with advice for the user. */
import { BadRequest, type Forbidden, TimedOut, Unprocessable } from "../../Api/Errors.ts"
import { refusalIn } from "../../Guard.ts"
import { catalogue } from "../../Settings.ts"

/** First error code (undici, `node:net`, `node:dns` or OpenSSL) in the chain of causes; an empty string if there is none. */
export const codeOf = (cause: unknown): string => {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code === "string") return error.code
    if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  }
  return ""
}

const droppedCodes = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"])

/** True if the connection dropped, which is common when a site closes a kept-alive connection just before it is reused. */
export const isDropped = (cause: unknown): boolean => droppedCodes.has(codeOf(cause))

/** Message of an error. An `AggregateError` (several addresses tried) has none of its own, so the first inner one is used. */
const textOf = (cause: unknown): string => {
  if (cause instanceof AggregateError && cause.message === "" && cause.errors.length > 0) return textOf(cause.errors[0])
  return cause instanceof Error ? cause.message : String(cause)
}

const closedReason =
  "the site closed it before its answer was complete. Try again later, or send fewer requests at once"
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

/** A proxy refused to open a tunnel. */
export class TunnelRefused extends Error {
  readonly answer: string
  /** `proxy` if it will not open a tunnel to any site, though other proxies may; `site` if it could not reach this site. */
  readonly fault: "proxy" | "site"
  /** True if another address of the site may be tried. */
  readonly mayRetry: boolean
  constructor(answer: string, fault: "proxy" | "site", mayRetry: boolean) {
    super(`no tunnel (${answer})`)
    this.answer = answer
    this.fault = fault
    this.mayRetry = mayRetry
  }
}

/** A proxy did not answer, or did not speak its protocol. */
export class ProxyUnreachable extends Error {
  constructor(cause: unknown) {
    super("the proxy did not answer", { cause })
  }
}

type ErrorClass<E> = abstract new (...args: never) => E

const findIn = <E extends Error>(cause: unknown, kind: ErrorClass<E>): E | undefined => {
  for (let error = cause; error instanceof Error; error = error.cause) if (error instanceof kind) return error
  return undefined
}

/** Statuses of a proxy for wrong credentials and for too many requests. They do not depend on the site. */
const ownStatuses: ReadonlySet<string> = new Set(["407", "429"])

/** Status with which a proxy refused a tunnel. undici has it only in its message: `Proxy response (407) !== 200 …`. */
const proxyStatusOf = (cause: unknown): string | undefined => /\((\d{3})\)/.exec(textOf(cause))?.[1]

/** Short form of a failure, such as `(407)` or `(ECONNREFUSED)`; empty if nothing is known. */
const answerOf = (cause: unknown): string => {
  const answer = findIn(cause, TunnelRefused)?.answer ?? proxyStatusOf(cause) ?? codeOf(cause)
  return answer === ""
    ? ""
    : answer === "407"
      ? "(407: the proxy does not accept the user name and password)"
      : `(${answer})`
}

/**
 * Says whose fault a failed request through a proxy was. `proxy`: the proxy is paused, and another one takes the request. `elsewhere`: this
 * proxy cannot reach the site, so another one takes the request. Undefined: the site or the request is at fault.
 */
export const proxyFaultOf = (
  cause: unknown
): { readonly of: "proxy" | "elsewhere"; readonly reason: string } | undefined => {
  if (findIn(cause, TargetRefused) !== undefined) return undefined
  const reason = answerOf(cause)
  const refused = findIn(cause, TunnelRefused)
  if (refused !== undefined) return { of: refused.fault === "proxy" ? "proxy" : "elsewhere", reason }
  const status = proxyStatusOf(cause)
  if (findIn(cause, ProxyUnreachable) !== undefined || ownStatuses.has(status ?? "")) return { of: "proxy", reason }
  return status === undefined ? undefined : { of: "elsewhere", reason }
}

/** Error for a failed request through a proxy. Never contains the proxy's URL, which may hold a password; `label` is the URL without it. */
export const proxyFailure = (
  url: URL,
  pool: string,
  label: string,
  cause: unknown
): BadRequest | Forbidden | TimedOut | Unprocessable => {
  const refused = findIn(cause, TargetRefused)
  if (refused !== undefined) return connectionFailure(url, refused.cause)
  const fault = proxyFaultOf(cause)
  const code = codeOf(cause)
  if (fault === undefined && (code === "UND_ERR_INVALID_ARG" || code === "ERR_INVALID_CHAR")) {
    return new BadRequest({
      error: `The request to ${url.href} cannot be sent: one of its headers is not valid.`,
      code: "BAD_REQUEST"
    })
  }
  if (fault === undefined && tlsCode.test(code) && url.protocol === "https:") {
    return new Unprocessable({
      error: `No secure connection to ${url.host} through the proxy "${pool}" at ${label} (${code}). If you trust the site, set "skipTlsVerification".`,
      code: "SCRAPE_SSL_ERROR"
    })
  }
  const isNamed = findIn(cause, TunnelRefused)?.fault !== "site"
  const hint = isNamed
    ? ""
    : " The proxy was given the IP address of the site; if it accepts only host names, add ?dns=proxy to the address of the proxy."
  return new Unprocessable({
    error: `The proxy "${pool}" at ${label} could not connect to ${url.host}${withSpace(answerOf(cause))}. Check this proxy in ${catalogue.proxies.env}, or use another.${hint}`,
    code: "SCRAPE_PROXY_ERROR"
  })
}

const withSpace = (text: string): string => (text === "" ? "" : ` ${text}`)

/** Error if all proxies of a pool are paused or have failed for this request. The request is never sent without a proxy. */
export const noProxyLeft = (
  url: URL,
  pool: string,
  resting: { readonly proxies: ReadonlyArray<string>; readonly seconds: number } | undefined
): Unprocessable => {
  const shown = resting?.proxies.slice(0, 5).join(", ")
  const more = (resting?.proxies.length ?? 0) - 5
  const which = shown === undefined ? "" : `: ${shown}${more > 0 ? ` and ${more} more` : ""}`
  const when = resting === undefined ? "try again" : `try again in ${resting.seconds} s`
  return new Unprocessable({
    error: `No proxy of "${pool}" could connect to ${url.host}${which}. A proxy that failed is not used for a while: ${when}, or check the proxies in ${catalogue.proxies.env}.`,
    code: "SCRAPE_PROXY_ERROR"
  })
}

const tlsCode = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_CERT|HOSTNAME_MISMATCH|EPROTO)/

/** API error for an error of undici, `node:net`, `node:dns` or OpenSSL. */
export const connectionFailure = (url: URL, cause: unknown): BadRequest | Forbidden | TimedOut | Unprocessable => {
  const refusal = refusalIn(cause)
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
      error: `${url.host} did not accept a connection within 10 s. Check the address, or whether a firewall blocks the connection.`,
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
