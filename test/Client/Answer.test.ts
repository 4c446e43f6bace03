import * as Headers from "@effect/platform/Headers"
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import { excerpt, refusal, retryAfter, toError } from "../../src/Client/Answer.ts"
import { JobFailed, TargetDnsError } from "../../src/Client/ClientErrors.ts"

const now = Date.UTC(2026, 0, 1)

const answer = (status: number, body: unknown, options: { url?: string; headers?: Record<string, string> } = {}) =>
  toError(
    {
      method: "POST",
      url: options.url ?? "http://service/v2/scrape",
      status,
      headers: Headers.fromInput(options.headers ?? {}),
      body: typeof body === "string" ? body : JSON.stringify(body)
    },
    now
  )

const call = { method: "POST", url: "http://service/v2/scrape" }
const wire = (error: string, code?: string, details?: unknown) => ({ success: false, error, code, details })
const job = "http://service/v2/crawl/7b6f3c1e-8f6b-4b1a-9d56-0123456789ab"
const parse = "http://service/v2/parse"

describe("the error an answer means", () => {
  it.each([
    [400, wire("bad", "BAD_REQUEST"), {}, "InvalidRequest", false],
    [400, wire("no", "UNSUPPORTED_FILE_TYPE"), {}, "UnsupportedFile", false],
    [400, wire("Unsupported file extension .xyz"), { url: parse }, "UnsupportedFile", false],
    [400, wire("File size exceeds the 50MB limit"), { url: parse }, "TooLarge", false],
    [400, wire("query exceeds the maximum size"), {}, "InvalidRequest", false],
    [400, wire("timeout exceeds the maximum of 300000"), { url: parse }, "InvalidRequest", false],
    [401, wire("Unauthorized: Invalid token"), {}, "Unauthorized", false],
    [401, "", {}, "Unauthorized", false],
    [402, wire("needed 5, left 2"), {}, "PaymentRequired", false],
    [403, wire("off"), {}, "Forbidden", false],
    [404, wire("Job not found"), { url: job }, "JobNotFound", false],
    [404, { error: "Not found" }, { url: `${job}?skip=100` }, "JobNotFound", false],
    [404, "", { url: job }, "JobNotFound", false],
    [404, wire("Job expired"), { url: job }, "JobExpired", false],
    [404, wire("Session not found"), { url: "http://service/v2/browser/x" }, "NotFound", false],
    [404, "<html><body>Cannot GET /v2/crawl</body></html>", { url: job }, "UnexpectedResponse", false],
    [408, wire("slow", "SCRAPE_TIMEOUT"), {}, "Timeout", true],
    [409, wire("finished"), {}, "Conflict", false],
    [410, wire("gone"), {}, "Gone", false],
    [413, "", {}, "TooLarge", false],
    [415, wire("no"), {}, "UnsupportedFile", false],
    [422, wire("encrypted", "FILE_ENCRYPTED"), {}, "Unprocessable", false],
    [
      422,
      wire("The connection to x failed (ECONNREFUSED)", "SCRAPE_CONNECTION_ERROR"),
      {},
      "TargetNetworkError",
      false
    ],
    [422, wire("The proxy did not get through", "SCRAPE_PROXY_ERROR"), {}, "TargetNetworkError", false],
    [422, wire("x could not be resolved", "SCRAPE_DNS_RESOLUTION_ERROR"), {}, "TargetDnsError", false],
    [422, wire("No secure connection to x", "SCRAPE_SSL_ERROR"), {}, "TargetTlsError", false],
    [500, wire("failed to load: net::ERR_CONNECTION_RESET", "SCRAPE_SITE_ERROR"), {}, "TargetNetworkError", false],
    [500, wire("failed to load: net::ERR_NAME_NOT_RESOLVED", "SCRAPE_SITE_ERROR"), {}, "TargetDnsError", false],
    [500, wire("The site took too long", "SCRAPE_TIMEOUT"), {}, "Timeout", true],
    [500, wire("our own database: ECONNREFUSED", "UNKNOWN_ERROR"), {}, "ServiceError", true],
    [429, wire("slow down"), {}, "RateLimited", true],
    [500, wire("oops", "UNKNOWN_ERROR"), {}, "ServiceError", true],
    [500, wire("request entity too large"), {}, "TooLarge", false],
    [501, wire("not here", "NOT_IMPLEMENTED"), {}, "NotImplemented", false],
    [507, wire("8 GB of 8 GB", "INSUFFICIENT_STORAGE"), {}, "InsufficientStorage", false],
    [502, "<html><head><title>502 Bad Gateway</title></head></html>", {}, "ServiceError", true],
    [503, "", {}, "ServiceError", true],
    [503, wire("The browser ended. Try again", "BROWSER_LOST"), {}, "ServiceError", true],
    [503, wire("No Chromium is there", "BROWSER_UNAVAILABLE"), {}, "ServiceError", false],
    [503, wire("The model's endpoint refused the key", "MODEL_MISCONFIGURED"), {}, "ServiceError", false],
    [418, wire("teapot"), {}, "UnexpectedResponse", false],
    [304, "", {}, "UnexpectedResponse", false]
  ] as const)("is %s %j %j → %s", (status, body, options, tag, retryable) => {
    const error = answer(status, body, options)
    expect([error._tag, error.retryable]).toEqual([tag, retryable])
    expect(error.message).toContain(error.url)
    expect(error.message).not.toContain("undefined")
    expect(error.name).toBe(tag)
  })

  it("carries the service's message and code, and advice", () => {
    const error = answer(401, wire("Unauthorized: Token missing", "NO_TOKEN"))
    expect(error.code).toBe("NO_TOKEN")
    expect(error.message).toBe(
      "The key was refused (POST http://service/v2/scrape): Unauthorized: Token missing. Put a valid key of this service into SLUICE_API_KEY"
    )
  })

  it("suggests no retry for errors that do not go away, such as a browser whose sandbox cannot work", () => {
    const lacking = answer(503, wire("chromium does not start. Its sandbox does not work here", "BROWSER_UNAVAILABLE"))
    expect(lacking.message).toBe(
      "The service cannot do this (POST http://service/v2/scrape): chromium does not start. Its sandbox does not work here. Trying again helps only once this is fixed"
    )
    expect(answer(503, wire("Busy")).message).toMatch(/Try again later$/)
  })

  it.each([
    [403, "FORBIDDEN"],
    [503, "MODEL_MISCONFIGURED"],
    [507, "TEAM_STORAGE_FULL"],
    [200, "ODD"]
  ])("adds no advice where the answer to a call with status %s names the setting", (status, code) => {
    const said = wire("It is off: set SLUICE_ALLOW_NETWORKS", code)
    const error = status === 200 ? refusal(call, said) : answer(status, said)
    expect(error?.message).toMatch(/: It is off: set SLUICE_ALLOW_NETWORKS$/)
    const other = status === 200 ? refusal(call, wire("It is off", code)) : answer(status, wire("It is off", code))
    expect(other?.message).toMatch(/: It is off\. \w+/)
  })

  it("gives advice once that the answer has, too", () => {
    const { message } = new TargetDnsError({
      ...call,
      said: "x.example could not be resolved. Check the spelling of the address."
    })
    expect(message.match(/Check the spelling of the address/g)).toHaveLength(1)
  })

  it("says a fault once that the message of a refused request has, too", () => {
    const message = '"^/p/(" is not a regular expression: missing )'
    const said = `The request is invalid: includePaths: ${message}`
    const one = answer(400, wire(said, "BAD_REQUEST", [{ path: ["includePaths"], message }]))
    expect(one.message).toBe(`The request is not valid (POST http://service/v2/scrape): ${said}. Correct the request`)
    const two = answer(
      400,
      wire(said, "BAD_REQUEST", [
        { path: "includePaths", message },
        { path: "limit", message: "too large" }
      ])
    )
    expect(two.message).toBe(`The request is not valid (POST http://service/v2/scrape): ${said}; limit: too large`)
  })

  it.each([
    ["INSUFFICIENT_CREDITS", "no more", "PaymentRequired"],
    ["JOB_FAILED", "a page says: insufficient credits", undefined],
    [undefined, "a page says: insufficient credits", undefined],
    // As an earlier version stored it.
    ["JOB_FAILED", "insufficient credits: 1 needed", "PaymentRequired"],
    [undefined, "Insufficient credits: 1 needed", "PaymentRequired"],
    ["TEAM_STORAGE_FULL", "full", "InsufficientStorage"]
  ])("of a job that failed with the code %s and %j says whether all jobs would fail", (code, said, teamError) => {
    const failed = new JobFailed({
      ...call,
      code,
      said,
      id: "j",
      status: "failed",
      position: 0,
      completed: 0,
      total: 1
    })
    expect(failed.teamError).toBe(teamError)
  })

  it("lists every fault of a refused request, whatever form the service gives them", () => {
    const details = [
      { path: ["scrapeOptions", "formats", 0], message: "unknown format", code: "custom" },
      { path: "limit", message: "must be at most 100" },
      "something else",
      { odd: true }
    ]
    const error = answer(400, wire("Bad request", "BAD_REQUEST", details))
    expect(error).toMatchObject({
      details: [
        { path: "scrapeOptions.formats.0", message: "unknown format", code: "custom" },
        { path: "limit", message: "must be at most 100" },
        { path: "", message: "something else" },
        { path: "", message: '{"odd":true}' }
      ]
    })
    expect(error.message).toContain("scrapeOptions.formats.0: unknown format; limit: must be at most 100")
    expect(answer(400, wire("Bad", "X", { message: "one" }))).toMatchObject({ details: [{ path: "", message: "one" }] })
  })

  it("understands an error that is an object, and one under `message`", () => {
    expect(answer(402, { error: { message: "empty purse" } }).said).toBe("empty purse")
    expect(answer(402, { message: "empty purse" }).said).toBe("empty purse")
  })

  it("says when a rate limit ends", () => {
    const error = answer(429, wire("Rate limit exceeded, please retry after 13s, resets at Thu Jan 01"))
    expect(error).toMatchObject({ retryAfter: Duration.seconds(13) })
    expect(error.message).toContain("Try again after 13s")
    expect(answer(429, "").message).toContain("Try again after a short while")
  })
})

