/** Why an option of a scrape is refused before anything is fetched. */
import { BadRequest, NotImplemented } from "../../Api/Errors.ts"

/** An option that is not built; `instead` says what to do. */
export const missing = (name: string, instead: string): NotImplemented =>
  new NotImplemented({ error: `"${name}" is not built into this server yet. ${instead}`, code: "NOT_IMPLEMENTED" })

/** A value that an option cannot have. */
export const invalid = (path: string, message: string): BadRequest =>
  new BadRequest({
    error: `${path}: ${message}`,
    code: "BAD_REQUEST",
    details: [{ path: [path], message, code: "invalid_value" }]
  })

export type Refusal = BadRequest | NotImplemented
