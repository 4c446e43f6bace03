import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as EffectMetric from "effect/Metric"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { Api } from "../../src/Api.ts"
import * as Health from "../../src/Cli/Schedule/HealthServer.ts"
import { requests } from "../../src/Engine/Teams/EngineMetrics.ts"
import { catalogue, counter, histogram, maxSeries, sample } from "../../src/Telemetry/Metric.ts"
import * as ProcessMetrics from "../../src/Telemetry/ProcessMetrics.ts"
import { render } from "../../src/Telemetry/Prometheus.ts"
import * as Site from "../Dashboard/Site.ts"
import { caller, engine, keys } from "../Local.ts"
import { statusOfTwoHosts } from "../Web/TwoHosts.ts"
import "../../src/Cli/Telemetry.ts"
import "../../src/Client/Metrics.ts"
import "../../src/Cluster/Attempt.ts"
import "../../src/Run/Metrics.ts"
import "../../src/Schedule/Metrics.ts"
import { describe, expect, it, live, scoped } from "../It.ts"

const endpoints = Object.values(Api.groups).flatMap((group) =>
  Object.values<{ readonly method: string; readonly path: string }>(group.endpoints)
)

interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

interface Family {
  readonly type: string
  readonly help: string | undefined
  readonly samples: ReadonlyArray<Sample>
}

const suffixes: Readonly<Record<string, ReadonlyArray<string>>> = {
  counter: [""],
  gauge: [""],
  histogram: ["_bucket", "_sum", "_count"],
  summary: ["", "_sum", "_count"]
}

const unescape = (text: string) => text.replace(/\\(.)/g, (_, each) => (each === "n" ? "\n" : each))

/** Reads the text format as strictly as its description does; throws at the first line that is not in it. */
const parse = (text: string): ReadonlyMap<string, Family> => {
  const families = new Map<string, { type: string; help: string | undefined; samples: Array<Sample> }>()
  const seen = new Set<string>()
  let current = ""
  let help: string | undefined
  if (text !== "" && !text.endsWith("\n")) throw new Error("the last line has no end")
  for (const line of text.split("\n").slice(0, -1)) {
    const told = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) ((?:[^\\]|\\\\|\\n)*)$/.exec(line)
    const typed = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary|untyped)$/.exec(line)
    if (told !== null) {
      help = told[2]
      current = told[1] ?? ""
    } else if (typed !== null) {
      const [, name = "", type = ""] = typed
      if (families.has(name)) throw new Error(`a second family ${name}`)
      if (help !== undefined && current !== name) throw new Error(`the HELP of ${current} stands before ${name}`)
      families.set(name, { type, help, samples: [] })
      current = name
      help = undefined
    } else {
      const found =
        /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\n"])*",?)*)\})? (\S+)$/.exec(line)
      if (found === null) throw new Error(`no sample: ${line}`)
      const [, name = "", inside = "", written = ""] = found
      const family = families.get(current)
      const isOwn = (suffixes[family?.type ?? ""] ?? []).some((suffix) => name === current + suffix)
      if (family === undefined || !isOwn) throw new Error(`${name} stands under ${current}`)
      if (seen.has(`${name}{${inside}}`)) throw new Error(`a second ${name}{${inside}}`)
      seen.add(`${name}{${inside}}`)
      const labels = Object.fromEntries(
        [...inside.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)].map(([, label, value = ""]) => [
          label,
          unescape(value)
        ])
      )
      const value = written === "+Inf" ? Number.POSITIVE_INFINITY : Number(written)
      if (Number.isNaN(value) && written !== "NaN") throw new Error(`no number: ${line}`)
      family.samples.push({ name, labels, value })
    }
  }
  for (const [name, { samples, type }] of families) {
    if (type === "counter" && !/_total$|^effect_/.test(name)) throw new Error(`the counter ${name} is no _total`)
    if (type !== "histogram") continue
    const buckets = samples.filter((sample) => sample.name === `${name}_bucket`)
    for (const count of samples.filter((sample) => sample.name === `${name}_count`)) {
      const own = buckets.filter(
        ({ labels: { le: _, ...labels } }) => JSON.stringify(labels) === JSON.stringify(count.labels)
      )
      const counts = own.map(({ value }) => value)
      if (own.at(-1)?.labels.le !== "+Inf" || counts.at(-1) !== count.value) throw new Error(`${name} has no whole`)
      if (counts.some((value, at) => value < (counts[at - 1] ?? 0))) throw new Error(`${name} falls`)
    }
  }
  return families
}

