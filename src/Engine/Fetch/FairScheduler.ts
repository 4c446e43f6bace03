/**
 * Chooses the page to fetch next: fair to teams and their jobs, polite to hosts. Plain data, no effects.
 *
 * A page needs a worker and a request slot of its host. Both are shared between teams by the rules of `FairQueue`. At each host, the team with
 * the fewest running requests is next; among equals, the one served least recently.
 *
 * `Hosts` holds the pace of each host and its running requests; all worker pools of an engine share one.
 */
import type { StoredBefore } from "../PageCache/PageCache.ts"
import * as FairQueue from "../Teams/FairQueue.ts"

/** A page to fetch: one of a job, leased from the store, or the page of a single scrape. */
export interface Task {
  /** The row of `job_pages`. */
  readonly id: number
  readonly jobId: string
  readonly url: string
  readonly depth: number
  /** When the page was queued, in milliseconds since 1970; 0 when unknown. */
  readonly queued_at: number
  /** Random number that decides whether the page is fetched again to verify its stored version; see `RevisitedPage`. */
  readonly draw?: number | undefined
  /** Entries of the page cache, if they were looked up before the page was queued for its host. */
  readonly stored?: StoredBefore | undefined
  /** Milliseconds that the page waited because of a concurrency limit; undefined when it did not. */
  readonly limited?: number | undefined
  /** Number of answers of a site that ask for a later retry. */
  readonly postponed?: number | undefined
  /** Address, of the page or behind its redirect, whose host was paused when the page was last visited. */
  readonly leadsTo?: string | undefined
  /** The page does not wait for a turn at its host before this time. */
  readonly notBefore?: number | undefined
}

/** A page that holds a worker and a request slot until it is released. */
export interface StartedPage extends Task {
  /** Unique, unlike the page's row id, which may be deleted and reused. */
  readonly sequence: number
  readonly team: string
}

export interface JobLimits {
  readonly team: string
  /** Maximum pages of the job fetched at once. */
  readonly maxConcurrency: number
  /** Milliseconds between two requests of the job to a host. */
  readonly delay: number
}

interface JobQueue {
  readonly limits: JobLimits
  readonly hosts: Map<string, Array<Task>>
  /** Pages with a `notBefore` that has not passed, and the earliest of these times. */
  held: ReadonlyArray<Task>
  heldUntil: number
  /** Pace of the job at each host, if the job has a delay of its own. */
  readonly paces: Map<string, Pace>
  waiting: number
  active: number
  /** Last time a page of the job could not start because of a concurrency limit. */
  limitedAt: number
}

/** No page may start now: wait for a finished or a new page, or until the time `until`. */
export interface Wait {
  readonly until: number
}

export interface Options {
  /** Maximum pages fetched at once, over all jobs. */
  readonly workers?: number | undefined
  /** Number of teams with a key, also idle ones, and their weights. */
  readonly teams?: number | undefined
  readonly weights?: ReadonlyMap<string, number> | undefined
}

/** Idle hosts are removed above this number. */
const maxIdleHosts = 5_000

/** Milliseconds without a request after which a host's crawl delay is forgotten: robots.txt is read again by then. */
const delayTtl = 60 * 60 * 1000

/** Shortest and longest delay in milliseconds between two requests to a host that was paused. */
const minPauseDelay = 250
const maxPauseDelay = 4_000

/** Time of the next request to a host. */
const opensAt = ({ openAt, pausedUntil }: Host): number => Math.max(openAt, pausedUntil)

/** Time of what depends on another page or team, or does not happen. */
const never = Number.POSITIVE_INFINITY

/** Number of waiting pages that keeps a slow host busy. */
const crowd = 16

export const hostOf = (url: string): string => new URL(url).host

const isIdle = (host: Host, now: number): boolean => host.shares.active() === 0 && opensAt(host) <= now

/** True if the team may send a request to the host, ignoring whose turn it is. */
const isOpen = (host: Host, team: string, now: number): boolean =>
  opensAt(host) <= now && (host.delay === 0 || host.shares.active() === 0) && host.shares.fits(team)

const forgetIdle = <A>(all: Map<string, A>, isOver: (one: A) => boolean): void => {
  if (all.size < maxIdleHosts) return
  for (const [name, one] of all) if (isOver(one)) all.delete(name)
}

