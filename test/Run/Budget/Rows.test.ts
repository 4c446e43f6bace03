/** Budgets of rows, bytes and time: nothing is written beyond them, and nothing is lost. */

import { readdirSync, statSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { tempDir } from "../../Local.ts"
import { run } from "../../Step/Odd.ts"
import * as Shop from "./Shop.ts"

const urls = (count: number): string =>
  `  - urls: [${Array.from({ length: count }, (_, index) => `"http://x.example/${index}"`).join(", ")}]`

it.scoped("no more rows are written than the budget says, and those that are left come with the resume", () =>
  Effect.gen(function* () {
    const shop = Shop.make()
    const { outcome, summary } = yield* run(shop.reply, urls(1500), {}, "budget: { rows: 5 }\n")
    expect(summary).toMatchObject({ status: "budget", rows: 5, resumable: true })
    expect(outcome).toMatchObject({ left: { message: expect.stringContaining("5 rows of 5 a run") } })
    const whole = yield* run(shop.reply, urls(5), {}, "budget: { rows: 5 }\n")
    expect([whole.summary.status, whole.rows.length]).toEqual(["completed", 5])
  })
)

it.scoped("files are cut at the row before the limit of bytes", () =>
  Effect.gen(function* () {
    for (const write of ["", "  - write: { csv: rows.csv }\n"]) {
      const out = yield* tempDir
      const shop = Shop.make()
      const { summary } = yield* run(shop.reply, `${urls(400)}\n${write}`, { out }, "budget: { bytes: 1KB }\n")
      expect(summary).toMatchObject({ status: "budget", resumable: true })
      const bytes = readdirSync(out)
        .filter((name) => name.endsWith(".partial"))
        .reduce((sum, name) => sum + statSync(`${out}/${name}`).size, 0)
      expect(bytes).toBeLessThanOrEqual(write === "" ? 1000 : 2000)
      expect(summary.rows).toBeGreaterThan(15)
    }
  })
)

it.scoped("a run stops when its time is over, although a call has no answer yet", () =>
  Effect.gen(function* () {
    const shop = Shop.make()
    const { summary } = yield* run(
      (asked) => (asked.path.endsWith("/scrape") ? { hangs: true } : shop.reply(asked)),
      `${urls(2)}\n  - scrape: {}`,
      {},
      "budget: { duration: 1s }\n"
    )
    expect(summary).toMatchObject({ status: "budget" })
    expect(summary.durationMs).toBeLessThan(30_000)
  })
)
