/** Loads definitions for the scheduler. Ignores files without a schedule; a resumed run uses the definition that it was started with. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { RunRecord } from "../Ledger/Model.ts"
import { type Checked, type CheckOptions, check } from "../Pipeline/Check.ts"
import { needsProgram } from "../Pipeline/Extensions.ts"
import type { Scope } from "../Pipeline/Interpolate.ts"
import { DefinitionInvalid } from "../Pipeline/Issue.ts"
import { parseText, read, type Source } from "../Pipeline/Source.ts"
import { readable } from "../Step/Access.ts"
import { watchedFiles } from "../Step/ProjectCode.ts"
import { mapping } from "../Step/Requirements.ts"

export const isCode = (name: string): boolean => /\.[mc]?[jt]s$/.test(name)

/** Permissions and inputs of definitions. */
export interface ReadOptions {
  readonly scope: Pick<Scope, "env" | "secrets">
  readonly allowCode: boolean
  /** Values for inputs that a definition declares. They override `schedule.inputs`. */
  readonly inputs?: Readonly<Record<string, unknown>> | undefined
  /** Formats paths in messages. */
  readonly displayPath?: ((file: string) => string) | undefined
}

export const hasSchedule = ({ value }: Source): boolean =>
  typeof value === "object" && value !== null && "schedule" in value

/** Placeholder for a file without a schedule. The definition in it is not checked. */
const idle = (file: string): Checked => ({
  source: { file, text: "", folder: ".", value: {}, locate: () => undefined },
  frame: { version: 1, name: "idle", steps: [{}] },
  nodes: [],
  inputs: {},
  remembering: [],
  toStdout: [],
  warnings: []
})

/** Values for the inputs that a definition declares. */
export const declaredOf = <A>({ value }: Source, inputs: Readonly<Record<string, A>>): Readonly<Record<string, A>> => {
  const { inputs: declared } = (typeof value === "object" && value !== null ? value : {}) as {
    readonly inputs?: unknown
  }
  if (typeof declared !== "object" || declared === null) return {}
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => Object.hasOwn(declared, name)))
}

/** Checks a definition for scheduled runs, which have no standard output. */
export const checkScheduled = (
  source: Source,
  options: Pick<CheckOptions, "allowCode" | "env" | "inputs" | "secrets">
) =>
  Effect.gen(function* () {
    const checked = yield* check(source, { ...options, complete: true, scheduled: true })
    if (checked.toStdout.length === 0) return checked
    const message = 'a scheduled run cannot write rows to standard output ("-"): give the path of a file'
    return yield* new DefinitionInvalid({
      file: source.file,
      issues: checked.toStdout.map((path) => ({ path, message, ...source.locate(path) }))
    })
  })

/** Loads a definition with the inputs of its schedule and of the daemon. */
export const load = (file: string, { allowCode, inputs = {}, scope, displayPath = (same) => same }: ReadOptions) =>
  Effect.gen(function* () {
    if (isCode(file) && !allowCode) return idle(file)
    const source = yield* read(displayPath(file)).pipe(
      // A module may contain no definition, for example if a `use` step imports it, so an error of a code file is ignored.
      (found) => (isCode(file) ? Effect.orElseSucceed(found, () => undefined) : found)
    )
    if (source === undefined || !hasSchedule(source)) return idle(file)
    return yield* checkScheduled(source, { ...scope, allowCode, inputs: declaredOf(source, inputs) })
  })

/**
 * Paths to watch besides the definition file: the module of its extensions, or the definition itself if it is a module, with their relative
 * imports.
 */
export const watchedCode = (file: string) =>
  Effect.gen(function* () {
    if (isCode(file)) return watchedFiles(file)
    const files = yield* FileSystem.FileSystem
    if (!/\bextensions\b/.test(yield* files.readFileString(file))) return []
    const { folder, value } = yield* read(file)
    const { extensions } = mapping(value)
    return typeof extensions === "string" ? watchedFiles(yield* readable(extensions, folder)) : []
  }).pipe(
    // An error is ignored here, because loading the definition reports it.
    Effect.orElseSucceed((): ReadonlyArray<string> => [])
  )

/**
 * The definition and inputs that a run was started with, from the ledger, which stores them as data. Code of the definition runs again only
 * if the definition contains steps as code, code is allowed, and it still makes the same definition.
 */
export const frozen = (record: RunRecord, { allowCode, scope }: Pick<ReadOptions, "allowCode" | "scope">) =>
  Effect.gen(function* () {
    const paths = yield* Path.Path
    const saved = yield* parseText(record.file, paths.dirname(record.file), record.definition)
    const current =
      allowCode && isCode(record.file) && needsProgram(saved.value)
        ? Option.getOrUndefined(yield* Effect.option(read(record.file)))
        : undefined
    const source = current?.text === record.definition ? current : saved
    const inputs = record.inputs as Readonly<Record<string, unknown>>
    const { definitionHash } = record
    const options = { ...scope, allowCode, inputs, saved: true, complete: true, begun: true, definitionHash }
    const checked = yield* check(source, options)
    return { ...checked, inputs }
  })
