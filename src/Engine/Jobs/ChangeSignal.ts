/** Wakes fibers that wait for a change: readers of a job, and the loops of the worker pool, the webhook delivery and the janitor. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/** There may be new work for the pool. */
export const work = "work"
/** The pool has committed a batch of results. */
export const committed = "committed"
/** A webhook may be due. */
export const webhookDue = "post"

/** A job was removed, so its data can be deleted. */
export const removed = "removed"

/** Maximum number of names with a waiting fiber. Names of ended jobs stay until then. */
const maxNames = 10_000

export class ChangeSignal extends Effect.Service<ChangeSignal>()("sluice/Engine/Jobs/ChangeSignal", {
  sync: () => {
    const waiting = new Map<string, Deferred.Deferred<void>>()
    return {
      ring: (name: string) =>
        Effect.suspend(() => {
          const deferred = waiting.get(name)
          waiting.delete(name)
          return deferred === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(deferred, undefined))
        }),
      /** Subscribes now. The returned effect completes with the next `ring`, and sometimes without one, so check again. */
      listen: (name: string) =>
        Effect.map(Effect.fiberId, (fiberId) => {
          if (waiting.size >= maxNames) {
            for (const deferred of waiting.values()) Deferred.unsafeDone(deferred, Effect.void)
            waiting.clear()
          }
          const deferred = waiting.get(name) ?? Deferred.unsafeMake<void>(fiberId)
          waiting.set(name, deferred)
          return Deferred.await(deferred)
        })
    }
  }
}) {}
