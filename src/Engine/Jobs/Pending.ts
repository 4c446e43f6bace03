/** Pages that were fetched and are not in the store yet: whoever ends a job wants them there first. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

export class Pending extends Effect.Service<Pending>()("sluice/Engine/Jobs/Pending", {
  sync: () => {
    const crews = new Set<Effect.Effect<void>>()
    return {
      /** Says how pages in hand are brought into the store, for as long as the scope is open. */
      add: (flush: Effect.Effect<void>): Effect.Effect<void, never, Scope.Scope> =>
        Effect.acquireRelease(
          Effect.sync(() => crews.add(flush)),
          () => Effect.sync(() => crews.delete(flush))
        ),
      /** Done when what was in hand is in the store, or cannot be brought there soon. */
      flush: Effect.suspend(() => Effect.forEach(crews, (flush) => flush, { discard: true }))
    }
  }
}) {}
