/** What a browser says, message by message: a page may make it say anything, of any length. */

/** Bytes of one answer, and of one event that nobody asked for. */
export interface Limits {
  readonly answer: number
  readonly event: number
}

export const maxAnswer = 64 * 1024 * 1024
const limits: Limits = { answer: maxAnswer, event: 4 * 1024 * 1024 }

/** Bytes kept of a message that is too long: which call it answers is at its beginning, whose at its end. */
const edge = 256

/** Nobody here listens to these, and pages can send them as fast as they like. */
const idle =
  /^\{"method":"(?:Runtime\.(?:consoleAPICalled|exceptionThrown)|Log\.entryAdded|Network\.webSocketFrame\w+)"/

const isEvent = (head: string): boolean => head.startsWith('{"method":')

/** What a caller is told whose answer was too long. */
const tooLong = (head: string, tail: string, limit: number): Buffer | undefined => {
  const id = /^\{"id":(\d+)/.exec(head)?.[1]
  if (id === undefined) return undefined
  const sessionId = /"sessionId":"([^"]+)"\}$/.exec(tail)?.[1]
  const error = { code: -32000, message: `The answer is longer than ${limit} bytes.` }
  return Buffer.from(JSON.stringify({ id: Number(id), error, ...(sessionId === undefined ? {} : { sessionId }) }))
}

/** Takes chunks, gives messages as they are written: those too long are never put together. */
export const split = (limits: Limits, deliver: (message: Buffer) => void) => {
  let parts: Array<Buffer> = []
  let size = 0
  let head = ""
  let tail = ""

  const headOf = () => (head === "" ? Buffer.concat(parts.slice(0, 8), edge).toString("latin1") : head)

  const drop = () => {
    head = headOf()
    tail = (tail + Buffer.concat(parts.slice(-edge)).subarray(-edge).toString("latin1")).slice(-edge)
    parts = []
  }

  const take = (part: Buffer) => {
    parts.push(part)
    size += part.length
    const beyond = size > limits.answer || (size > limits.event && isEvent(headOf()))
    if (head !== "" || beyond) drop()
  }

  const end = () => {
    const message =
      head !== ""
        ? tooLong(head, tail, limits.answer)
        : parts.length === 1
          ? (parts[0] as Buffer)
          : Buffer.concat(parts)
    parts = []
    size = 0
    head = ""
    tail = ""
    if (message !== undefined) deliver(message)
  }

  return (chunk: Buffer): void => {
    let start = 0
    for (let stop = chunk.indexOf(0); stop !== -1; stop = chunk.indexOf(0, start)) {
      take(chunk.subarray(start, stop))
      end()
      start = stop + 1
    }
    if (start < chunk.length) take(chunk.subarray(start))
  }
}

/** The same for whoever renders pages: messages as values, without those that nobody there listens to. */
export const reader = (deliver: (message: object) => void) =>
  split(limits, (message) => {
    if (idle.test(message.toString("latin1", 0, edge))) return
    deliver(JSON.parse(message.toString("utf8")) as object)
  })
