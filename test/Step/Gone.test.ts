/** Gone rows of `dedupe`: each comes once, also when a run is resumed between two batches of them. */

import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Json } from "../../src/Row.ts"
import { makeChangeDetector } from "../../src/Step/ChangeDetector.ts"
import { KeySet } from "../../src/Step/KeySet.ts"
import type * as Step from "../../src/Step.ts"
import { expect, it } from "../It.ts"
import { checkpoint, ledgerIn, run } from "../Ledger/Ledgers.ts"
import { tempDir } from "../Local.ts"

it.scoped(
  "gone rows go on behind the last one, also with keys that databases and strings order differently",
  function* () {
    const ledger = yield* ledgerIn(yield* tempDir)
    // U+FF21 is before U+1F600 by code points, and behind it by UTF-16.
    const last = ["\uff21", "\u{1f600}"]
    const keys = [...Array.from({ length: 999 }, (_, n) => `a${String(n).padStart(4, "0")}`), ...last]
    yield* Effect.gen(function* () {
      const journal = yield* ledger.open(run("r1", { stateKey: "s" }))
      const state = keys.map((key) => ({ step: "dedupe", change: { key, value: null, rowKey: key } }))
      yield* journal.checkpoint(checkpoint({ state }))
      yield* journal.complete(null)
    }).pipe(Effect.scoped)
    const journal = yield* ledger.open(run("r2", { stateKey: "s" }))
    const state: Pick<Step.StepState, "active" | "each" | "put" | "met" | "whyIncomplete"> = {
      active: true,
      each: (visit) => Effect.orDie(journal.state("dedupe", visit)),
      put: () => Effect.void,
      met: Effect.succeed(new Set()),
      whyIncomplete: Effect.succeed(undefined)
    }
    const context = {
      id: "dedupe",
      state,
      startedAt: new Date(0),
      warnOnce: () => Effect.void
    } as unknown as Step.Context
    const history = { add: () => {}, stage: Effect.void, count: () => 0 }
    const kept = { previous: [], all: false }
    const detector = yield* makeChangeDetector(context, {
      seen: new KeySet(),
      as: "change",
      history,
      kept,
      withholdsUnchanged: true
    })
    const goneFrom = (cursor: Json | undefined) =>
      Effect.map(Stream.runCollect(detector.gone(cursor)), (batches) => Chunk.toReadonlyArray(batches))
    const [first, ...rest] = yield* goneFrom(undefined)
    const resumed = yield* goneFrom(first?.cursor as Json)
    const keysOf = (batches: ReadonlyArray<Step.Batch>) =>
      batches.flatMap(({ rows }) => rows.map(({ data }) => data.key as string))
    expect(keysOf(first === undefined ? [] : [first, ...resumed]).sort()).toEqual(keys.sort())
    expect(keysOf(resumed)).toEqual(keysOf(rest))
  }
)
