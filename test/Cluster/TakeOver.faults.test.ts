/** Workers as processes that are killed with SIGKILL: others continue their parts within 15 seconds, idle ones and busy ones. */
import { existsSync, readFileSync } from "node:fs"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { sluice } from "../Cli/Console.ts"
import { launch } from "../Cli/Launched.ts"
import { folderOf } from "../Cli/Project.ts"
import { expect, live } from "../It.ts"
import { client, ownServer, place } from "../Postgres.ts"
import { describeBeside } from "../WithPostgres.ts"
import { lines } from "./Ground.ts"

/** Milliseconds from the kill until another worker has begun the part. */
const bound = 15_000

const definition = `version: 1
name: slow
steps:
  - read: rows.jsonl
  - use: { module: ./slow.mjs }
    concurrency: 1
  - write: { jsonl: out.jsonl }
`

/** A row takes so many milliseconds, and is written down. */
const slow = (millis: number) => `import { appendFileSync } from "node:fs"
export default async (row) => {
  await new Promise((done) => setTimeout(done, ${millis}))
  appendFileSync(new URL("./done", import.meta.url), row.id + "\\n")
  return row
}
`

interface Size {
  readonly shards: number
  readonly rows: number
  readonly millis: number
}

/** A run that is handed in, and workers that take one part at once. */
const submitted = ({ millis, rows, shards }: Size, hosts: ReadonlyArray<string>, database = place) =>
  Effect.gen(function* () {
    const root = yield* folderOf({
      "p.yaml": definition,
      "slow.mjs": slow(millis),
      "rows.jsonl": Array.from({ length: shards * rows }, (_, id) => `{"id":${id}}\n`).join("")
    })
    const env = { SLUICE_DATABASE_URL: yield* database }
    const worker = (host: string) =>
      Effect.tap(
        launch(root, env, "worker", "--concurrency", "1", "--host", host, "--data", `${root}/${host}`),
        ({ said }) => said("executes up to 1 parts")
      )
    const workers = yield* Effect.forEach(hosts, worker, { concurrency: "unbounded" })
    const on = (...words: ReadonlyArray<string>) => sluice(words, { env, cwd: root })
    const words = ["--on", "cluster", "--shard-rows", String(rows), "--allow-code", "--out", root, "--json"]
    const following = yield* Effect.fork(on("run", `${root}/p.yaml`, ...words))
    const sql = Context.get(yield* Layer.build(client(env.SLUICE_DATABASE_URL)), PgClient.PgClient)
    const ids = Effect.orElseSucceed(sql<{ run_id: string }>`SELECT run_id FROM submissions`, () => [])
    const [{ run_id: runId } = { run_id: "" }] = yield* Effect.repeat(Effect.delay(ids, 20), {
      until: ({ length }) => length > 0
    })
    /** Shards that are open and were begun, with the worker that began them last. */
    const held = Effect.map(
      sql<{ part: number; worker: string }>`SELECT part, worker FROM parts
        WHERE run_id = ${runId} AND part >= 0 AND status = 'open' AND worker IS NOT NULL`,
      (parts) => new Map(parts.map(({ part, worker }) => [Number(part), worker]))
    )
    const done = () => readFileSync(`${root}/done`, "utf8").trim().split("\n")
    return { root, worker, workers, on, following, runId, sql, held, done }
  })

/** Kills a worker that has a part, and gives the milliseconds until the other has begun it. */
const takenOver = ({ held, workers }: Effect.Effect.Success<ReturnType<typeof submitted>>) =>
  Effect.gen(function* () {
    const [[part, victim] = [-1, ""]] = yield* Effect.repeat(Effect.delay(held, 20), { until: ({ size }) => size > 0 })
    workers[victim.startsWith("first-") ? 0 : 1]?.child.kill("SIGKILL")
    const begun = performance.now()
    yield* Effect.repeat(Effect.delay(held, 50), { until: (parts) => ![undefined, victim].includes(parts.get(part)) })
    return performance.now() - begun
  })

