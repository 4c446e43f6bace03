/** Failures between the engine and a site, with what to do about them. */
import { BadRequest, Forbidden, TimedOut, Unprocessable } from "../../Api/Errors.ts"
import { catalogue } from "../../Settings.ts"

/** The code that undici, node:net, node:dns or OpenSSL gave, wherever in the chain of causes it is. */
export const codeOf = (cause: unknown): string => {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code === "string") return error.code
    if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  }
  return ""
}

const dropped = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"])

/** The connection went away: one that was kept open may have been closed by the site just before it was used again. */
export const isDropped = (cause: unknown): boolean => dropped.has(codeOf(cause))

const refusalIn = (cause: unknown): Forbidden | undefined => {
  for (let error = cause; error instanceof Error; error = error.cause) if (error instanceof Forbidden) return error
  return undefined
}

/** Of several tries at once, what the first met with: the whole has no words of its own. */
const textOf = (cause: unknown): string => {
  if (cause instanceof AggregateError && cause.message === "" && cause.errors.length > 0) return textOf(cause.errors[0])
  return cause instanceof Error ? cause.message : String(cause)
}

const closed = "the site closed it before its answer was whole. Try again later, or more slowly"
const noWay = "there is no way to it from this machine. Check its network, or a firewall between"

/** What the usual codes mean, and what to do. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there. Check the address and its port, or whether the site is down",
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  EHOSTUNREACH: noWay,
  ENETUNREACH: noWay,
  UND_ERR_HEADERS_OVERFLOW: "its headers are larger than 16 KB, which is what is read"
}

/** The host of a page did not resolve here, or to a refused address, before a proxy was asked. */
export class TargetRefused extends Error {
  constructor(cause: unknown) {
    super("the host was not resolved", { cause })
  }
}

/** A proxy answered the request for a tunnel to a checked address with another status than 2xx. */
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

/** The failure of a request through a proxy. It does not tell the proxy's address. */
export const proxyFailure = (
  url: URL,
  proxy: string,
  cause: unknown
): BadRequest | Forbidden | TimedOut | Unprocessable => {
  const ours = targetRefusedIn(cause)
  if (ours !== undefined) return connectionFailure(url, ours.cause)
  const code = codeOf(cause)
  const answer = /\(\d{3}\)/.exec(textOf(cause))?.[0]
  if (answer === undefined && (code === "UND_ERR_INVALID_ARG" || code === "ERR_INVALID_CHAR")) {
    return new BadRequest({
      error: `The request to ${url.href} cannot be sent: one of its headers is not valid.`,
      code: "BAD_REQUEST"
    })
  }
  if (tls.test(code) && url.protocol === "https:") {
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

const tls = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_CERT|HOSTNAME_MISMATCH|EPROTO)/

/** The failure that a foreign error stands for. */
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
  if (tls.test(code)) {
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
