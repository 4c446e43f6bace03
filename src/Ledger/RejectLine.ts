/**
 * Rejected rows: the line of the reject file, which says its version, and the reject as the ledger has it.
 *
 * Lines of version 0.1 have no `version`. Files are put together with {@link upgrade}, so a file never has lines of two
 * versions, and lines of a newer version are refused.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { JsonValue } from "../Row/SavedValue.ts"

const version = 1

const fields = {
  key: Schema.String,
  step: Schema.String,
  /** Position of the step: `file:line:column`. */
  definedAt: Schema.String,
  error: Schema.String,
  message: Schema.String,
  /** HTTP status of the page that caused the error. */
  status: Schema.optional(Schema.Number),
  /** Calls for the row, with retries. Undefined in rejects of version 0.1. */
  attempts: Schema.optional(Schema.Number),
  at: Schema.String,
  jobId: Schema.optional(Schema.String),
  /** Ids of the trace and span in which the row was rejected, as in the log. */
  traceId: Schema.optional(Schema.String),
  spanId: Schema.optional(Schema.String),
  /** Id of the failed request in the log of the service. */
  requestId: Schema.optional(Schema.String),
  row: JsonValue,
  /** The value of `$source`. */
  source: Schema.optional(JsonValue)
}

const Fields = Schema.Struct(fields)

/** Rejected row. */
export interface Reject extends Schema.Schema.Type<typeof Fields> {
  /** True when the key was derived from the row's content at its first step. The key of a page that is fetched for it differs. */
  readonly isDerived?: boolean | undefined
}

/** A line of the reject file. */
export const RejectLine = Schema.Struct({
  version: Schema.optionalWith(Schema.Literal(version), { default: () => version }),
  ...fields
})

const decode = Schema.decodeEither(Schema.parseJson(RejectLine))

const beginning = `{"version":${version},`

/** The line, with its end. */
export const write = ({ isDerived: _, ...reject }: Reject): string => `${JSON.stringify({ version, ...reject })}\n`

/** The text of a reject file with lines of this version; the number of the first line that is of a newer one, or no reject. */
export const upgrade = (text: string): Either.Either<string, number> => {
  const lines = text.split("\n")
  if (lines.every((line) => line === "" || line.startsWith(beginning))) return Either.right(text)
  const upgraded: Array<string> = []
  for (const [index, line] of lines.entries()) {
    if (line === "") continue
    if (line.startsWith(beginning)) {
      upgraded.push(`${line}\n`)
      continue
    }
    const found = decode(line)
    if (Either.isLeft(found)) return Either.left(index + 1)
    upgraded.push(write(found.right))
  }
  return Either.right(upgraded.join(""))
}
