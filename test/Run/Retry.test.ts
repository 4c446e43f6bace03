import * as Effect from "effect/Effect"
import * as ClientErrors from "../../src/Client/ClientErrors.ts"
import { type Repeatable, RetryPolicy } from "../../src/Client/Retry.ts"
import { withRetry } from "../../src/Run/Retry.ts"
import { expect, scoped } from "../It.ts"

type Retry = NonNullable<Parameters<typeof withRetry>[1]>

const call = { method: "POST", url: "http://x.example" }
const busy = new ClientErrors.ServiceError({ ...call, status: 503 })
const missing = new ClientErrors.NotFound(call)

const repeats = (retry: Retry, error: ClientErrors.ClientError, repeatable: Repeatable) =>
  Effect.map(withRetry(RetryPolicy, retry), ({ when }) => when(error, { method: "POST", repeatable }))

scoped("a named cause is retried, although a read may be paid for twice; a job start never is", function* () {
  expect(yield* repeats({ times: 1 }, busy, "refused")).toBe(false)
  expect(yield* repeats({ times: 1, on: ["5xx"] }, busy, "refused")).toBe(true)
  expect(yield* repeats({ times: 1, on: [503] }, busy, "refused")).toBe(true)
  expect(yield* repeats({ times: 1, on: [500] }, busy, "refused")).toBe(false)
  expect(yield* repeats({ times: 1, on: ["5xx"] }, busy, "unsent")).toBe(false)
  expect(yield* repeats({ times: 1, on: ["timeout"] }, new ClientErrors.Timeout(call), "refused")).toBe(true)
})

scoped("every refusal matches its status, and a network error is retried only if that can help", function* () {
  expect(yield* repeats({ times: 1, on: ["4xx"] }, missing, "always")).toBe(true)
  expect(yield* repeats({ times: 1, on: [404] }, missing, "always")).toBe(true)
  expect(yield* repeats({ times: 1, on: [409] }, missing, "always")).toBe(false)
  expect(yield* repeats({ times: 1, on: ["429"] }, new ClientErrors.RateLimited(call), "refused")).toBe(true)
  const offline = (retryable: boolean) =>
    new ClientErrors.NetworkError({ ...call, reason: "gone", todo: "Look", retryable, sent: true })
  expect(yield* repeats({ times: 1, on: ["network"] }, offline(true), "refused")).toBe(true)
  expect(yield* repeats({ times: 1, on: ["network"] }, offline(true), "unsent")).toBe(false)
  expect(yield* repeats({ times: 1, on: ["network"] }, offline(false), "refused")).toBe(false)
})

scoped(
  "`network` covers the connections to the service and to the site, but no wrong host name or certificate",
  function* () {
    const refused = new ClientErrors.TargetNetworkError({ ...call, said: "(ECONNREFUSED)" })
    expect(yield* repeats({ times: 1, on: ["network"] }, refused, "refused")).toBe(true)
    expect(yield* repeats({ times: 1, on: ["4xx", "5xx", "timeout"] }, refused, "refused")).toBe(false)
    expect(yield* repeats({ times: 1 }, refused, "always")).toBe(false)
    const unknown = new ClientErrors.TargetDnsError({ ...call, said: "(ENOTFOUND)" })
    const unanswered = new ClientErrors.TargetDnsError({ ...call, said: "(EAI_AGAIN)" })
    expect(yield* repeats({ times: 1, on: ["network"] }, unknown, "refused")).toBe(false)
    expect(yield* repeats({ times: 1, on: ["network"] }, unanswered, "refused")).toBe(true)
    expect(yield* repeats({ times: 1, on: ["network"] }, new ClientErrors.TargetTlsError(call), "refused")).toBe(false)
  }
)
