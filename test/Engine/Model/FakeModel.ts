/** A chat-completions endpoint on loopback that answers as a test says, and remembers what it was asked. */
import type { IncomingHttpHeaders } from "node:http"
import * as Effect from "effect/Effect"
import { serve, withBody } from "../Scrape/Site.ts"

export interface Asked {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: {
    readonly model: string
    readonly messages: ReadonlyArray<{ readonly role: string; readonly content: string }>
    readonly response_format?: { readonly type: string; readonly json_schema?: { readonly schema: object } }
  }
}

/** The content of the answer, or a status with a body. */
export type Reply =
  | string
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }

export const fakeModel = (reply: (asked: Asked, count: number) => Reply) =>
  Effect.gen(function* () {
    const asked: Array<Asked> = []
    const origin = yield* serve((request, response) => {
      withBody(request, (text) => {
        const { url: path = "", headers } = request
        const question = { path, headers, body: JSON.parse(text) }
        asked.push(question)
        const answer = reply(question, asked.length)
        if (typeof answer === "string") {
          response.end(JSON.stringify({ choices: [{ message: { content: answer }, finish_reason: "stop" }] }))
        } else {
          response.writeHead(answer.status, answer.headers ?? {})
          response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body ?? {}))
        }
      })
    })
    return { url: `${origin}/v1`, asked }
  })
