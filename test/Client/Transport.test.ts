import { createServer } from "node:http"
import { type AddressInfo, createServer as createRawServer } from "node:net"
import { Readable } from "node:stream"
import { gzipSync } from "node:zlib"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as Stream from "effect/Stream"
import * as Transport from "../../src/Client/Transport.ts"
import { describe, expect, it, live, scoped } from "../It.ts"
import { serve } from "./Server.ts"

const get = (url: string) => Effect.flatMap(HttpClient.HttpClient, (client) => client.get(url))

describe("the HTTP client", () => {
  it.scoped("gives an answer in every form", Transport.layer, function* () {
    const form = '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n--b--\r\n'
    const server = yield* serve(({ path }) => {
      if (path === "/form") return { headers: { "content-type": "multipart/form-data; boundary=b" }, body: form }
      if (path === "/params") return { body: "a=1&b=2" }
      return { headers: { "set-cookie": "session=s1; Path=/" }, body: { a: 1 } }
    })
    const json = yield* get(server.url)
    expect(yield* json.json).toEqual({ a: 1 })
    expect(yield* json.text).toBe('{"a":1}')
    expect(Buffer.from(yield* json.arrayBuffer).toString()).toBe('{"a":1}')
    expect(Buffer.concat([...(yield* Stream.runCollect(json.stream))]).toString()).toBe('{"a":1}')
    expect(Record.keys(json.cookies.cookies)).toEqual(["session"])
    expect(json.toJSON()).toMatchObject({ _id: "sluice/Client/Answer", status: 200 })
    const params = yield* get(`${server.url}/params`)
    expect(yield* params.urlParamsBody).toEqual([
      ["a", "1"],
      ["b", "2"]
    ])
    expect((yield* Effect.flip(params.json)).reason).toBe("Decode")
    expect((yield* Effect.flip(params.formData)).reason).toBe("Decode")
    const data = yield* Effect.flatMap(get(`${server.url}/form`), (response) => response.formData)
    expect(data.get("x")).toBe("1")
  })

  it.scoped(
    "fails on an answer that is too large for memory, compressed or not",
    Transport.layerWithin(1000),
    function* () {
      const text = "x".repeat(2000)
      const server = yield* serve(({ path }) =>
        path === "/packed" ? { headers: { "content-encoding": "gzip" }, body: gzipSync(text) } : { body: text }
      )
      for (const path of ["/plain", "/packed"]) {
        const response = yield* get(`${server.url}${path}`)
        const { cause } = yield* Effect.flip(response.text)
        expect(cause).toMatchObject({ code: "ERR_BUFFER_TOO_LARGE" })
      }
    }
  )

  it.scoped("takes a body with an encoding that it does not know as it is", Transport.layer, function* () {
    const server = yield* serve(() => ({ headers: { "content-encoding": "constructor" }, body: "plain" }))
    expect(yield* Effect.flatMap(get(server.url), (response) => response.text)).toBe("plain")
  })

  it.scoped("fails on a body without a length whose connection is reset", Transport.layer, function* () {
    let reset = () => {}
    const server = createRawServer((socket) => {
      socket.on("error", () => undefined)
      reset = () => void socket.resetAndDestroy()
      socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhalf of"))
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () => Effect.sync(() => server.close())
    )
    const response = yield* get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    reset()
    expect(yield* Effect.flip(response.text)).toMatchObject({ _tag: "ResponseError" })
  })

  scoped("gives the bytes of a body also after it was read as a whole, as a recorder does", function* () {
    const server = yield* serve(() => ({ body: "text" }))
    const client = Transport.guarded({ networks: [], origins: new Set([new URL(server.url).host]) }, 1_000)
    const response = yield* client.execute(HttpClientRequest.get(server.url))
    yield* response.arrayBuffer
    const body = yield* Transport.readBody(response, 1_000)
    expect(String(body)).toBe("text")
  })

  it.scoped("sends every kind of body", Transport.layer, function* () {
    const server = yield* serve(() => ({ body: {} }))
    const client = yield* HttpClient.HttpClient
    const post = HttpClientRequest.post(server.url)
    const readable = NodeStream.fromReadable<never, Uint8Array>(
      () => Readable.from([Buffer.from("in "), Buffer.from("parts")]),
      () => Effect.runSync(Effect.never)
    )
    yield* client.execute(HttpClientRequest.bodyText(post, "text"))
    yield* client.execute(HttpClientRequest.bodyUint8Array(post, Buffer.from("bytes")))
    yield* client.execute(HttpClientRequest.bodyStream(post, readable))
    yield* client.execute(post)
    expect(server.asked.map(({ body }) => body)).toEqual(["text", "bytes", "in parts", ""])
  })

  it.scoped("reuses its connections", Transport.layer, function* () {
    const ports = new Set<string>()
    const server = yield* serve(({ headers }) => {
      ports.add(String(headers.connection))
      return { body: {} }
    })
    for (let call = 0; call < 3; call++) yield* Effect.flatMap(get(server.url), (response) => response.text)
    expect([...ports]).toEqual(["keep-alive"])
  })

  live("closes the connection of a large answer that is not read", function* () {
    const closed = yield* Deferred.make<void>()
    const server = createServer((_, response) => response.writeHead(500).end(Buffer.alloc(4_000_000, 97)))
    server.on("connection", (socket) => socket.once("close", () => Deferred.unsafeDone(closed, Effect.void)))
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () => Effect.sync(() => server.closeAllConnections()).pipe(Effect.zipRight(Effect.sync(() => server.close())))
    )
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const client = Transport.guarded({ networks: [], origins: new Set([address]) }, 64_000_000)
    const response = yield* client.execute(HttpClientRequest.get(`http://${address}/`))
    const body = yield* Transport.readBody(response, 100_000)
    expect(body).toBeInstanceOf(Readable)
    if (body instanceof Readable) body.destroy()
    yield* Deferred.await(closed)
  })
})
