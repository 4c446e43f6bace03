/** How much a run may use, asked before each spend (pipelines 12). */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Budget as Limits } from "../Pipeline/Budget.ts"
import { StepError } from "../Step.ts"
import type { Counters } from "./Counters.ts"
import type { Halt } from "./Halt.ts"

export interface Budget {
  /** Fails with the reason `BudgetReached` when nothing may be spent any more. */
  readonly check: Effect.Effect<void, StepError>
  /** Brings the run to a stop when a limit is reached. */
  readonly watch: Effect.Effect<void, StepError>
  /** The limit that was reached, in words. */
  readonly reached: Effect.Effect<string | undefined, StepError>
}

export interface Used {
  readonly credits: number
  readonly pages: number
  readonly rows: number
}

/**
 * What counts of a run when others spend of the same budget at the same time: told what it has used since it went on, and
 * in all its life.
 */
export type Together = (own: Used, whole: Used) => Effect.Effect<Used, StepError>

const count = (number: number, noun: string): string =>
  `${Number(number.toFixed(2)).toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`

/**
 * `before` are the credits that other runs of the day have used of the same budget; `bytes` is what the outputs have come
 * to. A resumed run counts from where it went on.
 */
export const make = (
  limits: Limits | undefined,
  before: number,
  counters: Counters,
  bytes: () => number,
  halt: Halt,
  together: Together = Effect.succeed
): Effect.Effect<Budget> =>
  Effect.map(Clock.currentTimeMillis, (begin) => {
    const start = { credits: counters.credits, pages: counters.pages, rows: counters.rows, bytes: bytes() }
    const per = limits?.per === "day" ? "a day" : "a run"
    const own = (): Used => ({
      credits: counters.credits - start.credits + before,
      pages: counters.pages - start.pages,
      rows: counters.rows - start.rows
    })
    const exceeded = (now: number, counted: Used): string | undefined => {
      if (limits === undefined) return undefined
      const used = { ...counted, bytes: bytes() - start.bytes }
      for (const name of ["credits", "pages", "rows", "bytes"] as const) {
        const limit = limits[name]
        if (limit !== undefined && used[name] >= limit)
          return `${count(used[name], name.slice(0, -1))} of ${limit.toLocaleString("en-US")} ${per}`
      }
      const { duration } = limits
      return duration !== undefined && now - begin >= Duration.toMillis(duration)
        ? `${Duration.format(duration)} are over`
        : undefined
    }
    const reached =
      limits === undefined
        ? Effect.succeed(undefined)
        : Effect.zipWith(
            Clock.currentTimeMillis,
            Effect.suspend(() => together(own(), counters)),
            exceeded
          )
    return {
      reached,
      check: Effect.flatMap(reached, (limit) =>
        limit === undefined
          ? Effect.void
          : new StepError({ reason: "BudgetReached", message: `the budget is used up: ${limit}` })
      ),
      watch: Effect.flatMap(reached, (limit) => (limit === undefined ? Effect.void : halt.ask("budget")))
    }
  })
