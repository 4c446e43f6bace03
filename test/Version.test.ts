/** The program goes by one version, wherever it says which it is. */
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import { createClient } from "../src/promise.ts"
import { sluice } from "./Cli/Console.ts"
import { expect, live } from "./It.ts"
import { caller, engine, keys } from "./Local.ts"

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))

live("is the package's, for the command line, the service, its client and the sites that are visited", function* () {
  const agents: Array<string | undefined> = []
  const server = yield* Effect.acquireRelease(
    Effect.async<ReturnType<typeof createServer>>((resume) => {
      const server = createServer((request, response) => {
        agents.push(request.headers["user-agent"])
        response.setHeader("content-type", "application/json").end('{"success":true,"data":{}}')
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.close().closeAllConnections())
  )
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const { baseUrl } = yield* engine()
  expect((yield* sluice(["--version"])).out).toBe(`${version}\n`)
  const { get } = caller(baseUrl, keys.first)
  expect((yield* get("/health")).json.version).toBe(version)
  expect((yield* get("/openapi.json")).json.info.version).toBe(version)
  for (const [where, apiKey] of [
    [url, "fc-any"],
    [baseUrl, keys.first]
  ] as const) {
    const client = createClient({ baseUrl: where, apiKey })
    yield* Effect.promise(() => client.scrape({ url }))
    yield* Effect.promise(client.close)
  }
  expect(agents).toEqual([`sluice/${version}`, `Sluice/${version}`])
})
