/**
 * Validates a model's answers against a caller's JSON Schema, and extracts the JSON from the text of an answer.
 *
 * Neither the schema nor an answer can block the event loop: the schema is copied with limits on its size, patterns run in linear time
 * (RE2), and the number of schemas visited per answer is limited.
 */
import type { OutputUnit } from "@cfworker/json-schema"
import * as Either from "effect/Either"
import type { RE2JS } from "re2js"
import { isDeep } from "../../Api/Depth.ts"
import { jsonSchema, re2js } from "../../Packages.ts"
import { maxDepth } from "../Http/RequestBody.ts"

export interface AnswerSchema {
  /** The caller's schema, unchanged; it is sent to the model. */
  readonly json: object
  /** Returns the faults of an answer, one message each; empty if it is valid. */
  readonly faults: (answer: unknown) => ReadonlyArray<string>
}

const maxCharacters = 100_000
const maxParts = 5_000
const maxSchemaDepth = 64
const maxPattern = 200
const maxPatterns = 100

/** Maximum schemas visited per answer, because recursive references could multiply without end. */
const maxVisits = 100_000
/** Maximum characters of an answer that are matched against patterns. */
const maxMatchedCharacters = 200_000

const maxAnswerParts = 50_000
const maxListLength = 5_000

type Plain = Record<string, unknown>

const isObject = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value)

class SchemaFault extends Error {}

const unusable = (path: string, reason: string): never => {
  throw new SchemaFault(`${path}: ${reason}`)
}

/** Copies the supported keywords of a schema within the limits. The copy calls `onVisit` each time the validator visits a schema. */
class Copier {
  readonly patterns = new Map<string, RE2JS>()
  readonly references: Array<Plain> = []
  readonly #onVisit: () => void
  #parts = 0

  constructor(onVisit: () => void) {
    this.#onVisit = onVisit
  }

  copy(schema: unknown, path: string): Plain | boolean {
    if (typeof schema === "boolean") return schema
    if (!isObject(schema)) return unusable(path, "expected a schema, which is an object")
    this.#parts += 1
    if (this.#parts > maxParts) return unusable(path, `the schema has more than ${maxParts} subschemas`)
    const copied: Plain = {}
    const formatNames: Array<string> = []
    for (const [name, value] of Object.entries(schema)) {
      if (refused.has(name)) unusable(`${path}.${name}`, "this keyword is not supported")
      if (name === "items") copied.items = this.#items(value, `${path}.items`)
      else if (name === "pattern") formatNames.push(this.#pattern(value, `${path}.pattern`))
      else if (name === "format") {
        if (typeof value === "string" && checked.has(value)) formatNames.push(value)
      } else {
        const kind = keywords.get(name)
        if (kind !== undefined) copied[name] = this.#value(kind, value, `${path}.${name}`)
      }
    }
    const [format, ...others] = formatNames.map((name) => ({ format: name }))
    Object.assign(copied, format)
    if (others.length > 0) copied.allOf = [...((copied.allOf as Array<unknown> | undefined) ?? []), ...others]
    // OpenAPI 3.0 writes `nullable: true` where JSON Schema adds the type "null".
    if (schema.nullable === true && typeof copied.type === "string") copied.type = [copied.type, "null"]
    if (copied.$ref !== undefined) this.references.push(copied)
    // The validator reads this property once per visited schema. The property has no other meaning here, so its getter counts visits.
    return Object.defineProperty(copied, "$recursiveAnchor", { enumerable: false, get: this.#onVisit })
  }

  #items(value: unknown, path: string) {
    return Array.isArray(value) ? value.map((item, at) => this.copy(item, `${path}.${at}`)) : this.copy(value, path)
  }

  /** Replaces a pattern with a format, because the validator would run a pattern as a backtracking RegExp. */
  #pattern(value: unknown, path: string): string {
    if (typeof value !== "string" || value.length > maxPattern)
      return unusable(path, `expected a pattern of at most ${maxPattern} characters`)
    if (this.patterns.size >= maxPatterns) return unusable(path, `there are more than ${maxPatterns} patterns`)
    const compiled = Either.try(() => re2js().RE2JS.compile(value))
    if (Either.isLeft(compiled))
      return unusable(
        path,
        `"${value}" is not a pattern that can run in linear time: remove look-around and back-references`
      )
    this.patterns.set(`pattern ${value}`, compiled.right)
    return `pattern ${value}`
  }

  #value(kind: Kind, value: unknown, path: string): unknown {
    switch (kind) {
      case "schema":
        return this.copy(value, path)
      case "schemas":
        return Array.isArray(value)
          ? value.map((item, at) => this.copy(item, `${path}.${at}`))
          : unusable(path, "expected a list of schemas")
      case "map":
        return isObject(value)
          ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.copy(item, `${path}.${key}`)]))
          : unusable(path, "expected an object with a schema for each name")
      case "names":
        return isNames(value) ? value : unusable(path, "expected a list of names")
      case "text":
        return typeof value === "string" && value.startsWith("#")
          ? value
          : unusable(path, "only references within the schema are followed, like #/$defs/name")
      case "number":
        // Draft 4 has a boolean `exclusiveMinimum`. It is dropped, so the bound becomes inclusive.
        if (typeof value === "boolean" && path.includes(".exclusive")) return undefined
        return typeof value === "number" ? value : unusable(path, "expected a number")
      case "flag":
        return value === true
      case "type":
        return isTypes(value) ? value : unusable(path, `expected one of ${[...types].join(", ")}`)
      case "list":
        return Array.isArray(value) ? value : unusable(path, "expected a list of values")
      case "any":
        return value
    }
  }
}

