/** The way to a collector: few requests at once, each within its time, what does not fit is dropped, and one line says so. */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { counter } from "./Metric.ts"
import { scrub } from "./Secrets.ts"

const dropped = counter(
  "sluice_telemetry_dropped_total",
  "Batches of spans, metrics or log lines that no collector took.",
  ["signal"]
)

/** Batches under way at once: of about half a megabyte each. */
const most = 4

/** How long a collector may take for one of them, and what is under way at the end for all. */
const patience = Duration.seconds(5)
const farewell = Duration.seconds(2)

/** Statuses by which a collector asks for the same once more; it is asked once more, after a moment. */
const busy: ReadonlySet<number> = new Set([429, 502, 503, 504])
const pause = Duration.seconds(1)

interface Options {
  /** For people. */
  readonly host: string
  readonly tell: (message: string) => void
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && cause.message !== "" ? reasonOf(cause) : error.message
}

/**
 * Who is interrupted leaves his batch to be delivered: it is awaited when the scope closes, for two seconds at most. What
 * fails is not tried again by those who send: memory would fill up with what nobody takes.
 */
export const make = ({ host, tell }: Options): Effect.Effect<HttpClient.HttpClient, never, Scope.Scope> =>
  Effect.gen(function* () {
    const underway = new Set<Fiber.Fiber<unknown, unknown>>()
    let told = false
    const lost = (signal: string, reason: string) => {
      dropped.add(1, signal)
      if (told) return
      told = true
      tell(
        `traces, metrics and logs do not reach ${host}: ${scrub(reason)}. It is tried again every minute; what is done goes on. Check OTEL_EXPORTER_OTLP_ENDPOINT`
      )
    }
    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => Fiber.awaitAll([...underway])).pipe(
        Effect.interruptible,
        Effect.timeoutOption(farewell),
        Effect.zipRight(
          Effect.suspend(() => {
            if (underway.size > 0) lost("all", "it does not answer")
            return Fiber.interruptAll([...underway])
          })
        )
      )
    )
    return HttpClient.make((request, url) => {
      const signal = url.pathname.split("/").at(-1) ?? ""
      const refused = (reason: string) =>
        // Said like this nobody tries again by himself.
        new HttpClientError.RequestError({ request, reason: "InvalidUrl", description: reason })
      if (underway.size >= most) {
        return Effect.sync(() => {
          dropped.add(1, signal)
          return HttpClientResponse.fromWeb(request, new Response(null, { status: 204 }))
        })
      }
      const body = request.body._tag === "Uint8Array" ? Uint8Array.from(request.body.body) : new Uint8Array()
      // Its length is for fetch to say.
      const { "content-length": _, ...given } = request.headers
      const headers = { ...given, "content-type": "application/json" }
      const once = Effect.tryPromise({
        try: (abort) =>
          fetch(url, {
            method: "POST",
            headers,
            body,
            signal: abort,
            // Its headers may hold a key, which is for this address alone.
            redirect: "error"
          }).then((response) => response.arrayBuffer().then(() => response)),
        catch: (cause) => refused(reasonOf(cause))
      })
      const delivered = once.pipe(
        Effect.flatMap((response) =>
          busy.has(response.status) ? Effect.zipRight(Effect.sleep(pause), once) : Effect.succeed(response)
        ),
        Effect.timeoutFail({ duration: patience, onTimeout: () => refused("it does not answer") }),
        Effect.flatMap((response) =>
          response.ok ? Effect.succeed(response) : Effect.fail(refused(`it answers with status ${response.status}`))
        ),
        Effect.tapError(({ description = "" }) => Effect.sync(() => lost(signal, description))),
        Effect.map((response) => HttpClientResponse.fromWeb(request, new Response(null, { status: response.status }))),
        Effect.withTracerEnabled(false)
      )
      return Effect.flatMap(Effect.forkDaemon(Effect.interruptible(delivered)), (fiber) => {
        underway.add(fiber)
        fiber.addObserver(() => underway.delete(fiber))
        return Fiber.join(fiber)
      })
    })
  })