const valueOf = (text: string, name: string, labels: Readonly<Record<string, string>> = {}) =>
  parse(text)
    .get(name.replace(/_count$/, ""))
    ?.samples.find(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value)
    )?.value

describe("metrics as Prometheus reads them", () => {
  it("follow its format with any content", () => {
    const odd = counter("sluice_test_odd_total", 'A "help" with \\ and\na second line.', ["what"])
    odd.add(2, 'a "quoted" \\ path\nand a line')
    const times = histogram("sluice_test_odd_seconds", "Times.", ["what"], [0.1, 1])
    for (const seconds of [0.05, 0.5, 5]) times.record(seconds, "x")
    const families = parse(render(EffectMetric.unsafeSnapshot()))
    expect(families.get("sluice_test_odd_total")).toEqual({
      type: "counter",
      help: 'A "help" with \\\\ and\\na second line.',
      samples: [{ name: "sluice_test_odd_total", labels: { what: 'a "quoted" \\ path\nand a line' }, value: 2 }]
    })
    expect(families.get("sluice_test_odd_seconds")?.samples.map(({ labels, value }) => [labels.le, value])).toEqual([
      ["0.1", 1],
      ["1", 2],
      ["+Inf", 3],
      [undefined, 5.55],
      [undefined, 3]
    ])
  })

  it("have a bounded number of series, however many values there are", () => {
    const many = counter("sluice_test_many_total", "Many.", ["id"])
    for (let id = 0; id < 3 * maxSeries; id++) many.add(1, id)
    const samples = parse(render(EffectMetric.unsafeSnapshot())).get("sluice_test_many_total")?.samples ?? []
    expect(samples.length).toBe(maxSeries + 1)
    expect(samples.find(({ labels }) => labels.id === "other")?.value).toBe(2 * maxSeries)
  })

  it("keep the outcome when there are more pipelines than series", () => {
    const many = counter("sluice_test_outcomes_total", "Many.", ["pipeline", "status"])
    for (let id = 0; id < 2 * maxSeries; id++) many.add(1, id, id % 4 === 0 ? "failed" : "completed")
    for (let id = 0; id < maxSeries; id++) many.add(1, "one", id)
    const samples = parse(render(EffectMetric.unsafeSnapshot())).get("sluice_test_outcomes_total")?.samples ?? []
    const other = (status: string) =>
      samples.find(({ labels }) => labels.pipeline === "other" && labels.status === status)?.value
    expect([other("failed"), other("completed"), other("other")]).toEqual([
      maxSeries / 4,
      (maxSeries * 3) / 4,
      maxSeries - 48
    ])
    expect(samples.length).toBe(maxSeries + 50 + 1)
  })

  scoped("count CPU time once for any number of observers", function* () {
    const looked = Effect.scoped(Effect.zipRight(ProcessMetrics.watch, sample))
    yield* looked
    yield* looked
    const { system, user } = process.cpuUsage()
    const told = valueOf(render(EffectMetric.unsafeSnapshot()), "process_cpu_seconds_total")
    expect(told).toBeLessThanOrEqual((system + user) / 1e6)
  })

  scoped("of the process are updated while one of its observers is left", function* () {
    const first = yield* Scope.make()
    yield* Scope.extend(ProcessMetrics.watch, first)
    yield* ProcessMetrics.watch
    yield* Scope.close(first, Exit.void)
    const told = () => valueOf(render(EffectMetric.unsafeSnapshot()), "process_cpu_seconds_total") ?? 0
    yield* sample
    const before = told()
    const end = process.cpuUsage().user + 2_000
    while (process.cpuUsage().user < end);
    yield* sample
    expect(told()).toBeGreaterThan(before)
  })

  it("count a failure by its route, also after requests for many unknown paths", () => {
    for (const { method, path } of endpoints) {
      for (const status of [200, 400, 401, 403, 404, 408, 409, 413, 415, 429, 500, "left"]) {
        requests.add(0, method, path, status)
      }
    }
    const { samples = [] } = parse(render(EffectMetric.unsafeSnapshot())).get("sluice_http_requests_total") ?? {}
    expect(samples.filter(({ labels }) => labels.status === "500").length).toBe(endpoints.length)
    expect(samples.filter(({ labels }) => labels.status === "other")).toEqual([])
  })

  live("count the engine's requests by route, for its key where there is one team", function* () {
    const { baseUrl, key } = yield* engine({ browserSessions: 0, keys: undefined })
    const call = caller(baseUrl, Redacted.value(key))
    const labels = { method: "GET", route: "/v2/crawl/:id", status: "404" }
    const before = valueOf((yield* call.get("/metrics")).text, "sluice_http_requests_total", labels) ?? 0
    for (const id of ["5f3b7a52-7a51-4cbb-9d3e-1c7f3a9b0c11", "5f3b7a52-7a51-4cbb-9d3e-1c7f3a9b0c12"]) {
      expect((yield* call.get(`/v2/crawl/${id}`)).headers.get("x-request-id")).toMatch(/^[0-9a-f]{16}$/)
    }
    yield* call.get("/nowhere/at/all")
    const { headers, status, text } = yield* call.get("/metrics")
    expect([status, headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"])
    expect(valueOf(text, "sluice_http_requests_total", labels)).toBe(before + 2)
    expect(valueOf(text, "sluice_http_requests_total", { route: "other", status: "404" })).toBeGreaterThan(0)
    expect(valueOf(text, "sluice_http_request_duration_seconds_count", { route: "/v2/crawl/:id" })).toBeGreaterThan(1)
    expect(valueOf(text, "sluice_store_bytes")).toBeGreaterThan(0)
    expect(valueOf(text, "sluice_queue_pages", { state: "waiting" })).toBe(0)
    expect(valueOf(text, "process_resident_memory_bytes")).toBeGreaterThan(1e7)
    expect((yield* caller(baseUrl, keys.first).get("/metrics")).status).toBe(401)

    const teams = yield* engine({ browserSessions: 0 })
    expect((yield* caller(teams.baseUrl, keys.first).get("/metrics")).status).toBe(403)
  })

  live("are beside a schedule's health, for this machine or for their key", function* () {
    const open = yield* Health.serve({ host: "127.0.0.1", port: 0 }, Effect.succeed(undefined))
    const { text } = yield* caller(`http://127.0.0.1:${open}`, "").get("/metrics")
    expect(valueOf(text, "process_start_time_seconds")).toBeGreaterThan(0)
    const rebound = { headers: { host: `evil.example:${open}` } }
    expect(yield* statusOfTwoHosts(`http://127.0.0.1:${open}`, "/health")).toBe(400)
    for (const path of ["/metrics", "/health"]) {
      expect((yield* Site.ask(`http://127.0.0.1:${open}`, path, rebound)).status).toBe(403)
    }
    const kept = yield* Health.serve(
      { host: "127.0.0.1", port: 0, metricsKey: Redacted.make("scraper") },
      Effect.succeed(undefined)
    )
    expect((yield* caller(`http://127.0.0.1:${kept}`, "other").get("/metrics")).status).toBe(401)
    expect((yield* caller(`http://127.0.0.1:${kept}`, "scraper").get("/metrics")).status).toBe(200)
    const wide = yield* Health.serve({ host: "0.0.0.0", port: 0 }, Effect.succeed(undefined))
    expect((yield* caller(`http://127.0.0.1:${wide}`, "").get("/metrics")).status).toBe(403)
  })

  it("are all in docs/telemetry.md, and nothing else is", () => {
    const rows = catalogue()
      .filter(({ name }) => !name.startsWith("sluice_test_"))
      .map(
        ({ help, kind, labels, name }) =>
          `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(", ")} | ${help} |`
      )
    const written = readFileSync(new URL("../../docs/telemetry.md", import.meta.url), "utf8")
    expect(written.split("\n").filter((line) => /^\| `(?:sluice|process)_/.test(line))).toEqual(rows)
  })
})
