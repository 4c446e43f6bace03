/** Options of a dashboard, and the service by which its modules read them. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { ActiveCrawls } from "../Client/ActiveCrawls.ts"
import type { Browser } from "../Client/Browser.ts"
import type { TokenUsage } from "../Client/TokenUsage.ts"
import type { CheckOptions } from "../Pipeline/Check.ts"
import type { ClusterNow } from "../Web/Dashboard/Protocol.ts"

export type Clients = ActiveCrawls | Browser | TokenUsage

/** Stops a run on the cluster. `over`: the run had already ended; `unknown`: the cluster has no such run. */
export type StopShared = (run: string) => Effect.Effect<"stopped" | "over" | "unknown", { readonly message: string }>

export interface Options {
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined
  /** Default: 0, a free port. */
  readonly port?: number | undefined
  /** Absolute path. */
  readonly dataDir: string
  /** Absolute path of the folder with definitions that can be run; undefined if there is none. */
  readonly definitions: string | undefined
  /** Absolute path of the folder for outputs of runs that the dashboard starts. */
  readonly out: string
  /** Environment and secrets available to definitions when they are checked. */
  readonly scope: Pick<CheckOptions, "env" | "secrets">
  /** The connected service; undefined when none is configured. */
  readonly service: { readonly baseUrl: string; readonly clients: Layer.Layer<Clients> } | undefined
  /** Stops a run on the cluster, as `sluice stop` does; undefined when the ledger is not shared. */
  readonly stopShared?: StopShared | undefined
  /** Workers and waiting parts of the cluster; undefined when the ledger is not shared. */
  readonly cluster?: Effect.Effect<ClusterNow, { readonly message: string }> | undefined
  /** Command line of this program up to the verb. */
  readonly command: ReadonlyArray<string>
  /** Arguments after the verb's own: they name the ledger and the settings. */
  readonly arguments: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string | undefined>>
}

export class Setup extends Context.Tag("sluice/Dashboard/Setup")<Setup, Options>() {}
