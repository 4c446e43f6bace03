/** A small site on loopback for one test, and the layers that may reach it. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { settle } from "../../../src/Api/Field.ts"
import { fields, type ScrapeOptions } from "../../../src/Api/ScrapeOptions.ts"
import * as Fetch from "../../../src/Engine/Fetch/Fetch.ts"
import type { PageMemory } from "../../../src/Engine/Teams/PageMemory.ts"
import * as Guard from "../../../src/Guard.ts"
import { parseNetwork } from "../../../src/Guard.ts"
import { alone, memory } from "../Alone.ts"

/** Serves until the scope closes; gives the origin. */
export const serve = (listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.async<{ readonly origin: string; readonly close: Effect.Effect<void> }>((resume) => {
      const server = createServer(listener)
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        const close = Effect.async<void>((closed) => {
          server.close(() => closed(Effect.void))
          server.closeAllConnections()
        })
        resume(Effect.succeed({ origin: `http://127.0.0.1:${port}`, close }))
      })
    }),
    ({ close }) => close
  ).pipe(Effect.map(({ origin }) => origin))

/** Gives the whole body of a request to `use`. */
export const withBody = (request: IncomingMessage, use: (text: string) => void) => {
  const parts: Array<Buffer> = []
  request.on("data", (part: Buffer) => parts.push(part))
  request.on("end", () => use(Buffer.concat(parts).toString("utf8")))
}

export type Answer = string | ((request: IncomingMessage, response: ServerResponse) => void)

/** Paths with their HTML, or with what to do; anything else is a 404 page. */
export const pages = (routes: Readonly<Record<string, Answer>>) =>
  serve((request, response) => {
    const answer = routes[new URL(request.url ?? "/", "http://site").pathname]
    if (typeof answer === "function") answer(request, response)
    else {
      response.writeHead(answer === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" })
      response.end(answer ?? "<title>Not here</title><p>There is no such page.</p>")
    }
  })

export const networks = (...list: ReadonlyArray<string>) => list.map((text) => Either.getOrThrow(parseNetwork(text)))

/** A guard that lets these networks through. */
export const guard = (...list: ReadonlyArray<string>) => Layer.succeed(Guard.Guard, Guard.make(networks(...list)))

/** Fetches from loopback, with the memory for bodies. */
export const fetchLayerWith = (pool: Layer.Layer<PageMemory>) =>
  Fetch.layer.pipe(Layer.provide(pool), Layer.provide([guard("127.0.0.0/8"), alone]))

export const fetchLayer = fetchLayerWith(memory)

export const options = (given: ScrapeOptions = {}) => settle(fields, given)
