/** Locks of machines that share a Postgres: judged by its clock, free within seconds, and no use to who has lost one. */

import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import { expect, it, scoped } from "../It.ts"
import { place } from "../Postgres.ts"
import { describeWithPostgres } from "../WithPostgres.ts"
import { behind, checkpoint, ledgerIn, run } from "./Ledgers.ts"

/** A lock of another machine that was last heard of so many milliseconds ago. */
const heldElsewhere = (at: string, name: string, ago: number) =>
  behind(
    at,
    (
      sql
    ) => sql`INSERT INTO locks (name, owner, host, pid, since, beat) VALUES (${name}, 'x', 'elsewhere/boot/4026', 7, 0,
      floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - ${ago}::int)`
  )

/** As if the server had been there for long. */
const rested = (at: string) =>
  behind(at, (sql) => sql`SELECT pg_sleep(greatest(0, 4.2 - extract(epoch FROM now() - pg_postmaster_start_time())))`)

describeWithPostgres("locks in Postgres", () => {
  scoped("allow one process to open a run, and are released with the scope", function* () {
    const at = yield* place
    const [one, two] = [yield* ledgerIn(at), yield* ledgerIn(at)]
    const scope = yield* Scope.make()
    yield* Scope.extend(one.open(run("r1", { stateKey: "s" })), scope)
    expect(yield* Effect.flip(Effect.scoped(two.open(run("r1"))))).toMatchObject({ _tag: "Locked", name: "run r1" })
    const other = yield* Effect.flip(Effect.scoped(two.open(run("r2", { stateKey: "s" }))))
    expect(other).toMatchObject({ _tag: "Locked", name: "state s" })
    expect(yield* two.find("r2")).toBeUndefined()
    expect(yield* two.history.alive).toEqual(new Set(["r1"]))
    yield* Scope.close(scope, Exit.void)
    yield* Effect.scoped(two.open(run("r1")))
  })

  scoped("are free four seconds after the last heartbeat by the clock of the server", function* () {
    const at = yield* place
    const ledger = yield* ledgerIn(at)
    yield* rested(at)
    yield* heldElsewhere(at, "run r1", 2_000)
    yield* heldElsewhere(at, "run r2", 4_100)
    yield* TestClock.adjust("1 day")
    const locked = yield* Effect.flip(Effect.scoped(ledger.open(run("r1"))))
    expect(locked).toMatchObject({ _tag: "Locked", owner: "process 7 on elsewhere" })
    expect(yield* ledger.history.alive).toEqual(new Set(["run r1".slice(4)]))
    yield* ledger.open(run("r2"))
  })

  scoped("once lost, end the run within a second: nothing more is written, and no row moves", function* () {
    const at = yield* place
    const ledger = yield* ledgerIn(at)
    const journal = yield* ledger.open(run("r1"))
    yield* journal.checkpoint(checkpoint({ rows: 1 }))
    const told = yield* Effect.fork(Effect.flip(journal.lockLost))
    yield* behind(at, (sql) => sql`UPDATE locks SET owner = 'thief'`)
    yield* journal.verifyLocks
    yield* TestClock.adjust("1 second")
    expect((yield* Fiber.join(told)).message).toContain("another process has taken this work over")
    const writes = [
      journal.checkpoint(checkpoint({ rows: 2 })),
      journal.recordCall({ step: "a", mark: "1", answer: 1, credits: 1 }),
      journal.recordSealed([]),
      journal.complete(null),
      journal.end("failed")
    ]
    for (const write of writes) expect((yield* Effect.flip(write)).message).toContain("taken this work over")
    yield* TestClock.adjust("4 seconds")
    expect((yield* Effect.flip(journal.verifyLocks)).message).toContain("taken this work over")
    expect(yield* ledger.find("r1")).toMatchObject({ rows: 1, status: "running", credits: 0 })
  })

  it.scopedLive("are taken by exactly one of many that find them stale", function* () {
    const at = yield* place
    const ledgers = yield* Effect.forEach([1, 2, 3, 4], () => ledgerIn(at))
    yield* rested(at)
    yield* heldElsewhere(at, "run r1", 60_000)
    const opened = yield* Effect.all(
      ledgers.map((ledger) => Effect.either(ledger.open(run("r1")))),
      { concurrency: "unbounded" }
    )
    expect(opened.map((each) => (each._tag === "Right" ? "opened" : each.left._tag)).toSorted()).toEqual([
      "Locked",
      "Locked",
      "Locked",
      "opened"
    ])
  })
})
