/** Declaration of a tool: name, description, schema of its arguments, and implementation. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as JSONSchema from "effect/JSONSchema"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { isAbsenceIssue, isTypeIssue } from "../Api/Issues.ts"
import type { CheckedFiles } from "../Dashboard/Definitions.ts"
import type { Watch } from "../Dashboard/Events.ts"
import type { RunProcesses } from "../Dashboard/Launch.ts"
import type { Refusal } from "../Dashboard/Request.ts"
import type { Setup } from "../Dashboard/Setup.ts"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import type { Ledger } from "../Ledger.ts"
import { didYouMean } from "../Row/Nearest.ts"
import { shown } from "./Answer.ts"
import type { McpSetup, Session } from "./Session.ts"

/** A refused call, with advice on what to do instead. Never contains text from a page. */
export class ToolRefused extends Data.TaggedError("ToolRefused")<{ readonly message: string }> {}

export const refuse = (message: string) => new ToolRefused({ message })

/** Services that a tool may use. */
export type Services =
  | CheckedFiles
  | FileSystem.FileSystem
  | Ledger
  | McpSetup
  | Path.Path
  | RunProcesses
  | Session
  | Setup
  | Watch

export type Failure = LedgerError | Refusal | ToolRefused

interface Hints {
  /** False if the tool only reads or plans. */
  readonly changes: boolean
  /** True if the tool may replace or publish something that exists. */
  readonly destructive?: boolean
  /** True if the tool sends requests to the web. */
  readonly openWorld?: boolean
}

interface Declaration<A, I> extends Hints {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Schema.Schema<A, I>
  readonly run: (input: A) => Effect.Effect<object, Failure, Services>
}

export interface Tool extends Hints {
  readonly name: string
  readonly title: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly inputSchema: { readonly type: "object"; readonly [key: string]: unknown }
  readonly call: (given: unknown) => Effect.Effect<object, Failure, Services>
}

const maxProblems = 10

/** JSON Schema of an argument, reduced to the keys that messages need. */
interface ArgumentSchema {
  readonly type?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: ArgumentSchema
  readonly properties?: Readonly<Record<string, ArgumentSchema>>
}

/** Inlines the reference for integers, which some clients do not resolve; removes titles like `between(0, 10)`. */
const inPlace = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(inPlace)
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) =>
      key === "title" && typeof part === "string"
        ? []
        : [key === "$ref" && part === "#/$defs/Int" ? ["type", "integer"] : [key, inPlace(part)]]
    )
  )
}

const schemaOf = <A, I>(schema: Schema.Schema<A, I>): Tool["inputSchema"] => {
  const { $defs = {}, $schema: _, ...rest } = JSONSchema.make(schema)
  const { Int: __, ...others } = $defs
  const definitions = Object.keys(others).length === 0 ? {} : { $defs: inPlace(others) }
  return { ...definitions, ...(inPlace(rest) as object), type: "object" }
}

const boundsOf = (least: number | undefined, most: number | undefined, unit = ""): string =>
  least !== undefined && most !== undefined
    ? ` ${unit === "" ? "from" : "of"} ${least} to ${most}${unit}`
    : most !== undefined
      ? ` of at most ${most}${unit}`
      : ""

/** Describes the values that an argument may have. */
const inWords = (schema: ArgumentSchema): string => {
  if (schema.enum !== undefined) return `one of ${schema.enum.join(", ")}`
  switch (schema.type) {
    case "string":
      return schema.pattern === undefined
        ? `a string${boundsOf(undefined, schema.maxLength, " characters")}`
        : `a string that matches ${schema.pattern}`
    case "integer":
      return `a whole number${boundsOf(schema.minimum, schema.maximum)}`
    case "number":
      return `a number${boundsOf(schema.minimum, schema.maximum)}`
    case "boolean":
      return "true or false"
    case "array":
      return `an array${boundsOf(schema.minItems, schema.maxItems, " items")}${
        schema.items === undefined ? "" : `, each ${inWords(schema.items)}`
      }`
    default:
      return "an object"
  }
}

/** Error of an argument. If the library only names a type or a description, describes the expected value by the JSON Schema. */
const problemOf = (
  issue: ParseResult.ArrayFormatterIssue,
  inputSchema: Tool["inputSchema"],
  given: unknown
): string => {
  const { _tag, message, path } = issue
  let schema: ArgumentSchema | undefined = inputSchema
  let owner: ArgumentSchema = {}
  let value = given
  for (const key of path) {
    owner = schema ?? {}
    schema = typeof key === "number" ? schema?.items : schema?.properties?.[String(key)]
    value = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined
  }
  const name = path.length === 0 ? "" : `${shown(path.map(String).join("."), 100)}: `
  if (_tag === "Unexpected") {
    const known = Object.keys(owner.properties ?? {})
    const names = known.length === 0 ? "there are none" : `there are ${known.join(", ")}`
    return `${name}there is no such argument${didYouMean(String(path.at(-1)), known)}: ${names}`
  }
  return schema !== undefined && isTypeIssue(issue)
    ? `${name}expected ${inWords(schema)}, got ${shown(JSON.stringify(value) ?? "nothing", 100)}`
    : `${name}${shown(message, 300)}`
}

/** Leaves out known arguments that are null, but not within arrays: models in strict mode send null for arguments that they leave out. */
const withoutNulls = (given: unknown, { properties = {} }: ArgumentSchema): unknown => {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (schema === undefined) return [[name, value]]
      return value === null ? [] : [[name, withoutNulls(value, schema)]]
    })
  )
}

const decoding = <A, I>(schema: Schema.Schema<A, I>, inputSchema: Tool["inputSchema"]) => {
  const decode = Schema.decodeUnknown(schema, { errors: "all", onExcessProperty: "error" })
  return (sent: unknown) => {
    const given = withoutNulls(sent ?? {}, inputSchema)
    return Effect.mapError(decode(given), (error) => {
      const problems = ParseResult.ArrayFormatter.formatErrorSync(error)
        // Ignores the `undefined` branch of optional arguments.
        .filter((issue) => !isAbsenceIssue(issue))
        .slice(0, maxProblems)
        .map((issue) => problemOf(issue, inputSchema, given))
      // All members of a union report the same problem, so duplicates are removed.
      const reasons = [...new Set(problems)].join("; ")
      return refuse(`the arguments are wrong: ${reasons.slice(0, 2_000)}`)
    })
  }
}

export const make = <A, I>({ input, run, ...tool }: Declaration<A, I>): Tool => {
  const inputSchema = schemaOf(input)
  const decode = decoding(input, inputSchema)
  return { ...tool, inputSchema, call: (given) => Effect.flatMap(decode(given), run) }
}

/** An optional argument with its description. */
export const optional = <A, I>(schema: Schema.Schema<A, I>, description: string) =>
  Schema.optional(schema.annotations({ description }))

export const RunId = Schema.String.pipe(Schema.pattern(/^[\w.-]{1,100}$/)).annotations({
  description: "Id of a run, as `run` and `status` give it."
})

/** Position at which the next page of an answer begins. */
export const after = optional(
  Schema.Int.pipe(Schema.between(0, 10_000_000)),
  "`next` of the previous answer, to get the following page."
)
