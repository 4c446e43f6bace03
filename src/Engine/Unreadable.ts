/** Requests that never become one: what is no HTTP, or none that can be answered, is told so like every other failure. */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { safely } from "../Callback.ts"
import * as Upgrade from "./Upgrade.ts"

const answers: Readonly<Record<string, readonly [status: number, code: string, error: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "HEADERS_TOO_LARGE", "The address and the headers are larger than the limit of 16 KB."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "REQUEST_TOO_LARGE", "The extensions of the body's chunks are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "REQUEST_TIMEOUT", "The request was not sent to its end in time."]
}

const malformed = [400, "BAD_REQUEST", "The request is not valid HTTP."] as const

const answerTo = (error: Error) => {
  const [status, code, text] = answers[String(Reflect.get(error, "code"))] ?? malformed
  return HttpServerResponse.unsafeJson({ success: false, error: text, code }, { status })
}

const isGone = (error: Error): boolean => Reflect.get(error, "code") === "ECONNRESET"

/** Answers them on a server, for as long as it is there. */
export const answer = (server: Server): void => {
  const current = new WeakMap<Duplex, ServerResponse>()
  const remember = ({ socket }: IncomingMessage, response: ServerResponse) => void current.set(socket, response)
  server.on("request", safely(remember))
  server.on(
    "clientError",
    safely(
      (error, socket) => {
        const response = current.get(socket)
        // In the middle of an answer, or behind one, another would be taken for a part of it.
        if (response?.writableFinished === true) socket.end()
        else if (!socket.writable || response?.headersSent === true || isGone(error)) socket.destroy()
        else Upgrade.refuse(socket, answerTo(error))
      },
      (_, [, socket]) => socket.destroy()
    )
  )
  // Whatever is expected of us besides to go on, it is the answer that is waited for.
  server.on(
    "checkExpectation",
    safely(
      (request: IncomingMessage, response: ServerResponse) => {
        server.emit("request", request, response)
      },
      (_, [{ socket }]) => socket.destroy()
    )
  )
}
