/** The definitions of a folder that can be run from here, with the inputs that they ask for. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type { RunRecord } from "../Ledger/Model.ts"
import { Permissions } from "../Permissions.ts"
import { type Checked, check } from "../Pipeline/Check.ts"
import { scheduledOf } from "../Pipeline/Inputs.ts"
import type { DefinitionInvalid } from "../Pipeline/Issue.ts"
import { parseText, read } from "../Pipeline/Source.ts"
import type { DefinitionLine, Definitions, InputField, Mistake } from "../Web/Dashboard/Protocol.ts"
import { Refusal } from "./Request.ts"
import { Setup } from "./Setup.ts"

const most = { files: 500, depth: 4, bytes: 1024 * 1024, text: 1_000 }

/** Code would be carried out when it is read. */
const isDefinition = (name: string): boolean =>
  /\.(ya?ml|json)$/.test(name) && !/\.(test|spec|lock|schema)\.\w+$/.test(name)

/** Folders that are no place for pipelines: of packages, of data, of tests. */
const isLeftOut = (name: string): boolean => /^[._]|^(node_modules|dist|coverage|fixtures|data|site)$/.test(name)

/** Files below a folder by their paths in it, in order; links are not followed out of it. */
const filesBelow = (folder: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const found: Array<string> = []
    const top = yield* Effect.orElseSucceed(files.realPath(folder), () => folder)
    const isOutside = (path: string): boolean => !path.startsWith(paths.join(top, "/"))
    const visit = (inside: string, depth: number): Effect.Effect<void> =>
      Effect.gen(function* () {
        const names = yield* Effect.orElseSucceed(files.readDirectory(paths.join(folder, inside)), () => [])
        for (const name of names.sort()) {
          if (found.length >= most.files || isLeftOut(name)) continue
          const path = paths.join(inside, name)
          const real = yield* Effect.orElseSucceed(files.realPath(paths.join(folder, path)), () => "")
          if (isOutside(real)) continue
          const info = yield* Effect.option(files.stat(real))
          if (info._tag === "None") continue
          const { size, type } = info.value
          if (type === "Directory" && depth < most.depth) yield* visit(path, depth + 1)
          if (type === "File" && isDefinition(name) && Number(size) <= most.bytes) found.push(path)
        }
      })
    yield* visit("", 0)
    return found
  })

const mistakesOf = ({ issues }: DefinitionInvalid): ReadonlyArray<Mistake> =>
  issues.map(({ column, given, line, message, path }) => ({
    message: message.replace(said, ""),
    input: path[0] === "inputs" && typeof path[1] === "string" ? path[1] : namedIn(given === true ? message : ""),
    line,
    column
  }))

/** `--input NAME: …` is how the command line says it. */
const said = /^--input ([^\s:=]+): /
const namedIn = (message: string): string | undefined => said.exec(message)?.[1]

const object = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value.slice(0, most.text) : undefined

/** As declared, with the values of the schedule; `check` reports what is declared wrongly. */
const inputsOf = (value: unknown): ReadonlyArray<InputField> => {
  const { inputs, schedule } = object(value)
  const scheduled = scheduledOf(schedule)
  return Object.entries(object(inputs)).flatMap(([name, declared]) => {
    const field = object(declared)
    const given = Object.hasOwn(scheduled, name) ? scheduled[name] : undefined
    const isValue = typeof given === "string" || typeof given === "number" || typeof given === "boolean"
    // Shown as written: `check` reports fields of other types.
    return typeof field.type === "string"
      ? [{ ...field, name, ...(isValue ? { scheduled: given } : {}) } as unknown as InputField]
      : []
  })
}

/** Said of a definition with `extensions` unless the dashboard was started with `--allow-code`. */
const codeAdvice = "read it, and start or resume the run on the command line, or start the dashboard, with --allow-code"

/** A file that is no pipeline at all, like a lock file or settings, is not told of. */
const isPipeline = (value: unknown): boolean => "steps" in object(value)

const lineOf = (folder: string, file: string) =>
  Effect.gen(function* () {
    const { scope } = yield* Setup
    const paths = yield* Path.Path
    const path = paths.join(folder, file)
    const source = yield* Effect.either(read(path))
    const nameless = paths.basename(file)
    if (source._tag === "Left") {
      return { file, name: nameless, inputs: [], mistakes: mistakesOf(source.left) } satisfies DefinitionLine
    }
    const { value } = source.right
    if (!isPipeline(value)) return undefined
    const { description, extensions, name } = object(value)
    const line = { file, name: textOf(name) ?? nameless, description: textOf(description), inputs: inputsOf(value) }
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

export const list = Effect.gen(function* () {
  const { definitions: folder } = yield* Setup
  if (folder === undefined) {
    const why = "there is no folder of pipelines: name one with --pipelines, or make a first one by sluice init"
    return { folder: null, why, definitions: [] } satisfies Definitions
  }
  const files = yield* filesBelow(folder)
  const lines = yield* Effect.forEach(files, (file) => lineOf(folder, file))
  return { folder, definitions: lines.flatMap((line) => line ?? []) } satisfies Definitions
})

/** The absolute path of a definition that is in the list; nothing else of the disk can be named. */
export const pathOf = (file: string) =>
  Effect.gen(function* () {
    const { definitions: folder } = yield* Setup
    const paths = yield* Path.Path
    const known = folder === undefined ? [] : yield* filesBelow(folder)
    return folder !== undefined && known.includes(file)
      ? paths.join(folder, file)
      : yield* new Refusal({ status: 404, reason: `the folder of pipelines has no definition ${file}` })
  })

/** Nobody reads the standard output of a run that is started from here. */
const refuseStdout = ({ toStdout }: Checked) => {
  const reason = 'a step of it writes to standard output ("-"), which nobody reads here: give it the path of a file'
  return toStdout.length > 0 ? new Refusal({ status: 422, reason }) : Effect.void
}

const refusalOf = (error: Refusal | DefinitionInvalid): Refusal =>
  error instanceof Refusal ? error : new Refusal({ status: 422, reason: error.message, mistakes: mistakesOf(error) })

/** Fails with every mistake, of the definition and of what it is given. */
export const ensure = (path: string, inputs: Readonly<Record<string, unknown>>) =>
  Effect.gen(function* () {
    const { scope } = yield* Setup
    yield* refuseStdout(yield* check(yield* read(path), { ...scope, inputs, complete: true, codeAdvice }))
  }).pipe(Effect.mapError(refusalOf))

/** Fails with every mistake of a run that is to be resumed or replayed, and when it writes to standard output. */
export const ensureReadable = (
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
