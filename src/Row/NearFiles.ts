/** Suggestions for the path of a file that does not exist. */
import * as paths from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { nearest } from "./Nearest.ts"

interface Options {
  /** Folder that a relative path starts from; default: the current folder of the process. */
  readonly folder?: string | undefined
  /** Selects the files to suggest, by name. Without it, any file can be suggested, but none are listed. */
  readonly isCandidate?: ((name: string) => boolean) | undefined
}

const maxListed = 5

/** The name without its extension, which is not compared because all candidates have the same ones. */
const stem = (name: string): string => name.replace(/\.\w+$/, "")

/**
 * `, did you mean "pipelines/first.yaml"?`: a file with a similar name in the same folder, or with the same name in a folder below it or in
 * a folder with a similar name. Otherwise `; its folder has a.yaml, b.yaml`, or an empty string. Paths are relative if the given one is.
 */
export const nearFiles = (path: string, { folder = ".", isCandidate }: Options = {}) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const name = paths.basename(path)
    const parent = paths.dirname(path)
    const list = (of: string) => Effect.option(files.readDirectory(paths.resolve(folder, of)))
    const exists = (file: string) => Effect.orElseSucceed(files.exists(paths.resolve(folder, file)), () => false)
    const meant = (file: string) => `, did you mean "${file}"?`
    const names = yield* list(parent)
    if (Option.isNone(names)) {
      const folders = Option.getOrElse(yield* list(paths.dirname(parent)), () => [])
      const near = nearest(paths.basename(parent), folders)
      if (near === undefined) return `: there is no folder ${parent} either`
      const other = paths.join(paths.dirname(parent), near)
      const same = paths.join(other, name)
      return meant((yield* exists(same)) ? same : other)
    }
    const candidates = names.value.filter((each) => each !== name && (isCandidate?.(each) ?? true)).sort()
    // Names of one or two characters are all similar to each other, so none is suggested.
    const near = stem(name).length < 3 ? undefined : nearest(stem(name), candidates.map(stem))
    if (near !== undefined) return meant(paths.join(parent, candidates.find((each) => stem(each) === near) ?? near))
    const below = names.value.filter((each) => !each.startsWith(".") && each !== "node_modules").sort()
    for (const each of below) {
      const same = paths.join(parent, each, name)
      if (yield* exists(same)) return meant(same)
    }
    return isCandidate === undefined || candidates.length === 0
      ? ""
      : `; its folder has ${candidates.slice(0, maxListed).join(", ")}`
  })