const withinBounds = (answer: unknown): string | undefined => {
  if (isDeep(answer, maxSchemaDepth)) return `it is nested more than ${maxSchemaDepth} levels deep`
  let parts = 0
  const waiting: Array<unknown> = [answer]
  while (waiting.length > 0) {
    const item = waiting.pop()
    parts += 1
    if (parts > maxAnswerParts) return `it has more than ${maxAnswerParts} values`
    if (Array.isArray(item) && item.length > maxListLength)
      return `an array in the answer has more than ${maxListLength} items`
    if (typeof item === "object" && item !== null) for (const inner of Object.values(item)) waiting.push(inner)
  }
  return undefined
}

const maxFaults = 10

/** Messages of the validator, without those that only report that a nested value is invalid. */
const messagesOf = (errors: ReadonlyArray<OutputUnit>): ReadonlyArray<string> =>
  errors
    .filter(({ keyword }) => keyword !== "properties" && keyword !== "items" && keyword !== "$ref")
    .slice(0, maxFaults)
    .map(({ error, instanceLocation, keyword }) =>
      `${instanceLocation === "#" ? "the answer" : instanceLocation.slice(1)}: ${
        keyword === "format" ? error.replace('format "pattern ', 'pattern "') : error
      }`.slice(0, 300)
    )

/** Reads a caller's schema. Left: why it cannot be used. */
export const read = (schema: unknown): Either.Either<AnswerSchema, string> =>
  Either.try({
    try: () => {
      if (!isObject(schema)) return unusable("schema", "expected an object")
      if (isDeep(schema, maxSchemaDepth))
        return unusable("schema", `it is nested more than ${maxSchemaDepth} levels deep`)
      if (JSON.stringify(schema).length > maxCharacters)
        return unusable("schema", `it has more than ${maxCharacters} characters`)
      let visits = 0
      let matched = 0
      const copier = new Copier(() => {
        visits += 1
        if (visits > maxVisits) throw new SchemaFault("the schema refers to itself too often to be checked")
      })
      const root = copier.copy(schema, "schema")
      const { dereference, format: formats, validate } = jsonSchema()
      const lookup = dereference(root)
      for (const reference of copier.references) {
        if (!Object.hasOwn(lookup, String(reference.__absolute_ref__)))
          unusable("schema", `the reference ${String(reference.$ref)} leads to nothing in the schema`)
      }
      const matches = (pattern: RE2JS) => (text: string) => {
        matched += text.length
        if (matched > maxMatchedCharacters)
          throw new SchemaFault("its strings are too long for the patterns of the schema")
        return pattern.test(text)
      }
      const check = (answer: unknown): ReadonlyArray<string> => {
        visits = 0
        matched = 0
        const outside = withinBounds(answer)
        if (outside !== undefined) return [outside]
        // The validator has one global table of formats. Those of this schema are added only during this synchronous call.
        for (const [name, pattern] of copier.patterns) formats[name] = matches(pattern)
        const outcome = Either.try({
          try: () => validate(answer, root, "2020-12", lookup, false),
          catch: (cause) => (cause instanceof SchemaFault ? cause.message : "the schema is too complex to be checked")
        })
        for (const name of copier.patterns.keys()) delete formats[name]
        if (Either.isLeft(outcome)) return [outcome.left]
        return outcome.right.valid ? [] : messagesOf(outcome.right.errors)
      }
      return { json: schema, faults: check } satisfies AnswerSchema
    },
    catch: (cause) =>
      cause instanceof SchemaFault
        ? cause.message
        : `schema: it cannot be read (${cause instanceof Error ? cause.message : cause})`
  })

