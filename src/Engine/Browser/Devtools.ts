/**
 * Shares the CDP connection of one browser between several clients.
 *
 * Each client has a session on the browser target, and receives only the responses to its own commands and the events of targets that it
 * attached. Targets that users must not see are removed from both (`Targets.ts`).
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
   * Sends a command with the caller's own id; the response goes to the listener. Returns false if the browser is behind: then send nothing
   * until `drained` calls back.
   */
  readonly send: (command: Command) => boolean
  /** Sends a command that has already been parsed and checked. */
  readonly relay: (command: Prepared) => boolean
  /** Answers a command with an error. */
  readonly refuse: (id: number, reason: string, sessionId: string | undefined) => void
  /** Calls back once, when the browser has consumed everything that was sent. */
  readonly drained: (then: () => void) => void
  /** Continues delivery after the listener returned false. */
  readonly resume: () => void
}

export type { CdpClient, Event, Listener } from "./CdpClient.ts"
export { DevtoolsError } from "./CdpClient.ts"

export interface DevtoolsOptions extends Limits {
  /** Called with the events of sessions and domains that {@link Devtools.root} attached or enabled. */
  readonly onRootEvent: (event: Event) => void
  /** Called when a program asked the browser to close. */
  readonly onClose: () => void
}

/** Maximum bytes of a response, of an event, and of a `Target` event, which is parsed and contains a URL chosen by the page. */
const limits = { answer: 256 * 1024 * 1024, event: 64 * 1024 * 1024, target: 16 * 1024 * 1024 }

/** Maximum unanswered commands of one channel. */
const maxPending = 10_000
/** Maximum time for the browser to open another session. */
const attachTimeout = "20 seconds"

interface Client {
  readonly listener: Listener
  /** Session used for commands that name none; undefined for the engine's own connection. */
  own: string | undefined
  /** Filter of visible targets; undefined for the engine's own connection, which sees every target. */
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

/** Fields that are read in responses of the domain `Target`. */
interface TargetAnswer {
  readonly result?: {
    readonly targetId?: string
    readonly targetInfo?: Targets.TargetInfo
    readonly targetInfos?: ReadonlyArray<Targets.TargetInfo>
  }
}

const withTargets = new Set(["Target.createTarget", "Target.getTargetInfo", "Target.getTargets"])
/** Same message as the browser's own. */
const unknownTarget = "No target with given id found"

const refusal = (id: number, message: string, sessionId: string | undefined): Buffer =>
  Buffer.from(
    JSON.stringify({ id, error: { code: -32000, message }, ...(sessionId === undefined ? {} : { sessionId }) })
  )

/** Multiplexes the pipe of a browser, which nothing else may use. */
export class Devtools {
  readonly #chromium: Chromium
  readonly #options: DevtoolsOptions
  readonly #clients = new Set<Client>()
  /** By session id: the client that attached the session through one of its own sessions. */
  readonly #owners = new Map<string, Client>()
  readonly #pending = new Map<number, Pending>()
  #last = 0
  #ended: string | undefined
  readonly #targets: Targets.Targets
  /** The engine's own connection. */
  readonly #own: Client

  /** Client on the engine's own connection, without restrictions. */
  readonly root: CdpClient

