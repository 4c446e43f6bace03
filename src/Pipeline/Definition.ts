/** The frame of a definition: everything but the steps' own fields, which the steps declare. */
import * as Schema from "effect/Schema"
import { DurationText, Rate } from "./Amount.ts"
import { Budget } from "./Budget.ts"
import { Schedule } from "./Schedule.ts"
import { State } from "./State.ts"

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
  each: Schema.optional(Schema.Boolean),
  pin: Schema.optional(
    Schema.String.pipe(Schema.pattern(/[^/\\]\.lock\.json$/)).annotations({
      description: "a file name that ends in .lock.json, relative to the definition"
    })
  )
}
export const Common = Schema.Struct(commonFields)
export type Common = typeof Common.Type
export const commonKeys: ReadonlyArray<string> = Object.keys(commonFields)

/** Parts of the frame that may hold `${{ }}`: settled once from inputs and environment, then decoded each on its own. */
export const settledFields = {
  /** A folder of pages that is served on loopback while the pipeline runs: `${{ run.site }}`. */
  site: Schema.String,
  schedule: Schedule,
  state: State,
  budget: Budget
}
export const settledKeys = ["site", "schedule", "state", "budget"] as const satisfies ReadonlyArray<
  keyof typeof settledFields
>

const literalFields = {
  version: Schema.Literal(1),
  name: Name,
  description: Schema.optional(Schema.String),
  inputs: Schema.optional(Schema.Record({ key: Schema.String, value: Input })),
  steps: Schema.NonEmptyArray(Schema.Unknown).annotations({ description: "a list of at least one step" })
}

export const frameFields = {
  ...literalFields,
  site: Schema.optional(settledFields.site),
  schedule: Schema.optional(settledFields.schedule),
  state: Schema.optional(settledFields.state),
  budget: Schema.optional(settledFields.budget)
}
export const Frame = Schema.Struct(frameFields)
export type Frame = typeof Frame.Type

const Later = Schema.optional(Schema.Unknown)

/** The frame as it is written: its keys are known, and what is settled later is looked at later. */
export const WrittenFrame = Schema.Struct({
  ...literalFields,
  site: Later,
  schedule: Later,
  state: Later,
  budget: Later
}).annotations({ parseOptions: { errors: "all", onExcessProperty: "error" } })

/** Keys of the language that this version does not carry out: refused by name rather than ignored. */
export const notYet: ReadonlyArray<string> = ["notify"]
