/** `files`: local files as rows. */

import { createHash } from "node:crypto"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { glob } from "tinyglobby"
import * as Step from "../Step.ts"

/** Files looked at together. */
const together = 16

export const files = Step.make({
  key: "files",
  summary:
    "Gives every file that a pattern matches, in the order of their paths; `$source` has path, name, extension, size.",
  example: 'files: { glob: "inbox/**/*.{pdf,docx,xlsx,html}" }',
  config: Schema.Struct({
    glob: Schema.Union(Schema.String, Schema.Array(Schema.String)).annotations({
      description: "a pattern or a list of patterns, relative to the definition's folder"
    })
  }),
  behaviour: {
    kind: "source",
    read: (config, context) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const system = yield* FileSystem.FileSystem
          const paths = yield* Path.Path
          const patterns = typeof config.glob === "string" ? [config.glob] : [...config.glob]
          const found = yield* Effect.tryPromise({
            try: () =>
              glob(patterns, { cwd: context.folder, absolute: true, onlyFiles: true, expandDirectories: false }),
            catch: (cause) =>
              new Step.StepError({
                reason: "FilesUnreadable",
                message: `cannot list ${patterns.join(", ")}: ${String(cause)}`,
                cause
              })
          })
          const wanted = found.sort().slice(0, context.wanted)
          if (wanted.length === 0) {
            yield* Effect.logWarning(`${context.id}: no file matches ${patterns.join(", ")} in ${context.folder}`)
          }
          yield* context.expect(wanted.length)
          const describe = (path: string, position: number) =>
            Effect.gen(function* () {
              const { size } = yield* system.stat(path)
              const hash = yield* system
                .stream(path, { chunkSize: 256 * 1024 })
                .pipe(Stream.runFold(createHash("sha256"), (digest, bytes) => digest.update(bytes)))
              const data = {
                path: paths.relative(context.folder, path),
                name: paths.basename(path),
                extension: paths.extname(path).toLowerCase(),
                size: Number(size),
                sha256: hash.digest("hex")
              }
              return { data, key: data.sha256, source: { ...data, absolute: path }, position }
            }).pipe(
              Effect.mapError(
                (cause) =>
                  new Step.StepError({
                    reason: "FileUnreadable",
                    message: `cannot read ${path}: ${cause.message}`,
                    cause
                  })
              ),
              Effect.map((row) => [row]),
              Effect.catchAll((error) => context.failed({ data: { path }, key: path, position }, error))
            )
          return Stream.fromIterable(wanted.map((path, position) => ({ path, position }))).pipe(
            Stream.mapEffect(({ path, position }) => describe(path, position), { concurrency: together }),
            Stream.mapConcat((rows) => rows)
          )
        })
      )
  }
})
