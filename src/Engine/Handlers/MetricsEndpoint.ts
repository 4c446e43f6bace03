/**
 * `GET /metrics`: accepts the metrics key, or, without one, a key of the engine if all keys belong to one team. Gauges are read from
 * the store on request.
 */
import { statSync } from "node:fs"
import * as NodePath from "node:path"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Forbidden, Unauthorized } from "../../Api/Errors.ts"
import { observe } from "../../Telemetry/Metric.ts"
import * as ProcessMetrics from "../../Telemetry/ProcessMetrics.ts"
import { contentType, hasKey, text } from "../../Telemetry/Prometheus.ts"
import * as Failures from "../Http/Failures.ts"
import { claimable, type JobRow } from "../Jobs/JobRecord.ts"
import { failing, Sql } from "../Store/Sql.ts"
import * as Metrics from "../Teams/EngineMetrics.ts"
import { bearer, Keys } from "../Teams/Keys.ts"

const unauthorized = Failures.response(
  new Unauthorized({ error: "Metrics need a key: send it as Authorization: Bearer …", code: "UNAUTHORIZED" })
).pipe(HttpServerResponse.setHeader("www-authenticate", "Bearer"))

const severalTeams = Failures.response(
  new Forbidden({
    error: "Metrics cover all teams of this engine, and it has several: set SLUICE_METRICS_KEY and send that key.",
    code: "FORBIDDEN"
  })
)

export const layer = (metricsKey: Redacted.Redacted | undefined) =>
  HttpApiBuilder.Router.use((router) =>
    Effect.flatMap(Keys, (keys) => {
      const hasMetricsKey = metricsKey === undefined ? undefined : hasKey(metricsKey)
      const isEngineKey = (authorization: string | undefined): boolean => {
        const secret = bearer(authorization)
        return secret !== undefined && Option.isSome(keys.find(Redacted.make(secret)))
      }
      return router.get(
        "/metrics",
        Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers: { authorization } }) => {
          if (!(hasMetricsKey ?? isEngineKey)(authorization)) return Effect.succeed(unauthorized)
          if (hasMetricsKey === undefined && keys.teams.size > 1) return Effect.succeed(severalTeams)
          return Effect.map(text, (body) =>
            HttpServerResponse.text(body, { contentType, headers: { "cache-control": "no-store" } })
          )
        })
      )
    })
  )

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

const jobs = Effect.gen(function* () {
  const sql = yield* Sql
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

/** Updates the gauges of jobs and of the store whenever metrics are read. */
export const gauges = (dataDir: string) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const sql = yield* Sql
      const file = NodePath.join(dataDir, "engine.db")
      yield* ProcessMetrics.watch
      yield* observe(Effect.ignore(failing(Effect.provideService(jobs, Sql, sql))))
      yield* observe(Effect.sync(() => Metrics.storeBytes.set(sizeOf(file) + sizeOf(`${file}-wal`))))
    })
  )
