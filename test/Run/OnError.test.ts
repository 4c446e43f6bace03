import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
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

it.scoped("a share of few rows is judged at the end, and nothing is published", () =>
  Effect.gen(function* () {
    const { outcome, rejects, rows } = yield* run(halfDead(10), crawl("40%"))
    expect(outcome).toMatchObject({
      left: {
        reason: { reason: "TooManyRejects", step: "crawl", definedAt: expect.stringMatching(/^p\.yaml:\d+:\d+$/) }
      }
    })
    expect(rows).toEqual([])
    expect(rejects.length).toBe(5)
    expect((yield* run(halfDead(10), crawl("50%"))).rows.length).toBe(5)
  })
)

it.scoped("a source's rejects are a share of all that it made, good or not", () =>
  Effect.gen(function* () {
    const { outcome, rows, summary } = yield* run(halfDead(300, 2), crawl("60%"))
    expect(outcome._tag).toBe("Right")
    expect(rows.length).toBe(300)
    expect(summary.rejects).toBe(300)
  })
)

it.scoped("a number counts rejects, whatever the number of rows", () =>
  Effect.gen(function* () {
    const { outcome, rejects } = yield* run(halfDead(10), crawl("2"))
    expect(outcome).toMatchObject({ left: { message: expect.stringContaining("crawl: rejected 3 rows") } })
    expect(rejects.length).toBe(3)
    expect(rejects[0]).not.toHaveProperty("attempts")
  })
)

it.scoped("a data folder that cannot be made stops a run before its first request", () =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const folder = yield* files.makeTempDirectoryScoped()
    yield* files.writeFileString(`${folder}/taken`, "")
    for (const dataDir of ["/proc/nowhere", `${folder}/taken`]) {
      const { asked, outcome } = yield* run(halfDead(2), crawl("50%"), { dataDir })
      expect(outcome).toMatchObject({ left: { _tag: "LedgerError" } })
      expect(asked).toEqual([])
    }
  }).pipe(Effect.provide(NodeContext.layer))
)
