/** Tells those who wait that something has changed: the readers of a job, and the crew. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/** Rung when there may be new work. */
export const work = "work"
/** Rung when what was finished has been committed. */
export const committed = "committed"
/** Rung when a job has somebody to tell. */
export const post = "post"

/** Rung when what a job has is to be removed. */
export const removed = "removed"

/** Names that somebody listens to, or has listened to and that nobody rang since: those of jobs that ended meanwhile. */
const most = 10_000

export class ChangeSignal extends Effect.Service<ChangeSignal>()("sluice/Engine/Jobs/Bell", {
  sync: () => {
    const waiting = new Map<string, Deferred.Deferred<void>>()
    return {
      ring: (name: string) =>
        Effect.suspend(() => {
          const deferred = waiting.get(name)
          waiting.delete(name)
          return deferred === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(deferred, undefined))
        }),
      /** Listens from now on; the effect inside ends with the next ring, and now and then without one: look again. */
      listen: (name: string) =>
        Effect.map(Effect.fiberId, (fiberId) => {
          if (waiting.size >= most) {
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
