/** Exports traces, metrics and logs to a collector over OTLP/HTTP. An unreachable collector never delays or fails a run. */
import * as OtlpLogger from "@effect/opentelemetry/OtlpLogger"
import * as OtlpMetrics from "@effect/opentelemetry/OtlpMetrics"
import * as OtlpSerialization from "@effect/opentelemetry/OtlpSerialization"
import * as OtlpTracer from "@effect/opentelemetry/OtlpTracer"
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { version } from "../Version.ts"
import * as Metric from "./Metric.ts"
import { counter } from "./Metric.ts"
import * as ProcessMetrics from "./ProcessMetrics.ts"
import { scrub, textOf } from "./Redaction.ts"
import { cleaned, guarded } from "./Spans.ts"

export interface Options {
  /** Address without `/v1/traces`. */
  readonly endpoint: URL
  readonly headers: Readonly<Record<string, Redacted.Redacted>>
  readonly serviceName: string
  readonly attributes: Readonly<Record<string, string>>
  /** Share of new traces to export, from 0 to 1. */
  readonly share: number
  /** Called once when the collector cannot be reached. */
  readonly onLost: (message: string) => void
}

/** Maximum spans or log lines per request. */
const batchSize = 512
const interval = "2 seconds"
const metricsInterval = "15 seconds"
const shutdownTimeout = "2 seconds"

interface Spans {
  readonly resourceSpans: ReadonlyArray<{
    readonly scopeSpans: ReadonlyArray<{
      readonly spans: ReadonlyArray<{
        attributes: ReadonlyArray<{ readonly key: string }>
        readonly status: { readonly code: number }
      }>
    }>
  }>
}

const failed = 2
const mislabelled: ReadonlySet<string> = new Set(["span.label", "status.interrupted"])

/** Removes the labels with which the library marks every failed span as interrupted, although it was not. */
const relabelled = (data: Spans): Spans => {
  for (const { scopeSpans } of data.resourceSpans) {
    for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
      if (span.status.code === failed) span.attributes = span.attributes.filter(({ key }) => !mislabelled.has(key))
    }
  }
  return data
}

const serialization = Layer.succeed(OtlpSerialization.OtlpSerialization, {
  traces: (data) => HttpBody.unsafeJson(relabelled(data as Spans)),
  metrics: HttpBody.unsafeJson,
  logs: HttpBody.unsafeJson
})

const text = (value: unknown): unknown =>
  typeof value === "number" || typeof value === "boolean" ? value : textOf(value)

/** Removes secrets from a log entry. */
const cleanLog = (options: Logger.Logger.Options<unknown>): Logger.Logger.Options<unknown> => ({
  ...options,
  message: Array.isArray(options.message) ? options.message.map(text) : text(options.message),
  cause: Cause.isEmpty(options.cause) ? options.cause : cleaned(options.cause),
  annotations: HashMap.map(options.annotations, text)
})

/** Exports traces, metrics and logs while the scope is open. When it closes, the rest is sent within two seconds. */
export const layer = ({ attributes, endpoint, headers, serviceName, share, onLost }: Options): Layer.Layer<never> => {
  const base = endpoint.href.replace(/\/+$/, "")
  const common = {
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Redacted.value(value)])),
    resource: { serviceName, serviceVersion: version, attributes: { ...attributes } },
    shutdownTimeout
  } as const
  const tracer = Layer.unwrapScoped(
    Effect.map(
      OtlpTracer.make({ ...common, url: `${base}/v1/traces`, exportInterval: interval, maxBatchSize: batchSize }),
      (exporting) => Layer.setTracer(guarded(exporting, share))
    )
  )
  const logger = Logger.addScoped(
    Effect.map(
      OtlpLogger.make({ ...common, url: `${base}/v1/logs`, exportInterval: interval, maxBatchSize: batchSize }),
      Logger.mapInputOptions(cleanLog)
    )
  )
  const metrics = OtlpMetrics.layer({ ...common, url: `${base}/v1/metrics`, exportInterval: metricsInterval })
  // Gauges are updated more often than metrics are sent, and once more at the end.
  const gauges = Layer.scopedDiscard(
    Effect.gen(function* () {
      yield* ProcessMetrics.watch
      yield* Metric.sample
      yield* Effect.forkScoped(Effect.repeat(Metric.sample, Schedule.spaced("10 seconds")))
      yield* Effect.addFinalizer(() => Metric.sample)
    })
  )
  return Layer.mergeAll(tracer, logger, Layer.provideMerge(gauges, metrics)).pipe(
    Layer.provide(Layer.scoped(HttpClient.HttpClient, makeDelivery({ host: endpoint.host, onLost }))),
    Layer.provide(serialization)
  )
}