  constructor(chromium: Chromium, options: DevtoolsOptions) {
    this.#chromium = chromium
    this.#options = options
    const { listener, over } = this.#makeConnection(options.onRootEvent)
    this.#own = this.#join(listener)
    this.root = over(this.#own)
    this.#targets = Targets.make({
      ask: (targetId) => this.root.tell("Target.getTargetInfo", { targetId }),
      onChange: (info, visibility) => {
        for (const { filter } of [...this.#clients]) filter?.change(info, visibility)
      }
    })
    chromium.output.on(
      "data",
      safely(
        splitMessages(limits, (message) => this.#onMessage(message)),
        () => chromium.input.destroy()
      )
    )
    chromium.onEnd(() => {
      const reason = "the browser has ended"
      this.#ended = reason
      this.#targets.close()
      for (const client of [...this.#clients]) {
        this.#leave(client)
        client.listener.onClose?.(reason)
      }
    })
  }

  /** Visibility of targets. */
  get targets(): Pick<Targets.Targets, "isShown" | "isStray"> {
    return this.#targets
  }

  /** Limits that commands of programs are checked against. */
  get limits(): Limits {
    return { downloads: this.#options.downloads }
  }

  /** Opens a channel. When the scope closes, its sessions and the contexts that it created are disposed of. */
  attach(listener: Listener): Effect.Effect<Channel, DevtoolsError, Scope.Scope> {
    return Effect.map(this.#attach(listener), (client) => this.#channelOf(client))
  }

  /** Connects a part of the engine, under the same rules as callers' programs. */
  connect(onEvent: (event: Event) => void): Effect.Effect<CdpClient, DevtoolsError, Scope.Scope> {
    return Effect.suspend(() => {
      const { listener, over } = this.#makeConnection(onEvent)
      return Effect.map(this.#attach(listener), over)
    })
  }

  #pause(): void {
    if ([...this.#clients].some(({ full }) => full)) this.#chromium.output.pause()
    else this.#chromium.output.resume()
  }

  #deliver(client: Client, message: Buffer): void {
    if (client.closed || client.listener.onMessage(message) || client.full) return
    client.full = true
    this.#pause()
  }

  #write(client: Client, { id, method, params, sessionId }: Omit<Prepared, "refusal" | "session" | "target">): boolean {
    const { input } = this.#chromium
    const sent = ++this.#last
    this.#pending.set(sent, { client, id, method, sessionId })
    client.pending += 1
    const session = sessionId ?? client.own
    const head = `{"id":${sent},"method":${JSON.stringify(method)}${params === undefined ? "" : ',"params":'}`
    const tail = `${session === undefined ? "" : `,"sessionId":${JSON.stringify(session)}`}}\0`
    if (typeof params !== "object") return input.write(`${head}${params ?? ""}${tail}`)
    input.write(head)
    input.write(params)
    return input.write(tail)
  }

  #relay(client: Client, command: Prepared): boolean {
    const { id, method, refusal: reason, session, sessionId, target } = command
    const answer = (reason: string) => {
      this.#deliver(client, refusal(id, `${method}: ${reason}`, sessionId))
      return true
    }
    const isOwn = (session: string) => this.#owners.get(session) === client
    if (client.closed || this.#ended !== undefined) return true
    if (client.pending >= maxPending)
      return answer(
        `refused, because ${maxPending} commands of this connection are unanswered: wait for answers before you send more`
      )
    if (sessionId !== undefined && !isOwn(sessionId)) return answer("Session with given id not found.")
    if (target !== undefined && !this.#targets.isShown(target)) return answer(unknownTarget)
    if (reason !== undefined) return answer(reason)
    if (method === "Target.detachFromTarget" && (session === undefined || !isOwn(session))) {
      return answer("No session with given id")
    }
    if (method === "Browser.close") {
      this.#deliver(client, Buffer.from(JSON.stringify({ id, result: {} })))
      this.#options.onClose()
      return true
    }
    return this.#write(client, command)
  }

  #send(client: Client, command: Command): boolean {
    if (client.own !== undefined) return this.#relay(client, prepare(command, this.#options))
    if (client.closed || this.#ended !== undefined) return true
    const { id = 0, method, params, sessionId } = command
    return this.#write(client, {
      id,
      method,
      sessionId,
      params: params === undefined ? undefined : JSON.stringify(params)
    })
  }

  /** Removes hidden targets from a response; undefined if the response needs no change. */
  #filtered(message: Buffer, { client, id, method, sessionId }: Pending): Buffer | undefined {
    const targets = this.#targets
    const { result }: TargetAnswer = JSON.parse(message.toString("utf8"))
    if (result?.targetId !== undefined) targets.open(result.targetId)
    if (result?.targetInfo !== undefined) targets.note(result.targetInfo)
    for (const info of result?.targetInfos ?? []) targets.note(info)
    if (client.filter === undefined) return undefined
    if (result?.targetInfos !== undefined) {
      const session = sessionId === undefined ? {} : { sessionId }
      const targetInfos = result.targetInfos.filter(({ targetId }) => targets.isShown(targetId))
      return Buffer.from(JSON.stringify({ id, result: { ...result, targetInfos }, ...session }))
    }
    return result?.targetInfo === undefined || targets.isShown(result.targetInfo.targetId)
      ? undefined
      : refusal(id, `${method}: ${unknownTarget}`, sessionId)
  }

  #onMessage(message: Buffer) {
    const { id, sessionId } = Envelope.read(message)
    if (id === undefined) return this.#onEvent(message, sessionId)
    const asked = this.#pending.get(id)
    if (asked === undefined) return
    this.#pending.delete(id)
    const { client } = asked
    client.pending -= 1
    const answer = withTargets.has(asked.method) ? this.#filtered(message, asked) : undefined
    const session = sessionId === client.own ? sessionId : undefined
    this.#deliver(client, answer ?? Envelope.answer(message, asked.id, session))
  }

  #onEvent(message: Buffer, sessionId: string | undefined) {
    const client = sessionId === undefined ? this.#own : this.#owners.get(sessionId)
    if (client === undefined) return
    if (Envelope.isOfTargets(message)) {
      if (message.length > limits.target) return
      const event: Targets.TargetEvent = JSON.parse(message.toString("utf8"))
      if (client.filter === undefined) {
        if (event.params.targetInfo !== undefined) this.#targets.note(event.params.targetInfo)
        if (event.method === "Target.targetDestroyed") this.#targets.forget(event.params.targetId ?? "")
      } else if (sessionId === undefined || !client.filter.hear(event, sessionId)) return
    }
    const isBare = client.own !== undefined && sessionId === client.own
    this.#deliver(client, isBare ? Envelope.bare(message, sessionId) : message)
  }

  #join(listener: Listener): Client {
    const client: Client = { listener, own: undefined, filter: undefined, full: false, pending: 0, closed: false }
    this.#clients.add(client)
    return client
  }

