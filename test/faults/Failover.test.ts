import { mkdirSync } from "node:fs"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Cluster from "../../src/Cluster.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { expect, live } from "../It.ts"
import { tempDir } from "../Local.ts"
import { ownServer } from "../Postgres.ts"
import { describeWithPostgres } from "../WithPostgres.ts"
import { heldSite } from "./Ground.ts"
import { build, launch, serve } from "./Sluice.ts"

/** Milliseconds. */
const claimed = 15_000

describeWithPostgres("a worker that is killed", () => {
  live("is replaced within 15 seconds: its shards move on elsewhere", function* () {
    const bin = yield* build
    const folder = yield* tempDir
    const postgres = yield* ownServer
    const url = `${postgres.url}&schema=failover`
    const site = yield* heldSite({ delay: 100 })
    mkdirSync(`${folder}/service`)
    const service = yield* serve(bin, `${folder}/service`)
    const urls = Array.from({ length: 4000 }, (_, index) => `"${site.url}/${index}"`)
    const text = `version: 1\nname: failover\nsteps:\n  - urls: [${urls.join(", ")}]\n  - scrape: { formats: [markdown] }\n    concurrency: 1\n  - write: { jsonl: pages.jsonl }\n`
    const scope = { env: {}, secrets: () => undefined }
    const source = yield* parseText(`${folder}/failover.yaml`, folder, text)
    const checked = yield* check(source, { ...scope, inputs: {}, complete: true })
    const start = (name: string) => {
      mkdirSync(`${folder}/${name}`)
      return launch({
        bin,
        words: ["worker", "--concurrency", "2", "--host", name],
        cwd: `${folder}/${name}`,
        env: { ...service.env, SLUICE_DATABASE_URL: url }
      })
    }
    yield* Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const { runId } = yield* Cluster.submit(checked, { out: `${folder}/out`, shardRows: 2000, ...scope })
      const rowsOf = (part: number) =>
        Effect.map(sql<{ n: number }>`SELECT row_count AS n FROM runs WHERE id = ${`${runId}.s000${part}`}`, ([row]) =>
          Number(row?.n ?? 0)
        )
      const all = Effect.all([rowsOf(0), rowsOf(1)])
      const first = yield* start("first")
      yield* Effect.repeat(Effect.delay(all, 50), { until: (rows) => rows.every((n) => n > 0) })
      const second = yield* start("second")
      yield* Effect.repeat(Effect.delay(Cluster.Workers.list, 50), {
        until: (workers) => workers.filter(({ alive }) => alive).length === 2
      })
      // Until the shares of the cluster are settled between both.
      yield* Effect.sleep(8000)
      const parts = yield* sql<{ host: string; part: number }>`SELECT w.host, p.part FROM parts p
            JOIN workers w ON w.id = p.worker WHERE p.status = 'open' AND p.part >= 0 ORDER BY p.part`
      // Chance gives each of the two shards to one of them.
      const [victim] = parts
      const held = parts.filter(({ host }) => host === victim?.host)
      expect(held.length).toBeGreaterThan(0)
      yield* (victim?.host === "first" ? first : second).kill
      const at = performance.now()
      const before = yield* all
      const moved = yield* Effect.forEach(
        held,
        ({ part }) =>
          Effect.as(
            Effect.repeat(Effect.delay(rowsOf(part), 50), {
              // One more commit may have been on its way.
              until: (n) => n > (before[part] ?? 0)
            }),
            performance.now()
          ).pipe(Effect.map(() => performance.now() - at)),
        { concurrency: "unbounded" }
      )
      console.log(`a killed worker's shards had moved on after ${moved.map((ms) => `${Math.round(ms)} ms`).join(", ")}`)
      for (const millis of moved) expect(millis).toBeLessThan(claimed)
    }).pipe(Effect.provide(Cluster.layer(Redacted.make(url), 4)))
  })
})
