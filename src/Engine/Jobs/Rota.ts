/** Which page is fetched next: fair to teams and their jobs, polite to hosts. Plain data, no effects. */
import type { Host, Hosts, Pace } from "./Hosts.ts"

/** A claimed page. */
export interface Task {
  /** The row of `job_pages`. */
  readonly id: number
  readonly jobId: string
  readonly url: string
  readonly depth: number
  /** When the job came to know it; 0 when that is not known. */
  readonly queued_at: number
  /** Milliseconds from then until it was begun, when there were too many others at once; undefined when there were not. */
  readonly limited?: number | undefined
}

export interface Turn {
  /** Teams take turns before their jobs do. */
  readonly team: string
  /** Pages of the job fetched at once. */
  readonly maxConcurrency: number
  /** Milliseconds between two requests of the job to a host. */
  readonly delay: number
}

interface Place {
  readonly turn: Turn
  readonly hosts: Map<string, Array<Task>>
  /** The job's own pace at a host, when it has one: nobody else's. */
  readonly paces: Map<string, Pace>
  waiting: number
  active: number
  /** When one of its pages last could not begin for the number of those under way. */
  heldAt: number
}

/** Nothing may start now: wait for a finished page, for new ones, or until `until`. */
export interface Wait {
  readonly until: number
}

export interface Rota {
  readonly join: (jobId: string, turn: Turn) => void
  readonly leave: (jobId: string) => void
  /** Pages of the job wait here or are under way. */
  readonly isBusy: (jobId: string) => boolean
  readonly add: (tasks: ReadonlyArray<Task>) => void
  /** Pages of a job that wait here. */
  readonly waiting: (jobId: string) => number
  readonly take: (now: number) => Task | Wait
  readonly release: (task: Task, now: number) => void
  /** A host asks for more time between two requests than the job does. */
  readonly slowDown: (url: string, delay: number, now: number) => void
  readonly active: () => number
  /** No more pages may be under way, whosesoever they are: those that wait do so for that. */
  readonly hold: (now: number) => void
}

/** Beyond so many, hosts that nobody asks any more are forgotten. */
const manyHosts = 5_000

/** Milliseconds without a request after which a site's wish for time is forgotten: its robots.txt, which is read anew, says it again. */
const delayKept = 60 * 60 * 1000

const hostOf = (url: string): string => new URL(url).host

/** `hosts` are those of everybody who asks them with us. */
export const make = (perHost: number, { known: hosts }: Pick<Hosts, "known">): Rota => {
  const jobs = new Map<string, Place>()
  // Maps keep their order: whoever was served moves to the end, the job among its team's and the team among all.
  const teams = new Map<string, Map<string, Place>>()
  let active = 0

  const forgetIdle = (paces: Map<string, Pace>, now: number): void => {
    if (paces.size < manyHosts) return
    for (const [idle, { active, openAt }] of paces) if (active === 0 && openAt <= now) paces.delete(idle)
  }

  const hostState = (name: string, now: number): Host => {
    const found = hosts.get(name)
    if (found !== undefined) {
      if (found.active === 0 && found.openAt < now - delayKept) found.delay = 0
      return found
    }
    forgetIdle(hosts, now)
    const host = { active: 0, openAt: now, delay: 0 }
    hosts.set(name, host)
    return host
  }

  const start = (jobId: string, place: Place, name: string, queue: Array<Task>, task: Task, now: number): Task => {
    const host = hostState(name, now)
    host.active++
    host.openAt = now + host.delay
    if (place.turn.delay > 0) {
      forgetIdle(place.paces, now)
      place.paces.set(name, { active: 1, openAt: now + place.turn.delay })
    }
    place.active++
    place.waiting--
    active++
    place.hosts.delete(name)
    if (queue.length > 0) place.hosts.set(name, queue)
    const { team } = place.turn
    const own = teams.get(team) ?? new Map<string, Place>()
    own.delete(jobId)
    own.set(jobId, place)
    teams.delete(team)
    teams.set(team, own)
    const isHeld = task.queued_at > 0 && place.heldAt >= task.queued_at
    return isHeld ? { ...task, limited: now - task.queued_at } : task
  }

  /** The page of a job that may start now, started; else when that may be. */
  const takeOf = (jobId: string, place: Place, now: number): Task | Wait => {
    let until = Number.POSITIVE_INFINITY
    if (place.waiting === 0) return { until }
    if (place.active >= place.turn.maxConcurrency) {
      place.heldAt = now
      return { until }
    }
    for (const [name, queue] of place.hosts) {
      const host = hostState(name, now)
      const pace = place.paces.get(name)
      if (host.delay === 0 && host.active >= perHost) place.heldAt = now
      if (host.active >= (host.delay > 0 ? 1 : perHost) || (pace?.active ?? 0) > 0) continue
      const openAt = Math.max(host.openAt, pace?.openAt ?? 0)
      if (openAt > now) {
        until = Math.min(until, openAt)
        continue
      }
      const task = queue.shift()
      if (task !== undefined) return start(jobId, place, name, queue, task, now)
    }
    return { until }
  }

  return {
    join: (jobId, turn) => {
      if (jobs.has(jobId)) return
      const place: Place = { turn, hosts: new Map(), paces: new Map(), waiting: 0, active: 0, heldAt: -1 }
      const own = teams.get(turn.team) ?? new Map<string, Place>()
      teams.set(turn.team, own.set(jobId, place))
      jobs.set(jobId, place)
    },
    leave: (jobId) => {
      const team = jobs.get(jobId)?.turn.team ?? ""
      const own = teams.get(team)
      own?.delete(jobId)
      if (own?.size === 0) teams.delete(team)
      jobs.delete(jobId)
    },
    isBusy: (jobId) => {
      const place = jobs.get(jobId)
      return place !== undefined && place.waiting + place.active > 0
    },
    add: (tasks) => {
      for (const task of tasks) {
        const place = jobs.get(task.jobId)
        if (place === undefined) continue
        const name = hostOf(task.url)
        const queue = place.hosts.get(name)
        if (queue === undefined) place.hosts.set(name, [task])
        else queue.push(task)
        place.waiting++
      }
    },
    waiting: (jobId) => jobs.get(jobId)?.waiting ?? 0,
    take: (now) => {
      let until = Number.POSITIVE_INFINITY
      for (const own of teams.values()) {
        for (const [jobId, place] of own) {
          const next = takeOf(jobId, place, now)
          if (!("until" in next)) return next
          until = Math.min(until, next.until)
        }
      }
      return { until }
    },
    release: (task, now) => {
      const name = hostOf(task.url)
      const host = hosts.get(name)
      const place = jobs.get(task.jobId)
      active--
      if (place !== undefined) {
        place.active = Math.max(0, place.active - 1)
        const pace = place.paces.get(name)
        if (pace !== undefined) {
          pace.active = 0
          pace.openAt = now + place.turn.delay
        }
      }
      if (host === undefined) return
      host.active--
      // From answer to request: however slow the way is, the site sees no two requests closer together.
      if (host.delay > 0) host.openAt = now + host.delay
      if (host.active === 0 && host.delay === 0 && host.openAt <= now) hosts.delete(name)
    },
    slowDown: (url, delay, now) => {
      const host = hostState(hostOf(url), now)
      host.delay = Math.max(host.delay, delay)
    },
    active: () => active,
    hold: (now) => {
      for (const place of jobs.values()) if (place.waiting > 0) place.heldAt = now
    }
  }
}