describe("an answer of status 200 that reports a failure", () => {
  it("is the fault of the target where its code names one", () => {
    const call = { method: "POST", url: "http://service/v2/scrape" }
    const tagOf = (code: string, error: string) => refusal(call, { success: false, code, error })?._tag
    expect(tagOf("SCRAPE_DNS_RESOLUTION_ERROR", "DNS resolution failed for x")).toBe("TargetDnsError")
    expect(tagOf("SCRAPE_SSL_ERROR", "bad certificate")).toBe("TargetTlsError")
    expect(tagOf("SCRAPE_TIMEOUT", "too slow")).toBe("Timeout")
    expect(tagOf("SCRAPE_ACTION_ERROR", "no such button")).toBe("Refused")
  })
})

describe("Retry-After", () => {
  it.each([
    [{ "retry-after": "7" }, "", 7000],
    [{ "retry-after": "1.5" }, "", 1500],
    [{ "retry-after": "Thu, 01 Jan 2026 00:01:00 GMT" }, "", 60_000],
    [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, "", 0],
    [{ "retry-after": "soon" }, "try again in 2 minutes", 120_000],
    [{}, "please retry after 13s, resets at 12:00", 13_000],
    [{}, "Retry-After: 4", 4000],
    [{}, "wait 250 ms", 250],
    [{}, "wait 250 milliseconds", 250],
    [{ "retry-after": "3" }, "please retry after 99s", 3000]
  ] as const)("is read from %j and %j as %s ms", (headers, text, expected) => {
    const found = retryAfter(Headers.fromInput(headers), text, now)
    expect(found === undefined ? undefined : Duration.toMillis(found)).toBe(expected)
  })

  it("is unknown when no header says it", () => {
    expect(retryAfter(Headers.empty, "Too many requests, 100 in the last hour", now)).toBeUndefined()
  })
})

describe("an excerpt", () => {
  it("is the readable beginning of a page, on one line", () => {
    const page = `<!doctype html><style>p { color: red }</style><script>let a = 1</script><h1>Bad\n gateway</h1>${"x ".repeat(500)}`
    expect(excerpt(page).startsWith("Bad gateway x x")).toBe(true)
    expect(excerpt(page).length).toBe(200)
  })
})
