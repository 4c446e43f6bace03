/** What a source will give, as far as this machine alone can tell: literal addresses, lists and files. */
import { createHash } from "node:crypto"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { canonicalUrl } from "../../Row/Url.ts"
import type { Json } from "../../Row.ts"
import { readable } from "../../Step/Access.ts"
import * as Files from "../../Step/Files.ts"
import { readLines } from "../../Step/Urls.ts"

export interface Listing {
  /** Rows that will be given. */
  readonly count: number
  /** `$key` of every row, where it is known without reading all that is listed. */
  readonly keys?: ReadonlyArray<string> | undefined
  /** Of how many, and how many of these are left out because earlier runs have seen them. */
  readonly left?: { readonly of: number; readonly seen: number } | undefined
}

interface Place {
  readonly folder: string
  /** `--limit`. */
  readonly wanted: number | undefined
  /** What the step remembers of earlier runs; undefined when the run does not ask for it. */
  readonly memory: ReadonlyMap<string, Json> | undefined
}

type Fields = Readonly<Record<string, unknown>>

const ofUrls = (urls: ReadonlyArray<string>): Listing => ({
  count: urls.length,
  keys: urls.map((url) => canonicalUrl(url) ?? url)
})

const urls = (config: unknown, { folder, wanted }: Place) =>
  Effect.gen(function* () {
    if (Array.isArray(config)) {
      const all: ReadonlyArray<unknown> = config.slice(0, wanted)
      const known = all.filter((url) => typeof url === "string")
      return known.length === all.length ? ofUrls(known) : { count: all.length }
    }
    const { file } = config as Fields
    if (typeof file !== "string") return undefined
    return ofUrls((yield* readLines(file, folder)).slice(0, wanted))
  })

/** Whether a file was seen by earlier runs; its content is only read when that is what is remembered. */
const isSeen = (path: string, how: typeof Files.SkipSeen.Type, memory: ReadonlyMap<string, Json>, { folder }: Place) =>
  Effect.gen(function* () {
    const system = yield* FileSystem.FileSystem
    const absolute = yield* readable(path, folder)
    const { mtime, size } = yield* system.stat(absolute)
    const modified = Option.match(mtime, { onNone: () => 0, onSome: (date) => date.getTime() })
    const hash =
      how === "content"
        ? yield* Stream.runFold(system.stream(absolute), createHash("sha256"), (digest, bytes) => digest.update(bytes))
        : undefined
    const seen = Files.seenAs(how, { path, size: Number(size), modified, sha256: hash?.digest("hex") ?? "" })
    return seen !== undefined && memory.has(seen.key) && (how !== "mtime" || memory.get(seen.key) === seen.value)
  })

const files = (config: unknown, place: Place) =>
  Effect.gen(function* () {
    const { glob, skipSeen } = config as Fields
    const patterns = [glob].flat()
    if (!patterns.every((pattern) => typeof pattern === "string")) return undefined
    const found = (yield* Files.list(patterns, place.folder)).paths.slice(0, place.wanted)
    const { memory } = place
    if (memory === undefined || memory.size === 0 || !Schema.is(Files.SkipSeen)(skipSeen) || skipSeen === "never") {
      return { count: found.length }
    }
    const seen = yield* Effect.filter(found, (path) => isSeen(path, skipSeen, memory, place), { concurrency: 16 })
    return { count: found.length - seen.length, left: { of: found.length, seen: seen.length } }
  })

/** Undefined when it is not this machine that knows, or when it cannot be read: then the run will say so. */
export const list = (
  key: string,
  config: unknown,
  place: Place
): Effect.Effect<Listing | undefined, never, FileSystem.FileSystem | Path.Path> => {
  const listed: Effect.Effect<Listing | undefined, unknown, FileSystem.FileSystem | Path.Path> =
    key === "urls" ? urls(config, place) : key === "files" ? files(config, place) : Effect.succeed(undefined)
  return Effect.orElseSucceed(listed, () => undefined)
}
