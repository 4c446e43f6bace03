/** The files that a run will write, and what is there already. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { below, perRun, placeholdersOf } from "../../Sink/Destination.ts"
import type { Destination } from "../../Step/Output.ts"

export interface PlannedOutput {
  readonly step: string
  readonly format: string
  readonly mode: string
  /** Absolute; what only the run or a row knows stands in it as `{name}`. */
  readonly path: string
  /** Undefined when its name is not known yet. */
  readonly exists: boolean | undefined
}

/** The file of a sink; undefined while its path is not known. */
export const outputOf = (
  step: string,
  output: Destination | undefined,
  { date, isTrial, out }: { readonly out: string; readonly date: string; readonly isTrial: boolean }
): Effect.Effect<PlannedOutput | undefined, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    if (output === undefined) return undefined
    const { format, mode, partitions, path: written } = output
    if (written === "-") return { step, format, mode: "stream", path: "-", exists: false }
    const named = mode === "perRun" ? perRun(written) : written
    const template = isTrial ? below(named) : named
    const filled = partitions.includes("date") ? template : template.replaceAll("{date}", date)
    const path = (yield* Path.Path).resolve(out, filled)
    const exists =
      placeholdersOf(filled).length > 0
        ? undefined
        : yield* Effect.orElseSucceed((yield* FileSystem.FileSystem).exists(path), () => false)
    return { step, format, mode, path, exists }
  })
