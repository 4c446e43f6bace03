/** Spans where somebody looks at them, and the ids by which rejects, requests and logs are joined. */
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"

const untraced = Context.get(DefaultServices.liveServices, Tracer.Tracer)

/** Whether anybody looks at spans; they take time in everything that is done, and are only made then. */
export const isTraced: Effect.Effect<boolean> = Effect.map(Effect.tracer, (tracer) => tracer !== untraced)

/** Attributes of ours are under one name; those of the field keep theirs. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** A span around the effect where somebody looks, else the effect as it is. */
export const within =
  (name: string, options?: Tracer.SpanOptions & { readonly attributes?: Attributes | undefined }) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>> =>
    Effect.flatMap(isTraced, (traced) =>
      traced ? Effect.withSpan(effect, name, { captureStackTrace: false, ...options }) : effect
    ) as Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>>

/** One span around work of several fibers, which ends with the last of them. */
export const shared = (name: string, fibers: number, attributes: Attributes) =>
  Effect.map(
    Effect.flatMap(isTraced, (traced) =>
      traced ? Effect.makeSpan(name, { captureStackTrace: false, attributes }) : Effect.succeed(undefined)
    ),
    (span) => {
      let left = fibers
      return <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        span === undefined
          ? work
          : (Effect.onExit(Effect.withParentSpan(work, span), (exit) =>
              Effect.map(Effect.clock, (clock) => {
                // Who fails ends the others.
                if (--left === 0 || Exit.isFailure(exit)) {
                  if (span.status._tag === "Started") span.end(clock.unsafeCurrentTimeNanos(), exit)
                }
              })
            ) as Effect.Effect<A, E, R>)
    }
  )

/** Outside the trace that we are in: what outlives its span is no part of it. */
export const apart = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.mapInputContext(effect, (context: Context.Context<R>) => {
    const services = new Map(context.unsafeMap)
    services.delete(Tracer.ParentSpan.key)
    return Context.unsafeMake<R>(services)
  })

/** Tells the span around something that is known only now. */
export const note = (attributes: Attributes): Effect.Effect<void> =>
  Effect.flatMap(isTraced, (traced) => (traced ? Effect.annotateCurrentSpan(attributes) : Effect.void))

const traceId = /^(?!0+$)[0-9a-f]{32}$/
const spanId = /^(?!0+$)[0-9a-f]{16}$/

export interface Ids {
  readonly traceId: string
  readonly spanId: string
}

/** Those of a span, if it is one that others know too. */
export const idsOf = (span: Tracer.AnySpan | undefined): Ids | undefined =>
  span !== undefined && traceId.test(span.traceId) && spanId.test(span.spanId)
    ? { traceId: span.traceId, spanId: span.spanId }
    : undefined

/** The ids of where we are; there are some also where nobody looks, so that rejects and logs can be joined. */
export const here: Effect.Effect<Ids | undefined> = Effect.map(Effect.option(Effect.currentParentSpan), (span) =>
  idsOf(Option.getOrUndefined(span))
)

/** A W3C `traceparent`, to be kept beside work that is done later. */
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

/** The span that a `traceparent` names; undefined for what is none. */
export const parentOf = (traceparent: string | undefined): Tracer.ExternalSpan | undefined => {
  const [, traceId, spanId, flags = "00"] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? "") ?? []
  return traceId === undefined || spanId === undefined
    ? undefined
    : Tracer.externalSpan({ traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 })
}
