/** `files`: gives local files as rows. */
import { createHash } from "node:crypto"
import * as NodeFs from "node:fs"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { fileErrorReason } from "../Files/FileErrors.ts"
import { type Granted, Permissions } from "../Permissions.ts"
import type { Json, Row } from "../Row.ts"
import * as Step from "../Step.ts"
import { ofPatterns, readable, refuse, whyNotListed } from "./Access.ts"
import { type ListingContext, listedRows } from "./Estimate.ts"
import * as Need from "./Requirements.ts"
import { NotAllowed } from "./StepError.ts"

/** Maximum files to look at concurrently. */
const together = 16

const SkipSeen = Schema.Literal("content", "path", "mtime", "never").annotations({
  description:
    "Which files of earlier runs are skipped. content: files with the same content; path: files at the same path; mtime: files whose size and time have not changed; never: none. Files whose rows were rejected are given again."
})

/** Files that patterns match. Plain JSON. */
interface Listing {
  /** Sorted paths, relative to the folder. */
  readonly paths: ReadonlyArray<string>
  /** Folders and links that could not be read: they may contain matching files. */
  readonly unread: ReadonlyArray<string>
}

/** Wraps a file system function so that `failed` is called with each path it cannot read; `isTrouble` decides which errors count. */
const noting = <Call extends typeof NodeFs.readdir | typeof NodeFs.realpath | typeof NodeFs.stat>(
  call: Call,
  failed: (path: string) => void,
  isTrouble: (code: string | undefined) => boolean
): Call =>
  new Proxy(call, {
    apply: (target, self, args: ReadonlyArray<unknown>) => {
      const callback = args.at(-1)
      if (typeof callback !== "function") return Reflect.apply(target, self, args)
      const noted = (error: NodeJS.ErrnoException | null, ...rest: ReadonlyArray<unknown>) => {
        if (error !== null && isTrouble(error.code)) failed(String(args[0]))
        callback(error, ...rest)
      }
      return Reflect.apply(target, self, args.with(-1, noted))
    }
  })

/** Refuses to list folders that the permissions deny, and calls `refused` with the reason. */
const confined = (permissions: Granted, refused: (why: string) => void): typeof NodeFs.readdir =>
  new Proxy(NodeFs.readdir, {
    apply: (target, self, args: ReadonlyArray<unknown>) => {
      const callback = args.at(-1)
      if (typeof callback !== "function") return Reflect.apply(target, self, args)
      return whyNotListed(permissions, String(args[0]), (why) => {
        if (why === undefined) return Reflect.apply(target, self, args)
        refused(why)
        callback(Object.assign(new Error(why), { code: "EACCES" }))
      })
    }
  })

/** Files that patterns match in a folder; fails with `NotAllowed` if a pattern leads into a denied folder. */
const list = (patterns: ReadonlyArray<string>, folder: string) =>
  Effect.flatMap(Permissions, (permissions) => listed(patterns, folder, permissions))

const listed = (patterns: ReadonlyArray<string>, folder: string, permissions: Granted) =>
  Effect.tryPromise({
    // Imported here, because only a run looks for files: everything else starts without the library.
    try: async (): Promise<Listing & { readonly refused: ReadonlyArray<string> }> => {
      const { glob } = await import("tinyglobby")
      const unread = new Set<string>()
      const refused: Array<string> = []
      const add = (path: string) => void unread.add(path)
      // A dangling link is not a file; a link that cannot be followed may lead to any file.
      const isKnown = (code: string | undefined) => code !== "ENOENT"
      const fs = {
        readdir: noting(
          confined(permissions, (why) => void refused.push(why)),
          add,
          () => true
        ),
        realpath: noting(NodeFs.realpath, add, isKnown),
        stat: noting(NodeFs.stat, add, isKnown)
      }
      const paths = await glob([...patterns], { cwd: folder, onlyFiles: true, expandDirectories: false, fs })
      return { paths: paths.sort(), unread: [...unread].sort(), refused: refused.sort() }
    },
    catch: (cause) =>
      new Step.StepError({
        reason: "FilesUnreadable",
        message: `cannot list ${patterns.join(", ")}: ${String(cause)}`,
        cause
      })
  }).pipe(
    Effect.flatMap(
      ({ refused: [why], ...listing }): Effect.Effect<Listing, Step.StepError> =>
        why === undefined
          ? Effect.succeed(listing)
          : refuse(`${patterns.join(", ")}: ${why}, or leave the folder out with a pattern like "!folder/**"`)
    )
  )

