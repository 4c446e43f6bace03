/**
 * `schedule.backfill`: decides which past window an occurrence runs. The ledger recognizes windows by the inputs of their runs, so a
 * schedule continues where it was after its definition has changed, for example to a later end.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import { isOver, isWindow } from "../Ledger/Model.ts"
import { Ledger } from "../Ledger.ts"
import { windowsOf } from "../Pipeline/Windows.ts"
import { count } from "../Row/Count.ts"
import { isEqual } from "../Row/Difference.ts"
import { isResumable } from "../Run/RunResult.ts"
import { ExitCode } from "../TypedError/ExitCode.ts"
import { TypedError } from "../TypedError.ts"
import { checkScheduled, declaredOf, type ReadOptions } from "./Read.ts"
import type { Task } from "./Scheduler.ts"

/** No window is left to run: the occurrence is skipped. */
export class WindowsDone extends TypedError("WindowsDone", { scope: "run", exitCode: ExitCode.ok })<{
  readonly count: number
}> {
  override get message() {
    const windows = this.count === 1 ? "the only window" : `all ${count(this.count, "window")}`
    return `${windows} of schedule.backfill ${this.count === 1 ? "is" : "are"} completed: remove the schedule, or give it a later end`
  }
}

/** The outputs of a window's run are held, so the backfill does not go on. */
export class WindowHeld extends TypedError("WindowHeld", { scope: "run", exitCode: ExitCode.checkFailed })<{
  readonly from: string
  readonly to: string
  readonly run: string
}> {
  override get message() {
    return `the window ${this.from} to ${this.to} is held: publish or discard run ${this.run} first (sluice publish, sluice discard)`
  }
}

/** Runs of a pipeline's backfill windows, newest first. */
export const backfillRuns = (pipeline: string) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const runs = history.allRuns({ pipeline, backfill: true })
    return [...(yield* Stream.runCollect(runs))].filter(({ options }) => isWindow(options))
  })

/** Task for the first window that is not completed: its run is resumed if possible. Other tasks are returned unchanged. */
export const inWindow = (task: Task, { allowCode, inputs = {}, scope }: ReadOptions) =>
  Effect.gen(function* () {
    const { backfill, checked, resume } = task
    const range = checked.frame.schedule?.backfill
    if (range === undefined || resume !== undefined || backfill === true) return task
    const windows = Either.getOrElse(windowsOf(range, 0), () => [])
    const runs = yield* backfillRuns(checked.frame.name)
    for (const window of windows) {
      // The newest run of the window: earlier ones did not complete.
      const record = runs.find((each) => isEqual(each.inputs, { ...checked.inputs, ...window }))
      if (record?.status === "completed") continue
      if (record?.status === "held") return yield* new WindowHeld({ ...window, run: record.id })
      const resumes = record !== undefined && (!isOver(record.status) || isResumable(record))
      const given = { ...declaredOf(checked.source, inputs), ...window }
      const own = yield* checkScheduled(checked.source, { ...scope, allowCode, inputs: given })
      return {
        ...task,
        checked: own,
        backfill: true,
        resume: resumes ? record : undefined,
        again: resumes || task.again
      }
    }
    return yield* new WindowsDone({ count: windows.length })
  })
