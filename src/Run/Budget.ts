/** How much a run may use, asked before each spend (pipelines 12). */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Budget as Limits } from "../Pipeline/Budget.ts"
import { StepError } from "../Step.ts"
import type { Counters } from "./Counters.ts"
import type { Halt } from "./Halt.ts"
import type { Used } from "./Ledger/Groups.ts"

export interface Budget {
  /** Told when all sinks are open: what files have of earlier lives of the run is not counted. */
  readonly opened: () => void
  /** Fails with the reason `BudgetReached` when nothing may be spent any more. */
  readonly check: Effect.Effect<void, StepError>
  /** Brings the run to a stop when a limit is reached. */
  readonly watch: Effect.Effect<void, StepError>
  /** The limit that was reached, in words. */
  readonly reached: Effect.Effect<string | undefined, StepError>
}

/** What was used at an instant, in milliseconds since 1970. */
export interface Mark extends Used {
  readonly since: number
}

/** The beginning of the day that a budget per day is for, in UTC. */
export const dayOf = (instant: number): number => Math.floor(instant / 86_400_000) * 86_400_000

/** Bytes that sinks have safe on disk, but for those of files that are the run's own. */
export const outputBytes = ({ written }: Counters): number => {
  let sum = 0
  for (const [step, bytes] of written) if (!step.startsWith("~")) sum += bytes
  return sum
}

/**
 * What counts of a run when others spend of the same budget at the same time: told what it has used since it went on, and
 * in all its life.
 */
export type Together = (own: Used, whole: Used) => Effect.Effect<Used, StepError>

const count = (number: number, noun: string): string =>
  `${Number(number.toFixed(2)).toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`

/**
 * `before` are the credits that other runs of the day have used of the same budget. A resumed run counts from where it went
 * on, one of a group `since` an instant.
 */
export const make = (
  limits: Limits | undefined,
  before: number,
  counters: Counters,
  halt: Halt,
  together: Together = Effect.succeed,
  since?: number
): Effect.Effect<Budget> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const begin = since ?? now
    const whole = (): Used => ({
      credits: counters.credits,
      pages: counters.pages,
      rows: counters.rows,
      bytes: outputBytes(counters)
    })
    const start = whole()
    let bytesBefore = start.bytes
    const per = limits?.per === "day" ? "a day" : "a run"
    const own = (): Used => {
      const { bytes, credits, pages, rows } = whole()
      return {
        credits: credits - start.credits + before,
        pages: pages - start.pages,
        rows: rows - start.rows,
        bytes: bytes - bytesBefore
      }
    }
    const exceeded = (now: number, used: Used): string | undefined => {
      if (limits === undefined) return undefined
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
            Effect.suspend(() => together(own(), whole())),
            exceeded
          )
    return {
      opened: () => {
        bytesBefore = outputBytes(counters)
      },
      reached,
      check: Effect.flatMap(reached, (limit) =>
        limit === undefined
          ? Effect.void
          : new StepError({ reason: "BudgetReached", message: `the budget is used up: ${limit}` })
      ),
      watch: Effect.flatMap(reached, (limit) => (limit === undefined ? Effect.void : halt.ask("budget")))
    }
  })
