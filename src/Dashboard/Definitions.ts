/** Definitions below one folder: lists them with their inputs, and checks one before a run, resume or replay. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { RunRecord } from "../Ledger/Model.ts"
import { Permissions } from "../Permissions.ts"
import { type Checked, check } from "../Pipeline/Check.ts"
import { scheduledOf } from "../Pipeline/Inputs.ts"
import { type DefinitionInvalid, inputFlag } from "../Pipeline/Issue.ts"
import { parseText, read } from "../Pipeline/Source.ts"
import type { DefinitionError, DefinitionLine, Definitions, InputField } from "../Web/Dashboard/Protocol.ts"
import { Refusal } from "./Request.ts"
import { Setup } from "./Setup.ts"

const limits = { files: 500, depth: 4, bytes: 1024 * 1024, text: 1_000 }

/** True for definitions in YAML and JSON. Definitions in code are left out: loading one would execute it. */
export const isDefinition = (name: string): boolean =>
  /\.(ya?ml|json)$/.test(name) && !/\.(test|spec|lock|schema|contract)\.\w+$/.test(name)

/** True for folders of packages, data and tests. */
export const isSkipped = (name: string): boolean => /^[._]|^(node_modules|dist|coverage|fixtures|data|site)$/.test(name)

/** A definition below the folder. */
interface Found {
  /** Relative path. */
  readonly file: string
  /** Changes with the content; undefined if the file has changed so recently that another change could have the same time. */
  readonly version: string | undefined
}

/** Milliseconds after which another change certainly gets a different time. */
const timeGranularity = 2_000

/** Paths of one folder that are examined at once. */
const pathsAtOnce = 128

/** Definitions below a folder, sorted; links out of the folder are not followed. */
export const filesBelow = (folder: string, { accepts = isDefinition, most = limits.files, skips = isSkipped } = {}) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const now = yield* Clock.currentTimeMillis
    const found: Array<Found> = []
    const top = yield* Effect.orElseSucceed(files.realPath(folder), () => folder)
    const isInside = (path: string): boolean => path.startsWith(paths.join(top, "/"))
    /** Checks only symbolic links, because nothing else can lead out of the folder. */
    const isAllowed = (path: string) =>
      Effect.flatMap(Effect.option(files.readLink(path)), (link) =>
        link._tag === "None"
          ? Effect.succeed(true)
          : Effect.map(
              Effect.orElseSucceed(files.realPath(path), () => ""),
              isInside
            )
      )
    const look = (file: string) =>
      Effect.gen(function* () {
        const path = paths.join(folder, file)
        if (!(yield* isAllowed(path))) return []
        const info = yield* Effect.option(files.stat(path))
        return info._tag === "None" ? [] : [{ file, info: info.value }]
      })
    const visit = (inside: string, depth: number): Effect.Effect<void> =>
      Effect.gen(function* () {
        const names = yield* Effect.orElseSucceed(files.readDirectory(paths.join(folder, inside)), () => [])
        const looked = names.filter((name) => !skips(name)).sort()
        for (let at = 0; at < looked.length && found.length < most; at += pathsAtOnce) {
          const some = looked.slice(at, at + pathsAtOnce).map((name) => paths.join(inside, name))
          for (const { file, info } of (yield* Effect.forEach(some, look, { concurrency: pathsAtOnce })).flat()) {
            if (found.length >= most) break
            const { size, type } = info
            if (type === "Directory" && depth < limits.depth) yield* visit(file, depth + 1)
            if (type !== "File" || !accepts(paths.basename(file)) || Number(size) > limits.bytes) continue
            const changed = Option.match(info.mtime, { onNone: () => now, onSome: (time) => time.getTime() })
            const version = `${changed} ${size} ${Option.getOrElse(info.ino, () => 0)}`
            found.push({ file, version: now - changed < timeGranularity ? undefined : version })
          }
        }
      })
    yield* visit("", 0)
    return found
  })

