/**
 * Trials: runs that take only some rows of each source (`--limit`). A trial changes nothing that real runs rely on.
 *
 * - It neither reads nor advances the state across runs.
 * - Without an output folder of its own it writes below `trial/PIPELINE/RUN` of the data folder.
 * - All of its outputs lie below its folder, absolute paths and paths with `..` too.
 * - In a folder that it was given, it replaces and continues only files whose last writer was a trial of the same pipeline.
 */
import * as NodePath from "node:path"
import * as Effect from "effect/Effect"
import { sanitize } from "../Sink/Path.ts"
import { StepError } from "../Step.ts"
import { Ledger } from "./Ledger.ts"
import type { RunOptions } from "./Options.ts"

export const isTrial = ({ trial, wanted }: Pick<RunOptions, "trial" | "wanted">): boolean =>
  trial ?? wanted !== undefined

/** The folder of a trial that was given none. */
export const folderOf = (dataDir: string, pipeline: string, runId: string): string =>
  NodePath.resolve(dataDir, "trial", sanitize(pipeline), runId)

/** What the sinks of a trial are given: whether a file that is there may be replaced. The ledger is asked once, and only then. */
export const guard = (pipeline: string) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const written = yield* Effect.cached(
      Effect.mapError(
        history.trialOutputs(pipeline),
        (error) => new StepError({ reason: error._tag, message: error.message, cause: error })
      )
    )
    return { mayReplace: (path: string) => Effect.map(written, (paths) => paths.has(path)) }
  })
