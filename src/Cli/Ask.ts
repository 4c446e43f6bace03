/** The service of the settings for one question, else a local engine for as long as the scope is open. */
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Connection from "../Client/Connection.ts"
import * as Client from "../Client.ts"
import * as Cost from "../Step/Cost.ts"
import { hostedOf } from "./Abilities.ts"
import type { Values } from "./Profile.ts"

/** A service, with its price list where more is known than its documentation says. */
interface Priced extends Connection.Options {
  readonly rate?: Cost.PriceOf | undefined
}

/** The service that answers; a local engine may visit `site`. */
export const serviceOf = Effect.fn("Cli.service")(function* (
  settings: Values,
  { dataDir, site }: { readonly dataDir: string; readonly site?: string | undefined }
) {
  const hosted: Priced | undefined = yield* hostedOf(settings)
  if (hosted !== undefined) return hosted
  // The engine is large: it is only loaded where it is used.
  const Local = yield* Effect.promise(() => import("./Local.ts"))
  const engine = yield* Local.start(settings, {
    dataDir,
    allowOrigins: site === undefined ? [] : [new URL(site).host]
  })
  const service: Priced = { baseUrl: engine.baseUrl, apiKey: engine.key, rate: Local.rate }
  return service
})

/** All clients of a service; runs reserve its prices. */
export const layerOf = ({ rate, ...service }: Priced) => {
  const client = Layer.provide(Client.layer, Connection.layer(service))
  return rate === undefined ? client : Layer.merge(client, Layer.succeed(Cost.Tariff, { rate }))
}

/** A client of the service that answers; `data` names another folder than the settings. */
export const clientOf = Effect.fn("Cli.client")(function* (settings: Values, data: string | undefined) {
  const dataDir = (yield* Path.Path).resolve(data ?? settings.dataDir)
  return layerOf(yield* serviceOf(settings, { dataDir }))
})
