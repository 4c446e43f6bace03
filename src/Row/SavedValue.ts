/** Values that a run saved as JSON, decoded when they are read again. */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { isRow, type Json, type Row } from "../Row.ts"
import { TypedError } from "../TypedError.ts"

/** A saved value has another shape than every version of Sluice gives it. */
export class SavedValueInvalid extends TypedError("SavedValueInvalid", { scope: "run" })<{
  /** What was read: `the cursor of a job`. */
  readonly place: string
  readonly problem: string
}> {
  override get message() {
    return `${this.place} was saved in a shape that this version cannot read: ${this.problem}. Start the run again instead of resuming it.`
  }
}

/** Any JSON, as the values inside of a saved value are kept. */
export const JsonValue: Schema.Schema<Json> = Schema.declare((value): value is Json => value !== undefined, {
  title: "JSON"
})

/** A row as `toJson` keeps it. */
export const SavedRow: Schema.Schema<Row> = Schema.declare(isRow, { title: "a row" })

const firstProblem = (error: ParseResult.ParseError): string => {
  const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error)
  if (issue === undefined) return error.message
  return issue.path.length === 0 ? issue.message : `${issue.path.map(String).join(".")}: ${issue.message}`
}

/** Decodes saved values of one kind; `place` names the value in the error. */
export const decodeSaved = <A, I>(
  schema: Schema.Schema<A, I>
): ((place: string, value: unknown) => Either.Either<A, SavedValueInvalid>) => {
  const decode = Schema.decodeUnknownEither(schema)
  return (place, value) =>
    Either.mapLeft(decode(value), (error) => new SavedValueInvalid({ place, problem: firstProblem(error) }))
}
