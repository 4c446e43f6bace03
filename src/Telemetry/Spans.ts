/** Tracer in front of the exporting one: samples traces, limits the size of spans, and removes secrets. */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { scrub, textOf } from "./Redaction.ts"
import { idsOf, untraced } from "./Trace.ts"

/** Maximum attributes and events of a span. */
const maxAttributes = 32
const maxEvents = 16
const maxLinks = 8
/** Maximum characters of an attribute value and of a message. */
const maxValueLength = 256
const maxMessageLength = 500

/** Attributes set by libraries that may contain secrets: headers, queries, SQL statements with their values. */
const withheld =
  /^(?:http\.(?:request|response)\.header\.|url\.(?:full|query)$|user_agent\.|db\.(?:query\.text|statement|operation\.parameter)|code\.stacktrace$|effect\.cause$)/

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

const valueOf = (value: unknown): string | number | boolean | bigint =>
  typeof value === "number" || typeof value === "boolean" || typeof value === "bigint"
    ? value
    : cut(textOf(value), maxValueLength)

/** Removes page content: errors about unexpected responses quote the start of the body. */
const withoutExcerpt = (message: string, error: object): string =>
  "excerpt" in error && typeof error.excerpt === "string" && error.excerpt !== ""
    ? message.replaceAll(JSON.stringify(error.excerpt), "…").replaceAll(error.excerpt, "…")
    : message

const field = (error: unknown, name: "_tag" | "message" | "reason"): string | undefined => {
  if (typeof error !== "object" || error === null) return undefined
  const value: unknown = Reflect.get(error, name)
  return typeof value === "string" ? value : undefined
}

/** Copy of an error with only its name and redacted message. */
export const redactedError = (error: unknown): Error => {
  const text = typeof error === "string" ? error : (field(error, "message") ?? "")
  const bare = typeof error === "object" && error !== null ? withoutExcerpt(text, error) : text
  const redacted = new Error(cut(scrub(bare), maxMessageLength))
  const tag = field(error, "_tag") ?? (error instanceof Error ? error.name : "Error")
  redacted.name = (tag === "StepError" ? field(error, "reason") : undefined) ?? tag
  // The stack of the copy would point to this file, so it is replaced by the name and the message.
  redacted.stack = `${redacted.name}: ${redacted.message}`
  return redacted
}

/** Copy of a cause without secrets. */
export const cleaned = (cause: Cause.Cause<unknown>): Cause.Cause<unknown> => {
  if (Cause.isInterruptedOnly(cause)) return cause
  const error = redactedError(Cause.squash(cause))
  return Cause.isDie(cause) ? Cause.die(error) : Cause.fail(error)
}

/** Limits what an exported span records, and removes secrets from it. */
const guard = (span: Tracer.Span): Tracer.Span => {
  let attributes = 0
  let events = 0
  const inner = {
    end: span.end.bind(span),
    attribute: span.attribute.bind(span),
    event: span.event.bind(span),
    addLinks: span.addLinks.bind(span)
  }
  return Object.assign(span, {
    end: (endTime: bigint, exit: Exit.Exit<unknown, unknown>) =>
      inner.end(endTime, Exit.isSuccess(exit) ? Exit.void : Exit.failCause(cleaned(exit.cause))),
    attribute: (key: string, value: unknown) => {
      if (value === undefined || withheld.test(key) || attributes >= maxAttributes) return
      attributes++
      inner.attribute(key, valueOf(value))
    },
    event: (name: string, startTime: bigint, about?: Record<string, unknown>) => {
      if (events++ >= maxEvents) return
      const kept = Object.entries(about ?? {}).flatMap(([key, value]) =>
        withheld.test(key) ? [] : [[key, valueOf(value)] as const]
      )
      inner.event(cut(scrub(name), maxValueLength), startTime, Object.fromEntries(kept.slice(0, maxAttributes)))
    },
    addLinks: (links: ReadonlyArray<Tracer.SpanLink>) =>
      inner.addLinks(links.slice(0, Math.max(0, maxLinks - span.links.length)))
  })
}

const nothing = () => {}

/** Makes a span that is not exported. It has ids for logs and requests, and stores nothing else. */
const unsampled = (...of: Parameters<Tracer.Tracer["span"]>): Tracer.Span => {
  const span = untraced.span(...of)
  const end = span.end.bind(span)
  return Object.assign(span, {
    sampled: false,
    end: (endTime: bigint, exit: Exit.Exit<unknown, unknown>) => end(endTime, Exit.isSuccess(exit) ? exit : Exit.void),
    attribute: nothing,
    event: nothing,
    addLinks: nothing
  })
}

/** Spans of single SQL statements, which are not exported: there are dozens in every operation. */
const withheldSpans = /^sql\./

/** Exports `share` of the traces that start here; for traces from elsewhere their `sampled` flag decides. */
export const guarded = (exporting: Tracer.Tracer, share: number): Tracer.Tracer =>
  Tracer.make({
    span: (name, above, context, links, startTime, kind, options) => {
      // Ids come from request headers and may be invalid. A collector rejects a whole batch if it contains an invalid one.
      const parent = Option.filter(above, (span) => idsOf(span) !== undefined)
      const made = () => unsampled(name, parent, context, [], startTime, kind)
      if (withheldSpans.test(name)) {
        // With the ids of its parent, so that child spans belong to that parent.
        return Option.match(parent, {
          onNone: made,
          onSome: ({ sampled, spanId }) => Object.assign(made(), { sampled, spanId })
        })
      }
      const isSampled = Option.isSome(parent) ? parent.value.sampled : Math.random() < share
      return isSampled
        ? guard(
            exporting.span(
              cut(name, maxValueLength),
              parent,
              context,
              links.slice(0, maxLinks),
              startTime,
              kind,
              options
            )
          )
        : made()
    },
    context: (f, fiber) => exporting.context(f, fiber)
  })
