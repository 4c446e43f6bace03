/** Tracer in front of the exporting one: samples traces, limits the size of spans, and removes secrets. */
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { scrub, textOf } from "./Redaction.ts"
import { idsOf } from "./Trace.ts"

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

/** Exported span, with limits and without secrets. */
class Guarded implements Tracer.Span {
  readonly _tag = "Span"
  readonly #inner: Tracer.Span
  #attributes = 0
  #events = 0

  constructor(inner: Tracer.Span) {
    this.#inner = inner
  }
  get name() {
    return this.#inner.name
  }
  get spanId() {
    return this.#inner.spanId
  }
  get traceId() {
    return this.#inner.traceId
  }
  get parent() {
    return this.#inner.parent
  }
  get context() {
    return this.#inner.context
  }
  get status() {
    return this.#inner.status
  }
  get attributes() {
    return this.#inner.attributes
  }
  get links() {
    return this.#inner.links
  }
  get sampled() {
    return true
  }
  get kind() {
    return this.#inner.kind
  }
  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    this.#inner.end(endTime, Exit.isSuccess(exit) ? Exit.void : Exit.failCause(cleaned(exit.cause)))
  }
  attribute(key: string, value: unknown): void {
    if (value === undefined || withheld.test(key) || this.#attributes >= maxAttributes) return
    this.#attributes++
    this.#inner.attribute(key, valueOf(value))
  }
  event(name: string, startTime: bigint, attributes?: Record<string, unknown>): void {
    if (this.#events++ >= maxEvents) return
    const kept = Object.entries(attributes ?? {}).flatMap(([key, value]) =>
      withheld.test(key) ? [] : [[key, valueOf(value)] as const]
    )
    this.#inner.event(cut(scrub(name), maxValueLength), startTime, Object.fromEntries(kept.slice(0, maxAttributes)))
  }
  addLinks(links: ReadonlyArray<Tracer.SpanLink>): void {
    this.#inner.addLinks(links.slice(0, Math.max(0, maxLinks - this.#inner.links.length)))
  }
}

const digits = "0123456789abcdef"
const idOf = (length: number): string => {
  let id = ""
  for (let at = 0; at < length; at++) id += digits[Math.floor(Math.random() * 16)]
  return id
}

/** Span that is not exported. It has ids for logs and requests, and stores nothing else. */
class Unsampled implements Tracer.Span {
  readonly _tag = "Span"
  readonly spanId: string
  readonly traceId: string
  readonly sampled: boolean
  readonly attributes: ReadonlyMap<string, unknown> = new Map()
  readonly links: ReadonlyArray<Tracer.SpanLink> = []
  readonly name: string
  readonly parent: Option.Option<Tracer.AnySpan>
  readonly context: Context.Context<never>
  readonly kind: Tracer.SpanKind
  status: Tracer.SpanStatus
  constructor(
    name: string,
    parent: Option.Option<Tracer.AnySpan>,
    context: Context.Context<never>,
    startTime: bigint,
    kind: Tracer.SpanKind,
    /** Parent whose ids this span uses, so that child spans belong to that parent. */
    above?: Tracer.AnySpan
  ) {
    this.spanId = above?.spanId ?? idOf(16)
    this.sampled = above?.sampled ?? false
    this.name = name
    this.parent = parent
    this.context = context
    this.kind = kind
    this.traceId = Option.isSome(parent) ? parent.value.traceId : idOf(32)
    this.status = { _tag: "Started", startTime }
  }
  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    this.status = {
      _tag: "Ended",
      startTime: this.status.startTime,
      endTime,
      exit: Exit.isSuccess(exit) ? exit : Exit.void
    }
  }
  attribute(): void {}
  event(): void {}
  addLinks(): void {}
}

/** Spans of single SQL statements, which are not exported: there are dozens in every operation. */
const withheldSpans = /^sql\./

/** Exports `share` of the traces that start here; for traces from elsewhere their `sampled` flag decides. */
export const guarded = (exporting: Tracer.Tracer, share: number): Tracer.Tracer =>
  Tracer.make({
    span: (name, above, context, links, startTime, kind, options) => {
      // Ids come from request headers and may be invalid. A collector rejects a whole batch if it contains an invalid one.
      const parent = Option.filter(above, (span) => idsOf(span) !== undefined)
      if (withheldSpans.test(name)) {
        return new Unsampled(name, parent, context, startTime, kind, Option.getOrUndefined(parent))
      }
      const isSampled = Option.isSome(parent) ? parent.value.sampled : Math.random() < share
      return isSampled
        ? new Guarded(
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
        : new Unsampled(name, parent, context, startTime, kind)
    },
    context: (f, fiber) => exporting.context(f, fiber)
  })
