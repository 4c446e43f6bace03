/** The budget of a run that many workers share. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Connection from "../../src/Client/Connection.ts"
import * as Client from "../../src/Client.ts"
import * as Cluster from "../../src/Cluster.ts"
import { Ledger } from "../../src/Ledger.ts"
import { serve } from "../Client/Server.ts"
import { skipsLong } from "../Long.ts"
import { page } from "../Step/Odd.ts"
import { describeBeside } from "../WithPostgres.ts"
import { alone, checked, context, database, ended, folder, lines, submit, worker } from "./Ground.ts"

const addresses = Array.from({ length: 16 }, (_, index) => `https://a.example/${index}`)

const steps = `version: 1
name: paid
budget: { credits: 6 }
steps:
  - urls: [${addresses.join(", ")}]
  - scrape: { formats: [markdown] }
    concurrency: 1
  - select: { url: metadata.sourceURL }
  - write: { jsonl: pages.jsonl }
`

/** Shards write 480 bytes; what is scraped of it, in the end, is less. */
const parted = `version: 1
name: parted
budget: { bytes: 450B }
steps:
  - id: all
    urls: [${addresses.join(", ")}]
  - write: { jsonl: all.jsonl }
  - from: all
    limit: 4
  - scrape: { formats: [markdown] }
    concurrency: 1
  - select: { url: metadata.sourceURL }
  - write: { jsonl: pages.jsonl }
`

