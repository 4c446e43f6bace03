/** Pools of worker threads that teams share fairly. */
import * as Effect from "effect/Effect"
import { Lost, type Program, type ThreadOptions, Threads } from "../../Callback/Threads.ts"
import * as FairQueue from "./FairQueue.ts"
import { Cancelled, placed, plainly, type Work } from "./Work.ts"

export { Lost } from "../../Callback/Threads.ts"

export interface PoolOptions extends ThreadOptions {
  /** Maximum threads, shared fairly between teams. Further messages wait. */
  readonly size: number
}

export interface Pool {
  /** Sends a message to a thread for the work's team. Rejects with `Lost`. */
  readonly open: (work: Work, message: unknown) => Promise<unknown>
  /** Like `open`, as an effect for a team. `lost` creates the failure. */
  readonly ask: <E>(team: string, message: unknown, lost: (reason: string) => E) => Effect.Effect<unknown, E>
}

/** Creates a pool of threads that run one program. They end with the scope; messages still waiting are then interrupted. */
export const pool = Effect.fnUntraced(function* (program: Program, { size, ...options }: PoolOptions) {
  const shares = yield* FairQueue.ofEngine(size)
  const threads = new Threads(program, options)
  yield* Effect.addFinalizer(() => Effect.promise(() => threads.close()))
  const open: Pool["open"] = (work, message) =>
    placed(work, shares, () =>
      threads.ask(
        message,
        (end) => work.onCancel(end),
        () => new Cancelled()
      )
    )
  const pool: Pool = {
    open,
    ask: (team, message, lost) =>
      plainly<unknown, never>((work) => open(work, message)).pipe(
        Effect.catchAllDefect((defect) =>
          defect instanceof Lost ? Effect.fail(lost(defect.message)) : Effect.die(defect)
        ),
        Effect.provideService(FairQueue.Owner, team)
      )
  }
  return pool
})
