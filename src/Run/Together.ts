/** What a run shares with others while it goes on: the rates of its steps, and its budget (pipelines 11, 12). */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Checked } from "../Pipeline/Check.ts"
import { ledgerFailed } from "./Answers.ts"
import * as Budget from "./Budget.ts"
import type { Execution } from "./Execution.ts"
import type { Ledger } from "./Ledger.ts"
import type { RunOptions } from "./Options.ts"

type Opened = typeof Ledger.Service

/**
 * What counts against the budget: of a group what all its runs have used, of a day what is spent on all machines. Asked
 * before each spend; of what others do at the same moment it cannot know.
 */
export const used = (
  { groups, isShared, spentSince }: Opened,
  { frame }: Checked,
  { budgetFrom, group }: RunOptions,
  id: string
): Budget.Together => {
  const { budget } = frame
  const counts =
    budget !== undefined && (["credits", "pages", "rows", "bytes"] as const).some((name) => budget[name] !== undefined)
  if (!counts) return Effect.succeed
  if (budget.per === "day") {
    if (!isShared) return Effect.succeed
    return (own) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.map(Effect.mapError(spentSince(frame.name, Budget.dayOf(now)), ledgerFailed), (credits) => ({
          ...own,
          credits: Math.max(own.credits, credits)
        }))
      )
  }
  if (group === undefined) return Effect.succeed
  const others = groups.used(group, { except: id, pages: budget.pages !== undefined })
  const from = budgetFrom ?? { credits: 0, pages: 0, rows: 0, bytes: 0 }
  // A shard that goes on elsewhere brings no new budget.
  return (_, whole) =>
    Effect.map(Effect.mapError(others, ledgerFailed), ({ bytes, credits, pages, rows }) => ({
      credits: whole.credits + credits - from.credits,
      pages: whole.pages + pages - from.pages,
      rows: whole.rows + rows - from.rows,
      bytes: whole.bytes + bytes - from.bytes
    }))
}

/** Waits until it is this run's turn. */
export const turn = ({ groups }: Opened, { group }: RunOptions): Execution["turn"] =>
  group === undefined
    ? undefined
    : (step, { interval, limit }) =>
        groups.turn(`${group}/${step}`, { limit, interval: Duration.toMillis(interval) }).pipe(
          Effect.mapError(ledgerFailed),
          Effect.flatMap((wait) => (wait === 0 ? Effect.void : Effect.sleep(wait)))
        )
