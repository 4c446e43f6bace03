import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import { main } from "../../src/Cli.ts"
import { render } from "../../src/Telemetry/Prometheus.ts"
import { makeTerminal, sluice } from "../Cli/Console.ts"
import { folderOf, platform, readText } from "../Cli/Project.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { page, site } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { place } from "../Postgres.ts"
import { describeWithPostgres } from "../WithPostgres.ts"
import { collector, type Span } from "./Collector.ts"

/** One of each kind of secret that a process may have. */
const secrets = {
  SLUICE_API_KEY: "sentinel-api-key",
  SLUICE_ENGINE_KEYS: `mine:fc-${"5e".repeat(16)}`,
  SLUICE_LLM_KEY: "sentinel-model-key",
  SLUICE_WEBHOOK_SECRET: "sentinel-webhook",
  SLUICE_METRICS_KEY: "sentinel-metrics",
  SLUICE_PROXIES: "stealth=http://agent:sentinel-proxy@127.0.0.1:1",
  SLUICE_SEARCH_PROVIDERS: "brave=sentinel-brave,local",
  OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=sentinel-otlp,x-tenant=night",
  SITE_TOKEN: "sentinel-site"
}

const sentinel = /sentinel|(?:5e){16}/

const env = { ...secrets, SLUICE_ENGINE: "local", SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }

const definition = (url: string) => `version: 1
name: watched
steps:
  - urls: ["${url}/a", "${url}/b?token=sentinel-query", "http://127.0.0.1:1/gone"]
  - id: fetched
    scrape:
      formats: [markdown]
      headers: { x-site-token: "\${{ secrets.SITE_TOKEN }}" }
  - id: proxied
    scrape: { url: { expr: metadata.sourceURL }, formats: [links], proxy: stealth }
  - write: { jsonl: pages.jsonl }
`

/** The names above a span, from the inside out. */
const above = (span: Span, spans: ReadonlyArray<Span>): ReadonlyArray<string> => {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return parent === undefined ? [] : [parent.name, ...above(parent, spans)]
}

describe("a run with telemetry", () => {
  scoped.skipIf(skipsLong)(
    "is one trace from its steps to the engine's work, told without any secret; its rejects name their span",
    function* () {
      const { url } = yield* site((path) => page(path))
      const otlp = yield* collector()
      const root = yield* folderOf({ "p.yaml": definition(url) })
      const { err, out } = yield* sluice(
        ["run", `${root}/p.yaml`, "--out", root, "--data", `${root}/data`, "--json", "--log-format", "json"],
        {
          env: {
            ...env,
            OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
            OTEL_SERVICE_NAME: "night shift",
            OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=test,owner=data%20team"
          }
        }
      )
      const report = JSON.parse(out)
      expect(report).toMatchObject({ rejects: 3 })

      const spans = otlp.spans()
      const run = spans.find(({ name }) => name === "Run.execute")
      expect(run?.attributes).toMatchObject({ "sluice.run.id": report.runId, "sluice.pipeline": "watched" })
      const requests = spans.filter(({ name }) => name === "POST /v2/scrape")
      expect(requests.length).toBeGreaterThanOrEqual(4)
      for (const request of requests) {
        expect(request.traceId).toBe(run?.traceId)
        expect(above(request, spans).slice(0, 5)).toEqual([
          "http.client POST",
          "Scrape.run",
          "Run.task",
          "Run.step",
          "Run.execute"
        ])
      }
      expect(otlp.resources()[0]).toMatchObject({
        "service.name": "night shift",
        "deployment.environment": "test",
        owner: "data team"
      })
      for (const headers of otlp.headers()) {
        expect(headers).toMatchObject({ "x-collector-key": "sentinel-otlp", "x-tenant": "night" })
      }
      for (const name of ["sluice_run_rejects_total", "sluice_client_requests_total", "sluice_http_requests_total"]) {
        expect(otlp.metrics()).toContain(name)
      }

      const rejects = (yield* readText(report.rejectFile)).trimEnd().split("\n")
      for (const reject of rejects.map((line) => JSON.parse(line))) {
        const span = spans.find(({ spanId }) => spanId === reject.spanId)
        expect(span).toMatchObject({ name: "Run.task", traceId: reject.traceId })
        expect(span?.attributes).toMatchObject({ "sluice.step": reject.step, "error.type": reject.error })
        // The request of the engine is found by the id that its answer had.
        const request = spans.find(({ spanId }) => spanId === reject.requestId)
        expect(request?.name).toBe("POST /v2/scrape")
      }
      const shown = yield* sluice(["show", report.runId, "--rejects", "--data", `${root}/data`])
      expect(
        shown.out
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line).traceId)
      ).toEqual(rejects.map(() => run?.traceId))

      const lines = err
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
      for (const line of lines) {
        expect(line).toMatchObject({
          time: expect.any(String),
          level: expect.any(String),
          message: expect.any(String)
        })
      }
      expect(lines.at(-1)).toMatchObject({ level: "error" })
      expect(lines.find(({ annotations }) => annotations?.run === report.runId)).toBeDefined()

      // Rejected rows are the user's own, addresses with them; all else is ours.
      const told = rejects.map((line) => JSON.stringify({ ...JSON.parse(line), row: null, key: null, source: null }))
      const metrics = render(Metric.unsafeSnapshot())
      for (const text of [otlp.raw(), err, out, metrics, ...told]) expect(text).not.toMatch(sentinel)
    },
    180_000
  )

  scoped("is exported to its end when Ctrl-C stops it", function* () {
    const stop = new AbortController()
    const otlp = yield* collector()
    const root = yield* folderOf()
    const { terminal } = makeTerminal({ env: { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url } })
    const out = { ...terminal.out, write: () => stop.abort("SIGINT") }
    const words = ["serve", "--port", "0", "--data", root]
    const code = yield* Effect.promise(() => main(words, { ...terminal, out }, stop.signal))
    expect(code).toBe(130)
    expect(otlp.spans().map(({ name }) => name)).toContain("Engine.start")
    expect(otlp.metrics()).toContain("process_resident_memory_bytes")
  })

  scoped("explains invalid settings without showing their values", function* () {
    const root = yield* folderOf()
    const said = (own: Record<string, string>) =>
      sluice(["runs", "--data", root], { env: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", ...own } })
    for (const [own, expected] of [
      [{ OTEL_EXPORTER_OTLP_ENDPOINT: "127.0.0.1:4318" }, /OTEL_EXPORTER_OTLP_ENDPOINT cannot be used/],
      [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://a:sentinel@127.0.0.1:1" }, /OTEL_EXPORTER_OTLP_HEADERS/],
      [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1/?team=data" }, /OTEL_EXPORTER_OTLP_ENDPOINT cannot be used/],
      [{ OTEL_EXPORTER_OTLP_HEADERS: "sentinel" }, /OTEL_EXPORTER_OTLP_HEADERS cannot be used/],
      [{ OTEL_EXPORTER_OTLP_HEADERS: "a=sentinel\nb" }, /OTEL_EXPORTER_OTLP_HEADERS cannot be used/],
      [{ OTEL_TRACES_SAMPLER_ARG: "2" }, /OTEL_TRACES_SAMPLER_ARG cannot be used: Expected a number from 0 to 1/]
    ] as const) {
      const { code, err } = yield* said(own)
      expect([code, err]).toEqual([78, expect.stringMatching(expected)])
      expect(err).not.toContain("sentinel")
    }
  })
})

/** Fails with its first row, every second. */
const failing = `version: 1
name: failing
schedule: { cron: "* * * * * *" }
steps:
  - read: rows.jsonl
  - check: [{ rule: n = 2, message: n is not two, onFail: fail }]
  - write: { jsonl: never.jsonl }
`

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))

