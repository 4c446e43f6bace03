/** The end of a run on many machines, for those who wait for it. */
import * as Effect from "effect/Effect"
import { Ledger } from "../Ledger.ts"
import * as Run from "../Run.ts"
import type { Output } from "../Step/Output.ts"
import { StepError } from "../Step.ts"
import { Board } from "./Board.ts"
import type { Standing } from "./Run.ts"

/** Between two looks at a run. */
const glance = "500 millis"

/** Until the run is over. While the database is away it is waited for: the run goes on without either. */
export const over = (runId: string) =>
  Effect.flatMap(Board, ({ statusOf }) =>
    Effect.orElseSucceed(statusOf(runId), () => "running").pipe(
      Effect.delay(glance),
      Effect.repeat({ until: (status) => status !== "running" })
    )
  )

const endOf = (status: Standing["status"] | undefined): Run.Summary["status"] =>
  status === undefined || status === "running" ? "failed" : status

/** What has become of the run, as the ledger has it. */
const summaryOf = (runId: string) =>
  Effect.gen(function* () {
    const { find } = yield* Ledger
    const record = yield* find(runId)
    const standing = yield* (yield* Board).standing(runId)
    const rejects = Math.max(record?.rejects ?? 0, standing?.rejects ?? 0)
    // A run that has published what was paid for is completed, and its end says that the budget was reached.
    const isCompleted =
      standing?.status === "completed" || (standing?.status === "budget" && record?.status === "completed")
    const summary: Run.Summary = {
      runId,
      status: endOf(standing?.status),
      rows: isCompleted ? (record?.rows ?? 0) : (standing?.rows ?? 0),
      rejects,
      credits: isCompleted ? (record?.credits ?? 0) : (standing?.credits ?? 0),
      unpricedCalls: record?.unpriced ?? 0,
      durationMs: (record?.endedAt ?? record?.updatedAt ?? 0) - (record?.startedAt ?? 0),
      outputs: (record?.outputs ?? []) as unknown as ReadonlyArray<Output>,
      rejectFile: rejects > 0 && isCompleted && record !== undefined ? `${record.folder}/rejects.jsonl` : undefined,
      resumable: !isCompleted
    }
    return { summary, standing }
  })

/** The summary of a run that is over, if it was completed. */
export const endedWell = (runId: string) =>
  Effect.gen(function* () {
    const { standing, summary } = yield* summaryOf(runId)
    if (summary.status === "completed") return summary
    const reason =
      summary.status === "stopped"
        ? new StepError({ reason: "RunStopped", message: `somebody has stopped run ${runId}` })
        : new StepError({ reason: standing?.reason ?? "Failed", message: standing?.error ?? "it failed" })
    return yield* new Run.RunFailed({ summary, reason })
  })
