/**
 * Shares the CDP connection of one browser between several clients.
 *
 * Each client has a session on the browser target, and receives only the answers to its own commands and the events of what it attached.
 * Targets that users may not see are removed from both (`Targets.ts`).
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { safely } from "../../Callback.ts"
import { splitMessages } from "../Render/CdpMessages.ts"
import type { Chromium } from "../Render/Launch.ts"
import * as Envelope from "./CdpClient.ts"
import { type CdpClient, DevtoolsError, type Event, type Listener, makeClient } from "./CdpClient.ts"
import { type Prepared, prepare } from "./CommandText.ts"
import type { Command, Limits } from "./Policy.ts"
import * as Targets from "./Targets.ts"

/** CDP connection of one client. */
export interface Channel {
  /**
   * Sends a command with the caller's own id; the answer goes to the listener. Returns false when the browser is behind: send no more until
   * `drained` calls back.
   */
  readonly send: (command: Command) => boolean
  /** Sends a command that has already been parsed and checked. */
  readonly relay: (command: Prepared) => boolean
  /** Answers a command with an error. */
  readonly refuse: (id: number, reason: string, sessionId: string | undefined) => void
  /** Calls back once, when the browser has taken everything that was sent. */
  readonly drained: (then: () => void) => void
  /** Continues delivery after the listener returned false. */
  readonly resume: () => void
}

export type { CdpClient, Event, Listener } from "./CdpClient.ts"
export { DevtoolsError } from "./CdpClient.ts"

export interface Devtools {
  /** Visibility of targets. */
  readonly targets: Pick<Targets.Targets, "isShown" | "isStray">
  /** Limits that commands of programs are checked against. */
  readonly limits: Limits
  /** Opens a channel. When the scope closes, its sessions and the contexts that it created are disposed of. */
  readonly attach: (listener: Listener) => Effect.Effect<Channel, DevtoolsError, Scope.Scope>
  /** Opens a channel for a part of the engine, under the same rules as programs. */
  readonly connect: (onEvent: (event: Event) => void) => Effect.Effect<CdpClient, DevtoolsError, Scope.Scope>
  /** The engine's own connection, without rules. */
  readonly root: CdpClient
}

export interface DevtoolsOptions extends Limits {
  /** Events of sessions and domains that {@link Devtools.root} attached or enabled. */
  readonly onRootEvent: (event: Event) => void
  /** A program asked the browser to close. */
  readonly onClose: () => void
}

/** Maximum bytes of an answer, of an event, and of a `Target` event, which is parsed and contains a URL that the page chooses. */
const limits = { answer: 256 * 1024 * 1024, event: 64 * 1024 * 1024, target: 16 * 1024 * 1024 }

/** Unanswered commands of one channel. */
const maxPending = 10_000
/** Maximum time for the browser to open another session. */
const attachTimeout = "20 seconds"

interface Client {
  readonly listener: Listener
  /** Session of commands that name none; undefined for the engine's own connection. */
  own: string | undefined
  /** Undefined for the engine's own connection, which sees every target. */
  filter: Targets.TargetFilter | undefined
  full: boolean
  pending: number
  closed: boolean
}

interface Pending {
  readonly client: Client
  readonly id: number
  readonly method: string
  readonly sessionId: string | undefined
}

/** The fields of answers of the domain `Target` that are read here. */
interface TargetAnswer {
  readonly result?: {
    readonly targetId?: string
    readonly targetInfo?: Targets.TargetInfo
    readonly targetInfos?: ReadonlyArray<Targets.TargetInfo>
  }
}

const withTargets = new Set(["Target.createTarget", "Target.getTargetInfo", "Target.getTargets"])
/** The browser's own message. */
const unknownTarget = "No target with given id found"

const refusal = (id: number, message: string, sessionId: string | undefined): Buffer =>
  Buffer.from(
    JSON.stringify({ id, error: { code: -32000, message }, ...(sessionId === undefined ? {} : { sessionId }) })
  )

