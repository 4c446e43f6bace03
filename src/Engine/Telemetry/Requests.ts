/**
 * Request ids, spans and counters. Spans and metrics are named by the route of the API, so callers cannot create new names.
 */
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
import * as Metrics from "../Telemetry.ts"

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

type Segments = ReadonlyArray<string>

const segmentsOf = (path: string): Segments => path.split("/").slice(1)

const routes = new Map<string, Array<{ readonly path: string; readonly segments: Segments }>>()

const place = (method: string, segments: Segments): string => `${method} ${segments.length}`

for (const group of Object.values(Api.groups)) {
  for (const { method, path } of Object.values(group.endpoints)) {
    const segments = segmentsOf(path)
    const known = routes.get(place(method, segments)) ?? []
    routes.set(place(method, segments), [...known, { path, segments }])
  }
}

/** Beside the contract. */
const others: ReadonlySet<string> = new Set(["docs", "health", "live", "metrics", "openapi.json"])

/** How much of a path is literally there. */
const likeness = (pattern: Segments, segments: Segments): number => {
  let same = 0
  for (const [at, segment] of pattern.entries()) {
    if (segment === segments[at]) same++
    else if (!segment.startsWith(":")) return -1
  }
  return same
}

/** `/v2/crawl/:id`, or `other`. */
export const routeOf = (method: string, url: string): string => {
  const at = url.search(/[?#]/)
  const segments = segmentsOf(at === -1 ? url : url.slice(0, at))
  let best: string | undefined
  let most = -1
  for (const { path, segments: pattern } of routes.get(place(method, segments)) ?? []) {
    const same = likeness(pattern, segments)
    if (same > most) {
      most = same
      best = path
    }
  }
  const first = segments[0] ?? ""
  return best ?? (others.has(first) ? `/${first}` : "other")
}

/** Words that a method may be; others could be many. */
const methods: ReadonlySet<string> = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"])

export const methodOf = (method: string): string => (methods.has(method) ? method : "other")
