/** What went wrong between the engine and a site, told so that somebody can act on it (spec 7). */
import { BadRequest, Forbidden, TimedOut, Unprocessable } from "../../Api/Errors.ts"
import { catalogue } from "../../Settings.ts"

/** The code that undici, node:net, node:dns or OpenSSL gave, wherever in the chain of causes it is. */
const codeOf = (cause: unknown): string => {
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

const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** What failed on the way through a proxy; where the proxy is stays untold. */
export const proxyFailure = (url: URL, proxy: string, cause: unknown): BadRequest | TimedOut | Unprocessable => {
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
  return new Unprocessable({
    error: `The proxy "${proxy}" did not get through to ${url.host}${status === "" ? "" : ` ${status}`}. Check it in ${catalogue.proxies.env}, or use another.`,
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
    return new TimedOut({ error: `${url.host} did not accept a connection in time.`, code: "SCRAPE_TIMEOUT" })
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN" || code === "ENODATA") {
    return new Unprocessable({
      error: `${url.hostname} could not be resolved (${code}). Check the spelling of the address.`,
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
    error: `The connection to ${url.host} failed: ${textOf(cause)}${code === "" ? "" : ` (${code})`}.`,
    code: "SCRAPE_CONNECTION_ERROR"
  })
}
