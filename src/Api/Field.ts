/** Schemas of fields that all endpoints share. */

import * as Context from "effect/Context"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { beginOf, boundedIssues } from "./Issues.ts"
import { canParse } from "./Url.ts"

/** Optional field of an answer: it may be missing or null. */
export const maybe = <S extends Schema.Schema.All>(schema: S, description?: string) => {
  const field = Schema.optional(Schema.NullOr(schema))
  return description === undefined ? field : field.annotations({ description })
}

/** Required field with a description. */
export const field = <S extends Schema.Schema.All>(schema: S, description: string) =>
  Schema.propertySignature(schema).annotations({ description })

/** The same schema under the name of its type, which editors show in place of the structure. */
export const typed =
  <A>() =>
  <I, R>(schema: Schema.Schema<A, I, R>): Schema.Schema<A, I, R> =>
    schema

/** Annotation of a string whose type names the known values, while others are valid too. */
export const knownValues: unique symbol = Symbol.for("sluice/Api/knownValues")

/** A string of which some values are known: types refuse others, so that typing errors are found. At runtime any string is valid. */
export const oneOfKnown = <Value extends string>(
  values: readonly [Value, ...ReadonlyArray<Value>]
): Schema.Schema<Value> =>
  Schema.make<Value>(Schema.String.annotations({ examples: values, [knownValues]: values }).ast)

/** Field of each answer. */
export const success = field(Schema.Boolean, "True: calls that fail are errors, and no answers.")

/** A number in an answer. Some services send it as a string. `NaN` is rejected: it would pass every budget check. */
export const numeric = Schema.Union(Schema.Number, Schema.NumberFromString.pipe(Schema.finite())).annotations({
  jsonSchema: { type: "number" }
})

/** Limits that the filters of a schema set, by their names in JSON Schema. */
export const boundsOf = (ast: AST.AST): Readonly<Record<string, unknown>> =>
  AST.isRefinement(ast)
    ? { ...boundsOf(ast.from), ...Option.getOrElse(AST.getJSONSchemaAnnotation(ast), () => ({})) }
    : {}

/** Description of valid values: `a whole number from 1 to 100`, `a whole number of milliseconds, at least 0`. */
const expectation = (ast: AST.AST, unit?: string): string => {
  const { maxLength, maximum, minLength, minimum, type } = boundsOf(ast)
  const range = (low: unknown, high: unknown, of = " of") =>
    high === undefined
      ? `${of} at least ${low}`
      : low === undefined
        ? `${of} at most ${high}`
        : ` from ${low} to ${high}`
  if (minimum !== undefined || maximum !== undefined) {
    const number = type === "integer" ? "a whole number" : "a number"
    return unit === undefined
      ? `${number}${range(minimum, maximum)}`
      : `${number} of ${unit}${range(minimum, maximum, ",")}`
  }
  if (minLength !== undefined || maxLength !== undefined) return `a text${range(minLength, maxLength)} characters`
  return Option.getOrElse(AST.getDescriptionAnnotation(ast), () => String(ast))
}

/** Number of characters, counted as code points like in JSON Schema: an emoji is one. */
export const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length++
  return length
}

/** A string of a number of characters. */
export const characters = (most: number, least = 0) => {
  const range = least === 0 ? `of at most ${most}` : `from ${least} to ${most}`
  return Schema.String.pipe(
    Schema.filter(
      (text) =>
        // A code point takes one or two units.
        text.length >= least &&
        text.length <= 2 * most &&
        (text.length <= most || lengthOf(text) <= most) &&
        (least < 2 || lengthOf(text) >= least),
      {
        title: `a string ${range} characters`,
        description: `a string ${range} characters`,
        jsonSchema: { ...(least === 0 ? {} : { minLength: least }), maxLength: most }
      }
    )
  )
}

/** Maximum length of a string that a message quotes: formatting megabytes would block the event loop. */
const maxShown = 1_000

const shown = (value: unknown): string => {
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === "object" && value !== null) return "an object"
  return typeof value === "string" ? JSON.stringify(beginOf(value, maxShown)) : String(value)
}

