/** What a source will give, as far as this machine alone can tell: literal addresses, lists and files. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { glob } from "tinyglobby"
import { canonicalUrl } from "../../Row/Url.ts"

export interface Listing {
  readonly count: number
  /** `$key` of every row, where it is known without reading all that is listed. */
  readonly keys?: ReadonlyArray<string> | undefined
}

type Fields = Readonly<Record<string, unknown>>

const ofUrls = (urls: ReadonlyArray<string>): Listing => ({
  count: urls.length,
  keys: urls.map((url) => canonicalUrl(url) ?? url)
})

/** Undefined when it is not this machine that knows, or when it cannot be read: then the run will say so. */
export const list = (
  key: string,
  config: unknown,
  folder: string,
  wanted: number | undefined
): Effect.Effect<Listing | undefined, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    if (key === "urls") {
      if (Array.isArray(config)) {
        const wantedUrls: ReadonlyArray<unknown> = config.slice(0, wanted)
        const known = wantedUrls.filter((url) => typeof url === "string")
        return known.length === wantedUrls.length ? ofUrls(known) : { count: wantedUrls.length }
      }
      const { file } = config as Fields
      if (typeof file !== "string") return undefined
      const path = (yield* Path.Path).resolve(folder, file)
      const text = yield* (yield* FileSystem.FileSystem).readFileString(path)
      const lines = text.split(/\r?\n/).map((line) => line.trim())
      return ofUrls(lines.filter((line) => line !== "" && !line.startsWith("#")).slice(0, wanted))
    }
    if (key === "files") {
      const patterns = [(config as Fields).glob].flat()
      if (!patterns.every((pattern) => typeof pattern === "string")) return undefined
      const found = yield* Effect.tryPromise(() =>
        glob(patterns, { cwd: folder, absolute: true, onlyFiles: true, expandDirectories: false })
      )
      return { count: Math.min(found.length, wanted ?? found.length) }
    }
    return undefined
  }).pipe(Effect.orElseSucceed(() => undefined))
