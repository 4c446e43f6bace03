/** Idempotency keys: a repeated request with the same key gets the first response. */
import { createHash } from "node:crypto"
import { Conflict } from "../../Api/Errors.ts"

export interface IdempotentRequest {
  readonly key: string
  /** Hash of the endpoint and the payload. */
  readonly request: string
}

/** Returns a copy with sorted object keys, so that equal values have equal JSON. */
export const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)])
  )
}

/** Describes a request with an idempotency key. Undefined without a key, and for an empty key. */
export const repeat = (key: string | undefined, endpoint: string, payload: unknown): IdempotentRequest | undefined =>
  key === undefined || key === ""
    ? undefined
    : {
        key,
        request: createHash("sha256")
          .update(endpoint)
          .update(JSON.stringify(sorted(payload)))
          .digest("hex")
      }

/** Error if the key has been used for a different request. */
export const reused = ({ key }: IdempotentRequest) =>
  new Conflict({
    error: `The idempotency key "${key}" was used for another request: use a new key for a new request.`,
    code: "IDEMPOTENCY_KEY_REUSED"
  })
