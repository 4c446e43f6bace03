/** OpenLineage events of runs: what they say, by the facts of the published schemas, and that they arrive at least once. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import { LineageTarget } from "../../src/Run/LineageOutbox.ts"
import { addSecret } from "../../src/Telemetry/Redaction.ts"
import { skipsLong } from "../Long.ts"
import { jsonLines, type Options, project } from "../Project.ts"

const steps = `  - read: in.jsonl
  - write: { jsonl: "kinds/{kind}.jsonl", partitionBy: { kind: kind } }
  - id: table
    write: { csv: x.csv }
`

const contract = `version: 1
onType: hold
outputs:
  table:
    columns:
      id: { type: integer, description: Number of the shop. }
      kind: { type: string }
      price: { type: decimal, nullable: true }
`

const good = jsonLines([
  { id: 1, kind: "a", price: "1.50" },
  { id: 2, kind: "b", price: null }
])

/** What OpenLineage 2-0-2 and its facets ask of an event that we send. */
const base = {
  type: "object",
  required: ["_producer", "_schemaURL"],
  properties: { _producer: { type: "string", format: "uri" }, _schemaURL: { type: "string", format: "uri" } }
}
const facet = (required: ReadonlyArray<string>, properties: object) => ({
  allOf: [base, { type: "object", required, properties }]
})
const facets = (named: object) => ({ type: "object", properties: named, additionalProperties: base })
const text = { type: "string" }
const whole = { type: "integer", minimum: 0 }
const dataset = {
  type: "object",
  required: ["namespace", "name"],
  properties: {
    namespace: text,
    name: text,
    facets: facets({
      schema: facet(["fields"], {
        fields: {
          type: "array",
          items: { type: "object", required: ["name"], properties: { name: text, type: text, description: text } }
        }
      }),
      dataQualityMetrics: facet(["columnMetrics"], {
        rowCount: whole,
        columnMetrics: {
          type: "object",
          additionalProperties: {
            type: "object",
            properties: {
              nullCount: whole,
              distinctCount: whole,
              count: { type: "number" },
              min: { type: "number" },
              max: { type: "number" },
              quantiles: { type: "object", additionalProperties: { type: "number" } }
            }
          }
        }
      }),
      dataQualityAssertions: facet(["assertions"], {
        assertions: {
          type: "array",
          items: {
            type: "object",
            required: ["assertion", "success"],
            properties: { assertion: text, success: { type: "boolean" }, column: text }
          }
        }
      })
    }),
    outputFacets: facets({
      outputStatistics: facet(["rowCount"], { rowCount: whole, size: whole, fileCount: whole })
    })
  }
}
const event = {
  type: "object",
  required: ["eventTime", "producer", "schemaURL", "run", "job"],
  properties: {
    eventType: { enum: ["START", "RUNNING", "COMPLETE", "ABORT", "FAIL", "OTHER"] },
    eventTime: { type: "string", format: "date-time" },
    producer: { type: "string", format: "uri" },
    schemaURL: { type: "string", format: "uri" },
    run: {
      type: "object",
      required: ["runId"],
      properties: {
        runId: { type: "string", format: "uuid" },
        facets: facets({
          nominalTime: facet(["nominalStartTime"], { nominalStartTime: { type: "string", format: "date-time" } }),
          errorMessage: facet(["message", "programmingLanguage"], { message: text, programmingLanguage: text }),
          processing_engine: facet(["version"], { version: text, name: text })
        })
      }
    },
    job: {
      type: "object",
      required: ["namespace", "name"],
      properties: {
        namespace: text,
        name: text,
        facets: facets({
          jobType: facet(["processingType", "integration"], { processingType: text, integration: text })
        })
      }
    },
    inputs: { type: "array", items: dataset },
    outputs: { type: "array", items: dataset }
  }
}

