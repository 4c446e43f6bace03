/** A session that requests and browsers share. */

import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { Jar } from "../../src/Login/Jar.ts"
import * as Session from "../../src/Login/Session.ts"
import { expect, it } from "../It.ts"

it.effect("a browser waits for a sign-in in progress, and has the cookies after it", function* () {
  const jar = new Jar([{ name: "sid", value: "old", domain: "a.example" }])
  const asked = yield* Effect.makeLatch()
  const answers = yield* Effect.makeLatch()
  const recipe = { url: "https://a.example/login", fields: { user: "a" } }
  const session = Session.make(
    recipe,
    jar,
    () => () => Effect.zipRight(Effect.zipRight(asked.open, answers.await), Effect.fail({ message: "gone" }))
  )
  const renewal = yield* Effect.fork(Effect.flip(session.renew(session.sent())))
  yield* asked.await
  const lent = yield* Effect.fork(session.lend)
  yield* Effect.yieldNow()
  expect(lent.unsafePoll()).toBeNull()
  yield* answers.open
  yield* Fiber.join(renewal)
  const giveBack = yield* Fiber.join(lent)
  giveBack([{ name: "sid", value: "new", domain: "a.example" }])
  expect(jar.header(new URL("https://a.example/"))).toBe("sid=new")
})
