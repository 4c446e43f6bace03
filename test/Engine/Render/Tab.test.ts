/** A browser that hangs: requests can be interrupted, and the browser is replaced. */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import type { Browser } from "playwright-core"
import * as Tab from "../../../src/Engine/Render/Tab.ts"
import { describe, expect, it } from "../../It.ts"

const pass = { username: "u", password: "p", failures: new Map(), proxy: () => undefined, spent: () => undefined }

const options: Tab.TabOptions = {
  url: "http://a.example/",
  gateway: { address: "127.0.0.1:1", open: () => Effect.succeed(pass) },
  userAgent: "test",
  mobile: false,
  viewport: undefined,
  headers: {},
  headersFor: undefined,
  acceptLanguage: undefined,
  skipTlsVerification: false,
  isBlockedHost: () => false,
  proxy: undefined,
  usesDefaultContext: false,
  deadline: 60_000
}

const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

const browserWith = (newContext: () => Promise<unknown>) => ({ newContext }) as unknown as Browser

describe("a page in a browser that hangs", () => {
  it.effect("does not block closing: the browser is replaced", function* () {
    let isGivenUp = false
    const stuck = Effect.sync(() => {
      isGivenUp = true
    })
    const context = { newPage: () => Promise.reject(new Error("no page")), close: () => new Promise(() => {}) }
    const browser = browserWith(() => Promise.resolve(context))
    const opening = yield* Effect.fork(Effect.either(Effect.scoped(Tab.open(browser, options, stuck))))
    yield* Effect.repeat(Effect.zipRight(TestClock.adjust("1 second"), turn), { until: () => isGivenUp })
    expect(Either.isLeft(yield* Fiber.join(opening))).toBe(true)
  })

  it.effect("can be interrupted while it opens, and is closed if it opens later", function* () {
    let open: ((context: unknown) => void) | undefined
    let closed = 0
    const browser = browserWith(
      () =>
        new Promise((resolve) => {
          open = resolve
        })
    )
    const opening = yield* Effect.fork(Effect.scoped(Tab.open(browser, options, Effect.void)))
    yield* Effect.repeat(turn, { until: () => open !== undefined })
    yield* Fiber.interrupt(opening)
    open?.({ close: () => Promise.resolve(closed++) })
    yield* turn
    expect(closed).toBe(1)
  })
})
