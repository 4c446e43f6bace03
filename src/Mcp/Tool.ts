/** Declaration of a tool: its name, its description, the schema of its arguments, and what it does. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as JSONSchema from "effect/JSONSchema"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { CheckedFiles } from "../Dashboard/Definitions.ts"
import type { Watch } from "../Dashboard/Events.ts"
import type { RunProcesses } from "../Dashboard/Launch.ts"
import type { Refusal } from "../Dashboard/Request.ts"
import type { Setup } from "../Dashboard/Setup.ts"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import type { Ledger } from "../Ledger.ts"
import { shown } from "./Answer.ts"
import type { McpSetup, Session } from "./Session.ts"

/** A call that is refused, with what to do instead. Never holds text of a page. */
export class ToolRefused extends Data.TaggedError("ToolRefused")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

/** What a tool may use. */
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
  /** False for a tool that only reads. */
  readonly changes: boolean
  /** True when it may replace or release something that is there. */
  readonly destructive?: boolean
  /** True when it sends requests to the web. */
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

const schemaOf = <A, I>(schema: Schema.Schema<A, I>): Tool["inputSchema"] => {
  const { $schema: _, ...rest } = JSONSchema.make(schema)
  return { ...rest, type: "object" }
}

/** What is wrong with an argument. Where the library names only its description, the JSON Schema of the argument says what is expected. */
const problemOf = ({ message, path }: ParseResult.ArrayFormatterIssue, schema: Tool["inputSchema"]): string => {
  const properties = schema.properties as Readonly<Record<string, { readonly description?: string }>> | undefined
  const { description, ...expected } = properties?.[String(path[0])] ?? {}
  const start = `Expected ${description}, actual `
  const said =
    description !== undefined && message.startsWith(start)
      ? `expected ${JSON.stringify(expected)}, got ${shown(message.slice(start.length), 100)}`
      : shown(message, 300)
  return `${path.length === 0 ? "" : `${path.map(String).join(".")}: `}${said}`
}

const decoding = <A, I>(schema: Schema.Schema<A, I>, inputSchema: Tool["inputSchema"]) => {
  const decode = Schema.decodeUnknown(schema, { errors: "all", onExcessProperty: "error" })
  return (given: unknown) =>
    Effect.mapError(decode(given ?? {}), (error) => {
      const problems = ParseResult.ArrayFormatter.formatErrorSync(error)
        // The other branch of an optional argument.
        .filter(({ message }) => !message.startsWith("Expected undefined,"))
        .slice(0, maxProblems)
        .map((issue) => problemOf(issue, inputSchema))
      return new ToolRefused({ reason: `the arguments are wrong: ${problems.join("; ").slice(0, 2_000)}` })
    })
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

/** Position of the next page of an answer. */
export const after = optional(
  Schema.Int.pipe(Schema.between(0, 10_000_000)),
  "`next` of the answer before, for the following page."
)
