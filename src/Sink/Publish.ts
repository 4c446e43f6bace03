/**
 * Publishes the files of a run in two phases.
 *
 * 1. `prepare` checks finished part files and lists, as data, the names that they get and the files to remove. The ledger records the list.
 * 2. `publish` executes the list: it renames all files, then removes obsolete ones. After a crash at any point it is called again with the
 *    same list and does the rest. It never runs before the ledger has the list, and every sink of the run is prepared before.
 *
 * A file under its final name is complete: it was finished and synced under its partial name, and a rename replaces it in one step. The
 * files of a run get their names one after the other. A manifest (`Manifest.ts`) comes last; until then the folder has none. It lists the
 * files of other runs as they are when this run is published, which may be long after `prepare`.
 */
import * as NodePath from "node:path"
import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Files from "../Files.ts"
import { type Output, type Ready, type Sealed, type Trials, targetOf } from "../Step/Output.ts"
import * as Trace from "../Telemetry/Trace.ts"
import * as Existing from "./Existing.ts"
import * as Manifest from "./Manifest.ts"
import { isOpen } from "./PartFile.ts"
import { type FileError, fileError, IsDirectory, NotPublished, onEach } from "./SinkErrors.ts"
import type { SinkContext } from "./Writer.ts"

/** Partial files in a folder that this process is not writing: leftovers of this run, and those of other runs for the same outputs. */
const findPartials = (fs: FileSystem.FileSystem, folder: string, runId: string, finals: ReadonlySet<string>) =>
  Effect.map(
    Effect.orElseSucceed(fs.readDirectory(folder), (): ReadonlyArray<string> => []),
    (names) => {
      const leftovers: Array<string> = []
      const others: Array<{ readonly path: string; readonly run: string }> = []
      for (const name of names) {
        if (!/\.partial(\.changed)?$/.test(name)) continue
        const path = NodePath.join(folder, name)
        const partial = path.replace(/\.changed$/, "")
        if (partial.endsWith(`.${runId}.partial`)) {
          if (!isOpen(partial)) leftovers.push(path)
          continue
        }
        const stem = partial.slice(0, -".partial".length)
        for (let dot = stem.indexOf("."); dot !== -1; dot = stem.indexOf(".", dot + 1)) {
          if (finals.has(stem.slice(0, dot))) {
            others.push({ path, run: stem.slice(dot + 1) })
            break
          }
        }
      }
      return { leftovers, others }
    }
  )

const maxWarnings = 5

const limitWarnings = (warnings: ReadonlyArray<string>): ReadonlyArray<string> =>
  warnings.length <= maxWarnings
    ? warnings
    : [...warnings.slice(0, maxWarnings), `and ${warnings.length - maxWarnings} more like this`]

/** Result of sealing the parts of one sink. */
interface Finished {
  /** Finished and synced files. */
  readonly files: ReadonlyArray<Ready>
  /** Parts with numbers higher than those of this run: an earlier run had more parts. */
  readonly higherParts: ReadonlyArray<string>
  /** True if the run appends: then, of the higher parts, only those of trials are removed. */
  readonly append: boolean
  /** Files of this run that are no longer needed. */
  readonly scraps: ReadonlyArray<string>
}

const none: ReadonlySet<string> = new Set()

/** Checks finished files against the files at their destinations, and lists what is left to publish. Changes nothing. */
export const prepare = (
  fs: FileSystem.FileSystem,
  { aliveRuns = Effect.succeed(none), heldRuns = Effect.succeed([]), names, trials }: SinkContext,
  { append, files: finished, higherParts, scraps }: Finished
): Effect.Effect<Sealed, FileError> =>
  Effect.gen(function* () {
    const files = yield* Effect.forEach(finished, (file) => Existing.withModifiedTime(fs, trials, file))
    const stale = append ? [...(yield* Existing.trialFilesAt(fs, trials, higherParts)).keys()] : higherParts
    yield* Existing.protectFromTrial(fs, trials, [...files.map(({ path }) => path), ...stale])
    const finals = new Set(files.map(targetOf))
    const partials = yield* Effect.forEach(
      new Set([...finals].map(NodePath.dirname)),
      (folder) => findPartials(fs, folder, names.runId, finals),
      { concurrency: 8 }
    )
    const others = partials.flatMap((each) => each.others)
    const held = others.length === 0 ? [] : yield* Effect.orElseSucceed(heldRuns, () => [])
    const alive = others.length === 0 ? none : yield* Effect.orElseSucceed(aliveRuns, () => none)
    const unpublished = others.flatMap(({ path, run }) => {
      if (held.includes(run)) return []
      return alive.has(run)
        ? `${path} belongs to run ${run}, which is still running and writes to the same output`
        : `${path} belongs to run ${run}, which has not published it: sluice show ${run} says what can be done; sluice discard ${run} removes the file`
    })
    const replacedTrials = files.filter(({ original }) => original?.isOfTrial === true)
    return {
      files,
      stale,
      scraps: [...scraps, ...partials.flatMap(({ leftovers }) => leftovers)],
      warnings: [
        ...limitWarnings(unpublished),
        ...limitWarnings(
          replacedTrials.map(({ path }) => `${path} held rows of a trial (--limit), which this run has replaced`)
        )
      ]
    }
  })

