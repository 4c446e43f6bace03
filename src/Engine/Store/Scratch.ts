/** Temporary folders of requests. Their names contain the process id, so that the next engine can remove the folders of a killed engine. */
import { createHash } from "node:crypto"
import { hostname, tmpdir } from "node:os"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { isProcessGone } from "./Leases.ts"

/** Hash of the host name, because process ids are unique only within one machine or container. */
const host = createHash("sha256").update(hostname()).digest("hex").slice(0, 8)

/** Prefix of all temporary folders of this process. */
export const prefix = `sluice-${host}-${process.pid}-`
const made = new RegExp(`^sluice-${host}-(\\d+)-`)

/** Alternative folder for temporary folders of files such as sockets, whose path would be too long below the system's temporary folder. */
export const shortPlace = process.platform === "win32" ? undefined : "/tmp"

/** Removes the folders of ended processes, including those of an earlier process with the id of this one. */
const sweep = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const began = (yield* Clock.currentTimeMillis) - process.uptime() * 1000
  const removeIfLeft = Effect.fnUntraced(function* (place: string, name: string) {
    const pid = Number(made.exec(name)?.[1])
    const folder = path.join(place, name)
    const { mtime, uid } = yield* files.stat(folder)
    // Folders of other users are not removed, because their owner could swap the content during the removal.
    if (Option.exists(uid, (uid) => uid !== process.getuid?.())) return
    const at = Option.map(mtime, (time) => time.getTime())
    const isLeft = pid === process.pid ? Option.getOrElse(at, () => began) < began - 1000 : isProcessGone(pid)
    if (isLeft) yield* files.remove(folder, { recursive: true, force: true })
  })
  for (const place of new Set([tmpdir(), shortPlace ?? tmpdir()])) {
    const names = (yield* Effect.orElseSucceed(files.readDirectory(place), () => [])).filter((name) => made.test(name))
    // Failures are ignored, because a folder may disappear meanwhile, or belong to another user.
    yield* Effect.forEach(names, (name) => Effect.ignore(removeIfLeft(place, name)), { discard: true })
  }
})

/** File system that puts `prefix` on the names of temporary folders. Removes leftover folders first. */
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
