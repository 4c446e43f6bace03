/**
 * A partial file: grows beside its final name, and is truncated and continued when a run is resumed.
 *
 * A compressed file is a series of gzip members, so that it is a whole gzip file wherever it is cut between two of them. The number of open
 * files is bounded: the least recently used one is closed for the next.
 */
import * as NodePath from "node:path"
import type * as PlatformError from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Folder from "../Database/Folder.ts"
import * as Existing from "./Existing.ts"
import { member, through } from "./Original.ts"
import { type FileError, fileError, PartialMissing, PathTaken } from "./SinkErrors.ts"

/** Well below the 256 that some systems allow a process. */
const most = 64

interface Handle {
  readonly file: FileSystem.File
  readonly scope: Scope.CloseableScope
  users: number
}

export class Handles {
  readonly #fs: FileSystem.FileSystem
  /** In the order of their last use. */
  readonly #open = new Map<string, Handle>()

  constructor(fs: FileSystem.FileSystem) {
    this.#fs = fs
  }

  /** `flag` counts where the file is not open; a file is given to one user at a time. */
  use<A, E>(
    path: string,
    flag: "w" | "r+",
    work: (file: FileSystem.File) => Effect.Effect<A, E>
  ): Effect.Effect<A, E | PlatformError.PlatformError> {
    return Effect.acquireUseRelease(
      this.#take(path, flag),
      ({ file }) => work(file),
      (handle) =>
        Effect.sync(() => {
          handle.users--
        })
    )
  }

  #take(path: string, flag: "w" | "r+"): Effect.Effect<Handle, PlatformError.PlatformError> {
    return Effect.suspend(() => {
      const known = this.#open.get(path)
      if (known !== undefined) {
        this.#open.delete(path)
        this.#open.set(path, known)
        known.users++
        return Effect.succeed(known)
      }
      return Effect.zipRight(this.#makeRoom, this.#add(path, flag))
    })
  }