const describeError = <A, E extends PlatformError.PlatformError | FileError>(
  { bytes, path }: Ready,
  effect: Effect.Effect<A, E>
): Effect.Effect<A, FileError> =>
  Effect.mapError(effect, (error: PlatformError.PlatformError | FileError) => {
    if (error._tag !== "SystemError" && error._tag !== "BadArgument") return error
    return error._tag === "SystemError" && error.reason === "AlreadyExists"
      ? new IsDirectory({ path })
      : fileError(path, { bytes, rows: 0 })(error)
  })

/**
 * Checks that a file whose partial file is gone already has its final name. The size of a manifest may have changed since it was sealed.
 */
const verifyRenamed = (fs: FileSystem.FileSystem, file: Ready) => {
  const { bytes, isManifest, partial, path } = file
  return fs.stat(targetOf(file)).pipe(
    Effect.filterOrFail(
      ({ size }) => isManifest === true || Number(size) === bytes,
      () => new NotPublished({ path, partial })
    ),
    Effect.mapError(() => new NotPublished({ path, partial }))
  )
}

/** Renames a file and gives it the mode and owner of the file that it replaces. */
const rename = (fs: FileSystem.FileSystem, file: Ready) => {
  const { partial, path } = file
  return Existing.verifyTarget(fs, file).pipe(
    Effect.tap((found) => (found === undefined ? Effect.void : Existing.inherit(fs, partial, found))),
    Effect.zipRight(fs.rename(partial, targetOf(file))),
    Effect.catchTag("SystemError", (error) =>
      Effect.flatMap(Existing.find(fs, partial), (found) =>
        Effect.fail(found === undefined ? new NotPublished({ path, partial }) : error)
      )
    ),
    (effect) => describeError(file, effect)
  )
}

const removeManifest = (fs: FileSystem.FileSystem, file: Ready) =>
  fs
    .remove(targetOf(file), { force: true })
    .pipe(Effect.zipRight(Files.syncFolder(fs, NodePath.dirname(targetOf(file)))), (effect) =>
      describeError(file, effect)
    )

/** Keeps older files instead of replacing them with files without rows; `why` names the steps that read nothing. */
export const keepOlder = (sealed: ReadonlyArray<Sealed>, why: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.forEach(sealed, (each) =>
      Effect.gen(function* () {
        if (each.files.some(({ rows }) => rows > 0)) return each
        const [older] = yield* Effect.filter(each.files, (file) =>
          Effect.orElseSucceed(
            Effect.map(fs.stat(targetOf(file)), ({ size }) => size > 0n),
            () => false
          )
        )
        if (older === undefined) return each
        const warning = `${older.path} stays as it was: the input of ${why} is empty. If that is right, remove ${older.path} and run the pipeline again`
        const scraps = [...each.scraps, ...each.files.map(({ partial }) => partial)]
        return { ...each, files: [], stale: [], scraps, warnings: [...each.warnings, warning] } satisfies Sealed
      })
    )
  )

const foldersOf = (paths: ReadonlyArray<string>): ReadonlySet<string> => new Set(paths.map(NodePath.dirname))

/**
 * Publishes the files of all sinks of a run and returns them. The process may have restarted since `prepare`, so every file is checked
 * again before the first one is renamed.
 */
export const publish = Trace.fn("Sink.publish")(function* (sealed: ReadonlyArray<Sealed>, trials?: Trials) {
  const fs = yield* FileSystem.FileSystem
  const files = sealed.flatMap((each) => each.files)
  const partials = yield* Effect.forEach(files, (file) => describeError(file, Existing.find(fs, file.partial)))
  const renamed = files.filter((_, at) => partials[at] === undefined)
  const pending = files.filter((_, at) => partials[at] !== undefined)
  const current = new Set(files.flatMap((file) => [file.path, targetOf(file)]))
  const stale = sealed.flatMap((each) => each.stale).filter((path) => !current.has(path))
  const obsolete = [...stale, ...sealed.flatMap(({ scraps }) => scraps).filter((path) => !current.has(path))]
  const sync = (paths: ReadonlyArray<string>) => onEach(foldersOf(paths), (folder) => Files.syncFolder(fs, folder))
  yield* onEach(renamed, (file) => verifyRenamed(fs, file))
  yield* onEach(pending, (file) => Existing.verifyTarget(fs, file))
  yield* Existing.protectFromTrial(fs, trials, [...pending.map(({ path }) => path), ...stale])
  const manifests = pending.filter(({ isManifest }) => isManifest === true)
  const before = { renamed: renamed.map(({ path }) => path), stale }
  yield* onEach(manifests, (file) => Manifest.addOtherFiles(fs, file, before))
  // The manifest of the earlier run would list files that are about to change.
  yield* onEach(manifests, (file) => removeManifest(fs, file))
  yield* onEach(
    pending.filter(({ isManifest }) => isManifest !== true),
    (file) => rename(fs, file)
  )
  yield* sync([...current])
  yield* onEach(obsolete, (path) => Effect.ignore(fs.remove(path)))
  yield* sync(obsolete)
  yield* onEach(manifests, (file) => rename(fs, file))
  yield* sync(manifests.map(targetOf))
  return [
    ...files.flatMap(
      ({ isManifest, original: _, partial: __, real: ____, target: ___, ...output }): ReadonlyArray<Output> =>
        isManifest === true ? [] : [output]
    ),
    ...sealed.flatMap(({ streams = [] }) => streams)
  ]
}, Effect.uninterruptible)
