/** The outside of a message of the browser: whose it is is read and changed without reading what is in it (spec 4.3). */

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

export interface Attachment {
  readonly isAttached: boolean
  readonly sessionId: string
}

const attached = '{"method":"Target.attachedToTarget"'
const detached = '{"method":"Target.detachedFromTarget"'

/** What an event says of sessions that come and go. */
export const attachment = (message: Buffer): Attachment | undefined => {
  const head = message.toString("latin1", 0, detached.length)
  const isAttached = head.startsWith(attached)
  if (!isAttached && head !== detached) return undefined
  const { params } = JSON.parse(message.toString("utf8")) as { readonly params: { readonly sessionId: string } }
  return { isAttached, sessionId: params.sessionId }
}
