/** The service of the settings for one question, else a local engine for as long as the scope is open. */
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Connection from "../Client/Connection.ts"
import * as Client from "../Client.ts"
import type { Values } from "./Profile.ts"

/** A client for it; `data` names another folder than the settings. */
export const clientOf = Effect.fn("Cli.client")(function* (settings: Values, data: string | undefined) {
  const layerOf = (service: Parameters<typeof Connection.layer>[0]) =>
    Layer.provide(Client.layer, Connection.layer(service))
  if (settings.baseUrl !== undefined) return layerOf({ baseUrl: settings.baseUrl, apiKey: settings.apiKey })
  const dataDir = (yield* Path.Path).resolve(data ?? settings.dataDir)
  // The engine is large: it is only loaded where it is used.
  const Local = yield* Effect.promise(() => import("./Local.ts"))
  const { baseUrl, key } = yield* Local.start(settings, { dataDir })
  return layerOf({ baseUrl, apiKey: key })
})
