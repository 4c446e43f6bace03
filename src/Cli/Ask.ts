/** The service of the settings for one question, else a local engine for as long as the scope is open. */
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Connection from "../Client/Connection.ts"
import * as Client from "../Client.ts"
import { hostedOf } from "./Abilities.ts"
import type { Values } from "./Profile.ts"

/** The service that answers; a local engine may visit `site`. */
export const serviceOf = Effect.fn("Cli.service")(function* (
  settings: Values,
  { dataDir, site }: { readonly dataDir: string; readonly site?: string | undefined }
) {
  const hosted: Connection.Options | undefined = yield* hostedOf(settings)
  if (hosted !== undefined) return hosted
  // The engine is large: it is only loaded where it is used.
  const Local = yield* Effect.promise(() => import("./Local.ts"))
  const engine = yield* Local.start(settings, {
    dataDir,
    allowOrigins: site === undefined ? [] : [new URL(site).host]
  })
  return { baseUrl: engine.baseUrl, apiKey: engine.key }
})

/** All clients of a service. */
export const layerOf = (service: Connection.Options) => Layer.provide(Client.layer, Connection.layer(service))

/** A client of the service that answers; `data` names another folder than the settings. */
export const clientOf = Effect.fn("Cli.client")(function* (settings: Values, data: string | undefined) {
  const dataDir = (yield* Path.Path).resolve(data ?? settings.dataDir)
  return layerOf(yield* serviceOf(settings, { dataDir }))
})
