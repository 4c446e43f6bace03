/** CDP client for the engine itself, with commands and events as objects. Callers' programs connect through `Cdp.ts`. */
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import type { Command } from "./Policy.ts"

/** The browser no longer responds, or refused the command. */
export class DevtoolsError extends Data.TaggedError("DevtoolsError")<{
  readonly method: string
  readonly reason: string
}> {
  override get message() {
    return `${this.method}: ${this.reason}`
  }
}

export interface CdpClient {
  readonly call: <A = Readonly<Record<string, unknown>>>(
    method: string,
    params?: Readonly<Record<string, unknown>>,
    sessionId?: string
  ) => Effect.Effect<A, DevtoolsError>
  /** Sends a command and ignores the response. */
  readonly tell: (method: string, params?: Readonly<Record<string, unknown>>, sessionId?: string) => void
}

/** Receives the messages of a channel. */
export interface Listener {
  /** Called with each message as JSON. Return false to pause until `Channel.resume` is called. */
  readonly onMessage: (message: Buffer) => boolean
  /** Called once, after the channel has closed. */
  readonly onClose?: ((reason: string) => void) | undefined
}

/** CDP event. */
export interface Event {
  readonly method: string
  // biome-ignore lint/suspicious/noExplicitAny: the protocol's own shapes, read where they are used
  readonly params: any
  readonly sessionId?: string | undefined
}

/** Maximum bytes of a message: parsing blocks the event loop, and a page can have a title or URL of any length. */
const maxMessageBytes = 16 * 1024 * 1024

interface Call {
  readonly method: string
  readonly done: Deferred.Deferred<unknown, DevtoolsError>
}

/** Error that replaces an oversized response, so that its call fails; undefined for an event, which is dropped. */
const tooLong = (message: Buffer) => {
  const { id } = read(message)
  return id === undefined
    ? undefined
    : { id, error: { message: `The answer is longer than ${maxMessageBytes} bytes.` } }
}

/** Returns a listener for a channel, and `over`, which makes the client from a function that sends on that channel. */
export const makeClient = (onEvent: (event: Event) => void) => {
  const waiting = new Map<number, Call>()
  let last = 0
  const listener: Listener = {
    onMessage: (message) => {
      const parsed = message.length > maxMessageBytes ? tooLong(message) : JSON.parse(message.toString("utf8"))
      if (parsed === undefined) return true
      if (parsed.id === undefined) {
        onEvent(parsed)
        return true
      }
      const call = waiting.get(parsed.id)
      waiting.delete(parsed.id)
      if (call === undefined) return true
      const { done, method } = call
      const reason = parsed.error?.message
      Deferred.unsafeDone(
        done,
        reason === undefined ? Effect.succeed(parsed.result) : Effect.fail(new DevtoolsError({ method, reason }))
      )
      return true
    },
    onClose: (reason) => {
      for (const { done, method } of waiting.values()) {
        Deferred.unsafeDone(done, Effect.fail(new DevtoolsError({ method, reason })))
      }
      waiting.clear()
    }
  }
  const over = (send: (command: Command) => boolean, whyNot: () => string | undefined): CdpClient => ({
    call: <A>(method: string, params?: Command["params"], sessionId?: string) =>
      Effect.suspend(() => {
        const reason = whyNot()
        if (reason !== undefined) return new DevtoolsError({ method, reason })
        last += 1
        const id = last
        const done = Deferred.unsafeMake<unknown, DevtoolsError>(FiberId.none)
        waiting.set(id, { method, done })
        send({ id, method, params, sessionId })
        return Deferred.await(done) as Effect.Effect<A, DevtoolsError>
      }),
    tell: (method, params, sessionId) => {
      last += 1
      send({ id: last, method, params, sessionId })
    }
  })
  return { listener, over }
}

/** Bytes at the end of a message that are searched for the session id, which the browser writes last. */
const edge = 128

const idAt = /^\{"id":(\d+)/
/** Matches a session id before the only closing brace: in a nested object, two braces would follow. */
const sessionAt = /,"sessionId":"([^"\\]{1,64})"\}$/

export interface Envelope {
  readonly id: number | undefined
  readonly sessionId: string | undefined
}

export const read = (message: Buffer): Envelope => {
  const id = idAt.exec(message.toString("latin1", 0, 32))?.[1]
  const sessionId = sessionAt.exec(message.toString("latin1", Math.max(0, message.length - edge)))?.[1]
  return { id: id === undefined ? undefined : Number(id), sessionId }
}

const closing = Buffer.from("}")

const tailOf = (sessionId: string): number => `,"sessionId":"${sessionId}"}`.length

/** Removes the session id from a message. */
export const bare = (message: Buffer, sessionId: string): Buffer =>
  Buffer.concat([message.subarray(0, message.length - tailOf(sessionId)), closing])

/** Replaces the id of a response, and removes its session id if `sessionId` is given. */
export const answer = (message: Buffer, id: number, sessionId: string | undefined): Buffer => {
  const from = idAt.exec(message.toString("latin1", 0, 32))?.[0].length ?? 0
  const head = Buffer.from(`{"id":${id}`)
  return sessionId === undefined
    ? Buffer.concat([head, message.subarray(from)])
    : Buffer.concat([head, message.subarray(from, message.length - tailOf(sessionId)), closing])
}

const ofTargets = '{"method":"Target.'

/** True for events of the domain `Target`, the only ones that are parsed. */
export const isOfTargets = (message: Buffer): boolean => message.toString("latin1", 0, ofTargets.length) === ofTargets
