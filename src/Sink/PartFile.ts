/**
 * Partial file of one part: grows beside its final name until the run publishes it.
 *
 * - Owned by one sink, whose calls for one file come one after the other. Two open files never share a partial file: `open` fails with
 *   `PathTaken`, even if two paths lead to one file through links.
 * - `write` appends after `bytes`; `sync` makes everything written so far durable and returns the offset that a commit records. Bytes after
 *   the last commit are unspecified after a crash: a resumed run truncates them.
 * - With gzip, every flush appends a member of its own, so the file is still valid gzip when truncated between two members.
 * - File handles are pooled: the least recently used idle one is closed for the next.
 * - `release` frees the path and keeps the bytes; `discard` removes them.
 */
import * as NodePath from "node:path"
import { promisify } from "node:util"
import * as Zlib from "node:zlib"
import type * as PlatformError from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { ensuringWithin, mapError } from "../Callback/Lean.ts"
import * as Files from "../Files.ts"
import type { ByteTransform } from "./Codec.ts"
import * as Existing from "./Existing.ts"
import { type FileError, fileError, PartialMissing, PathTaken, WriteFailed } from "./SinkErrors.ts"

const gzip = promisify<Uint8Array, Buffer>(Zlib.gzip)

/** Compresses bytes to a gzip member, on another thread. */
const gzipMember = (path: string, bytes: Uint8Array): Effect.Effect<Uint8Array, WriteFailed> =>
  Effect.tryPromise({ try: () => gzip(bytes), catch: (cause) => new WriteFailed({ path, cause }) })

/** Applies a change to the uncompressed content of gzip bytes. */
const changeGzipped =
  (path: string, change: <E>(content: Stream.Stream<Uint8Array, E>) => Stream.Stream<Uint8Array, E>) =>
  <E>(bytes: Stream.Stream<Uint8Array, E>): Stream.Stream<Uint8Array, E | WriteFailed> =>
    bytes.pipe(
      NodeStream.pipeThroughDuplex(
        () => Zlib.createGunzip(),
        (cause) => new WriteFailed({ path, cause })
      ),
      change,
      NodeStream.pipeThroughDuplex(
        () => Zlib.createGzip(),
        (cause) => new WriteFailed({ path, cause })
      )
    )

/** Maximum open files, well below the 256 that some systems allow a process. */
const maxOpenFiles = 64

interface Handle {
  readonly file: FileSystem.File
  readonly scope: Scope.CloseableScope
  users: number
  /** Offset after the last write; undefined if something else may have moved it. */
  position: number | undefined
}

/** Pool of open files. */
export class FileHandles {
  readonly #fs: FileSystem.FileSystem
  /** Handles by path, least recently used first. */
  readonly #open = new Map<string, Handle>()

  constructor(fs: FileSystem.FileSystem) {
    this.#fs = fs
  }

