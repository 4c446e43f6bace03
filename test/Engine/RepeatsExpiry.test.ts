/** An answer that was paid for is kept for a day. */
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import * as Janitor from "../../src/Engine/Jobs/Janitor.ts"
import { Sql } from "../../src/Engine/Store/Sql.ts"
import * as Store from "../../src/Engine/Store/Store.ts"
import { PaidCalls } from "../../src/Engine/Usage/PaidCalls.ts"
import * as Usage from "../../src/Engine/Usage/Usage.ts"
import { describe, expect, it } from "../It.ts"
import { tempDir } from "../Local.ts"
import { alone } from "./Alone.ts"

/** The web's `Response` takes no bytes in a resizable buffer, where long answers lie; Node's server does. */
const bodyOf = (response: HttpServerResponse.HttpServerResponse): Effect.Effect<unknown> =>
  response.body._tag === "Uint8Array"
    ? Effect.succeed(JSON.parse(Buffer.from(response.body.body).toString()))
    : Effect.promise(() => HttpServerResponse.toWeb(response).json())

describe("a day later", () => {
  const store = Layer.unwrapScoped(
    Effect.map(tempDir, (folder) =>
      Layer.provide(PaidCalls.Default, Usage.layer)
        .pipe(Layer.provideMerge(Store.layer(folder)))
        .pipe(Layer.provide([alone, NodeContext.layer]))
    )
  )
  const team = { id: "t", keyId: "k" }

  it.scoped("the call is made and charged again, and the old answer is deleted", store, function* () {
    const calls = yield* PaidCalls
    const sql = yield* Sql
    let paid = 0
    const call = (request: string, answer: string) =>
      calls
        .answer(
          Schema.String,
          { team, price: 0, repeat: { key: "k", request } },
          Effect.succeed({ answer, book: Effect.sync(() => void paid++) })
        )
        .pipe(Effect.flatMap(bodyOf))
    const rows = Effect.map(
      sql<{ n: number }>`SELECT (SELECT count(*) FROM paid_calls) * 10 + (SELECT count(*) FROM paid_call_parts) AS n`,
      ([row]) => row?.n
    )
    const long = "x".repeat(2_500_000)
    expect([yield* call("a", long), paid]).toEqual([long, 1])
    yield* TestClock.adjust("23 hours")
    expect([yield* call("a", "other"), paid, yield* rows]).toEqual([long, 1, 13])
    yield* TestClock.adjust("1 hour")
    // Also before anybody has swept, and under a key that was used for something else.
    expect([yield* call("b", "new"), paid, yield* rows]).toEqual(["new", 2, 11])
    expect([yield* call("b", "newer"), paid]).toEqual(["new", 2])
    yield* TestClock.adjust("24 hours")
    yield* Janitor.sweep(Duration.hours(1))
    expect(yield* rows).toBe(11)
    yield* TestClock.adjust("1 hour")
    yield* Janitor.sweep(Duration.hours(1))
    expect(yield* rows).toBe(0)
  })
})
