/** What a session's folder takes of the disk: pages can store as much as they like without loading anything. */
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"

/** How often that is looked at. */
const interval = "10 seconds"

/** Files that come and go meanwhile count as they are seen. */
const sizeOf = (folder: string): Effect.Effect<number> =>
  Effect.tryPromise(() => Fs.readdir(folder, { recursive: true, withFileTypes: true })).pipe(
    Effect.flatMap((entries) =>
      Effect.forEach(
        entries.filter((entry) => entry.isFile()),
        ({ name, parentPath }) =>
          Effect.tryPromise(() => Fs.stat(join(parentPath, name))).pipe(
            Effect.map(({ blocks }) => blocks * 512),
            Effect.orElseSucceed(() => 0)
          ),
        { concurrency: 4 }
      )
    ),
    Effect.map((sizes) => sizes.reduce((sum, size) => sum + size, 0)),
    Effect.orElseSucceed(() => 0)
  )

/** Waits until there is too much in it. */
export const watch = (folder: string, max: number): Effect.Effect<void> =>
  Effect.sleep(interval).pipe(
    Effect.zipRight(sizeOf(folder)),
    Effect.repeat({ until: (size) => size > max }),
    Effect.asVoid
  )
