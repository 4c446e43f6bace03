/** Behaviour shared by all providers: keys, quotas, and unsupported parameters. */

import * as Effect from "effect/Effect"
import { describe, expect, it } from "../../It.ts"
import { fakeProvider } from "./FakeProvider.ts"
import { ask, key, numbered } from "./ProviderSearch.ts"

describe("provider errors about keys and quotas", () => {
  const error = (status: number, body: object, headers: Readonly<Record<string, string>> = {}) => ({
    status,
    text: JSON.stringify(body),
    headers
  })
  const google = (code: number, message: string, reason: string) =>
    error(code, { error: { code, message, errors: [{ message, domain: "usageLimits", reason }] } })

  it.scoped.each([
    [
      "brave",
      key,
      error(422, {
        type: "ErrorResponse",
        error: { id: "1", status: 422, code: "SUBSCRIPTION_TOKEN_INVALID", detail: "The provided token is invalid." }
      }),
      "Brave: it refused the key (422)."
    ],
    [
      "brave",
      key,
      error(429, { type: "ErrorResponse", error: { status: 429, code: "RATE_LIMITED", meta: { plan: "Free" } } }),
      "Brave: its quota is used up (429)."
    ],
    ["serper", key, error(403, { message: "Unauthorized.", statusCode: 403 }), "Serper: it refused the request (403)"],
    [
      "tavily",
      key,
      error(401, { detail: { error: "Unauthorized: missing or invalid API key." } }),
      "Tavily: it refused the key (401)."
    ],
    [
      "tavily",
      key,
      error(433, { detail: { error: "This request exceeds the pay-as-you-go limit." } }),
      "Tavily: its quota is used up (433)."
    ],
    [
      "exa",
      key,
      error(402, { requestId: "1", error: "No more credits.", tag: "NO_MORE_CREDITS" }),
      "Exa: its quota is used up (402)."
    ],
    [
      "exa",
      key,
      error(400, { requestId: "1", error: "Invalid request body", tag: "INVALID_REQUEST_BODY" }),
      "Exa: it answered 400."
    ],
    [
      "google",
      `${key}:cx`,
      google(403, "Daily Limit Exceeded", "dailyLimitExceeded"),
      "Google: its quota is used up (403)."
    ],
    [
      "google",
      `${key}:cx`,
      google(429, "Quota exceeded for quota metric 'Queries'", "rateLimitExceeded"),
      "Google: its quota is used up (429)."
    ],
    [
      "google",
      `${key}:cx`,
      error(400, {
        error: {
          code: 400,
          message: "API key not valid. Please pass a valid API key.",
          status: "INVALID_ARGUMENT",
          details: [{ reason: "API_KEY_INVALID" }]
        }
      }),
      "Google: it refused the key (400)."
    ]
  ] as const)("are explained, and the next provider is queried: %s %#", function* ([name, value, reply, message]) {
    const { origin } = yield* fakeProvider(() => reply)
    const { data, warning } = yield* ask(`${name}=${value}@${origin},local`, { query: "q" })
    expect(data.web?.[0]?.title).toBe("Gathered")
    expect(warning).toContain(message)
    expect(warning).not.toContain(key)
  })

  it.scoped("carry a Retry-After, also with several rate limit windows", function* () {
    const { origin } = yield* fakeProvider(() =>
      error(
        429,
        { type: "ErrorResponse" },
        { "x-ratelimit-limit": "1, 15000", "x-ratelimit-remaining": "0, 1000", "x-ratelimit-reset": "7, 1419704" }
      )
    )
    const failure = yield* Effect.flip(ask(`brave=${key}@${origin}`, { query: "q" }))
    expect(failure).toMatchObject({ retryAfter: 7 })
  })
})

describe("a parameter that a provider does not support", () => {
  it.scoped("is adapted for Brave: unknown countries are left out, queries cut to fifty words", function* () {
    const { asked, origin } = yield* fakeProvider(() => ({ json: { type: "search", query: {} } }))
    const words = numbered(70, (n) => `w${n}`)
    const { warning } = yield* ask(`brave=${key}@${origin}`, { query: words.join(" "), country: "LU" })
    expect(asked[0]?.query).toMatchObject({ country: "ALL", q: words.slice(0, 50).join(" ") })
    expect(asked[0]?.query).not.toHaveProperty("spellcheck")
    expect(warning).toContain("Not supported by brave: the end of the query, country.")
  })

  it.scoped("is named in a warning when there are fewer results than requested", function* () {
    const { origin } = yield* fakeProvider(({ body }) => ({
      json: {
        results: numbered(body.max_results, (n) => ({ url: `https://a.example/${n}`, title: `T${n}`, content: "c" }))
      }
    }))
    const { data, warning } = yield* ask(`tavily=${key}@${origin}`, { query: "q", limit: 50 })
    expect(data.web).toHaveLength(20)
    expect(warning).toBe("Not supported by tavily: limit 50 (the maximum is 20 results).")
  })

  it.scoped("is replaced for Exa: the GitHub category by GitHub hosts, PDFs by a local filter", function* () {
    const { asked, origin } = yield* fakeProvider(() => ({
      json: {
        results: [
          { title: "Repo", url: "https://github.com/a/b", text: "t" },
          { title: "Paper", url: "https://a.example/paper.pdf", text: "t" }
        ]
      }
    }))
    const code = yield* ask(`exa=${key}@${origin}`, { query: "q", categories: ["github"] })
    const papers = yield* ask(`exa=${key}@${origin}`, { query: "q", categories: ["pdf"] })
    expect(code.data.web?.map(({ title }) => title)).toEqual(["Repo"])
    expect(papers.data.web?.map(({ title }) => title)).toEqual(["Paper"])
    for (const { body } of asked) expect(body).not.toHaveProperty("category")
    expect(asked[0]?.body.includeDomains).toContain("github.com")
  })
})
