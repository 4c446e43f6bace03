import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import { HttpApiDecodeError } from "@effect/platform/HttpApiError"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Multipart from "@effect/platform/Multipart"
import * as SqlError from "@effect/sql/SqlError"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"
import { RateLimited } from "../../../src/Api/Errors.ts"
import * as Failures from "../../../src/Engine/Http/Failures.ts"
import { describe, expect, it } from "../../It.ts"

const request = HttpServerRequest.fromWeb(new Request("http://localhost/v2/x"))

/** Returns the response and the log of a handler that ends like this. */
const answer = (app: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>) =>
  Effect.gen(function* () {
    const logged: Array<string> = []
    const logger = Logger.make(({ message, cause, annotations }) =>
      logged.push(`${message} ${Cause.pretty(cause)} ${HashMap.size(annotations)}`)
    )
    const response = yield* Failures.handled(app).pipe(
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
  it.effect("that are unexpected are 500 with an id that is in the log, and without the reason", function* () {
    const { status, body, logged } = yield* answer(Effect.die(new Error("the disk is on fire")))
    expect(status).toBe(500)
    expect(body).toMatchObject({ success: false, code: "UNKNOWN_ERROR" })
    expect(JSON.stringify(body)).not.toContain("fire")
    const id = /[0-9a-f-]{36}/.exec(body.error)?.[0] ?? "none"
    expect(logged.join()).toContain(id)
    expect(logged.join()).toContain("the disk is on fire")
  })

  it.effect("of a full disk are 507, from the store and from a file", function* () {
    const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" })
    const noSpace = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" })
    const upload = new Multipart.MultipartError({ reason: "InternalError", cause: noSpace })
    for (const failure of [
      Effect.die(new SqlError.SqlError({ cause: full, message: "Failed to execute statement" })),
      Effect.fail(noSpace),
      Effect.fail(upload)
    ]) {
      const { body, headers, status } = yield* answer(failure)
      expect(status).toBe(507)
      expect(headers.get("retry-after")).toBeNull()
      expect(body).toMatchObject({
        code: "INSUFFICIENT_STORAGE",
        error: expect.stringContaining("disk of the engine is full")
      })
    }
  })

  it.effect("of requests whose data is not kept leave nothing of the reason in the log either", function* () {
    const reason = new SyntaxError("Unexpected token in the words of the page")
    const { body, logged, status } = yield* answer(Failures.withoutCause(true, Effect.die(reason)))
    expect(status).toBe(500)
    expect(logged.join()).toContain(/[0-9a-f-]{36}/.exec(body.error)?.[0] ?? "none")
    expect(logged.join()).not.toContain("words of the page")
    const told = yield* answer(Failures.withoutCause(true, Effect.die(new RateLimited({ error: "Too many" }))))
    expect(told.status).toBe(429)
    expect((yield* answer(Failures.withoutCause(false, Effect.die(reason)))).logged.join()).toContain(
      "words of the page"
    )
  })

  it.effect("tell when to come again, in whole seconds", function* () {
    const { status, headers } = yield* answer(Effect.fail(new RateLimited({ error: "Too many", retryAfter: 0.2 })))
    expect(status).toBe(429)
    expect(headers.get("retry-after")).toBe("1")
  })

  it.effect("of an upload are distinguished: too large, too many parts, not an upload", function* () {
    const upload = (reason: Multipart.MultipartError["reason"]) =>
      Effect.map(answer(Effect.die(new Multipart.MultipartError({ reason, cause: "" }))), ({ status, body }) => [
        status,
        body.error
      ])
    expect((yield* upload("FileTooLarge"))[0]).toBe(413)
    expect(yield* upload("TooManyParts")).toEqual([400, expect.stringContaining("too many parts")])
    expect((yield* upload("InternalError"))[0]).toBe(500)
    expect(yield* upload("Parse")).toEqual([400, expect.stringContaining("multipart/form-data")])
  })

  it.effect("of thousands of parts are described by the first hundred, in bounded time", function* () {
    const issues = Array.from({ length: 16_000 }, (_, at) => ({
      _tag: "Type" as const,
      path: ["sources", at],
      message: "Expected undefined, actual 1"
    }))
    // Processor time: the machine may be busy with other tests.
    const start = process.cpuUsage()
    const { status, body } = yield* answer(Effect.fail(new HttpApiDecodeError({ issues, message: "" })))
    expect(status).toBe(400)
    expect(body).toMatchObject({ details: { length: 100 } })
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(1000)
  })

  it.effect("of an answer that breaks the contract are ours, not the caller's", function* () {
    const count = HttpApiEndpoint.get("count", "/count").addSuccess(Schema.Struct({ count: Schema.Number }))
    const api = HttpApi.make("api").add(HttpApiGroup.make("group").add(count))
    const group = HttpApiBuilder.group(api, "group", (handlers) =>
      handlers.handle("count", () => Effect.succeed(JSON.parse('{ "count": "12" }')))
    )
    const layers = HttpApiBuilder.api(api).pipe(
      Layer.provide(group),
      Layer.provideMerge(HttpApiBuilder.middleware(Failures.handled)),
      Layer.merge(HttpServer.layerContext),
      Layer.provideMerge(Logger.remove(Logger.defaultLogger))
    )
    const { handler } = HttpApiBuilder.toWebHandler(layers)
    const response = yield* Effect.promise(() => handler(new Request("http://localhost/count")))
    const body = yield* Effect.promise(() => response.json())
    expect([response.status, body]).toMatchObject([500, { code: "UNKNOWN_ERROR" }])
  })

  it.effect("of callers who have left are not answered", function* () {
    const fiber = yield* Effect.fork(answer(Effect.never))
    yield* Effect.yieldNow()
    const exit = yield* Fiber.interrupt(fiber)
    expect(Exit.isInterrupted(exit)).toBe(true)
  })
})
