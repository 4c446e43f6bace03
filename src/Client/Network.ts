/** Explains network errors: describes Node's error codes, and what to do. */
import type * as HttpClientError from "@effect/platform/HttpClientError"
import * as Duration from "effect/Duration"
import { type Call, NetworkError } from "./ClientErrors.ts"

interface Cause {
  readonly reason: string
  readonly todo: string
  readonly retryable: boolean
  readonly sent: boolean
}

/** Maximum size of a decompressed response in bytes: far more than a page of a job or a file needs, but less than memory allows. */
export const maxAnswerSize = 256 * 1024 * 1024

const checkService = "Check that the service runs and that SLUICE_BASE_URL is right"
const again = "Try again"

/** Causes of errors that happen before the first byte is sent, by Node's error code. */
const unsent: Readonly<Record<string, Omit<Cause, "sent">>> = {
  ECONNREFUSED: { reason: "nothing listens there", todo: checkService, retryable: true },
  ENOTFOUND: { reason: "no such host", todo: checkService, retryable: false },
  EAI_AGAIN: { reason: "the name could not be looked up", todo: "Check the network connection", retryable: true },
  EHOSTUNREACH: { reason: "the host cannot be reached", todo: "Check the network connection", retryable: true },
  ENETUNREACH: { reason: "the network cannot be reached", todo: "Check the network connection", retryable: true },
  UND_ERR_CONNECT_TIMEOUT: { reason: "connecting took too long", todo: checkService, retryable: true },
  ERR_INVALID_CHAR: {
    reason: "the key or a header has a character that cannot be sent",
    todo: "Look for a line break in SLUICE_API_KEY",
    retryable: false
  }
}

const tls = /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|HOSTNAME_MISMATCH|INVALID_CA)/

/** Node's code of the outermost error that has one, else an empty string. */
export const codeOf = (cause: unknown): string => {
  if (typeof cause !== "object" || cause === null) return ""
  if ("code" in cause && typeof cause.code === "string") return cause.code
  return "cause" in cause ? codeOf(cause.cause) : ""
}

/** Short name of an error: its code, or its class. Unlike its message, it never contains a URL. */
export const causeName = (cause: unknown): string => codeOf(cause) || (cause instanceof Error ? cause.name : "unknown")

interface ExplainOptions {
  /** Removes the API key from a string. */
  readonly scrub: (text: string) => string
  /** True once the service has answered: then its host name is right, and a failed lookup is temporary. */
  readonly hasAnswered: boolean
}

const explain = (error: HttpClientError.HttpClientError, { hasAnswered, scrub }: ExplainOptions): Cause => {
  const code = codeOf(error.cause)
  const known = unsent[code === "ENOTFOUND" && hasAnswered ? "EAI_AGAIN" : code]
  if (known !== undefined) return { ...known, sent: false }
  const text = scrub(error.cause instanceof Error ? error.cause.message : error.message)
  if (tls.test(code)) {
    const todo = "Check the certificate of the service, or use http:// if it speaks plain HTTP"
    return { reason: `the TLS handshake failed (${code}: ${text})`, todo, retryable: false, sent: false }
  }
  if (code === "ERR_BUFFER_TOO_LARGE") {
    const reason = `the answer has more than ${maxAnswerSize / 1024 / 1024} MiB, the limit of the client`
    return { reason, todo: "Ask for less at a time: fewer formats, or a smaller limit", retryable: false, sent: true }
  }
  if (code === "ECONNRESET" || code === "EPIPE" || error._tag === "ResponseError") {
    return { reason: "the connection was cut before the end of the answer", todo: again, retryable: true, sent: true }
  }
  if (code === "ETIMEDOUT") return { reason: "the connection timed out", todo: again, retryable: true, sent: true }
  return { reason: text, todo: again, retryable: error.reason === "Transport", sent: true }
}

/** Converts an error of the HTTP client. The result contains nothing of the request, so neither headers nor key. */
export const fromTransport =
  (call: Call, options: ExplainOptions) =>
  (error: HttpClientError.HttpClientError): NetworkError =>
    new NetworkError({ ...call, ...explain(error, options) })

/** The JSON of the response is truncated. */
export const truncated = (call: Call): NetworkError =>
  new NetworkError({ ...call, reason: "the JSON of the answer ends early", todo: again, retryable: true, sent: true })

/** The response was not complete within the timeout. */
export const timedOut = (call: Call, timeout: Duration.DurationInput): NetworkError =>
  new NetworkError({
    ...call,
    reason: `nothing came within ${Duration.format(Duration.decode(timeout))}`,
    todo: "Try again, or allow the connection a longer timeout",
    retryable: true,
    sent: true
  })
