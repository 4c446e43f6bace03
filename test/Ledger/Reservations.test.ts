/** Reservations of a budget that several runs spend from: what counts, and what is worth waiting for. */

import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { BudgetScope, BudgetUsage, Decision, Journal, ReservedAmount } from "../../src/Ledger/Model.ts"
import { expect, it, scoped } from "../It.ts"
import { describeLedgers } from "./Both.ts"
import { behind, checkpoint, ledgerIn, run } from "./Ledgers.ts"

const purse: BudgetScope = { _tag: "Day", pipeline: "watch", since: 0 }

/** Reserves for a run whose process is alive, and gives what counted before. */
const reserve = (journal: Journal, id: string, held: ReservedAmount, from: BudgetScope = purse) =>
  Effect.gen(function* () {
    let seen: BudgetUsage | undefined
    const decide = (standing: BudgetUsage): Decision => {
      seen = standing
      return { _tag: "Granted", units: 1, reserved: held }
    }
    yield* journal.reserve({ id, scope: from, mine: new Set([id]), decide })
    return { credits: seen?.used.credits, pages: seen?.used.pages, isBusy: seen?.isBusy }
  })

const none: ReservedAmount = { credits: 0, pages: 0 }

describeLedgers("reservations of a shared budget", (place, isFile) => {
  scoped("are waited for until their job is over, and count until they are charged", function* () {
    const at = yield* place
    const [one, two] = [yield* ledgerIn(at), yield* ledgerIn(at)]
    const first = yield* one.open(run("r1"))
    const second = yield* two.open(run("r2", { startedAt: 2_000 }))
    const held = { credits: 7, pages: 7 }
    yield* reserve(first, "crawl/job", held)
    expect(yield* reserve(second, "a", none)).toEqual({ credits: 7, pages: 7, isBusy: true })
    const firm = (held: ReservedAmount | undefined, jobCredits = 0) =>
      first.checkpoint(checkpoint({ jobCredits, reservations: [{ id: "crawl/job", remaining: held, isFirm: true }] }))
    yield* firm(held)
    expect(yield* reserve(second, "b", none)).toEqual({ credits: 7, pages: 7, isBusy: false })
    yield* firm({ credits: 3, pages: 3 }, 4)
    expect(yield* reserve(second, "c", none)).toMatchObject({ credits: 7, isBusy: false })
    yield* firm(undefined, 7)
    expect(yield* reserve(second, "d", none)).toEqual({ credits: 7, pages: 0, isBusy: false })
    // A run that reads the rest of a job in a later life may give some of it back until it knows that the job is over.
    yield* reserve(first, "crawl/job", held)
    expect(yield* reserve(second, "e", none)).toMatchObject({ isBusy: true })
  })

  it.scopedLive("counts a call that is charged while another run decides", function* () {
    const at = yield* place
    // Writers of a file wait for each other.
    if (isFile) return
    const [one, two] = [yield* ledgerIn(at), yield* ledgerIn(at)]
    const first = yield* one.open(run("r1", { group: "g" }))
    const second = yield* two.open(run("r2", { group: "g", startedAt: 2_000 }))
    const group: BudgetScope = {
      _tag: "Group",
      group: "g",
      from: { credits: 0, pages: 0, calls: 0, rows: 0, bytes: 0 }
    }
    yield* reserve(first, "a/1", { credits: 1, pages: 1 }, group)
    const isLocked = yield* Deferred.make<void>()
    const decided = yield* Effect.fork(Effect.zipRight(Deferred.await(isLocked), reserve(second, "a/2", none, group)))
    yield* behind(at, (sql) =>
      Effect.gen(function* () {
        yield* sql`LOCK TABLE reservations IN ACCESS EXCLUSIVE MODE`
        yield* Deferred.succeed(isLocked, undefined)
        const waiting = sql`SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'reservations'::regclass`
        yield* Effect.repeat(waiting, { until: (rows) => rows.length > 0 })
        yield* sql`UPDATE runs SET call_pages = call_pages + 1, call_credits = call_credits + 1 WHERE id = 'r1'`
        yield* sql`DELETE FROM reservations WHERE run_id = 'r1'`
      }).pipe(sql.withTransaction)
    )
    expect(yield* Fiber.join(decided)).toMatchObject({ credits: 1, pages: 1 })
  })

  scoped("of a file of an earlier version can all be released", function* () {
    const at = yield* place
    const [one, two] = [yield* ledgerIn(at), yield* ledgerIn(at)]
    yield* one.open(run("r1"))
    const second = yield* two.open(run("r2", { startedAt: 2_000 }))
    yield* behind(
      at,
      (sql) => sql`INSERT INTO reservations (run_id, id, pipeline, group_id, credits, pages, at)
          VALUES ('r1', 'crawl/job', 'watch', NULL, 5, 5, 0)`
    )
    expect(yield* reserve(second, "a", none)).toEqual({ credits: 5, pages: 5, isBusy: true })
  })
})
