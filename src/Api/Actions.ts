/**
 * Actions on a page and their fields. Requests accept other actions and fields, too, because services may have more. The local engine
 * refuses them; `check` warns of them, and refuses what looks misspelt.
 */
import type * as Either from "effect/Either"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { characters } from "./Field.ts"

/** Schema for the width or height of a viewport in pixels. */
const side = Schema.Int.pipe(Schema.between(50, 4096))

export const Viewport = Schema.Struct({ width: side, height: side })
export type Viewport = typeof Viewport.Type

export const screenshotFields = {
  fullPage: Schema.optional(Schema.Boolean),
  quality: Schema.optional(Schema.Int.pipe(Schema.between(1, 100))),
  viewport: Schema.optional(Viewport)
}

const selector = characters(1000, 1)
const milliseconds = Schema.Int.pipe(Schema.between(0, 300_000))

const wait = Schema.Struct({
  type: Schema.Literal("wait"),
  milliseconds: Schema.optional(milliseconds),
  selector: Schema.optional(selector)
}).pipe(
  Schema.filter((action) => (action.milliseconds === undefined) !== (action.selector === undefined), {
    message: () => "expected either milliseconds or selector"
  })
)

const schemas = {
  wait,
  click: Schema.Struct({ type: Schema.Literal("click"), selector, all: Schema.optional(Schema.Boolean) }),
  write: Schema.Struct({ type: Schema.Literal("write"), text: characters(10_000) }),
  press: Schema.Struct({ type: Schema.Literal("press"), key: characters(50, 1) }),
  scroll: Schema.Struct({
    type: Schema.Literal("scroll"),
    direction: Schema.optional(Schema.Literal("up", "down")),
    selector: Schema.optional(selector)
  }),
  screenshot: Schema.Struct({ type: Schema.Literal("screenshot"), ...screenshotFields }),
  scrape: Schema.Struct({ type: Schema.Literal("scrape") }),
  executeJavascript: Schema.Struct({ type: Schema.Literal("executeJavascript"), script: characters(100_000) }),
  pdf: Schema.Struct({
    type: Schema.Literal("pdf"),
    format: Schema.optional(
      Schema.Literal("A0", "A1", "A2", "A3", "A4", "A5", "A6", "Letter", "Legal", "Tabloid", "Ledger")
    ),
    landscape: Schema.optional(Schema.Boolean),
    scale: Schema.optional(Schema.Number.pipe(Schema.between(0.1, 2)))
  })
}

export type Action = { readonly [K in keyof typeof schemas]: (typeof schemas)[K]["Type"] }[keyof typeof schemas]

/** Kinds of actions. */
export const actionTypes = Object.keys(schemas) as ReadonlyArray<Action["type"]>

/** Decodes an action, or fails with all of its errors, unknown fields included; undefined for an unknown type. */
export const decodeAction = (given: {
  readonly type: string
}): Either.Either<Action, ParseResult.ParseError> | undefined => {
  const type = actionTypes.find((known) => known === given.type)
  const schema = type && (schemas[type] as Schema.Schema.Any as Schema.Schema<Action>)
  return schema && Schema.decodeUnknownEither(schema, { errors: "all", onExcessProperty: "error" })(given)
}
