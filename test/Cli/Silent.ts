import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/** A service that takes calls and never answers. */
export const silent = Effect.gen(function* () {
  const asked = yield* Deferred.make<void>()
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => createServer(() => Deferred.unsafeDone(asked, Effect.void))),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  yield* Effect.async<void>((resume) => {
    server.listen(0, "127.0.0.1", () => resume(Effect.void))
  })
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}`, asked: Deferred.await(asked) }
})
