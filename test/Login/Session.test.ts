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

const basic = { url: "https://a.example/", basic: { user: "a", password: "b" } }
const member = { url: basic.url, statusCode: 200, headers: {}, body: new Uint8Array() }

it.effect("a sign-in that did not help one run is tried again for the next one", function* () {
  const session = Session.make(basic, new Jar(), () => () => Effect.succeed(member))
  yield* session.signIn
  const renew = Effect.suspend(() => session.renew(session.sent()))
  expect(yield* renew).toBe(true)
  for (const _ of [1, 2]) expect((yield* Effect.flip(renew)).message).toContain("again right after a new sign-in")
  session.noteRun()
  expect(yield* renew).toBe(true)
})

it.effect(
  "requests stay parallel if answers move the expiry of a cookie only, and not if they replace it",
  function* () {
    const url = new URL(basic.url)
    for (const [header, parallel] of [
      ["sid=1; Max-Age=3601", 2],
      ["sid=2; Max-Age=3600", 1]
    ] as const) {
      const jar = new Jar()
      jar.read(url, "sid=1; Max-Age=3600")
      const session = Session.make(basic, jar, () => () => Effect.succeed(member))
      const sent = session.sent()
      const known = jar.changes
      jar.read(url, header)
      expect(jar.changes).toBe(known + 1)
      yield* session.renew(sent)
      let inFlight = 0
      const send = () =>
        Effect.suspend(() => {
          inFlight++
          return Effect.never
        })
      for (const _ of [1, 2]) yield* Effect.fork(session.begin()(url, send, () => undefined))
      yield* Effect.yieldNow()
      expect(inFlight).toBe(parallel)
    }
  }
)
