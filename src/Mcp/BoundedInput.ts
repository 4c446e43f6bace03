/**
 * Reads lines of bounded length from standard input.
 *
 * Skips a message that is too long and answers it with an error; the connection continues. The SDK's transport would close the connection
 * silently while the client waits.
 */
import { Transform } from "node:stream"

/** Bytes at the beginning and end of a skipped message that are searched for its id. */
const kept = 512

type Id = string | number | null

/** Id of a skipped message: beside `jsonrpc`, at the beginning or the end; null if it is not there. */
export const idOf = (head: string, tail: string): Id => {
  const id = '"id"\\s*:\\s*(\\d{1,15}|"[^"\\\\]{1,100}")'
  const version = '"jsonrpc"\\s*:\\s*"2\\.0"'
  const [, found] =
    new RegExp(`^\\s*\\{\\s*(?:${version}\\s*,\\s*)?${id}`).exec(head) ??
    new RegExp(`${version}\\s*,\\s*${id}\\s*\\}\\s*$`).exec(tail) ??
    new RegExp(`${id}\\s*,\\s*${version}\\s*\\}\\s*$`).exec(tail) ??
    []
  return found === undefined ? null : (JSON.parse(found) as Id)
}

/** Passes on lines of at most `maxBytes`; calls `onTooLong` with the id of each longer one. */
export const boundedLines = (maxBytes: number, onTooLong: (id: Id) => void): Transform => {
  let pieces: Array<Buffer> = []
  let size = 0
  let head = Buffer.alloc(0)
  let tail = Buffer.alloc(0)
  const take = (piece: Buffer) => {
    size += piece.length
    if (size <= maxBytes) {
      pieces.push(piece)
      return
    }
    if (pieces.length > 0 || head.length === 0) {
      const whole = Buffer.concat([...pieces, piece])
      head = whole.subarray(0, kept)
      tail = Buffer.from(whole.subarray(-kept))
      pieces = []
      return
    }
    tail = Buffer.from(Buffer.concat([tail, piece]).subarray(-kept))
  }
  const end = (): Buffer | undefined => {
    const line = size <= maxBytes ? Buffer.concat(pieces) : undefined
    if (line === undefined) onTooLong(idOf(head.toString(), tail.toString()))
    pieces = []
    size = 0
    head = Buffer.alloc(0)
    tail = Buffer.alloc(0)
    return line
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
        take(chunk.subarray(from, at))
        from = at + 1
        const line = end()
        if (line !== undefined) this.push(Buffer.concat([line, Buffer.from("\n")]))
      }
      if (from < chunk.length) take(Buffer.from(chunk.subarray(from)))
      done()
    },
    flush(done) {
      if (size > maxBytes) end()
      done()
    }
  })
}

/** The answer to a message that is too long. */
export const tooLong = (id: Id, maxBytes: number): string =>
  `${JSON.stringify({
    jsonrpc: "2.0",
    id,
    error: {
      code: -32_600,
      message: `the message has more than ${Math.floor(maxBytes / (1024 * 1024))} MB and was not read: send less`
    }
  })}\n`
