/** Header of the idempotency key: a repeated call counts once. */
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
  "A start that is repeated under the same key with the same body is answered with the job that the first one started; with another body it is a 409. Keys are the team's own."
)

/** Headers of a single paid call. */
export const CallHeaders = headers(
  "For 24 hours, a call that is repeated under the same key with the same request (for an upload: file, name and options) is answered with the first answer, byte for byte, and nothing is booked; while the first is under way, the repeat waits for it. With another request it is a 409. Keys are the team's own. Calls that failed may be repeated at will. An answer over 20 MiB is not stored: the repeat does the work again and books nothing. Nothing is stored for a request with zeroDataRetention: its key is left unread."
)
