/** Rows of a test that stand in a file of their own, and the rows of a file that a run has written. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type Format, formatMistake } from "../../Step/Read/Format.ts"
import { open } from "../../Step/Read/Input.ts"
import { rowsOf } from "../../Step/Read/Rows.ts"
import type { StepError } from "../../Step.ts"
import type { Row } from "./Format.ts"

type Files = FileSystem.FileSystem | Path.Path

/** All rows of a JSONL or CSV file, plain or gzipped; a text says why they cannot be read. */
export const readRows = (format: Format, folder: string): Effect.Effect<ReadonlyArray<Row>, string, Files> =>
  Effect.gen(function* () {
    const mistake = formatMistake(format)
    if (mistake !== undefined) return yield* Effect.fail(mistake.message)
    const fail = (error: StepError) => error.message
    const input = yield* Effect.mapError(open(format.file, folder), fail)
    const batches = Chunk.toReadonlyArray(yield* Effect.mapError(Stream.runCollect(rowsOf(input, format)), fail))
    const malformed = batches.flatMap(({ failures }) => failures)[0]
    if (malformed !== undefined) return yield* Effect.fail(malformed[1].message)
    return batches.flatMap(({ rows }) => rows.map(({ data }) => data as Row))
  })

/** The rows that a test gives: as they stand there, or those of the file that it names. */
export const loadRows = (
  rows: ReadonlyArray<Row> | string,
  folder: string
): Effect.Effect<ReadonlyArray<Row>, string, Files> =>
  typeof rows === "string" ? readRows({ file: rows }, folder) : Effect.succeed(rows)
