/** Definitions as a schedule reads them: those without one are left alone, and a run goes on with the one it began with. */
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type { RunRecord } from "../Ledger/Model.ts"
import { type Checked, type CheckOptions, check, requireSameCode } from "../Pipeline/Check.ts"
import type { Scope } from "../Pipeline/Interpolate.ts"
import { DefinitionInvalid } from "../Pipeline/Mistake.ts"
import { parseText, read, type Source } from "../Pipeline/Source.ts"
import { isCode } from "./Folder.ts"

/** What definitions may read, and whether those in code may be carried out. */
export interface Reading {
  readonly scope: Pick<Scope, "env" | "secrets">
  readonly allowCode: boolean
  /** Values for the inputs of those definitions that declare them; they go before `schedule.inputs`. */
  readonly inputs?: Readonly<Record<string, unknown>> | undefined
  /** How a path is told to people. */
  readonly spell?: ((file: string) => string) | undefined
}

export const hasSchedule = ({ value }: Source): boolean =>
  typeof value === "object" && value !== null && "schedule" in value

/** A definition that has no schedule, or is none: whether it is right is not asked. */
const idle = (file: string): Checked => ({
  source: { file, text: "", folder: ".", value: {}, locate: () => undefined },
  frame: { version: 1, name: "idle", steps: [{}] },
  nodes: [],
  inputs: {},
  remembering: [],
  toStdout: [],
  warnings: []
})

/** Of some values those whose inputs a definition declares. */
export const declaredOf = <A>({ value }: Source, inputs: Readonly<Record<string, A>>): Readonly<Record<string, A>> => {
  const { inputs: declared } = (typeof value === "object" && value !== null ? value : {}) as {
    readonly inputs?: unknown
  }
  if (typeof declared !== "object" || declared === null) return {}
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => Object.hasOwn(declared, name)))
}

/** Checks a definition as its schedule runs it: without a standard output. */
export const checkScheduled = (
  source: Source,
  options: Pick<CheckOptions, "allowCode" | "env" | "inputs" | "secrets">
) =>
  Effect.gen(function* () {
    const checked = yield* check(source, { ...options, complete: true, scheduled: true })
    if (checked.toStdout.length === 0) return checked
    const message = 'a schedule has no standard output for rows ("-"): give the path of a file'
    return yield* new DefinitionInvalid({
      file: source.file,
      mistakes: checked.toStdout.map((path) => ({ path, message, ...source.locate(path) }))
    })
  })

/** The definition in a file, with the inputs that its schedule and the daemon give. */
export const load = (file: string, { allowCode, inputs = {}, scope, spell = (same) => same }: Reading) =>
  Effect.gen(function* () {
    if (isCode(file) && !allowCode) return idle(file)
    const source = yield* read(spell(file)).pipe(
      // A module that steps use lies beside the definitions that use it.
      (found) => (isCode(file) ? Effect.orElseSucceed(found, () => undefined) : found)
    )
    if (source === undefined || !hasSchedule(source)) return idle(file)
    return yield* checkScheduled(source, { ...scope, allowCode, inputs: declaredOf(source, inputs) })
  })

/**
 * The definition that a run began with, with the inputs as they were settled then. The ledger has it as data, of code what
 * that gave: nothing of it is carried out again.
 */
export const frozen = (record: RunRecord, { allowCode, scope }: Pick<Reading, "allowCode" | "scope">) =>
  Effect.gen(function* () {
    const paths = yield* Path.Path
    const source = yield* parseText(record.file, paths.dirname(record.file), record.definition)
    const inputs = record.inputs as Readonly<Record<string, unknown>>
    const options = { ...scope, allowCode, inputs, saved: true, complete: true, begun: true }
    const checked = yield* requireSameCode(yield* check(source, options), record.definitionHash)
    return { ...checked, inputs }
  })
