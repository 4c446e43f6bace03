/** What a caller sends under an idempotency key: the key, and what was asked for under it. */
import { createHash } from "node:crypto"
import { Conflict } from "../Api/Errors.ts"

export interface Repeat {
  readonly key: string
  /** What was asked for, by its hash. */
  readonly request: string
}

/** The same value with its keys in order, so that equal ones are written alike. */
export const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)])
  )
}

/** The request's identity; the order of keys makes no difference. An empty key is none. */
export const repeat = (key: string | undefined, endpoint: string, payload: unknown): Repeat | undefined =>
  key === undefined || key === ""
    ? undefined
    : {
        key,
        request: createHash("sha256")
          .update(endpoint)
          .update(JSON.stringify(sorted(payload)))
          .digest("hex")
      }

/** The refusal of a key that stands for another request already. */
export const reused = ({ key }: Repeat) =>
  new Conflict({
    error: `The idempotency key "${key}" was used for another request: use a new key for a new request.`,
    code: "IDEMPOTENCY_KEY_REUSED"
  })
