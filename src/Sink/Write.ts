/** The step `write`: writes rows to the files of a sink, and passes them on to the next step. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { ResolvedOutput } from "../Contract/Contract.ts"
import { allInOrder } from "../Row/FieldOrder.ts"
import type { Json, Row } from "../Row.ts"
import type * as Sink from "../Sink.ts"
import { watchFields } from "../Step/MisspeltFields.ts"
import type { Destination } from "../Step/Output.ts"
import { mapping } from "../Step/Requirements.ts"
import type { Changes, Saved } from "../Step.ts"
import * as Step from "../Step.ts"
import * as Conform from "./Conform.ts"
import { csv } from "./Csv.ts"
import { textPrefix } from "./Destination.ts"
import { jsonl } from "./Jsonl.ts"
import { CommitUnreadable, isRowError, type SinkError } from "./SinkErrors.ts"
import { type Commit, CommittedFile, type SinkContext, type Writer } from "./Writer.ts"

/** Built-in sinks. A new one needs its own file and an entry here. */
export const sinks = [jsonl, csv] as const

const fileKey = (path: string): string => `file ${path}`
const bufferedKey = (at: number): string => `held ${String(at).padStart(6, "0")}`

/** Last commit, restored from the checkpoint; undefined if there was none. */
export const commitOf = ({ entries, value }: Saved): Effect.Effect<Commit | undefined, CommitUnreadable> => {
  if (value === undefined) return Effect.succeed(undefined)
  const valuesOf = (prefix: string) => entries.filter(([key]) => key.startsWith(prefix)).map(([, json]) => json)
  return Schema.decodeUnknown(Schema.Array(CommittedFile))(valuesOf("file ")).pipe(
    Effect.mapBoth({
      onSuccess: (files) => ({ files, state: mapping(value).state, buffered: valuesOf("held ") }),
      onFailure: (cause) => new CommitUnreadable({ path: "the outputs of the run", cause })
    })
  )
}

/**
 * Changes from one commit to the next. Each file and each buffered row has its own entry, so that a checkpoint writes only those that
 * changed.
 */
export const makeChanges = (last: Commit | undefined): ((commit: Commit, contract?: unknown) => Changes) => {
  const files = new Map(last?.files.map((file) => [file.path, file]))
  let saved = last?.buffered?.length ?? 0
  return (commit, contract) => {
    const entries: Array<readonly [string, Json | undefined]> = []
    for (const file of commit.files) {
      // An unchanged file is the same object.
      if (files.get(file.path) === file) continue
      files.set(file.path, file)
      entries.push([fileKey(file.path), toJson(file)])
    }
    const buffered = commit.buffered ?? []
    for (let at = saved; at < buffered.length; at++) entries.push([bufferedKey(at), toJson(buffered[at])])
    for (let at = buffered.length; at < saved; at++) entries.push([bufferedKey(at), undefined])
    saved = buffered.length
    return {
      value: { state: toJson(commit.state), ...(contract === undefined ? {} : { contract: toJson(contract) }) },
      entries
    }
  }
}

/** State of a codec, encoded by its schema. It is JSON, but TypeScript cannot infer that for the schema of a custom sink. */
const toJson = (saved: unknown): Json => saved as Json

/** Contract of a new output, or the one that a resumed output was opened with; undefined without one. */
const contractOf = (contract: ResolvedOutput | undefined, resume: Commit | undefined, { value }: Saved) => {
  if (resume === undefined) return Effect.succeed(contract && { contract })
  const { contract: saved } = mapping(value)
  return saved === undefined
    ? Effect.succeed(undefined)
    : Effect.mapError(
        Conform.decodeSaved(saved),
        (cause) => new CommitUnreadable({ path: "the contract of the run", cause })
      )
}

/**
 * Writes a batch and returns the rows to pass on. A row that cannot be written is resolved by the step's `onError`: the others are written
 * without it, and its replacement rows are passed on in its place without being written.
 */
const writeRows = (
  writer: Writer,
  rows: ReadonlyArray<Row>,
  failed: Step.Context["failed"]
): Effect.Effect<ReadonlyArray<Row>, Step.StepError> =>
  rows.length === 0
    ? Effect.succeed(rows)
    : Effect.matchEffect(writer.write(allInOrder(rows)), {
        onSuccess: () => Effect.succeed(rows),
        onFailure: (error) => writeAround(error, writer, rows, failed)
      })

