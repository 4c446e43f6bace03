/** Webhook receiver for tests, which records the requests. */
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"

export interface Received {
  readonly headers: Http.IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  readonly json: any
}

type Status = number | undefined

/** Starts a receiver. `answer` returns the status of the response, or undefined for no response. 429 asks for ten minutes. */
export const receiver = (answer: (received: Received, index: number) => Status | Promise<Status> = () => 200) =>
  Effect.acquireRelease(
    Effect.async<{ readonly server: Http.Server; readonly url: string; readonly received: Array<Received> }>(
      (resume) => {
        const received: Array<Received> = []
        const server = Http.createServer((request, response) => {
          let text = ""
          request.setEncoding("utf8").on("data", (part) => {
            text += part
          })
          request.on("end", async () => {
            const one = { headers: request.headers, text, json: JSON.parse(text) }
            const status = await answer(one, received.push(one) - 1)
            const headers = { location: "http://127.0.0.1:1/", ...(status === 429 ? { "retry-after": "600" } : {}) }
            if (status !== undefined) response.writeHead(status, headers).end("ok")
          })
        }).listen(0, "127.0.0.1", () => {
          const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
          resume(Effect.succeed({ server, url, received }))
        })
      }
    ),
    ({ server }) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )

export const waitForEvents = (received: ReadonlyArray<Received>, count: number): Effect.Effect<void> =>
  received.length >= count
    ? Effect.void
    : Effect.zipRight(
        Effect.sleep("10 millis"),
        Effect.suspend(() => waitForEvents(received, count))
      )
