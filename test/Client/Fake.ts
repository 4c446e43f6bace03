/** An HTTP client that answers from memory, for tests that own the clock; everything above it is the real thing. */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Connection from "../../src/Client/Connection.ts"

export const baseUrl = "http://service.test"

export interface Reply {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

/** `"cut"` breaks the connection in the middle of the body, `"refused"` before it exists. */
export type Answer = Reply | "cut" | "refused"

const broken = (code: string) => Object.assign(new Error(code), { code })

export const memory = (
  answer: (url: URL, request: HttpClientRequest.HttpClientRequest) => Answer
): HttpClient.HttpClient =>
  HttpClient.make((request, url) => {
    const reply = answer(url, request)
    if (typeof reply === "string") {
      const cause = broken(reply === "cut" ? "ECONNRESET" : "ECONNREFUSED")
      return Effect.fail(new HttpClientError.RequestError({ request, reason: "Transport", cause }))
    }
    const { status = 200, headers = {}, body } = reply
    const text = typeof body === "string" ? body : JSON.stringify(body)
    return Effect.succeed(HttpClientResponse.fromWeb(request, new Response(text ?? null, { status, headers })))
  })

export const connection = (
  answer: (url: URL, request: HttpClientRequest.HttpClientRequest) => Answer,
  options: Partial<Connection.Options> = {}
): Layer.Layer<Connection.Connection> =>
  Connection.layerHttpClient({ baseUrl, apiKey: Redacted.make("fc-secret"), ...options }).pipe(
    Layer.provide(Layer.succeed(HttpClient.HttpClient, memory(answer))),
    Layer.orDie
  )
