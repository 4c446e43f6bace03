/**
 * Faults of the page that was asked for, told apart from faults of the service.
 *
 * Services report them in two ways: a failed call has an error code; a page of a job has no code, only a text that quotes
 * the code of node, OpenSSL or Chromium. Texts are only read where there is no code of a service.
 */
import {
  type Call,
  type ClientError,
  TargetDnsError,
  TargetNetworkError,
  TargetTlsError,
  Timeout
} from "./ClientErrors.ts"

/** Why a page could not be reached. */
export type Fault = "network" | "dns" | "tls" | "timeout"

const faults: Readonly<Record<string, Fault>> = {
  SCRAPE_CONNECTION_ERROR: "network",
  SCRAPE_PROXY_ERROR: "network",
  SCRAPE_DNS_RESOLUTION_ERROR: "dns",
  SCRAPE_SSL_ERROR: "tls",
  SCRAPE_TIMEOUT: "timeout",
  SCRAPE_TOO_SLOW: "timeout"
}

const texts: ReadonlyArray<readonly [Fault, RegExp]> = [
  ["dns", /\b(ENOTFOUND|EAI_AGAIN|ENODATA|ERR_NAME_(NOT_RESOLVED|RESOLUTION_FAILED))\b/],
  [
    "tls",
    /\b(CERT_\w+|\w+_CERT|DEPTH_ZERO\w*|SELF_SIGNED\w*|UNABLE_TO_(VERIFY|GET)\w*|EPROTO|ERR_(TLS|SSL|CERT)_\w+)\b/
  ],
  [
    "timeout",
    /\b(ETIMEDOUT|UND_ERR_\w*TIMEOUT|ERR_(CONNECTION_)?TIMED_OUT)\b|\bdid not answer in full within\b|\btimed out\b/i
  ],
  [
    "network",
    /\b(ECONN(REFUSED|RESET|ABORTED)|EPIPE|E(HOST|NET)UNREACH|UND_ERR_SOCKET|ERR_(CONNECTION|ADDRESS|PROXY|TUNNEL|INTERNET|NETWORK)_\w+|ERR_EMPTY_RESPONSE)\b/
  ]
]

/** The error code that a message quotes. */
export const faultIn = (text: string): Fault | undefined => texts.find(([, pattern]) => pattern.test(text))?.[0]

/** The fault that a service's code stands for; the code for "the site did not load" leaves the rest to the text. */
export const faultOf = (code: string | undefined, text: string): Fault | undefined =>
  code === "SCRAPE_SITE_ERROR" ? (faultIn(text) ?? "network") : faults[code ?? ""]

/** The error that a fault means. */
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

/** The reason of a row whose page has this fault: the tag that a failed call has for it. */
export const reasonOf = (fault: Fault): ClientError["_tag"] => targetError(fault, { method: "", url: "" })._tag

/** True when a retry of the same page may succeed. */
export const isPassing = (error: ClientError): boolean =>
  error._tag === "TargetNetworkError" || (error._tag === "TargetDnsError" && /\bEAI_AGAIN\b/.test(error.said ?? ""))
