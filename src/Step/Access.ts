/** Files and hosts that a step may reach: what the permissions of the run say, at the moment of the access. */
import { realpath } from "node:fs"
import * as NodePath from "node:path"
import * as Effect from "effect/Effect"
import { safely } from "../Callback.ts"
import { type Granted, Permissions, whyNotRead, whyNotSent } from "../Permissions.ts"
import type { Context, Reading, StepError } from "../Step.ts"
import { list, mapping } from "./Requirements.ts"
import { NotAllowed } from "./StepError.ts"

export const refuse = (message: string) => new NotAllowed({ message })

/** The absolute path of a file that the step may read; fails with `NotAllowed`. */
export const readable = (file: string, folder: string): Effect.Effect<string, StepError> =>
  Effect.flatMap(Permissions, (permissions) => {
    const path = NodePath.resolve(folder, file)
    const why = whyNotRead(permissions, path)
    return why === undefined ? Effect.succeed(path) : refuse(why)
  })

/** Fails with `NotAllowed` where a secret that the step sends to an address is bound to other hosts than that of the address. */
export const sendable = (
  url: string,
  { secrets }: Pick<Context, "secrets">,
  to: keyof Context["secrets"] = "url"
): Effect.Effect<void, StepError> =>
  Effect.flatMap(Permissions, (permissions) => {
    const why = secrets[to].length === 0 ? undefined : whyNotSent(permissions, secrets[to], url)
    return why === undefined ? Effect.void : refuse(why)
  })

const magic = /[*?[\]{}()!+@\\]/

/** The folder that the files of a pattern are below, as far as its text says so; the file where it is no pattern. */
const beginningOf = (pattern: string): Pick<Reading, "file" | "isFolder"> => {
  const segments = pattern.split("/")
  const first = segments.findIndex((segment) => magic.test(segment))
  if (first === -1) return { file: pattern }
  return { file: segments.slice(0, first).join("/") || (pattern.startsWith("/") ? "/" : "."), isFolder: true }
}

/** Folders that the patterns of a field begin in; a pattern that excludes files reads nothing. */
export const ofPatterns = (field: string, value: unknown): ReadonlyArray<Reading> => {
  const named =
    typeof value === "string" ? [[value, []] as const] : list(value).map((each, at) => [each, [at]] as const)
  return named.flatMap(([pattern, at]) =>
    typeof pattern === "string" && !pattern.startsWith("!") ? [{ path: [field, ...at], ...beginningOf(pattern) }] : []
  )
}

/** The file that a field names, or the whole value where that is a string. */
export const ofFile =
  (field: string) =>
  (fields: unknown): ReadonlyArray<Reading> => {
    if (typeof fields === "string") return fields === "-" ? [] : [{ path: [], file: fields }]
    const file = mapping(fields)[field]
    return typeof file === "string" && file !== "-" ? [{ path: [field], file }] : []
  }

/** Why a folder that a pattern leads into may not be listed, by its real path; undefined where it may. */
export const whyNotListed = (permissions: Granted, folder: string, then: (why: string | undefined) => void): void =>
  realpath(
    folder,
    safely((error, real) => then(whyNotRead(permissions, error === null ? real : folder, "folder")))
  )
