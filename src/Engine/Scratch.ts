/**
 * Temporary files of requests: their folders are named after the process that makes them, so that the next engine can
 * remove what one that was killed has left.
 */
import { createHash } from "node:crypto"
import { hostname, tmpdir } from "node:os"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { isGone } from "./Jobs/Leases.ts"

/** Process numbers mean something on one machine only, and in one container. */
const host = createHash("sha256").update(hostname()).digest("hex").slice(0, 8)

/** How the names of our temporary folders begin. */
export const prefix = `sluice-${host}-${process.pid}-`
const made = new RegExp(`^sluice-${host}-(\\d+)-`)

/** Where temporary folders of ours are: beneath the system's, or, where its path is too long for what is in them, here. */
export const shortPlace = process.platform === "win32" ? undefined : "/tmp"

/** Removes the folders of processes that are gone, this one's number before it was this one's included. */
const sweep = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const began = (yield* Clock.currentTimeMillis) - process.uptime() * 1000
  const removeIfLeft = Effect.fnUntraced(function* (place: string, name: string) {
    const pid = Number(made.exec(name)?.[1] ?? 0)
    if (pid === 0) return
    const folder = path.join(place, name)
    const { mtime, uid } = yield* files.stat(folder)
    // Whoever else made it could put something of ours in its place while it is removed.
    if (Option.exists(uid, (uid) => uid !== process.getuid?.())) return
    const at = Option.map(mtime, (time) => time.getTime())
    const isLeft = pid === process.pid ? Option.getOrElse(at, () => began) < began - 1000 : isGone(pid)
    if (isLeft) yield* files.remove(folder, { recursive: true, force: true })
  })
  for (const place of new Set([tmpdir(), shortPlace ?? tmpdir()])) {
    const names = yield* Effect.orElseSucceed(files.readDirectory(place), () => [])
    // Somebody else's are not ours to remove, and what goes by itself meanwhile is gone.
    yield* Effect.forEach(names, (name) => Effect.ignore(removeIfLeft(place, name)), { discard: true })
  }
})

/** The file system, but that temporary folders say whose they are; what is left of others goes first. */
export const layer: Layer.Layer<FileSystem.FileSystem, never, FileSystem.FileSystem | Path.Path> = Layer.effect(
  FileSystem.FileSystem,
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    yield* sweep
    return FileSystem.FileSystem.of({
      ...files,
      makeTempDirectoryScoped: (options) => files.makeTempDirectoryScoped({ ...options, prefix })
    })
  })
)
