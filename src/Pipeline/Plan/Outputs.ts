/** The files that a run will write, and what is there already. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { sinks } from "../../Sink/All.ts"
import { below, perRun, placeholdersOf } from "../../Sink/Destination.ts"

export interface PlannedOutput {
  readonly step: string
  readonly format: string
  readonly mode: string
  /** Absolute; what only the run or a row knows stands in it as `{name}`. */
  readonly path: string
  /** Undefined when its name is not known yet. */
  readonly exists: boolean | undefined
}

/** The file of a `write`, by its decoded fields; undefined when they are not known yet. */
export const outputOf = (
  step: string,
  config: unknown,
  { date, isTrial, out }: { readonly out: string; readonly date: string; readonly isTrial: boolean }
): Effect.Effect<PlannedOutput | undefined, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    if (typeof config !== "object" || config === null) return undefined
    const fields = config as Readonly<Record<string, unknown>>
    const sink = sinks.find(({ key }) => key in fields)
    const written = sink === undefined ? undefined : fields[sink.key]
    if (sink === undefined || typeof written !== "string") return undefined
    if (written === "-") return { step, format: sink.key, mode: "stream", path: "-", exists: false }
    const mode = typeof fields.mode === "string" ? fields.mode : "replace"
    const named = mode === "perRun" ? perRun(written) : written
    const template = isTrial ? below(named) : named
    const isRows = Object.hasOwn(fields.partitionBy ?? {}, "date")
    const filled = isRows ? template : template.replaceAll("{date}", date)
    const path = (yield* Path.Path).resolve(out, filled)
    const exists =
      placeholdersOf(filled).length > 0
        ? undefined
        : yield* Effect.orElseSucceed((yield* FileSystem.FileSystem).exists(path), () => false)
    return { step, format: sink.key, mode, path, exists }
  })
