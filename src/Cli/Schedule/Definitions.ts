/** Reads the pipelines of a folder that have a schedule, and the definitions that are broken. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { fileErrorReason } from "../../Files/FileErrors.ts"
import type { Checked } from "../../Pipeline/Check.ts"
import { DefinitionInvalid } from "../../Pipeline/Issue.ts"
import type { Schedule } from "../../Pipeline/Schedule.ts"
import { read } from "../../Pipeline/Source.ts"
import { didYouMean } from "../../Row/Nearest.ts"
import { isDefinition } from "../../Schedule/Definitions.ts"
import { checkScheduled, declaredOf, hasSchedule, isCode } from "../../Schedule/Read.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { scheduleRefused } from "../CommandErrors.ts"
import type { Terminal } from "../Terminal.ts"
import { scopeOf } from "../Trust.ts"
import { actions, defaultFolder } from "./Options.ts"

/** A definition with a schedule. */
export interface Scheduled {
  readonly name: string
  /** Absolute path. */
  readonly file: string
  readonly checked: Checked
  readonly schedule: Schedule
}

export interface Found {
  readonly scheduled: ReadonlyArray<Scheduled>
  readonly broken: ReadonlyArray<DefinitionInvalid>
}

export const isFile = (name: string): boolean => /\.([cm]?[jt]s|ya?ml|json)$/.test(name) || /[/\\]/.test(name)

/** Options for reading definitions. */
export interface Where {
  readonly env: Terminal["env"]
  /** True if code of the project may run. */
  readonly code: boolean
  /** True if the pipelines run on another machine, which has the secrets: any secret is accepted here. */
  readonly strange?: boolean
  /** `--input`: values for the pipelines that declare them. */
  readonly inputs?: Inputs | undefined
}

type Inputs = Readonly<Record<string, string>>

/** Refuses an `--input` that no pipeline declares. Accepts all if a definition could not be read, because that one may declare it. */
export const ensureDeclared = (inputs: Inputs, { broken, scheduled }: Found) => {
  const known = [...new Set(scheduled.flatMap(({ checked }) => Object.keys(checked.frame.inputs ?? {})))]
  const stray = broken.length > 0 ? undefined : Object.keys(inputs).find((name) => !known.includes(name))
  if (stray === undefined) return Effect.void
  const hint = didYouMean(stray, known) || (known.length === 0 ? "" : `: there are ${known.join(", ")}`)
  return scheduleRefused(`--input ${stray}: no pipeline with a schedule has such an input${hint}`)
}

/** Loads one definition; undefined if it has no schedule. */
export const load = Trace.fn("Schedule.load")(function* (
  file: string,
  { env, inputs = {}, strange = false }: Pick<Where, "env" | "inputs" | "strange">
) {
  const paths = yield* Path.Path
  const source = yield* read(file)
  if (!hasSchedule(source)) return undefined
  const own = scopeOf(env)
  const secrets = strange
    ? (name: string) => own.secrets(name) ?? Redacted.make(`https://${name}.invalid`)
    : own.secrets
  const given = declaredOf(source, inputs)
  const checked = yield* checkScheduled(source, { ...own, secrets, inputs: given })
  const { name, schedule } = checked.frame
  return schedule === undefined ? undefined : { name, file: paths.resolve(file), checked, schedule }
})

export const alsoNamed = (other: string, name: string): string =>
  `${other} is also named ${name}: give one of them another name`

/** Treats a definition as broken if an earlier one has the same name. */
const apart = ({ broken, scheduled }: Found): Found => {
  const twice = scheduled.filter(({ name }, index) => scheduled.findIndex((other) => other.name === name) !== index)
  return {
    scheduled: scheduled.filter((each) => !twice.includes(each)),
    broken: [
      ...broken,
      ...twice.map(({ checked, name }) => {
        const first = scheduled.find((other) => other.name === name)?.checked.source.file ?? ""
        const message = alsoNamed(first, name)
        const place = checked.source.locate(["name"])
        return new DefinitionInvalid({ file: checked.source.file, issues: [{ path: ["name"], message, ...place }] })
      })
    ]
  }
}

/** The definitions in a folder, or the one file given. */
export const filesOf = Trace.fn("Schedule.files")(function* (place: string, code: boolean) {
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const info = yield* Effect.option(files.stat(place))
  if (info._tag === "None") {
    const todo =
      place === defaultFolder
        ? "name another, or create a first pipeline with sluice init"
        : "name the folder of pipelines"
    return yield* scheduleRefused(`there is no folder ${place}${didYouMean(place, actions) || `: ${todo}`}`)
  }
  if (info.value.type !== "Directory") return { isFolder: false, names: [place] }
  const found = yield* Effect.mapError(files.readDirectory(place), (error) =>
    scheduleRefused(`${place} cannot be read: ${fileErrorReason(error)}`)
  )
  // Reading a definition in code executes it: in a folder, code is only read if allowed.
  const names = found.filter((each) => isDefinition(each, code)).sort()
  return { isFolder: true, names: names.map((each) => paths.join(place, each)) }
})

/** Finds all scheduled pipelines of a folder or of one file. */
export const find = Trace.fn("Schedule.find")(function* (place: string, where: Where) {
  const { isFolder, names } = yield* filesOf(place, where.code)
  const loaded = yield* Effect.forEach(names, (name) =>
    load(name, where).pipe(
      // The folder may also contain modules that steps use.
      Effect.catchIf(
        () => isFolder && isCode(name),
        () => Effect.succeed(undefined)
      ),
      Effect.either
    )
  )
  return apart({
    scheduled: loaded.flatMap((each) => (each._tag === "Right" && each.right !== undefined ? [each.right] : [])),
    broken: loaded.flatMap((each) => (each._tag === "Left" ? [each.left] : []))
  })
})

/** Finds one scheduled pipeline by its name or its file. */
export const one = Trace.fn("Schedule.one")(function* (
  named: string | undefined,
  { action, folder }: { readonly action: string; readonly folder: string },
  where: Where
) {
  if (named === undefined) return yield* scheduleRefused(`NAME is missing: sluice schedule ${action} NAME`)
  if (isFile(named)) {
    const found = yield* load(named, where)
    if (found !== undefined) yield* ensureDeclared(where.inputs ?? {}, { scheduled: [found], broken: [] })
    return found ?? (yield* scheduleRefused(`${named} has no schedule: add one to it`))
  }
  const { broken, scheduled } = yield* find(folder, where)
  const found = scheduled.find(({ name }) => name === named)
  if (found !== undefined) {
    yield* ensureDeclared(where.inputs ?? {}, { scheduled: [found], broken: [] })
    return found
  }
  const names = scheduled.map(({ name }) => name)
  const known = names.length === 0 ? "" : `: there are ${names.join(", ")}`
  const others = broken.map(({ lines: [first] }) => `; broken: ${first}`).join("")
  return yield* scheduleRefused(
    `no pipeline in ${folder} with a schedule is called ${named}${didYouMean(named, names) || known}${others}`
  )
})
