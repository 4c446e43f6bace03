/** The state across runs: it advances when a run is done, and people may look after it while none works on it. */

import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import type { Reject } from "../../src/Ledger/RejectLine.ts"
import { allRows, type Json, ofSource, onlyWith } from "../../src/Row.ts"
import { expect, it } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { describeLedgers } from "./Both.ts"
import { checkpoint, ledgerIn, type Opened, reject, run, stateOf } from "./Ledgers.ts"

const stage = (step: string, key: string, value: Json | undefined, rowKey = "row") => ({
  step,
  change: { key, value, rowKey }
})

/** A change of nothing but the time. */
const seenAgain = (step: string, key: string, value: Json, rowKey = key) => ({
  step,
  change: { key, value, rowKey, isSeenAgain: true }
})

/** A run that puts things into the state, and is done. */
const put = (
  ledger: Opened,
  id: string,
  stateKey: string,
  state: ReadonlyArray<ReturnType<typeof stage>>,
  rejects: ReadonlyArray<Reject> = []
) =>
  Effect.gen(function* () {
    const journal = yield* ledger.open(run(id, { stateKey }))
    yield* journal.checkpoint(checkpoint({ state, rejects }))
    yield* journal.complete(null)
  }).pipe(Effect.scoped)

const entries = (ledger: Opened, stateKey: string, step?: string) =>
  Effect.map(Stream.runCollect(ledger.states.entries(stateKey, step)), Chunk.toReadonlyArray)

