/** The folder of definitions, looked at again and again: what is new, changed, gone or broken. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Checked } from "../Pipeline/Check.ts"
import type { Runner } from "./Runner.ts"

/** A definition that was read: what it says, or why it says nothing. */
export interface Definition {
  /** Absolute. */
  readonly file: string
  readonly checked: Either.Either<Checked, string>
}

/** What has changed since the last look. */
export interface Changes {
  readonly read: ReadonlyArray<Definition>
  readonly gone: ReadonlyArray<string>
}

export interface Folder {
  /** Fails when the folder itself cannot be read: then nothing has changed as far as anybody knows. */
  readonly look: Effect.Effect<Changes, string>
}

export const isCode = (name: string): boolean => /\.[mc]?[jt]s$/.test(name)

/** By its name; in code only where that counts. */
export const isDefinition = (name: string, code: boolean): boolean =>
  (/\.(ya?ml|json)$/.test(name) || (code && isCode(name))) && !/^[._]|\.(test|spec|d|lock|schema)\.\w+$/.test(name)

const strange = (file: string) => (defect: unknown) =>
  Effect.fail({ message: `${file}: a fault of sluice: ${String(defect)}` })

/** Files looked at together. */
const together = 16

export const make = (folder: string, runner: Runner): Effect.Effect<Folder, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const home = paths.resolve(folder)
    /** By file, what tells one of its versions from another. */
    let stamps = new Map<string, string>()
    const stampOf = (file: string) =>
      files.stat(file).pipe(
        Effect.map(({ ino, mtime, size, type }) =>
          type === "File"
            ? `${Option.getOrElse(
                Option.map(mtime, (date) => date.getTime()),
                () => 0
              )} ${size} ${Option.getOrElse(ino, () => 0)}`
            : undefined
        ),
        // What went while we looked has gone; what cannot be looked at is as it was.
        Effect.catchAll((error) =>
          Effect.succeed(
            error._tag === "SystemError" && error.reason === "NotFound" ? undefined : (stamps.get(file) ?? "unseen")
          )
        )
      )
    const look = Effect.gen(function* () {
      const names = yield* Effect.mapError(files.readDirectory(home), ({ message }) => message)
      const found = names
        .filter((name) => isDefinition(name, true))
        .sort()
        .map((name) => paths.join(home, name))
      const stamped = yield* Effect.forEach(found, stampOf, { concurrency: together })
      const seen = new Map<string, string>()
      for (const [index, file] of found.entries()) {
        const stamp = stamped[index]
        if (stamp !== undefined) seen.set(file, stamp)
      }
      const changed = [...seen].flatMap(([file, stamp]) => (stamps.get(file) === stamp ? [] : [file]))
      const read = yield* Effect.forEach(changed, (file) =>
        Effect.map(
          // One file of which nobody expected it keeps nobody from the others.
          Effect.either(Effect.catchAllDefect(runner.load(file), strange(file))),
          (checked): Definition => ({ file, checked: Either.mapLeft(checked, ({ message }) => message) })
        )
      )
      const gone = [...stamps.keys()].filter((file) => !seen.has(file))
      stamps = seen
      return { read, gone }
    })
    return { look }
  })