/** A checked definition; `line` is undefined for YAML and JSON files that are not definitions. */
interface CheckedFile {
  readonly version: string
  readonly line: DefinitionLine | undefined
}

/**
 * Cache of checked definitions, by path, so that unchanged ones are not read again. `turn` lets only one list check definitions at a time.
 */
export class CheckedFiles extends Context.Tag("sluice/Dashboard/CheckedFiles")<
  CheckedFiles,
  { readonly turn: Effect.Semaphore; readonly files: Map<string, CheckedFile> }
>() {}

const mistakesOf = ({ issues }: DefinitionInvalid): ReadonlyArray<DefinitionError> =>
  issues.map(({ column, input, line, message, path }) => ({
    message: input === undefined ? message : message.slice(inputFlag(input).length),
    input: input ?? (path[0] === "inputs" && typeof path[1] === "string" ? path[1] : undefined),
    line,
    column
  }))

const object = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value.slice(0, limits.text) : undefined

/** Inputs as declared, with the values of the schedule; `check` reports wrong declarations. */
const inputsOf = (value: unknown): ReadonlyArray<InputField> => {
  const { inputs, schedule } = object(value)
  const scheduled = scheduledOf(schedule)
  return Object.entries(object(inputs)).flatMap(([name, declared]) => {
    const field = object(declared)
    const given = Object.hasOwn(scheduled, name) ? scheduled[name] : undefined
    const isValue = typeof given === "string" || typeof given === "number" || typeof given === "boolean"
    // An input is shown as written: `check` reports fields of other types.
    return typeof field.type === "string"
      ? [{ ...field, name, ...(isValue ? { scheduled: given } : {}) } as unknown as InputField]
      : []
  })
}

/** Advice for a definition with `extensions` when the dashboard was started without `--allow-code`. */
const codeAdvice =
  "read this code; if you trust it, start or resume the run on the command line with --allow-code, or start the dashboard with --allow-code"

/** True for a pipeline: other YAML and JSON files, such as settings, are not listed. */
const isPipeline = (value: unknown): boolean => "steps" in object(value)

const lineOf = (folder: string, file: string) =>
  Effect.gen(function* () {
    const { scope } = yield* Setup
    const paths = yield* Path.Path
    const path = paths.join(folder, file)
    const source = yield* Effect.either(read(path))
    const fileName = paths.basename(file)
    if (source._tag === "Left") {
      return { file, name: fileName, inputs: [], mistakes: mistakesOf(source.left) } satisfies DefinitionLine
    }
    const { value } = source.right
    if (!isPipeline(value)) return undefined
    const { description, extensions, name } = object(value)
    const line = { file, name: textOf(name) ?? fileName, description: textOf(description), inputs: inputsOf(value) }
    // A list runs no code: a definition whose steps come from a module is checked when it is started.
    if (extensions !== undefined && (yield* Permissions).code) return { ...line, mistakes: [] } satisfies DefinitionLine
    const checked = yield* Effect.either(
      check(source.right, {
        ...scope,
        inputs: {},
        complete: false,
        unsetSecrets: "warning",
        codeAdvice
      })
    )
    return { ...line, mistakes: checked._tag === "Left" ? mistakesOf(checked.left) : [] } satisfies DefinitionLine
  })

/**
 * All definitions, or only those checked within `millis`, because checking many definitions takes seconds after a start. `checking` is the
 * number of unchecked ones.
 */