describe("a log for machines", () => {
  it.live("has one JSON object per line for a failing schedule, with the fields of --json", () =>
    Effect.gen(function* () {
      const root = yield* folderOf({
        "p/failing.yaml": failing,
        "p/rows.jsonl": '{"n":1}\n',
        "p/broken.yaml": "version: 1\nname: broken\nschedule: { cron: daily }\nsteps: []\n"
      })
      const stop = new AbortController()
      const { terminal, written } = makeTerminal({ env: secrets, cwd: root })
      const words = ["schedule", `${root}/p`, "--data", `${root}/data`, "--out", root, "--log-format", "json"]
      const ended = main(words, terminal, stop.signal)
      yield* Effect.repeat(Effect.sleep(20), { until: () => written.err.includes('"status":"failed"') })
      stop.abort("SIGTERM")
      expect(yield* Effect.promise(() => ended)).toBe(143)
      const lines = linesOf(written.err)
      for (const line of lines) {
        expect(line).toMatchObject({ time: expect.stringMatching(/^\d{4}-.*Z$/), level: expect.any(String) })
      }
      expect(lines.find(({ message }) => message.includes("broken.yaml"))?.level).toBe("error")
      const failed = lines.find(({ annotations }) => annotations?.status === "failed")
      expect(failed).toMatchObject({
        level: "error",
        message: expect.stringContaining("n is not two"),
        annotations: { event: "over", pipeline: "failing" }
      })
      const began = lines.find(({ annotations }) => annotations?.event === "began")
      expect(began).toMatchObject({ level: "info", annotations: { run: failed.annotations.run } })
      expect(written.out + written.err).not.toMatch(sentinel)
    }).pipe(Effect.scoped, Effect.provide(platform))
  )
})

describeWithPostgres("a log for machines", () => {
  it.live.skipIf(skipsLong)("has one JSON object per line for a worker", () =>
    Effect.gen(function* () {
      const root = yield* folderOf()
      const env = { ...secrets, SLUICE_DATABASE_URL: yield* place }
      const { code, err, out } = yield* sluice(
        ["worker", "--drain", "--host", "box", "--data", root, "--log-format", "json"],
        { env }
      )
      expect([code, out]).toEqual([0, ""])
      for (const line of linesOf(err)) expect(line).toMatchObject({ time: expect.any(String), level: "info" })
      expect(linesOf(err)[0].message).toMatch(/^worker box-\S+ executes up to \d+ parts at once$/)
      expect(err).not.toMatch(sentinel)
    }).pipe(Effect.scoped, Effect.provide(platform))
  )
})
