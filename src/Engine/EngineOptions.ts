/**
 * Options of the engine, the interface of a running one, and the reasons why one cannot start. Programs that embed the engine see these
 * types.
 */
import type { Duplex } from "node:stream"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { ListenError } from "../Web/ListenError.ts"
import type { ModelOptions } from "./Model/Model.ts"
import type { StoreError } from "./Store/Sql.ts"
import type { KeysError } from "./Teams/Keys.ts"

/** Options of the engine. */
export interface Options {
  /** Folder for the store and the keys; created if missing. */
  readonly dataDir: string
  /** Address to listen on; default: 127.0.0.1. */
  readonly host?: string | undefined
  /**
   * 0, the default, chooses a free port. False: opens no port until a browser session needs one for its URLs; until then only this process
   * reaches the engine, by `connect`.
   */
  readonly port?: number | false | undefined
  /** Private networks, in CIDR notation, from which pages may be fetched. */
  readonly allowNetworks?: ReadonlyArray<string> | undefined
  /** Single private addresses (`host:port`, as in the URL) from which pages may be fetched. */
  readonly allowOrigins?: ReadonlyArray<string> | undefined
  /** `name:fc-<32 hex>,team/name:fc-<32 hex>,…`; without it a key is generated once and stored in the data folder. */
  readonly keys?: Redacted.Redacted | undefined
  /** A language model, for the format `json`. */
  readonly model?: ModelOptions | undefined
  /** Proxies for fetching pages: `url,name=url,…`. */
  readonly proxies?: Redacted.Redacted | undefined
  /** Search providers in the order in which they are tried: `brave=KEY,local`. */
  readonly searchProviders?: Redacted.Redacted | undefined
  /** Path of the Chromium for rendering pages; by default the usual places are searched. */
  readonly chromium?: string | undefined
  /** Runs Chromium in its sandbox; default: true. */
  readonly chromiumSandbox?: boolean | undefined
  /** Maximum concurrent browser sessions. Default: as many as fit into the memory of the machine. */
  readonly browserSessions?: number | undefined
  /** Maximum concurrent browser sessions per key. Default: no limit besides `browserSessions`. */
  readonly browserSessionsPerKey?: number | undefined
  /** Lets callers run code next to their sessions, with the rights of the engine's user; default: false. */
  readonly allowExecute?: boolean | undefined
  /** Maximum pages fetched at once; default: 32. */
  readonly workers?: number | undefined
  /** Maximum pages fetched at once from one host; default: 8. */
  readonly perHost?: number | undefined
  /** Time for which the results of a job are kept after its last change; default: 24 hours. */
  readonly retention?: Duration.DurationInput | undefined
  /** Secret for signing deliveries of webhooks that have no secret of their own. */
  readonly webhookSecret?: Redacted.Redacted | undefined
  /** Maximum requests per minute and key; default: unlimited. */
  readonly rateLimit?: number | undefined
  /** Credits a month for each team (`1000`) or by team (`default=1000,other=500`); default: unlimited. */
  readonly quota?: string | undefined
  /** Weights of teams when they share the engine: `other=3,third=2`; default: 1. */
  readonly weights?: string | undefined
  /** True for a program that will send files: the parser processes then start with the engine. Default: with the first file. */
  readonly parsesFiles?: boolean | undefined
  /** Maximum bytes of the page cache; default: 512 MB, 0 for no cache. */
  readonly copyBytes?: number | undefined
  /** Maximum bytes of the results of one job; default: 2 GB. */
  readonly jobBytes?: number | undefined
  /** Maximum bytes of all data of a team; default: 8 GB. */
  readonly teamBytes?: number | undefined
  /** Key of `/metrics`. Without one, any key of the engine is accepted if all keys belong to one team. */
  readonly metricsKey?: Redacted.Redacted | undefined
}

/** A running engine. */
export interface Engine {
  /** Base URL on this machine. Without a port, reachable only by `connect`. */
  readonly baseUrl: string
  /** Opens a connection within this process. */
  readonly connect: () => Duplex
  /** A valid API key. */
  readonly key: Redacted.Redacted
  /** File that contains `key`; undefined if the option `keys` is set. */
  readonly keyFile: string | undefined
  /** Allows fetching from a private `host:port` for as long as the scope is open. */
  readonly allowOrigin: (origin: string) => Effect.Effect<void, never, Scope.Scope>
}

/** The value of an option is invalid. */
export class OptionError extends Data.TaggedError("OptionError")<{
  readonly option: "allowNetworks" | "model" | "proxies" | "quota" | "searchProviders" | "weights"
  readonly reason: string
}> {
  override get message() {
    return this.reason
  }
}

/** Reason why an engine cannot start: its data folder, its keys, an option or its port. Tell them apart by `_tag`. */
export type EngineError = KeysError | OptionError | ListenError | StoreError
