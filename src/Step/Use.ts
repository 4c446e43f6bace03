/** `use`: calls a function of the project on every row. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { keyOf, type Row, withData } from "../Row.ts"
import * as Step from "../Step.ts"
import { ofFile } from "./Access.ts"
import * as Code from "./ProjectCode.ts"

const refuse = (reason: string, message: string) => new Step.StepError({ reason, message })

/** Maximum time for a function to return; after that it counts as hanging. */
const patience = Duration.minutes(5)

/**
 * Time for calls in flight when the run is stopped; shorter than the run's own wait. Rows that take longer are processed again after a
 * resume.
 */
const stopPatience = Duration.seconds(3)

/** Rows that the result of the function stands for: none, one or several. */
const rowsOf = (result: unknown, row: Row): Either.Either<ReadonlyArray<Row>, string> => {
  if (result === undefined || result === null) return Either.right([])
  const list = Array.isArray(result) ? result : undefined
  const rows: Array<Row> = []
  for (const [index, data] of (list ?? [result]).entries()) {
    const name = list === undefined ? "the row" : `row ${index}`
    if (!Predicate.isReadonlyRecord(data)) return Either.left(`${name} is not an object`)
    const wrong = Code.whyNotJson(data, name)
    if (wrong !== undefined) return Either.left(wrong)
    rows.push(
      list === undefined ? withData(row, data) : { ...row, origin: undefined, key: `${keyOf(row)}#${index}`, data }
    )
  }
  return Either.right(rows)
}

export const use = Step.make({
  key: "use",
  summary:
    "Gives every row to a function of the project, `(row, { key, source, with, run }) => row, list of rows or undefined` (or a Promise of it). It runs only where code is allowed, and should return the same for the same row: after a crash it is called again. A row that takes longer than 5 minutes, or `timeout`, is a failed row.",
  example: "use: { module: ./clean.ts, export: clean, with: { language: en } }",
  config: Schema.Struct(Code.functionFields),
  reads: ofFile("module"),
  behaviour: {
    kind: "transform",
    independent: true,
    perRow: true,
    make: (config, context) =>
      Effect.gen(function* () {
        const { module: file } = config
        const limit = context.timeout ?? patience
        const apply = yield* Code.loadFunction("use", config, context)

        const one = (row: Row) =>
          Effect.tryPromise({
            try: async (): Promise<unknown> => {
              const { key, run, source } = context.bindings(row).names
              // The function may change its argument, so it gets a copy: other steps may read the same row.
              return apply(structuredClone(row.data), { key, source, run, with: config.with })
            },
            catch: (thrown) => Code.functionFailed(file, thrown)
          }).pipe(
            Effect.timeoutFail({
              duration: limit,
              onTimeout: () =>
                refuse("Timeout", `${file}: the function did not finish within ${Duration.format(limit)}`)
            }),
            Effect.flatMap((result) =>
              Either.mapLeft(rowsOf(result, row), (wrong) =>
                refuse("FunctionFailed", `${file}: ${wrong}, but a row must be plain JSON`)
              )
            ),
            Effect.either
          )
        /** Resolves failures in row order, no matter which came first. */
        const settle = (result: Either.Either<ReadonlyArray<Row>, Step.StepError>, row: Row | undefined) =>
          Either.isLeft(result) && row !== undefined
            ? context.failed(row, result.left)
            : Effect.succeed(Either.getOrElse(result, () => []))

        let undone: ReadonlyArray<Row> = []
        const tooLate = Effect.zipRight(context.stopRequested, Effect.sleep(stopPatience))

        return {
          undone: () => undone,
          push: (rows) =>
            Effect.suspend(() => {
              const results: Array<Either.Either<ReadonlyArray<Row>, Step.StepError>> = []
              const begin = (row: Row, index: number) =>
                Effect.suspend(() =>
                  context.isStopped()
                    ? Effect.void
                    : Effect.map(one(row), (result) => {
                        results[index] = result
                      })
                )
              return Effect.forEach(rows, begin, { concurrency: context.concurrency, discard: true }).pipe(
                Effect.raceFirst(tooLate),
                // Rows move uninterruptibly, but a function of the project may never end: a stop must be able to interrupt it.
                Effect.interruptible,
                Effect.flatMap(() => {
                  undone = rows.filter((_, index) => !(index in results))
                  return Effect.forEach(rows, (row, index) => {
                    const result = results[index]
                    return result === undefined ? Effect.succeed([]) : settle(result, row)
                  })
                }),
                Effect.map((made) => made.flat())
              )
            })
        }
      })
  }
})