/** Adds a description for the documentation. Messages about invalid values describe the valid ones instead. */
export const described = <A, I, R>(schema: Schema.Schema<A, I, R>, description: string): Schema.Schema<A, I, R> => {
  const unit = /\b(?:milli)?seconds\b/i.exec(description)?.[0].toLowerCase()
  const title = expectation(schema.ast, unit)
  return schema.annotations({
    title,
    description,
    // Prefer the bounds over the description: the description does not mention them.
    parseIssueTitle: (issue) => (issue._tag === "Type" ? `Expected ${title}, actual ${shown(issue.actual)}` : undefined)
  })
}

/** Annotation of an endpoint whose body is optional, because every field has a default. */
export class OptionalBody extends Context.Reference<OptionalBody>()("sluice/Api/OptionalBody", {
  defaultValue: () => false
}) {}

/** An array in a request, with a maximum length. */
export const list = <A, I, R>(item: Schema.Schema<A, I, R>, most = 100) =>
  Schema.Array(item).pipe(Schema.maxItems(most))

/** Optional field of a request with a documented default. */
export interface Defaulted<S extends Schema.Schema.All> extends Schema.optional<S> {
  readonly defaultValue: Schema.Schema.Type<S>
}

/** An optional field with a default. Clients leave it out, the engine fills it in with {@link settle}, and OpenAPI shows it. */
export const defaulted = <A, I, R>(
  schema: Schema.Schema<A, I, R>,
  defaultValue: NoInfer<A>
): Defaulted<Schema.Schema<A, I, R>> =>
  Object.assign(Schema.optional(schema.annotations({ default: defaultValue })), { defaultValue })

/** A request with all defaults filled in. */
export type Settled<Fields extends Schema.Struct.Fields> = Omit<
  Schema.Struct.Type<Fields>,
  { [K in keyof Fields]: Fields[K] extends Defaulted<infer _> ? K : never }[keyof Fields]
> & {
  readonly [K in keyof Fields as Fields[K] extends Defaulted<infer _> ? K : never]: Fields[K] extends Defaulted<infer S>
    ? Schema.Schema.Type<S>
    : never
}

/** Fills in the defaults that `fields` declare. */
export const settle = <Fields extends Schema.Struct.Fields>(
  fields: Fields,
  value: Schema.Struct.Type<Fields>
): Settled<Fields> => {
  const settled: Record<string, unknown> = { ...(value as object) }
  for (const [key, field] of Object.entries(fields)) {
    if ("defaultValue" in field && settled[key] === undefined) settled[key] = field.defaultValue
  }
  return settled as Settled<Fields>
}

/** Fields that existing clients send with every body. They are accepted and ignored. */
export const senderFields = {
  origin: Schema.optional(Schema.String).annotations({ description: "Name of the calling program. It has no effect." }),
  integration: Schema.optional(Schema.NullOr(Schema.String)).annotations({
    description: "Name of the calling integration. It has no effect."
  })
}

/** A v2 body: its first mistakes are reported, unknown top-level keys among them. */
export const strict = { parseOptions: { errors: "all", onExcessProperty: "error" }, ...boundedIssues } as const

/** A nested object: unknown keys are ignored. */
export const lenient = { parseOptions: { errors: "all", onExcessProperty: "ignore" } } as const

/** A v1 body: its first mistakes are reported, unknown keys are ignored. */
export const lenientBody = { ...lenient, ...boundedIssues } as const

/** An answer: unknown fields and the order of keys are kept. */
export const open = { parseOptions: { onExcessProperty: "preserve", propertyOrder: "original" } } as const

/** URL of a page: absolute, http or https. */
export const PageUrl = Schema.NonEmptyTrimmedString.pipe(
  Schema.filter((text) => {
    const url = canParse(text) ? new URL(text) : undefined
    return url !== undefined && (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== ""
      ? true
      : "Invalid URL: expected an absolute http:// or https:// address"
  })
).annotations({
  identifier: "PageUrl",
  description: "an absolute http:// or https:// address",
  jsonSchema: { type: "string", format: "uri" }
})

export const invalidJobId = "Invalid job ID format. Job ID must be a valid UUID."

/** The id of a batch or crawl job. */
export const JobId = Schema.UUID.annotations({
  identifier: "JobId",
  description: "the id of a job, a UUID",
  message: () => ({ message: invalidJobId, override: true })
})
