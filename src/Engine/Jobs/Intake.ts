/** Brings batches of pages into the store: one that breaks a batch costs itself, and no other page or job. */
import * as Effect from "effect/Effect"
import { crashed } from "./Finished.ts"
import type { Frontier, Settlement, Turnover } from "./Frontier.ts"
import { persist } from "./Patience.ts"

/** Nothing to do for a job, here and now. */
export const gone: Settlement = { job: undefined, tasks: [] }

/** Settles in the name of an owner, until the store has taken it. */
export const make = (
  frontier: Pick<Frontier, "settle">,
  owner: string
): ((turnovers: ReadonlyArray<Turnover>) => Effect.Effect<ReadonlyArray<Settlement>>) => {
  const kept = (turnovers: ReadonlyArray<Turnover>) => persist("a batch of results", frontier.settle(owner, turnovers))

  /** Whom a whole batch has failed: page by page, so that one of them stops nobody else's. */
  const keptApart = ({ jobId, finished, room }: Turnover) => {
    const alone = (turnover: Omit<Turnover, "jobId">) => kept([{ jobId, ...turnover }])
    return Effect.forEach(
      finished,
      (page) =>
        Effect.catchAllDefect(alone({ finished: [page], room: 0 }), () =>
          alone({ finished: [crashed(page.task)], room: 0 })
        ),
      { discard: true }
    ).pipe(
      Effect.zipRight(alone({ finished: [], room })),
      Effect.map((settled) => settled[0] ?? gone),
      // The next survey takes the job up again.
      Effect.catchAllDefect(() => Effect.succeed(gone))
    )
  }

  return (turnovers) => Effect.catchAllDefect(kept(turnovers), () => Effect.forEach(turnovers, keptApart))
}
