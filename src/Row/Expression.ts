/** The expression language of rows: JSONata under limits, and a closure where a closure does the same. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Bindings, compileClosure } from "./Expression/Closure.ts"
import { EvaluationError, ExpressionError, evaluationError } from "./Expression/Errors.ts"
import { known } from "./Expression/Functions.ts"
import { program } from "./Expression/Jsonata.ts"
import { inSlices } from "./Expression/Slices.ts"
import type { Facts } from "./Expression/Syntax.ts"
import { nearest } from "./Nearest.ts"

export type { Bindings }
export { EvaluationError, ExpressionError }

/** An expression that is known to be well-formed. */
export interface Expression {
  readonly source: string
  /** Paths of the row's fields that the expression reads, as far as static analysis finds them. */
  readonly paths: ReadonlyArray<string>
  /** The given names it uses, without the `$`. */
  readonly names: ReadonlyArray<string>
  /** Paths below `$inputs` that it reads, with the offset of each in the source. */
  readonly inputs: ReadonlyMap<string, number>
  /** Paths below `$steps` that it reads, with the offset of each in the source; an empty path for `$steps` as a whole. */
  readonly steps: ReadonlyMap<string, number>
  /** Its value: plain JSON, undefined where nothing is there. */
  readonly evaluate: (data: unknown, bindings: Bindings) => Effect.Effect<unknown, EvaluationError>
  /** Many rows at once; one row's failure is its own. `bindings` is asked by the row's index. */
  readonly evaluateChunk: (
    rows: ReadonlyArray<unknown>,
    bindings: (index: number) => Bindings
  ) => Effect.Effect<ReadonlyArray<Either.Either<unknown, EvaluationError>>>
  /** The same without a fiber, where the expression allows it. Throws an {@link EvaluationError}; a mere path never does. */
  readonly sync?: ((data: unknown, bindings: Bindings) => unknown) | undefined
}

export interface Options {
  /** The names that bindings will carry, with or without the `$`. */
  readonly names?: ReadonlyArray<string> | undefined
}

const strip = (name: string): string => name.replace(/^\$/, "")

const unknownName = (source: string, name: string, position: number, names: ReadonlyArray<string>): ExpressionError => {
  const near = nearest(name, [...names, ...known])
  const others = [...names.map((each) => `$${each}`), "the functions that `sluice explain expressions` lists"]
  const hint = near === undefined ? `; known: ${others.join(", ")}` : `, did you mean $${near}?`
  const reason =
    name === "eval"
      ? "$eval is switched off: an expression comes from the definition, never from a row"
      : `nothing is called $${name} here${hint}`
  // The parser counts to the end of a name.
  const start = source.lastIndexOf(`$${name}`, position)
  return new ExpressionError({ source, position: start < 0 ? position : start, reason })
}

const stepPaths = ({ bareSteps, steps, variables }: Facts): ReadonlyMap<string, number> =>
  bareSteps === 0 ? steps : new Map([...steps, ["", variables.get("steps") ?? 0]])

/** Compiles an expression; what can be known to be wrong is wrong here, not at the first row. */
export const compile = (source: string, options: Options = {}): Either.Either<Expression, ExpressionError> =>
  Either.flatMap(program(source), ({ node, facts, run }) => {
    const given = (options.names ?? []).map(strip)
    const used = [...facts.variables.keys()].filter((name) => !facts.bound.has(name))
    const stranger = used.find((name) => !given.includes(name) && !known.includes(name))
    if (stranger !== undefined) {
      return Either.left(unknownName(source, stranger, facts.variables.get(stranger) ?? 0, given))
    }
    const base = {
      source,
      paths: [...facts.paths],
      names: used.filter((name) => given.includes(name)),
      inputs: facts.bound.has("inputs") ? new Map<string, number>() : facts.inputs,
      steps: facts.bound.has("steps") ? new Map<string, number>() : stepPaths(facts)
    }
    const sync = compileClosure(node, given)
    const failure = (cause: unknown) => evaluationError(source, cause)
    const attempt =
      sync === undefined
        ? run
        : (data: unknown, bindings: Bindings) => Either.try({ try: () => sync(data, bindings), catch: failure })
    return Either.right({
      ...base,
      sync,
      evaluate: (data, bindings) => Effect.suspend(() => attempt(data, bindings)),
      evaluateChunk: (rows, bindings) =>
        Effect.suspend(() =>
          inSlices(
            rows,
            sync === undefined
              ? (data, index) => run(data, bindings(index))
              : (data, index) => Either.right(sync(data, bindings(index))),
            (cause) => Either.left(failure(cause))
          )
        )
    })
  })
