/**
 * Discards the outputs of held runs, and warns about runs that wait for a decision. A resume publishes them, once
 * `Ledger.held.release` has released the run.
 */
import * as NodePath from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type { Discarder } from "../Ledger/Held.ts"
import { clusterFolder } from "../Ledger/Retention.ts"
import { Ledger } from "../Ledger.ts"
import { realPath } from "../Sink/Existing.ts"
import { partialPath } from "../Sink/PartFile.ts"
import type { Ready, Sealed } from "../Step/Output.ts"
import * as Trace from "../Telemetry/Trace.ts"

/** True if the finished file has already been moved to its final path: the file there has its size, and was not modified before the run. */
const isPublished = (files: FileSystem.FileSystem, { bytes, path, target = path }: Ready, startedAt: number) =>
  files.stat(target).pipe(
    Effect.map(({ mtime, size }) => Number(size) === bytes && Option.exists(mtime, (at) => at.getTime() >= startedAt)),
    Effect.orElseSucceed(() => false)
  )

/** Delays an interrupt to the end. Not simply `uninterruptible`: the lock heartbeat, which is forked inside, would never end. */
const untilEnd = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.uninterruptible(Effect.flatMap(Effect.forkDaemon(Effect.interruptible(effect)), Fiber.join))

/** Partial files of a run that lie beside the final paths of its outputs. */
export const partialsOf = (id: string, paths: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const targets = yield* Effect.forEach(paths, (path) => Effect.orElseSucceed(realPath(files, path), () => path))
    return targets.map((path) => partialPath(path, id)).flatMap((path) => [path, `${path}.changed`])
  })

/** Partial files of a run in its output folder and all folders below; only in the folder itself if one of them cannot be read. */
const partialsIn = (id: string, out: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const names = yield* files.readDirectory(out, { recursive: true }).pipe(
      Effect.orElse(() => files.readDirectory(out)),
      Effect.orElseSucceed((): ReadonlyArray<string> => [])
    )
    return names
      .filter((name) => name.replace(/\.changed$/, "").endsWith(partialPath("", id)))
      .map((name) => NodePath.join(out, name))
  })

/**
 * Removes the partial files and the staged state of a run that is held or did not complete; keeps the outputs published by other runs.
 * Returns the paths of the run's own files that stay: those that already had their final names when its publication was interrupted. Safe
 * to repeat.
 */
export const discard = Trace.fn("Run.discard")(function* (id: string, by: Discarder) {
  const { find, held } = yield* Ledger
  const files = yield* FileSystem.FileSystem
  const isPartial = ({ partial }: Ready) => Effect.orElseSucceed(files.exists(partial), () => false)
  const isUntouched = (sealed: ReadonlyArray<Sealed>) =>
    Effect.every(
      sealed.flatMap((each) => each.files),
      isPartial
    )
  const { sealed, unpublished } = yield* held.discard(id, isUntouched, by)
  const partials = sealed.flatMap(({ files, scraps }) => [
    ...files.flatMap(({ partial }) => [partial, `${partial}.changed`]),
    ...scraps
  ])
  const unfinished = yield* partialsOf(id, unpublished)
  const run = yield* find(id)
  // The ledger does not know files that were begun after the last checkpoint, so they are searched for in the output folder.
  const begun = run === undefined || sealed.length > 0 ? [] : yield* partialsIn(id, run.out)
  const published = yield* Effect.filter(
    sealed.flatMap((each) => each.files.filter(({ isManifest }) => isManifest !== true)),
    (file) =>
      Effect.if(isPartial(file), {
        onTrue: () => Effect.succeed(false),
        onFalse: () => isPublished(files, file, run?.startedAt ?? 0)
      })
  )
  // Files of the shards.
  const shards = run?.group === id ? [clusterFolder(run.out, id)] : []
  yield* Effect.forEach([...partials, ...unfinished, ...begun, ...shards], (path) =>
    Effect.ignore(files.remove(path, { recursive: true }))
  )
  yield* held.forget(id)
  return published.map(({ path }) => path)
}, untilEnd)

/** Called after a run has published or was held. Warns if other runs of its pipeline are held. Never fails. */
export const warnOfWaiting = (pipeline: string, id: string) =>
  Effect.gen(function* () {
    const { held } = yield* Ledger
    const waiting = yield* held.waiting(pipeline, id)
    if (waiting === undefined) return
    const { count, since } = waiting
    const runs = count === 1 ? "1 other run is" : `${count} other runs are`
    const day = new Date(since).toISOString().slice(0, 10)
    yield* Effect.logWarning(
      `${runs} held since ${day}: sluice runs --status held --pipeline ${pipeline} lists them; sluice discard --all ${pipeline} drops their outputs, and sluice publish --all ${pipeline} accepts them as good`
    )
  }).pipe(Effect.catchAll(({ message }) => Effect.logWarning(`runs that are held were not counted: ${message}`)))
