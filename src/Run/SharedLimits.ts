/**
 * Limits that a run shares with other runs, through the ledger: the budget of a day or of a run in shards, and the
 * rates of steps in shards.
 *
 * The ledger decides: a reservation or a turn is granted in one transaction, so two processes never get the same
 * credits or the same turn. Reservations of a killed process stay until its run is resumed.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Journal } from "../Ledger/Model.ts"
import type { BudgetScope, Usage } from "../Ledger/SharedLimits.ts"
import type { Ledger } from "../Ledger.ts"
import type { Checked } from "../Pipeline/Check.ts"
import type { StepError } from "../Step.ts"
import * as Budget from "./Budget.ts"
import type { RunContext } from "./RunContext.ts"
import { ledgerFailed } from "./RunErrors.ts"
import type { RunOptions } from "./RunSpec.ts"

type Opened = typeof Ledger.Service

/** Usage of this run and of all others that share its budget. Usage of this run may not be in the ledger yet. */
const spentBy =
  ({ sharedLimits, creditsSince }: Opened, { frame }: Checked, { budgetFrom, group }: RunOptions, id: string) =>
  (own: () => Usage, whole: () => Usage): Effect.Effect<Usage, StepError> => {
    if (group === undefined) {
      return Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.map(Effect.mapError(creditsSince(frame.name, Budget.dayOf(now)), ledgerFailed), (credits) => ({
          ...own(),
          credits: Math.max(own().credits, credits)
        }))
      )
    }
    const from = budgetFrom ?? nothing
    const others = sharedLimits.used(group, id)
    // A shard that is resumed on another machine gets no new budget.
    return Effect.map(Effect.mapError(others, ledgerFailed), ({ bytes, credits, pages, rows }) => ({
      credits: whole().credits + credits - from.credits,
      pages: whole().pages + pages - from.pages,
      rows: whole().rows + rows - from.rows,
      bytes: whole().bytes + bytes - from.bytes
    }))
  }

const nothing: Usage = { credits: 0, pages: 0, rows: 0, bytes: 0 }

/**
 * Account of a budget that other runs spend from, too: of a pipeline and day, or of a group. Undefined when this run is
 * alone.
 */
export const sharedAccount = (
  ledger: Opened,
  checked: Checked,
  options: RunOptions,
  id: string,
  journal: Journal
): Budget.BudgetOptions["account"] => {
  const { budget, name } = checked.frame
  const { budgetFrom: from = nothing, group } = options
  if (budget === undefined || (budget.per !== "day" && group === undefined)) return undefined
  const purse: Effect.Effect<BudgetScope> =
    budget.per === "day"
      ? Effect.map(Clock.currentTimeMillis, (now) => ({ _tag: "Day", pipeline: name, since: Budget.dayOf(now) }))
      : Effect.succeed({ _tag: "Group", group: group ?? id, from })
  const spent = spentBy(ledger, checked, options, id)
  return ({ openReservations, own, whole }) => ({
    isShared: true,
    reserve: (reservation, decide) =>
      Effect.flatMap(purse, (purse) =>
        Effect.mapError(
          journal.reserve({ id: reservation, scope: purse, mine: openReservations(), decide }),
          ledgerFailed
        )
      ),
    release: (reservation) => Effect.mapError(journal.release(reservation), ledgerFailed),
    used: Effect.suspend(() => spent(own, whole))
  })
}

/** Makes the wait for a turn at a step's rate; undefined when this run is alone. */
export const makeAwaitTurn = ({ sharedLimits }: Opened, { group }: RunOptions): RunContext["awaitTurn"] =>
  group === undefined
    ? undefined
    : (step, { interval, limit }) =>
        sharedLimits.takeTurn(`${group}/${step}`, { limit, interval: Duration.toMillis(interval) }).pipe(
          Effect.mapError(ledgerFailed),
          Effect.flatMap((wait) => (wait === 0 ? Effect.void : Effect.sleep(wait)))
        )
