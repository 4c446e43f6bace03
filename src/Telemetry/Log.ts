/** Log lines: JSON for machines, with the ids of their trace; and warnings that are not repeated. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as FiberRefs from "effect/FiberRefs"
import * as HashMap from "effect/HashMap"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { isSqlError, reasonOf } from "../Database/DriverErrors.ts"
import { plain, scrub, textOf } from "./Redaction.ts"
import { cleaned } from "./Spans.ts"
import { idsOf } from "./Trace.ts"

export type Fields = Readonly<Record<string, unknown>>

/** Characters of a message. */
const longest = 8192

export interface Entry {
  readonly time: Date
  /** `debug`, `info`, `warning`, `error`. */
  readonly level: string
  readonly message: string
  readonly traceId?: string | undefined
  readonly spanId?: string | undefined
  readonly cause?: string | undefined
  readonly fields?: Fields | undefined
}

/** One line, with its end. What it is joined by is called as OpenTelemetry calls it. */
export const line = ({ cause, fields, level, message, spanId, time, traceId }: Entry): string => {
  const told = Object.entries(fields ?? {}).filter(([, value]) => value !== undefined)
  return `${JSON.stringify({
    time: time.toISOString(),
    level,
    message: scrub(message).slice(0, longest),
    trace_id: traceId,
    span_id: spanId,
    ...(told.length === 0 ? {} : { annotations: Object.fromEntries(told.map(([key, value]) => [key, plain(value)])) }),
    ...(cause === undefined ? {} : { cause: scrub(cause) })
  })}\n`
}

const messageOf = (message: unknown): string => (Array.isArray(message) ? message : [message]).map(textOf).join(" ")

/** Writes what Effect logs. */
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

const whyOf = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  return isSqlError(error) ? reasonOf(error) : error instanceof Error ? error.message : String(error)
}

/** Warns of a failure, as `cannot` says what it keeps from being done; not again before the work has gone well. */
export const warnOnce = (cannot: string) => {
  let isTold = false
  return <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    work.pipe(
      Effect.tapErrorCause((cause) => {
        if (isTold || Cause.isInterruptedOnly(cause)) return Effect.logDebug(cause)
        isTold = true
        return Effect.logWarning(`${cannot}; it is tried again: ${whyOf(cause)}`)
      }),
      Effect.tap(() =>
        Effect.sync(() => {
          isTold = false
        })
      )
    )
}
