/** What definitions may touch, from the flags of a command and the project that it is called in. */
import * as NodePath from "node:path"
import * as Effect from "effect/Effect"
import { projectOf, realPath } from "../Permissions/Paths.ts"
import { type Granted, Permissions, protectedIn } from "../Permissions.ts"
import type { DefinitionInvalid } from "../Pipeline/Mistake.ts"
import { catalogue } from "../Settings.ts"
import { fileOf } from "./Profile.ts"
import * as SecretHosts from "./SecretHosts.ts"
import type { Terminal } from "./Terminal.ts"
import type { Program } from "./Verb.ts"

const textsOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : []

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** The permissions that the flags of a command and its project give. Flags that a verb does not have allow nothing. */
export const granted = (
  values: Readonly<Record<string, unknown>>,
  { cwd = ".", env }: Pick<Terminal, "cwd" | "env">
): Effect.Effect<Granted, DefinitionInvalid> =>
  Effect.gen(function* () {
    const project = projectOf(cwd)
    const profile = textOf(values.profile)
    const file = profile === undefined ? undefined : NodePath.resolve(fileOf(profile))
    const data = [textOf(values.data), env[catalogue.dataDir.env], file && SecretHosts.dataFolderIn(file)]
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
      hosts: yield* SecretHosts.read(project.all, file)
    }
  })

/** Runs a verb with its permissions. Nothing here waits. */
export const within = (values: Readonly<Record<string, unknown>>, terminal: Terminal, program: Program): Program =>
  Effect.flatMap(granted(values, terminal), (value) => Effect.provideService(program, Permissions, value))

/** Judges outputs by the folder of a saved run. A trial's outputs never leave its folder, and are judged when they are opened. */
export const writingTo =
  (out: string | undefined, limit: number | undefined) =>
  <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Permissions, (permissions) =>
      Effect.provideService(program, Permissions, {
        ...permissions,
        out: limit === undefined && out !== undefined ? NodePath.resolve(out) : undefined
      })
    )
