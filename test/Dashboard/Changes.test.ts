/** Timeline of the changes that a pipeline has found. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { historyOf } from "../../src/Step/ChangeHistory.ts"
import { expect, live } from "../It.ts"
import { describeLedgers } from "../Ledger/Both.ts"
import * as Ledgers from "../Ledger/Ledgers.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import * as Site from "./Site.ts"

const hostile = '<img src=x onerror="alert(1)">\u202e'

describeLedgers("Changes in the dashboard", (at) => {
  live.skipIf(skipsLong)("are listed newest first, page by page, quickly also with 10,000 of them", function* () {
    const { get, ledger } = yield* Site.open(yield* at, yield* tempDir)
    yield* Effect.scoped(
      Effect.flatMap(ledger.open(Ledgers.run("r1", { pipeline: "watch", stateKey: "watch" })), (journal) =>
        journal.complete([])
      )
    )
    const start = Date.UTC(2026, 0, 1)
    const entries = Array.from({ length: 10_000 }, (_, index) => {
      const time = start + index * 1_000
      const value = {
        at: time,
        run: "r1",
        change: "changed",
        key: `https://x.example/${index}`,
        summary: hostile,
        diff: `a [-${hostile}-]`
      }
      const key = `${new Date(time).toISOString()} 0000 ${value.key}`
      return { step: historyOf("dedupe"), key, value, firstSeen: time, lastSeen: time }
    })
    yield* ledger.states.import(
      "watch",
      Stream.fromIterable([...entries, { step: "dedupe", key: "other", value: null, firstSeen: 1, lastSeen: 1 }])
    )
    const path = "/api/pipelines/watch/changes"
    const cpuOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.suspend(() => {
        const before = process.cpuUsage()
        return Effect.map(effect, (value) => [value, process.cpuUsage(before).user] as const)
      })
    // The first request loads code.
    yield* get(path)
    const [first, took] = yield* cpuOf(get(path))
    const [, whole] = yield* cpuOf(Stream.runDrain(ledger.states.entries("watch")))
    // It reads the newest ones alone.
    expect(took).toBeLessThan(whole)
    expect(first.headers["content-type"]).toContain("application/json")
    expect(first.json.changes).toHaveLength(50)
    expect(first.json.changes[0]).toMatchObject({
      at: start + 9_999_000,
      run: "r1",
      step: "dedupe",
      change: "changed",
      key: "https://x.example/9999",
      summary: hostile,
      diff: `a [-${hostile}-]`
    })
    const second = yield* get(`${path}?limit=2&after=${encodeURIComponent(first.json.next)}`)
    expect(second.json.changes.map(({ key }: { key: string }) => key)).toEqual([
      "https://x.example/9949",
      "https://x.example/9948"
    ])
    expect((yield* get("/api/pipelines/none/changes")).json).toEqual({ changes: [], next: null })
    const { json } = yield* get("/api/watches")
    expect(json).toMatchObject({
      isCut: false,
      watches: [
        {
          pipeline: "watch",
          step: "dedupe",
          changes: 10_000,
          latest: { at: start + 9_999_000, change: "changed", key: "https://x.example/9999", summary: hostile },
          last: { run: "r1", state: "completed" }
        }
      ]
    })
  })
})
