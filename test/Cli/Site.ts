/** A small site on loopback for a test: pages that link to each other, or one that never answers. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Site from "../Engine/Scrape/Site.ts"

const page = (name: string) =>
  `<!doctype html><title>${name}</title><h1>${name}</h1><p>About ${name}.</p><a href="/a">a</a> <a href="/b">b</a>`

/** Serves `/`, `/a` and `/b`; below `/silent` nothing is ever answered. `asked` is done with the first silent request. */
export const serve = Effect.gen(function* () {
  const asked = yield* Deferred.make<void>()
  const url = yield* Site.serve((request, response) => {
    if (request.url?.startsWith("/silent")) return Deferred.unsafeDone(asked, Effect.void)
    const found = ["/", "/a", "/b"].includes(request.url ?? "")
    response.writeHead(found ? 200 : 404, { "content-type": "text/html" })
    response.end(found ? page(request.url ?? "") : "no such page")
  })
  return { url, asked: Deferred.await(asked) }
})
