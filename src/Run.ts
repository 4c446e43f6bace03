/** One execution of a pipeline: its steps at work as stations, taken down at every commit, published at the end. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type * as Stream from "effect/Stream"
import type { Checked } from "./Pipeline/Check.ts"
import type { Scope } from "./Pipeline/Interpolate.ts"
import type { DefinitionInvalid } from "./Pipeline/Mistake.ts"
import type { Row } from "./Row.ts"
import { Counters, type Progress } from "./Run/Counters.ts"
import { execute, type Made, summarise } from "./Run/Execute.ts"
import type { Ledger, RunRecord } from "./Run/Ledger.ts"
import { type Tap, stream as tapped } from "./Run/Rows.ts"
import type { Output } from "./Step/Output.ts"
import type { Services, StepError } from "./Step.ts"

export type { Progress }

/** What became of a run. */
export interface Summary {
  readonly runId: string
  /** `stopped`, `budget` and `failed` runs can be resumed where something was done. */
  readonly status: "completed" | "failed" | "stopped" | "budget"
  readonly rows: number
  readonly rejects: number
  readonly credits: number
  readonly unpricedCalls: number
  readonly durationMs: number
  readonly outputs: ReadonlyArray<Output>
  /** Where the rejected rows are, when there are any. */
  readonly rejectFile?: string | undefined
  /** True when `sluice resume` has something to go on from. */
  readonly resumable: boolean
}

/** The run ended before its end. Nothing stands under a final name but what the summary lists, which is whole. */
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

/** The run that is to be gone on with is not in the ledger. */
export class RunUnknown extends Data.TaggedError("RunUnknown")<{ readonly id: string; readonly place: string }> {
  override get message() {
    return `there is no run ${this.id} in ${this.place}`
  }
}

export interface RunOptions {
  /** The folder that relative output paths are under. */
  readonly out: string
  /** The folder that keeps what the run leaves behind: rejects. */
  readonly dataDir: string
  /** What `${{ env.NAME }}` may read; nothing where nothing is said. */
  readonly env?: Scope["env"] | undefined
  readonly secrets?: Scope["secrets"] | undefined
  /** At most so many rows from each source. */
  readonly wanted?: number | undefined
  /** The address of the pipeline's `site`, while it is served. */
  readonly site?: string | undefined
  /** Takes everything as new, and leaves the state across runs as it is. */
  readonly backfill?: boolean | undefined
  /** Whether code of the project may run (`use`). */
  readonly allowCode?: boolean | undefined
  /** When it should have started; default: now. */
  readonly scheduledFor?: Date | undefined
  /** `$now`, and the time in names; default: the clock's. */
  readonly now?: Date | undefined
  /** The run to go on with. */
  readonly resume?: RunRecord | undefined
  /** Shown the rows that every step gives, while the run waits. */
  readonly observe?: ((step: string, rows: ReadonlyArray<Row>) => Effect.Effect<void>) | undefined
  /** Takes the rows that reach an end of the pipeline. */
  readonly tap?: Tap | undefined
  /** Rows that a step gives in place of its own. */
  readonly instead?: ReadonlyMap<string, ReadonlyArray<Row>> | undefined
}

/** A run that has been made and not begun. */
export interface Run {
  readonly id: string
  readonly progress: Effect.Effect<Progress>
  /** What has become of a run that was interrupted. */
  readonly summary: Effect.Effect<Summary>
  /** Runs to the end. Interrupting it stops the run in order, so that it can be resumed. */
  readonly execute: Effect.Effect<Summary, RunFailed, Services | Ledger>
}

const stamp = (millis: number): string => new Date(millis).toISOString().replace(/[-:]/g, "").slice(0, 15)

const newId = (startedAt: number) =>
  Effect.map(
    Random.nextIntBetween(0, 36 ** 4),
    (suffix) => `${stamp(startedAt)}-${suffix.toString(36).padStart(4, "0")}`
  )

/**
 * Makes a run of a checked definition (`Pipeline.load`, `Pipeline.from`). Nothing happens before it is executed.
 *
 * @example
 * ```ts
 * const pipeline = yield* Pipeline.load("pipelines/crawl-site.yaml", { inputs: { site: "https://docs.example.com" } })
 * const run = yield* Run.make(pipeline, { out: "data", dataDir: ".sluice" })
 * const { outputs, rejects } = yield* run.execute
 * ```
 */
export const make = (
  checked: Checked,
  options: RunOptions
): Effect.Effect<Run, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const { resume } = options
    const startedAt = resume?.startedAt ?? options.now?.getTime() ?? (yield* Clock.currentTimeMillis)
    const id = resume?.id ?? (yield* newId(startedAt))
    const counters = new Counters()
    for (const node of checked.nodes) counters.given.set(node.id, 0)
    const made: Made = { id, startedAt, counters, begun: 0, outputs: [], rejectFile: undefined, resumable: false }
    return {
      id,
      progress: Effect.sync(() => counters.progress()),
      summary: summarise(made, "stopped"),
      execute: execute(checked, options, made).pipe(
        Effect.withSpan("Run.execute", { attributes: { runId: id, pipeline: checked.frame.name } })
      )
    }
  })

/**
 * The rows that reach an end of the pipeline, as they come; its sinks write beside that. Who stops reading stops the run
 * in order. After a crash a resumed run gives those rows again that no commit had yet: use `$key` to tell them.
 */
export const rows = (checked: Checked, options: RunOptions): Stream.Stream<Row, RunFailed, Services | Ledger> =>
  tapped((tap) => Effect.flatMap(make(checked, { ...options, tap }), ({ execute }) => execute))
