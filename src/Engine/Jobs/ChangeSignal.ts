/**
 * Wakes fibers that wait for a change of a topic. Topics are the ids of jobs and the constants below.
 *
 * Only fibers of this process are woken, and only those that listen at that moment. So listeners read the store after they have subscribed,
 * and again after a timeout, because another process may have made the change.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/** Topic: there may be new work for the worker pool. */
export const work = "work"
/** Topic: the worker pool has committed a batch of results. */
export const committed = "committed"
/** Topic: a webhook may be due. */
export const webhookDue = "post"

/** Topic: a job was removed, so its data can be deleted. */
export const removed = "removed"

/** At this number of topics, all listeners are woken and all topics are forgotten, because those of ended jobs may never be signalled. */
const maxTopics = 10_000

export class ChangeSignal extends Effect.Service<ChangeSignal>()("sluice/Engine/Jobs/ChangeSignal", {
  sync: () => {
    const waiting = new Map<string, Deferred.Deferred<void>>()
    return {
      notify: (topic: string) =>
        Effect.suspend(() => {
          const deferred = waiting.get(topic)
          waiting.delete(topic)
          return deferred === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(deferred, undefined))
        }),
      /** Subscribes immediately. The returned effect completes at the next `notify`, and sometimes without one. */
      listen: (topic: string) =>
        Effect.map(Effect.fiberId, (fiberId) => {
          if (waiting.size >= maxTopics) {
            for (const deferred of waiting.values()) Deferred.unsafeDone(deferred, Effect.void)
            waiting.clear()
          }
          const deferred = waiting.get(topic) ?? Deferred.unsafeMake<void>(fiberId)
          waiting.set(topic, deferred)
          return Deferred.await(deferred)
        })
    }
  }
}) {}
