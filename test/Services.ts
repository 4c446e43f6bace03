/** The services that steps use: a client of the service, and the files of this machine. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Connection from "../src/Client/Connection.ts"
import * as Client from "../src/Client.ts"
import * as Local from "./Local.ts"

export const servicesAt = (connection: Parameters<typeof Connection.layer>[0]) =>
  Layer.provideMerge(Layer.provide(Client.layer, Connection.layer(connection)), NodeContext.layer)

/** For steps that ask no service: none is there. */
export const offline = servicesAt({ baseUrl: "http://127.0.0.1:9" })

/** A client of the engine that a file of tests shares, with this engine. */
export const withEngine = Layer.unwrapEffect(
  Effect.map(Local.Local, ({ baseUrl }) => servicesAt({ baseUrl, apiKey: Redacted.make(Local.keys.first) }))
).pipe(Layer.provideMerge(Local.layer))
