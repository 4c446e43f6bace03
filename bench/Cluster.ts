/** Many machines: what three workers make of a pipeline that mostly waits, and what a shard costs beside its own work. */
import { mkdtempSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Connection from "../src/Client/Connection.ts"
import * as Client from "../src/Client.ts"
import * as Cluster from "../src/Cluster.ts"
import { check } from "../src/Pipeline/Check.ts"
import { parseText } from "../src/Pipeline/Source.ts"
import { noService } from "../src/Run/LocalSite.ts"
import { isHere, ownServer } from "../test/Postgres.ts"
import { atLeast, atMost, type Bench, noted } from "./Measure/Figures.ts"
import { folderFor, remove } from "./Measure/Programs.ts"

const scope = { env: {}, secrets: () => undefined }

/** Milliseconds that a row waits; rows of a shard wait one after the other. */
const wait = 500
const shards = 24
const rowsOfShard = 8
/** Parts at once, for each worker. */
const concurrency = 2

const program = `export const wait = (row, { with: { millis } }) => new Promise((done) => setTimeout(done, millis, row))\n`

const definition = (rows: number, millis: number) => `
version: 1
name: waits
steps:
  - urls: [${Array.from({ length: rows }, (_, index) => `"https://a.example/${index}"`).join(", ")}]
  - use: { module: ./wait.mjs, export: wait, with: { millis: ${millis} } }
    concurrency: 1
  - write: { jsonl: out.jsonl }
`

/** Wall and CPU milliseconds from the moment at which the run is handed in to workers that are there. */
const time = (url: string, folder: string, workers: number, count: number, rows: number, millis: number) =>
  Effect.gen(function* () {
    const text = definition(count * rows, millis)
    const source = yield* parseText(`${folder}/waits.yaml`, folder, text)
    const checked = yield* check(source, { ...scope, inputs: {}, complete: true })
    const out = mkdtempSync(join(folder, "out-"))
    const stop = yield* Deferred.make<void>()
    const client = Layer.provide(Client.layer, Connection.layer(noService))
    const place = { env: scope, serve: () => Effect.succeed({ client }) }
    const fibers = yield* Effect.forEach(Array.from({ length: workers }), (_, index) =>
      Effect.forkScoped(
        Cluster.work({ place, concurrency, host: `w${index}`, say: () => {} }, Deferred.await(stop)).pipe(
          Effect.provide(Cluster.layer(Redacted.make(url)))
        )
      )
    )
    // They share the cluster out among themselves before there is work.
    yield* Effect.sleep("6 seconds")
    const taken = yield* Effect.gen(function* () {
      const board = yield* Cluster.Board
      const begun = performance.now()
      const cpu = process.cpuUsage()
      const { runId } = yield* Cluster.submit(checked, { out, shardRows: rows, allowCode: true, ...scope })
      yield* Effect.repeat(Effect.delay(board.standing(runId), 50), {
        until: (standing) => standing?.status !== "running"
      })
      const { system, user } = process.cpuUsage(cpu)
      return { wall: performance.now() - begun, cpu: (system + user) / 1000 }
    }).pipe(Effect.provide(Cluster.layer(Redacted.make(url))))
    yield* Deferred.succeed(stop, undefined)
    yield* Effect.forEach(fibers, Fiber.await)
    return taken
  }).pipe(Effect.scoped)

const measure = Effect.gen(function* () {
  const { url } = yield* ownServer
  const folder = folderFor()
  writeFileSync(`${folder}/wait.mjs`, program)
  const run = (schema: string, workers: number, count: number, rows: number, millis: number) =>
    time(`${url}&schema=${schema}`, folder, workers, count, rows, millis)
  const one = yield* run("one", 1, shards, rowsOfShard, wait)
  const three = yield* run("three", 3, shards, rowsOfShard, wait)
  const empty = yield* run("empty", 3, 60, 1, 0)
  remove(folder)
  return [
    atLeast("3 workers against 1, of a pipeline that waits", one.wall / three.wall, "×", 2.5),
    atMost("a shard beside its own work", empty.cpu / 60, "ms of CPU", 100),
    noted("shards of nothing, 3 workers with 2 parts at once", 60_000 / empty.wall, "a second")
  ]
}).pipe(Effect.provide(NodeContext.layer))

export const bench: Bench = {
  name: "cluster",
  run: () =>
    isHere
      ? Effect.runPromise(measure)
      : Promise.reject(new Error("This benchmark needs the programs of a Postgres, such as Debian's postgresql."))
}
