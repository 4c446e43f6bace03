/** Proxies on this machine, which forward to this machine only, and a resolver. */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createServer as createHttpsServer } from "node:https"
import { type AddressInfo, connect, createServer, type LookupFunction, type Server, type Socket } from "node:net"
import * as Effect from "effect/Effect"

export const listening = (server: Server) =>
  Effect.acquireRelease(
    Effect.async<number>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
    }),
    () => Effect.sync(() => server.close())
  )

export interface Proxy {
  readonly url: string
  /** Requests it received, one line each. */
  readonly asked: ReadonlyArray<string>
}

/** Self-signed for 127.0.0.1, valid until 2126. */
export const certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgExG2TE9Iv3Hb7zBC
IXJk4qDrM+N7bd2FyPLOj/tdAgahRANCAAQH4YfDJM5dKe8Jg1/Lvts9Dk9iVE8+
YdMUjbIufX/iRsCjlVzXLh9BJ3whKqD5+Ac6aBtTbaba5wkp+6cNs3RI
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBkDCCATagAwIBAgIUfnNkt3p4eV7Yr2x91/7uOZxs8YwwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyOTAwMzMzMVoYDzIxMjYxMTA1
MDAzMzMxWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQH4YfDJM5dKe8Jg1/Lvts9Dk9iVE8+YdMUjbIufX/iRsCjlVzXLh9B
J3whKqD5+Ac6aBtTbaba5wkp+6cNs3RIo2QwYjAdBgNVHQ4EFgQUqDTUMfFi/8FH
rTzlLsxEUeS7AuUwHwYDVR0jBBgwFoAUqDTUMfFi/8FHrTzlLsxEUeS7AuUwDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUC
IQCZpcXeySNy2vLldh3FYb9mS+ac1tR/LW0nytN4KpS0BgIgLWIMsVgLupiJOCG3
23Z98ll+d9l5wSObZcrifr+L9wQ=
-----END CERTIFICATE-----`
}

/**
 * A proxy that forwards to this machine only. `answer` may refuse a tunnel with a status; with `to` all tunnels lead to that port. With `tls` the
 * connection to it is encrypted.
 */
export const proxy = (answer: (authority: string) => number = () => 200, to?: number, tls?: typeof certificate) =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const sockets = new Set<Socket>()
    const note = ({ headers, method, url }: IncomingMessage) =>
      asked.push([method, url, headers["proxy-authorization"] ?? ""].join(" ").trim())
    const byName = (request: IncomingMessage, response: ServerResponse) => {
      note(request)
      response.end("<p>asked by name</p>")
    }
    const server = tls === undefined ? createHttpServer(byName) : createHttpsServer(tls, byName)
    server.on("connect", (request: IncomingMessage, client: Socket) => {
      note(request)
      const status = answer(request.url ?? "")
      if (status !== 200) return client.end(`HTTP/1.1 ${status} No\r\n\r\n`)
      const target = connect(to ?? Number(request.url?.split(":").at(-1)), "127.0.0.1", () => {
        client.write("HTTP/1.1 200 Connection established\r\n\r\n")
        target.pipe(client).pipe(target)
      })
      for (const socket of [client, target]) {
        sockets.add(socket)
        socket.on("error", () => socket.destroy())
      }
      return target
    })
    const port = yield* listening(server)
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
        server.closeAllConnections()
      })
    )
    return { url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`, asked } satisfies Proxy
  })

/** A resolver with these names. Several answers of a name are returned in turn. */
export const resolver =
  (names: Readonly<Record<string, Array<ReadonlyArray<string>>>>): LookupFunction =>
  (hostname, _, callback) => {
    const answers = names[hostname] ?? []
    const list = answers.length > 1 ? answers.shift() : answers[0]
    if (list === undefined) return callback(Object.assign(new Error("ENOTFOUND"), { code: "ENOTFOUND" }), "", 0)
    return callback(
      null,
      list.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
    )
  }

/** Bytes of a client, read in exact numbers. */
const reader = (socket: Socket) => {
  const chunks = socket[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  return async (count: number) => {
    while (held.length < count) {
      const { done, value } = await chunks.next()
      if (done === true) throw new Error("the client closed")
      held = Buffer.concat([held, value as Buffer])
    }
    const taken = held.subarray(0, count)
    held = held.subarray(count)
    return taken
  }
}

const textOfAddress = async (type: number, read: (count: number) => Promise<Buffer>): Promise<string> => {
  if (type === 1) return [...(await read(4))].join(".")
  if (type === 4) return `[${(await read(16)).toString("hex")}]`
  const [length = 0] = await read(1)
  return (await read(length)).toString()
}

/** A SOCKS5 proxy. `login` is `user:password`, if it wants one; `reply` is what it answers to a request. */
export const socks = ({ login, reply = 0 }: { readonly login?: string; readonly reply?: number } = {}) =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const sockets = new Set<Socket>()
    const keep = (socket: Socket) => {
      sockets.add(socket)
      socket.on("error", () => socket.destroy())
    }
    const serve = async (client: Socket) => {
      const read = reader(client)
      const [, count = 0] = await read(2)
      const methods = [...(await read(count))]
      const method = login === undefined ? 0 : 2
      if (!methods.includes(method)) return client.end(Buffer.from([5, 255]))
      client.write(Buffer.from([5, method]))
      if (login !== undefined) {
        const [, named = 0] = await read(2)
        const user = await read(named)
        const [secret = 0] = await read(1)
        const isRight = `${user}:${await read(secret)}` === login
        client.write(Buffer.from([1, isRight ? 0 : 1]))
        if (!isRight) return client.end()
      }
      const [, , , type = 0] = await read(4)
      const host = await textOfAddress(type, read)
      const port = (await read(2)).readUInt16BE()
      asked.push(`${host}:${port}`)
      if (reply !== 0) return client.end(Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0]))
      const target = connect(port, "127.0.0.1", () => {
        client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
        target.pipe(client)
        const pump = async (): Promise<never> => {
          for (;;) target.write(await read(1))
        }
        pump().catch(() => target.destroy())
      })
      keep(target)
      return target
    }
    const server = createServer((client) => {
      keep(client)
      serve(client).catch(() => client.destroy())
    })
    const port = yield* listening(server)
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
      })
    )
    return { url: `socks5://127.0.0.1:${port}`, asked }
  })
