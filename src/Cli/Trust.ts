/**
 * What a definition may use, as granted by a command's flags and the settings of its project: environment variables, secrets and the hosts
 * that they may be sent to, folders, code.
 */

import { readdirSync, readFileSync, statSync } from "node:fs"
import * as NodePath from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { projectOf, realPath } from "../Permissions/Paths.ts"
import { type Binding, type Granted, Permissions, protectedIn } from "../Permissions.ts"
import { DefinitionInvalid, issuesOf } from "../Pipeline/Issue.ts"
import { catalogue, secretNames } from "../Settings.ts"
import { addSecret } from "../Telemetry/Redaction.ts"
import { profileFile } from "./CommandSettings.ts"
import type { Terminal } from "./Terminal.ts"
import type { Program } from "./Verb.ts"

const textsOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : []

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** Permissions from a command's flags and its project. Flags that a verb does not have allow nothing. */
export const granted = (
  values: Readonly<Record<string, unknown>>,
  { cwd = ".", env }: Pick<Terminal, "cwd" | "env">
): Effect.Effect<Granted, DefinitionInvalid> =>
  Effect.gen(function* () {
    const project = projectOf(cwd)
    const profile = textOf(values.profile)
    const file = profile === undefined ? undefined : NodePath.resolve(profileFile(profile))
    const data = [textOf(values.data), env[catalogue.dataDir.env], file && dataFolderIn(file)]
    const isTrial = values.limit !== undefined && values.out === undefined
    return {
      project: project.folder,
      isNone: project.isNone,
      isOwn: true,
      env: new Set(textsOf(values["allow-env"])),
      folders: textsOf(values["allow-path"]).map((folder) => realPath(folder)),
      code: values["allow-code"] === true,
      dataFolders: data.flatMap((folder) => (folder === undefined || folder === "" ? [] : protectedIn(folder, cwd))),
      out: "out" in values && !isTrial ? NodePath.resolve(textOf(values.out) ?? ".") : undefined,
      hosts: yield* readHosts(project.all, file)
    }
  })

/** Runs a verb with its permissions. Synchronous, except for loading the YAML reader if settings bind secrets. */
export const withPermissions = (
  values: Readonly<Record<string, unknown>>,
  terminal: Terminal,
  program: Program
): Program => Effect.flatMap(granted(values, terminal), (value) => Effect.provideService(program, Permissions, value))

/** Checks outputs against the folder of a saved run. Outputs of a trial never leave its own folder, and are checked when opened. */
export const writingTo =
  (out: string | undefined, limit: number | undefined) =>
  <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Permissions, (permissions) =>
      Effect.provideService(program, Permissions, {
        ...permissions,
        out: limit === undefined && out !== undefined ? NodePath.resolve(out) : undefined
      })
    )

const Host = Schema.String.pipe(
  Schema.pattern(/^(\*\.)?[^\s/:*@?#]+$|^\[[0-9a-f:.]+\]$/i, {
    message: () => "write the name of a host, like api.example.com, or *.example.com for all below it"
  })
)

const Bound = Schema.Struct({
  secrets: Schema.Record({
    key: Schema.String,
    value: Schema.Struct({
      hosts: Schema.NonEmptyArray(Host).annotations({ description: "an array of hosts like api.example.com" })
    })
  })
})

type Hosts = ReadonlyMap<string, ReadonlyArray<Binding>>

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : String(error)

/** Returns the result of a call, or `otherwise` if it throws an error with one of the `ignored` codes. */
const attempt = <A>(
  file: string,
  call: () => A,
  { ignored, otherwise }: { ignored: ReadonlyArray<string>; otherwise: A }
) =>
  Effect.catchAll(Effect.try({ try: call, catch: codeOf }), (code) =>
    ignored.includes(code)
      ? Effect.succeed(otherwise)
      : new DefinitionInvalid({
          file,
          issues: [
            {
              path: [],
              message: `cannot be read (${code}), and this file may limit secrets to hosts: repair or remove it`
            }
          ]
        })
  )

