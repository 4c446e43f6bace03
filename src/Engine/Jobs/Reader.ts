/** Reads slices of results: on a thread, where the store is a file that the thread can open too. */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as RcRef from "effect/RcRef"
import { turn } from "../../Database/Turn.ts"
import * as Detached from "../Detached.ts"
import * as Shares from "../Shares.ts"
import { view } from "../Store/Blob.ts"
import * as Worker from "../Worker.ts"
import { join, type Range, selectBodies } from "./Slice.ts"

/** A thread that had nothing to read for this long is let go. */
const idle: Duration.DurationInput = "1 minute"
const heapMegabytes = 128

const program = (file: string): Worker.Program => ({
  source: new URL("./ReadThread.ts", import.meta.url),
  built: "read-thread.js",
  options: { env: {}, workerData: file, resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } }
})

/** The store's file; undefined where it has none. */
const fileOf = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    sqlite: () =>
      Effect.map(
        sql<{ name: string; file: string | null }>`PRAGMA database_list`,
        (rows) => rows.find(({ name }) => name === "main")?.file || undefined
      ),
    orElse: () => Effect.succeed(undefined)
  })

/** Gives what reads a slice here, and what reads it beside the server. */
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
  /** In between everybody else has a turn: a reader that is fast enough would otherwise have the engine to itself. */
  const inTurn = (range: Range, _team: string) => Effect.zipRight(turn, here(range))
  if (file === undefined) return { here, beside: inTurn }

  // One slice at a time, of each team in turn, and no fiber while there is nothing to read.
  const thread = yield* RcRef.make({ acquire: Worker.start(program(file)), idleTimeToLive: idle })
  const detached = yield* Detached.make
  const alone = yield* Shares.ofEngine(1)
  let isTold = false
  const tell = (reason: string) =>
    Effect.suspend(() => {
      if (isTold) return Effect.void
      isTold = true
      return Effect.logWarning(`Large pages of results are read by the server itself, which others wait for: ${reason}`)
    })
  const beside = (range: Range, team: string) =>
    detached(RcRef.get(thread)).pipe(
      Effect.flatMap((worker) =>
        // One that was not waited for is still at work: its answer is nobody else's.
        Effect.onExit(
          Worker.ask(worker, range, (reason) => reason),
          (exit) => (Exit.isSuccess(exit) ? Effect.void : RcRef.invalidate(thread))
        )
      ),
      Effect.scoped,
      alone.withPlace(team),
      Effect.map((slice) => slice as Uint8Array),
      Effect.catchAll((reason) => Effect.zipRight(tell(reason), inTurn(range, team)))
    )
  return { here, beside }
})
