/** Files of profile versions: copied without caches, and flushed to disk before the profile's row in the database names the version. */
import { constants } from "node:fs"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** A cookie as CDP reports it. */
export type Cookie = Readonly<Record<string, unknown>>

/** A profile cannot be read or written. */
export class ProfileStoreError extends Data.TaggedError("ProfileStoreError")<{
  readonly folder: string
  readonly cause: unknown
}> {
  override get message() {
    const reason = this.cause instanceof Error ? this.cause.message : String(this.cause)
    return `The profile in ${this.folder}: ${reason}`
  }
}

/** The profile is larger than the space left for it. */
export class ProfileTooLarge extends Data.TaggedError("ProfileTooLarge")<{
  readonly bytes: number
  readonly max: number
}> {
  override get message() {
    return `it has ${this.bytes} bytes, and only ${this.max} are free: delete results or other profiles of the team, or clear the data of sites in this profile`
  }
}

/** Files and folders that are saved. Caches are not. */
const savedPaths = [
  "Default/Cookies",
  "Default/Cookies-journal",
  "Default/Network/Cookies",
  "Default/Network/Cookies-journal",
  "Default/Local Storage",
  "Default/IndexedDB",
  "Default/File System",
  "Default/WebStorage"
]

const storage = "storage"
const cookieFile = "cookies.json"

const attempt = <A>(folder: string, what: () => Promise<A>) =>
  Effect.tryPromise({ try: what, catch: (cause) => new ProfileStoreError({ folder, cause }) })

const isAbsent = ({ cause }: ProfileStoreError): boolean => (cause as NodeJS.ErrnoException).code === "ENOENT"

const copy = (from: string, to: string) =>
  attempt(from, () =>
    Fs.cp(from, to, {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (path) => !/[/\\](?:CacheStorage|LOCK|LOG|LOG\.old)$/.test(path)
    })
  )

/** Lists everything below a folder; each folder comes after its content. */
const walk = (folder: string) =>
  attempt(folder, () => Fs.readdir(folder, { recursive: true, withFileTypes: true })).pipe(
    Effect.map((found) =>
      found.map((entry) => ({ path: join(entry.parentPath, entry.name), isFile: entry.isFile() })).reverse()
    )
  )

const sync = (path: string) =>
  attempt(path, () => Fs.open(path, "r").then((file) => file.sync().finally(() => file.close())))

/** Writes a version completely and flushes it; returns its bytes. The cookies are in the row of the profile, encrypted. */
export const save = (profile: string, folder: string, maxBytes: number) =>
  Effect.gen(function* () {
    yield* attempt(folder, () => Fs.mkdir(join(folder, storage), { recursive: true, mode: 0o700 }))
    yield* Effect.forEach(
      savedPaths,
      (path) =>
        attempt(profile, () => Fs.stat(join(profile, path))).pipe(
          Effect.zipRight(copy(join(profile, path), join(folder, storage, path))),
          Effect.catchIf(isAbsent, () => Effect.void)
        ),
      { discard: true }
    )
    const entries = yield* walk(folder)
    const sizes = yield* Effect.forEach(
      entries,
      ({ isFile, path }) =>
        isFile
          ? Effect.map(
              attempt(path, () => Fs.stat(path)),
              ({ size }) => size
            )
          : Effect.succeed(0),
      { concurrency: 8 }
    )
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    if (bytes > maxBytes) {
      return yield* new ProfileTooLarge({ bytes, max: maxBytes })
    }
    yield* Effect.forEach([...entries.map(({ path }) => path), folder, join(folder, "..")], sync, {
      concurrency: 8,
      discard: true
    })
    return bytes
  }).pipe(Effect.tapError(() => discard(folder)))

/** Copies a version into a browser's profile folder. Returns the session cookies that earlier engine versions saved beside it. */
export const load = (folder: string, profile: string) =>
  Effect.gen(function* () {
    const cookies = yield* attempt(folder, () => Fs.readFile(join(folder, cookieFile), "utf8")).pipe(
      Effect.catchIf(isAbsent, () => Effect.succeed("[]"))
    )
    // An earlier attempt may have left files.
    yield* discard(join(profile, "Default"))
    yield* copy(join(folder, storage), profile)
    return JSON.parse(cookies) as ReadonlyArray<Cookie>
  })

export const discard = (folder: string) =>
  Effect.ignore(attempt(folder, () => Fs.rm(folder, { recursive: true, force: true })))

const list = (folder: string) =>
  attempt(folder, () => Fs.readdir(folder)).pipe(
    // A stray file instead of a folder is ignored.
    Effect.catchIf(
      ({ cause }) => ["ENOENT", "ENOTDIR"].includes((cause as NodeJS.ErrnoException).code ?? ""),
      () => Effect.succeed([])
    )
  )

/**
 * Removes profiles and versions that no row names; keeps all versions of a profile in use. The folders are listed before the rows are read,
 * so a version that another process saves meanwhile is not removed.
 */
export const sweep = <E, R>(root: string, rows: Effect.Effect<ReadonlyMap<string, string | "all" | null>, E, R>) =>
  Effect.gen(function* () {
    const found = yield* Effect.forEach(yield* list(root), (name) =>
      Effect.map(list(join(root, name)), (versions) => ({ folder: join(root, name), versions }))
    )
    const kept = yield* rows
    for (const { folder, versions } of found) {
      const version = kept.get(folder)
      if (version === "all") continue
      yield* Effect.forEach(
        versions.filter((one) => one !== version),
        (one) => discard(join(folder, one)),
        { discard: true }
      )
      // `rmdir` only removes an empty folder.
      if (version == null) yield* Effect.ignore(attempt(folder, () => Fs.rmdir(folder)))
    }
  })
