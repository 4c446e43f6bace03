/** Schemas of fields that all endpoints share. */

import * as Context from "effect/Context"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { beginOf, boundedIssues } from "./Issues.ts"
import { canParse } from "./Url.ts"

/** Optional field of a response: may be missing or null. */
export const maybe = <S extends Schema.Schema.All>(schema: S, description?: string) => {
  const field = Schema.optional(Schema.NullOr(schema))
  return description === undefined ? field : field.annotations({ description })
}

/** Required field with a description. */
export const field = <S extends Schema.Schema.All>(schema: S, description: string) =>
  Schema.propertySignature(schema).annotations({ description })

/** The same schema with a named type, which editors show instead of the structure. */
export const typed =
  <A>() =>
  <I, R>(schema: Schema.Schema<A, I, R>): Schema.Schema<A, I, R> =>
    schema

/** Annotation for string schemas: the TypeScript type lists the known values, although other values are valid, too. */
export const knownValues: unique symbol = Symbol.for("sluice/Api/knownValues")

/** String with known values. Its type refuses other values, so that typos are found; at runtime any string is valid. */
export const oneOfKnown = <Value extends string>(
  values: readonly [Value, ...ReadonlyArray<Value>]
): Schema.Schema<Value> =>
  Schema.make<Value>(Schema.String.annotations({ examples: values, [knownValues]: values }).ast)

/** Optional key with its description. */
export const optional = <S extends Schema.Schema.All>(schema: S, description: string) =>
  Schema.optional(schema).annotations({ description })

/** Field of every response. */
export const success = field(Schema.Boolean, "Always true: a call that fails returns an error instead.")

/** Number in a response. Some services send it as a string. `NaN` is rejected, because it would pass every budget check. */
export const numeric = Schema.Union(Schema.Number, Schema.NumberFromString.pipe(Schema.finite())).annotations({
  jsonSchema: { type: "number" }
})

/** Bounds that a schema's filters set, by their names in JSON Schema. */
export const boundsOf = (ast: AST.AST): Readonly<Record<string, unknown>> =>
  AST.isRefinement(ast)
    ? { ...boundsOf(ast.from), ...Option.getOrElse(AST.getJSONSchemaAnnotation(ast), () => ({})) }
    : {}

/** Describes the values that a schema accepts: `a whole number from 1 to 100`, `a whole number of milliseconds, at least 0`. */
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
  if (minLength !== undefined || maxLength !== undefined) return `a string${range(minLength, maxLength)} characters`
  return Option.getOrElse(AST.getDescriptionAnnotation(ast), () => String(ast))
}

/** Number of characters, counted as code points as in JSON Schema: an emoji counts as one. */
export const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length++
  return length
}

/** String with a minimum and a maximum number of characters. */
export const characters = (most: number, least = 0) => {
  const range = least === 0 ? `of at most ${most}` : `from ${least} to ${most}`
  return Schema.String.pipe(
    Schema.filter(
      (text) =>
        // A code point takes one or two UTF-16 units.
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

/** Maximum characters of a value quoted in a message: formatting megabytes would block the event loop. */
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

/** Marks an endpoint whose body is optional, because every field has a default. */
export class OptionalBody extends Context.Reference<OptionalBody>()("sluice/Api/OptionalBody", {
  defaultValue: () => false
}) {}

/** Array in a request, with a maximum length. */
export const list = <A, I, R>(item: Schema.Schema<A, I, R>, most = 100) =>
  Schema.Array(item).pipe(Schema.maxItems(most))

/** Optional field of a request with a documented default. */
export interface Defaulted<S extends Schema.Schema.All> extends Schema.optional<S> {
  readonly defaultValue: Schema.Schema.Type<S>
}

/** Optional field with a default. Clients may omit it, the engine fills it in with {@link settle}, and OpenAPI shows it. */
export const defaulted = <A, I, R>(
  schema: Schema.Schema<A, I, R>,
  defaultValue: NoInfer<A>
): Defaulted<Schema.Schema<A, I, R>> =>
  Object.assign(Schema.optional(schema.annotations({ default: defaultValue })), { defaultValue })

/** Type of a request after all its defaults were filled in. */
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

/** Fields that existing clients send with every body; accepted and ignored. */
export const senderFields = {
  origin: Schema.optional(Schema.String).annotations({ description: "Name of the calling program. It has no effect." }),
  integration: Schema.optional(Schema.NullOr(Schema.String)).annotations({
    description: "Name of the calling integration. It has no effect."
  })
}

/** Options of a v2 body: reports at most the first 100 mistakes, including unknown top-level keys. */
export const strict = { parseOptions: { errors: "all", onExcessProperty: "error" }, ...boundedIssues } as const

/** Options of a nested object: reports all mistakes, ignores unknown keys. */
export const lenient = { parseOptions: { errors: "all", onExcessProperty: "ignore" } } as const

/** Options of a v1 body: reports at most the first 100 mistakes, ignores unknown keys. */
export const lenientBody = { ...lenient, ...boundedIssues } as const

/** Options of a response: keeps unknown fields and the order of keys. */
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
