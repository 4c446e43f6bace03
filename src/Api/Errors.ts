/** Errors of the API: one class per HTTP status, all with the same body. */
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import type { YieldableError } from "effect/Cause"
import * as Data from "effect/Data"
import * as Schema from "effect/Schema"

/** Body of a failed call. */
export const ErrorBody = Schema.Struct({
  success: Schema.Literal(false),
  error: Schema.String,
  code: Schema.String,
  details: Schema.optional(Schema.Unknown)
}).annotations({ identifier: "Error", description: "Why the call failed, and what to do about it." })

/** Content of an error: a message for people, a code for programs, and details. */
export interface Fields {
  readonly error: string
  readonly code?: string | undefined
  readonly details?: unknown
  /** Methods that the path supports; sent as `Allow`. */
  readonly allow?: ReadonlyArray<string> | undefined
  /** Seconds after which the client may try again; sent as `Retry-After`. */
  readonly retryAfter?: number | undefined
}

/** Error value for `yield*`. The schema of its class encodes it for the wire. */
export interface Failure<Tag extends string> extends YieldableError, Fields {
  readonly _tag: Tag
}

/** Code of an error; by default the name of its class, such as `NOT_FOUND`. */
export const codeOf = ({ _tag, code }: Fields & { readonly _tag: string }): string =>
  code ?? _tag.replace(/(?<=[a-z])[A-Z]/g, "_$&").toUpperCase()

interface FailureClass<Tag extends string> {
  new (fields: Fields): Failure<Tag>
  readonly status: number
  readonly schema: Schema.Schema<Failure<Tag>, typeof ErrorBody.Encoded>
}

const classes: Array<abstract new (fields: Fields) => unknown> = []

const failure = <const Tag extends string>(tag: Tag, status: number, description: string): FailureClass<Tag> => {
  class Failed extends Data.TaggedError(tag)<Fields> {
    static readonly status = status
    static readonly schema = Schema.transform(ErrorBody, Schema.instanceOf(Failed), {
      strict: true,
      decode: ({ error, code, details }) => new Failed({ error, code, details }),
      encode: ({ error, code, details }) => ({
        success: false as const,
        error,
        code: codeOf({ _tag: tag, error, code }),
        ...(details === undefined ? {} : { details })
      })
    }).annotations({ ...HttpApiSchema.annotations({ status }), description })
    override get message() {
      return this.error
    }
  }
  classes.push(Failed)
  return Failed
}

/** Schema of several errors, for an endpoint that may fail with any of them. */
export const anyOf = <const Classes extends ReadonlyArray<{ readonly schema: Schema.Schema.All }>>(...of: Classes) =>
  Schema.Union(...of.map(({ schema }) => schema)) as unknown as Schema.Schema<
    Schema.Schema.Type<Classes[number]["schema"]>,
    typeof ErrorBody.Encoded
  >

/** True for an error of the API, of any class. */
export const isFailure = (cause: unknown): cause is Failure<string> => classes.some((each) => cause instanceof each)

export class BadRequest extends failure("BadRequest", 400, "The request does not match the schema of the API.") {}
export class Unauthorized extends failure("Unauthorized", 401, "The key is missing or wrong.") {}
export class PaymentRequired extends failure("PaymentRequired", 402, "The team's credits are used up.") {}
export class Forbidden extends failure("Forbidden", 403, "The operation is not allowed here.") {}
export class NotFound extends failure(
  "NotFound",
  404,
  "The resource does not exist, has expired, or belongs to another team."
) {}
export class MethodNotAllowed extends failure(
  "MethodNotAllowed",
  405,
  "The path does not support this method; the Allow header lists those that it supports."
) {}
export class TimedOut extends failure("TimedOut", 408, "The call took longer than the request allowed.") {}
export class Conflict extends failure(
  "Conflict",
  409,
  "The current state of the resource does not allow the operation."
) {}
export class Gone extends failure("Gone", 410, "The resource existed and has ended.") {}
export class TooLarge extends failure("TooLarge", 413, "The body is larger than the limit.") {}
export class UnsupportedType extends failure("UnsupportedType", 415, "The file type is not supported.") {}
export class Unprocessable extends failure("Unprocessable", 422, "The content cannot be processed.") {}
export class RateLimited extends failure(
  "RateLimited",
  429,
  "Too many requests; Retry-After says when to try again."
) {}
export class Internal extends failure(
  "Internal",
  500,
  "Unexpected error; the engine's log has the cause, under the id in the message."
) {}
export class NotImplemented extends failure("NotImplemented", 501, "This server does not support the operation.") {}
export class InsufficientStorage extends failure(
  "InsufficientStorage",
  507,
  "The storage limit is reached; the message says what to remove."
) {}
export class Unavailable extends failure(
  "Unavailable",
  503,
  "Something that the operation needs, such as a browser or a language model, is not available."
) {}
