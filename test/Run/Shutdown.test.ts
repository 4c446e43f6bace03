import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as MetricState from "effect/MetricState"
import { Ledger } from "../../src/Ledger.ts"
import { optionsOf } from "../../src/Run/RunSpec.ts"
import { assert, describe, expect, scoped } from "../It.ts"
import { layer } from "../Ledger/Fresh.ts"
import { tempDir } from "../Local.ts"
import { page, run } from "../Step/Odd.ts"

const urls = (count: number) =>
  `  - urls: [${Array.from({ length: count }, (_, index) => `"http://x.example/${index}"`).join(", ")}]`

/** Value of a counter. Other tests of this process may have used up its series: then it counts for the pipeline `other`. */
const valueOf = (name: string, labels: Readonly<Record<string, string>>): number =>
  Metric.unsafeSnapshot().reduce(
    (sum, { metricKey, metricState }) =>
      metricKey.name === name &&
      metricKey.tags.every(({ key, value }) => labels[key] === value || (key === "pipeline" && value === "other")) &&
      MetricState.isCounterState(metricState)
        ? sum + Number(metricState.count)
        : sum,
    0
  )

/** Every page costs a credit. */
const service = (asked: { readonly body: string }) => {
  const { url } = JSON.parse(asked.body) as { readonly url: string }
  return { body: { success: true, data: page(url, { creditsUsed: 1 }) } }
}

const posts = (asked: ReadonlyArray<{ readonly method: string }>) =>
  asked.filter(({ method }) => method === "POST").length

describe("a budget", () => {
  scoped("stops a run with far more rows than its steps can hold, and keeps what was paid for", function* () {
    const { asked, outcome, rows, summary } = yield* run(
      service,
      `${urls(60)}\n  - scrape: {}\n    concurrency: 2`,
      {},
      "budget: { credits: 5 }\n"
    )
    expect(outcome).toMatchObject({ left: { reason: { reason: "BudgetReached" } } })
    expect(summary).toMatchObject({ status: "budget", resumable: true })
    // Calls in flight when the fifth was answered are paid for, too.
    expect(summary.credits).toBeGreaterThanOrEqual(5)
    expect(summary.credits).toBeLessThanOrEqual(6)
    expect(posts(asked)).toBe(summary.credits)
    expect(rows).toEqual([])
  })

  scoped("that is reached counts as such, and not as a failure", function* () {
    const of = (status: string) => valueOf("sluice_runs_total", { pipeline: "t", status })
    const [failed, before] = [of("failed"), of("budget")]
    yield* run(service, `${urls(9)}\n  - scrape: {}\n    concurrency: 1`, {}, "budget: { credits: 1 }\n")
    expect([of("failed"), of("budget")]).toEqual([failed, before + 1])
  })

  scoped("of bytes starts again when the run is resumed", function* () {
    const dataDir = yield* tempDir
    const steps = `${urls(24)}\n  - scrape: {}\n    concurrency: 2`
    const first = yield* run(service, steps, { dataDir }, "budget: { credits: 16 }\n")
    expect(first.summary).toMatchObject({ status: "budget", resumable: true })
    const record = yield* Effect.provide(
      Effect.flatMap(Ledger, (ledger) => ledger.find(first.runId)),
      Layer.provide(layer(dataDir), NodeContext.layer)
    )
    assert.isDefined(record)
    // More than this is safe on disk, and less is still to come.
    const second = yield* run(service, steps, { dataDir, ...optionsOf(record) }, "budget: { bytes: 1kB }\n")
    expect(second.summary).toMatchObject({ status: "completed", rows: 24 })
  })
})

describe("a run that is stopped", () => {
  scoped("starts no more calls, and waits for those in flight", function* () {
    const seen: Array<string> = []
    const begun = yield* Effect.makeLatch()
    yield* run(
      (asked) => {
        seen.push(asked.body)
        if (seen.length === 2) Effect.runSync(begun.open)
        return service(asked)
      },
      `${urls(40)}\n  - scrape: {}\n    concurrency: 2\n    rate: 2/s`
    ).pipe(Effect.raceFirst(begun.await))
    expect(seen.length).toBeLessThanOrEqual(4)
  })
})