describeLedgers("the state across runs", (place) => {
  it.scoped("changes when a run completes and not before, and keeps the time a key was first seen", function* () {
    const ledger = yield* ledgerIn(yield* place)
    yield* put(ledger, "r1", "s", [stage("dedupe", "a", 1), stage("dedupe", "b", 1)])
    yield* TestClock.adjust("1 hour")
    const journal = yield* ledger.open(run("r2", { stateKey: "s" }))
    yield* journal.checkpoint(checkpoint({ state: [stage("dedupe", "a", 2), stage("dedupe", "b", undefined)] }))
    const before = [
      { key: "a", value: 1, firstSeen: 0, lastSeen: 0 },
      { key: "b", value: 1, firstSeen: 0, lastSeen: 0 }
    ]
    expect(yield* stateOf(journal, "dedupe")).toEqual(before)
    yield* journal.end("failed", "no")
    expect(yield* stateOf(journal, "dedupe")).toEqual(before)
    yield* journal.complete(null)
    expect(yield* stateOf(journal, "dedupe")).toEqual([{ key: "a", value: 2, firstSeen: 0, lastSeen: 3_600_000 }])
    expect(yield* stateOf(journal, "other")).toEqual([])
  })

  it.scoped("removes keys that no run has seen for forgetAfter", function* () {
    const ledger = yield* ledgerIn(yield* place)
    yield* put(ledger, "r1", "s", [stage("dedupe", "old", 1), stage("dedupe", "kept", 1)])
    yield* put(ledger, "r2", "other", [stage("dedupe", "old", 1)])
    yield* TestClock.adjust("2 days")
    const journal = yield* ledger.open(run("r3", { stateKey: "s" }))
    yield* journal.checkpoint(checkpoint({ state: [stage("dedupe", "kept", 1)] }))
    yield* journal.complete(null, { after: 24 * 60 * 60_000, steps: ["dedupe"] })
    expect((yield* entries(ledger, "s")).map(({ key }) => key)).toEqual(["kept"])
    expect((yield* entries(ledger, "other")).map(({ key }) => key)).toEqual(["old"])
  })

  it.scoped("keeps no change of rejected rows, unless they were replayed", function* () {
    const ledger = yield* ledgerIn(yield* place)
    const journal = yield* ledger.open(run("r1", { stateKey: "s" }))
    yield* journal.checkpoint(
      checkpoint({
        state: [
          stage("dedupe", "a", "good", "good"),
          stage("dedupe", "a", "from a bad row", "bad"),
          stage("dedupe", "b", "from a bad row", "bad"),
          stage("dedupe", "c", "from a replayed row", "replayed")
        ]
      })
    )
    // The reject may come later than what was staged for its row.
    yield* journal.checkpoint(checkpoint({ rejects: [reject("bad"), reject("replayed")] }))
    yield* ledger.history.markReplayed("r1", "r9", [2])
    yield* journal.complete(null)
    expect((yield* entries(ledger, "s")).map(({ key, value }) => [key, value])).toEqual([
      ["a", "good"],
      ["c", "from a replayed row"]
    ])
  })

  it.scoped("keeps a change that depends on another one only if the run has made that one", function* () {
    const ledger = yield* ledgerIn(yield* place)
    const remembered = (name: string) => [
      stage("list", `${name} row`, 1, ofSource(name)),
      stage("list", `${name} row`, undefined, onlyWith(`${name} since\0`))
    ]
    const state = [...remembered("a"), ...remembered("b"), stage("list", "b since\0", 2, allRows)]
    yield* put(ledger, "r1", "s", [...state, stage("other", "a since\0", 3)])
    expect((yield* entries(ledger, "s", "list")).map(({ key, value }) => [key, value])).toEqual([
      ["a row", 1],
      ["b since\0", 2]
    ])
  })

  it.scoped(
    "has the new time of entries that a run has seen again as they are, and nothing else of them changes",
    function* () {
      const ledger = yield* ledgerIn(yield* place)
      // More than one page of entries; among the keys what a database finds hard.
      const hard = ["", "a\0b", "\ud800", "'; DROP TABLE runs; --", "é".repeat(2_000)]
      const keys = [...hard, ...Array.from({ length: 1_500 }, (_, n) => `https://a.example/${n}`)]
      yield* put(
        ledger,
        "r1",
        "s",
        [...keys, "gone"].map((key) => stage("dedupe", key, { key }))
      )
      yield* put(ledger, "r2", "other", [stage("dedupe", "", 1)])
      yield* TestClock.adjust("2 days")
      const journal = yield* ledger.open(run("r3", { stateKey: "s" }))
      for (const part of [keys.slice(0, 700), keys.slice(699)])
        yield* journal.checkpoint(checkpoint({ state: part.map((key) => seenAgain("dedupe", key, { key })) }))
      expect((yield* stateOf(journal, "dedupe")).every(({ lastSeen }) => lastSeen === 0)).toBe(true)
      yield* journal.complete(null, { after: 24 * 60 * 60_000, steps: ["dedupe"] })
      const now = 2 * 24 * 60 * 60_000
      const byKey = new Map((yield* entries(ledger, "s")).map(({ step: _, ...entry }) => [entry.key, entry]))
      expect(byKey).toEqual(new Map(keys.map((key) => [key, { key, value: { key }, firstSeen: 0, lastSeen: now }])))
      expect((yield* entries(ledger, "other")).map(({ lastSeen }) => lastSeen)).toEqual([0])
    }
  )

  it.scoped(
    "keeps entries that a run has seen again long before its end, and those that a held run has changed",
    function* () {
      const ledger = yield* ledgerIn(yield* place)
      yield* put(ledger, "r1", "s", [stage("dedupe", "a", 1), stage("dedupe", "b", 1), stage("dedupe", "old", 1)])
      yield* TestClock.adjust("1 minute")
      yield* Effect.gen(function* () {
        const journal = yield* ledger.open(run("r2", { stateKey: "s" }))
        yield* journal.checkpoint(checkpoint({ state: [stage("dedupe", "b", 2)] }))
        yield* journal.recordSealed([], { profiles: new Map(), records: [], held: "the outputs are held: too few" })
      }).pipe(Effect.scoped)
      const journal = yield* ledger.open(run("r3", { stateKey: "s" }))
      yield* journal.checkpoint(checkpoint({ state: [seenAgain("dedupe", "a", 1)] }))
      yield* TestClock.adjust("1 minute")
      yield* journal.complete(null, { after: 2_000, steps: ["dedupe"] })
      expect((yield* entries(ledger, "s")).map(({ key }) => key)).toEqual(["a", "b"])
    }
  )

  it.scoped(
    "resolves a reject that waits with a change of a key when a run sees the key again as it was",
    function* () {
      const ledger = yield* ledgerIn(yield* place)
      yield* put(ledger, "r1", "s", [stage("dedupe", "a", 1), stage("dedupe", "b", 1), stage("dedupe", "c", 1)])
      yield* put(
        ledger,
        "r2",
        "s",
        [stage("dedupe", "a", 2, "bad"), stage("dedupe", "b", 2, "worse"), stage("dedupe", "c", 2, "bad, too")],
        [reject("bad"), reject("worse"), reject("bad, too")]
      )
      const openRejects = () =>
        Effect.map(Stream.runCollect(ledger.history.rejects("r2", { which: "open" })), (all) =>
          Chunk.toReadonlyArray(all).map(({ key }) => key)
        )
      expect(yield* openRejects()).toEqual(["bad", "worse", "bad, too"])
      yield* put(ledger, "r3", "s", [seenAgain("dedupe", "a", 1, "row of a"), seenAgain("dedupe", "c", 1)])
      expect(yield* openRejects()).toEqual(["worse"])
      expect((yield* entries(ledger, "s")).map(({ key, value }) => [key, value])).toEqual([
        ["a", 1],
        ["b", 1],
        ["c", 1]
      ])
    }
  )

  it.scoped("resolves several rejects when a run sees their keys again between other changes", function* () {
    const ledger = yield* ledgerIn(yield* place)
    yield* put(ledger, "r1", "s", [stage("dedupe", "a", 1), stage("dedupe", "b", 1)])
    const bad = [stage("dedupe", "a", 2, "bad"), stage("dedupe", "b", 2, "worse")]
    yield* put(ledger, "r2", "s", bad, [reject("bad"), reject("worse")])
    const journal = yield* ledger.open(run("r3", { stateKey: "s" }))
    yield* journal.checkpoint(checkpoint({ state: [seenAgain("dedupe", "a", 1)] }))
    yield* journal.checkpoint(checkpoint({ state: [stage("dedupe", "z", 1), seenAgain("dedupe", "b", 1)] }))
    yield* journal.complete(null)
    expect(yield* Stream.runCount(ledger.history.rejects("r2", { which: "open" }))).toBe(0)
    expect((yield* entries(ledger, "s")).map(({ key, value }) => [key, value])).toEqual([
      ["a", 1],
      ["b", 1],
      ["z", 1]
    ])
  })

  it.scoped(
    "keeps the changes of other rows when the next run has to do a row again that was seen again",
    function* () {
      const ledger = yield* ledgerIn(yield* place)
      yield* put(ledger, "r1", "s", [stage("dedupe", "a", 1)])
      const journal = yield* ledger.open(run("r2", { stateKey: "s" }))
      yield* journal.checkpoint(
        checkpoint({ state: [seenAgain("dedupe", "a", 1, "row of a"), stage("dedupe", "new", 1, "row of new")] })
      )
      yield* journal.checkpoint(checkpoint({ deferredRows: [{ steps: ["dedupe"], rows: [["row of a"]] }] }))
      yield* journal.complete(null)
      expect((yield* entries(ledger, "s")).map(({ key, value }) => [key, value])).toEqual([
        ["a", 1],
        ["new", 1]
      ])
    }
  )

  it.scoped("is the same whether or not changes are final, which the ledger stores together", function* () {
    const after = (isFinal: boolean) =>
      Effect.gen(function* () {
        const folder = yield* place
        const ledger = yield* ledgerIn(folder)
        const change = (key: string, value: Json, rowKey = key) => ({
          step: "dedupe",
          change: { key, value, rowKey, isFinal }
        })
        const opened = (id: string) => ledger.open(run(id, { stateKey: "s" }))
        const seen: Array<unknown> = []
        const look = Effect.gen(function* () {
          const all = yield* entries(ledger, "s")
          seen.push(all.map(({ firstSeen, key, lastSeen, value }) => [key, value, firstSeen, lastSeen]))
          for (const id of ["r1", "r2"]) {
            const rejects = yield* Stream.runCollect(ledger.history.rejects(id, { which: "open" }))
            seen.push(Chunk.toReadonlyArray(rejects).map(({ key }) => key))
          }
        })
        const hard = ["", "a\0b", "\ud800", "\"'\\\n", "__proto__", "7", "é".repeat(2_000)]
        yield* Effect.gen(function* () {
          const journal = yield* opened("r1")
          yield* journal.checkpoint(checkpoint({ state: [...hard.map((key) => change(key, key)), change("a", null)] }))
          const rows = [change("b", { x: ["é"] }, "row of b"), change("c", 1, "bad"), change("d", "\0", "worse")]
          yield* journal.checkpoint(checkpoint({ state: rows }))
          yield* journal.checkpoint(checkpoint({ rejects: [reject("bad"), reject("worse")] }))
          yield* journal.complete(null)
        }).pipe(Effect.scoped)
        yield* look
        yield* TestClock.adjust("1 minute")
        // A run that fails, with a change that waits for a replay.
        yield* Effect.gen(function* () {
          const journal = yield* opened("r2")
          const state = [change("a", 2, "row of a"), change("e", 2, "bad")]
          yield* journal.checkpoint(checkpoint({ state, rejects: [reject("bad"), reject("row of a")] }))
          yield* journal.end("failed", "no")
        }).pipe(Effect.scoped)
        // One that changes the same entries, with a change that is left to the next run, and a replay of a reject.
        yield* Effect.gen(function* () {
          const journal = yield* opened("r3")
          yield* journal.checkpoint(checkpoint({ replayClaim: { of: "r1", numbers: [1] } }))
          const state = [change("a", 3), change("f", 3, "row of f"), change("g", 3, "row of g"), change("d", 3)]
          yield* journal.checkpoint(checkpoint({ state }))
          yield* journal.checkpoint(checkpoint({ deferredRows: [{ steps: ["dedupe"], rows: [["row of g"]] }] }))
          yield* journal.complete(null)
        }).pipe(Effect.scoped)
        yield* look
        // A replay of the failed run's reject.
        yield* Effect.gen(function* () {
          const journal = yield* opened("r4")
          yield* journal.checkpoint(checkpoint({ replayClaim: { of: "r2", numbers: [1] } }))
          yield* journal.complete(null)
        }).pipe(Effect.scoped)
        yield* look
        // A held run, which a later run reads.
        yield* Effect.gen(function* () {
          const journal = yield* opened("r5")
          yield* journal.checkpoint(checkpoint({ state: [change("a", 5), change("h", 5)] }))
          yield* journal.recordSealed([], { profiles: new Map(), records: [], held: "too few" })
        }).pipe(Effect.scoped)
        yield* TestClock.adjust("1 minute")
        yield* Effect.gen(function* () {
          const journal = yield* opened("r6")
          seen.push(yield* stateOf(journal, "dedupe"))
          yield* journal.checkpoint(checkpoint({ state: [change("i", 6)] }))
          // The run takes longer than the state keeps what it has not seen.
          yield* TestClock.adjust("1 minute")
          yield* journal.complete(null, { after: 2_000, steps: ["dedupe"] })
        }).pipe(Effect.scoped)
        yield* look
        yield* ledger.held.release("r5")
        yield* Effect.scoped(Effect.flatMap(opened("r5"), (journal) => journal.complete(null)))
        yield* look
        // A failed run that is resumed after another has published a later value, and forgets what it has not seen.
        yield* Effect.gen(function* () {
          const journal = yield* opened("r7")
          const state = [change("x", 7), change("y", 7), stage("dedupe", "v", undefined)]
          yield* journal.checkpoint(checkpoint({ state }))
          yield* journal.end("failed", "no")
        }).pipe(Effect.scoped)
        yield* TestClock.adjust("1 hour")
        yield* Effect.gen(function* () {
          const journal = yield* opened("r8")
          yield* journal.checkpoint(checkpoint({ state: [change("v", 8), change("x", 8), change("z", 8)] }))
          yield* journal.complete(null)
        }).pipe(Effect.scoped)
        yield* TestClock.adjust("1 hour")
        yield* Effect.gen(function* () {
          const journal = yield* opened("r7")
          yield* journal.checkpoint(checkpoint({ state: [change("w", 7), stage("dedupe", "u", 7)] }))
          yield* journal.complete(null, { after: 60_000, steps: ["dedupe"] })
        }).pipe(Effect.scoped)
        yield* look
        return seen
      })
    const seen = yield* after(true)
    yield* TestClock.setTime(0)
    expect(seen).toEqual(yield* after(false))
    expect(seen.at(-3)).toEqual([
      ["u", 7, 7_380_000, 7_380_000],
      ["v", 8, 3_780_000, 3_780_000],
      ["w", 7, 7_380_000, 7_380_000],
      ["x", 8, 3_780_000, 3_780_000],
      ["y", 7, 180_000, 180_000]
    ])
    expect(seen.at(-6)).toEqual([
      ["a", 5, 0, 60_000],
      ["h", 5, 60_000, 60_000],
      ["i", 6, 120_000, 120_000]
    ])
    expect(seen.slice(1, 3)).toEqual([["bad", "worse"], []])
    expect(seen.slice(-2)).toEqual([[], []])
  })

  it.scoped.skipIf(skipsLong)(
    "is applied in a moment beside failed runs that have staged a lot",
    function* () {
      const ledger = yield* ledgerIn(yield* place)
      const many = (count: number, from = 0) =>
        Array.from({ length: count }, (_, n) => stage("dedupe", `k${from + n}`, n, `k${from + n}`))
      const rejects = Array.from({ length: 400 }, (_, n) => reject(`k${n * 10}`))
      yield* Effect.scoped(
        Effect.gen(function* () {
          const journal = yield* ledger.open(run("r1", { stateKey: "s" }))
          yield* journal.checkpoint(checkpoint({ state: many(100_000), rejects }))
          yield* journal.end("failed", "no")
        })
      )
      // Changes of 100 keys whose rejects wait, and of others. With a look at all for each of them, it takes minutes.
      yield* put(ledger, "r2", "s", [...many(1000), ...many(1000, 50_000)])
      expect(yield* Stream.runCount(ledger.history.rejects("r1", { which: "open" }))).toBe(300)
    },
    60_000
  )

  it.scoped("keeps the last of several changes of a key", function* () {
    const ledger = yield* ledgerIn(yield* place)
    yield* put(ledger, "r1", "s", [
      stage("one", "removed", 1),
      stage("one", "removed", undefined),
      stage("one", "put again", undefined),
      stage("one", "put again", 2)
    ])
    expect((yield* entries(ledger, "s")).map(({ key, value }) => [key, value])).toEqual([["put again", 2]])
  })

  it.scoped("is read with small and large values", function* () {
    const ledger = yield* ledgerIn(yield* place)
    const texts = ["small", "\u00e9".repeat(5_000), "", "a\0\ud800".repeat(3_000)]
    yield* put(
      ledger,
      "r1",
      "s",
      texts.map((text, index) => stage("one", `${index}`, text))
    )
    expect((yield* entries(ledger, "s")).map(({ value }) => value)).toEqual(texts)
  })

  it.scoped("keeps the last of several final changes of a key", function* () {
    const ledger = yield* ledgerIn(yield* place)
    const change = (key: string, value: Json) => ({ step: "one", change: { key, value, rowKey: key, isFinal: true } })
    const journal = yield* ledger.open(run("r1", { stateKey: "s" }))
    yield* journal.checkpoint(checkpoint({ state: [change("a", 1), change("a", 2), change("b", 1)] }))
    yield* journal.checkpoint(checkpoint({ state: [change("b", 2)] }))
    yield* journal.complete(null)
    expect((yield* entries(ledger, "s")).map(({ key, value }) => [key, value])).toEqual([
      ["a", 2],
      ["b", 2]
    ])
  })

  it.scoped("does not exist for a run without a state key", function* () {
    const ledger = yield* ledgerIn(yield* place)
    const journal = yield* ledger.open(run("r1"))
    yield* journal.checkpoint(checkpoint({ state: [stage("dedupe", "a", 1)] }))
    yield* journal.complete(null)
    expect(yield* ledger.states.list).toEqual([])
    expect(yield* stateOf(journal, "dedupe")).toEqual([])
  })

  it.scoped("can be listed, read, set and cleared", function* () {
    const ledger = yield* ledgerIn(yield* place)
    const { states } = ledger
    yield* put(ledger, "r1", "s", [stage("one", "", 1), stage("one", "b", { x: 1 }), stage("two", "a", null)])
    yield* TestClock.adjust("1 hour")
    yield* put(ledger, "r2", "t", [stage("one", "a", 1)])
    yield* states.set("s", "one", "c", [3])
    yield* states.set("s", "one", "b", { x: 2 })
    expect(yield* states.list).toEqual([
      { stateKey: "s", step: "one", entries: 3, firstSeen: 0, lastSeen: 3_600_000 },
      { stateKey: "s", step: "two", entries: 1, firstSeen: 0, lastSeen: 0 },
      { stateKey: "t", step: "one", entries: 1, firstSeen: 3_600_000, lastSeen: 3_600_000 }
    ])
    expect(yield* entries(ledger, "s")).toEqual([
      { step: "one", key: "", value: 1, firstSeen: 0, lastSeen: 0 },
      { step: "one", key: "b", value: { x: 2 }, firstSeen: 0, lastSeen: 3_600_000 },
      { step: "one", key: "c", value: [3], firstSeen: 3_600_000, lastSeen: 3_600_000 },
      { step: "two", key: "a", value: null, firstSeen: 0, lastSeen: 0 }
    ])
    expect(yield* entries(ledger, "s", "two")).toHaveLength(1)
    expect(yield* entries(ledger, "nobody's")).toEqual([])
    expect(yield* states.get("s", "one", "b")).toMatchObject({ value: { x: 2 } })
    expect(yield* states.get("s", "one", "z")).toBeUndefined()
    expect(yield* states.get("s", "three", "b")).toBeUndefined()
    yield* states.set("s", "one", "b", undefined)
    expect(yield* states.clear("s", { lastSeenBefore: 1 })).toBe(2)
    expect((yield* entries(ledger, "s")).map(({ key }) => key)).toEqual(["c"])
    expect(yield* states.clear("s", { step: "two" })).toBe(0)
    expect(yield* states.clear("s")).toBe(1)
    expect((yield* states.list).map(({ stateKey }) => stateKey)).toEqual(["t"])
  })

  it.scoped.skipIf(skipsLong)("moves to another key that is free, and reports a key that is not", function* () {
    const ledger = yield* ledgerIn(yield* place)
    const { states } = ledger
    yield* put(ledger, "r1", "s", [stage("one", "a", 1)])
    yield* put(ledger, "r2", "t", [stage("one", "b", 1)])
    expect((yield* Effect.flip(states.move("s", "t"))).message).toContain("there is already a state under t")
    expect((yield* Effect.flip(states.move("s", "s"))).message).toContain("there is already a state under s")
    expect((yield* Effect.flip(states.move("nobody's", "u"))).message).toContain("there is no state under nobody's")
    yield* states.move("s", "u")
    expect((yield* entries(ledger, "u")).map(({ key }) => key)).toEqual(["a"])
    expect(yield* entries(ledger, "s")).toEqual([])
  })

  it.scoped.skipIf(skipsLong)("is the same after an export and import", function* () {
    const ledger = yield* ledgerIn(yield* place)
    const other = yield* ledgerIn(yield* place)
    const all = Array.from({ length: 2500 }, (_, n) => stage(n % 2 === 0 ? "one" : "two", `k${n}`, { n }))
    yield* put(ledger, "r1", "s", all)
    yield* TestClock.adjust("1 day")
    expect(yield* other.states.import("s", ledger.states.entries("s"))).toBe(2500)
    expect(yield* entries(other, "s")).toEqual(yield* entries(ledger, "s"))
    // Again, with an older entry and a newer one: nothing is doubled, the oldest first time stays.
    const more = Stream.fromIterable([
      { step: "one", key: "k0", value: "new", firstSeen: 5, lastSeen: 9 },
      { step: "one", key: "k0", value: "newer", firstSeen: 5, lastSeen: 10 }
    ])
    expect(yield* other.states.import("s", more)).toBe(2)
    expect(yield* other.states.get("s", "one", "k0")).toEqual({
      key: "k0",
      value: "newer",
      firstSeen: 0,
      lastSeen: 10
    })
    expect(yield* entries(other, "s")).toHaveLength(2500)
  })
})
