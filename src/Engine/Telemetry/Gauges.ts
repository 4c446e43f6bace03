/** What is looked up when metrics are asked for: the queue, the jobs that run, and the size of the store. */
import { statSync } from "node:fs"
import * as NodePath from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { observe } from "../../Telemetry/Metric.ts"
import * as ProcessMetrics from "../../Telemetry/ProcessMetrics.ts"
import { claimable, type JobRow } from "../Jobs/Job.ts"
import * as Metrics from "../Telemetry.ts"

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

const jobs = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<JobRow>`SELECT kind, claimed, queued, page_limit, active FROM jobs WHERE status = 'scraping'`
  for (const kind of ["batch", "crawl"]) Metrics.jobs.set(rows.filter((row) => row.kind === kind).length, kind)
  Metrics.queued.set(
    rows.reduce((sum, row) => sum + claimable(row), 0),
    "waiting"
  )
  Metrics.queued.set(
    rows.reduce((sum, { active }) => sum + active, 0),
    "active"
  )
})

/** For as long as the engine runs. */
export const layer = (dataDir: string) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const file = NodePath.join(dataDir, "engine.db")
      yield* ProcessMetrics.watch
      yield* observe(Effect.ignore(Effect.provideService(jobs, SqlClient.SqlClient, sql)))
      yield* observe(Effect.sync(() => Metrics.storeBytes.set(sizeOf(file) + sizeOf(`${file}-wal`))))
    })
  )
