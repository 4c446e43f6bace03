/** Checks, at the moment of access, whether the run's permissions allow a step to reach a file or host. */
import { realpath } from "node:fs"
import * as NodePath from "node:path"
import * as Effect from "effect/Effect"
import { safely } from "../Callback.ts"
import { type Granted, Permissions, whyNotRead, whyNotSent } from "../Permissions.ts"
import type { Context, Reading, StepError } from "../Step.ts"
import { list, mapping } from "./Requirements.ts"
import { NotAllowed } from "./StepError.ts"

export const refuse = (message: string) => new NotAllowed({ message })

/** Absolute path of a file that the step may read; otherwise fails with `NotAllowed`. */
export const readable = (file: string, folder: string): Effect.Effect<string, StepError> =>
  Effect.flatMap(Permissions, (permissions) => {
    const path = NodePath.resolve(folder, file)
    const why = whyNotRead(permissions, path)
    return why === undefined ? Effect.succeed(path) : refuse(why)
  })

/** Fails with `NotAllowed` if the step sends a secret to an address outside of the hosts that the secret is bound to. */
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

/** Folder that contains all files of a pattern, as far as the text shows; the file itself if it is not a pattern. */
const beginningOf = (pattern: string): Pick<Reading, "file" | "isFolder"> => {
  const segments = pattern.split("/")
  const first = segments.findIndex((segment) => magic.test(segment))
  if (first === -1) return { file: pattern }
  return { file: segments.slice(0, first).join("/") || (pattern.startsWith("/") ? "/" : "."), isFolder: true }
}

/** Folders in which the patterns of a field start; a pattern that excludes files reads nothing. */
export const ofPatterns = (field: string, value: unknown): ReadonlyArray<Reading> => {
  const named =
    typeof value === "string" ? [[value, []] as const] : list(value).map((each, at) => [each, [at]] as const)
  return named.flatMap(([pattern, at]) =>
    typeof pattern === "string" && !pattern.startsWith("!") ? [{ path: [field, ...at], ...beginningOf(pattern) }] : []
  )
}

/** File that the step's field with this name gives; the whole value if that is a string. */
export const ofFile =
  (field: string) =>
  (fields: unknown): ReadonlyArray<Reading> => {
    if (typeof fields === "string") return fields === "-" ? [] : [{ path: [], file: fields }]
    const file = mapping(fields)[field]
    return typeof file === "string" && file !== "-" ? [{ path: [field], file }] : []
  }

/** Passes to `then` why a folder that a pattern leads into may not be listed, by its real path; undefined if it may. */
export const whyNotListed = (permissions: Granted, folder: string, then: (why: string | undefined) => void): void =>
  realpath(
    folder,
    safely((error, real) => then(whyNotRead(permissions, error === null ? real : folder, "folder")))
  )