const readRegular = (file: string): string => {
  // Reading a FIFO would block.
  if (!statSync(file).isFile()) throw Object.assign(new Error(file), { code: "not a regular file" })
  return readFileSync(file, "utf8")
}

/** Secrets and their hosts, from a settings file. Fails if they are malformed, because secrets would then not be limited to any hosts. */
const inFile = (file: string, text: string) =>
  Effect.gen(function* () {
    if (!/\bsecrets\b/.test(text)) return []
    const { parseText } = yield* Effect.promise(() => import("../Pipeline/Source.ts"))
    const source = yield* parseText(file, NodePath.dirname(file), text)
    const { value } = source
    if (typeof value !== "object" || value === null || !("secrets" in value)) return []
    const decoded = Schema.decodeUnknownEither(Bound, { errors: "all" })({ secrets: value.secrets })
    if (Either.isRight(decoded)) return Object.entries(decoded.right.secrets)
    const mistakes = issuesOf(decoded.left.issue).map((mistake) => ({ ...mistake, ...source.locate(mistake.path) }))
    return yield* new DefinitionInvalid({ file, issues: mistakes })
  })

/** The settings files of a project, with their texts. */
const settingsOf = (project: string) =>
  Effect.gen(function* () {
    const folder = NodePath.join(project, "config")
    const names = yield* attempt(folder, () => readdirSync(folder), { ignored: ["ENOENT", "ENOTDIR"], otherwise: [] })
    return yield* Effect.forEach(names.filter((name) => /\.ya?ml$/i.test(name)).sort(), (name) => {
      const file = NodePath.join(folder, name)
      return Effect.map(
        attempt(file, () => readRegular(file), { ignored: [], otherwise: "" }),
        (text) => [file, text] as const
      )
    })
  })

/**
 * The hosts that each secret may be sent to (bindings), for a project: its own bindings and those of the projects around it, nearest first.
 * If several files of one project bind a secret, it may go to the hosts of each file; if several projects do, only to hosts that all of
 * them allow. A profile counts as a file of the nearest project.
 */
export const readHosts = (
  projects: ReadonlyArray<string>,
  profile: string | undefined
): Effect.Effect<Hosts, DefinitionInvalid> =>
  Effect.gen(function* () {
    const [nearest = "."] = projects
    const levels = yield* Effect.forEach(projects, settingsOf)
    const known = new Set(levels.flat().map(([file]) => realPath(file)))
    if (profile !== undefined && !known.has(realPath(profile))) {
      // A missing profile is reported where its settings are read.
      const text = yield* attempt(profile, () => readRegular(profile), { ignored: ["ENOENT"], otherwise: "" })
      levels[0] = [...(levels[0] ?? []), [profile, text]]
    }
    const bound = new Map<string, ReadonlyArray<Binding>>()
    for (const files of levels) {
      const here = new Map<string, Binding>()
      for (const [file, text] of files) {
        for (const [name, { hosts }] of yield* inFile(file, text)) {
          const before = here.get(name)
          here.set(name, {
            hosts: [...(before?.hosts ?? []), ...hosts.map((host) => host.toLowerCase())],
            file: before?.file ?? NodePath.relative(nearest, file)
          })
        }
      }
      for (const [name, binding] of here) bound.set(name, [...(bound.get(name) ?? []), binding])
    }
    return bound
  })

/** Data folder named by a profile. */
export const dataFolderIn = (profile: string): string | undefined => {
  try {
    const text = readFileSync(profile, "utf8")
    return /^["']?dataDir["']?\s*:\s*["']?([^"'#\n]+?)["']?\s*(?:#.*)?$/m.exec(text)?.[1]
  } catch {
    // The error is reported where the profile's settings are read.
    return undefined
  }
}

export const scopeOf = (whole: Terminal["env"]) => {
  // Sluice's own keys are only for the service: no definition can send them elsewhere.
  const env: Terminal["env"] = Object.fromEntries(Object.entries(whole).filter(([name]) => !secretNames.has(name)))
  return {
    env,
    secrets: (name: string) => {
      const secret = env[name]
      if (secret === undefined) return undefined
      addSecret(secret)
      return Redacted.make(secret)
    }
  }
}