export const listWithin = (millis: number | undefined) =>
  Effect.gen(function* () {
    const { definitions: folder } = yield* Setup
    if (folder === undefined) {
      const why = "there is no folder of pipelines: name one with --pipelines, or create one with sluice init"
      return { folder: null, why, definitions: [], checking: 0 } satisfies Definitions
    }
    const { files, turn } = yield* CheckedFiles
    const found = yield* filesBelow(folder)
    const lines = new Map<string, DefinitionLine | undefined>()
    const takeKnown = () => {
      for (const { file, version } of found) {
        const last = files.get(file)
        if (version !== undefined && last?.version === version) lines.set(file, last.line)
      }
    }
    takeKnown()
    const there = new Set(found.map(({ file }) => file))
    for (const file of files.keys()) if (!there.has(file)) files.delete(file)
    if (lines.size < found.length) {
      const checks = turn.withPermits(1)(
        Effect.gen(function* () {
          // Another list may have checked some files in the meantime.
          takeKnown()
          for (const { file, version } of found) {
            if (lines.has(file)) continue
            // Checks of many definitions take seconds: other requests run in between.
            yield* Effect.sleep(0)
            // Uninterruptible: otherwise a check that takes longer than `millis` would start again with each request.
            yield* lineOf(folder, file).pipe(
              Effect.tap((line) =>
                Effect.sync(() => {
                  lines.set(file, line)
                  if (version !== undefined) files.set(file, { version, line })
                })
              ),
              Effect.uninterruptible
            )
          }
        })
      )
      yield* millis === undefined ? checks : Effect.timeoutOption(checks, millis)
      takeKnown()
    }
    return {
      folder,
      definitions: found.flatMap(({ file }) => lines.get(file) ?? []),
      checking: found.length - lines.size
    } satisfies Definitions
  })

export const list = listWithin(undefined)

/** Checks the definitions in the background when the dashboard starts, so that the first list need not wait for all of them. */
export const layer = Layer.scoped(
  CheckedFiles,
  Effect.gen(function* () {
    const checked = { turn: yield* Effect.makeSemaphore(1), files: new Map<string, CheckedFile>() }
    yield* Effect.forkScoped(Effect.provideService(list, CheckedFiles, checked))
    return checked
  })
)

/** Absolute path of a listed definition; refuses every other path. */
export const pathOf = (file: string) =>
  Effect.gen(function* () {
    const { definitions: folder } = yield* Setup
    const paths = yield* Path.Path
    const known = folder === undefined ? [] : yield* filesBelow(folder)
    return folder !== undefined && known.some((each) => each.file === file)
      ? paths.join(folder, file)
      : yield* new Refusal({ status: 404, reason: `the folder of pipelines has no definition ${file}` })
  })

const refuseStdout = ({ toStdout }: Checked) => {
  const reason = 'a step writes to standard output ("-"), which the dashboard does not read: give it the path of a file'
  return toStdout.length > 0 ? new Refusal({ status: 422, reason }) : Effect.void
}

const refusalOf = (error: Refusal | DefinitionInvalid): Refusal =>
  error instanceof Refusal ? error : new Refusal({ status: 422, reason: error.message, mistakes: mistakesOf(error) })

/** Fails with all errors of the definition and the given inputs. */
export const ensureRunnable = (path: string, inputs: Readonly<Record<string, unknown>>) =>
  Effect.gen(function* () {
    const { scope } = yield* Setup
    yield* refuseStdout(yield* check(yield* read(path), { ...scope, inputs, complete: true, codeAdvice }))
  }).pipe(Effect.mapError(refusalOf))

/** Fails with all errors that a resume or a replay of the run would report; `withCurrent` checks the current definition. */
export const ensureResumable = (
  { definition, file, inputs }: Pick<RunRecord, "definition" | "file" | "inputs">,
  withCurrent = false
) =>
  Effect.gen(function* () {
    const { scope } = yield* Setup
    const paths = yield* Path.Path
    const source = withCurrent ? yield* read(file) : yield* parseText(file, paths.dirname(file), definition)
    const options = {
      ...scope,
      inputs: object(inputs),
      saved: true,
      complete: true,
      begun: source.text === definition,
      codeAdvice
    }
    yield* refuseStdout(yield* check(source, options))
  }).pipe(Effect.mapError(refusalOf))
