/**
 * Rejected rows: the line of the reject file, which contains its version, and the reject as stored in the ledger.
 *
 * Lines of version 0.1 have no `version`. Files are merged with {@link upgrade}, so a file never contains lines of two
 * versions; lines of a newer version are refused.
 */
import * as Option from "effect/Option"
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
  /** Number of calls for the row, including retries. Undefined in rejects of version 0.1. */
  attempts: Schema.optional(Schema.Number),
  at: Schema.String,
  jobId: Schema.optional(Schema.String),
  /** Ids of the trace and span in which the row was rejected, as in the log. */
  traceId: Schema.optional(Schema.String),
  spanId: Schema.optional(Schema.String),
  /** Id of the failed request in the service's log. */
  requestId: Schema.optional(Schema.String),
  row: JsonValue,
  /** The value of `$source` for the row. */
  source: Schema.optional(JsonValue)
}

const Fields = Schema.Struct(fields)

/** Rejected row. */
export interface Reject extends Schema.Schema.Type<typeof Fields> {
  /** True if the key was derived from the row's content at its first step. A page fetched for the row has another key. */
  readonly isDerived?: boolean | undefined
}

/** A line of the reject file. */
export const RejectLine = Schema.Struct({
  version: Schema.optionalWith(Schema.Literal(version), { default: () => version }),
  ...fields
})

const decode = Schema.decodeOption(Schema.parseJson(RejectLine))

const beginning = `{"version":${version},`

/** The line, including its line feed. */
export const write = ({ isDerived: _, ...reject }: Reject): string => `${JSON.stringify({ version, ...reject })}\n`

/** Converts a line of a reject file to this version, including its line feed; undefined if it is newer or not a reject. */
export const upgrade = (line: string): string | undefined =>
  line.startsWith(beginning) ? `${line}\n` : Option.getOrUndefined(Option.map(decode(line), write))