/** Uses the pipe of a browser exclusively. */
export const make = (chromium: Chromium, options: DevtoolsOptions): Devtools => {
  const clients = new Set<Client>()
  /** The client of each session: the one whose session it was attached from. */
  const owners = new Map<string, Client>()
  const pending = new Map<number, Pending>()
  let last = 0
  let ended: string | undefined
  const targets = Targets.make({
    ask: (targetId) => rootClient.tell("Target.getTargetInfo", { targetId }),
    onChange: (info, visibility) => {
      for (const { filter } of [...clients]) filter?.change(info, visibility)
    }
  })

  const pause = () => {
    if ([...clients].some(({ full }) => full)) chromium.output.pause()
    else chromium.output.resume()
  }

  const deliver = (client: Client, message: Buffer) => {
    if (client.closed || client.listener.onMessage(message) || client.full) return
    client.full = true
    pause()
  }

  const write = (
    client: Client,
    { id, method, params, sessionId }: Omit<Prepared, "refusal" | "session" | "target">
  ) => {
    last += 1
    pending.set(last, { client, id, method, sessionId })
    client.pending += 1
    const session = sessionId ?? client.own
    const head = `{"id":${last},"method":${JSON.stringify(method)}${params === undefined ? "" : ',"params":'}`
    const tail = `${session === undefined ? "" : `,"sessionId":${JSON.stringify(session)}`}}\0`
    if (typeof params !== "object") return chromium.input.write(`${head}${params ?? ""}${tail}`)
    chromium.input.write(head)
    chromium.input.write(params)
    return chromium.input.write(tail)
  }

  const relay = (client: Client, command: Prepared): boolean => {
    const { id, method, refusal: reason, session, sessionId, target } = command
    const answer = (reason: string) => {
      deliver(client, refusal(id, `${method}: ${reason}`, sessionId))
      return true
    }
    if (client.closed || ended !== undefined) return true
    if (client.pending >= maxPending) return answer(`more than ${maxPending} commands wait for their answer`)
    if (sessionId !== undefined && owners.get(sessionId) !== client) return answer("Session with given id not found.")
    if (target !== undefined && !targets.isShown(target)) return answer(unknownTarget)
    if (reason !== undefined) return answer(reason)
    if (method === "Target.detachFromTarget" && (session === undefined || owners.get(session) !== client)) {
      return answer("No session with given id")
    }
    if (method === "Browser.close") {
      deliver(client, Buffer.from(JSON.stringify({ id, result: {} })))
      options.onClose()
      return true
    }
    return write(client, command)
  }

  const send = (client: Client, command: Command): boolean => {
    if (client.own !== undefined) return relay(client, prepare(command, options))
    if (client.closed || ended !== undefined) return true
    const { id = 0, method, params, sessionId } = command
    return write(client, { id, method, sessionId, params: params === undefined ? undefined : JSON.stringify(params) })
  }

  /** Removes hidden targets from an answer; undefined if the answer needs no change. */
  const filtered = (message: Buffer, { client, id, method, sessionId }: Pending): Buffer | undefined => {
    const { result }: TargetAnswer = JSON.parse(message.toString("utf8"))
    if (result?.targetId !== undefined) targets.open(result.targetId)
    if (result?.targetInfo !== undefined) targets.note(result.targetInfo)
    for (const info of result?.targetInfos ?? []) targets.note(info)
    if (client.filter === undefined) return undefined
    const session = sessionId === undefined ? {} : { sessionId }
    if (result?.targetInfos !== undefined) {
      const targetInfos = result.targetInfos.filter(({ targetId }) => targets.isShown(targetId))
      return Buffer.from(JSON.stringify({ id, result: { ...result, targetInfos }, ...session }))
    }
    return result?.targetInfo === undefined || targets.isShown(result.targetInfo.targetId)
      ? undefined
      : refusal(id, `${method}: ${unknownTarget}`, sessionId)
  }

  const onAnswer = (message: Buffer, asked: Pending, sessionId: string | undefined) => {
    const { client, id, method } = asked
    client.pending -= 1
    const answer = withTargets.has(method) ? filtered(message, asked) : undefined
    deliver(client, answer ?? Envelope.answer(message, id, sessionId === client.own ? sessionId : undefined))
  }

  const onMessage = (message: Buffer) => {
    const { id, sessionId } = Envelope.read(message)
    if (id !== undefined) {
      const asked = pending.get(id)
      pending.delete(id)
      if (asked !== undefined) onAnswer(message, asked, sessionId)
      return
    }
    const client = sessionId === undefined ? root : owners.get(sessionId)
    if (client === undefined) return
    if (Envelope.isOfTargets(message)) {
      if (message.length > limits.target) return
      const event: Targets.TargetEvent = JSON.parse(message.toString("utf8"))
      if (client.filter === undefined) {
        if (event.params.targetInfo !== undefined) targets.note(event.params.targetInfo)
        if (event.method === "Target.targetDestroyed") targets.forget(event.params.targetId ?? "")
      } else if (sessionId === undefined || !client.filter.hear(event, sessionId)) return
    }
    deliver(client, client.own !== undefined && sessionId === client.own ? Envelope.bare(message, sessionId) : message)
  }

  const join = (listener: Listener): Client => {
    const client: Client = { listener, own: undefined, filter: undefined, full: false, pending: 0, closed: false }
    clients.add(client)
    return client
  }

  const leave = (client: Client) => {
    if (client.closed) return
    client.closed = true
    clients.delete(client)
    for (const [sessionId, owner] of owners) if (owner === client) owners.delete(sessionId)
    for (const [id, { client: asker }] of pending) if (asker === client) pending.delete(id)
    pause()
  }

  const makeConnection = (onEvent: (event: Event) => void) => {
    const { listener, over } = makeClient(onEvent)
    const whyNot = (client: Client) => ended ?? (client.closed ? "the channel is closed" : undefined)
    return {
      listener,
      over: (client: Client) =>
        over(
          (command) => send(client, command),
          () => whyNot(client)
        )
    }
  }

  const own = makeConnection(options.onRootEvent)
  const root = join(own.listener)
  const rootClient = own.over(root)

  const filterOf = (client: Client): Targets.TargetFilter =>
    Targets.makeTargetFilter(targets, {
      deliver: (event, from) =>
        deliver(client, Buffer.from(JSON.stringify(from === client.own ? event : { ...event, sessionId: from }))),
      admit: (sessionId) => void owners.set(sessionId, client),
      revoke: (sessionId) => void owners.delete(sessionId),
      detach: (sessionId, from) => rootClient.tell("Target.detachFromTarget", { sessionId }, from),
      run: (sessionId) => rootClient.tell("Runtime.runIfWaitingForDebugger", {}, sessionId)
    })

  const attach = (listener: Listener) =>
    Effect.acquireRelease(
      Effect.gen(function* () {
        const method = "Target.attachToBrowserTarget"
        const { sessionId } = yield* rootClient.call<{ readonly sessionId: string }>(method).pipe(
          // A browser that hangs must not delay the end of the engine.
          Effect.interruptible,
          Effect.timeoutFail({
            duration: attachTimeout,
            onTimeout: () => new DevtoolsError({ method, reason: "the browser does not answer" })
          })
        )
        const client = join(listener)
        client.own = sessionId
        client.filter = filterOf(client)
        owners.set(sessionId, client)
        return client
      }),
      (client) =>
        Effect.sync(() => {
          const { own } = client
          leave(client)
          if (ended === undefined) rootClient.tell("Target.detachFromTarget", { sessionId: own })
          client.listener.onClose?.("the channel is closed")
        })
    )

  const channelOf = (client: Client): Channel => ({
    send: (command) => send(client, command),
    relay: (command) => relay(client, command),
    refuse: (id, reason, sessionId) => deliver(client, refusal(id, reason, sessionId)),
    drained: (then) => void (chromium.input.writableNeedDrain ? chromium.input.once("drain", safely(then)) : then()),
    resume: () => {
      client.full = false
      pause()
    }
  })

  chromium.output.on(
    "data",
    safely(splitMessages(limits, onMessage), () => chromium.input.destroy())
  )
  chromium.onEnd(() => {
    ended = "the browser has ended"
    targets.close()
    for (const client of [...clients]) {
      leave(client)
      client.listener.onClose?.(ended)
    }
  })

  return {
    targets,
    limits: { downloads: options.downloads },
    attach: (listener) => Effect.map(attach(listener), channelOf),
    connect: (onEvent) =>
      Effect.suspend(() => {
        const { listener, over } = makeConnection(onEvent)
        return Effect.map(attach(listener), over)
      }),
    root: rootClient
  }
}
