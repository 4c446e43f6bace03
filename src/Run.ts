/** One execution of a pipeline: its steps folded into streams, its rows counted, its outputs published at the end. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Ref from "effect/Ref"
import type { Checked } from "./Pipeline/Check.ts"
import type { Scope } from "./Pipeline/Interpolate.ts"
import type { DefinitionInvalid } from "./Pipeline/Mistake.ts"
import { assemble } from "./Run/Assembly.ts"
import type { Execution } from "./Run/Execution.ts"
import * as Rejects from "./Run/Rejects.ts"
import type { Output, Publish, Services, StepError } from "./Step.ts"

/** How far a run has come. */
export interface Progress {
  /** Rows that sources and jobs have promised so far. */
  readonly expected: number
  /** Rows that each step has given. */
  readonly steps: Readonly<Record<string, number>>
  /** Rows that have reached an end of the pipeline. */
  readonly rows: number
  readonly rejects: number
  readonly credits: number
  /** Calls whose price the service did not say. */
  readonly unpriced: number
}

/** What became of a run. */
export interface Summary {
  readonly runId: string
  readonly status: "completed" | "failed"
  readonly rows: number
  readonly rejects: number
  readonly credits: number
  readonly unpricedCalls: number
  readonly durationMs: number
  readonly outputs: ReadonlyArray<Output>
  /** Where the rejected rows are, when there are any. */
  readonly rejectFile?: string | undefined
}

/** The run stopped. Nothing stands under a final name but what the summary lists, which is whole. */
export class RunFailed extends Data.TaggedError("RunFailed")<{
  readonly summary: Summary
  readonly reason: StepError | DefinitionInvalid
}> {
  override get message() {
    const { reason } = this
    return reason._tag === "StepError" && reason.step !== undefined
      ? `${reason.definedAt}  ${reason.step}: ${reason.message}`
      : reason.message
  }
}

export interface RunOptions {
  /** The folder that relative output paths are under. */
  readonly out: string
  /** The folder that keeps what the run leaves behind: rejects. */
  readonly dataDir: string
  readonly env: Scope["env"]
  readonly secrets: Scope["secrets"]
  /** At most so many rows from each source. */
  readonly wanted?: number | undefined
  /** The address of the pipeline's `site`, while it is served. */
  readonly site?: string | undefined
}

/** A run that has been made and not begun. */
export interface Run {
  readonly id: string
  readonly progress: Effect.Effect<Progress>
  /** Runs to the end. Interrupting it stops the run and leaves nothing half-written. */
  readonly execute: Effect.Effect<Summary, RunFailed, Services>
}

const stamp = (millis: number): string => new Date(millis).toISOString().replace(/[-:]/g, "").slice(0, 15)

/** Makes a run of a checked definition. */
export const make = (
  checked: Checked,
  options: RunOptions
): Effect.Effect<Run, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const startedAt = yield* Clock.currentTimeMillis
    const suffix = yield* Random.nextIntBetween(0, 36 ** 4)
    const id = `${stamp(startedAt)}-${suffix.toString(36).padStart(4, "0")}`
    const progress = yield* Ref.make<Progress>({
      expected: 0,
      steps: Object.fromEntries(checked.nodes.map((node) => [node.id, 0])),
      rows: 0,
      rejects: 0,
      credits: 0,
      unpriced: 0
    })
    const rejects = yield* Rejects.make(`${options.dataDir}/runs/${id}`)

    const summarise = (status: Summary["status"]) =>
      Effect.gen(function* () {
        const outputs = yield* Ref.get(published)
        const { rows, rejects: rejected, credits, unpriced } = yield* Ref.get(progress)
        const now = yield* Clock.currentTimeMillis
        const summary: Summary = {
          runId: id,
          status,
          rows,
          rejects: rejected,
          credits,
          unpricedCalls: unpriced,
          durationMs: now - startedAt,
          outputs,
          rejectFile: rejected > 0 ? rejects.path : undefined
        }
        return summary
      })

    const publications = yield* Ref.make<ReadonlyArray<Effect.Effect<Publish, StepError>>>([])
    const published = yield* Ref.make<ReadonlyArray<Output>>([])
    const execution: Execution = {
      ...options,
      id,
      startedAt: new Date(startedAt),
      progress,
      rejects,
      publications,
      published
    }
    const execute = assemble(checked, execution).pipe(
      Effect.scoped,
      Effect.zipRight(summarise("completed")),
      Effect.catchAll((reason) => Effect.flatMap(summarise("failed"), (summary) => new RunFailed({ summary, reason }))),
      Effect.withSpan("Run.execute", { attributes: { runId: id, pipeline: checked.frame.name } })
    )
    return { id, progress: Ref.get(progress), execute }
  })
