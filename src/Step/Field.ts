/** Fields evaluated for each row: expressions, and `{ expr: … }` in place of a literal. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { PageUrl } from "../Api/Field.ts"
import { type Bindings, compile, type EvaluationError, type Expression } from "../Row/Expression.ts"
import type { Row } from "../Row.ts"
import { StepError } from "../Step.ts"

/** Names, without the `$`, that an expression over a row may use besides its fields. */
export const rowNames = ["key", "source", "run", "inputs", "steps"] as const

/** Marks schemas of expressions, across copies of this package: definitions are searched for such fields. */
const mark = Symbol.for("sluice/Step/Expression")

const ExpressionSelf: Schema.Schema<Expression> = Schema.declare(
  (value): value is Expression =>
    typeof value === "object" && value !== null && "evaluate" in value && "source" in value
).annotations({ [mark]: true })

/** True for the schema of an expression over a row. */
export const isExpression = (ast: AST.AST): boolean => AST.isTransformation(ast) && ast.to.annotations[mark] === true

/**
 * An expression as a string, which may use these names in addition to those of a row. `${{ }}` is refused: editors report it, and `check`
 * says what to write instead.
 */
export const expressionText = (more: ReadonlyArray<string>, description: string) =>
  Schema.transformOrFail(
    Schema.String.annotations({
      description,
      jsonSchema: {
        type: "string",
        description: `${description}; inputs are $inputs.NAME, values of steps $steps.ID.output`,
        not: { pattern: "\\$\\{\\{[\\s\\S]*\\}\\}" }
      }
    }),
    ExpressionSelf,
    {
      strict: true,
      decode: (text, _, ast) =>
        Either.mapLeft(
          compile(text, { names: [...rowNames, ...more] }),
          (error) => new ParseResult.Type(ast, text, error.message)
        ),
      encode: (expression) => Either.right(expression.source)
    }
  )

/** An expression over a row (JSONata). */
export const ExpressionText = expressionText([], "an expression over the row (JSONata)")

/** A value for each row: the same for all rows, or the result of an expression. */
export interface PerRow<A> {
  /** Set if the value is the same for all rows. */
  readonly literal: A | undefined
  readonly of: (row: Row, bindings: Bindings) => Effect.Effect<A, StepError>
}

/** Turns the failure of an expression into that of the step. */
export const expressionFailed = (error: EvaluationError): StepError =>
  new StepError({ reason: "ExpressionFailed", message: error.message, cause: error })

/** Expected value as a phrase. If the description is a sentence, it says what the field is for, and the title has the phrase. */
const phraseOf = (ast: AST.AST): string =>
  Option.firstSomeOf([
    Option.filter(AST.getDescriptionAnnotation(ast), (description) => !description.endsWith(".")),
    AST.getTitleAnnotation(ast)
  ]).pipe(Option.getOrElse(() => "another value"))

/** Schema of a field that is a literal, or `{ expr: … }` over the row. */
export const perRow = <A, I>(schema: Schema.Schema<A, I>): Schema.Schema<PerRow<A>, I | { readonly expr: string }> => {
  const validate = Schema.decodeUnknownEither(schema)
  const expected = phraseOf(schema.ast)
  const self: Schema.Schema<PerRow<A>> = Schema.declare(
    (value): value is PerRow<A> => typeof value === "object" && value !== null && "of" in value
  )
  const literal = Schema.transform(schema, self, {
    strict: true,
    decode: (value): PerRow<A> => ({ literal: value, of: () => Effect.succeed(value) }),
    encode: (value) => value.literal as A
  })
  const computed = Schema.transformOrFail(Schema.Struct({ expr: ExpressionText }), self, {
    strict: true,
    decode: ({ expr }) =>
      Either.right<PerRow<A>>({
        literal: undefined,
        of: (row, bindings) =>
          Effect.flatMap(Effect.mapError(expr.evaluate(row.data, bindings), expressionFailed), (value) =>
            Either.mapLeft(
              validate(value),
              () =>
                new StepError({
                  reason: "ExpressionFailed",
                  message: `{ expr: ${expr.source} } gives ${describe(value)}: expected ${expected}`
                })
            )
          )
      }),
    // A definition is only read here, never written back.
    encode: (value, _, ast) => Either.left(new ParseResult.Forbidden(ast, value, "a compiled expression has no text"))
  })
  // The encoded side of the union also has the text type of an expression, but only a literal and `{ expr }` are documented.
  return Schema.Union(computed, literal) as unknown as Schema.Schema<PerRow<A>, I | { readonly expr: string }>
}

/** Failure of a source that returns something other than a web address where one is needed. */
export const notWebAddress = (place: string, text: string): StepError =>
  new StepError({
    reason: "NotWebAddress",
    message: `${place} is not a web address: expected http:// or https://, got ${describe(text)}`
  })

/** Address of a row if a step names none: the field `url`. */
export const rowUrl = (): PerRow<string> => {
  urlField ??= Schema.decodeUnknownSync(perRow(PageUrl))({ expr: "url" })
  return urlField
}

/** Compiled at first use, because many commands need no expression. */
let urlField: PerRow<string> | undefined

const describe = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "nothing"
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}
