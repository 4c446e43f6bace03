import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import * as PgClient from "@effect/sql-pg/PgClient"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as Cluster from "../../src/Cluster.ts"
import { Ledger } from "../../src/Ledger.ts"
import { ExitCode } from "../../src/TypedError/ExitCode.ts"
import { layer as alonesLedger } from "../Ledger/Fresh.ts"
import { skipsLong } from "../Long.ts"
import { place } from "../Postgres.ts"
import { manifestIn, wrongEntries } from "../Run/Published.ts"
import { describeBeside } from "../WithPostgres.ts"
import { alone, checked, context, database, ended, folder, lines, submit, worker } from "./Ground.ts"

const addresses = (count: number): string =>
  Array.from({ length: count }, (_, index) => `https://a.example/${index % (count - 5)}`).join("\n")

const steps = `
version: 1
name: machines
steps:
  - urls: { file: list.txt }
  - where: url != "https://a.example/7"
  - select: { url: url, length: $length(url) }
  - write: { jsonl: pages.jsonl }
`

const tail = `${steps}  - dedupe: { key: url }
  - sort: { by: [{ expr: url, order: desc }], limit: 12 }
    id: sorted
  - write: { jsonl: sorted.jsonl }
  - limit: 5
  - write: { csv: few.csv }
`

