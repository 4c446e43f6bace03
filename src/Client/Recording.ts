/** File format of recordings: requests to the service with their responses, for testing pipelines without a service. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { fileErrorReason } from "../Files/FileErrors.ts"
import { canonical } from "../Row/Difference.ts"
import * as Trace from "../Telemetry/Trace.ts"

/** Part of a multipart form: the identity of a file, or the value of a field. */
const Part = Schema.Struct({
  name: Schema.String,
  file: Schema.optional(Schema.Struct({ name: Schema.String, bytes: Schema.Int, sha256: Schema.String })),
  json: Schema.optional(Schema.Unknown),
  text: Schema.optional(Schema.String)
})
export type Part = typeof Part.Type

/** Recorded request. */
export const Asked = Schema.Struct({
  method: Schema.String,
  /** Path below the base URL, with the query; the complete URL for other requests. */
  path: Schema.String,
  json: Schema.optional(Schema.Unknown),
  text: Schema.optional(Schema.String),
  form: Schema.optional(Schema.Array(Part))
})
export type Asked = typeof Asked.Type

/** Recorded response: a status and a body, or an error. */
export const Answered = Schema.Struct({
  status: Schema.optional(Schema.Int.pipe(Schema.between(200, 599))),
  headers: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })),
  json: Schema.optional(Schema.Unknown),
  text: Schema.optional(Schema.String),
  base64: Schema.optional(Schema.String),
  /** Node's error code of a broken connection. */
  failure: Schema.optional(Schema.String)
}).pipe(
  Schema.filter(({ failure, status }) =>
    (failure === undefined) === (status === undefined) ? "an answer has either a status or a failure" : true
  )
)
export type Answered = typeof Answered.Type

export const Exchanged = Schema.Struct({ request: Asked, answer: Answered })
export type Exchanged = typeof Exchanged.Type

/** Schema of the file. In its strings `{site}` and `{service}` stand for URLs, and `{now}` for the time of the replay. */
export const Recording = Schema.Struct({
  recording: Schema.Literal(1),
  /** Base URL of the recorded service, unless it ran on this machine. */
  service: Schema.optional(Schema.String),
  exchanges: Schema.Array(Exchanged)
})
export type Recording = typeof Recording.Type

/** A recording is not usable. */
export class RecordingUnusable extends Data.TaggedError("RecordingUnusable")<{
  readonly file: string
  readonly reason: string
  readonly cause?: unknown
}> {
  override get message() {
    return `the recording ${this.file} cannot be used: ${this.reason}`
  }
}

/** Identity of a request. Requests with the same key are distinguished by their order. */
export const keyOf = ({ method, path, ...body }: Asked): string => `${method} ${path} ${canonical(body)}`

/** Short name such as `GET /v2/crawl/…`. */
export const nameOf = ({ method, path }: Asked): string => `${method} ${path}`

const decode = Schema.decodeUnknownEither(Recording, { errors: "first", onExcessProperty: "error" })

/** Reads a recording; undefined when the file does not exist. */
export const read = Trace.fn("Recording.read")(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const unusable = (reason: string, cause?: unknown) => new RecordingUnusable({ file, reason, cause })
  const text = yield* files.readFileString(file).pipe(
    Effect.catchAll((error) =>
      error._tag === "SystemError" && error.reason === "NotFound" ? Effect.succeed(undefined) : Effect.fail(error)
    ),
    Effect.mapError((cause) => unusable(fileErrorReason(cause), cause))
  )
  if (text === undefined) return undefined
  const json = Either.try({ try: (): unknown => JSON.parse(text), catch: (cause) => unusable("it is not JSON", cause) })
  const decoded = decode(yield* json)
  if (Either.isRight(decoded)) return decoded.right
  const [issue] = ParseResult.ArrayFormatter.formatErrorSync(decoded.left)
  const place = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `
  return yield* unusable(`${place}${issue?.message ?? "it has another structure"}`)
})

/** Writes a recording, indented for review. */
export const write = Trace.fn("Recording.write")(function* (file: string, recording: Recording) {
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  yield* files.makeDirectory(paths.dirname(file), { recursive: true }).pipe(
    Effect.zipRight(files.writeFileString(file, `${JSON.stringify(recording, null, 2)}\n`)),
    Effect.mapError(
      (cause) => new RecordingUnusable({ file, reason: `it cannot be written: ${fileErrorReason(cause)}`, cause })
    )
  )
})
