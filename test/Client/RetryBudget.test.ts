import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schedule from "effect/Schedule"
import * as Retry from "../../src/Client/Retry.ts"
import * as RetryBudget from "../../src/Client/RetryBudget.ts"
import { makeRetryState, RetryScope } from "../../src/Client/RetryLoop.ts"
import { TokenUsage } from "../../src/Client/TokenUsage.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { type Answer, connection } from "./Fake.ts"

describe("a retry budget", () => {
  it("allows a share of all calls, and at least its minimum", () => {
    const budget = RetryBudget.make({ ratio: 0.1, minimum: 2 })
    const taken = () => [budget.take(), budget.take(), budget.take(), budget.take()].filter((each) => each).length
    expect(taken()).toBe(2)
    expect(budget.isLeft()).toBe(false)
    for (let call = 0; call < 39; call++) budget.called()
    expect(taken()).toBe(1)
    budget.called()
    expect(taken()).toBe(1)
    expect(taken()).toBe(0)
  })
})

/** Many calls under one policy, and how many requests they made. */
const requests = (policy: Partial<Retry.Policy>, answer: () => Answer, calls = 100) => {
  const asked = { count: 0 }
  const warnings: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => {
    if (logLevel._tag === "Warning") warnings.push(String(message))
  })
  const given: Retry.Policy = { schedule: Schedule.recurs(5), when: Retry.isSafe, ...policy }
  const layer = TokenUsage.Default.pipe(
    Layer.provide(
      connection(() => {
        asked.count++
        return answer()
      })
    ),
    Layer.provide(Layer.succeed(Retry.RetryPolicy, given))
  )
  return Effect.gen(function* () {
    const usage = yield* TokenUsage
    const ends = yield* Effect.forEach(Array.from({ length: calls }), () => Effect.either(usage.historical()), {
      concurrency: 8
    })
    return { asked: asked.count, ends, warnings }
  }).pipe(Effect.provide(layer), Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
}

describe("calls under a retry budget", () => {
  scoped("are made once each when it is used up, and fail with their own error and one warning", function* () {
    const retryBudget = { ratio: 0.1, minimum: 20 }
    const { asked, ends, warnings } = yield* requests({ retryBudget }, () => ({ status: 500 }))
    expect(asked).toBe(120)
    expect(ends.every((end) => end._tag === "Left" && end.left._tag === "ServiceError")).toBe(true)
    expect(warnings).toEqual([expect.stringMatching(/^The retry budget is used up \(20 retries of \d+ calls\)/)])
  })

  scoped("do not use it up when the service sends Retry-After", function* () {
    const retryBudget = { ratio: 0, minimum: 0 }
    const { asked } = yield* requests(
      { retryBudget },
      () => ({ status: 429, headers: { "retry-after": "1" }, body: { error: "slow down" } }),
      10
    )
    expect(asked).toBe(60)
  })

  scoped("share one budget per scope", function* () {
    const asked = { count: 0 }
    const policy: Retry.Policy = {
      schedule: Schedule.recurs(5),
      when: Retry.isSafe,
      retryBudget: { ratio: 0, minimum: 3 }
    }
    const layer = TokenUsage.Default.pipe(
      Layer.provide(
        connection(() => {
          asked.count++
          return { status: 500 }
        })
      )
    )
    const twice = Effect.gen(function* () {
      const usage = yield* TokenUsage
      yield* Effect.either(usage.historical())
      yield* Effect.either(usage.historical())
    }).pipe(Effect.provideService(Retry.RetryPolicy, policy))
    yield* Effect.gen(function* () {
      yield* Effect.provideService(twice, RetryScope, makeRetryState())
      expect(asked.count).toBe(5)
      yield* Effect.provideService(twice, RetryScope, makeRetryState())
      expect(asked.count).toBe(10)
    }).pipe(Effect.provide(layer))
  })
})
