/** Engine inside a program: starts in the process, needs no port and no key, and stops with its scope. */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Connection from "./Client/Connection.ts"
import * as Client from "./Client.ts"
import type * as Running from "./Engine/EngineOptions.ts"
import { local, Tariff } from "./Step/Cost.ts"
import * as Trace from "./Telemetry/Trace.ts"

export type { EngineError } from "./Engine/EngineOptions.ts"

/** Options of the engine. All have defaults. */
export interface Options extends Omit<Running.Options, "dataDir" | "port"> {
  /** Folder of the engine's store; created if missing. Can be shared with a ledger or `sluice serve`. Default: `.sluice`. */
  readonly dataDir?: string | undefined
  /**
   * Port for other programs, which authenticate with the `apiKey` of {@link Engine}; 0 chooses a free port. Default: none. Browser sessions
   * have URLs that need a port: without this option, the engine opens a free port on 127.0.0.1 for the first session.
   */
  readonly port?: number | undefined
  /** Maximum time until a response of the engine is complete. Default: 6 minutes, a little more than the longest scrape. */
  readonly timeout?: Duration.DurationInput | undefined
}

/** An engine in this process. */
export class Engine extends Context.Tag("sluice/LocalEngine")<
  Engine,
  {
    /** Connection for a client. With a `port`, other programs can use its `baseUrl` and `apiKey`, too. */
    readonly connection: Connection.Options & { readonly apiKey: Redacted.Redacted }
    /** Prices of the engine, which runs reserve before their calls. */
    readonly tariff: Context.Tag.Service<typeof Tariff>
    /** Allows fetching from a private `host:port`, such as a site under test, for as long as the scope is open. */
    readonly allowOrigin: (origin: string) => Effect.Effect<void, never, Scope.Scope>
  }
>() {}

/** Connection of a client in this process to a running engine. */
export const connectionOf = ({ baseUrl, connect, key }: Running.Engine) => ({
  baseUrl,
  apiKey: key,
  connect,
  hidesAddress: true
})

/** Starts an engine for as long as the scope is open. Its code is loaded by the first call, so that programs without an engine stay small. */
export const start = Trace.fn("Engine.start")(function* ({
  dataDir = ".sluice",
  port,
  timeout,
  ...options
}: Options = {}) {
  const { prices, start } = yield* Effect.promise(() => import("./Engine.ts"))
  const engine = yield* start({ ...options, dataDir, port: port ?? false })
  return Engine.of({
    connection: { ...connectionOf(engine), timeout },
    tariff: { rate: local(prices) },
    allowOrigin: engine.allowOrigin
  })
})

/** All clients of an engine, with its prices. */
export const clientOf = ({ connection, tariff }: Context.Tag.Service<typeof Engine>) =>
  Layer.provideMerge(Client.layer, Connection.layer(connection)).pipe(
    // The engine makes its own address, so the address is valid.
    Layer.orDie,
    Layer.merge(Layer.succeed(Tariff, tariff))
  )

/**
 * Engine and all services of the client over it, for programs that use no other service.
 *
 * @example
 * ```ts
 * import { Engine, Scrape } from "sluice"
 *
 * const program = Effect.gen(function* () {
 *   const scrape = yield* Scrape
 *   const { data } = yield* scrape.run({ url: "https://example.com", formats: ["markdown"] })
 *   return data.markdown
 * })
 *
 * Effect.runPromise(Effect.provide(program, Engine.layer({ dataDir: "data" })))
 * ```
 */
export const layer = (
  options?: Options
): Layer.Layer<Engine | Client.Client | Connection.Connection, Running.EngineError> =>
  Layer.unwrapScoped(
    Effect.map(start(options), (engine) => Layer.merge(clientOf(engine), Layer.succeed(Engine, engine)))
  )
