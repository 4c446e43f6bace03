/**
 * Limits the bytes that wait at WebSockets of browser sessions until programs and viewers read them. They count as unread responses of
 * their team.
 *
 * Owns the open connections of each team. When a team's unread bytes exceed its limit, its connection with the most unread bytes is closed
 * with code 1013 and a reason, and terminated half a second later. Meanwhile viewers get one picture at a time. So a peer that does not
 * read loses pictures or its connection, and the engine's memory stays limited. Unread bytes of other teams have no effect.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { WebSocket } from "ws"
import { after } from "../../Callback.ts"
import * as PageMemory from "./PageMemory.ts"

/** Unread bytes are counted in multiples of this number. */
const unit = 256 * 1024

/** Milliseconds between the close frame and the termination of the connection. */
const farewell = 500

/** The methods and properties of a WebSocket that are used here. */
export type Peer = Pick<WebSocket, "bufferedAmount" | "close" | "terminate">

export interface Connection {
  /** Updates the count of unread bytes. Call it after each `send`, and when the callback of `send` is called. */
  readonly count: () => void
  /** True while the team is at its limit: send only what is essential. */
  readonly isFull: () => boolean
  /** Closes the connection with a reason, and terminates it if the peer does not answer. */
  readonly close: (reason: string) => void
}

/** Closes with code 1013, "try again later": the peer made no mistake. */
const closeLater = (ws: Peer, reason: string): void => {
  ws.close(1013, reason)
  after(farewell, () => ws.terminate()).unref()
}

export const make = (room: PageMemory.MemoryPool) => {
  interface Open {
    held: number
    giveBack: () => void
    isClosing: boolean
    readonly ws: Peer
  }
  const teams = new Map<string, Set<Open>>()

  const relieve = (team: string) => {
    let largest: Open | undefined
    for (const one of teams.get(team) ?? []) {
      // The bytes of a connection that is already closing will be released soon.
      if (one.isClosing) return
      if (one.held > (largest?.held ?? 0)) largest = one
    }
    if (largest === undefined) return
    largest.isClosing = true
    closeLater(largest.ws, "Too many bytes for this team are unread, most of them on this connection")
  }

  /** Counts the unread bytes of a connection until the scope closes. */
  const open = (team: string, ws: Peer): Effect.Effect<Connection, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const one: Open = { held: 0, giveBack: () => undefined, isClosing: false, ws }
        const all = teams.get(team) ?? new Set()
        teams.set(team, all.add(one))
        return one
      }),
      (one) =>
        Effect.sync(() => {
          one.giveBack()
          const all = teams.get(team)
          all?.delete(one)
          if (all?.size === 0) teams.delete(team)
        })
    ).pipe(
      Effect.map((one) => ({
        count: () => {
          const held = Math.floor(ws.bufferedAmount / unit) * unit
          if (held === one.held || teams.get(team)?.has(one) !== true) return
          const before = one.giveBack
          // A single large message does not close a connection, because its peer may be reading it.
          const isOverdue = held > one.held && (one.held > 0 || room.isOverUnread(team))
          one.held = held
          one.giveBack = room.reserve(team, held)
          before()
          if (isOverdue && room.isOverUnread(team)) relieve(team)
        },
        isFull: () => room.isOverUnread(team),
        close: (reason) => {
          if (one.isClosing) return
          one.isClosing = true
          closeLater(ws, reason)
        }
      }))
    )

  return { open }
}

/** The connections of an engine. */
export class SocketBacklog extends Effect.Service<SocketBacklog>()("sluice/Engine/Teams/SocketBacklog", {
  effect: Effect.map(PageMemory.PageMemory, make)
}) {}
