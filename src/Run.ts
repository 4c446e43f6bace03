/** One run of a pipeline: makes, executes or resumes it, or streams its rows. */
import * as NodePath from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import { Ledger } from "./Ledger.ts"
import { type Checked, definitionHash, type TypedChecked } from "./Pipeline/Check.ts"
import { isEqual } from "./Row/Difference.ts"
import type { Data, Row, TypedRow } from "./Row.ts"
import * as Held from "./Run/Held.ts"
import * as Lineage from "./Run/Lineage.ts"
import { measureRun } from "./Run/Metrics.ts"
import { Counters, fileNames, type Progress } from "./Run/Progress.ts"
import { pathIn } from "./Run/Rejects.ts"
import { makeRowStream } from "./Run/RowStream.ts"
import * as RunLog from "./Run/RunLog.ts"
import {
  isPublished,
  type Phase,
  RunDiffers,
  type RunFailed,
  type RunHandle,
  RunUnknown,
  type Summary,
  summarize
} from "./Run/RunResult.ts"
import { isTrial, optionsOf, type RunOptions, trialFolder } from "./Run/RunSpec.ts"
import { execute } from "./Run/Runtime.ts"
import type { Services } from "./Step.ts"

export { keyOf, type Row, type TypedRow } from "./Row.ts"
export type { Progress } from "./Run/Progress.ts"
export { RunDiffers, RunFailed, RunUnknown, type Summary } from "./Run/RunResult.ts"
export type { RunOptions } from "./Run/RunSpec.ts"
export { StepError } from "./Step.ts"

/** A run of a pipeline. Execute it once. */
export interface Run {
  readonly id: string
  readonly progress: Effect.Effect<Progress>
  /** Summary so far, with the status `stopped`: for a run that was interrupted. */
  readonly summary: Effect.Effect<Summary>
  /** Runs to the end. Interrupting it stops the run at a checkpoint, so that it can be resumed. */
  readonly execute: Effect.Effect<Summary, RunFailed, Services | Ledger>
}

const stamp = (millis: number): string => new Date(millis).toISOString().replace(/[-:]/g, "").slice(0, 15)

/** Random base-36 digits after the second. Among a thousand runs in one second, two get the same id with a probability of 0.02 %. */
const suffixLength = 6

/** New id for a run that started at this time. */
export const newId = (startedAt: number) =>
  Effect.map(
    Random.nextIntBetween(0, 36 ** suffixLength),
    (suffix) => `${stamp(startedAt)}-${suffix.toString(36).padStart(suffixLength, "0")}`
  )

/** Log options of a run. Shards log to their parent run: warnings, errors and why they failed, but neither start nor end. */
const logOptions = ({ frame, source }: Checked, { parentRun, resume }: RunOptions, id: string): RunLog.LogOptions =>
  parentRun === undefined
    ? { run: id, start: `${resume === undefined ? "started" : "resumed"}: ${frame.name} of ${source.file}` }
    : { run: parentRun, label: id.slice(parentRun.length + 1) }

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
    const id = resume?.id ?? options.id ?? (yield* newId(startedAt))
    const out =
      options.out ?? NodePath.resolve(isTrial(options) ? trialFolder(options.dataDir, checked.frame.name, id) : ".")
    const counters = new Counters(fileNames(checked))
    for (const node of checked.nodes) counters.given.set(node.id, 0)
    const handle: RunHandle = {
      id,
      startedAt,
      counters,
      rejectFile: yield* pathIn(`${options.dataDir}/runs/${id}`),
      phase: yield* Ref.make<Phase>({ _tag: "Created" })
    }
    const lineage = yield* Lineage.make(checked, { ...options, out }, handle)
    const carryOut = (logOpened: Effect.Effect<void>) => {
      const opened = (run: string) =>
        Effect.all([logOpened, lineage.started, options.opened?.(run) ?? Effect.void], { discard: true })
      const warned = options.parentRun === undefined ? Held.warnOfWaiting(checked.frame.name, id) : Effect.void
      return execute(checked, { ...options, out, opened }, handle).pipe(
        Effect.tap(() => warned),
        Effect.tapError(({ summary }) => (summary.status === "held" ? warned : Effect.void)),
        Effect.onExit(lineage.ended),
        Effect.annotateLogs({ run: id, pipeline: checked.frame.name }),
        (run) => measureRun(run, checked.frame.name, counters, isPublished(handle))
      )
    }
    return {
      id,
      progress: Effect.sync(() => counters.progress()),
      summary: summarize(handle, "stopped"),
      execute: (options.log === false
        ? carryOut(Effect.void)
        : RunLog.record(carryOut, logOptions(checked, options, id))
      ).pipe(
        Effect.withSpan("Run.execute", {
          captureStackTrace: false,
          attributes: { "sluice.run.id": id, "sluice.pipeline": checked.frame.name }
        })
      )
    }
  })

/**
 * Streams the rows that reach an end of the pipeline, while its sinks write. A reader that stops early stops the run at a checkpoint. A
 * run resumed after a crash repeats the rows that were not committed yet: recognize them by `$key`.
 *
 * `Content` is the type of the rows' content. It is inferred for a definition made by `Pipeline.make`. For a file you state it, unchecked:
 * take the interface of the pipeline's contract, whose `onType: reject` and `onMissing: reject` let no other row pass.
 *
 * @example
 * ```ts
 * // sluice contract emit shop.yaml --format typescript > shop.rows.ts
 * import type { Shop } from "./shop.rows.ts"
 *
 * Stream.runForEach(Run.rows<Shop>(pipeline, { dataDir: ".sluice" }), ({ data }) => Console.log(data.price.toFixed(2)))
 * ```
 */
export const rows = <Content extends object = Data>(
  checked: Checked | TypedChecked<Content>,
  options: RunOptions
): Stream.Stream<TypedRow<Content>, RunFailed, Services | Ledger> =>
  makeRowStream((tap) => Effect.flatMap(make(checked, { ...options, tap }), ({ execute }) => execute)).pipe(
    // Unchecked: the caller states the type of the rows.
    Stream.map((row) => row as Row as TypedRow<Content>)
  )

/**
 * Options of {@link make} and {@link rows} to resume a run; it keeps the options that it began with. Fails with
 * `RunUnknown` when the ledger has no such run, and with `RunDiffers` when it began with another definition or other
 * inputs.
 *
 * @example
 * ```ts
 * const run = yield* Run.make(pipeline, { dataDir: ".sluice", ...(yield* Run.resuming(id, pipeline)) })
 * ```
 */
export const resuming = (id: string, checked: Checked, { withCurrent = false } = {}) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const record = yield* ledger.find(id)
    if (record === undefined) return yield* new RunUnknown({ id, place: ledger.place })
    const { inputs, registry, source } = checked
    const isSame =
      record.definition === source.text &&
      (registry?.hash === undefined || record.definitionHash === definitionHash(checked))
    if (!withCurrent && !isSame) return yield* new RunDiffers({ id, what: "definition" })
    if (!isEqual(record.inputs, inputs)) return yield* new RunDiffers({ id, what: "inputs" })
    return optionsOf(record)
  })
