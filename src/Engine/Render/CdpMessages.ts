/** Splits the output of Chromium's debugging pipe into messages of limited size, because a page can make it send messages of any length. */

/** Maximum bytes of a response, and of an event. */
export interface MessageLimits {
  readonly answer: number
  readonly event: number
}

export const maxAnswer = 64 * 1024 * 1024
const defaultLimits: MessageLimits = { answer: maxAnswer, event: 4 * 1024 * 1024 }

/** Bytes kept of both ends of a message that is too long: its `id` is at the beginning, its `sessionId` at the end. */
const keptEdge = 256

/** Matches events that the engine has no listener for. They are dropped unparsed, because a page can trigger any number of them. */
const ignoredEvents =
  /^\{"method":"(?:Runtime\.(?:consoleAPICalled|exceptionThrown)|Log\.entryAdded|Network\.webSocketFrame\w+)"/

const isEvent = (head: string): boolean => head.startsWith('{"method":')

/** Builds an error response that replaces a response that is too long. */
const tooLongResponse = (head: string, tail: string, limit: number): Buffer | undefined => {
  const id = /^\{"id":(\d+)/.exec(head)?.[1]
  if (id === undefined) return undefined
  const sessionId = /"sessionId":"([^"]+)"\}$/.exec(tail)?.[1]
  const error = { code: -32000, message: `The answer is longer than ${limit} bytes.` }
  return Buffer.from(JSON.stringify({ id: Number(id), error, ...(sessionId === undefined ? {} : { sessionId }) }))
}

/** Returns a function that takes chunks and delivers complete messages. Messages over the limit are never assembled. */
export const splitMessages = (limits: MessageLimits, deliver: (message: Buffer) => void) => {
  let parts: Array<Buffer> = []
  let size = 0
  let head = ""
  let tail = ""

  const headOf = () => (head === "" ? Buffer.concat(parts.slice(0, 8), keptEdge).toString("latin1") : head)

  const drop = () => {
    head = headOf()
    tail = (tail + Buffer.concat(parts.slice(-keptEdge)).subarray(-keptEdge).toString("latin1")).slice(-keptEdge)
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
        ? tooLongResponse(head, tail, limits.answer)
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

/** Like {@link splitMessages}, but parses the messages and drops events without a listener. */
export const readMessages = (deliver: (message: object) => void) =>
  splitMessages(defaultLimits, (message) => {
    if (ignoredEvents.test(message.toString("latin1", 0, keptEdge))) return
    deliver(JSON.parse(message.toString("utf8")) as object)
  })
