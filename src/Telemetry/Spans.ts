/** Stands before the tracer that exports: samples, bounds what a span carries, and lets no secret through. */
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { scrub, textOf } from "./Redaction.ts"
import { idsOf } from "./Trace.ts"

/** Of one span. */
const mostAttributes = 32
const mostEvents = 16
const mostLinks = 8
/** Characters of a value, and of what a failure says. */
const longest = 256
const longestMessage = 500

/** Attributes that libraries set and that may hold what is nobody's business: headers, queries, statements with their values. */
const withheld =
  /^(?:http\.(?:request|response)\.header\.|url\.(?:full|query)$|user_agent\.|db\.(?:query\.text|statement|operation\.parameter)|code\.stacktrace$|effect\.cause$)/

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

const valueOf = (value: unknown): string | number | boolean | bigint =>
  typeof value === "number" || typeof value === "boolean" || typeof value === "bigint"
    ? value
    : cut(textOf(value), longest)

/** Pages are no business of a trace: of an answer that was not understood errors keep the beginning. */
const withoutExcerpt = (message: string, error: object): string =>
  "excerpt" in error && typeof error.excerpt === "string" && error.excerpt !== ""
    ? message.replaceAll(JSON.stringify(error.excerpt), "…").replaceAll(error.excerpt, "…")
    : message

const field = (error: unknown, name: "_tag" | "message" | "reason"): string | undefined => {
  if (typeof error !== "object" || error === null) return undefined
  const value: unknown = Reflect.get(error, name)
  return typeof value === "string" ? value : undefined
}

/** What a failure says of itself, as an error that holds nothing else. */
export const said = (error: unknown): Error => {
  const text = typeof error === "string" ? error : (field(error, "message") ?? "")
  const bare = typeof error === "object" && error !== null ? withoutExcerpt(text, error) : text
  const told = new Error(cut(scrub(bare), longestMessage))
  const tag = field(error, "_tag") ?? (error instanceof Error ? error.name : "Error")
  told.name = (tag === "StepError" ? field(error, "reason") : undefined) ?? tag
  // Where it was made again says nothing about where it happened.
  told.stack = `${told.name}: ${told.message}`
  return told
}

const isFault = (cause: Cause.Cause<unknown>): boolean => Cause.isDie(cause)

/** The cause with nothing in it but what may be told. */
export const cleaned = (cause: Cause.Cause<unknown>): Cause.Cause<unknown> => {
  if (Cause.isInterruptedOnly(cause)) return cause
  const error = said(Cause.squash(cause))
  return isFault(cause) ? Cause.die(error) : Cause.fail(error)
}

/** One span on its way out. */
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
    if (value === undefined || withheld.test(key) || this.#attributes >= mostAttributes) return
    this.#attributes++
    this.#inner.attribute(key, valueOf(value))
  }
  event(name: string, startTime: bigint, attributes?: Record<string, unknown>): void {
    if (this.#events++ >= mostEvents) return
    const told = Object.entries(attributes ?? {}).flatMap(([key, value]) =>
      withheld.test(key) ? [] : [[key, valueOf(value)] as const]
    )
    this.#inner.event(cut(scrub(name), longest), startTime, Object.fromEntries(told.slice(0, mostAttributes)))
  }
  addLinks(links: ReadonlyArray<Tracer.SpanLink>): void {
    this.#inner.addLinks(links.slice(0, Math.max(0, mostLinks - this.#inner.links.length)))
  }
}

const digits = "0123456789abcdef"
const idOf = (length: number): string => {
  let id = ""
  for (let at = 0; at < length; at++) id += digits[Math.floor(Math.random() * 16)]
  return id
}

/** One that is not exported: it has ids, so that others can be joined by them, and keeps nothing. */
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
    /** Whose place it takes: what is begun within it belongs there. */
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

/** Of every statement one: there are dozens in what people call one thing, and they say nothing but that. */
const tooMany = /^sql\./

/** `share` of the traces that begin here are exported; those that began elsewhere as was decided there. */
export const guarded = (exporting: Tracer.Tracer, share: number): Tracer.Tracer =>
  Tracer.make({
    span: (name, above, context, links, startTime, kind, options) => {
      // Callers may write anything in a header, and a collector takes no batch that has such a name in it.
      const parent = Option.filter(above, (span) => idsOf(span) !== undefined)
      if (tooMany.test(name)) {
        return new Unsampled(name, parent, context, startTime, kind, Option.getOrUndefined(parent))
      }
      const isSampled = Option.isSome(parent) ? parent.value.sampled : Math.random() < share
      return isSampled
        ? new Guarded(
            exporting.span(cut(name, longest), parent, context, links.slice(0, mostLinks), startTime, kind, options)
          )
        : new Unsampled(name, parent, context, startTime, kind)
    },
    context: (f, fiber) => exporting.context(f, fiber)
  })
