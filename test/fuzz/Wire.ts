/** Requests as bytes on a socket, so that they may be wrong in every way, and the answers to them. */
import { connect } from "node:net"

export interface Sent {
  readonly method: string
  /** With its query, exactly as written. */
  readonly target: string
  /** Lines of the head, besides Host, Connection and what the body needs. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: Uint8Array | undefined
  /** `short`: says more bytes than it sends, and leaves. */
  readonly framing: "length" | "chunked" | "short" | "both"
}

export interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  /** False when the connection ended in the middle of it. */
  readonly isWhole: boolean
}

/** Time limit for any response of an engine, in milliseconds. */
const patience = 30_000

const framed = ({ body, framing }: Sent): readonly [head: ReadonlyArray<string>, body: Uint8Array] => {
  if (body === undefined) return [[], Buffer.alloc(0)]
  const chunked = Buffer.concat([
    ...(body.byteLength === 0 ? [] : [Buffer.from(`${body.byteLength.toString(16)}\r\n`), body, Buffer.from("\r\n")]),
    Buffer.from("0\r\n\r\n")
  ])
  if (framing === "chunked") return [["transfer-encoding: chunked"], chunked]
  if (framing === "both") return [["transfer-encoding: chunked", "content-length: 3"], chunked]
  return [[`content-length: ${body.byteLength + (framing === "short" ? 10 : 0)}`], body]
}

/** Letters of the head go out as Latin-1, as nearly everything on the web reads them. */
const bytesOf = (sent: Sent, host: string): Buffer => {
  const [head, body] = framed(sent)
  const own = sent.headers.some(([name]) => name.toLowerCase() === "host") ? [] : [`host: ${host}`]
  const lines = [
    `${sent.method} ${sent.target} HTTP/1.1`,
    ...own,
    "connection: close",
    ...head,
    ...sent.headers.map(([name, value]) => `${name}: ${value}`)
  ]
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), body])
}

const dechunked = (bytes: Buffer): Pick<Answer, "body" | "isWhole"> => {
  const parts: Array<Buffer> = []
  let isWhole = false
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf("\r\n", at)
    const size = Number.parseInt(bytes.toString("latin1", at, end), 16)
    if (end < 0) break
    if (Number.isNaN(size)) throw new Error("the answer's chunks cannot be read")
    if (size === 0) {
      isWhole = bytes.length >= end + 4
      break
    }
    parts.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  return { body: Buffer.concat(parts), isWhole }
}

const read = (bytes: Buffer): Answer | undefined => {
  const end = bytes.indexOf("\r\n\r\n")
  if (end < 0) return undefined
  const [first = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n")
  const status = Number(first.split(" ")[1])
  const rest = bytes.subarray(end + 4)
  // Told to go on before the answer proper.
  if (status === 100) return read(rest)
  const headers = new Map(
    lines.map((line) => {
      const at = line.indexOf(":")
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const
    })
  )
  if (headers.get("transfer-encoding") === "chunked") return { status, headers, ...dechunked(rest) }
  return { status, headers, body: rest, isWhole: rest.byteLength >= Number(headers.get("content-length") ?? 0) }
}

/** Sends it on a connection of its own; undefined when that was closed without an answer. */
export const exchange = (port: number, sent: Sent): Promise<Answer | undefined> =>
  new Promise((resolve, reject) => {
    const chunks: Array<Buffer> = []
    let closed = false
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(bytesOf(sent, `127.0.0.1:${port}`))
      if (sent.framing === "short" && sent.body !== undefined) setTimeout(() => socket.destroy(), 5)
    })
    socket.setTimeout(patience, () => {
      closed = true
      socket.destroy()
      reject(new Error(`no answer within ${patience / 1000} s`))
    })
    socket.on("data", (chunk) => chunks.push(chunk))
    // Refused before all of it was read, it may be reset behind the answer.
    socket.on("error", (error) => {
      if ("code" in error && error.code === "ECONNREFUSED") reject(error)
    })
    socket.on("close", () => {
      if (!closed) resolve(read(Buffer.concat(chunks)))
    })
  })
