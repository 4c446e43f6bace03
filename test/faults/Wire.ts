/** The wire between a run and its service, on which an answer can be lost at the worst moment: when it is paid for. */
import { createServer, request, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

interface Wire {
  readonly server: Server
  readonly baseUrl: string
}

/** Passes everything on; an answer for which `cut` says so is never delivered. */
export const wire = (
  service: string,
  cut: (method: string, path: string) => boolean
): Effect.Effect<Wire, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<Wire>((resume) => {
      const server = createServer((asked, answer) => {
        const { headers, method = "GET", url = "/" } = asked
        const forward = request(new URL(url, service), { method, headers }, (given) => {
          const chunks: Array<Buffer> = []
          given.on("data", (chunk: Buffer) => chunks.push(chunk))
          given.on("end", () => {
            if (cut(method, url)) answer.destroy()
            else answer.writeHead(given.statusCode ?? 502, given.headers).end(Buffer.concat(chunks))
          })
        })
        forward.on("error", () => answer.destroy())
        asked.pipe(forward)
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(Effect.succeed({ server, baseUrl: `http://127.0.0.1:${port}` }))
      })
    }),
    ({ server }) =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
