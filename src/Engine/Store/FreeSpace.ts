/** Space left on the disk of the data folder, as the system tells it. */
import * as Fs from "node:fs/promises"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Space } from "./Storage.ts"

/** Undefined where the system does not tell, and where nothing is kept on a disk. */
export class FreeSpace extends Context.Reference<FreeSpace>()("sluice/Engine/FreeSpace", {
  defaultValue: (): Effect.Effect<Space | undefined> => Effect.succeed(undefined)
}) {}

export const look = (folder: string): Effect.Effect<Space | undefined> =>
  Effect.tryPromise(() => Fs.statfs(folder)).pipe(
    Effect.map(({ bavail, blocks, bsize }) => ({ free: bavail * bsize, total: blocks * bsize })),
    Effect.orElseSucceed(() => undefined)
  )

/** Looks at most once in a second. */
export const layer = (folder: string): Layer.Layer<never> =>
  Layer.effect(FreeSpace, Effect.cachedWithTTL(look(folder), "1 second"))
