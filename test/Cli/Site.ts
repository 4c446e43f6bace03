/** A small site on loopback for a test: pages that link to each other, or one that never answers. */
import { createServer } from "node:http"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

const page = (name: string) =>
  `<!doctype html><title>${name}</title><h1>${name}</h1><p>About ${name}.</p><a href="/a">a</a> <a href="/b">b</a>`

/** Serves `/`, `/a` and `/b`; below `/silent` nothing is ever answered. `asked` is done with the first silent request. */
export const serve = Effect.gen(function* () {
  const asked = yield* Deferred.make<void>()
  const server = yield* Effect.acquireRelease(
    Effect.async<ReturnType<typeof createServer>>((resume) => {
      const made = createServer((request, response) => {
        if (request.url?.startsWith("/silent")) return Deferred.unsafeDone(asked, Effect.void)
        const found = ["/", "/a", "/b"].includes(request.url ?? "")
        response.writeHead(found ? 200 : 404, { "content-type": "text/html" })
        response.end(found ? page(request.url ?? "") : "no such page")
      })
      made.listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
    }),
    (made) =>
      Effect.sync(() => {
        made.closeAllConnections()
        made.close()
      })
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, asked: Deferred.await(asked) }
})