  #add(path: string, flag: "w" | "r+"): Effect.Effect<Handle, PlatformError.PlatformError> {
    return Effect.flatMap(Scope.make(), (scope) =>
      this.#fs.open(path, { flag }).pipe(
        Scope.extend(scope),
        Effect.onError(() => Scope.close(scope, Exit.void)),
        Effect.map((file) => {
          const handle: Handle = { file, scope, users: 1 }
          this.#open.set(path, handle)
          return handle
        })
      )
    )
  }

  readonly #makeRoom: Effect.Effect<void> = Effect.suspend(() => {
    if (this.#open.size < most) return Effect.void
    for (const [path, handle] of this.#open) if (handle.users === 0) return this.close(path)
    return Effect.void
  })

  close(path: string): Effect.Effect<void> {
    return Effect.suspend(() => {
      const handle = this.#open.get(path)
      if (handle === undefined) return Effect.void
      this.#open.delete(path)
      // In a fiber whose references nobody inherits: a finalizer brings back those of the fiber that opened the file, and
      // from handle to handle they would pile up.
      return Effect.asVoid(Effect.flatMap(Effect.fork(Scope.close(handle.scope, Exit.void)), Fiber.await))
    })
  }

  readonly closeAll: Effect.Effect<void> = Effect.suspend(() =>
    Effect.forEach([...this.#open.keys()], (path) => this.close(path), { discard: true })
  )
}

/** What a file needs of the sink that it belongs to. */
export interface Surroundings {
  readonly fs: FileSystem.FileSystem
  readonly handles: Handles
  readonly runId: string
  readonly gzip: boolean
  /** A process that was taken for gone may still have the files open, and write when it wakes. */
  readonly mayBeHeld?: boolean | undefined
}

/** How a file begins: anew, with what is under the final name, or where the interrupted run had it safe. */
export type Beginning =
  | { readonly kind: "new" }
  /** `joint` is put behind a last line that has no end. */
  | { readonly kind: "copy"; readonly joint: string }
  | { readonly kind: "resume"; readonly offset: number; readonly rows: number }

/** Changes the bytes of a file as they pass. */
export type Change = (bytes: Uint8Array) => Uint8Array

/** So many bytes make a member of a compressed file, if no commit comes before. */
const memberSize = 1 << 20

/** The partial files that this process writes. */
const taken = new Set<string>()

/** The same by their real paths: links can lead two paths to one file. */
const identities = new Set<string>()

export const isTaken = (partial: string): boolean => taken.has(partial)

/** The name beside the final one that a run writes under. */
export const partialOf = (path: string, runId: string): string => `${path}.${runId}.partial`

/**
 * Puts another file in the place of one, with its first bytes: what somebody who has it open still writes into it is of no
 * consequence then.
 */
export const takeOver = (fs: FileSystem.FileSystem, path: string, length: number) =>
  Effect.gen(function* () {
    const copy = `${path}.changed`
    yield* fs.remove(copy, { force: true })
    yield* fs.copyFile(path, copy)
    yield* fs.truncate(copy, length)
    yield* Effect.scoped(Effect.flatMap(fs.open(copy, { flag: "r+" }), ({ sync }) => sync))
    yield* fs.rename(copy, path)
  })

const explain = <A>(
  effect: Effect.Effect<A, PlatformError.PlatformError | FileError>,
  path: string
): Effect.Effect<A, FileError> =>
  Effect.mapError(effect, (error) =>
    error._tag === "SystemError" || error._tag === "BadArgument" ? fileError(path, { bytes: 0, rows: 0 })(error) : error
  )

export class GrowingFile {
  readonly path: string
  /** The file behind the path: another one where the path is a symbolic link. */
  readonly target: string
  readonly partial: string
  readonly #in: Surroundings
  readonly #identity: string
  readonly #mode: number | undefined
  #offset = 0
  #flag: "w" | "r+" = "w"
  #waiting: Array<Uint8Array> = []
  #safe = { bytes: 0, rows: 0 }
  /** Bytes that wait to be compressed. */
  waiting = 0

  private constructor(path: string, { identity, mode, target }: Existing.Successor, surroundings: Surroundings) {
    this.path = path
    this.target = target
    this.partial = partialOf(target, surroundings.runId)
    this.#in = surroundings
    this.#identity = partialOf(identity, surroundings.runId)
    this.#mode = mode
  }

  /**
   * {@link release} it when it is of no interest any more; its bytes stay. `made` is told in the same breath: whoever is
   * interrupted either has it to release, or it is free again.
   */
  static open<A>(
    path: string,
    surroundings: Surroundings,
    beginning: Beginning,
    made: (file: GrowingFile) => A
  ): Effect.Effect<A, FileError> {
    return Effect.uninterruptibleMask((restore) =>
      restore(explain(Existing.find(surroundings.fs, path), path)).pipe(
        Effect.flatMap((successor) => {
          const file = new GrowingFile(path, successor, surroundings)
          if (identities.has(file.#identity)) return Effect.fail(new PathTaken({ path }))
          taken.add(file.partial)
          identities.add(file.#identity)
          return restore(file.#explain(file.#begin(beginning))).pipe(
            Effect.onError(() => file.release),
            Effect.map(() => made(file))
          )
        })
      )
    )
  }

  readonly release: Effect.Effect<void> = Effect.sync(() => {
    taken.delete(this.partial)
    identities.delete(this.#identity)
  })

  /** Bytes on disk, compressed if they are. */
  get bytes(): number {
    return this.#offset
  }

  #begin(beginning: Beginning): Effect.Effect<void, PlatformError.PlatformError | FileError> {
    const { fs } = this.#in
    return Effect.gen(this, function* () {
      if (beginning.kind === "resume" && beginning.offset > 0) {
        const { offset, rows } = beginning
        const found = yield* fs.stat(this.partial).pipe(
          Effect.map(({ size }) => Number(size)),
          Effect.orElseSucceed(() => undefined)
        )
        if (found === undefined || found < offset) {
          return yield* new PartialMissing({ path: this.partial, expected: offset, found })
        }
        if (this.#in.mayBeHeld === true) yield* takeOver(fs, this.partial, offset)
        else if (found > offset) yield* fs.truncate(this.partial, offset)
        this.#offset = offset
        this.#safe = { bytes: offset, rows }
        this.#flag = "r+"
        return
      }
      yield* Folder.make(fs, NodePath.dirname(this.target))
      if (this.#in.mayBeHeld === true) yield* fs.remove(this.partial, { force: true })
      if (beginning.kind === "copy") yield* this.#copy(beginning.joint)
      else yield* this.#create
      this.#flag = "r+"
    })
  }

  /** Nobody may read the rows in between who may not read the file that they replace. */
  readonly #create: Effect.Effect<void, PlatformError.PlatformError> = Effect.suspend(() => {
    const { fs, handles } = this.#in
    const mode = this.#mode
    if (mode === undefined) return handles.use(this.partial, "w", () => Effect.void)
    return Effect.zipRight(
      fs.writeFile(this.partial, new Uint8Array(), { mode }),
      Effect.ignore(fs.chmod(this.partial, mode))
    )
  })

  #copy(joint: string): Effect.Effect<void, PlatformError.PlatformError> {
    const { fs, gzip, handles } = this.#in
    return Effect.gen(this, function* () {
      yield* fs.copyFile(this.target, this.partial)
      // The copy has the mode of the original, which may be read-only.
      if (this.#mode !== undefined) yield* Effect.ignore(fs.chmod(this.partial, this.#mode))
      const last = new Uint8Array(1)
      this.#offset = yield* handles.use(this.partial, "r+", (file) =>
        Effect.gen(function* () {
          const size = Number((yield* file.stat).size)
          if (gzip || size === 0) return size
          yield* file.seek(size - 1, "start")
          yield* file.read(last)
          if (last[0] === 0x0a) return size
          yield* file.writeAll(Buffer.from(joint))
          return size + joint.length
        })
      )
    })
  }

  #explain<A>(effect: Effect.Effect<A, PlatformError.PlatformError | FileError>): Effect.Effect<A, FileError> {
    return Effect.mapError(effect, (error) => {
      if (error._tag !== "SystemError" && error._tag !== "BadArgument") return error
      return error._tag === "SystemError" && error.reason === "NotFound" && this.#flag === "r+"
        ? new PartialMissing({ path: this.partial, expected: this.#offset, found: undefined })
        : fileError(this.path, this.#safe)(error)
    })
  }

  #append(bytes: Uint8Array): Effect.Effect<void, FileError> {
    return this.#explain(
      this.#in.handles.use(this.partial, this.#flag, (file) =>
        Effect.zipRight(file.seek(this.#offset, "start"), file.writeAll(bytes))
      )
    ).pipe(
      Effect.tap(() =>
        Effect.sync(() => {
          this.#offset += bytes.length
        })
      )
    )
  }

  /** The bytes may be used again afterwards. */
  write(bytes: Uint8Array): Effect.Effect<void, FileError> {
    if (!this.#in.gzip) return this.#append(bytes)
    return Effect.suspend(() => {
      this.#waiting.push(Uint8Array.prototype.slice.call(bytes))
      this.waiting += bytes.length
      return this.waiting < memberSize ? Effect.void : this.flush
    })
  }

  /** Writes what waits to be compressed, as a member of its own. */
  readonly flush: Effect.Effect<void, FileError> = Effect.suspend(() => {
    if (this.waiting === 0) return Effect.void
    const [first, ...rest] = this.#waiting
    const bytes = first !== undefined && rest.length === 0 ? first : Buffer.concat(this.#waiting)
    this.#waiting = []
    this.waiting = 0
    return Effect.flatMap(member(this.path, bytes), (member) => this.#append(member))
  })

  /** Nothing at all is no gzip file: one without content has a member too. */
  readonly complete: Effect.Effect<void, FileError> = Effect.suspend(() =>
    this.#in.gzip && this.#offset + this.waiting === 0
      ? Effect.flatMap(member(this.path, new Uint8Array()), (member) => this.#append(member))
      : Effect.void
  )

  /** Makes what was written safe; gives the offset. `rows` are told when the disk turns out to be full later. */
  sync(rows: number): Effect.Effect<number, FileError> {
    return Effect.gen(this, function* () {
      yield* this.flush
      yield* this.#explain(this.#in.handles.use(this.partial, this.#flag, (file) => file.sync))
      this.#safe = { bytes: this.#offset, rows }
      return this.#offset
    })
  }

  /** A copy with its bytes changed, beside the partial file. */
  rewrite(change: Change): Effect.Effect<{ readonly partial: string; readonly bytes: number }, FileError> {
    const { fs, gzip } = this.#in
    const changed = `${this.partial}.changed`
    const apply = Stream.map(change)
    return Effect.gen(this, function* () {
      yield* fs.writeFile(changed, new Uint8Array(), this.#mode === undefined ? {} : { mode: this.#mode })
      const target = yield* fs.open(changed, { flag: "r+" })
      const source = fs.stream(this.partial, { chunkSize: memberSize })
      yield* (gzip ? through(this.path, apply)(source) : apply(source)).pipe(
        Stream.runForEach((bytes) => target.writeAll(bytes))
      )
      yield* target.sync
      return { partial: changed, bytes: Number((yield* target.stat).size) }
    }).pipe(Effect.scoped, (effect) => this.#explain(effect))
  }

  readonly discard: Effect.Effect<void> = Effect.suspend(() =>
    this.#in.handles
      .close(this.partial)
      .pipe(
        Effect.zipRight(Effect.ignore(this.#in.fs.remove(this.partial))),
        Effect.zipRight(Effect.ignore(this.#in.fs.remove(`${this.partial}.changed`))),
        Effect.zipRight(this.release)
      )
  )
}
