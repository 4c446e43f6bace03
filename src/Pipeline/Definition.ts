/** The frame of a definition: everything but the steps' own fields, which the steps declare. */
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"

const Name = Schema.String.pipe(Schema.pattern(/^[a-zA-Z][\w-]{0,63}$/)).annotations({
  description: "a name of letters, digits, - and _, beginning with a letter"
})

/** What a pipeline can be given when it is started. */
export const Input = Schema.Struct({
  type: Schema.Literal("string", "integer", "number", "boolean", "url", "path").annotations({
    description: "string, integer, number, boolean, url or path"
  }),
  description: Schema.optional(Schema.String),
  default: Schema.optional(Schema.Union(Schema.String, Schema.Number, Schema.Boolean)),
  enum: Schema.optional(Schema.Array(Schema.Union(Schema.String, Schema.Number))),
  minimum: Schema.optional(Schema.Number),
  maximum: Schema.optional(Schema.Number),
  maxLength: Schema.optional(Schema.Int)
})
export type Input = typeof Input.Type

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `500ms`, `30s`, `15m`, `2h`, `1d`. */
export const DurationText = Schema.transformOrFail(
  Schema.String.annotations({ description: "a duration like 500ms, 30s, 15m, 2h or 1d" }),
  Schema.DurationFromSelf,
  {
    strict: true,
    decode: (text, _, ast) => {
      const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/.exec(text.trim())
      return match === null
        ? Either.left(new ParseResult.Type(ast, text, `"${text}" is not a duration: write 500ms, 30s, 15m, 2h or 1d`))
        : Either.right(Duration.millis(Number(match[1]) * units[match[2] as keyof typeof units]))
    },
    encode: (duration) => Either.right(`${Duration.toMillis(duration)}ms`)
  }
)

/** `10/s`, `100/m`, `1000/h`. */
export const Rate = Schema.transformOrFail(
  Schema.String.annotations({ description: "a rate like 10/s, 100/m or 1000/h" }),
  Schema.Struct({ limit: Schema.Int, interval: Schema.DurationFromSelf }),
  {
    strict: true,
    decode: (text, _, ast) => {
      const match = /^([1-9]\d*)\s*\/\s*(s|m|h)$/.exec(text.trim())
      return match === null
        ? Either.left(new ParseResult.Type(ast, text, `"${text}" is not a rate: write 10/s, 100/m or 1000/h`))
        : Either.right({ limit: Number(match[1]), interval: Duration.millis(units[match[2] as "s" | "m" | "h"]) })
    },
    encode: ({ limit, interval }) => Either.right(`${limit}/${Duration.toSeconds(interval)}s`)
  }
)

const Percentage = Schema.String.pipe(Schema.pattern(/^\d{1,3}(\.\d+)?%$/)).annotations({
  description: "a share like 5%"
})

/** What becomes of a row that fails. */
export const OnError = Schema.Union(
  Schema.Literal("reject", "keep", "drop", "fail"),
  Schema.Struct({
    reject: Schema.Literal(true),
    stopAfter: Schema.optional(Schema.Union(Schema.Int.pipe(Schema.positive()), Percentage))
  })
)
export type OnError = typeof OnError.Type

/** What a failed call is tried again for. */
export const RetryCause = Schema.Union(
  Schema.Int.pipe(Schema.between(400, 599)),
  Schema.Literal("4xx", "5xx", "429", "timeout", "network")
).annotations({ description: "a status like 503, or one of 429, 4xx, 5xx, timeout, network" })

/** The keys that any step may have beside its own. */
export const commonFields = {
  id: Schema.optional(Name),
  when: Schema.optional(Schema.Boolean.annotations({ description: "true or false, usually a ${{ … }}" })),
  from: Schema.optional(Name),
  after: Schema.optional(Schema.Union(Name, Schema.Array(Name)).annotations({ description: "ids of steps" })),
  retry: Schema.optional(
    Schema.Struct({
      times: Schema.Int.pipe(Schema.between(0, 20)),
      on: Schema.optional(Schema.Array(RetryCause))
    })
  ),
  concurrency: Schema.optional(Schema.Int.pipe(Schema.between(1, 1000))),
  rate: Schema.optional(Rate),
  timeout: Schema.optional(DurationText),
  onError: Schema.optional(OnError),
  each: Schema.optional(Schema.Boolean)
}
export const Common = Schema.Struct(commonFields)
export type Common = typeof Common.Type
export const commonKeys: ReadonlyArray<string> = Object.keys(commonFields)

export const frameFields = {
  version: Schema.Literal(1),
  name: Name,
  description: Schema.optional(Schema.String),
  inputs: Schema.optional(Schema.Record({ key: Schema.String, value: Input })),
  /** A folder of pages that is served on loopback while the pipeline runs: `${{ run.site }}`. */
  site: Schema.optional(Schema.String),
  steps: Schema.NonEmptyArray(Schema.Unknown).annotations({ description: "a list of at least one step" })
}
export const Frame = Schema.Struct(frameFields).annotations({
  parseOptions: { errors: "all", onExcessProperty: "error" }
})
export type Frame = typeof Frame.Type

/** Keys of the language that this version does not carry out: refused by name rather than ignored. */
export const notYet: ReadonlyArray<string> = ["schedule", "state", "budget", "notify"]
export const notYetOnSteps: ReadonlyArray<string> = ["pin"]
