/**
 * Repairs response heads that browsers accept but the HTTP parser refuses, before the parser reads them.
 *
 * - Tolerated: bare LF at line ends, white space before a colon, a line without a colon, folded lines, `ICY 200 OK`, empty lines before the
 *   head, and unrequested informational responses (100, 103).
 * - A correct head (checked by one regular expression) is passed on unchanged, and so is anything that does not begin like a head.
 * - After a repaired head the connection is closed, because the bytes after its body may not be another response.
 * - Owns the bytes of a head until it is complete. One response at a time: the agents of the engine do not pipeline.
 */
import type { Socket } from "node:net"

/** Maximum bytes of a head, as in Chrome. The parser refuses a longer one. */
export const maxHeadBytes = 256 * 1024

const token = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+"
const correct = new RegExp(`^HTTP/1\\.[01] [2-5]\\d\\d(?: [^\\r\\n]*)?\\r\\n(?:${token}:[^\\r\\n]*\\r\\n)*\\r\\n$`)
const statusLine = /^(?:HTTP\/1\.([01])|ICY)[ \t]+(\d{3})(?:[ \t]+(.*))?$/i
const headEnd = /\r?\n\r?\n/
const beginnings = ["HTTP/1.", "ICY "]
const field = new RegExp(`^(${token})[ \\t]*:(.*)$`, "s")

/** True while the bytes may be the beginning of a head. */
const beginsLikeHead = (text: string): boolean =>
  beginnings.some((beginning) => {
    const start = text.slice(0, beginning.length).toUpperCase()
    return beginning.startsWith(start)
  })

/** Repairs a head; undefined if the head is informational (1xx, but not 101). */
const mend = (head: string): string | undefined => {
  const [first = "", ...lines] = head.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)
  const [, minor = "0", status = "", reason = ""] = statusLine.exec(first) ?? []
  if (status.startsWith("1") && status !== "101") return undefined
  const fields = lines.flatMap((line) => {
    const [, name, value] = field.exec(line) ?? []
    return name === undefined || name.toLowerCase() === "connection" ? [] : [`${name}:${value}\r\n`]
  })
  return `HTTP/1.${minor} ${status} ${reason}\r\n${fields.join("")}connection: close\r\n\r\n`
}

/** Collects the bytes of a response until its head is complete. */
class HeadReader {
  #held: Buffer | undefined

  /** Returns the bytes to pass on; undefined while the head is incomplete. */
  read(chunk: Buffer): Buffer | undefined {
    let bytes = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk])
    this.#held = undefined
    while (true) {
      // Apart from values, head and separator are ASCII. Latin-1 keeps the values unchanged.
      const text = bytes.toString("latin1", 0, maxHeadBytes)
      const start = text.search(/[^\r\n]/)
      if (start > 0) bytes = bytes.subarray(start)
      const begun = start > 0 ? text.slice(start) : text
      if (start === -1 || !beginsLikeHead(begun)) return bytes
      const end = headEnd.exec(begun)
      if (end === null) {
        if (bytes.byteLength >= maxHeadBytes) return bytes
        this.#held = bytes
        return undefined
      }
      const length = end.index + end[0].length
      const head = begun.slice(0, length)
      if (correct.test(head) || statusLine.exec(/^[^\r\n]*/.exec(head)?.[0] ?? "") === null) return bytes
      const mended = mend(begun.slice(0, end.index))
      bytes = bytes.subarray(length)
      if (mended !== undefined) return Buffer.concat([Buffer.from(mended, "latin1"), bytes])
      if (bytes.byteLength === 0) {
        this.#held = bytes
        return undefined
      }
    }
  }
}

/** Repairs the heads of responses to GET requests written to the socket. */
export const mendHeads = <S extends Socket>(socket: S): S => {
  const read: (size?: number) => Buffer | null = socket.read.bind(socket)
  const write = socket.write.bind(socket) as (...args: Array<unknown>) => boolean
  let reader: HeadReader | undefined
  return Object.assign(socket, {
    read: (size?: number): Buffer | null => {
      while (reader !== undefined) {
        const chunk = read(size)
        if (chunk === null) return null
        const mended = reader.read(chunk)
        if (mended === undefined) continue
        reader = undefined
        return mended
      }
      return read(size)
    },
    write: (...args: Array<unknown>): boolean => {
      if (typeof args[0] === "string" && args[0].startsWith("GET ")) reader = new HeadReader()
      return write(...args)
    }
  })
}