const ajv = new Ajv2020({ allErrors: true })
ajv.addFormat("uri", (value) => URL.canParse(value))
ajv.addFormat("uuid", /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
ajv.addFormat("date-time", (value) => new Date(value).toISOString() === value)
const validate = ajv.compile(event)

interface Received {
  readonly path: string
  readonly authorization: string | undefined
  readonly event: ReturnType<typeof JSON.parse>
}

/** A backend that answers as it is told, and keeps what it has accepted. */
const backend = Effect.gen(function* () {
  const received: Array<Received> = []
  const state: { status: number | "never" } = { status: 201 }
  const server = yield* Effect.acquireRelease(
    Effect.async<Server>((resume) => {
      const made = createServer((request, response) => {
        let body = ""
        request.on("data", (some) => (body += some))
        request.on("end", () => {
          if (state.status === "never") return
          if (state.status < 300) {
            const { authorization } = request.headers
            received.push({ path: request.url ?? "", authorization, event: JSON.parse(body) })
          }
          response.writeHead(state.status).end()
        })
      })
      made.listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
    }),
    (made) =>
      Effect.sync(() => {
        made.closeAllConnections()
        made.close()
      })
  )
  const { port } = server.address() as AddressInfo
  return { url: new URL(`http://127.0.0.1:${port}/api/v1/lineage`), received, state }
})

const setUp = (url: URL) =>
  Effect.gen(function* () {
    const made = yield* project({ files: { "p.contract.yaml": contract, "in.jsonl": good } })
    const target = { url, key: Redacted.make("secret-key"), namespace: "shops" }
    const run = (options: Options = {}, definition = steps) =>
      Effect.provideService(made.run(definition, options), LineageTarget, target)
    const waiting = () => {
      const folder = join(made.folder, "lineage")
      return existsSync(folder) ? readdirSync(folder).toSorted() : []
    }
    return { ...made, run, waiting }
  })

const isValid = (events: ReadonlyArray<unknown>) => {
  for (const each of events) expect([validate(each), validate.errors]).toEqual([true, null])
}

describe("OpenLineage events of a run", () => {
  it.live("say when it began and ended, what it read, and what its outputs look like", () =>
    Effect.gen(function* () {
      const { received, url } = yield* backend
      const { folder, run, waiting } = yield* setUp(url)
      const { runId } = yield* run({ scheduledFor: new Date("2026-01-31T06:00:00Z") })
      expect(waiting()).toEqual([])
      isValid(received.map((each) => each.event))
      expect(received.map(({ authorization, event, path }) => [event.eventType, path, authorization])).toEqual([
        ["START", "/api/v1/lineage", "Bearer secret-key"],
        ["COMPLETE", "/api/v1/lineage", "Bearer secret-key"]
      ])
      const [started, completed] = received.map((each) => each.event)
      expect(started.run.runId).toBe(completed.run.runId)
      expect(started.outputs).toEqual([
        { namespace: "file", name: join(folder, "kinds/*.jsonl") },
        { namespace: "file", name: join(folder, "x.csv") }
      ])
      expect(completed.job).toMatchObject({ namespace: "shops", name: "t" })
      expect(completed.inputs).toEqual([{ namespace: "file", name: join(folder, "in.jsonl") }])
      expect(completed.run.facets).toMatchObject({
        nominalTime: { nominalStartTime: "2026-01-31T06:00:00.000Z" },
        sluice_run: { id: runId, status: "completed", rows: 2, rejects: 0 }
      })
      const [kinds, table] = completed.outputs
      expect(kinds.outputFacets.outputStatistics).toMatchObject({ rowCount: 2, fileCount: 2 })
      expect(kinds.facets.schema.fields).toContainEqual({ name: "kind", type: "text" })
      expect(table.facets.schema.fields).toEqual([
        { name: "id", type: "integer", description: "Number of the shop." },
        { name: "kind", type: "string" },
        { name: "price", type: "decimal" }
      ])
      expect(table.outputFacets.outputStatistics).toMatchObject({
        rowCount: 2,
        size: readFileSync(join(folder, "x.csv")).length,
        fileCount: 1
      })
      expect(table.facets.dataQualityMetrics).toMatchObject({
        rowCount: 2,
        columnMetrics: {
          id: { nullCount: 0, count: 2, distinctCount: 2, min: 1, max: 2 },
          price: { nullCount: 1, count: 1 }
        }
      })
      expect(JSON.stringify(received)).not.toContain("1.50")
    }).pipe(Effect.scoped)
  )

  it.live("say why a run failed or was held, and that it was stopped", () =>
    Effect.gen(function* () {
      const { received, url } = yield* backend
      const { run, write } = yield* setUp(url)
      write("in.jsonl", jsonLines([{ id: "x", kind: "a", price: "1" }]))
      expect((yield* run()).summary.status).toBe("held")
      const held = received.at(-1)?.event
      expect(held.eventType).toBe("FAIL")
      expect(held.run.facets.errorMessage.message).toContain("expected type integer (contract)")
      expect(held.outputs[1]).not.toHaveProperty("outputFacets")
      expect(held.outputs[1].facets.dataQualityAssertions.assertions).toEqual([
        { assertion: "contract", success: false, column: "id" }
      ])
      yield* run({}, "  - read: nothing.jsonl\n  - write: { csv: x.csv }\n")
      expect(received.at(-1)?.event).toMatchObject({ eventType: "FAIL", run: { facets: { sluice_run: { rows: 0 } } } })
      write("in.jsonl", good)
      const fiber = yield* Effect.fork(run({ opened: () => Effect.never }))
      yield* Effect.repeat(Effect.sleep(20), { until: () => received.at(-1)?.event.eventType === "START" })
      yield* Fiber.interrupt(fiber)
      expect(received.at(-1)?.event.eventType).toBe("ABORT")
      isValid(received.map((each) => each.event))
    }).pipe(Effect.scoped)
  )

  it.live("wait for a backend that is away, and the next run sends them first, in their order", () =>
    Effect.gen(function* () {
      const { received, state, url } = yield* backend
      const { run, waiting } = yield* setUp(url)
      state.status = 503
      const { summary, warnings } = yield* run()
      expect(summary.status).toBe("completed")
      expect(warnings.filter((line) => line.includes("has not accepted the events"))).toEqual([
        "the OpenLineage backend has not accepted the events of this run (it answered 503): the next run sends them"
      ])
      expect(waiting()).toHaveLength(2)
      state.status = 200
      yield* run()
      expect(waiting()).toEqual([])
      expect(received.map(({ event }) => event.eventType)).toEqual(["START", "COMPLETE", "START", "COMPLETE"])
    }).pipe(Effect.scoped)
  )

  it.live("that the backend calls invalid do not block the others", () =>
    Effect.gen(function* () {
      const { received, state, url } = yield* backend
      const { run, waiting } = yield* setUp(url)
      state.status = 422
      yield* run()
      expect(waiting().map((name) => name.split(".").slice(1).join("."))).toEqual(["json.refused", "json.refused"])
      state.status = 200
      yield* run()
      expect(received).toHaveLength(2)
    }).pipe(Effect.scoped)
  )

  it.live("are files that only their owner reads, and those that nothing takes are few", () =>
    Effect.gen(function* () {
      const { state, url } = yield* backend
      const { folder, run, waiting } = yield* setUp(url)
      const old = join(folder, "lineage")
      mkdirSync(old)
      for (let n = 0; n < 1_005; n++) writeFileSync(join(old, `${String(n).padStart(15, "0")}.json.refused`), "{}")
      for (const name of ["left.json.partial", "new.json.partial"]) writeFileSync(join(old, name), "{}")
      utimesSync(join(old, "left.json.partial"), 0, 0)
      state.status = 413
      yield* run()
      state.status = 503
      yield* run()
      const names = waiting()
      expect(names.filter((name) => name.endsWith(".refused"))).toHaveLength(1_000)
      expect(names.filter((name) => name.endsWith(".partial"))).toEqual(["new.json.partial"])
      const events = names.filter((name) => name.endsWith(".json"))
      expect(events.map((name) => statSync(join(old, name)).mode & 0o777)).toEqual([0o600, 0o600])
    }).pipe(Effect.scoped)
  )

  it.live("are sent once by the runs of one process, and contain no secret", () =>
    Effect.gen(function* () {
      const { received, url } = yield* backend
      const { run } = yield* setUp(url)
      addSecret("hidden-word")
      const failing = "  - read: hidden-word.jsonl\n  - write: { csv: x.csv }\n"
      yield* Effect.all([run({}, failing), run({}, failing.replace("x.csv", "y.csv"))], { concurrency: 2 })
      const types = received.map(({ event }) => event.eventType)
      expect(types.toSorted()).toEqual(["FAIL", "FAIL", "START", "START"])
      const { message } = received.find(({ event }) => event.eventType === "FAIL")?.event.run.facets.errorMessage ?? {}
      expect(message).toContain("[secret].jsonl")
    }).pipe(Effect.scoped)
  )

  it.live("never fail a run, also when they cannot be written or sent at all", () =>
    Effect.gen(function* () {
      const { folder, run } = yield* setUp(new URL("file:///tmp/a%2Fb.jsonl"))
      const { summary, warnings } = yield* run()
      expect(summary.status).toBe("completed")
      expect(warnings).toContainEqual(expect.stringContaining("has not accepted the events of this run"))
      rmSync(join(folder, "lineage"), { recursive: true })
      writeFileSync(join(folder, "lineage"), "")
      const blocked = yield* run()
      expect(blocked.summary.status).toBe("completed")
      expect(blocked.warnings).toContainEqual(expect.stringContaining("no lineage event was recorded"))
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(skipsLong)("hold up a run for some seconds at most", () =>
    Effect.gen(function* () {
      const { state, url } = yield* backend
      const { run, waiting } = yield* setUp(url)
      state.status = "never"
      const [duration, { summary }] = yield* Effect.timed(run())
      expect(summary.status).toBe("completed")
      expect(duration).toSatisfy(({ value }) => Number(value._tag === "Millis" ? value.millis : 0) < 30_000)
      expect(waiting()).toHaveLength(2)
    }).pipe(Effect.scoped)
  )

  it.live("go to a file, a line each", () =>
    Effect.gen(function* () {
      const made = yield* project()
      const file = join(made.folder, "log/events.jsonl")
      const { run, waiting } = yield* setUp(pathToFileURL(file))
      yield* run()
      const events = readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
      isValid(events)
      expect(events.map(({ eventType }) => eventType)).toEqual(["START", "COMPLETE"])
      expect(waiting()).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live("are none of a trial", () =>
    Effect.gen(function* () {
      const { received, url } = yield* backend
      const { run, waiting } = yield* setUp(url)
      yield* run({ wanted: 1 })
      expect([received, waiting()]).toEqual([[], []])
    }).pipe(Effect.scoped)
  )
})
