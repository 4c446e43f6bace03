/** Reads back the rows that a run has written, by the step that wrote them. */
import { dirname } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { whyUnreadable } from "../Contract/Reader.ts"
import * as Files from "../Files.ts"
import type { RunRecord } from "../Ledger/Model.ts"
import { Ledger } from "../Ledger.ts"
import { type Checked, check, scopeBefore } from "../Pipeline/Check.ts"
import { decode } from "../Pipeline/Node.ts"
import type { Source } from "../Pipeline/Source.ts"
import { allInOrder } from "../Row/FieldOrder.ts"
import type { Data as RowData } from "../Row.ts"
import { isFileOf } from "../Sink/Destination.ts"
import { type Destination, decodeOutputs, type Output } from "../Step/Output.ts"
import { open } from "../Step/Read/Input.ts"
import { rowsOf } from "../Step/Read/Rows.ts"
import { mapping } from "../Step/Requirements.ts"
import { unusable } from "./CommandErrors.ts"
import type { Channel, Terminal } from "./Terminal.ts"
import { scopeOf } from "./Trust.ts"

/** Channel for warnings, and the environment of the command. */
export interface Warned extends Pick<Terminal, "env"> {
  readonly err: Pick<Channel, "write">
}

/** A step that writes files. */
export interface Writer {
  readonly step: string
  readonly destination: Destination
}

export const writersOf = (checked: Checked, terminal: Pick<Terminal, "env">): Effect.Effect<ReadonlyArray<Writer>> =>
  Effect.map(
    Effect.forEach(checked.nodes, (node) =>
      Effect.map(decode(node, scopeBefore(checked, scopeOf(terminal.env))), (decoded): ReadonlyArray<Writer> => {
        const { behaviour } = node.step
        if (behaviour.kind !== "sink") return []
        const known = Either.isRight(decoded) ? mapping(decoded.right.config) : {}
        const fields = Object.keys(known).length === 0 ? node.config : known
        const destination = behaviour.destination(fields)
        return destination === undefined || destination.path === "-" ? [] : [{ step: node.id, destination }]
      })
    ),
    (found) => found.flat()
  )

/** File that a run has written. `from`: its current path, which is a temporary one while the run is held. */
export interface WrittenFile extends Output {
  readonly from: string
  /** True if the rows of a held run come after those that the file had before. */
  readonly isAppended: boolean
}

export const filesOf = (
  { destination }: Writer,
  outputs: ReadonlyArray<WrittenFile>,
  out: string
): ReadonlyArray<WrittenFile> => outputs.filter((output) => isFileOf(destination, out, output))

/** Passes every row of a file to `add`. */
export const readFile = ({ destination }: Writer, { from }: WrittenFile, add: (data: RowData) => void) =>
  Effect.flatMap(open(from, "/"), (input) =>
    Stream.runForEach(rowsOf(input, { ...destination.reader, file: from }), ({ failures: [failure], rows }) => {
      if (failure !== undefined) return Effect.fail(failure[1])
      return Effect.sync(() => {
        for (const { data } of allInOrder(rows)) add(data)
      })
    })
  )

export const isReal = ({ options }: RunRecord): boolean => options.limit === undefined && options.replayOf === undefined

/** Files of a run: under their final names, or at their temporary paths while the run is held. */
export const filesIn = (record: RunRecord) =>
  Effect.gen(function* () {
    const { held } = yield* Ledger
    if (record.status === "held") {
      return (yield* held.files(record.id)).map(
        (file): WrittenFile => ({ ...file, from: file.partial, isAppended: (file.original ?? null) !== null })
      )
    }
    const decoded = decodeOutputs(`The outputs of run ${record.id}`, record.outputs ?? [])
    return Either.getOrElse(decoded, () => []).map(
      (file): WrittenFile => ({ ...file, from: file.path, isAppended: false })
    )
  })

/** Outputs of the run, by the step that wrote them. */
export const outputsOf = <E, R>(
  source: Source,
  terminal: Warned,
  findRun: (pipeline: string) => Effect.Effect<RunRecord, E, R>
) =>
  Effect.gen(function* () {
    const scope = scopeOf(terminal.env)
    const lenient = { ...scope, complete: false, unsetSecrets: "warning" } as const
    // Newer checks apply only once it is known that the definition is not that of the run.
    const { frame } = yield* check(source, { ...lenient, inputs: {}, begun: true })
    const record = yield* findRun(frame.name)
    const checked = yield* check(source, {
      ...lenient,
      inputs: mapping(record.inputs),
      saved: true,
      begun: source.text === record.definition
    })
    const outputs = yield* filesIn(record)
    const writers = (yield* writersOf(checked, terminal)).filter(({ destination: { format, reader }, step }) => {
      const why = whyUnreadable(format, reader)
      if (why !== undefined) terminal.err.write(`warning: ${step}: ${why}; this output is left out\n`)
      return why === undefined
    })
    return { record, written: writers.map((writer) => ({ writer, files: filesOf(writer, outputs, record.out) })) }
  })

/**
 * Writes a partial file and renames it, so that readers never see half a file. A symbolic link stays a link, a file keeps its mode, and a
 * missing folder is created.
 */
export const replace = (path: string, text: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const target = yield* Effect.orElseSucceed(files.realPath(path), () => path)
    const known = yield* Effect.option(files.stat(target))
    yield* Files.makeFolder(files, dirname(target))
    const partial = `${target}.partial`
    // A symbolic link may have the partial name.
    yield* files.remove(partial, { force: true })
    yield* files.writeFileString(partial, text, { flag: "wx" })
    if (Option.isSome(known)) yield* files.chmod(partial, known.value.mode & 0o7777)
    yield* files.rename(partial, target)
  }).pipe(Effect.mapError(unusable(path)))