  /** Works with a file. `flag` applies if the file is not open yet. Only one caller at a time may use a file. */
  use<A, E>(
    path: string,
    flag: "w" | "r+",
    work: (file: FileSystem.File) => Effect.Effect<A, E>
  ): Effect.Effect<A, E | PlatformError.PlatformError> {
    return this.#within(path, flag, (handle) => {
      handle.position = undefined
      return work(handle.file)
    })
  }

  /** Writes bytes at an offset. Otherwise like {@link FileHandles.use}. */
  write(
    path: string,
    flag: "w" | "r+",
    offset: number,
    bytes: Uint8Array
  ): Effect.Effect<void, PlatformError.PlatformError> {
    return this.#within(path, flag, (handle) => {
      const { file, position } = handle
      handle.position = undefined
      const written = Effect.map(file.writeAll(bytes), () => {
        handle.position = offset + bytes.length
      })
      return position === offset ? written : Effect.zipRight(file.seek(offset, "start"), written)
    })
  }

  #within<A, E>(
    path: string,
    flag: "w" | "r+",
    work: (handle: Handle) => Effect.Effect<A, E>
  ): Effect.Effect<A, E | PlatformError.PlatformError> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(this.#acquire(path, flag), (handle) =>
        ensuringWithin(restore(work(handle)), () => {
          handle.users--
        })
      )
    )
  }

  #acquire(path: string, flag: "w" | "r+"): Effect.Effect<Handle, PlatformError.PlatformError> {
    return Effect.suspend(() => {
      const known = this.#open.get(path)
      if (known !== undefined) {
        this.#open.delete(path)
        this.#open.set(path, known)
        known.users++
        return Effect.succeed(known)
      }
      return Effect.zipRight(this.#closeIdle, this.#openFile(path, flag))
    })
  }

  #openFile(path: string, flag: "w" | "r+"): Effect.Effect<Handle, PlatformError.PlatformError> {
    return Effect.flatMap(Scope.make(), (scope) =>
      this.#fs.open(path, { flag }).pipe(
        Scope.extend(scope),
        Effect.onError(() => Scope.close(scope, Exit.void)),
        Effect.map((file) => {
          const handle: Handle = { file, scope, users: 1, position: undefined }
          this.#open.set(path, handle)
          return handle
        })
      )
    )
  }

  readonly #closeIdle: Effect.Effect<void> = Effect.suspend(() => {
    if (this.#open.size < maxOpenFiles) return Effect.void
    for (const [path, handle] of this.#open) if (handle.users === 0) return this.close(path)
    return Effect.void
  })

  close(path: string): Effect.Effect<void> {
    return Effect.suspend(() => {
      const handle = this.#open.get(path)
      if (handle === undefined) return Effect.void
      this.#open.delete(path)
      // On its own fiber: the finalizer restores the FiberRefs of the fiber that opened the file, and the caller would inherit them.
      return Effect.asVoid(Effect.flatMap(Effect.fork(Scope.close(handle.scope, Exit.void)), Fiber.await))
    })
  }

  readonly closeAll: Effect.Effect<void> = Effect.suspend(() =>
    Effect.forEach([...this.#open.keys()], (path) => this.close(path), { discard: true })
  )
}

/** Options shared by all part files of a sink. */
export interface PartFileOptions {
  readonly fs: FileSystem.FileSystem
  readonly handles: FileHandles
  readonly runId: string
  readonly gzip: boolean
  /** True if another process may still have the partial files open and write to them. */
  readonly mayBeHeld?: boolean | undefined
}

/** Initial content: empty, a copy of the published file, or the partial file up to the last commit. */
export type InitialContent =
  | { readonly kind: "new" }
  /** `lineEnd` is added if the last line of the copy has no line end. */
  | { readonly kind: "copy"; readonly lineEnd: string }
  | { readonly kind: "resume"; readonly offset: number; readonly rows: number }

/** Maximum uncompressed bytes in a gzip member; a commit ends it earlier. */
const memberSize = 1 << 20

/** Partial files that this process has open, by path. */
const openPaths = new Set<string>()

/** The same partial files by their real paths. */
const openIdentities = new Set<string>()

export const isOpen = (partial: string): boolean => openPaths.has(partial)

/** Path of the partial file of a run. */
export const partialPath = (path: string, runId: string): string => `${path}.${runId}.partial`

/** Replaces a file by a copy of its first bytes: anything that another process still writes to the old file is lost. */
export const takeOver = (fs: FileSystem.FileSystem, path: string, length: number) =>
  Effect.gen(function* () {
    const copy = `${path}.changed`
    yield* fs.remove(copy, { force: true })
    yield* fs.copyFile(path, copy)
    yield* fs.truncate(copy, length)
    yield* Effect.scoped(Effect.flatMap(fs.open(copy, { flag: "r+" }), ({ sync }) => sync))
    yield* fs.rename(copy, path)
  })

const describeError = <A>(
  effect: Effect.Effect<A, PlatformError.PlatformError | FileError>,
  path: string
): Effect.Effect<A, FileError> =>
  Effect.mapError(effect, (error) =>
    error._tag === "SystemError" || error._tag === "BadArgument" ? fileError(path)(error) : error
  )

export class PartFile {
  readonly path: string
  /** Path after following symbolic links of its last segment. */
  readonly target: string
  /** Path after following all links, as they were when the file was opened. */
  readonly real: string
  readonly partial: string
  readonly #options: PartFileOptions
  readonly #identity: string
  readonly #mode: number | undefined
  #offset = 0
  #flag: "w" | "r+" = "w"
  #uncompressed: Array<Uint8Array> = []
  #committed = { bytes: 0, rows: 0 }
  /** Bytes that wait for compression. */
  bufferedBytes = 0

  private constructor(path: string, { identity, mode, path: target }: Existing.Target, options: PartFileOptions) {
    this.path = path
    this.target = target
    this.real = identity
    this.partial = partialPath(target, options.runId)
    this.#options = options
    this.#identity = partialPath(identity, options.runId)
    this.#mode = mode
  }

  /**
   * Opens the file and passes it to `opened` uninterruptibly: after an interrupt, either the caller has it and can release it, or it is
   * released.
   */
  static open<A>(
    path: string,
    options: PartFileOptions,
    initial: InitialContent,
    opened: (file: PartFile) => A
  ): Effect.Effect<A, FileError> {
    return Effect.uninterruptibleMask((restore) =>
      restore(describeError(Existing.resolveTarget(options.fs, path), path)).pipe(
        Effect.flatMap((target) => {
          const file = new PartFile(path, target, options)
          if (openIdentities.has(file.#identity)) return Effect.fail(new PathTaken({ path }))
          openPaths.add(file.partial)
          openIdentities.add(file.#identity)
          return restore(file.#describeError(file.#initialise(initial))).pipe(
            Effect.onError(() => file.release),
            Effect.map(() => opened(file))
          )
        })
      )
    )
  }

  readonly release: Effect.Effect<void> = Effect.sync(() => {
    openPaths.delete(this.partial)
    openIdentities.delete(this.#identity)
  })

  /** Bytes on disk, after compression. */
  get bytes(): number {
    return this.#offset
  }

  #initialise(initial: InitialContent): Effect.Effect<void, PlatformError.PlatformError | FileError> {
    const { fs } = this.#options
    return Effect.gen(this, function* () {
      if (initial.kind === "resume" && initial.offset > 0) {
        const { offset, rows } = initial
        const found = yield* fs.stat(this.partial).pipe(
          Effect.map(({ size }) => Number(size)),
          Effect.orElseSucceed(() => undefined)
        )
        if (found === undefined || found < offset) {
          return yield* new PartialMissing({ path: this.partial, expected: offset, found })
        }
        if (this.#options.mayBeHeld === true) yield* takeOver(fs, this.partial, offset)
        else if (found > offset) yield* fs.truncate(this.partial, offset)
        this.#offset = offset
        this.#committed = { bytes: offset, rows }
        this.#flag = "r+"
        return
      }
      yield* Files.makeFolder(fs, NodePath.dirname(this.target))
      if (this.#options.mayBeHeld === true) yield* fs.remove(this.partial, { force: true })
      if (initial.kind === "copy") yield* this.#copy(initial.lineEnd)
      else yield* this.#create
      this.#flag = "r+"
    })
  }

  /** Creates the file with the mode of the one that it replaces: users who may not read that file may not read the partial file either. */
  readonly #create: Effect.Effect<void, PlatformError.PlatformError> = Effect.suspend(() => {
    const { fs, handles } = this.#options
    const mode = this.#mode
    if (mode === undefined) return handles.use(this.partial, "w", () => Effect.void)
    return Effect.zipRight(
      fs.writeFile(this.partial, new Uint8Array(), { mode }),
      Effect.ignore(fs.chmod(this.partial, mode))
    )
  })

  #copy(lineEnd: string): Effect.Effect<void, PlatformError.PlatformError> {
    const { fs, gzip, handles } = this.#options
    return Effect.gen(this, function* () {
      yield* fs.copyFile(this.target, this.partial)
      // The copy has the mode of the original, which may be read-only: change it.
      if (this.#mode !== undefined) yield* Effect.ignore(fs.chmod(this.partial, this.#mode))
      const last = new Uint8Array(1)
      this.#offset = yield* handles.use(this.partial, "r+", (file) =>
        Effect.gen(function* () {
          const size = Number((yield* file.stat).size)
          if (gzip || size === 0) return size
          yield* file.seek(size - 1, "start")
          yield* file.read(last)
          if (last[0] === 0x0a) return size
          yield* file.writeAll(Buffer.from(lineEnd))
          return size + lineEnd.length
        })
      )
    })
  }

  #describeError<A>(effect: Effect.Effect<A, PlatformError.PlatformError | FileError>): Effect.Effect<A, FileError> {
    return mapError(effect, (error) => {
      if (error._tag !== "SystemError" && error._tag !== "BadArgument") return error
      return error._tag === "SystemError" && error.reason === "NotFound" && this.#flag === "r+"
        ? new PartialMissing({ path: this.partial, expected: this.#offset, found: undefined })
        : fileError(this.path, this.#committed)(error)
    })
  }

  #append(bytes: Uint8Array): Effect.Effect<void, FileError> {
    return Effect.map(
      this.#describeError(this.#options.handles.write(this.partial, this.#flag, this.#offset, bytes)),
      () => {
        this.#offset += bytes.length
      }
    )
  }

  /** Appends bytes. The caller may reuse the memory afterwards. */
  write(bytes: Uint8Array): Effect.Effect<void, FileError> {
    if (!this.#options.gzip) return this.#append(bytes)
    return Effect.suspend(() => {
      this.#uncompressed.push(Uint8Array.prototype.slice.call(bytes))
      this.bufferedBytes += bytes.length
      return this.bufferedBytes < memberSize ? Effect.void : this.flush
    })
  }

  /** Writes the buffered bytes as a gzip member. */
  readonly flush: Effect.Effect<void, FileError> = Effect.suspend(() => {
    if (this.bufferedBytes === 0) return Effect.void
    const [first, ...rest] = this.#uncompressed
    const bytes = first !== undefined && rest.length === 0 ? first : Buffer.concat(this.#uncompressed)
    this.#uncompressed = []
    this.bufferedBytes = 0
    return Effect.flatMap(gzipMember(this.path, bytes), (member) => this.#append(member))
  })

  /** A gzip file without content needs one member, too. */
  readonly completeGzip: Effect.Effect<void, FileError> = Effect.suspend(() =>
    this.#options.gzip && this.#offset + this.bufferedBytes === 0
      ? Effect.flatMap(gzipMember(this.path, new Uint8Array()), (member) => this.#append(member))
      : Effect.void
  )

  /**
   * Makes everything written so far durable and returns the offset of its end. If the disk is full, the error names the rows of the last
   * sync.
   */
  sync(rows: number): Effect.Effect<number, FileError> {
    return Effect.gen(this, function* () {
      yield* this.flush
      yield* this.#describeError(this.#options.handles.use(this.partial, this.#flag, (file) => file.sync))
      this.#committed = { bytes: this.#offset, rows }
      return this.#offset
    })
  }

  /** Writes a changed copy of the file next to it. */
  rewrite(change: ByteTransform): Effect.Effect<{ readonly partial: string; readonly bytes: number }, FileError> {
    const { fs, gzip } = this.#options
    const changed = `${this.partial}.changed`
    const apply = Stream.map(change)
    return Effect.gen(this, function* () {
      yield* fs.writeFile(changed, new Uint8Array(), this.#mode === undefined ? {} : { mode: this.#mode })
      const target = yield* fs.open(changed, { flag: "r+" })
      const source = fs.stream(this.partial, { chunkSize: memberSize })
      yield* (gzip ? changeGzipped(this.path, apply)(source) : apply(source)).pipe(
        Stream.runForEach((bytes) => target.writeAll(bytes))
      )
      yield* target.sync
      return { partial: changed, bytes: Number((yield* target.stat).size) }
    }).pipe(Effect.scoped, (effect) => this.#describeError(effect))
  }

  readonly discard: Effect.Effect<void> = Effect.suspend(() =>
    this.#options.handles
      .close(this.partial)
      .pipe(
        Effect.zipRight(Effect.ignore(this.#options.fs.remove(this.partial))),
        Effect.zipRight(Effect.ignore(this.#options.fs.remove(`${this.partial}.changed`))),
        Effect.zipRight(this.release)
      )
  )
}
