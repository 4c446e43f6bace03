/** Messages to a watcher whose job expires or is deleted. */

import * as Effect from "effect/Effect"
import type { Connection } from "../../../src/Engine/Handlers/WatchSocket.ts"
import * as Frames from "../../../src/Engine/Handlers/WatchSocket.ts"
import { Jobs } from "../../../src/Engine/Jobs/Jobs.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import { describe, expect, it } from "../../It.ts"
import * as Stage from "../Jobs/Stage.ts"

/** A connection that takes everything. */
const recorder = () => {
  const said: Array<string> = []
  const line: Connection = {
    send: (bytes) => Effect.sync(() => void said.push(Buffer.from(bytes).toString())),
    close: (code, reason) => Effect.sync(() => void said.push(`${code} ${reason}`)),
    lost: Effect.never
  }
  return { said, line }
}

describe("a watcher", () => {
  it.scopedLive(
    "of a job that expires meanwhile gets an error, and the engine stops polling",
    Stage.layers((url) => Effect.succeed(Stage.pageOf(url))),
    function* () {
      const jobs = yield* Jobs
      const sql = yield* Sql
      const urls = ["http://a.example/1", "http://a.example/2"]
      const { id } = yield* jobs.start(Stage.batch("t", urls))
      const find = jobs.find("t", "batch", id)
      const job = yield* Effect.repeat(Effect.delay(find, "5 millis"), {
        until: ({ status }) => status === "completed"
      })
      yield* sql`DELETE FROM job_results WHERE job_id = ${id} AND position = 1`
      const tell = yield* Frames.make
      const { line, said } = recorder()
      const ended = yield* Effect.timeoutOption(
        tell(line, find, { job, version: 2, origin: "http://127.0.0.1" }),
        "2 seconds"
      )
      expect(ended._tag).toBe("Some")
      expect(said.slice(-2)).toEqual([
        '{"type":"error","error":"Job expired","code":"NOT_FOUND"}',
        '1000 {"type":"done"}'
      ])
    }
  )
})
