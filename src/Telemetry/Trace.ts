/** Spans that are created only if a tracer is set, and the trace ids for rejects, requests and logs. */
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { isGeneratorFunction } from "effect/Utils"

/** The tracer of a process that traces nothing. */
export const untraced = Context.get(DefaultServices.liveServices, Tracer.Tracer)

const whenTraced = <A, E, R>(isTraced: (traced: boolean) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.tracerWith((tracer) => isTraced(tracer !== untraced))

/** True when a tracer is set. */
export const isTraced: Effect.Effect<boolean> = whenTraced(Effect.succeed)

/** Attributes of a span. Sluice's own start with `sluice.`; the others have OpenTelemetry names. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** Runs the effect in a span, if a tracer is set. */
export const within =
  (name: string, options?: Tracer.SpanOptions & { readonly attributes?: Attributes | undefined }) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>> =>
    whenTraced((traced) =>
      traced ? Effect.withSpan(effect, name, { captureStackTrace: false, ...options }) : effect
    ) as Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>>

/**
 * `Effect.fn` with a name, but makes a span only if a tracer is set. Effect's own function always makes one, which costs about forty
 * operations of Effect's runtime per call.
 */
export const fn = (name: string): Effect.fn.Gen & Effect.fn.NonGen => {
  const define: Define = (body, ...changes) => {
    const plain = isGeneratorFunction(body) ? (Effect.fnUntraced as Define)(body, ...changes) : applied(body, changes)
    return (...given) => within(name)(plain(...given))
  }
  return define as unknown as Effect.fn.Gen & Effect.fn.NonGen
}

/** The function of a body that is no generator, and thus runs when the function is called. What it throws becomes a defect. */
const applied =
  (body: Body, changes: ReadonlyArray<Change>) =>
  (...given: ReadonlyArray<unknown>): Untyped => {
    let effect: Untyped
    try {
      effect = body(...given) as Untyped
    } catch (cause) {
      effect = Effect.die(cause)
    }
    return changes.reduce((changed, change) => change(changed, ...given), effect)
  }

/** Effect of a function whose types are not tracked here: {@link fn} takes them from `Effect.fn`. */
type Untyped = Effect.Effect<unknown, unknown, unknown>

type Body = (...given: ReadonlyArray<unknown>) => unknown

type Change = (effect: Untyped, ...given: ReadonlyArray<unknown>) => Untyped

type Define = (body: Body, ...changes: ReadonlyArray<Change>) => (...given: ReadonlyArray<unknown>) => Untyped

/** One span around the work of several fibers. It ends with the last fiber, or with the first failure. */
export const shared = (name: string, fibers: number, attributes: Attributes) =>
  Effect.map(
    whenTraced((traced) =>
      traced ? Effect.makeSpan(name, { captureStackTrace: false, attributes }) : Effect.succeed(undefined)
    ),
    (span) => {
      let left = fibers
      return <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        span === undefined
          ? work
          : (Effect.onExit(Effect.withParentSpan(work, span), (exit) =>
              Effect.map(Effect.clock, (clock) => {
                if (--left === 0 || Exit.isFailure(exit)) {
                  if (span.status._tag === "Started") span.end(clock.unsafeCurrentTimeNanos(), exit)
                }
              })
            ) as Effect.Effect<A, E, R>)
    }
  )

/** Runs the effect outside of the current trace, because it outlives the current span. */
export const apart = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.mapInputContext(effect, (context: Context.Context<R>) => {
    const services = new Map(context.unsafeMap)
    services.delete(Tracer.ParentSpan.key)
    return Context.unsafeMake<R>(services)
  })

/** Adds attributes to the current span. */
export const note = (attributes: Attributes): Effect.Effect<void> =>
  whenTraced((traced) => (traced ? Effect.annotateCurrentSpan(attributes) : Effect.void))

const traceId = /^(?!0+$)[0-9a-f]{32}$/
const spanId = /^(?!0+$)[0-9a-f]{16}$/

export interface Ids {
  readonly traceId: string
  readonly spanId: string
}

/** Ids of a span; undefined if OpenTelemetry does not allow them. */
export const idsOf = (span: Tracer.AnySpan | undefined): Ids | undefined =>
  span !== undefined && traceId.test(span.traceId) && spanId.test(span.spanId)
    ? { traceId: span.traceId, spanId: span.spanId }
    : undefined

/** Trace and span ids of the current span. */
export const here: Effect.Effect<Ids | undefined> = Effect.map(Effect.option(Effect.currentParentSpan), (span) =>
  idsOf(Option.getOrUndefined(span))
)

/** The current span as a W3C `traceparent`, to store with work that runs later. */
export const traceparent: Effect.Effect<string | undefined> = Effect.map(
  Effect.option(Effect.currentParentSpan),
  Option.match({
    onNone: () => undefined,
    onSome: (span) => {
      const ids = idsOf(span)
      return ids && `00-${ids.traceId}-${ids.spanId}-${span.sampled ? "01" : "00"}`
    }
  })
)

/** Span of a `traceparent`; undefined if it is invalid. */
export const parentOf = (traceparent: string | undefined): Tracer.ExternalSpan | undefined => {
  const [, traceId, spanId, flags = "00"] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? "") ?? []
  return traceId === undefined || spanId === undefined
    ? undefined
    : Tracer.externalSpan({ traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 })
}
