/** `write`: rows into a file, and on to the next step. */
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import type { Row } from "../Row.ts"
import type * as Sink from "../Sink.ts"
import { mapChunks } from "../Step/Chunked.ts"
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
  writer.write(rows.map((row) => row.data)).pipe(
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
    kind: "stream",
    through: (config, context) =>
      Effect.gen(function* () {
        const place: Sink.Place = {
          folder: context.out,
          names: { runId: context.runId, date: context.startedAt.toISOString().slice(0, 10), seq: "1" }
        }
        const writer = yield* Effect.mapError(
          "csv" in config ? csv.open(config, place) : jsonl.open(config, place),
          stepError
        )
        const published = yield* Ref.make(false)
        // Until runs can be resumed, what an unfinished run wrote is of no use to anybody.
        yield* Effect.addFinalizer(() => Effect.unlessEffect(writer.discard, Ref.get(published)))
        const warn = ({ dropped, path }: Sink.Written) =>
          dropped.length === 0
            ? Effect.void
            : Effect.logWarning(`${context.id}: ${path} has no column for ${dropped.join(", ")}`)
        const publish = (named: Sink.Publish) =>
          named.pipe(
            Effect.mapError(stepError),
            Effect.tap((files) => Effect.forEach(files, warn, { discard: true })),
            Effect.zipLeft(Ref.set(published, true))
          )
        yield* context.publish(Effect.map(Effect.mapError(writer.seal, stepError), publish))
        return mapChunks((rows) => writeRows(writer, rows, context))
      })
  }
})
