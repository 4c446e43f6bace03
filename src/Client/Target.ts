/**
 * Faults of the requested site, as opposed to faults of the service.
 *
 * Failed calls, and failed pages of jobs of the local engine, have an error code. Failed pages of other services have only a message, which
 * quotes the code of Node, OpenSSL or Chromium. Messages of pages are only searched if there is no known code.
 */
import {
  type Call,
  type ClientError,
  TargetDnsError,
  TargetNetworkError,
  TargetTlsError,
  Timeout
} from "./ClientErrors.ts"

/** Reason why a page could not be reached. */
export type Fault = "network" | "dns" | "tls" | "timeout"

const faults: ReadonlyMap<unknown, Fault> = new Map([
  ["SCRAPE_CONNECTION_ERROR", "network"],
  ["SCRAPE_PROXY_ERROR", "network"],
  ["SCRAPE_DNS_RESOLUTION_ERROR", "dns"],
  ["SCRAPE_SSL_ERROR", "tls"],
  ["SCRAPE_TIMEOUT", "timeout"],
  ["SCRAPE_TOO_SLOW", "timeout"]
])

const texts: ReadonlyArray<readonly [Fault, RegExp]> = [
  ["dns", /\b(ENOTFOUND|EAI_AGAIN|ENODATA|ERR_NAME_(NOT_RESOLVED|RESOLUTION_FAILED))\b/],
  [
    "tls",
    /\b(CERT_\w+|\w+_CERT|DEPTH_ZERO\w*|SELF_SIGNED\w*|UNABLE_TO_(VERIFY|GET)\w*|EPROTO|ERR_(TLS|SSL|CERT)_\w+)\b/
  ],
  // Version 0.1 of the local engine says `did not answer in full within`, without a code.
  [
    "timeout",
    /\b(ETIMEDOUT|UND_ERR_\w*TIMEOUT|ERR_(CONNECTION_)?TIMED_OUT)\b|\btimed out\b|did not answer in full within/i
  ],
  [
    "network",
    /\b(ECONN(REFUSED|RESET|ABORTED)|EPIPE|E(HOST|NET)UNREACH|UND_ERR_SOCKET|ERR_(CONNECTION|ADDRESS|PROXY|TUNNEL|INTERNET|NETWORK)_\w+|ERR_EMPTY_RESPONSE)\b/
  ]
]

const faultIn = (text: string): Fault | undefined => texts.find(([, pattern]) => pattern.test(text))?.[0]

/** Fault for a service's error code. For "the site did not load", the message tells which fault it was. */
export const faultOf = (code: unknown, text: string): Fault | undefined =>
  code === "SCRAPE_SITE_ERROR" ? (faultIn(text) ?? "network") : faults.get(code)

/** Fault of a failed page. Its code may also be a meta tag of the page: for an unknown one, the message decides. */
export const pageFault = (code: unknown, text: string): Fault | undefined => faultOf(code, text) ?? faultIn(text)

/** Error for a fault. */
export const targetError = (fault: Fault, call: Call): ClientError => {
  switch (fault) {
    case "dns":
      return new TargetDnsError(call)
    case "tls":
      return new TargetTlsError(call)
    case "timeout":
      return new Timeout(call)
    case "network":
      return new TargetNetworkError(call)
  }
}

/** Reject reason for a row whose page has this fault: the tag of the error of a failed call with the same fault. */
export const reasonOf = (fault: Fault): ClientError["_tag"] => targetError(fault, { method: "", url: "" })._tag

/** True if retrying the same page may succeed. */
export const isPassing = (error: ClientError): boolean =>
  error._tag === "TargetNetworkError" || (error._tag === "TargetDnsError" && /\bEAI_AGAIN\b/.test(error.said ?? ""))
