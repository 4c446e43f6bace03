import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Multipart from "@effect/platform/Multipart"
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HashMap from "effect/HashMap"
import * as Logger from "effect/Logger"
import { RateLimited } from "../../../src/Api/Errors.ts"
import * as Failures from "../../../src/Engine/Failures.ts"

const request = HttpServerRequest.fromWeb(new Request("http://localhost/v2/x"))

/** What is sent, and what is logged, when a handler ends like this. */
const answer = (app: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>) =>
  Effect.gen(function* () {
    const logged: Array<string> = []
    const logger = Logger.make(({ message, cause, annotations }) =>
      logged.push(`${message} ${Cause.pretty(cause)} ${HashMap.size(annotations)}`)
    )
    const response = yield* Failures.own(app).pipe(
      Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
      Effect.provideService(HttpServerRequest.HttpServerRequest, request),
      Effect.scoped
    )
    const web = HttpServerResponse.toWeb(response)
    return {
      status: web.status,
      headers: web.headers,
      body: (yield* Effect.promise(() => web.json())) as { error: string },
      logged
    }
  })

describe("failures", () => {
  it.effect("that nobody foresaw are 500 with an id that is in the log, and nothing of the reason", () =>
    Effect.gen(function* () {
      const { status, body, logged } = yield* answer(Effect.die(new Error("the disk is on fire")))
      expect(status).toBe(500)
      expect(body).toMatchObject({ success: false, code: "UNKNOWN_ERROR" })
      expect(JSON.stringify(body)).not.toContain("fire")
      const id = /[0-9a-f-]{36}/.exec(body.error)?.[0] ?? "none"
      expect(logged.join()).toContain(id)
      expect(logged.join()).toContain("the disk is on fire")
    })
  )

  it.effect("tell when to come again, in whole seconds", () =>
    Effect.gen(function* () {
      const { status, headers } = yield* answer(Effect.fail(new RateLimited({ error: "Too many", retryAfter: 0.2 })))
      expect(status).toBe(429)
      expect(headers.get("retry-after")).toBe("1")
    })
  )

  it.effect("of an upload are told apart: too large, too many parts, not an upload", () =>
    Effect.gen(function* () {
      const upload = (reason: Multipart.MultipartError["reason"]) =>
        Effect.map(answer(Effect.die(new Multipart.MultipartError({ reason, cause: "" }))), ({ status, body }) => [
          status,
          body.error
        ])
      expect((yield* upload("FileTooLarge"))[0]).toBe(413)
      expect(yield* upload("TooManyParts")).toEqual([400, expect.stringContaining("too many parts")])
      expect(yield* upload("Parse")).toEqual([400, expect.stringContaining("multipart/form-data")])
    })
  )

  it.effect("of callers who have left are not answered", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(answer(Effect.never))
      yield* Effect.yieldNow()
      const exit = yield* Fiber.interrupt(fiber)
      expect(Exit.isInterrupted(exit)).toBe(true)
    })
  )
})
