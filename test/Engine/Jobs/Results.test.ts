/** Pages of results: large ones are read beside the server, and what is on its way is not removed under its reader. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as Janitor from "../../../src/Engine/Jobs/Janitor.ts"
import { Results } from "../../../src/Engine/Jobs/Results.ts"
import * as Store from "../../../src/Engine/Store.ts"
import { tempDir } from "../../Local.ts"

const retention = Duration.minutes(10)
const [count, bytes] = [30, 100_000]

const onDisk = Layer.unwrapScoped(
  Effect.map(tempDir, (folder) =>
    Results.Default.pipe(Layer.provideMerge(Store.layer(folder)), Layer.provide(NodeContext.layer))
  )
)
const inMemory = Layer.provideMerge(Results.Default, Store.memory)

const documentAt = (position: number) => JSON.stringify({ markdown: `${position} `.padEnd(bytes, "x") })

/** A job that has just ended, with results of 3 MB. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO jobs ${sql.insert({
    id: "a",
    team: "t",
    key_id: "k",
    kind: "batch",
    version: 2,
    url: "",
    spec: "{}",
    status: "completed",
    seeded: 1,
    page_limit: count,
    results: count,
    created_at: 0,
    updated_at: 0,
    finished_at: 0
  })}`
  for (let position = 0; position < count; position++) {
    const body = Buffer.from(documentAt(position))
    const upto = (position + 1) * body.byteLength
    yield* sql`INSERT INTO job_results ${sql.insert({ job_id: "a", position, bytes: body.byteLength, upto, body })}`
  }
})

const all = `[${Array.from({ length: count }, (_, position) => documentAt(position)).join(",")}]`

const read = (slices: ReadonlyArray<Effect.Effect<Uint8Array, unknown>>) =>
  Effect.map(
    Effect.forEach(slices, (slice) => slice),
    (parts) => Buffer.concat(parts).toString()
  )

describe("a page of several slices", () => {
  for (const [name, layer] of Object.entries({ "on disk": onDisk, "in memory": inMemory })) {
    it.scoped(`is the documents as they are stored, ${name}`, () =>
      Effect.gen(function* () {
        yield* fill
        const { length, slices } = yield* (yield* Results).page("a", 0, 1000)
        expect(slices.length).toBeGreaterThan(1)
        expect(`[${yield* read(slices)}]`).toBe(all)
        expect(length + 2).toBe(all.length)
      }).pipe(Effect.provide(layer))
    )
  }

  it.scoped("sees what was written a moment ago, by whoever has the store open", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const results = yield* Results
      yield* fill
      yield* read((yield* results.page("a", 0, 1000)).slices)
      const body = Buffer.from('{"late":true}')
      yield* sql`INSERT INTO job_results ${sql.insert({ job_id: "a", position: count, bytes: 13, upto: 0, body })}`
      const again = yield* read((yield* results.page("a", 0, 1000)).slices)
      expect(again.endsWith(',{"late":true}')).toBe(true)
    }).pipe(Effect.provide(onDisk))
  )

  it.scoped("leaves the server to others while it is read", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* fill
      const { slices } = yield* (yield* Results).page("a", 0, 1000)
      // Within a transaction nobody else has the server's own connection.
      const text = yield* sql.withTransaction(
        Effect.zipRight(sql`UPDATE jobs SET updated_at = 1`, Effect.forkDaemon(read(slices))).pipe(
          Effect.flatMap((reading) => reading.await)
        )
      )
      expect(Exit.map(text, (inside) => `[${inside}]`)).toEqual(Exit.succeed(all))
    }).pipe(Effect.provide(onDisk))
  )

  it.scoped("is sent to its end when the job expires meanwhile", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* fill
      yield* TestClock.adjust(Duration.subtract(retention, "1 second"))
      const { slices } = yield* (yield* Results).page("a", 0, 1000)
      const first = yield* read(slices.slice(0, 1))
      yield* TestClock.adjust("1 minute")
      yield* Janitor.sweep(retention)
      expect(`[${first}${yield* read(slices.slice(1))}]`).toBe(all)
      yield* TestClock.adjust(Janitor.sending)
      yield* Janitor.sweep(retention)
      expect(yield* sql`SELECT position FROM job_results`).toEqual([])
    }).pipe(Effect.provide(onDisk))
  )

  it.scoped("breaks off visibly when its documents have gone all the same", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* fill
      const { slices } = yield* (yield* Results).page("a", 0, 1000)
      yield* read(slices.slice(0, 1))
      yield* sql`DELETE FROM job_results WHERE position > 25`
      const exit = yield* Effect.exit(read(slices.slice(1)))
      expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toContain("Results were removed while they were sent")
    }).pipe(Effect.provide(onDisk))
  )
})
