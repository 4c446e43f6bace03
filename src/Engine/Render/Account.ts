/** What one page may do through the gateway, what it has done, and why it could not. */
import type { Duplex } from "node:stream"
import type { BadRequest, Forbidden, TimedOut, Unprocessable } from "../../Api/Errors.ts"
import { safely } from "../../Callback.ts"

export type Failure = BadRequest | Forbidden | TimedOut | Unprocessable

/** What one page may do. */
export interface Allowance {
  /** Bytes on the wire, both ways together. */
  readonly bytes: number
  /** Connections and plain requests. */
  readonly requests: number
  readonly skipTlsVerification: boolean
  /** Hosts that are not asked at all. */
  readonly isUnwanted: (host: string) => boolean
  /** Called once, when one of them is used up; nothing more goes through then. */
  readonly onSpent: (what: Spent) => void
}

export type Spent = "bytes" | "requests"

/** One page's pass; without one nothing goes through. */
export interface Pass {
  readonly username: string
  readonly password: string
  /** Why something could not be reached: plain requests by their address, tunnels by `host:port`. */
  readonly failures: ReadonlyMap<string, Failure>
  /** What was used up, if anything. */
  readonly spent: () => Spent | undefined
}

/** The gateway's side of a pass. */
export interface Account {
  /** The team that it is opened for. */
  readonly team: string
  readonly allowance: Allowance
  readonly failures: Map<string, Failure>
  readonly sockets: Set<Duplex>
  bytes: number
  requests: number
  spent: Spent | undefined
}

/** Failures that are remembered: a page may name any number of places. */
const maxFailures = 100

/** A connection that brings many requests is held once. */
export const hold = (account: Account, socket: Duplex) => {
  if (account.sockets.has(socket)) return
  account.sockets.add(socket)
  socket.once(
    "close",
    safely(() => account.sockets.delete(socket))
  )
}

const cut = (account: Account, what: Spent) => {
  if (account.spent !== undefined) return
  account.spent = what
  account.allowance.onSpent(what)
  for (const socket of account.sockets) socket.destroy()
}

export const count = (account: Account, bytes: number) => {
  account.bytes += bytes
  if (account.bytes > account.allowance.bytes) cut(account, "bytes")
}

export const portOf = (url: URL): number => Number(url.port) || (url.protocol === "https:" ? 443 : 80)

/** How the failures of tunnels are filed. */
export const placeOf = (url: URL): string => `${url.hostname}:${portOf(url)}`

/** The oldest makes room: where a page goes in the end matters more than what it has loaded on the way. */
export const note = ({ failures }: Account, name: string, failure: Failure) => {
  failures.delete(name)
  const [oldest] = failures.keys()
  if (failures.size >= maxFailures && oldest !== undefined) failures.delete(oldest)
  failures.set(name, failure)
}

/** The status of a request that is not let through; each one counts. */
export const refuse = (account: Account, url: URL): number | undefined => {
  account.requests += 1
  if (account.requests > account.allowance.requests) cut(account, "requests")
  if (account.spent !== undefined || account.allowance.isUnwanted(url.hostname)) return 403
  return undefined
}

/** One that nothing was used of yet. */
export const account = (allowance: Allowance, team: string): Account => ({
  team,
  allowance,
  failures: new Map(),
  sockets: new Set(),
  bytes: 0,
  requests: 0,
  spent: undefined
})
