/** A small HTTP server on a free port that answers as the test says, and remembers what it was asked. */
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: Http.IncomingHttpHeaders
  readonly body: string
}

export interface Reply {
  readonly status?: number
  readonly headers?: Http.OutgoingHttpHeaders
  /** Strings and bytes are sent as they are, everything else as JSON. */
  readonly body?: unknown
  /** Take the request, and never answer. */
  readonly hangs?: boolean
  /** Answer once this has resolved. */
  readonly behind?: Promise<unknown>
  /** Write so many bytes of the body, then cut the connection. */
  readonly cutAfter?: number
}

export interface Server {
  readonly url: string
  readonly asked: ReadonlyArray<Asked>
}

const write = (response: Http.ServerResponse, { status = 200, headers = {}, body, cutAfter }: Reply) => {
  const raw = typeof body === "string" || body instanceof Uint8Array
  const bytes = Buffer.from(raw ? body : body === undefined ? "" : JSON.stringify(body))
  response.writeHead(status, {
    "content-type": raw ? "text/html" : "application/json",
    "content-length": bytes.length,
    ...headers
  })
  if (cutAfter === undefined) return response.end(bytes)
  return response.write(bytes.subarray(0, cutAfter), () => response.socket?.destroy())
}

export const serve = (
  reply: (asked: Asked, server: Server) => Reply | undefined
): Effect.Effect<Server, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<{ readonly server: Server; readonly http: Http.Server }>((resume) => {
      const asked: Array<Asked> = []
      let server: Server = { url: "", asked }
      const http = Http.createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const { method = "", url = "", headers } = request
          const question = { method, path: url, headers, body: Buffer.concat(chunks).toString() }
          asked.push(question)
          const answer = reply(question, server)
          if (answer?.hangs === true) return
          if (answer === undefined) response.socket?.destroy()
          else if (answer.behind !== undefined) void answer.behind.then(() => write(response, answer))
          else write(response, answer)
        })
      })
      http.listen(0, "127.0.0.1", () => {
        server = { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, asked }
        resume(Effect.succeed({ server, http }))
      })
    }),
    ({ http }) =>
      Effect.async<void>((resume) => {
        http.close(() => resume(Effect.void))
        http.closeAllConnections()
      })
  ).pipe(Effect.map(({ server }) => server))
