/** Somebody on loopback who is told by webhooks: keeps what comes, and answers as it is told. */
import { createServer, type IncomingHttpHeaders } from "node:http"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
}

/** `answer` gives what is answered to the n-th request, counted from 0; undefined answers nothing. */
export const receive = (answer: (index: number) => Answer | undefined = () => ({ status: 204 })) =>
  Effect.gen(function* () {
    const received: Array<Received> = []
    const came = yield* Queue.unbounded<Received>()
    const server = yield* Effect.acquireRelease(
      Effect.async<ReturnType<typeof createServer>>((resume) => {
        const made = createServer((request, response) => {
          let body = ""
          request.setEncoding("utf8").on("data", (text: string) => {
            body += text
          })
          request.on("end", () => {
            const letter = { path: request.url ?? "", headers: request.headers, body }
            const said = answer(received.push(letter) - 1)
            if (said !== undefined) response.writeHead(said.status, said.headers).end()
            Queue.unsafeOffer(came, letter)
          })
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
    return { url: `http://127.0.0.1:${port}`, received, next: Queue.take(came) }
  })
