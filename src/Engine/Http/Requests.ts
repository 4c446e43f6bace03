/** Request ids, spans and counters. Spans and metrics are named after API routes, so callers cannot create new names. */
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
import { Api } from "../../Api.ts"
import { idsOf } from "../../Telemetry/Trace.ts"
import * as Metrics from "../Teams/EngineMetrics.ts"

/** Log annotation and response header of the request id. */
const annotation = "request_id"
const header = "x-request-id"

/** Requests without a span: health checks and metrics are frequent, and addresses below `/live` are secrets. */
const untraced = /^\/(?:health|metrics|live)(?:[/?]|$)/i

/** Disables the spans of `untraced` requests, and of all requests unless `isTraced`. */
export const named =
  (isTraced: boolean) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.locally(effect, HttpMiddleware.currentTracerDisabledWhen, ({ url }) => !isTraced || untraced.test(url))

export const spanName = ({ method, url }: HttpServerRequest.HttpServerRequest): string =>
  `${methodOf(method)} ${routeOf(method, url)}`

/** Id of the current request, for messages. */
export const id: Effect.Effect<string> = Effect.map(FiberRef.get(FiberRef.currentLogAnnotations), (annotations) =>
  Option.match(HashMap.get(annotations, annotation), { onNone: randomUUID, onSome: String })
)

/** Request id without tracing. With tracing the span id is used, so that the span can be found by it. */
const newId = (): string => randomUUID().replaceAll("-", "").slice(0, 16)

/** Outermost middleware: sets the request id in logs and in the response, and records the request's metrics. */
export const withRequestId = <R>(app: HttpApp.Default<never, R>): HttpApp.Default<never, R> =>
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
        // The client has closed the connection.
        Effect.onInterrupt(() => Effect.sync(() => count("left")))
      )
    })
  })

type Segments = ReadonlyArray<string>

const segmentsOf = (path: string): Segments => path.split("/").slice(1)

const routes = new Map<string, Array<{ readonly path: string; readonly segments: Segments }>>()

const routeKey = (method: string, segments: Segments): string => `${method} ${segments.length}`

for (const group of Object.values(Api.groups)) {
  for (const { method, path } of Object.values(group.endpoints)) {
    const segments = segmentsOf(path)
    const known = routes.get(routeKey(method, segments)) ?? []
    routes.set(routeKey(method, segments), [...known, { path, segments }])
  }
}

/** First path segments of routes outside of `Api`. */
const otherRoutes: ReadonlySet<string> = new Set(["docs", "health", "live", "metrics", "openapi.json"])

/** Number of segments that match literally; -1 if the path does not match the pattern. */
const literalSegments = (pattern: Segments, segments: Segments): number => {
  let same = 0
  for (const [at, segment] of pattern.entries()) {
    if (segment === segments[at]) same++
    else if (!segment.startsWith(":")) return -1
  }
  return same
}

/** Pattern of the route, such as `/v2/crawl/:id`, or `other`. */
export const routeOf = (method: string, url: string): string => {
  const at = url.search(/[?#]/)
  const segments = segmentsOf(at === -1 ? url : url.slice(0, at))
  let best: string | undefined
  let most = -1
  for (const { path, segments: pattern } of routes.get(routeKey(method, segments)) ?? []) {
    const same = literalSegments(pattern, segments)
    if (same > most) {
      most = same
      best = path
    }
  }
  const first = segments[0] ?? ""
  return best ?? (otherRoutes.has(first) ? `/${first}` : "other")
}

/** Methods of a path, in any spelling that the router accepts; none for an unknown path. */
export const methodsOf = (path: string): ReadonlyArray<string> => {
  const plain = path.replace(/\/$/, "").toLowerCase()
  const segments = segmentsOf(plain)
  const has = (method: string) =>
    (routes.get(routeKey(method, segments)) ?? []).some(
      (route) => literalSegments(segmentsOf(route.path.toLowerCase()), segments) >= 0
    )
  const isOther = segments.length === 1 && otherRoutes.has(segments[0] ?? "") && plain !== "/live"
  return [...methods].filter((method) => {
    if (method === "GET" || method === "HEAD") return isOther || has("GET")
    return has(method)
  })
}

/** Methods with their own name in metrics and spans. All others are called `other`, so that clients cannot create time series. */
const methods: ReadonlySet<string> = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"])

export const methodOf = (method: string): string => (methods.has(method) ? method : "other")
