/** Outputs of a test run, read back from its files. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Permissions } from "../../Permissions.ts"
import type { Checked } from "../../Pipeline/Check.ts"
import { readRows } from "../../Pipeline/Test.ts"
import type { Row } from "../../Row.ts"
import type { Summary } from "../../Run.ts"
import type { Output } from "../../Step/Output.ts"

/** A file that the run has written; it exists until the test ends. */
export interface Written {
  /** Below the output folder, with `{runId}` in place of the run's id. */
  readonly path: string
  readonly content: Buffer
  /** Its rows, or the reason why they cannot be read. */
  readonly rows: ReadonlyArray<unknown> | string
}

export interface Played {
  readonly runId: string
  readonly site: string | undefined
  readonly status: Summary["status"]
  /** Why it did not complete. */
  readonly error: string | undefined
  readonly credits: number
  /** Values of the pipeline's inputs. */
  readonly inputs: Readonly<Record<string, unknown>>
  /** By the id of the step. */
  readonly rows: ReadonlyMap<string, ReadonlyArray<Row>>
  readonly outputs: ReadonlyArray<Written>
  readonly rejects: ReadonlyArray<unknown>
}

/** The delimiter of the definition's tables, if all have the same. */
const delimiterOf = ({ nodes }: Checked): { readonly delimiter?: string } => {
  const delimiters = nodes.flatMap(({ config, step: { behaviour } }) => {
    const delimiter = behaviour.kind === "sink" ? behaviour.destination(config)?.delimiter : undefined
    return delimiter === undefined ? [] : [delimiter]
  })
  const [first] = delimiters
  return first !== undefined && first !== "," && delimiters.every((each) => each === first) ? { delimiter: first } : {}
}

/** Permission to read the files that the run has written, which no definition names. */
const unconfined = Effect.provideServiceEffect(
  Permissions,
  Effect.map(Permissions, (permissions) => ({ ...permissions, project: undefined, isOwn: true, dataFolders: [] }))
)

/** All outputs with their rows; `{runId}` replaces the run's id in paths, as in the definition. */
export const read = (outputs: ReadonlyArray<Output>, out: string, checked: Checked) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const table = delimiterOf(checked)
    const written = outputs.filter(({ path }) => path !== "-")
    return yield* Effect.forEach(written, ({ path }) =>
      Effect.gen(function* () {
        const isTable = /\.csv(\.gz)?$/i.test(path)
        const rows = yield* Effect.either(readRows({ file: path, ...(isTable ? table : {}) }, out))
        const near = paths.relative(out, path).split(paths.sep).join("/")
        const content = yield* Effect.orElseSucceed(files.readFile(path), () => new Uint8Array())
        const written: Written = { path: near, content: Buffer.from(content), rows: Either.merge(rows) }
        return written
      })
    )
  }).pipe(unconfined)

/** The lines of the reject file. */
export const rejects = (file: string | undefined) =>
  file === undefined
    ? Effect.succeed<ReadonlyArray<unknown>>([])
    : Effect.map(Effect.either(readRows({ file }, "")), (rows) => (Either.isRight(rows) ? rows.right : [])).pipe(
        unconfined
      )
