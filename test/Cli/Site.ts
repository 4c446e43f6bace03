/** A small site on loopback for a test: pages that link to each other, or one that never answers. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Site from "../Engine/Scrape/Site.ts"

const page = (name: string) =>
  `<!doctype html><title>${name}</title><h1>${name}</h1><p>About ${name}.</p><a href="/a">a</a> <a href="/b">b</a>`

/**
 * Serves `/`, `/a` and `/b`; below `/silent` nothing is ever answered, and below `/late` the first request only, a moment
 * later. `asked` is done with the first of these.
 */
export const serve = Effect.gen(function* () {
  const asked = yield* Deferred.make<void>()
  let isLate = false
  const url = yield* Site.serve((request, response) => {
    const [, kind, name = ""] = /^\/(silent|late)\/?(.*)$/.exec(request.url ?? "") ?? []
    if (kind !== undefined) {
      if (kind === "late" && !isLate)
        setTimeout(() => response.setHeader("content-type", "text/html").end(page(name)), 50)
      isLate = true
      return Deferred.unsafeDone(asked, Effect.void)
    }
    const found = ["/", "/a", "/b"].includes(request.url ?? "")
    response.writeHead(found ? 200 : 404, { "content-type": "text/html" })
    response.end(found ? page(request.url ?? "") : "no such page")
  })
  return { url, asked: Deferred.await(asked) }
})
