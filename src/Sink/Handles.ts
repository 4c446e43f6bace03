/** Open files, a bounded number of them: the one that was not used for longest is closed for the next. */
import type * as PlatformError from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"

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
