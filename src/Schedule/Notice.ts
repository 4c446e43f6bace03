/** What is told to the webhooks of a definition: one JSON object for each. */
import type { Checked } from "../Pipeline/Check.ts"
import type { Event } from "../Pipeline/Schedule.ts"
import type { Summary } from "../Run/RunResult.ts"
import type { InstantStatus } from "./InstantStatus.ts"
import type { NewNotice } from "./Model.ts"

/** What has happened. */
export interface Happening {
  readonly pipeline: string
  readonly file: string
  readonly instant: number
  readonly status: InstantStatus
  readonly reason: string | undefined
  readonly runId?: string | undefined
  readonly attempt?: number | undefined
  readonly summary?: Summary | undefined
  /** Instants that were missed together. */
  readonly missed?: number | undefined
}

/** Reasons may quote pages: as much of them as a message has room for. */
const readable = 2000

/** One notice for each webhook that wants to know. */
export const noticesFor = (
  checked: Checked | undefined,
  event: Event,
  { file, instant, reason, summary, ...rest }: Happening
): ReadonlyArray<NewNotice> =>
  (checked?.frame.notify ?? []).flatMap(({ on }, target) =>
    on.includes(event)
      ? [
          {
            event,
            target,
            body: JSON.stringify({
              event,
              ...rest,
              instant: new Date(instant).toISOString(),
              file,
              reason: reason?.slice(0, readable),
              rows: summary?.rows,
              rejects: summary?.rejects,
              credits: summary?.credits,
              durationMs: summary?.durationMs,
              resumable: summary?.resumable
            })
          }
        ]
      : []
  )
