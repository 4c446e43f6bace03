/** Decoders for values that an earlier run saved as JSON. */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { isRow, type Json, type Row } from "../Row.ts"
import { TypedError } from "../TypedError.ts"

/** Error of a saved value that does not match its schema. */
export class SavedValueInvalid extends TypedError("SavedValueInvalid", { scope: "run" })<{
  /** Name of the value, such as `the cursor of a job`. */
  readonly place: string
  readonly problem: string
}> {
  override get message() {
    return `${this.place} was saved in a shape that this version cannot read: ${this.problem}. Start the run again instead of resuming it.`
  }
}

/** Any JSON value. */
export const JsonValue: Schema.Schema<Json> = Schema.declare((value): value is Json => value !== undefined, {
  title: "JSON"
})

/** A row in the form that `toJson` stores. */
export const SavedRow: Schema.Schema<Row> = Schema.declare(isRow, { title: "a row" })

/** The schema of a value whose field `got` earlier versions saved as `came`. */
export const withGot = <A, I>(schema: Schema.Schema<A, I>): Schema.Schema<A, unknown> =>
  Schema.transform(Schema.Unknown, schema, {
    strict: false,
    decode: (saved) =>
      typeof saved === "object" && saved !== null && "came" in saved ? { got: saved.came, ...saved } : saved,
    encode: (value) => value
  })

const firstProblem = (error: ParseResult.ParseError): string => {
  const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error)
  if (issue === undefined) return error.message
  return issue.path.length === 0 ? issue.message : `${issue.path.map(String).join(".")}: ${issue.message}`
}

/** Makes a decoder for saved values. `place` names the value in errors. */
export const decodeSaved = <A, I>(
  schema: Schema.Schema<A, I>
): ((place: string, value: unknown) => Either.Either<A, SavedValueInvalid>) => {
  const decode = Schema.decodeUnknownEither(schema)
  return (place, value) =>
    Either.mapLeft(decode(value), (error) => new SavedValueInvalid({ place, problem: firstProblem(error) }))
}
