/** `write`: rows into a file, and on to the next step. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Json, Row } from "../Row.ts"
import type * as Sink from "../Sink.ts"
import * as Step from "../Step.ts"
import { csv } from "./Csv.ts"
import { isRowError, type SinkError } from "./Errors.ts"
import { jsonl } from "./Jsonl.ts"

const stepError = (error: SinkError): Step.StepError =>
  new Step.StepError({ reason: error._tag, message: error.message, cause: error })

/**
 * Writes a chunk and passes it on. A row that cannot be written is settled by the step's `onError`: the rest is written
 * without it, and what it is replaced by goes on unwritten.
 */
const writeRows = (
  writer: Sink.Writer,
  rows: ReadonlyArray<Row>,
  context: Step.Context
): Effect.Effect<ReadonlyArray<Row>, Step.StepError> =>
  writer.write(rows).pipe(
    Effect.as(rows),
    Effect.catchAll((error) => {
      const bad = isRowError(error) ? rows[error.index] : undefined
      return bad === undefined
        ? Effect.fail(stepError(error))
        : Effect.zipWith(
            writeRows(
              writer,
              rows.filter((row) => row !== bad),
              context
            ),
            context.failed(bad, stepError(error)),
            (written, instead) => [...written, ...instead]
          )
    })
  )

export const write = Step.make({
  key: "write",
  summary: "Writes the rows to a file that appears under its name when the run has ended well, and passes them on.",
  example: jsonl.example,
  config: Schema.Union(jsonl.config, csv.config),
  behaviour: {
    kind: "transform",
    make: (config, context, saved) =>
      Effect.gen(function* () {
        const place: Sink.Place = {
          folder: context.out,
          names: { runId: context.runId, date: context.startedAt.toISOString().slice(0, 10) },
          bindings: context.bindings,
          resume: saved.value as unknown as Sink.Commit | undefined
        }
        const writer = yield* Effect.mapError(
          "csv" in config ? csv.open(config, place) : jsonl.open(config, place),
          stepError
        )
        return {
          push: (rows) => writeRows(writer, rows, context),
          save: Effect.mapBoth(writer.commit, {
            onFailure: stepError,
            onSuccess: (commit) => ({ value: commit as unknown as Json })
          }),
          seal: Effect.mapError(writer.seal, stepError),
          discard: writer.discard
        }
      })
  }
})