describeBeside("the budget of a run on many machines", () => {
  it.live.skipIf(skipsLong)(
    "holds for all workers together, ends the run when it is reached, and starts again with each resume",
    () =>
      Effect.gen(function* () {
        const out = yield* folder
        const asked: Array<string> = []
        const { url } = yield* serve(({ body }) => {
          const { url } = JSON.parse(body) as { readonly url: string }
          asked.push(url)
          return { body: { success: true, data: page(url, { creditsUsed: 1 }) } }
        })
        const client = Layer.orDie(Layer.provide(Client.layer, Connection.layer({ baseUrl: url })))
        const definition = yield* checked(out, steps)
        const layer = yield* database
        yield* worker(layer, "one", { client, concurrency: 2 })
        yield* worker(layer, "two", { client, concurrency: 2 })
        yield* Effect.gen(function* () {
          const queue = yield* Cluster.Submissions
          const { find } = yield* Ledger
          const { runId } = yield* submit(definition, out, { shardRows: 4 })
          const spent: Array<number> = [0]
          let status = "running"
          while (status !== "completed" && spent.length < 5) {
            const standing = yield* ended(runId)
            status = standing.status
            // Answers of other shards may be booked after the first one has ended the run.
            yield* Effect.repeat(Effect.delay(queue.heldParts(runId), 20), { until: (left) => left === 0 })
            const { credits = 0 } = (yield* find(runId)) ?? {}
            spent.push(credits)
            if (status === "completed") break
            expect(standing).toMatchObject({ status: "budget", reason: "BudgetReached" })
            expect(yield* find(runId)).toMatchObject({ status: "budget", error: expect.stringContaining("of 6 a run") })
            expect(readdirSync(out).filter((name) => name.startsWith("pages"))).toEqual([])
            expect(yield* queue.reopen(runId)).toBe(true)
          }
          // At most four shards run at once: each may have a call in flight when the sixth is answered.
          const each = spent.slice(1, -1).map((credits, index) => credits - (spent[index] ?? 0))
          expect(each.length).toBeGreaterThanOrEqual(1)
          for (const credits of each) {
            expect(credits).toBeGreaterThanOrEqual(6)
            expect(credits).toBeLessThanOrEqual(9)
          }
          expect(spent.at(-1)).toBe(16)
          expect(asked.toSorted()).toEqual(addresses.toSorted())
          expect(lines(out, "pages")).toHaveLength(16)
        }).pipe(Effect.provide(layer))
      }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)(
    "of bytes also starts again for the steps that see all rows, whatever shards have written before",
    () =>
      Effect.gen(function* () {
        const out = yield* folder
        const { url } = yield* serve(({ body }) => {
          const { url } = JSON.parse(body) as { readonly url: string }
          return { body: { success: true, data: page(url, { creditsUsed: 1 }) } }
        })
        const client = Layer.orDie(Layer.provide(Client.layer, Connection.layer({ baseUrl: url })))
        const definition = yield* checked(out, parted)
        const layer = yield* database
        yield* worker(layer, "one", { client, concurrency: 2 })
        yield* Effect.gen(function* () {
          const queue = yield* Cluster.Submissions
          const { runId } = yield* submit(definition, out, { shardRows: 4 })
          let { status } = yield* ended(runId)
          let times = 0
          for (; status === "budget" && times < 5; times++) {
            yield* Effect.repeat(Effect.delay(queue.heldParts(runId), 20), { until: (left) => left === 0 })
            yield* queue.reopen(runId)
            status = (yield* ended(runId)).status
          }
          expect([status, times > 0]).toEqual(["completed", true])
          expect(lines(out, "pages")).toHaveLength(4)
        }).pipe(Effect.provide(layer))
      }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)(
    "of pages is reached at the same page as on one machine: calls without a page do not count",
    () =>
      Effect.gen(function* () {
        const { url } = yield* serve(({ body }) => {
          const { url } = JSON.parse(body) as { readonly url: string }
          return Number(url.split("/").at(-1)) % 2 === 0
            ? { status: 400, body: { success: false, error: "the page has no content" } }
            : { body: { success: true, data: page(url, { creditsUsed: 1 }) } }
        })
        const client = Layer.orDie(Layer.provide(Client.layer, Connection.layer({ baseUrl: url })))
        const layer = yield* database
        yield* worker(layer, "one", { client, concurrency: 2 })
        yield* worker(layer, "two", { client, concurrency: 2 })
        for (const [pages, expected] of [
          [8, "completed"],
          [7, "budget"]
        ] as const) {
          const out = yield* folder
          const definition = yield* checked(
            out,
            steps.replace("credits: 6", `pages: ${pages}`).replace("name: paid", `name: paid-${pages}`)
          )
          const here = yield* Effect.match(alone(definition, { client }), {
            onSuccess: () => "completed",
            onFailure: (error) => ("summary" in error ? error.summary.status : error._tag)
          })
          const there = yield* Effect.provide(
            Effect.gen(function* () {
              const { runId } = yield* submit(definition, out, { shardRows: 4 })
              return (yield* ended(runId)).status
            }),
            layer
          )
          expect([here, there], `${pages} pages`).toEqual([expected, expected])
        }
      }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)("of rows or bytes is not exceeded, however many workers write between two commits", () =>
    Effect.gen(function* () {
      const layer = yield* database
      yield* worker(layer, "one", { concurrency: 4 })
      yield* worker(layer, "two", { concurrency: 4 })
      const many = Array.from({ length: 24 }, (_, index) => `https://a.example/${index + 100}`)
      // A line has 32 bytes. Rows that shards have written are not counted again where the finish writes them.
      for (const [limits, most, write] of [
        ["rows: 10", 10, ""],
        ["bytes: 330B", 10, ""],
        ["rows: 24", 24, "  - dedupe: { key: url }\n  - write: { jsonl: all.jsonl }\n"]
      ] as const) {
        const out = yield* folder
        const definition = yield* checked(
          out,
          `version: 1\nname: many\nbudget: { ${limits} }\nsteps:\n  - urls: [${many.join(", ")}]\n  - write: { jsonl: pages.jsonl }\n${write}`
        )
        const { runId, standing } = yield* Effect.gen(function* () {
          const queue = yield* Cluster.Submissions
          const { runId } = yield* submit(definition, out, { shardRows: 4 })
          yield* ended(runId)
          yield* Effect.repeat(Effect.delay(queue.heldParts(runId), 20), { until: (left) => left === 0 })
          return { runId, standing: yield* ended(runId) }
        }).pipe(Effect.provide(layer))
        expect(standing.status, limits).toBe(most === 24 ? "completed" : "budget")
        const below = most === 24 ? out : `${out}/.sluice/cluster/${runId}/shards`
        const files = readdirSync(below, { recursive: true, encoding: "utf8" }).filter((file) =>
          /^(?:.*\/)?pages/.test(file)
        )
        const text = files.map((file) => readFileSync(`${below}/${file}`, "utf8")).join("")
        expect(text.split("\n").length - 1, limits).toBe(most)
      }
    }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)(
    "publishes what was paid for when the definition says so, and leaves nothing to resume",
    () =>
      Effect.gen(function* () {
        const { url } = yield* serve(({ body }) => {
          const { url } = JSON.parse(body) as { readonly url: string }
          return { body: { success: true, data: page(url, { creditsUsed: 1 }) } }
        })
        const client = Layer.orDie(Layer.provide(Client.layer, Connection.layer({ baseUrl: url })))
        const layer = yield* database
        yield* worker(layer, "one", { client, concurrency: 2 })
        yield* worker(layer, "two", { client, concurrency: 2 })
        // Shards write; one worker does all of it; the finish writes what all shards have left.
        const split = steps.replace("credits: 6", "pages: 6, onReached: publish")
        const whole = split.replace("  - urls", "  - id: list\n    when: true\n    urls")
        const together = split.replace("  - select", "  - sort: { by: metadata.sourceURL }\n  - select")
        for (const definition of [split, whole, together]) {
          const out = yield* folder
          const { runId } = yield* Effect.gen(function* () {
            const submitted = yield* submit(yield* checked(out, definition), out, { shardRows: 4 })
            expect(yield* ended(submitted.runId)).toMatchObject({
              status: "budget",
              error: expect.stringMatching(/6 pages of 6 a run.*rows that were paid for are published/)
            })
            const { find } = yield* Ledger
            expect(yield* find(submitted.runId)).toMatchObject({ status: "completed", rows: 6 })
            const left = yield* Effect.flip(Cluster.RunStatus.summary(submitted.runId))
            expect(left).toMatchObject({ summary: { status: "budget", rows: 6, resumable: false } })
            return submitted
          }).pipe(Effect.provide(layer))
          expect(new Set(lines(out, "pages")).size, definition).toBe(6)
          expect(existsSync(`${out}/.sluice/cluster/${runId}`)).toBe(false)
        }
      }).pipe(Effect.scoped, Effect.provide(context))
  )
})
