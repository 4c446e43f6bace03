/** Remote browser sessions: create, list, delete, run code in them. */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { CreateSession, Execute, ListQuery } from "../Api/Browser.ts"
import { calls, pathSegment } from "./Calls.ts"

interface CloseOptions {
  readonly closeTimeout: Duration.Duration
  /** Called when the session could not be closed. It expires by itself later. */
  readonly onUnclosed: (message: string) => Effect.Effect<void>
}

/** A new session that is closed with the scope. It may have expired before. */
export const scopedSession = (request: CreateSession, { closeTimeout, onUnclosed }: CloseOptions) =>
  Effect.flatMap(Browser, (client) =>
    Effect.acquireRelease(client.create(request), ({ id }) =>
      client.delete(id).pipe(
        Effect.catchTags({ NotFound: () => Effect.void, Gone: () => Effect.void }),
        // Finalizers are uninterruptible.
        Effect.interruptible,
        Effect.timeout(closeTimeout),
        Effect.catchAll(({ message }) => onUnclosed(message))
      )
    )
  )

/** Group `browser` of the contract. */
export class Browser extends Effect.Service<Browser>()("sluice/Client/Browser", {
  effect: Effect.gen(function* () {
    const api = yield* calls("browser")
    const path = (method: string, id: string) =>
      Effect.map(pathSegment(id, { method, url: "/v2/browser/{id}" }), (id) => ({ id }))
    return {
      /** A new session; seconds of life in `ttl`, of idleness in `activityTtl`. A second saver of a profile is a `Conflict`. */
      create: Effect.fn("Browser.create")((payload: CreateSession = {}) => api.create({ payload })),
      /** The open sessions; with `status: "destroyed"` those that have ended a short while ago. */
      list: Effect.fn("Browser.list")((query: ListQuery = {}) => api.list({ urlParams: query })),
      /** Ends the session, saving its profile if it has one to save. */
      delete: Effect.fn("Browser.delete")((id: string) =>
        Effect.flatMap(path("DELETE", id), (path) => api.delete({ path }))
      ),
      /** Runs code in the session; code that fails is an answer with `error`, a session that has ended is `Gone`. */
      execute: Effect.fn("Browser.execute")((id: string, payload: Execute) =>
        Effect.flatMap(path("POST", id), (path) => api.execute({ path, payload }))
      )
    }
  })
}) {}
