/** Header with the idempotency key, by which a repeated call is recognized and charged only once. */
import * as Schema from "effect/Schema"

const Key = Schema.String.pipe(
  Schema.filter(
    (text) => /^[ -~]{0,255}$/.test(text) || "expected at most 255 characters, all of them printable ASCII",
    { jsonSchema: { maxLength: 255 } }
  )
)

const headers = (description: string) =>
  Schema.Struct({ "x-idempotency-key": Schema.optional(Key.annotations({ description })) })

/** Headers of a request that starts a job. */
export const StartHeaders = headers(
  "A second start with the same key and the same body returns the job of the first start; with another body, it fails with 409. Each team has its own keys."
)

/** Headers of a single paid call. */
export const CallHeaders = headers(
  "For 24 hours, repeating a call with the same key and the same request (for an upload: file, name and options) returns the first answer, byte for byte, and costs nothing; while the first call runs, the repeat waits for it. A repeat with another request fails with 409. Each team has its own keys. Failed calls may be repeated freely. An answer over 20 MiB is not stored: the repeat does the work again and costs nothing. Nothing is stored for a request with zeroDataRetention: its key is ignored."
)
