import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Ledger } from "../../src/Ledger.ts"
import { expect, scoped } from "../It.ts"
import { layer } from "../Ledger/Fresh.ts"
import { skipsLong } from "../Long.ts"
import { id, jobService, page, run } from "../Step/Odd.ts"

/** A batch whose second half has no answer from its site. */
const halfDead = (count: number, pages = 1) =>
  jobService({
    status: (number, base) => ({
      total: count * pages,
      completed: count * pages,
      creditsUsed: count,
      ...(number + 1 < pages ? { next: `${base}/v2/crawl/${id}?skip=${count * (number + 1)}` } : {}),
      data: Array.from({ length: count }, (_, index) =>
        page(
          `http://x.example/${number}/${index}`,
          index % 2 === 0 ? {} : { statusCode: undefined, error: "no such host" }
        )
      )
    }),
    errors: { errors: [], robotsBlocked: [] }
  })

const crawl = (stopAfter: string) =>
  `  - crawl: { url: "http://x.example" }\n    onError: { reject: true, stopAfter: ${stopAfter} }`

scoped("a share of few rows is checked at the end, and nothing is published", function* () {
  const { outcome, rejects, rows } = yield* run(halfDead(10), crawl("40%"))
  expect(outcome).toMatchObject({
    left: {
      reason: { reason: "TooManyRejects", step: "crawl", definedAt: expect.stringMatching(/^p\.yaml:\d+:\d+$/) }
    }
  })
  expect(rows).toEqual([])
  expect(rejects.length).toBe(5)
  expect((yield* run(halfDead(10), crawl("50%"))).outcome).toMatchObject({
    left: { message: expect.stringContaining("crawl: rejected 5 rows, and stopAfter: 50% ends the run there") }
  })
  expect((yield* run(halfDead(10), crawl("51%"))).rows.length).toBe(5)
  expect((yield* run(halfDead(1), crawl("1%"))).outcome._tag).toBe("Right")
})

scoped("rejects of a source count as a share of all its rows, good or bad", function* () {
  const { outcome, rows, summary } = yield* run(halfDead(300, 2), crawl("60%"))
  expect(outcome._tag).toBe("Right")
  expect(rows.length).toBe(300)
  expect(summary.rejects).toBe(300)
})

scoped("a number ends the run at that reject, however many rows there are", function* () {
  const { outcome, rejects } = yield* run(halfDead(10), crawl("2"))
  expect(outcome).toMatchObject({
    left: { message: expect.stringContaining("crawl: rejected 2 rows, and stopAfter: 2 ends the run there") }
  })
  expect(rejects.length).toBe(2)
  expect((yield* run(halfDead(10), crawl("5"))).outcome._tag).toBe("Left")
  expect((yield* run(halfDead(10), crawl("6"))).outcome._tag).toBe("Right")
  expect(rejects[0]).toMatchObject({ attempts: 1 })
})

scoped(
  "a number ends the run at that reject also when rows fail concurrently, and the ledger has all rejects",
  function* () {
    const files = yield* FileSystem.FileSystem
    const dataDir = yield* files.makeTempDirectoryScoped()
    const addresses = Array.from({ length: 40 }, (_, index) => `http://x.example/${index}`)
    const steps = (stopAfter: number) => `  - urls: ${JSON.stringify(addresses)}
  - scrape: {}
    concurrency: 8
    onError: { reject: true, stopAfter: ${stopAfter} }`
    const dead = () => ({ status: 422, body: { success: false, error: "there is no such page" } })
    const { asked, outcome, rejects, runId, summary } = yield* run(dead, steps(3), { dataDir })
    expect(outcome).toMatchObject({ left: { reason: { reason: "TooManyRejects", step: "scrape" } } })
    expect(rejects.length).toBe(3)
    expect(summary.rejects).toBe(3)
    expect(asked.length).toBeLessThan(24)
    const recorded = Effect.flatMap(Ledger, ({ find, history }) =>
      Effect.all([find(runId), Stream.runCollect(history.rejects(runId, { which: "all" }))])
    )
    const [record, known] = yield* Effect.provide(recorded, layer(dataDir))
    expect(record).toMatchObject({ status: "failed", rejects: 3 })
    expect(known.length).toBe(3)
  }
)

scoped.skipIf(skipsLong)(
  "a number ends the run at that reject within a batch, the ledger agrees, and a resumed run continues with the next row",
  function* () {
    const files = yield* FileSystem.FileSystem
    const dataDir = yield* files.makeTempDirectoryScoped()
    const recorded = (runId: string) =>
      Effect.flatMap(Ledger, ({ find, history }) =>
        Effect.all([find(runId), Stream.runCollect(history.rejects(runId, { which: "all" }))])
      ).pipe(Effect.provide(layer(dataDir)))
    const addresses = Array.from({ length: 10 }, (_, index) => `http://x.example/0/${index}`)
    const batch = (stopAfter: string) =>
      `  - urls: ${JSON.stringify(addresses)}\n  - batchScrape: {}\n    onError: { reject: true, stopAfter: ${stopAfter} }`
    for (const steps of [crawl, batch]) {
      const options = { dataDir, out: yield* files.makeTempDirectoryScoped() }
      const service = halfDead(10)
      const first = yield* run(service, steps("2"), options)
      const [record, known] = yield* recorded(first.runId)
      expect([first.rejects.length, record?.rejects, known.length]).toEqual([2, 2, 2])
      const second = yield* run(service, steps("3"), { ...options, resume: record })
      const [again, more] = yield* recorded(first.runId)
      expect([second.rejects.length, again?.rejects, more.length]).toEqual([3, 3, 3])
      const last = yield* run(service, steps("6"), { ...options, resume: again })
      expect(last.outcome._tag, JSON.stringify(last.outcome)).toBe("Right")
      expect([last.rejects.length, last.summary.rejects, last.summary.rows]).toEqual([5, 5, 5])
      expect(new Set(last.rejects.map(({ key }) => key)).size).toBe(5)
    }
  }
)

scoped("a data folder that cannot be created fails a run before its first request", function* () {
  const files = yield* FileSystem.FileSystem
  const folder = yield* files.makeTempDirectoryScoped()
  yield* files.writeFileString(`${folder}/taken`, "")
  for (const dataDir of ["/proc/nowhere", `${folder}/taken`]) {
    let calls = 0
    const service = halfDead(2)
    const counted: typeof service = (asked, base) => {
      calls++
      return service(asked, base)
    }
    const failed = yield* Effect.flip(run(counted, crawl("50%"), { dataDir }))
    expect([failed._tag, calls]).toEqual(["LedgerError", 0])
  }
})
