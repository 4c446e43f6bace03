/** Calls that end together are stored and charged in one transaction, each as if it were alone. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import * as Store from "../../../src/Engine/Store/Store.ts"
import { PaidCalls } from "../../../src/Engine/Usage/PaidCalls.ts"
import * as Usage from "../../../src/Engine/Usage/Usage.ts"
import { expect, it } from "../../It.ts"
import { tempDir } from "../../Local.ts"
import { alone } from "../Alone.ts"

const layer = Layer.unwrapScoped(
  Effect.map(tempDir, (folder) =>
    PaidCalls.Default.pipe(
      Layer.provideMerge(Usage.layerWith({ every: 10, teams: new Map() })),
      Layer.provideMerge(Store.layer(folder)),
      Layer.provide([alone, NodeContext.layer])
    )
  )
)

it.scopedLive("a call whose charge fails leaves those that ended with it alone", layer, function* () {
  const sql = yield* Sql
  const { answer } = yield* PaidCalls
  yield* sql`CREATE TABLE booked (team TEXT NOT NULL CHECK (team <> 'bad'))`
  const call = (id: string) =>
    answer(
      Schema.String,
      { team: { id, keyId: id }, price: 0, repeat: { key: "key", request: "request" } },
      Effect.succeed({ answer: id, book: Effect.asVoid(sql`INSERT INTO booked VALUES (${id})`) })
    )
  const exits = yield* Effect.forEach(["a", "bad", "b"], (id) => Effect.exit(call(id)), { concurrency: "unbounded" })
  expect(exits.map(Exit.isSuccess)).toEqual([true, false, true])
  expect(yield* sql`SELECT team FROM booked ORDER BY team`).toEqual([{ team: "a" }, { team: "b" }])
  expect(yield* sql`SELECT team FROM paid_calls ORDER BY team`).toEqual([{ team: "a" }, { team: "b" }])
})
