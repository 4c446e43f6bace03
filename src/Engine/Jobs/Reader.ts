/** Reads slices of job results. Uses a worker thread when the store is a file that the thread can open. */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { nextTurn } from "../../Callback/EventLoop.ts"
import { view } from "../Store/Blob.ts"
import * as Worker from "../Worker.ts"
import { join, type Range, selectBodies } from "./Slice.ts"

const heapMegabytes = 128

const program = (file: string): Worker.Program => ({
  source: new URL("./ReadThread.ts", import.meta.url),
  built: "read-thread.js",
  options: { env: {}, workerData: file, resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } }
})

/** Path of the store's file; undefined for a store in memory or on a database server. */
const fileOf = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    sqlite: () =>
      Effect.map(
        sql<{ name: string; file: string | null }>`PRAGMA database_list`,
        (rows) => rows.find(({ name }) => name === "main")?.file || undefined
      ),
    orElse: () => Effect.succeed(undefined)
  })

/** Returns two readers of a slice: `here` uses the server's own connection, `beside` the worker thread. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const file = yield* Effect.orElseSucceed(fileOf(sql), () => undefined)

  const here = (range: Range): Effect.Effect<Uint8Array, SqlError.SqlError> => {
    const { end, from, jobId } = range
    return Effect.map(sql.unsafe<{ body: ArrayBuffer | Uint8Array }>(selectBodies, [jobId, from, end]), (rows) =>
      join(
        rows.map(({ body }) => view(body)),
        range
      )
    )
  }
  /** Yields to the event loop before each slice; otherwise a fast reader would starve all other requests. */
  const inTurn = (range: Range, _team: string) => Effect.zipRight(nextTurn, here(range))
  if (file === undefined) return { here, beside: inTurn }

  const ask = yield* Worker.pool(program(file), { size: 1, idle: "1 minute" })
  let isTold = false
  const tell = (reason: string) =>
    Effect.suspend(() => {
      if (isTold) return Effect.void
      isTold = true
      return Effect.logWarning(`Large pages of results are read by the server itself, which others wait for: ${reason}`)
    })
  const beside = (range: Range, team: string) =>
    ask(team, range, (reason) => reason).pipe(
      Effect.map((slice) => slice as Uint8Array),
      Effect.catchAll((reason) => Effect.zipRight(tell(reason), inTurn(range, team)))
    )
  return { here, beside }
})
