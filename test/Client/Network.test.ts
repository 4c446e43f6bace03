import * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { describe, expect, it } from "vitest"
import { fromTransport } from "../../src/Client/Network.ts"

const request = HttpClientRequest.get("http://service/v2/crawl/active").pipe(HttpClientRequest.bearerToken("sentinel"))
const call = { method: "GET", url: "http://service/v2/crawl/active" }
const scrub = (text: string) => text.replaceAll("sentinel", "[key]")

const errorOf = (cause: unknown, reason: "Transport" | "InvalidUrl" = "Transport", hasAnswered = false) =>
  fromTransport(call, { scrub, hasAnswered })(new HttpClientError.RequestError({ request, reason, cause }))

const coded = (code: string, message = code) => Object.assign(new Error(message), { code })

describe("the reason for a missing answer", () => {
  it.each([
    ["ECONNREFUSED", "nothing listens there", true, false],
    ["ENOTFOUND", "no such host", false, false],
    ["EAI_AGAIN", "could not be looked up", true, false],
    ["EHOSTUNREACH", "host cannot be reached", true, false],
    ["ENETUNREACH", "network cannot be reached", true, false],
    ["ERR_INVALID_CHAR", "cannot be sent", false, false],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "TLS handshake failed", false, false],
    ["CERT_HAS_EXPIRED", "TLS handshake failed", false, false],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "TLS handshake failed", false, false],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "TLS handshake failed", false, false],
    ["EPROTO", "TLS handshake failed", false, false],
    ["ECONNRESET", "cut before the end", true, true],
    ["EPIPE", "cut before the end", true, true],
    ["ETIMEDOUT", "timed out", true, true],
    ["ERR_BUFFER_TOO_LARGE", "more than 256 MiB", false, true]
  ])("%s: %s", (code, words, retryable, sent) => {
    const error = errorOf(coded(code))
    expect(error).toMatchObject({ _tag: "NetworkError", retryable, sent })
    expect(error.message).toContain(words)
    expect(error.message).toMatch(/^No answer: .* \(GET http:\/\/service\/v2\/crawl\/active\)\. \S/)
  })

  it("is the network when a known host name is not found, and the call is repeated", () => {
    const error = errorOf(coded("ENOTFOUND"), "Transport", true)
    expect(error).toMatchObject({ retryable: true, sent: false, reason: "the name could not be looked up" })
  })

  it("is found inside the errors of fetch, and reported without the key when it is unknown", () => {
    expect(errorOf(new TypeError("fetch failed", { cause: coded("ECONNREFUSED") })).reason).toBe(
      "nothing listens there"
    )
    expect(errorOf(new Error("odd header sentinel")).reason).toBe("odd header [key]")
    expect(errorOf("sentinel", "InvalidUrl")).toMatchObject({ retryable: false, sent: true })
    expect(JSON.stringify(errorOf("sentinel"))).not.toContain("sentinel")
  })
})