/** Formats that the validator checks in linear time. */
export const checked = new Set([
  "date",
  "time",
  "date-time",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
  "json-pointer"
])

export type Kind = "schema" | "schemas" | "map" | "names" | "text" | "number" | "flag" | "any" | "list" | "type"

export const keywords: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...["not", "if", "then", "else", "additionalProperties", "unevaluatedProperties", "propertyNames"].map(
    (name) => [name, "schema"] as const
  ),
  ...["additionalItems", "unevaluatedItems", "contains"].map((name) => [name, "schema"] as const),
  ...["anyOf", "allOf", "oneOf", "prefixItems"].map((name) => [name, "schemas"] as const),
  ...["properties", "$defs", "definitions", "dependentSchemas"].map((name) => [name, "map"] as const),
  ...["minProperties", "maxProperties", "minItems", "maxItems", "minContains", "maxContains"].map(
    (name) => [name, "number"] as const
  ),
  ...["minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"].map(
    (name) => [name, "number"] as const
  ),
  ["uniqueItems", "flag"],
  ["required", "names"],
  ["const", "any"],
  ["enum", "list"],
  ["type", "type"],
  ["$ref", "text"]
])

/** Unsupported keywords without which the schema would have a different meaning. */
export const refused = new Set(["patternProperties", "dependencies", "$anchor", "$dynamicRef", "$recursiveRef"])

export const isNames = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((item) => typeof item === "string")

export const types = new Set(["string", "number", "integer", "boolean", "object", "array", "null"])

export const isTypes = (value: unknown): boolean =>
  typeof value === "string" ? types.has(value) : isNames(value) && value.every((name) => types.has(name))

const parse = (text: string): Either.Either<unknown, string> =>
  Either.try({
    try: (): unknown => JSON.parse(text),
    catch: (cause) => `it is not JSON (${cause instanceof Error ? cause.message : String(cause)})`.slice(0, 200)
  })

/** Removes the `<think>` part and the code fence that some models add despite the instruction. */
const unwrapped = (text: string): string => {
  const endOfThinking = text.lastIndexOf("</think>")
  const body = (endOfThinking === -1 ? text : text.slice(endOfThinking + "</think>".length)).trim()
  if (!body.startsWith("```")) return body
  const begin = body.indexOf("\n")
  const end = body.lastIndexOf("```")
  return begin === -1 || end <= begin ? body : body.slice(begin, end).trim()
}

/** Finds JSON in prose: from the first bracket to the last matching one. */
const embedded = (text: string): string | undefined => {
  const begin = text.search(/[{[]/)
  if (begin === -1) return undefined
  const end = text.lastIndexOf(text[begin] === "{" ? "}" : "]")
  return end <= begin ? undefined : text.slice(begin, end + 1)
}

const parseAnswer = (text: string): Either.Either<unknown, string> => {
  const body = unwrapped(text)
  return Either.orElse(parse(body), (fault) => {
    const within = embedded(body)
    return within === undefined ? Either.left(fault) : Either.mapLeft(parse(within), () => fault)
  })
}

/** Reads and validates the answer of a model. Left: the faults, which are sent back to the model once. */
export const readAnswer = (
  text: string,
  schema: AnswerSchema | undefined
): Either.Either<unknown, ReadonlyArray<string>> =>
  Either.flatMap(
    Either.mapLeft(parseAnswer(text), (fault) => [fault]),
    (answer) => {
      if (isDeep(answer, maxDepth)) return Either.left(["it is nested too deep"])
      const faults = schema?.faults(answer) ?? []
      return faults.length === 0 ? Either.right(answer) : Either.left(faults)
    }
  )