describeBeside("runs on many machines", () => {
  it.live.skipIf(skipsLong)(
    "merge branches within each shard and in steps that see all rows, as one machine does",
    () =>
      Effect.gen(function* () {
        const out = yield* folder
        writeFileSync(`${out}/list.txt`, addresses(25))
        const definition = yield* checked(
          out,
          `version: 1
name: merging
steps:
  - id: all
    urls: { file: list.txt }
  - id: even
    where: $number($match(url, /[0-9]+$/).match) % 2 = 0
  - id: odd
    from: all
    select: { url: url, odd: "'maybe'" }
  - id: both
    from: [even, odd]
    select: { url: url, odd: odd }
  - write: { jsonl: both.jsonl }
  - id: first
    from: even
    sort: { by: url }
  - id: rest
    from: [first, odd, write]
    select: { url: url, odd: odd }
  - write: { jsonl: rest.jsonl }
`
        )
        const single = yield* alone(definition)
        const layer = yield* database
        yield* worker(layer, "one")
        yield* worker(layer, "two")
        yield* Effect.gen(function* () {
          const { runId } = yield* submit(definition, out)
          expect((yield* ended(runId)).status).toBe("completed")
          expect(readdirSync(out).filter((name) => name.startsWith("both")).length).toBeGreaterThan(1)
          expect([...lines(out, "both.")].sort()).toEqual([...lines(single, "both.")].sort())
          expect([...lines(out, "rest.")].sort()).toEqual([...lines(single, "rest.")].sort())
          expect(lines(out, "rest.").length).toBeGreaterThan(lines(out, "both.").length)
        }).pipe(Effect.provide(layer))
      }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live(
    "write the rows of one machine, in one file per shard and one for the steps that see all rows, with its health",
    () =>
      Effect.gen(function* () {
        const out = yield* folder
        writeFileSync(`${out}/list.txt`, addresses(25))
        const definition = yield* checked(out, tail.replaceAll(".jsonl }", ".jsonl, manifest: true }"))
        const single = yield* alone(definition)
        const healthIn = Effect.gen(function* () {
          const { health, history } = yield* Ledger
          const [run] = yield* history.runs({ limit: 1 })
          const sinks = yield* health.sinksOf(run?.id ?? "")
          return {
            run: (yield* health.of(run?.id ?? ""))?.metrics,
            sinks: Object.fromEntries(sinks.map(({ metrics, published, sink }) => [sink, { metrics, published }]))
          }
        })
        const expected = yield* Effect.provide(healthIn, alonesLedger(`${single}/.sluice`))
        expect(Object.keys(expected.sinks)).toEqual(["write", "write-2", "write-3"])
        // Each with connections of its own.
        const layer = Cluster.layer(Redacted.make(yield* place))
        yield* worker(layer, "one")
        yield* worker(layer, "two")
        yield* Effect.gen(function* () {
          const { runId } = yield* submit(definition, out)
          const { status } = yield* ended(runId)
          expect(status).toBe("completed")
          // They began at once, on a database that had no tables yet.
          expect((yield* Cluster.Workers.list).map(({ host }) => host).toSorted()).toEqual(["one", "two"])
          expect(readdirSync(out).filter((name) => name.startsWith("pages"))).toEqual(
            [0, 1, 2].map((part) => `pages.000${part}.jsonl`)
          )
          expect(lines(out, "pages.")).toEqual(lines(single, "pages."))
          expect(lines(out, "sorted")).toEqual(lines(single, "sorted"))
          expect(wrongEntries(out)).toEqual([])
          expect(manifestIn(out)?.files.map(({ path, rows }) => [path, rows])).toEqual([
            ...[0, 1, 2].map((part) => [`pages.000${part}.jsonl`, lines(out, `pages.000${part}`).length]),
            ["sorted.jsonl", 12]
          ])
          expect(lines(out, "few")).toEqual(lines(single, "few"))
          const { find, history } = yield* Ledger
          const record = yield* find(runId)
          expect(record).toMatchObject({ status: "completed", rejects: 0 })
          expect(record?.outputs).toHaveLength(5)
          expect((yield* history.runs({ limit: 10 })).map(({ id }) => id)).toEqual([runId])
          expect(existsSync(`${out}/.sluice/cluster/${runId}`)).toBe(false)
          // Of the profiles of all shards one is left.
          expect(yield* healthIn).toEqual(expected)
          const sql = yield* PgClient.PgClient
          expect(yield* sql`SELECT DISTINCT run_id FROM profiles`).toEqual([{ run_id: runId }])
        }).pipe(Effect.provide(layer))
      }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)("hold broken outputs, and publish them once they are released", () =>
    Effect.gen(function* () {
      const out = yield* folder
      writeFileSync(`${out}/list.txt`, addresses(25))
      const definition = yield* checked(out, steps.replace("steps:", "health: { rows: { min: 100 } }\nsteps:"))
      const tables = yield* database
      yield* worker(tables, "one")
      yield* Effect.gen(function* () {
        const { find, held } = yield* Ledger
        const queue = yield* Cluster.Submissions
        const { runId } = yield* submit(definition, out)
        expect(yield* ended(runId)).toMatchObject({ status: "failed", reason: "OutputsHeld" })
        expect((yield* find(runId))?.status).toBe("held")
        const failure = yield* Effect.flip(Cluster.RunStatus.summary(runId))
        expect(failure).toMatchObject({
          summary: { status: "held", resumable: false, outputs: [] },
          reason: { exitCode: ExitCode.checkFailed }
        })
        expect(readdirSync(out).filter((name) => name.endsWith(".jsonl"))).toEqual([])
        expect(yield* queue.stop(runId)).toBe("over")
        yield* held.release(runId)
        expect(yield* queue.reopen(runId)).toBe(true)
        expect((yield* ended(runId)).status).toBe("completed")
        expect(lines(out, "pages.")).toHaveLength(24)
        expect((yield* find(runId))?.status).toBe("completed")
        expect(existsSync(`${out}/.sluice/cluster/${runId}`)).toBe(false)
      }).pipe(Effect.provide(tables))
    }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)(
    "collect the rejects of all shards in the run, and remove files of an earlier run with more shards",
    () =>
      Effect.gen(function* () {
        const out = yield* folder
        writeFileSync(`${out}/list.txt`, addresses(35))
        // It looks like a part, and is none.
        writeFileSync(`${out}/pages.2025.jsonl`, "{}\n")
        const definition = yield* checked(out, steps.replace("$length(url)", "$number(url)"))
        const good = yield* checked(out, steps.replace("$length(url)", "'$contains(url, \"/3\") ? $number(url) : 1'"))
        const layer = yield* database
        yield* worker(layer, "one")
        yield* Effect.gen(function* () {
          yield* ended((yield* submit(yield* checked(out, steps), out)).runId)
          expect(existsSync(`${out}/pages.0003.jsonl`)).toBe(true)
          writeFileSync(`${out}/list.txt`, addresses(25))
          const { runId } = yield* submit(good, out)
          expect((yield* ended(runId)).status).toBe("completed")
          const { find, history } = yield* Ledger
          const rejects = yield* Stream.runCollect(history.rejects(runId, { which: "open" }))
          expect(rejects.length).toBe(2)
          expect(yield* find(runId)).toMatchObject({ rejects: 2, rows: 22 })
          expect(lines(`${out}/.sluice/runs/${runId}`, "rejects").length).toBe(2)
          expect(readdirSync(out).filter((name) => name.startsWith("pages"))).toEqual(
            ["0000", "0001", "0002", "2025"].map((part) => `pages.${part}.jsonl`)
          )
          // Every row that was delivered is rejected: then no output is replaced.
          writeFileSync(`${out}/list.txt`, addresses(12))
          const none = yield* submit(definition, out)
          expect(yield* ended(none.runId)).toMatchObject({ status: "failed", reason: "TooManyRejects" })
          expect(lines(out, "pages.00").length).toBe(22)
          // One row is filtered instead of rejected: the run completes without rows.
          writeFileSync(`${out}/list.txt`, addresses(25))
          const quiet = yield* submit(definition, out)
          expect((yield* ended(quiet.runId)).status).toBe("completed")
          expect(yield* find(quiet.runId)).toMatchObject({ rejects: 24, rows: 0 })
          expect(lines(out, "pages.00").length).toBe(0)
        }).pipe(Effect.provide(layer))
      }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)(
    "continue on other workers when a worker is stopped, and drained workers end by themselves",
    () =>
      Effect.gen(function* () {
        const out = yield* folder
        writeFileSync(`${out}/list.txt`, addresses(25))
        const definition = yield* checked(out, steps)
        const layer = yield* database
        yield* Effect.gen(function* () {
          const { runId } = yield* submit(definition, out)
          const first = yield* worker(layer, "one", { concurrency: 1 })
          yield* Effect.repeat(Effect.delay(Cluster.RunStatus.standing(runId), 20), {
            until: (standing) => (standing?.done ?? 0) > 0
          })
          yield* first.stop
          yield* Fiber.join(first.fiber)
          expect((yield* Cluster.RunStatus.standing(runId))?.status).toBe("running")
          const second = yield* worker(layer, "two", { drain: true })
          yield* Fiber.join(second.fiber)
          expect((yield* ended(runId)).status).toBe("completed")
          expect(lines(out, "pages.").length).toBe(24)
        }).pipe(Effect.provide(layer))
      }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)("write the rows of one machine also for no rows, and for files in folders", () =>
    Effect.gen(function* () {
      const out = yield* folder
      const definition = yield* checked(
        out,
        steps.replace("jsonl: pages.jsonl", 'jsonl: "out/{length}/pages.jsonl", partitionBy: { length: length }')
      )
      const flat = yield* checked(out, steps)
      const layer = yield* database
      yield* worker(layer, "one")
      yield* Effect.gen(function* () {
        writeFileSync(`${out}/list.txt`, "")
        expect(yield* ended((yield* submit(flat, out)).runId)).toMatchObject({ status: "completed", shards: 1 })
        expect(readFileSync(`${out}/pages.0000.jsonl`, "utf8")).toBe("")
        writeFileSync(`${out}/list.txt`, addresses(25))
        expect((yield* ended((yield* submit(definition, out)).runId)).status).toBe("completed")
        const single = yield* alone(definition)
        for (const length of readdirSync(`${single}/out`)) {
          expect(lines(`${out}/out/${length}`, "pages")).toEqual(lines(`${single}/out/${length}`, "pages"))
        }
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live.skipIf(skipsLong)("with too many rejects leave these rejects with the run", () =>
    Effect.gen(function* () {
      const out = yield* folder
      writeFileSync(`${out}/list.txt`, addresses(25))
      const select = `select: { url: '$contains(url, "/1") ? $number(url) : url' }`
      const definition = yield* checked(
        out,
        steps.replace(/select: .*/, `${select}\n    onError: { reject: true, stopAfter: 20% }`)
      )
      const layer = yield* database
      yield* worker(layer, "one")
      yield* Effect.gen(function* () {
        const { runId } = yield* submit(definition, out)
        expect(yield* ended(runId)).toMatchObject({ status: "failed", reason: "TooManyRejects" })
        const { find, history } = yield* Ledger
        expect(yield* find(runId)).toMatchObject({ status: "failed", rejects: 12 })
        expect((yield* Stream.runCollect(history.rejects(runId, { which: "open" }))).length).toBe(12)
        expect(readdirSync(out).filter((name) => name.startsWith("pages"))).toEqual([])
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )
})