/** State of a file that an earlier run has seen. */
interface Seen {
  readonly key: string
  readonly value: Json
}

const seenAs = (
  how: typeof SkipSeen.Type,
  file: { readonly path: string; readonly size: number; readonly modified: number; readonly sha256: string }
): Seen | undefined => {
  switch (how) {
    case "never":
      return undefined
    case "content":
      return { key: file.sha256, value: file.path }
    case "path":
      return { key: file.path, value: null }
    case "mtime":
      return { key: file.path, value: `${file.size} bytes, ${file.modified}` }
  }
}

/** True if earlier runs have seen the file; reads its content only if the content is what they remember. */
const wasSeen = (
  path: string,
  how: typeof SkipSeen.Type,
  memory: NonNullable<ListingContext["memory"]>,
  { folder }: ListingContext
) =>
  Effect.gen(function* () {
    const system = yield* FileSystem.FileSystem
    const absolute = yield* readable(path, folder)
    const { mtime, size } = yield* system.stat(absolute)
    const modified = Option.match(mtime, { onNone: () => 0, onSome: (date) => date.getTime() })
    const hash =
      how === "content"
        ? yield* Stream.runFold(system.stream(absolute), createHash("sha256"), (digest, bytes) => digest.update(bytes))
        : undefined
    const seen = seenAs(how, { path, size: Number(size), modified, sha256: hash?.digest("hex") ?? "" })
    return seen !== undefined && memory.has(seen.key) && (how !== "mtime" || memory.get(seen.key) === seen.value)
  })

/** A file, and the state to remember about it. */
interface Found {
  readonly rows: ReadonlyArray<Row>
  readonly failures?: ReadonlyArray<Step.Failure>
  readonly state: ReadonlyArray<Step.StateChange>
  readonly unchanged?: number
}

const none: Found = { rows: [], state: [] }

