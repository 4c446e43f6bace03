/** What every crew of an engine knows of the hosts that it asks: they are polite together, not each for itself (spec 8). */

export interface Pace {
  active: number
  /** No request before this instant. */
  openAt: number
}

export interface Host extends Pace {
  /** What the site asks of everybody. */
  delay: number
}

export interface Hosts {
  readonly known: Map<string, Host>
  /** Told when a host may be asked again, until what is returned is called. */
  readonly listen: (crew: () => void) => () => void
  readonly tell: () => void
}

export const make = (): Hosts => {
  const crews = new Set<() => void>()
  return {
    known: new Map(),
    listen: (crew) => {
      crews.add(crew)
      return () => void crews.delete(crew)
    },
    tell: () => {
      for (const crew of crews) crew()
    }
  }
}
