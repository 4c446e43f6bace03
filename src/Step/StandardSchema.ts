/**
 * Standard Schema (https://standardschema.dev): the common interface of zod, valibot, ArkType and Effect Schema for checking values.
 *
 * Schemas are code of the project: they may be asynchronous, throw, or return anything.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { Data } from "../Row.ts"
import { describeThrown, whyNotJson } from "./ProjectCode.ts"
import { list, mapping } from "./Requirements.ts"
import { StepError } from "./StepError.ts"

/** Schema of any library that follows the standard. */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => unknown
    readonly types?: { readonly output: Output } | undefined
  }
}

/** Schemas of a program or a module, by name. */
export type Schemas = Readonly<Record<string, StandardSchema>>

/** Output type of a schema. */
export type OutputOf<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>["output"]

export const isStandardSchema = (value: unknown): value is StandardSchema => {
  if (!Predicate.hasProperty(value, "~standard")) return false
  const { validate, version } = mapping(value["~standard"])
  return version === 1 && typeof validate === "function"
}

/** Library that made the schema, for messages. */
export const vendorOf = (schema: StandardSchema): string => oneLine(String(schema["~standard"].vendor), 40)

/** An error in a value. */
export interface SchemaIssue {
  /** Path such as `offers[0].price`; empty for the value itself. */
  readonly path: string
  /** First key of the path. */
  readonly field: string | undefined
  readonly message: string
}

/** Maximum time for an asynchronous schema to check one row. */
const timeLimit = Duration.seconds(30)

const maxIssues = 10

const oneLine = (text: string, most: number): string => {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim()
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}

const issueOf = (given: unknown): SchemaIssue => {
  const { message, path } = mapping(given)
  const keys = list(path).map((segment) => (Predicate.isReadonlyRecord(segment) ? segment.key : segment))
  const written = keys.map((key, index) => {
    if (typeof key === "number") return `[${key}]`
    return index === 0 ? String(key) : `.${String(key)}`
  })
  return {
    path: oneLine(written.join(""), 200),
    field: keys[0] === undefined ? undefined : String(keys[0]),
    message: typeof message === "string" && message !== "" ? oneLine(message, 300) : "refused without a message"
  }
}

/** Checks a row: returns the schema's output, or a failure whose message `describe` makes from the issues. */
export const checkRow = (
  schema: StandardSchema,
  row: Data,
  describe: (issue: SchemaIssue) => string
): Effect.Effect<Data, StepError> => {
  const name = `the schema (${vendorOf(schema)})`
  const broken = (why: string) => new StepError({ reason: "SchemaFailed", message: `${name} ${why}` })
  const failed = (thrown: unknown) => broken(`failed: ${oneLine(describeThrown(thrown), 300)}`)
  return Effect.try({ try: () => schema["~standard"].validate(row), catch: failed }).pipe(
    Effect.flatMap((answer) =>
      Predicate.isPromiseLike(answer)
        ? Effect.tryPromise({ try: () => answer, catch: failed }).pipe(
            Effect.timeoutFail({
              duration: timeLimit,
              onTimeout: () => broken(`did not finish within ${Duration.format(timeLimit)}`)
            }),
            // Rows move uninterruptibly, but a function of the project may never end: the time limit must be able to interrupt it.
            Effect.interruptible
          )
        : Effect.succeed(answer)
    ),
    Effect.flatMap((answer) => {
      const { issues, value } = mapping(answer)
      if (issues) {
        const all = list(issues)
        const words = all.slice(0, maxIssues).map((each) => describe(issueOf(each)))
        const rest = all.length > maxIssues ? [`and ${all.length - maxIssues} more`] : []
        const message = `${name} refuses the row: ${words.length === 0 ? "it gives no reason" : [...words, ...rest].join("; ")}`
        return new StepError({ reason: "SchemaRefused", message })
      }
      if (!Predicate.isReadonlyRecord(value)) return broken("does not return an object: its output must be a row")
      const wrong = whyNotJson(value, "the row")
      return wrong === undefined ? Effect.succeed(value) : broken(`does not return plain JSON: ${wrong}`)
    })
  )
}
