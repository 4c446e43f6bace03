/** What a dashboard is told by whoever starts it. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { ActiveCrawls } from "../Client/ActiveCrawls.ts"
import type { Browser } from "../Client/Browser.ts"
import type { TokenUsage } from "../Client/TokenUsage.ts"
import type { CheckOptions } from "../Pipeline/Check.ts"

export type Clients = ActiveCrawls | Browser | TokenUsage

/** `over`: it had come to its end before; `unknown`: no such run was handed in. */
export type StopShared = (run: string) => Effect.Effect<"stopped" | "over" | "unknown", { readonly message: string }>

export interface Options {
  /** 127.0.0.1 unless said otherwise. */
  readonly host?: string | undefined
  /** 0 takes a free one. */
  readonly port?: number | undefined
  /** Absolute. */
  readonly dataDir: string
  /** The folder whose definitions can be run; absolute. Undefined: there is none. */
  readonly definitions: string | undefined
  /** The folder that outputs of runs which are started from here are under; absolute. */
  readonly out: string
  /** What definitions may read when they are checked. */
  readonly scope: Pick<CheckOptions, "env" | "secrets">
  /** The service that does the work, where one is known. */
  readonly service: { readonly baseUrl: string; readonly clients: Layer.Layer<Clients> } | undefined
  /** Stops a run that was handed in to workers, as `sluice stop` does; undefined where no machines share the ledger. */
  readonly stopShared?: StopShared | undefined
  /** This program: what stands before the verb on its command line. */
  readonly command: ReadonlyArray<string>
  /** Words behind the verb that say which ledger and settings are meant. */
  readonly words: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string | undefined>>
}

export class Setup extends Context.Tag("sluice/Dashboard/Setup")<Setup, Options>() {}
