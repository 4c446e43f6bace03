/** Remote browser sessions. */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { CreateSession, Execute, ListQuery, SignIn } from "../Api/BrowserSession.ts"
import * as Trace from "../Telemetry/Trace.ts"
import { calls, pathSegment } from "./Calls.ts"

interface CloseOptions {
  readonly closeTimeout: Duration.Duration
  /** Called if the session could not be closed. It will expire by itself. */
  readonly onUnclosed: (message: string) => Effect.Effect<void>
}

/** Creates a session that is closed with the scope. The session may expire earlier. */
export const scopedSession = (request: CreateSession, { closeTimeout, onUnclosed }: CloseOptions) =>
  Effect.flatMap(Browser, (client) =>
    Effect.acquireRelease(client.create(request), ({ id }) =>
      client.delete(id).pipe(
        Effect.catchTags({ NotFound: () => Effect.void, Gone: () => Effect.void }),
        // Finalizers are uninterruptible by default.
        Effect.interruptible,
        Effect.timeout(closeTimeout),
        Effect.catchAll(({ message }) => onUnclosed(message))
      )
    )
  )

/** Remote browser sessions, controlled over CDP or with code. Errors: `ClientError`. */
export class Browser extends Effect.Service<Browser>()("sluice/Client/Browser", {
  effect: Effect.gen(function* () {
    const api = yield* calls("browser")
    const path = (method: string, id: string) =>
      Effect.map(pathSegment(id, { method, url: "/v2/browser/{id}" }), (id) => ({ id }))
    return {
      /**
       * Opens a session. `ttl`: lifetime in seconds (30 to 3600, default 600); `activityTtl`: maximum seconds without activity (10 to 3600,
       * default 300). Fails with `Conflict` if another session saves the same profile.
       */
      create: Trace.fn("Browser.create")((payload: CreateSession = {}) => api.create({ payload })),
      /** Lists the open sessions; with `status: "destroyed"` those that ended in the last half hour. */
      list: Trace.fn("Browser.list")((query: ListQuery = {}) => api.list({ urlParams: query })),
      /** Ends the session, and saves its profile if it was created with one. Fails with `Gone` if it has already ended. */
      delete: Trace.fn("Browser.delete")((id: string) =>
        Effect.flatMap(path("DELETE", id), (path) => api.delete({ path }))
      ),
      /**
       * Signs in to a site on the local engine, and keeps the cookies in the profile `name`: scrapes with `profile: { name: "login:NAME" }`
       * send these cookies.
       */
      signIn: Trace.fn("Browser.signIn")((payload: SignIn) => api.signIn({ payload })),
      /** Deletes the profile of a login that is no longer needed. */
      signOut: Trace.fn("Browser.signOut")((name: string) =>
        Effect.flatMap(path("DELETE", name), (path) => api.signOut({ path }))
      ),
      /**
       * Runs code in the session, for at most `timeout` seconds (1 to 300, default 30). Code that fails returns a result with `error`.
       * Fails with `Gone` if the session has ended.
       */
      execute: Trace.fn("Browser.execute")((id: string, payload: Execute) =>
        Effect.flatMap(path("POST", id), (path) => api.execute({ path, payload }))
      )
    }
  })
}) {}