/** Ids of the rows in the outputs. */
const written = (root: string) => lines(root, "out.").map((line) => (JSON.parse(line) as { readonly id: number }).id)

describeBeside("a worker that is killed", () => {
  live("loses its part to one that is busy, while more parts wait than there are slots", function* () {
    const run = yield* submitted({ shards: 30, rows: 10, millis: 50 }, ["first", "second"])
    const millis = yield* takenOver(run)
    const waiting = yield* run.sql`SELECT part FROM parts WHERE run_id = ${run.runId} AND worker IS NULL`
    console.log(`a busy worker had begun the part after ${Math.round(millis)} ms; ${waiting.length} parts waited`)
    expect(waiting.length).toBeGreaterThan(1)
    expect(millis).toBeLessThan(bound)
    const { code } = yield* Fiber.join(run.following)
    expect(code).toBe(0)
    expect(written(run.root).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, id) => id))
  })

  live("loses its part to one that is idle", function* () {
    const run = yield* submitted({ shards: 1, rows: 200, millis: 100 }, ["first", "second"])
    const millis = yield* takenOver(run)
    console.log(`an idle worker had begun the part after ${Math.round(millis)} ms`)
    expect(millis).toBeLessThan(bound)
  })
})

describeBeside("a worker that is told to stop", () => {
  live("checkpoints the rows of a step of its own that are done, and another one goes on behind them", function* () {
    const run = yield* submitted({ shards: 1, rows: 100, millis: 50 }, ["first"])
    yield* Effect.repeat(
      Effect.delay(
        Effect.sync(() => existsSync(`${run.root}/done`) && run.done().length > 20),
        20
      ),
      {
        until: (isSo) => isSo
      }
    )
    const [first] = run.workers
    first?.child.kill("SIGTERM")
    yield* first?.ended ?? Effect.void
    const before = run.done().length
    expect(before).toBeLessThan(90)
    yield* run.worker("second")
    const { code } = yield* Fiber.join(run.following)
    expect(code).toBe(0)
    expect(written(run.root)).toEqual(Array.from({ length: 100 }, (_, id) => id))
    // The row that was under way when it stopped may have come twice.
    expect(run.done().length).toBeLessThanOrEqual(102)
  })
})

describeBeside("sluice stop", () => {
  live("has the parts of a run back within three seconds, and others wait meanwhile", function* () {
    const run = yield* submitted({ shards: 10, rows: 100, millis: 50 }, ["first", "second"])
    yield* Effect.repeat(Effect.delay(run.held, 20), { until: ({ size }) => size === 2 })
    const begun = performance.now()
    const stopped = yield* run.on("stop", run.runId, "--json")
    const millis = performance.now() - begun
    console.log(`sluice stop took ${Math.round(millis)} ms`)
    expect(JSON.parse(stopped.out)).toMatchObject({ status: "stopped", held: 0 })
    expect(millis).toBeLessThan(3000)
  })
})

describeBeside("a Postgres that is away for 25 seconds, and comes back", () => {
  for (const [how, signal] of [
    ["shut down fast", "INT"],
    ["shut down immediately", "QUIT"]
  ] as const) {
    live(`${how} loses and doubles nothing, and the follower of the run waits for its end`, function* () {
      const server = yield* ownServer
      yield* Effect.addFinalizer(() => server.end("QUIT"))
      const database = Effect.succeed(`${server.url}&schema=away`)
      const run = yield* submitted({ shards: 6, rows: 10, millis: 100 }, ["first", "second"], database)
      yield* Effect.repeat(Effect.delay(run.held, 20), { until: ({ size }) => size > 0 })
      yield* server.end(signal)
      yield* Effect.sleep("25 seconds")
      expect(run.following.unsafePoll()).toBe(null)
      yield* server.start
      const { code, err, out } = yield* Fiber.join(run.following)
      expect(code, err).toBe(0)
      expect(JSON.parse(out)).toMatchObject({ runId: run.runId, status: "completed", rows: 60 })
      expect(written(run.root).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, id) => id))
    })
  }
})
