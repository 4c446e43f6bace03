/** A search provider on loopback with scripted responses. Records its requests. */
import type { IncomingHttpHeaders } from "node:http"
import * as Effect from "effect/Effect"
import { serve, withBody } from "../Scrape/Site.ts"

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  readonly body: any
}

export type Reply =
  | { readonly json: unknown }
  | { readonly status: number; readonly text?: string; readonly headers?: Readonly<Record<string, string>> }
  | "silence"
  | "hang up"

export const fakeProvider = (reply: (asked: Asked, count: number) => Reply) =>
  Effect.gen(function* () {
    const asked: Array<Asked> = []
    const origin = yield* serve((request, response) => {
      withBody(request, (text) => {
        const { pathname, searchParams } = new URL(request.url ?? "", "http://provider")
        const question = {
          method: request.method ?? "",
          path: pathname,
          query: Object.fromEntries(searchParams),
          headers: request.headers,
          body: text === "" ? undefined : JSON.parse(text)
        }
        asked.push(question)
        const answer = reply(question, asked.length)
        if (answer === "silence") return
        if (answer === "hang up") request.socket.destroy()
        else if ("json" in answer) {
          response.setHeader("content-type", "application/json").end(JSON.stringify(answer.json))
        } else response.writeHead(answer.status, answer.headers ?? {}).end(answer.text ?? "")
      })
    })
    return { origin, asked }
  })
