/** Rejects that another run takes up: by one run only, with what they would have put into the state. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Checkpoint, RunSpec } from "../../src/Ledger/Model.ts"
import { expect, scoped } from "../It.ts"
import { describeLedgers } from "./Both.ts"
import { checkpoint, ledgerIn, type Opened, reject, run } from "./Ledgers.ts"

const key = "watch"

const put = (name: string, value: string | undefined) => ({
  step: "dedupe",
  change: { key: name, rowKey: `row ${name}`, value }
})

/** A run from its first checkpoint to its end. */
const completed = (ledger: Opened, beginning: RunSpec, more: Partial<Checkpoint>) =>
  Effect.gen(function* () {
    const journal = yield* ledger.open(beginning)
    yield* journal.checkpoint(checkpoint(more))
    yield* journal.complete([])
  }).pipe(Effect.scoped)

const entries = (ledger: Opened) =>
  Effect.map(Stream.runCollect(ledger.states.entries(key)), (found) =>
    Object.fromEntries(Chunk.toReadonlyArray(found).map((entry) => [entry.key, entry.value]))
  )

const open = (ledger: Opened, id: string) =>
  Effect.map(Stream.runCollect(ledger.history.rejects(id, { which: "open" })), (found) =>
    Chunk.toReadonlyArray(found).map(({ number }) => number)
  )

const rejects = ["a", "b"].map((name) => reject(`row ${name}`, { source: { from: name } }))
const state = [put("a", "old a"), put("b", "old b"), put("c", "c")]

describeLedgers("rejects that are taken up", (place) => {
  scoped("keep the rows from which they were made", function* () {
    const ledger = yield* ledgerIn(yield* place)
    yield* completed(ledger, run("r1"), { rejects: [...rejects, reject("row z")] })
    const found = Chunk.toReadonlyArray(yield* Stream.runCollect(ledger.history.rejects("r1", { which: "open" })))
    expect(found.map(({ source }) => source)).toEqual([{ from: "a" }, { from: "b" }, undefined])
  })

  scoped("belong to one run: a second run that replays one of them fails, and replays none", function* () {
    const ledger = yield* ledgerIn(yield* place)
    yield* completed(ledger, run("r1"), { rejects })
    yield* completed(ledger, run("r2"), { replayClaim: { of: "r1", numbers: [2] } })
    const error = yield* Effect.flip(completed(ledger, run("r3"), { replayClaim: { of: "r1", numbers: [1, 2] } }))
    expect(error.message).toContain("replaying the rejects of run r1: another run has replayed some of the rejects")
    expect(yield* open(ledger, "r1")).toEqual([1])
  })

  scoped("change the state as they would have, when the run that replays them completes", function* () {
    const ledger = yield* ledgerIn(yield* place)
    yield* completed(ledger, run("r1", { stateKey: key }), { rejects, state })
    expect(yield* entries(ledger)).toEqual({ c: "c" })
    // One of them is rejected again: it is held once more, for the next.
    yield* completed(ledger, run("r2", { stateKey: key }), {
      replayClaim: { of: "r1", numbers: [1, 2] },
      rejects: [reject("row b")]
    })
    expect(yield* entries(ledger)).toEqual({ a: "old a", c: "c" })
    yield* completed(ledger, run("r3", { stateKey: key }), { replayClaim: { of: "r2", numbers: [1] } })
    expect(yield* entries(ledger)).toEqual({ a: "old a", b: "old b", c: "c" })
  })

  scoped("of a failed run change the state too, except where a later run has newer values", function* () {
    const ledger = yield* ledgerIn(yield* place)
    yield* Effect.scoped(
      Effect.gen(function* () {
        const journal = yield* ledger.open(run("r1", { stateKey: key }))
        yield* journal.checkpoint(checkpoint({ rejects, state }))
        yield* journal.end("failed", "all rows were rejected")
      })
    )
    yield* completed(ledger, run("r2", { stateKey: key }), { replayClaim: { of: "r1", numbers: [1] } })
    expect(yield* entries(ledger)).toEqual({ a: "old a" })
    yield* completed(ledger, run("r3", { stateKey: key }), { rejects: [reject("row b")], state: [put("b", "held")] })
    yield* completed(ledger, run("r4", { stateKey: key }), { state: [put("b", "new b")] })
    expect(yield* entries(ledger)).toEqual({ a: "old a", b: "new b" })
    // That run has brought the row to its end: a replay would bring it a second time.
    expect(yield* open(ledger, "r3")).toEqual([])
    expect(yield* open(ledger, "r1")).toEqual([])
  })

  scoped("are open again when the run that replayed them is removed before it completed", function* () {
    const ledger = yield* ledgerIn(yield* place)
    yield* completed(ledger, run("r1"), { rejects })
    yield* Effect.scoped(
      Effect.gen(function* () {
        const journal = yield* ledger.open(run("r2", { pipeline: "other", options: { replayOf: "r1" } }))
        yield* journal.checkpoint(checkpoint({ replayClaim: { of: "r1", numbers: [1, 2] } }))
        yield* journal.end("stopped")
      })
    )
    expect(yield* open(ledger, "r1")).toEqual([])
    yield* completed(ledger, run("r3", { startedAt: 5_000, pipeline: "other" }), {})
    // The newest of each pipeline stays.
    const forgotten = yield* ledger.retention.runs({ before: 1e15, keepLast: 1 })
    expect(forgotten.map(({ id }) => id)).toEqual(["r2"])
    expect(yield* open(ledger, "r1")).toEqual([1, 2])
  })
})