const dropped = counter(
  "sluice_telemetry_dropped_total",
  "Batches of spans, metrics or log lines that the collector did not accept.",
  ["signal"]
)

/** Maximum number of concurrent requests, each of about half a megabyte. */
const maxConcurrency = 4

const requestTimeout = Duration.seconds(5)
/** Maximum time for pending requests when the scope closes. */
const closeTimeout = Duration.seconds(2)

/** Status codes of a busy collector. The request is repeated once, after a delay. */
const busyStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])
const retryDelay = Duration.seconds(1)

interface DeliveryOptions {
  /** Host of the collector, for messages. */
  readonly host: string
  readonly onLost: (message: string) => void
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && cause.message !== "" ? reasonOf(cause) : error.message
}

/**
 * HTTP client to the collector. Interrupting a sender does not interrupt its request; closing the scope waits for requests, for at most two
 * seconds. Failed batches are dropped and counted, never queued: memory would fill up while the collector does not answer.
 */
export const makeDelivery = ({
  host,
  onLost
}: DeliveryOptions): Effect.Effect<HttpClient.HttpClient, never, Scope.Scope> =>
  Effect.gen(function* () {
    const pending = new Set<Fiber.Fiber<unknown, unknown>>()
    let isReported = false
    const lost = (signal: string, reason: string) => {
      dropped.add(1, signal)
      if (isReported) return
      isReported = true
      onLost(
        `traces, metrics and logs do not reach ${host}: ${scrub(reason)}. What could not be sent is dropped, sending is tried again after a minute, and the work continues. Check OTEL_EXPORTER_OTLP_ENDPOINT`
      )
    }
    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => Fiber.awaitAll([...pending])).pipe(
        Effect.interruptible,
        Effect.timeoutOption(closeTimeout),
        Effect.zipRight(
          Effect.suspend(() => {
            if (pending.size > 0) lost("all", "it does not answer")
            return Fiber.interruptAll([...pending])
          })
        )
      )
    )
    return HttpClient.make((request, url) => {
      const signal = url.pathname.split("/").at(-1) ?? ""
      const refused = (reason: string) =>
        // Reported as an invalid URL, because the exporters do not retry that.
        new HttpClientError.RequestError({ request, reason: "InvalidUrl", description: reason })
      if (pending.size >= maxConcurrency) {
        return Effect.sync(() => {
          dropped.add(1, signal)
          return HttpClientResponse.fromWeb(request, new Response(null, { status: 204 }))
        })
      }
      const body = request.body._tag === "Uint8Array" ? Uint8Array.from(request.body.body) : new Uint8Array()
      // fetch sets the length header itself.
      const { "content-length": _, ...given } = request.headers
      const headers = { ...given, "content-type": "application/json" }
      const once = Effect.tryPromise({
        try: (abort) =>
          fetch(url, {
            method: "POST",
            headers,
            body,
            signal: abort,
            // Headers may contain a key that is meant only for this address.
            redirect: "error"
          }).then((response) => response.arrayBuffer().then(() => response)),
        catch: (cause) => refused(reasonOf(cause))
      })
      const delivered = once.pipe(
        Effect.flatMap((response) =>
          busyStatuses.has(response.status) ? Effect.zipRight(Effect.sleep(retryDelay), once) : Effect.succeed(response)
        ),
        Effect.timeoutFail({ duration: requestTimeout, onTimeout: () => refused("it does not answer") }),
        Effect.flatMap((response) =>
          response.ok ? Effect.succeed(response) : Effect.fail(refused(`it answers with status ${response.status}`))
        ),
        Effect.tapError(({ description = "" }) => Effect.sync(() => lost(signal, description))),
        Effect.map((response) => HttpClientResponse.fromWeb(request, new Response(null, { status: response.status }))),
        Effect.withTracerEnabled(false)
      )
      return Effect.flatMap(Effect.forkDaemon(Effect.interruptible(delivered)), (fiber) => {
        pending.add(fiber)
        fiber.addObserver(() => pending.delete(fiber))
        return Fiber.join(fiber)
      })
    })
  })
