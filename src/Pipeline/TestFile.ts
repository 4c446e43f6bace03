/** Schema of a test file (what each test gives to the pipeline and expects of it), and its JSON Schema for editors. */
import * as Either from "effect/Either"
import * as JSONSchema from "effect/JSONSchema"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { compile, type Expression } from "../Row/Expression.ts"
import { rowNames } from "../Step/Field.ts"

const Row = Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
  description: "a row: an object of fields"
})
export type Row = typeof Row.Type

const FileName = Schema.NonEmptyString.annotations({ description: "a file, relative to the test file" })

const texts = Schema.Union(Schema.String, Schema.Array(Schema.String)).annotations({
  description: "an expression (JSONata), or an array of them"
})

/** Names allowed in expectations, which are evaluated after the run, when outputs of steps no longer exist. */
const testNames = rowNames.filter((name) => name !== "steps")

const Expressions: Schema.Schema<ReadonlyArray<Expression>> = Schema.declare(
  (value): value is ReadonlyArray<Expression> => Array.isArray(value)
)

/** One or several expressions; each reports its own error. */
const Predicate = Schema.transformOrFail(texts, Expressions, {
  strict: true,
  decode: (written, _, ast) =>
    Either.mapLeft(
      Either.all(
        (typeof written === "string" ? [written] : written).map((each) => compile(each, { names: testNames }))
      ),
      (error) => new ParseResult.Type(ast, written, error.message)
    ),
  encode: (expressions) => Either.right(expressions.map(({ source }) => source))
})

const Bound = Schema.Int.pipe(Schema.nonNegative())

export const Count = Schema.Union(
  Bound,
  Schema.Struct({ min: Schema.optional(Bound), max: Schema.optional(Bound) })
).annotations({ description: "a number, or { min, max }" })
export type Count = typeof Count.Type

/** Expectations for rows. All are checked, and each failure is reported. */
export const RowsExpectation = Schema.Struct({
  count: Schema.optional(Count).annotations({ description: "The number of rows, or { min, max }." }),
  equals: Schema.optional(Schema.Union(Schema.Array(Row), FileName)).annotations({
    description: "All rows, as an array or as the name of a file; of an output, its exact content."
  }),
  order: Schema.optional(Schema.Literal("given", "any")).annotations({
    description: "Order of rows in `equals`: given (the default) compares it, any ignores it."
  }),
  contains: Schema.optional(Schema.Array(Row)).annotations({
    description: "Parts of rows: for each part, there must be a row that contains it."
  }),
  fields: Schema.optional(Schema.Array(Schema.String)).annotations({
    description: "The exact fields of every row."
  }),
  every: Schema.optional(Predicate).annotations({ description: "Expressions that must be true for every row." }),
  some: Schema.optional(Predicate).annotations({ description: "Expressions that must be true for at least one row." }),
  none: Schema.optional(Predicate).annotations({ description: "Expressions that must not be true for any row." }),
  list: Schema.optional(Predicate).annotations({
    description: "Expressions that must be true for the array of all rows, like `$count($distinct(url)) = $count($)`."
  })
})
export type RowsExpectation = typeof RowsExpectation.Type

const Given = Schema.Struct({
  recording: Schema.optional(FileName).annotations({
    description: "The service's recorded answers; `sluice test --record` makes the file."
  }),
  rows: Schema.optional(
    Schema.Record({ key: Schema.String, value: Schema.Union(Schema.Array(Row), FileName) })
  ).annotations({
    description:
      "Rows that a step gives in place of its own, by the id of the step, as an array or as a JSONL file. The rows may have the fields $key and $source."
  })
})

const Expect = Schema.Struct({
  status: Schema.optional(Schema.Literal("completed", "failed", "budget")).annotations({
    description: "How the run ends: completed (the default), failed or budget."
  }),
  error: Schema.optional(Schema.NonEmptyString).annotations({
    description: "A part of the error message of the run; the status is then failed."
  }),
  rows: Schema.optional(Schema.Record({ key: Schema.String, value: RowsExpectation })).annotations({
    description: "Expected rows of a step, by the id of the step."
  }),
  outputs: Schema.optional(Schema.Record({ key: Schema.String, value: RowsExpectation })).annotations({
    description: "Expected rows of an output, by the path of the output in the definition; values from CSV are strings."
  }),
  rejects: Schema.optional(RowsExpectation).annotations({
    description: "Lines of the reject file, with step, error, message and row. Without it, none are expected."
  }),
  credits: Schema.optional(Schema.Number).annotations({ description: "Credits that the run costs." })
})

export const TestCase = Schema.Struct({
  name: Schema.NonEmptyString.annotations({ description: "a sentence: what the pipeline does" }),
  inputs: Schema.optional(
    Schema.Record({ key: Schema.String, value: Schema.Union(Schema.String, Schema.Number, Schema.Boolean) })
  ).annotations({
    description: "Inputs of the pipeline; paths are relative to the test file, {site} is the address of a site."
  }),
  site: Schema.optional(FileName).annotations({
    description: "A folder of pages, served while the test is recorded; {site} in inputs is its address."
  }),
  env: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })).annotations({
    description: "Environment variables; a test sees no others."
  }),
  limit: Schema.optional(Schema.Int.pipe(Schema.positive())).annotations({
    description: "Maximum number of rows from each source, as with --limit."
  }),
  now: Schema.optional(
    Schema.String.pipe(
      Schema.filter((text) => /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text)))
    ).annotations({ description: "a date and time like 2026-03-01T09:00:00Z" })
  ).annotations({ description: "The run's clock; default: 2026-01-01T00:00:00Z." }),
  given: Schema.optional(Given),
  expect: Expect
})
export type TestCase = typeof TestCase.Type

export const testFields = {
  pipeline: Schema.optional(FileName).annotations({
    description: "The definition; default: the one beside this file that has its name."
  }),
  tests: Schema.NonEmptyArray(TestCase).annotations({ description: "an array of at least one test" })
}
export const TestFrame = Schema.Struct(testFields).annotations({
  parseOptions: { errors: "all", onExcessProperty: "error" }
})
export type TestFrame = typeof TestFrame.Type

/** Default clock of a test: an arbitrary but fixed time. */
export const defaultNow = "2026-01-01T00:00:00Z"

/** True for ids and titles that the schema library generates, which carry no information. */
const isNoise = (key: string, value: unknown): boolean =>
  key === "$id" || (key === "title" && typeof value === "string" && /^[a-z]/.test(value))

const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, each]) => !isNoise(key, each))
      .map(([key, each]) => [key, tidy(each)])
  )
}

/** JSON Schema of a test file. */
export const testSchema = (): { readonly [key: string]: unknown } => {
  const { $schema: _, ...rest } = JSONSchema.make(TestFrame)
  const schema = tidy(rest) as { readonly [key: string]: unknown }
  return { $schema: "http://json-schema.org/draft-07/schema#", title: "Sluice pipeline tests", ...schema }
}