/** Writes the rows before and after each one that cannot be written; `first` is the error of the first such row. */
const writeAround = (
  first: SinkError,
  writer: Writer,
  rows: ReadonlyArray<Row>,
  failed: Step.Context["failed"]
): Effect.Effect<ReadonlyArray<Row>, Step.StepError> =>
  Effect.gen(function* () {
    const passed: Array<Row> = []
    let rest = rows
    let error: SinkError | undefined = first
    while (error !== undefined) {
      const bad = isRowError(error) ? rest[error.index] : undefined
      if (!isRowError(error) || bad === undefined) return yield* Step.StepError.of(error)
      // One of these rows may fail, too: partitions are encoded one after the other.
      for (const row of yield* writeRows(writer, rest.slice(0, error.index), failed)) passed.push(row)
      for (const row of yield* failed(bad, Step.StepError.of(error))) passed.push(row)
      rest = rest.slice(error.index + 1)
      if (rest.length === 0) return passed
      error = yield* Effect.flip(writer.write(allInOrder(rest))).pipe(Effect.orElseSucceed(() => undefined))
    }
    return [...passed, ...rest]
  })

const bytesOf = (commit: Commit | undefined): number =>
  (commit?.files ?? []).reduce((sum, { offset }) => sum + offset, 0)

type Configs<Sinks extends ReadonlyArray<Sink.Any>> = Sinks[number]["config"]

/** Hint for a format that no sink supports, such as `parquet` or `postgres`. */
const otherFormatsHint = "other formats: docs/delivery.md#wait-for-the-manifest, docs/how-to/write-a-sink.md"

/** The step `write` with these sinks. Its config is that of the sink whose path field it has. */
export const make = <const Sinks extends ReadonlyArray<Sink.Any>>(sinks: Sinks) => {
  const destination = (fields: unknown): Destination | undefined => {
    const values = mapping(fields)
    const sink = sinks.find(({ key }) => typeof values[key] === "string")
    if (sink === undefined) return undefined
    const { mode, order, partitionBy } = values
    return {
      format: sink.key,
      path: String(values[sink.key]),
      mode: typeof mode === "string" ? mode : "replace",
      partitions: Object.keys(mapping(partitionBy)),
      isOrdered: order === "input",
      reader: sink.reader?.(values)
    }
  }

  /** Folder that files must not leave, not even through links: the folder of a trial, or the one that the text of the path names. */
  const boundaryOf = ({ out, trials, written }: Step.Context): string | undefined => {
    if (trials?.isTrial === true) return out
    const path = destination(written)?.path
    return path === undefined ? undefined : textPrefix(path, out)
  }

  const config: Schema.Schema<Configs<Sinks>["Type"], Configs<Sinks>["Encoded"]> = Schema.Union(
    ...sinks.map((sink) => sink.config)
  ).annotations({ documentation: otherFormatsHint })

  return Step.make({
    key: "write",
    summary: "Writes the rows to a file, and passes them on. The file gets its final name when the run has completed.",
    example: jsonl.example,
    config,
    behaviour: {
      kind: "sink",
      sinks,
      destination,
      open: (config, context, saved) =>
        Effect.gen(function* () {
          const sink = sinks.find(({ key }) => key in config)
          if (sink === undefined) return yield* Effect.dieMessage("no sink has these fields")
          // A replay adds rows to an older output: at the end of its file if possible, otherwise in a file beside it.
          const adds = context.adds && config.mode === "replace"
          const settings = adds ? { ...config, mode: sink.canAppend(config) ? "append" : "perRun" } : config
          const resume = yield* commitOf(saved)
          const terms = yield* contractOf(context.contract, resume, saved)
          const contract = terms && Conform.open(terms, context, sink, settings)
          const fields = contract?.settings ?? settings
          const sinkContext: SinkContext = {
            folder: context.out,
            boundary: boundaryOf(context),
            names: { runId: context.runId, date: context.startedAt.toISOString().slice(0, 10) },
            ...Struct.pick(context, "aliveRuns", "bindings", "heldRuns", "pipeline", "trials", "stdout", "mayBeHeld"),
            resume,
            // The columns of a contract keep the order of the contract file.
            written: fields === settings ? context.written : fields
          }
          const writer = yield* sink.open(fields, sinkContext)
          const sizes = sink.sizes(fields, sinkContext)
          const changes = makeChanges(resume)
          // The columns of a contract are checked with it.
          const columns = contract === undefined ? Object.keys(mapping(mapping(settings).columns)) : []
          const watched = watchFields([], [], columns)
          let bytes = bytesOf(resume)
          return {
            push: (rows) => {
              watched.see(rows)
              return contract === undefined
                ? writeRows(writer, rows, context.failed)
                : contract.push(rows, context, (some, failed) => writeRows(writer, some, failed))
            },
            ended: watched.warn(context),
            save: Effect.mapBoth(writer.commit, {
              onFailure: Step.StepError.of,
              onSuccess: (commit) => {
                bytes = bytesOf(commit)
                return changes(commit, contract?.save())
              }
            }),
            bytes: () => bytes,
            sizeOf: contract?.sizes(sizes) ?? sizes,
            seal: Effect.mapBoth(writer.seal, {
              onFailure: Step.StepError.of,
              onSuccess: (sealed) => contract?.describe(sealed) ?? sealed
            }),
            discard: writer.discard
          } satisfies Step.OpenSink
        }).pipe(Effect.mapError(Step.StepError.of))
    }
  })
}

export const write = make(sinks)
