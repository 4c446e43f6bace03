import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as Store from "../../../src/Engine/Store/Store.ts"
import * as Usage from "../../../src/Engine/Usage/Usage.ts"
import { describe, expect, it } from "../../It.ts"
import { tempDir } from "../../Local.ts"

const layer = Layer.unwrapScoped(
  Effect.map(tempDir, (folder) =>
    Usage.layer.pipe(Layer.provide(Store.layer(folder)), Layer.provide(NodeContext.layer))
  )
)

const first = { id: "team", keyId: "first" }
const second = { id: "team", keyId: "second" }

const short = (months: ReadonlyArray<Usage.UsageMonth>) =>
  months.map(({ startDate, endDate, keyName, credits }) => [
    startDate.toISOString().slice(0, 10),
    endDate.toISOString().replace("T00:00:00.000Z", ""),
    ...(keyName === undefined ? [] : [keyName]),
    credits
  ])

describe("the usage ledger", () => {
  it.scoped(
    "sums by UTC month, ascending, leaves no month out and ends the current one with its last instant",
    layer,
    function* () {
      const usage = yield* Usage.Usage
      yield* TestClock.setTime(Date.parse("2025-11-30T23:59:59.999Z"))
      yield* usage.charge(first, "scrape", 3)
      yield* TestClock.adjust("1 millis")
      yield* usage.charge(second, "parse", 2)
      yield* TestClock.setTime(Date.parse("2026-02-01T00:00:00Z"))
      yield* usage.charge(first, "crawlPage", 10)
      yield* usage.charge({ id: "others", keyId: "x" }, "crawlPage", 1000)
      expect(short(yield* usage.months("team", false))).toEqual([
        ["2025-11-01", "2025-12-01", 3],
        ["2025-12-01", "2026-01-01", 2],
        ["2026-01-01", "2026-02-01", 0],
        ["2026-02-01", "2026-02-28T23:59:59.999Z", 10]
      ])
    }
  )

  it.scoped("breaks down by key: one row for each month and key", layer, function* () {
    const usage = yield* Usage.Usage
    yield* TestClock.setTime(Date.parse("2026-01-15T00:00:00Z"))
    yield* usage.charge(second, "scrape", 1)
    yield* usage.charge(first, "scrape", 1)
    yield* usage.charge(first, "map", 4)
    yield* TestClock.setTime(Date.parse("2026-02-15T00:00:00Z"))
    expect(short(yield* usage.months("team", true))).toEqual([
      ["2026-01-01", "2026-02-01", "first", 5],
      ["2026-01-01", "2026-02-01", "second", 1],
      ["2026-02-01", "2026-02-28T23:59:59.999Z", "first", 0],
      ["2026-02-01", "2026-02-28T23:59:59.999Z", "second", 0]
    ])
  })

  it.scoped("shows a team without use the current month, and books nothing for nothing", layer, function* () {
    const usage = yield* Usage.Usage
    yield* TestClock.setTime(Date.parse("2026-03-10T00:00:00Z"))
    yield* usage.charge(first, "crawlPreview", 0)
    expect(short(yield* usage.months("team", true))).toEqual([["2026-03-01", "2026-03-31T23:59:59.999Z", 0]])
  })
})
