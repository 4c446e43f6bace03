/** A hosted service on loopback, and the way to it, which can be cut for a while. */
import { createServer } from "node:http"
import { type AddressInfo, connect, createServer as createProxy, type Server, type Socket } from "node:net"
import * as Effect from "effect/Effect"

const jobId = "7b6f3c1e-8f6b-4b1a-9d56-0123456789ab"

const documentOf = (url: string) => ({ markdown: `# ${url}`, metadata: { sourceURL: url, url, statusCode: 200 } })

const listen = (server: Server, port = 0) =>
  Effect.async<number>((resume) => {
    server.listen(port, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
  })

/** Requests that a service has received, and its charges. */
export interface Books {
  /** Jobs begun. */
  starts: number
  polls: number
  /** Pages charged, by address. */
  readonly charged: Map<string, number>
}

/** Batches, whose pages come two with every look; single pages; paid calls are known again by their keys. */
export const service = Effect.gen(function* () {
  const books: Books = { starts: 0, polls: 0, charged: new Map() }
  const answers = new Map<string, string>()
  let pages: ReadonlyArray<string> = []
  let done = 0
  const charge = (url: string) => books.charged.set(url, (books.charged.get(url) ?? 0) + 1)
  const begin = (body: { readonly urls: ReadonlyArray<string> }) => {
    books.starts++
    pages = body.urls
    for (const url of pages) charge(url)
    return { success: true, id: jobId, url: "" }
  }
  const scrape = ({ url }: { readonly url: string }) => {
    charge(url)
    return { success: true, data: { ...documentOf(url), metadata: { ...documentOf(url).metadata, creditsUsed: 1 } } }
  }
  const status = (skip: number) => {
    books.polls++
    done = Math.min(pages.length, done + 2)
    const data = pages.slice(skip, done).map(documentOf)
    const over = done === pages.length
    return { status: over ? "completed" : "scraping", total: pages.length, completed: done, creditsUsed: done, data }
  }
  const http = yield* Effect.acquireRelease(
    Effect.sync(() =>
      createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1")
          const key = String(request.headers["x-idempotency-key"] ?? "")
          const body = JSON.parse(Buffer.concat(chunks).toString() || "{}")
          const answer = () =>
            request.method === "GET"
              ? pathname.endsWith("/errors")
                ? { errors: [] }
                : status(Number(searchParams.get("skip") ?? 0))
              : pathname === "/v2/scrape"
                ? scrape(body)
                : begin(body)
          const known = request.method === "POST" ? answers.get(key) : undefined
          const text = known ?? JSON.stringify(answer())
          if (key !== "") answers.set(key, text)
          response.writeHead(200, { "content-type": "application/json" }).end(text)
        })
      })
    ),
    (made) =>
      Effect.sync(() => {
        made.closeAllConnections()
        made.close()
      })
  )
  return { port: yield* listen(http), books }
})

/** Hands bytes on to a port until it is cut: then all connections end in the middle, and no new ones are let in. */
export const wayTo = (port: number) =>
  Effect.gen(function* () {
    const sockets = new Set<Socket>()
    const keep = (socket: Socket) => {
      sockets.add(socket)
      socket.on("error", () => {})
      socket.on("close", () => sockets.delete(socket))
    }
    const proxy = createProxy((socket) => {
      const onwards = connect(port, "127.0.0.1")
      keep(socket)
      keep(onwards)
      socket.pipe(onwards).pipe(socket)
      socket.on("close", () => onwards.destroy())
      onwards.on("close", () => socket.destroy())
    })
    const cut = Effect.sync(() => {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    })
    yield* Effect.addFinalizer(() => cut)
    const own = yield* listen(proxy)
    return { url: `http://127.0.0.1:${own}`, cut, mend: Effect.asVoid(listen(proxy, own)) }
  })