  #leave(client: Client): void {
    if (client.closed) return
    client.closed = true
    this.#clients.delete(client)
    for (const [sessionId, owner] of this.#owners) if (owner === client) this.#owners.delete(sessionId)
    for (const [id, { client: asker }] of this.#pending) if (asker === client) this.#pending.delete(id)
    this.#pause()
  }

  #makeConnection(onEvent: (event: Event) => void) {
    const { listener, over } = makeClient(onEvent)
    return {
      listener,
      over: (client: Client) =>
        over(
          (command) => this.#send(client, command),
          () => this.#ended ?? (client.closed ? "the channel is closed" : undefined)
        )
    }
  }

  #filterOf(client: Client): Targets.TargetFilter {
    return Targets.makeTargetFilter(this.#targets, {
      deliver: (event, from) =>
        this.#deliver(client, Buffer.from(JSON.stringify(from === client.own ? event : { ...event, sessionId: from }))),
      admit: (sessionId) => void this.#owners.set(sessionId, client),
      revoke: (sessionId) => void this.#owners.delete(sessionId),
      detach: (sessionId, from) => this.root.tell("Target.detachFromTarget", { sessionId }, from),
      run: (sessionId) => this.root.tell("Runtime.runIfWaitingForDebugger", {}, sessionId)
    })
  }

  #attach(listener: Listener) {
    const method = "Target.attachToBrowserTarget"
    return Effect.acquireRelease(
      this.root.call<{ readonly sessionId: string }>(method).pipe(
        // A browser that hangs must not delay the end of the engine.
        Effect.interruptible,
        Effect.timeoutFail({
          duration: attachTimeout,
          onTimeout: () => new DevtoolsError({ method, reason: "the browser does not answer" })
        }),
        Effect.map(({ sessionId }) => {
          const client = this.#join(listener)
          client.own = sessionId
          client.filter = this.#filterOf(client)
          this.#owners.set(sessionId, client)
          return client
        })
      ),
      (client) =>
        Effect.sync(() => {
          this.#leave(client)
          if (this.#ended === undefined) this.root.tell("Target.detachFromTarget", { sessionId: client.own })
          client.listener.onClose?.("the channel is closed")
        })
    )
  }

  #channelOf(client: Client): Channel {
    const { input } = this.#chromium
    return {
      send: (command) => this.#send(client, command),
      relay: (command) => this.#relay(client, command),
      refuse: (id, reason, sessionId) => this.#deliver(client, refusal(id, reason, sessionId)),
      drained: (then) => void (input.writableNeedDrain ? input.once("drain", safely(then)) : then()),
      resume: () => {
        client.full = false
        this.#pause()
      }
    }
  }
}
