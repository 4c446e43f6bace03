/** What browsers have kept of sites, for a page that is to be seen with it; whoever looks after it is no part of this. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Conflict, InsufficientStorage, RateLimited, Unavailable } from "../../Api/Errors.ts"
import { type Running, unavailable } from "./Running.ts"

/** Whose, which, and whether it is to have what the page changes. */
export interface StorageRequest {
  readonly team: string
  readonly name: string
  readonly saveChanges: boolean
}

/** One browser's copy. */
export interface Kept {
  /** Puts it where a browser is about to look for it. */
  readonly furnish: (profile: string) => Effect.Effect<void>
  /** Gives the browser what it does not keep by itself. */
  readonly restore: (running: Running) => Effect.Effect<void>
  /** Ends the browser and, where changes are to be saved, keeps what it has. */
  readonly save: (running: Running) => Effect.Effect<void>
  /** Waits until the browser has written more than it may. */
  readonly overflow: (running: Running) => Effect.Effect<void>
}

interface Service {
  /** Has room for the browser as well, until the scope closes. */
  readonly open: (
    request: StorageRequest
  ) => Effect.Effect<Kept, Conflict | InsufficientStorage | RateLimited | Unavailable, Scope.Scope>
}

/** Without a layer nothing is kept. */
export class Storage extends Context.Reference<Storage>()("sluice/Engine/Render/Storage", {
  defaultValue: (): Service => ({
    open: ({ name }) =>
      Effect.fail(
        unavailable(`No browser profiles are kept here, ${JSON.stringify(name)} neither. Leave "profile" out.`)
      )
  })
}) {}
