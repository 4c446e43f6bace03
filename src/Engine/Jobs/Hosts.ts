/** Hosts that pages are fetched from: pace, and requests at once. Shared by all crews of an engine, so that they are polite together. */
import type { Shares } from "../Shares.ts"

export interface Pace {
  active: number
  /** No request before this instant. */
  openAt: number
}

export interface Host {
  /** Requests at once. */
  readonly shares: Shares
  /** No request before this instant. */
  openAt: number
  /** Milliseconds that the site wants between two requests, whoever sends them; then there is one at a time. */
  delay: number
}

/** What one crew tells the others: wake it; does it have a page that may start? */
export interface Member {
  /** Called when a host may be asked again. */
  readonly wake: () => void
  /** Whether it has a page of the host that may start now and belongs to a team that satisfies the predicate. */
  readonly mayStart: (host: string, now: number, isWanted: (team: string) => boolean) => boolean
}

export interface Hosts {
  readonly known: Map<string, Host>
  readonly members: ReadonlySet<Member>
  /** Adds a crew, until the function that it returns is called. */
  readonly listen: (member: Member) => () => void
  /** Wakes all crews, or all but one. */
  readonly tell: (except?: Member) => void
}

export const make = (): Hosts => {
  const members = new Set<Member>()
  return {
    known: new Map(),
    members,
    listen: (member) => {
      members.add(member)
      return () => void members.delete(member)
    },
    tell: (except) => {
      for (const member of members) if (member !== except) member.wake()
    }
  }
}
