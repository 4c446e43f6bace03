/** Cluster: speed of three workers on a pipeline that mostly waits, with even and uneven shards, and CPU of a shard beside its own work. */
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

interface Load {
  /** Milliseconds that each row of a shard waits, one after the other. */
  readonly shards: ReadonlyArray<number>
  readonly rowsOfShard: number
  /** Parts at once, for each worker. */
  readonly concurrency: number
}

const even: Load = { shards: Array.from({ length: 24 }, () => 500), rowsOfShard: 8, concurrency: 2 }

/** 9 shards of 2.4 to 4.8 s: three workers that share them perfectly are 2.77 times as fast as one. */
const uneven: Load = { shards: [5, 3, 4, 6, 3, 5, 4, 3, 3].map((n) => n * 100), rowsOfShard: 8, concurrency: 1 }

const empty: Load = { shards: Array.from({ length: 60 }, () => 0), rowsOfShard: 1, concurrency: 2 }

const program = `export const wait = (row) => new Promise((done) => setTimeout(done, Number(row.url.split("/").at(-1)), row))\n`

const definition = ({ rowsOfShard, shards }: Load) => `
version: 1
name: waits
steps:
  - urls: [${shards.flatMap((millis, shard) => Array.from({ length: rowsOfShard }, (_, row) => `"https://a.example/${shard}/${row}/${millis}"`)).join(", ")}]
  - use: { module: ./wait.mjs, export: wait }
    concurrency: 1
  - write: { jsonl: out.jsonl }
`

/** Wall and CPU milliseconds from the submission of a run to idle workers until its end. */
const time = (url: string, folder: string, workers: number, load: Load) =>
  Effect.gen(function* () {
    const text = definition(load)
    const source = yield* parseText(`${folder}/waits.yaml`, folder, text)
    const checked = yield* check(source, { ...scope, inputs: {}, complete: true })
    const out = mkdtempSync(join(folder, "out-"))
    const stop = yield* Deferred.make<void>()
    const client = Layer.provide(Client.layer, Connection.layer(noService))
    const place = { env: scope, serve: () => Effect.succeed({ client }) }
    const fibers = yield* Effect.forEach(Array.from({ length: workers }), (_, index) =>
      Effect.forkScoped(
        Cluster.work(
          { place, concurrency: load.concurrency, host: `w${index}`, say: () => {} },
          Deferred.await(stop)
        ).pipe(Effect.provide(Cluster.layer(Redacted.make(url))))
      )
    )
    yield* Effect.sleep("2 seconds")
    const taken = yield* Effect.gen(function* () {
      const begun = performance.now()
      const cpu = process.cpuUsage()
      const { runId } = yield* Cluster.submit(checked, { out, shardRows: load.rowsOfShard, allowCode: true, ...scope })
      yield* Effect.repeat(Effect.delay(Cluster.RunStatus.standing(runId), 50), {
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
  const run = (schema: string, workers: number, load: Load) => time(`${url}&schema=${schema}`, folder, workers, load)
  const one = yield* run("one", 1, even)
  const three = yield* run("three", 3, even)
  const oneUneven = yield* run("one_uneven", 1, uneven)
  const threeUneven = yield* run("three_uneven", 3, uneven)
  const idle = yield* run("empty", 3, empty)
  remove(folder)
  return [
    atLeast("3 workers against 1, of a pipeline that waits", one.wall / three.wall, "×", 2.5),
    atLeast("3 workers against 1, of 9 uneven shards", oneUneven.wall / threeUneven.wall, "×", 2.5),
    atMost("a shard beside its own work", idle.cpu / empty.shards.length, "ms of CPU", 80),
    noted("shards of nothing, 3 workers with 2 parts at once", (empty.shards.length * 1000) / idle.wall, "a second")
  ]
}).pipe(Effect.provide(NodeContext.layer))

export const bench: Bench = {
  name: "cluster",
  run: () =>
    isHere
      ? Effect.runPromise(measure)
      : Promise.reject(new Error("This benchmark needs the programs of a Postgres, such as Debian's postgresql."))
}
