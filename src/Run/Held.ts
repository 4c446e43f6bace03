/** Discards the outputs of a held run. What publishes them is a resume, once `Ledger.held.release` has released the run. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { clusterFolder } from "../Ledger/Retention.ts"
import { Ledger } from "../Ledger.ts"
import type { Sealed } from "../Step/Output.ts"

/** Removes the partial files of a held run and its staged state; the published outputs of other runs stay. Safe to repeat. */
export const discard = Effect.fn("Run.discard")(function* (id: string) {
  const { find, held } = yield* Ledger
  const files = yield* FileSystem.FileSystem
  const isUntouched = (sealed: ReadonlyArray<Sealed>) =>
    Effect.every(
      sealed.flatMap((each) => each.files),
      ({ partial }) => Effect.orElseSucceed(files.exists(partial), () => false)
    )
  const sealed = yield* held.discard(id, isUntouched)
  const partials = sealed.flatMap(({ files, scraps }) => [
    ...files.flatMap(({ partial }) => [partial, `${partial}.changed`]),
    ...scraps
  ])
  const run = yield* find(id)
  // Files of the shards.
  const shards = run?.group === id ? [clusterFolder(run.out, id)] : []
  yield* Effect.forEach([...partials, ...shards], (path) => Effect.ignore(files.remove(path, { recursive: true })))
  yield* held.forget(id)
})
