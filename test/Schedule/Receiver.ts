/** Webhook receiver on loopback: records requests, and answers as configured. */
import type { IncomingHttpHeaders } from "node:http"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { serve, withBody } from "../Engine/Scrape/Site.ts"

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
    const url = yield* serve((request, response) =>
      withBody(request, (body) => {
        const letter = { path: request.url ?? "", headers: request.headers, body }
        const said = answer(received.push(letter) - 1)
        if (said !== undefined) response.writeHead(said.status, said.headers).end()
        Queue.unsafeOffer(came, letter)
      })
    )
    return { url, received, next: Queue.take(came) }
  })
