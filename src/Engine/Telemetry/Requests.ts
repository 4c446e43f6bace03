/** Every request has an id, which its answer and the log carry, and is counted; where somebody looks it is a span. */
import { randomUUID } from "node:crypto"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpMiddleware from "@effect/platform/HttpMiddleware"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import { idsOf } from "../../Telemetry/Trace.ts"
import * as Metrics from "../Telemetry.ts"
import { methodOf, routeOf } from "./Route.ts"

/** The name in the log, and the header of the answer. */
const annotation = "request_id"
const header = "x-request-id"

/** Asked for all the time; and, below `/live`, by addresses that are secrets. */
const hush = /^\/(?:health|metrics|live)(?:[/?]|$)/i

/** The spans of requests are called by their route; without `isTraced` none is made, and of what is hushed neither. */
export const named =
  (isTraced: boolean) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.locally(effect, HttpMiddleware.currentTracerDisabledWhen, ({ url }) => !isTraced || hush.test(url))

export const spanName = ({ method, url }: HttpServerRequest.HttpServerRequest): string =>
  `${methodOf(method)} ${routeOf(method, url)}`

/** The id of the request that is being answered, for texts that name it. */
export const id: Effect.Effect<string> = Effect.map(FiberRef.get(FiberRef.currentLogAnnotations), (annotations) =>
  Option.match(HashMap.get(annotations, annotation), { onNone: randomUUID, onSome: String })
)

/** With spans it is that of the request's: whoever has the id finds the span. */
const newId = (): string => randomUUID().replaceAll("-", "").slice(0, 16)

/** Around everything else. */
export const observed = <R>(app: HttpApp.Default<never, R>): HttpApp.Default<never, R> =>
  Effect.withFiberRuntime((fiber) => {
    const request = Context.unsafeGet(fiber.currentContext, HttpServerRequest.HttpServerRequest)
    const ids = idsOf(fiber.currentSpan?._tag === "Span" ? fiber.currentSpan : undefined)
    const requestId = ids?.spanId ?? newId()
    const method = methodOf(request.method)
    const route = routeOf(request.method, request.url)
    const headers =
      ids === undefined
        ? { [header]: requestId }
        : {
            [header]: requestId,
            traceresponse: `00-${ids.traceId}-${ids.spanId}-${fiber.currentSpan?.sampled ? "01" : "00"}`
          }
    return Clock.clockWith((clock) => {
      const begun = clock.unsafeCurrentTimeMillis()
      const count = (status: string) => {
        Metrics.requests.add(1, method, route, status)
        Metrics.requestSeconds.record((clock.unsafeCurrentTimeMillis() - begun) / 1000, route)
      }
      return Effect.annotateLogs(app, annotation, requestId).pipe(
        Effect.map((response) => {
          count(String(response.status))
          return HttpServerResponse.setHeaders(response, headers)
        }),
        // Who has left is not answered.
        Effect.onInterrupt(() => Effect.sync(() => count("left")))
      )
    })
  })