export const files = Step.make({
  key: "files",
  summary:
    "Gives every file that a pattern matches, in the order of their paths; `$source` has path, name, extension, size.",
  example: 'files: { glob: "inbox/**/*.{pdf,docx,xlsx,html}", skipSeen: content }',
  config: Schema.Struct({
    glob: Schema.propertySignature(
      Schema.Union(Schema.String, Schema.Array(Schema.String)).annotations({
        description: "a pattern or an array of patterns, relative to the definition's folder"
      })
    ).annotations({
      description: "Files to read, like `docs/**/*.pdf`."
    }),
    skipSeen: Schema.optionalWith(SkipSeen, { default: () => "never" })
  }),
  reads: (fields) => ofPatterns("glob", Need.mapping(fields).glob),
  estimate: listedRows,
  list: (config, context) =>
    Effect.gen(function* () {
      const { glob, skipSeen } = Need.mapping(config)
      const patterns = [glob].flat().filter((pattern) => typeof pattern === "string")
      if (patterns.length < [glob].flat().length) return undefined
      const found = (yield* list(patterns, context.folder)).paths.slice(0, context.wanted)
      const { memory } = context
      if (memory === undefined || memory.size === 0 || !Schema.is(SkipSeen)(skipSeen) || skipSeen === "never") {
        return { count: found.length }
      }
      const seen = yield* Effect.filter(found, (path) => wasSeen(path, skipSeen, memory, context), {
        concurrency: together
      })
      return { count: found.length - seen.length, left: { of: found.length, seen: seen.length } }
    }),
  state: (fields) => {
    const { skipSeen } = Need.mapping(fields)
    return skipSeen === undefined || skipSeen === "never" ? undefined : { skipsSeen: true }
  },
  behaviour: {
    kind: "source",
    read: ({ glob, skipSeen }, context, { from }) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const system = yield* FileSystem.FileSystem
          const paths = yield* Path.Path
          const patterns = typeof glob === "string" ? [glob] : glob
          // A resumed run continues the same list, no matter which files have been added to the folder since.
          const kept: Listing | ReadonlyArray<string> = yield* context.once({ name: "list" }, () =>
            list(patterns, context.folder)
          )
          // Version 0.1 stored only the paths.
          const { paths: found, unread } = "paths" in kept ? kept : { paths: kept, unread: [] }
          if (unread.length > 0) {
            const some = unread.slice(0, 3).join(", ") + (unread.length > 3 ? ` and ${unread.length - 3} more` : "")
            yield* Effect.logWarning(`${context.id}: cannot read ${some}: files in it are missing`)
            yield* context.incomplete("unread")
          }
          const wanted = found.slice(0, context.wanted)
          if (wanted.length === 0) {
            yield* Effect.logWarning(`${context.id}: no file matches ${patterns.join(", ")} in ${context.folder}`)
            yield* context.incomplete("blank")
          }
          const remembers = skipSeen !== "never" && context.state.active
          const earlier = new Map(remembers ? (yield* context.state.load).map(({ key, value }) => [key, value]) : [])
          const isSeen = (seen: Seen | undefined) =>
            seen !== undefined &&
            earlier.has(seen.key) &&
            (skipSeen !== "mtime" || earlier.get(seen.key) === seen.value)

          // The file still exists: stage its entry again, because entries that are not seen for long are forgotten.
          const again = (seen: Seen) =>
            Effect.as(context.incomplete("seen"), {
              ...none,
              unchanged: 1,
              state: [{ ...seen, rowKey: seen.key, isSeenAgain: earlier.get(seen.key) === seen.value }]
            } satisfies Found)

          const describe = (path: string, position: number) =>
            Effect.gen(function* () {
              const absolute = yield* readable(path, context.folder)
              const info = yield* system.stat(absolute)
              const modified = Option.match(info.mtime, { onNone: () => 0, onSome: (date) => date.getTime() })
              const known = { path, size: Number(info.size), modified }
              // Only `content` has to read the whole file.
              const early = skipSeen === "content" ? undefined : seenAs(skipSeen, { ...known, sha256: "" })
              if (early !== undefined && isSeen(early)) return yield* again(early)
              let read = 0
              const hash = yield* system.stream(absolute, { chunkSize: 256 * 1024 }).pipe(
                Stream.runFold(createHash("sha256"), (digest, bytes) => {
                  read += bytes.length
                  return digest.update(bytes)
                })
              )
              if (read < known.size) {
                const message = `${path} was truncated while it was read (${known.size} bytes at the beginning, ${read} read): run the pipeline again when the file is complete`
                return yield* new Step.StepError({ reason: "InputChanged", message })
              }
              const sha256 = hash.digest("hex")
              const seen = seenAs(skipSeen, { ...known, sha256 })
              if (seen !== undefined && isSeen(seen)) return yield* again(seen)
              const data = {
                path,
                name: paths.basename(path),
                extension: paths.extname(path).toLowerCase(),
                size: known.size,
                sha256
              }
              const rows: ReadonlyArray<Row> = [{ data, key: sha256, source: { ...data, absolute }, position }]
              return { rows, state: remembers && seen !== undefined ? [{ ...seen, rowKey: sha256 }] : [] }
            }).pipe(
              Effect.mapError((cause) =>
                cause._tag === "StepError"
                  ? cause
                  : new Step.StepError({
                      reason: "FileUnreadable",
                      message: `cannot read ${path}: ${fileErrorReason(cause)}`,
                      cause
                    })
              ),
              Effect.catchAll((error) => {
                if (error instanceof NotAllowed) return Effect.fail(error)
                const failed: Step.Failure = [{ data: { path }, key: path, position }, error]
                return Effect.succeed<Found>({ ...none, failures: [failed] })
              })
            )

          const begin = typeof from === "number" ? from : 0
          return Stream.range(begin, wanted.length - 1).pipe(
            Stream.mapEffect(
              (position) =>
                Effect.map(describe(wanted[position] ?? "", position), (found) => ({
                  ...found,
                  cursor: position + 1,
                  expected: position === 0 ? wanted.length : undefined
                })),
              { concurrency: together }
            ),
            // Files are read ahead; only files in a batch that is taken count as seen.
            Stream.mapEffect(({ state, ...batch }) => Effect.as(context.state.put(state), batch))
          )
        })
      )
  }
})
