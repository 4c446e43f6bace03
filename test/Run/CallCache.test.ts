import * as Effect from "effect/Effect"
import * as Budget from "../../src/Run/Budget.ts"
import * as CallCache from "../../src/Run/CallCache.ts"
import { makeBuffer } from "../../src/Run/Checkpoint.ts"
import { Counters } from "../../src/Run/Progress.ts"
import * as Shutdown from "../../src/Run/Shutdown.ts"
import { documented } from "../../src/Step/Cost.ts"
import { expect, scoped } from "../It.ts"
import { run, withLedger } from "../Ledger/Ledgers.ts"
import { tempDir } from "../Local.ts"

scoped(
  "an answer from before a crash goes to the task that made the call, and not to a later task with the same key",
  function* () {
    const folder = yield* tempDir
    let asked = 0
    const ask = Effect.sync(() => `answer ${++asked}`)
    /** Opens the run, and asks for the answer once for each element; true releases the answer afterwards. */
    const live = (settles: ReadonlyArray<boolean>) =>
      withLedger(folder, (ledger) =>
        Effect.gen(function* () {
          const counters = new Counters()
          const shutdown = yield* Shutdown.make
          const budget = yield* Budget.make({ limits: undefined, counters, shutdown, rate: documented })
          const cache = yield* CallCache.make({
            journal: yield* ledger.open(run("r1")),
            counters,
            budget,
            shutdown,
            buffer: makeBuffer(counters)
          })
          return yield* Effect.forEach(settles, (settles) =>
            Effect.tap(
              cache.once({ step: "scrape", mark: "m/call", book: undefined }, () => ask),
              () => Effect.sync(() => settles && cache.release("scrape", ["m/call"]))
            )
          )
        })
      )
    expect(yield* live([false])).toEqual(["answer 1"])
    // The task that asked again within its life, then the next one that looks like it.
    expect(yield* live([false, true, false])).toEqual(["answer 1", "answer 1", "answer 2"])
  }
)
