/** Sends traces, metrics and logs to a collector over OTLP/HTTP; a collector that is away costs a run nothing but one line. */
import * as OtlpLogger from "@effect/opentelemetry/OtlpLogger"
import * as OtlpMetrics from "@effect/opentelemetry/OtlpMetrics"
import * as OtlpSerialization from "@effect/opentelemetry/OtlpSerialization"
import * as OtlpTracer from "@effect/opentelemetry/OtlpTracer"
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { version } from "../Version.ts"
import * as Delivery from "./Delivery.ts"
import * as Metric from "./Metric.ts"
import { textOf } from "./Plain.ts"
import * as Process from "./Process.ts"
import { cleaned, guarded } from "./Spans.ts"

export interface Options {
  /** Up to and without `/v1/traces`. */
  readonly endpoint: URL
  readonly headers: Readonly<Record<string, Redacted.Redacted>>
  readonly serviceName: string
  readonly attributes: Readonly<Record<string, string>>
  /** Of the traces that begin here, from 0 to 1. */
  readonly share: number
  /** Told once when nobody takes what is sent. */
  readonly tell: (message: string) => void
}

/** Spans and lines of a log that are sent at once, and milliseconds between two sendings. */
const batch = 512
const interval = "2 seconds"
const metricsInterval = "15 seconds"
/** How long the end of a process waits for the collector. */
const shutdown = "2 seconds"

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

/** The library labels every span that failed as interrupted. */
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

/** A line of the log without what must not be told; the same is done to spans. */
const cleanLog = (options: Logger.Logger.Options<unknown>): Logger.Logger.Options<unknown> => ({
  ...options,
  message: Array.isArray(options.message) ? options.message.map(text) : text(options.message),
  cause: Cause.isEmpty(options.cause) ? options.cause : cleaned(options.cause),
  annotations: HashMap.map(options.annotations, text)
})

/** All three, for as long as the scope is open; what is left is sent before it closes, within seconds. */
export const layer = ({ attributes, endpoint, headers, serviceName, share, tell }: Options): Layer.Layer<never> => {
  const base = endpoint.href.replace(/\/+$/, "")
  const common = {
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Redacted.value(value)])),
    resource: { serviceName, serviceVersion: version, attributes: { ...attributes } },
    shutdownTimeout: shutdown
  } as const
  const tracer = Layer.unwrapScoped(
    Effect.map(
      OtlpTracer.make({ ...common, url: `${base}/v1/traces`, exportInterval: interval, maxBatchSize: batch }),
      (exporting) => Layer.setTracer(guarded(exporting, share))
    )
  )
  const logger = Logger.addScoped(
    Effect.map(
      OtlpLogger.make({ ...common, url: `${base}/v1/logs`, exportInterval: interval, maxBatchSize: batch }),
      Logger.mapInputOptions(cleanLog)
    )
  )
  const metrics = OtlpMetrics.layer({ ...common, url: `${base}/v1/metrics`, exportInterval: metricsInterval })
  // Looked at a little before they are sent, and once more at the end.
  const gauges = Layer.scopedDiscard(
    Effect.gen(function* () {
      yield* Process.watch
      yield* Metric.sample
      yield* Effect.forkScoped(Effect.repeat(Metric.sample, Schedule.spaced("10 seconds")))
      yield* Effect.addFinalizer(() => Metric.sample)
    })
  )
  return Layer.mergeAll(tracer, logger, Layer.provideMerge(gauges, metrics)).pipe(
    Layer.provide(Layer.scoped(HttpClient.HttpClient, Delivery.make({ host: endpoint.host, tell }))),
    Layer.provide(serialization)
  )
}
