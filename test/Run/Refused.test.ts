import type { Reply } from "../Client/Server.ts"
import { describe, expect, scoped } from "../It.ts"
import { project, stepLine } from "../Project.ts"
import { page } from "../Step/Odd.ts"

const addresses = Array.from({ length: 30 }, (_, index) => `https://docs.example.com/${index}`)

describe("a service that refuses its client after five pages", () => {
  scoped.each([
    { status: 401, why: "Unauthorized" },
    { status: 402, why: "PaymentRequired" }
  ])("ends the run with $status, which keeps what is paid for and rejects no row", function* ({ status, why }) {
    let isOpen = false
    let calls = 0
    const { asked, resume, run } = yield* project({
      repeats: 0,
      service: ({ body }): Reply =>
        !isOpen && ++calls > 5
          ? { status, body: { success: false, error: "no" } }
          : { body: { success: true, data: page(JSON.parse(body).url, { creditsUsed: 1 }) } }
    })
    const steps = `${stepLine("urls", addresses)}  - scrape: {}\n    concurrency: 2\n  - write: { jsonl: rows.jsonl }\n`
    const { outcome, runId, summary } = yield* run(steps)
    expect(outcome).toMatchObject({ left: { reason: { reason: why } } })
    expect(summary).toMatchObject({ status: "failed", rejects: 0, credits: 5, resumable: true })
    expect(asked.length).toBeLessThanOrEqual(5 + 2)
    isOpen = true
    expect((yield* resume(runId, steps)).summary).toMatchObject({
      status: "completed",
      rows: 30,
      rejects: 0,
      credits: 30
    })
  })
})
