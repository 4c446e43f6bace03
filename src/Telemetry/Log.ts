/** Log lines: JSON for machines, with trace ids; and warnings that are not repeated. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as FiberRefs from "effect/FiberRefs"
import * as HashMap from "effect/HashMap"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { redact, scrub, textOf } from "./Redaction.ts"
import { cleaned } from "./Spans.ts"
import { idsOf } from "./Trace.ts"

export type Fields = Readonly<Record<string, unknown>>

const maxMessageLength = 8192

export interface Entry {
  readonly time: Date
  /** Log level: `debug`, `info`, `warning` or `error`. */
  readonly level: string
  readonly message: string
  readonly traceId?: string | undefined
  readonly spanId?: string | undefined
  readonly cause?: string | undefined
  readonly fields?: Fields | undefined
}

/** One log line, with line break. Trace ids have the names that OpenTelemetry uses. */
export const line = ({ cause, fields, level, message, spanId, time, traceId }: Entry): string => {
  const given = Object.entries(fields ?? {}).filter(([, value]) => value !== undefined)
  return `${JSON.stringify({
    time: time.toISOString(),
    level,
    message: scrub(message).slice(0, maxMessageLength),
    trace_id: traceId,
    span_id: spanId,
    ...(given.length === 0
      ? {}
      : { annotations: Object.fromEntries(given.map(([key, value]) => [key, redact(value)])) }),
    ...(cause === undefined ? {} : { cause: scrub(cause) })
  })}\n`
}

const messageOf = (message: unknown): string => (Array.isArray(message) ? message : [message]).map(textOf).join(" ")

/** Logger that writes one JSON object per line. */
export const logger = (write: (line: string) => void): Logger.Logger<unknown, void> =>
  Logger.make(({ annotations, cause, context, date, logLevel, message }) => {
    const services = FiberRefs.getOrDefault(context, FiberRef.currentContext)
    const ids = idsOf(Option.getOrUndefined(Context.getOption(services, Tracer.ParentSpan)))
    write(
      line({
        time: date,
        level: logLevel.label.toLowerCase().replace(/^warn$/, "warning"),
        message: messageOf(message),
        ...ids,
        fields: Object.fromEntries(HashMap.toEntries(annotations)),
        cause: Cause.isEmpty(cause) ? undefined : Cause.pretty(cleaned(cause))
      })
    )
  })

const reasonOfCause = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  return error instanceof Error ? error.message : String(error)
}

/** Wraps repeated work: warns about its first failure with `cannot`, and again only after it has succeeded in between. */
export const warnOnce = (cannot: string) => {
  let isReported = false
  return <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    work.pipe(
      Effect.tapErrorCause((cause) => {
        if (isReported || Cause.isInterruptedOnly(cause)) return Effect.logDebug(cause)
        isReported = true
        return Effect.logWarning(`${cannot}; retrying: ${reasonOfCause(cause)}`)
      }),
      Effect.tap(() =>
        Effect.sync(() => {
          isReported = false
        })
      )
    )
}

/** Repeats work with a pause after each time, while the scope is open. Its failures are logged with `warning`. */
export const repeatedly = <R>(
  work: Effect.Effect<unknown, unknown, R>,
  pause: Duration.DurationInput,
  warning: string
) =>
  work.pipe(
    Effect.catchAllCause((cause) => Effect.logWarning(warning, cause)),
    Effect.zipRight(Effect.sleep(pause)),
    Effect.forever,
    Effect.forkScoped
  )
