/** The few field forms that every part of the contract is made of. */
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { canParse } from "./Url.ts"

/** A field of an answer: it may be missing or null, and neither is ever fatal. */
export const maybe = <S extends Schema.Schema.All>(schema: S) => Schema.optional(Schema.NullOr(schema))

/** A number in an answer, which some services send as a text; `NaN` is none, and would go through every budget. */
export const numeric = Schema.Union(Schema.Number, Schema.NumberFromString.pipe(Schema.finite())).annotations({
  jsonSchema: { type: "number" }
})

/** The limits that the filters of a value set, by the words of JSON Schema. */
export const boundsOf = (ast: AST.AST): Readonly<Record<string, unknown>> =>
  AST.isRefinement(ast)
    ? { ...boundsOf(ast.from), ...Option.getOrElse(AST.getJSONSchemaAnnotation(ast), () => ({})) }
    : {}

/** What a value must be, in words: `a whole number from 1 to 100`, `a whole number of milliseconds, at least 0`. */
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

/** Characters of a string that a message repeats: writing out megabytes for each mistake holds up everybody. */
const maxShown = 1_000

const shown = (value: unknown): string => {
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === "object" && value !== null) return "an object"
  return typeof value === "string" ? JSON.stringify(value.slice(0, maxShown)) : String(value)
}

/** Says in the documents what a field is for; a mistake is still told by what the field must be. */
export const described = <A, I, R>(schema: Schema.Schema<A, I, R>, description: string): Schema.Schema<A, I, R> => {
  const unit = /\b(?:milli)?seconds\b/i.exec(description)?.[0].toLowerCase()
  const title = expectation(schema.ast, unit)
  return schema.annotations({
    title,
    description,
    // Of a bounded value the description would be told, which says nothing of the bounds.
    parseIssueTitle: (issue) => (issue._tag === "Type" ? `Expected ${title}, actual ${shown(issue.actual)}` : undefined)
  })
}

/** Annotation of an endpoint whose body may be left out: every field of it has a default. */
export class OptionalBody extends Context.Reference<OptionalBody>()("sluice/Api/OptionalBody", {
  defaultValue: () => false
}) {}

/** A list in a request: as long as anybody needs it, and no longer. */
export const list = <A, I, R>(item: Schema.Schema<A, I, R>, most = 100) =>
  Schema.Array(item).pipe(Schema.maxItems(most))

/** An optional field of a request whose default is part of the contract. */
export interface Defaulted<S extends Schema.Schema.All> extends Schema.optional<S> {
  readonly defaultValue: Schema.Schema.Type<S>
}

/** Clients leave the field out; the server fills it in with {@link settle}; OpenAPI shows the value. */
export const defaulted = <A, I, R>(
  schema: Schema.Schema<A, I, R>,
  defaultValue: NoInfer<A>
): Defaulted<Schema.Schema<A, I, R>> =>
  Object.assign(Schema.optional(schema.annotations({ default: defaultValue })), { defaultValue })

/** A request in which every field that has a default has a value. */
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

/** Sent by existing clients with every body; accepted everywhere, used for nothing. */
export const senderFields = {
  origin: Schema.optional(Schema.String),
  integration: Schema.optional(Schema.NullOr(Schema.String))
}

/** A v2 body: every mistake is reported, and an unknown top-level key is one. */
export const strict = { parseOptions: { errors: "all", onExcessProperty: "error" } } as const

/** A v1 body, or a nested object: every mistake is reported, unknown keys are left out. */
export const lenient = { parseOptions: { errors: "all", onExcessProperty: "ignore" } } as const

/** An answer: unknown fields and the order of keys are kept. */
export const open = { parseOptions: { onExcessProperty: "preserve", propertyOrder: "original" } } as const

/** The address of a page: absolute, http or https. */
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

/** The id of a batch or crawl job. */
export const JobId = Schema.UUID.annotations({
  identifier: "JobId",
  description: "the id of a job, a UUID",
  message: () => ({ message: "Invalid job ID format. Job ID must be a valid UUID.", override: true })
})
