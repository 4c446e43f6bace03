/** Envelope of a message of the browser: its id and session are read and changed without parsing the rest. */

/** Where the browser writes what is looked for: an id at the beginning, a session at the end. */
const edge = 128

const idAt = /^\{"id":(\d+)/
/** An object within ends with two braces: one alone closes the message. */
const sessionAt = /,"sessionId":"([^"\\]{1,64})"\}$/

export interface Outside {
  readonly id: number | undefined
  readonly sessionId: string | undefined
}

export const read = (message: Buffer): Outside => {
  const id = idAt.exec(message.toString("latin1", 0, 32))?.[1]
  const sessionId = sessionAt.exec(message.toString("latin1", Math.max(0, message.length - edge)))?.[1]
  return { id: id === undefined ? undefined : Number(id), sessionId }
}

const closing = Buffer.from("}")

const tailOf = (sessionId: string): number => `,"sessionId":"${sessionId}"}`.length

/** The message without its session. */
export const bare = (message: Buffer, sessionId: string): Buffer =>
  Buffer.concat([message.subarray(0, message.length - tailOf(sessionId)), closing])

/** An answer under the id of whoever asked, and without `sessionId` where that is given. */
export const answer = (message: Buffer, id: number, sessionId: string | undefined): Buffer => {
  const from = idAt.exec(message.toString("latin1", 0, 32))?.[0].length ?? 0
  const head = Buffer.from(`{"id":${id}`)
  return sessionId === undefined
    ? Buffer.concat([head, message.subarray(from)])
    : Buffer.concat([head, message.subarray(from, message.length - tailOf(sessionId)), closing])
}

const ofTargets = '{"method":"Target.'

/** An event of the domain Target: the only ones that are read. */
export const isOfTargets = (message: Buffer): boolean => message.toString("latin1", 0, ofTargets.length) === ofTargets