export class FairScheduler {
  readonly #perHost: number
  readonly #hosts: Hosts["known"]
  readonly #members: Hosts["members"]
  readonly #options: Options
  readonly #workers: FairQueue.FairQueue
  readonly #jobs = new Map<string, JobQueue>()
  /** Jobs by team. Maps keep insertion order: the job served last moves to the end. */
  readonly #teams = new Map<string, Map<string, JobQueue>>()
  /** By host and team: jobs with waiting pages. */
  readonly #waitingJobs = new Map<string, Map<string, Set<string>>>()
  #sequence = 0

  /** `perHost`: concurrent requests to one host. */
  constructor(perHost: number, { known, members }: Pick<Hosts, "known" | "members">, options: Options = {}) {
    this.#perHost = perHost
    this.#hosts = known
    this.#members = members
    this.#options = options
    this.#workers = FairQueue.make({ ...options, capacity: options.workers ?? Number.POSITIVE_INFINITY })
  }

  join(jobId: string, limits: JobLimits): void {
    if (this.#jobs.has(jobId)) return
    const counts = { waiting: 0, active: 0, limitedAt: -1 }
    const job: JobQueue = { limits, hosts: new Map(), held: [], heldUntil: never, paces: new Map(), ...counts }
    const ownJobs = this.#teams.get(limits.team) ?? new Map<string, JobQueue>()
    this.#teams.set(limits.team, ownJobs.set(jobId, job))
    this.#jobs.set(jobId, job)
  }

  leave(jobId: string): void {
    const job = this.#jobs.get(jobId)
    const team = job?.limits.team ?? ""
    for (const name of job?.hosts.keys() ?? []) this.#dequeue(name, team, jobId)
    const ownJobs = this.#teams.get(team)
    ownJobs?.delete(jobId)
    if (ownJobs?.size === 0) this.#teams.delete(team)
    this.#jobs.delete(jobId)
  }

  /** Number of pages being fetched. */
  active(): number {
    return this.#workers.active()
  }

  /** True while pages of the job wait here or are being fetched. */
  isBusy(jobId: string): boolean {
    const job = this.#jobs.get(jobId)
    return job !== undefined && job.waiting + job.active > 0
  }

  /** Number of the job's pages that wait here; with `without`, of those that wait for their turn at other hosts than these. */
  waiting(jobId: string, without?: Iterable<string>): number {
    const job = this.#jobs.get(jobId)
    if (job === undefined) return 0
    let waiting = job.waiting - (without === undefined ? 0 : job.held.length)
    for (const name of without ?? []) waiting -= job.hosts.get(name)?.length ?? 0
    return waiting
  }

  /** Hosts with a delay or a pause at which the job has enough waiting pages. */
  crowded(jobId: string, now: number): ReadonlySet<string> {
    const names = new Set<string>()
    const job = this.#jobs.get(jobId)
    for (const [name, { length }] of job?.hosts ?? []) {
      if (length < crowd) continue
      const host = this.#hosts.get(name)
      const isSlow = host !== undefined && (host.delay > 0 || host.pausedUntil > now)
      if (isSlow || (job?.limits.delay ?? 0) > 0) names.add(name)
    }
    return names
  }

  add(tasks: ReadonlyArray<Task>): void {
    for (const task of tasks) {
      const job = this.#jobs.get(task.jobId)
      if (job === undefined) continue
      if (task.notBefore === undefined) this.#enqueue(job, task)
      else {
        job.held = [...job.held, task]
        job.heldUntil = Math.min(job.heldUntil, task.notBefore)
      }
      job.waiting++
    }
  }

  take(now: number): StartedPage | Wait {
    let until = Number.POSITIVE_INFINITY
    for (const [team, ownJobs] of [...this.#teams].sort(([one], [other]) => this.#workers.compare(one, other))) {
      const next = this.#takeOfTeam(team, ownJobs, now)
      if (!("until" in next)) return next
      until = Math.min(until, next.until)
    }
    return { until }
  }

  /** Frees the slots of a page that `take` returned. Call it once per page. If no request was sent (`isUnsent`), no delay starts. */
  release(page: StartedPage, now: number, isUnsent = false): void {
    const { jobId, team } = page
    const name = hostOf(page.url)
    const host = this.#hosts.get(name)
    const job = this.#jobs.get(jobId)
    this.#workers.release(team)
    if (job !== undefined) {
      job.active = Math.max(0, job.active - 1)
      const pace = job.paces.get(name)
      if (pace !== undefined) {
        pace.active = 0
        pace.openAt = isUnsent ? now : now + job.limits.delay
      }
    }
    if (host === undefined) return
    host.shares.release(team)
    // The delay starts when the answer arrives, so a slow network cannot bring two requests closer together at the site.
    if (host.delay > 0) host.openAt = isUnsent ? now : now + host.delay
    if (host.delay === 0 && isIdle(host, now)) this.#hosts.delete(name)
  }

  /** Sets a longer delay between requests to a host, as its robots.txt demands. */
  readonly slowDown = (url: string, delay: number, now: number): void => {
    const host = this.#host(hostOf(url), now)
    host.delay = Math.max(host.delay, delay)
  }

  /**
   * Pauses a host that answered that it is overloaded; after the pause it gets one request at a time, with a longer delay after each pause.
   */
  pause(url: string, millis: number, now: number): void {
    const host = this.#host(hostOf(url), now)
    // Refusals of requests that ran at the same time count once.
    if (host.pausedUntil <= now)
      host.delay = Math.max(host.delay, Math.min(maxPauseDelay, Math.max(minPauseDelay, host.delay * 2)))
    host.pausedUntil = Math.max(host.pausedUntil, now + millis)
  }

  /** Milliseconds until the pause of a host ends; 0 for a host that is not paused. */
  readonly pauseOf = (url: string, now: number): number =>
    Math.max(0, (this.#hosts.get(hostOf(url))?.pausedUntil ?? 0) - now)

  readonly mayStart: Member["mayStart"] = (name, now, isWanted) => {
    const byTeam = this.#waitingJobs.get(name)
    if (byTeam === undefined) return false
    const host = this.#host(name, now)
    for (const [team, ids] of byTeam) {
      if (!isWanted(team) || !this.#workers.fits(team) || !isOpen(host, team, now)) continue
      for (const jobId of ids) {
        const job = this.#jobs.get(jobId)
        if (job === undefined || job.active >= job.limits.maxConcurrency) continue
        const pace = job.paces.get(name)
        if (pace === undefined || (pace.active === 0 && pace.openAt <= now)) return true
      }
    }
    return false
  }

  #enqueue(job: JobQueue, task: Task): void {
    const { team } = job.limits
    const name = hostOf(task.url)
    const queue = job.hosts.get(name)
    if (queue === undefined) job.hosts.set(name, [task])
    else queue.push(task)
    const byTeam = this.#waitingJobs.get(name) ?? new Map<string, Set<string>>()
    const ids = byTeam.get(team) ?? new Set<string>()
    this.#waitingJobs.set(name, byTeam.set(team, ids.add(task.jobId)))
  }

  /** Lets the held pages whose time has come wait for their turn. */
  #enqueueHeld(job: JobQueue, now: number): void {
    const { held } = job
    job.held = held.filter(({ notBefore = 0 }) => notBefore > now)
    job.heldUntil = job.held.reduce((until, { notBefore = 0 }) => Math.min(until, notBefore), never)
    for (const task of held) if ((task.notBefore ?? 0) <= now) this.#enqueue(job, task)
  }

  #dequeue(name: string, team: string, jobId: string): void {
    const byTeam = this.#waitingJobs.get(name)
    const ids = byTeam?.get(team)
    ids?.delete(jobId)
    if (ids?.size === 0) byTeam?.delete(team)
    if (byTeam?.size === 0) this.#waitingJobs.delete(name)
  }

  #host(name: string, now: number): Host {
    const found = this.#hosts.get(name)
    if (found !== undefined) {
      if (found.shares.active() === 0 && opensAt(found) < now - delayTtl) found.delay = 0
      return found
    }
    forgetIdle(this.#hosts, (host) => isIdle(host, now))
    const shares = FairQueue.make({ ...this.#options, capacity: this.#perHost })
    const host = { shares, openAt: now, pausedUntil: 0, delay: 0 }
    this.#hosts.set(name, host)
    return host
  }

  /** Time at which the team may send a request to the host; infinite while that depends on another page or team. */
  #openFor(name: string, team: string, now: number): number {
    const host = this.#host(name, now)
    if (opensAt(host) > now && host.shares.active() === 0) return opensAt(host)
    if (!isOpen(host, team, now)) return Number.POSITIVE_INFINITY
    const isAhead = (other: string) => other !== team && host.shares.compare(other, team) < 0
    if (this.mayStart(name, now, isAhead)) return Number.POSITIVE_INFINITY
    for (const member of this.#members) if (member.mayStart(name, now, isAhead)) return Number.POSITIVE_INFINITY
    return now
  }

  #takeOfTeam(team: string, ownJobs: ReadonlyMap<string, JobQueue>, now: number): StartedPage | Wait {
    let until = Number.POSITIVE_INFINITY
    if (!this.#workers.fits(team)) {
      for (const job of ownJobs.values()) if (job.waiting > 0) job.limitedAt = now
      return { until }
    }
    // Cached: the result is the same for all jobs of the team, and there may be thousands.
    const openTimes = new Map<string, number>()
    const openAtOf = (name: string): number => {
      const openAt = openTimes.get(name) ?? this.#openFor(name, team, now)
      openTimes.set(name, openAt)
      return openAt
    }
    for (const [jobId, job] of ownJobs) {
      const next = this.#takeOf(jobId, job, now, openAtOf)
      if (!("until" in next)) return next
      until = Math.min(until, next.until)
    }
    return { until }
  }

  /** Starts a page of the job if one may start now; else returns when one may. */
  #takeOf(jobId: string, job: JobQueue, now: number, openAtOf: (name: string) => number): StartedPage | Wait {
    if (job.waiting === 0) return { until: never }
    if (job.active >= job.limits.maxConcurrency) {
      job.limitedAt = now
      return { until: never }
    }
    if (job.heldUntil <= now) this.#enqueueHeld(job, now)
    let until = job.heldUntil
    for (const [name, queue] of job.hosts) {
      const pace = job.paces.get(name)
      if ((pace?.active ?? 0) > 0) continue
      const openAt = Math.max(openAtOf(name), pace?.openAt ?? 0)
      if (openAt > now) {
        const { delay, shares } = this.#host(name, now)
        if (delay === 0 && !shares.fits(job.limits.team)) job.limitedAt = now
        until = Math.min(until, openAt)
        continue
      }
      const task = queue.shift()
      if (task !== undefined) return this.#start(jobId, job, name, queue, task, now)
    }
    return { until }
  }

  #start(jobId: string, job: JobQueue, name: string, queue: Array<Task>, task: Task, now: number): StartedPage {
    const { team } = job.limits
    const host = this.#host(name, now)
    host.shares.take(team)
    host.openAt = now + host.delay
    if (job.limits.delay > 0) {
      forgetIdle(job.paces, ({ active, openAt }) => active === 0 && openAt <= now)
      job.paces.set(name, { active: 1, openAt: now + job.limits.delay })
    }
    job.active++
    job.waiting--
    this.#workers.take(team)
    job.hosts.delete(name)
    if (queue.length > 0) job.hosts.set(name, queue)
    else this.#dequeue(name, team, jobId)
    const ownJobs = this.#teams.get(team)
    ownJobs?.delete(jobId)
    ownJobs?.set(jobId, job)
    const started = { ...task, team, sequence: ++this.#sequence }
    const wasLimited = task.queued_at > 0 && job.limitedAt >= task.queued_at
    return wasLimited ? { ...started, limited: now - task.queued_at } : started
  }
}

export interface Pace {
  active: number
  /** No request before this time. */
  openAt: number
}

export interface Host {
  /** Request slots of the host, shared between teams. */
  readonly shares: FairQueue.FairQueue
  /** No request before this time. */
  openAt: number
  /** No request before this time, as the host has answered that it is overloaded. */
  pausedUntil: number
  /** Crawl delay in milliseconds, for all jobs. A host with a crawl delay gets one request at a time. */
  delay: number
}

/** A worker pool, as seen by the other pools that use the same hosts. */
export interface Member {
  /** Called when a host may accept another request. */
  readonly wake: () => void
  /** True if the pool has a page of the host that may start now and whose team satisfies the predicate. */
  readonly mayStart: (host: string, now: number, isWanted: (team: string) => boolean) => boolean
}

export interface Hosts {
  readonly known: Map<string, Host>
  readonly members: ReadonlySet<Member>
  /** Registers a worker pool; the returned function removes it. */
  readonly listen: (member: Member) => () => void
  /** Wakes all worker pools, or all but one. */
  readonly wakeAll: (except?: Member) => void
}

export const makeHosts = (): Hosts => {
  const members = new Set<Member>()
  return {
    known: new Map(),
    members,
    listen: (member) => {
      members.add(member)
      return () => void members.delete(member)
    },
    wakeAll: (except) => {
      for (const member of members) if (member !== except) member.wake()
    }
  }
}
