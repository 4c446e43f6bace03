/** State that a pipeline keeps from run to run, when many workers share its runs. */

import { writeFileSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Connection from "../../src/Client/Connection.ts"
import * as Client from "../../src/Client.ts"
import { RunStatus } from "../../src/Cluster.ts"
import { Ledger } from "../../src/Ledger.ts"
import { changesUnder } from "../../src/Schedule/Changes.ts"
import { serve } from "../Client/Server.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { describeWithPostgres } from "../WithPostgres.ts"
import { alone, checked, context, database, ended, folder, lines, submit, worker } from "./Ground.ts"

const watch = `version: 1
name: watch
steps:
  - read: rows.jsonl
  - select: { id: id, v: v }
  - dedupe: { key: id, across: runs, changedWhen: v, previous: [v], emit: [new, changed, unchanged, gone] }
  - write: { jsonl: changes.jsonl }
`

const rowsOf = (values: Readonly<Record<string, string>>, more = "") =>
  Object.entries(values)
    .map(([id, v]) => `${JSON.stringify({ id, v })}\n`)
    .join("") + more

const days = [
  rowsOf({ a: "1", b: "1", c: "1", d: "1", e: "1" }),
  // A line that cannot be read may have been any row: nothing is gone.
  rowsOf({ a: "1", b: "2" }, "{broken\n"),
  rowsOf({ a: "2", b: "2", f: "1" }),
  rowsOf({ a: "2" })
]

/** A row that is gone says when it was seen. */
const undated = (all: ReadonlyArray<string>) => all.map((line) => line.replaceAll(/"20\d\d-[^"]+Z"/g, "0"))

describeWithPostgres("state across runs on many machines", () => {
  it.live.skipIf(skipsLong)("is compared by a held run, too: its summary has the changes", () =>
    Effect.gen(function* () {
      const out = yield* folder
      writeFileSync(`${out}/rows.jsonl`, days[0] ?? "")
      const definition = yield* checked(out, watch.replace("steps:", "health: { rows: { min: 100 } }\nsteps:"))
      const layer = yield* database
      yield* worker(layer, "one")
      yield* Effect.gen(function* () {
        const { runId } = yield* submit(definition, out, { shardRows: 3 })
        expect(yield* ended(runId)).toMatchObject({ reason: "OutputsHeld" })
        const failure = yield* Effect.flip(RunStatus.summary(runId))
        expect(failure).toMatchObject({ summary: { status: "held", changes: { new: 5 } } })
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)(
    "is the same as on one: new, changed, unchanged, and gone only when the whole source was read",
    () =>
      Effect.gen(function* () {
        const [out, single] = [yield* folder, yield* tempDir]
        const definition = yield* checked(out, watch)
        const layer = yield* database
        yield* worker(layer, "one")
        yield* worker(layer, "two")
        yield* Effect.gen(function* () {
          for (const [day, text] of days.entries()) {
            writeFileSync(`${out}/rows.jsonl`, text)
            expect((yield* ended((yield* submit(definition, out, { shardRows: 3 })).runId)).status).toBe("completed")
            yield* alone(definition, { out: single })
            const changes = undated(lines(out, "changes"))
            expect(changes, `day ${day}`).toEqual(undated(lines(single, "changes")))
            expect(changes.join("\n").includes('"gone"'), `day ${day}`).toBe(day >= 2)
          }
          // A backfill does not touch the state.
          writeFileSync(`${out}/rows.jsonl`, rowsOf({ z: "1" }))
          yield* ended((yield* submit(definition, out, { backfill: true })).runId)
          writeFileSync(`${out}/rows.jsonl`, rowsOf({ a: "2" }))
          yield* ended((yield* submit(definition, out)).runId)
          expect(lines(out, "changes")).toEqual(['{"id":"a","v":"2","change":"unchanged"}'])
        }).pipe(Effect.provide(layer))
      }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)(
    "compares pages with earlier runs and keeps what has changed in them, whichever worker reads the crawl",
    () =>
      Effect.gen(function* () {
        const address = (page: number) => `http://x.example/${page}`
        let pages: ReadonlyArray<number> = [1, 2, 3]
        let robotsBlocked: ReadonlyArray<string> = []
        let price = 5
        const server = yield* serve(({ method, path }) => {
          if (method === "POST")
            return { body: { success: true, id: "7b6f3c1e-8f6b-4b1a-9d56-0123456789ab", url: "x" } }
          if (path.endsWith("/errors")) return { body: { errors: [], robotsBlocked } }
          const data = pages.map((page) => ({
            markdown: `A day at pier ${page} costs ${page === 1 ? price : 5} euros.`,
            metadata: { sourceURL: address(page), statusCode: 200 }
          }))
          const counts = { total: data.length, completed: data.length, creditsUsed: data.length }
          return { body: { success: true, status: "completed", ...counts, data } }
        })
        const out = yield* folder
        const definition = yield* checked(
          out,
          'version: 1\nname: blocked\nsteps:\n  - crawl: { url: "http://x.example" }\n  - select: { url: metadata.sourceURL, markdown: markdown }\n  - dedupe: { across: runs, changedIn: markdown, emit: [new, changed, gone], history: 10 }\n  - write: { jsonl: changes.jsonl }\n'
        )
        const layer = yield* database
        yield* worker(layer, "one", { client: Layer.provide(Client.layer, Connection.layer({ baseUrl: server.url })) })
        yield* Effect.gen(function* () {
          const day = (now: ReadonlyArray<number>, blocked: ReadonlyArray<string>) =>
            Effect.gen(function* () {
              pages = now
              robotsBlocked = blocked
              const { runId, whole } = yield* submit(definition, out, { shardRows: 2 })
              expect(whole).toBeUndefined()
              expect((yield* ended(runId)).status).toBe("completed")
              return lines(out, "changes").filter((line) => line.includes('"gone"')).length
            })
          expect(yield* day([1, 2, 3], ["http://x.example/search"])).toBe(0)
          expect(yield* day([1, 2], ["http://x.example/search", address(3)])).toBe(0)
          expect(yield* day([1, 2], ["http://x.example/search"])).toBe(1)
          price = 7
          expect(yield* day([1, 2], ["http://x.example/search"])).toBe(0)
          expect(lines(out, "changes").map((line) => JSON.parse(line))).toMatchObject([
            { url: address(1), change: "changed" }
          ])
          // For notifications, which any machine sends.
          expect(yield* changesUnder(yield* Ledger, "blocked")).toMatchObject([
            { change: "gone", key: address(3) },
            {
              change: "changed",
              key: address(1),
              summary: "“5” became “7” in a paragraph.",
              diff: "A day at pier 1 costs [-5-]{+7+} euros."
            }
          ])
        }).pipe(Effect.provide(layer))
      }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)(
    "gives a page that was scraped for a row the key that it has on one machine: its address",
    () =>
      Effect.gen(function* () {
        const server = yield* serve(({ body }) => {
          const { url }: { readonly url: string } = JSON.parse(body)
          return { body: { success: true, data: { markdown: "x", metadata: { sourceURL: url, statusCode: 200 } } } }
        })
        const out = yield* folder
        const addresses = [1, 2, 3].map((page) => `http://x.example/${page}`)
        writeFileSync(`${out}/rows.jsonl`, addresses.map((link) => `${JSON.stringify({ link })}\n`).join(""))
        const definition = yield* checked(
          out,
          "version: 1\nname: keys\nsteps:\n  - read: rows.jsonl\n  - scrape: { url: { expr: link } }\n  - select: { key: $key }\n  - write: { jsonl: keys.jsonl }\n"
        )
        const layer = yield* database
        yield* worker(layer, "one", { client: Layer.provide(Client.layer, Connection.layer({ baseUrl: server.url })) })
        yield* Effect.gen(function* () {
          expect((yield* ended((yield* submit(definition, out, { shardRows: 2 })).runId)).status).toBe("completed")
          expect(lines(out, "keys").toSorted()).toEqual(addresses.map((key) => JSON.stringify({ key })))
        }).pipe(Effect.provide(layer))
      }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)("skips files that were seen, whichever worker has seen them", () =>
    Effect.gen(function* () {
      const out = yield* folder
      const definition = yield* checked(
        out,
        'version: 1\nname: inbox\nsteps:\n  - files: { glob: "in-*.txt", skipSeen: content }\n  - select: { name: name }\n  - write: { jsonl: "{runId}.jsonl" }\n'
      )
      const layer = yield* database
      yield* Effect.gen(function* () {
        const given: Array<ReadonlyArray<string>> = []
        for (const name of ["one", "two"]) {
          writeFileSync(`${out}/in-${name}.txt`, name)
          const { runId, whole } = yield* submit(definition, out)
          expect(whole).toContain("remembers")
          yield* Effect.scoped(Effect.zipRight(worker(layer, name), ended(runId)))
          given.push(lines(out, runId))
        }
        expect(given).toEqual([['{"name":"in-one.txt"}'], ['{"name":"in-two.txt"}']])
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )
})
