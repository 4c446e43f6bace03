/** What a sink committed, as the run keeps it: each file and each waiting row by itself, so that only what changed is written. */
/** `write`: rows into a file, and on to the next step. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Json, Row } from "../Row.ts"
import type * as Sink from "../Sink.ts"
import type { Commit, Durable } from "../Sink.ts"
import { mapping } from "../Step/Need.ts"
import type { Destination } from "../Step/Output.ts"
import type { Changes, Saved } from "../Step.ts"
import * as Step from "../Step.ts"
import { csv } from "./Csv.ts"
import { settledPrefix } from "./Destination.ts"
import { jsonl } from "./Jsonl.ts"
import { lineSizes, recordSizes } from "./RowSize.ts"
import { isRowError } from "./SinkErrors.ts"

const fileKey = (path: string): string => `file ${path}`
const heldKey = (at: number): string => `held ${String(at).padStart(6, "0")}`

/** The last commit; undefined when there was none. */
export const commitOf = ({ entries, value }: Saved): Commit | undefined => {
  if (value === undefined) return undefined
  const valuesOf = (prefix: string) => entries.filter(([key]) => key.startsWith(prefix)).map(([, json]) => json)
  const { state } = value as { readonly state?: Json }
  return { files: valuesOf("file ") as unknown as ReadonlyArray<Durable>, state, held: valuesOf("held ") }
}

/** Gives what has changed from one commit to the next. */
export const makeChanges = (last: Commit | undefined): ((commit: Commit) => Changes) => {
  const files = new Map(last?.files.map((file) => [file.path, file]))
  let held = last?.held?.length ?? 0
  return (commit) => {
    const entries: Array<readonly [string, Json | undefined]> = []
    for (const file of commit.files) {
      // A file that did not change is the same object.
      if (files.get(file.path) === file) continue
      files.set(file.path, file)
      entries.push([fileKey(file.path), file as unknown as Json])
    }
    const waiting = commit.held ?? []
    for (let at = held; at < waiting.length; at++) entries.push([heldKey(at), waiting[at]])
    for (let at = waiting.length; at < held; at++) entries.push([heldKey(at), undefined])
    held = waiting.length
    return { value: { state: commit.state }, entries }
  }
}

/**
 * Writes a chunk and passes it on. A row that cannot be written is settled by the step's `onError`: the rest is written
 * without it, and what it is replaced by goes on unwritten in its place.
 */
const writeRows = (
  writer: Sink.Writer,
  rows: ReadonlyArray<Row>,
  context: Step.Context
): Effect.Effect<ReadonlyArray<Row>, Step.StepError> =>
  Effect.gen(function* () {
    const passed: Array<Row> = []
    let rest = rows
    while (rest.length > 0) {
      const error = yield* Effect.flip(writer.write(rest)).pipe(Effect.orElseSucceed(() => undefined))
      if (error === undefined) return passed.length === 0 ? rest : [...passed, ...rest]
      const bad = isRowError(error) ? rest[error.index] : undefined
      if (!isRowError(error) || bad === undefined) return yield* Step.StepError.of(error)
      // Another of these may be bad too: partitions are looked at one by one.
      for (const row of yield* writeRows(writer, rest.slice(0, error.index), context)) passed.push(row)
      for (const row of yield* context.failed(bad, Step.StepError.of(error))) passed.push(row)
      rest = rest.slice(error.index + 1)
    }
    return passed
  })

const sinks = [jsonl, csv]

const destination = (fields: unknown): Destination | undefined => {
  const values = mapping(fields)
  const format = sinks.find(({ key }) => typeof values[key] === "string")?.key
  if (format === undefined) return undefined
  const { mode, partitionBy } = values
  return {
    format,
    path: String(values[format]),
    mode: typeof mode === "string" ? mode : "replace",
    partitions: Object.keys(mapping(partitionBy))
  }
}

/** The folder that the files may not leave, also through links: of a trial its own, else the one that the text names. */
const writtenIn = ({ out, trials, written }: Step.Context): string | undefined => {
  if (trials?.isTrial === true) return out
  const path = destination(written)?.path
  return path === undefined ? undefined : settledPrefix(path, out)
}

/** What an addition to an older output is written with: behind it where that is possible, else beside it. */
const adding = (config: typeof csv.config.Type | typeof jsonl.config.Type) => {
  if (config.mode !== "replace") return config.mode
  if ("jsonl" in config) return "append"
  return config.columns === undefined || config.onNewField === "widen" ? "perRun" : "append"
}

const bytesOf = (commit: Sink.Commit | undefined): number =>
  (commit?.files ?? []).reduce((sum, { offset }) => sum + offset, 0)

export const write = Step.make({
  key: "write",
  summary: "Writes the rows to a file that appears under its name when the run has ended well, and passes them on.",
  example: jsonl.example,
  config: Schema.Union(jsonl.config, csv.config),
  behaviour: {
    kind: "sink",
    destination,
    open: (written, context, saved) =>
      Effect.gen(function* () {
        const config = context.adds ? { ...written, mode: adding(written) } : written
        const resume = commitOf(saved)
        const place: Sink.Place = {
          folder: context.out,
          within: writtenIn(context),
          names: { runId: context.runId, date: context.startedAt.toISOString().slice(0, 10) },
          bindings: context.bindings,
          resume,
          trials: context.trials,
          stdout: context.stdout,
          mayBeHeld: context.mayBeHeld
        }
        const writer = yield* Effect.mapError(
          "csv" in config ? csv.open(config, place) : jsonl.open(config, place),
          Step.StepError.of
        )
        const changes = makeChanges(resume)
        let bytes = bytesOf(resume)
        return {
          push: (rows) => writeRows(writer, rows, context),
          save: Effect.mapBoth(writer.commit, {
            onFailure: Step.StepError.of,
            onSuccess: (commit) => {
              bytes = bytesOf(commit)
              return changes(commit)
            }
          }),
          bytes: () => bytes,
          sizeOf: "csv" in config ? recordSizes(config, place) : lineSizes,
          seal: Effect.mapError(writer.seal, Step.StepError.of),
          discard: writer.discard
        }
      })
  }
})
