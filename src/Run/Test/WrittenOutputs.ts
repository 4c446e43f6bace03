/** Outputs of a test run, read back from its files. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { whyUnreadable } from "../../Contract/Reader.ts"
import { Permissions } from "../../Permissions.ts"
import type { Checked } from "../../Pipeline/Check.ts"
import { readRows } from "../../Pipeline/Test.ts"
import type { Row } from "../../Row.ts"
import type { Summary } from "../../Run.ts"
import { isFileOf } from "../../Sink/Destination.ts"
import type { Output } from "../../Step/Output.ts"

/** A file that the run has written; it exists until the test ends. */
export interface Written {
  /** Path below the output folder, with `{runId}` in place of the run's id. */
  readonly path: string
  readonly content: Buffer
  /** Rows of the file, or the reason why they cannot be read. */
  readonly rows: ReadonlyArray<unknown> | string
}

export interface Played {
  readonly runId: string
  readonly site: string | undefined
  readonly status: Summary["status"]
  /** Why the run did not complete. */
  readonly error: string | undefined
  readonly credits: number
  /** Values of the pipeline's inputs. */
  readonly inputs: Readonly<Record<string, unknown>>
  /** Rows by step id. */
  readonly rows: ReadonlyMap<string, ReadonlyArray<Row>>
  readonly outputs: ReadonlyArray<Written>
  readonly rejects: ReadonlyArray<unknown>
}

/** Reader that the sink of an output declares for its files. */
const readerOf = ({ nodes }: Checked, out: string, output: Output) => {
  const destinations = nodes.flatMap(({ config, step: { behaviour } }) => {
    const destination = behaviour.kind === "sink" ? behaviour.destination(config) : undefined
    return destination?.format === output.format ? [destination] : []
  })
  return (destinations.find((each) => isFileOf(each, out, output)) ?? destinations[0])?.reader
}

/** Permission to read the files that the run has written, which the definition does not name. */
const unconfined = Effect.provideServiceEffect(
  Permissions,
  Effect.map(Permissions, (permissions) => ({ ...permissions, project: undefined, isOwn: true, dataFolders: [] }))
)

/** Reads all files that the run has written, with their rows; not standard output. Paths are relative to the output folder. */
export const read = (outputs: ReadonlyArray<Output>, out: string, checked: Checked) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const written = outputs.filter(({ path }) => path !== "-")
    return yield* Effect.forEach(written, (output) =>
      Effect.gen(function* () {
        const { format, path } = output
        const reader = readerOf(checked, out, output)
        const why = whyUnreadable(format, reader)
        // Cells are compared exactly as in the file, so `nullText` is ignored.
        const read = readRows({ ...reader, nullText: undefined, file: path }, out)
        const rows = yield* Effect.either(why === undefined ? read : Effect.fail(why))
        const near = paths.relative(out, path).split(paths.sep).join("/")
        const content = yield* Effect.orElseSucceed(files.readFile(path), () => new Uint8Array())
        const written: Written = { path: near, content: Buffer.from(content), rows: Either.merge(rows) }
        return written
      })
    )
  }).pipe(unconfined)

/** Lines of the reject file. */
export const rejects = (file: string | undefined) =>
  file === undefined
    ? Effect.succeed<ReadonlyArray<unknown>>([])
    : Effect.map(Effect.either(readRows({ file }, "")), (rows) => (Either.isRight(rows) ? rows.right : [])).pipe(
        unconfined
      )
