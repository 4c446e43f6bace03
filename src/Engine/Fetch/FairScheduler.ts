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

/** A claimed page. */
export interface Task {
  /** The row of `job_pages`. */
  readonly id: number
  readonly jobId: string
  readonly url: string
  readonly depth: number
  /** When the page was queued, in milliseconds since 1970; 0 when unknown. */
  readonly queued_at: number
  /** Random number that decides whether the page is visited to check what is known of it; see `RevisitedPage`. */
  readonly draw?: number | undefined
  /** Entries of the page cache, if they were looked up before the page waited for its host. */
  readonly stored?: StoredBefore | undefined
  /** Milliseconds that the page waited because of a concurrency limit; undefined when it did not. */
  readonly limited?: number | undefined
  /** Times that the site has asked to be asked later. */
  readonly postponed?: number | undefined
}

/** A page that holds a worker and a request slot until it is released. */
export interface StartedPage extends Task {
  /** Unique. The page's row id is not: it may be deleted and reused. */
  readonly sequence: number
  readonly team: string
}

export interface JobLimits {
  readonly team: string
  /** Pages of the job fetched at once. */
  readonly maxConcurrency: number
  /** Milliseconds between two requests of the job to a host. */
  readonly delay: number
}

interface JobQueue {
  readonly limits: JobLimits
  readonly hosts: Map<string, Array<Task>>
  /** Pace of the job at each host, if it has a delay of its own. */
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

export interface FairScheduler {
  readonly join: (jobId: string, limits: JobLimits) => void
  readonly leave: (jobId: string) => void
  /** True while pages of the job wait here or are being fetched. */
  readonly isBusy: (jobId: string) => boolean
  readonly add: (tasks: ReadonlyArray<Task>) => void
  /** Number of pages of a job that wait here. */
  readonly waiting: (jobId: string) => number
  readonly take: (now: number) => StartedPage | Wait
  /** Frees the slots of a page that `take` returned. Call it once per page. After one that needed no request no delay begins. */
  readonly release: (page: StartedPage, now: number, isUnsent?: boolean) => void
  /** Sets a longer delay between requests to a host, as its robots.txt demands. */
  readonly slowDown: (url: string, delay: number, now: number) => void
  /** Sends nothing to a host for some milliseconds, and then one request at a time, ever more slowly: it has answered that it is overloaded. */
  readonly pause: (url: string, millis: number, now: number) => void
  readonly active: () => number
  readonly mayStart: Member["mayStart"]
}

export interface Options {
  /** Pages fetched at the same time, for all jobs together. */
  readonly workers?: number | undefined
  /** Number of teams with a key, also idle ones, and their weights. */
  readonly teams?: number | undefined
  readonly weights?: ReadonlyMap<string, number> | undefined
}

/** Above this number of hosts, idle ones are forgotten. */
const maxIdleHosts = 5_000

/** Milliseconds without a request after which a host's crawl delay is forgotten: robots.txt is read again by then. */
const delayTtl = 60 * 60 * 1000

/** Milliseconds between two requests to a host that was paused. */
const minPauseDelay = 250
const maxPauseDelay = 4_000

/** Time of the next request to a host. */
const opensAt = ({ openAt, pausedUntil }: Host): number => Math.max(openAt, pausedUntil)

const hostOf = (url: string): string => new URL(url).host

/** `perHost`: concurrent requests to one host. */
export const make = (
  perHost: number,
  { known: hosts, members }: Pick<Hosts, "known" | "members">,
  { workers: capacity = Number.POSITIVE_INFINITY, ...teamsOfEngine }: Options = {}
): FairScheduler => {
  const jobs = new Map<string, JobQueue>()
  // Maps keep insertion order: the job served last moves to the end.
  const teams = new Map<string, Map<string, JobQueue>>()
  /** By host and team: jobs with waiting pages. */
  const waitingJobs = new Map<string, Map<string, Set<string>>>()
  let sequence = 0
  const workers = FairQueue.make({ capacity, ...teamsOfEngine })

  const enqueue = (name: string, team: string, jobId: string): void => {
    const byTeam = waitingJobs.get(name) ?? new Map<string, Set<string>>()
    const ids = byTeam.get(team) ?? new Set<string>()
    waitingJobs.set(name, byTeam.set(team, ids.add(jobId)))
  }

  const dequeue = (name: string, team: string, jobId: string): void => {
    const byTeam = waitingJobs.get(name)
    const ids = byTeam?.get(team)
    ids?.delete(jobId)
    if (ids?.size === 0) byTeam?.delete(team)
    if (byTeam?.size === 0) waitingJobs.delete(name)
  }

  const isIdle = (host: Host, now: number): boolean => host.shares.active() === 0 && opensAt(host) <= now

  const forgetIdle = <A>(all: Map<string, A>, isOver: (one: A) => boolean): void => {
    if (all.size < maxIdleHosts) return
    for (const [name, one] of all) if (isOver(one)) all.delete(name)
  }

  const hostState = (name: string, now: number): Host => {
    const found = hosts.get(name)
    if (found !== undefined) {
      if (found.shares.active() === 0 && opensAt(found) < now - delayTtl) found.delay = 0
      return found
    }
    forgetIdle(hosts, (host) => isIdle(host, now))
    const host = {
      shares: FairQueue.make({ capacity: perHost, ...teamsOfEngine }),
      openAt: now,
      pausedUntil: 0,
      delay: 0
    }
    hosts.set(name, host)
    return host
  }

  /** True if the team may send a request to the host, ignoring whose turn it is. */
  const isOpen = (host: Host, team: string, now: number): boolean =>
    opensAt(host) <= now && (host.delay === 0 || host.shares.active() === 0) && host.shares.fits(team)

  const mayStart: Member["mayStart"] = (name, now, isWanted) => {
    const byTeam = waitingJobs.get(name)
    if (byTeam === undefined) return false
    const host = hostState(name, now)
    for (const [team, ids] of byTeam) {
      if (!isWanted(team) || !workers.fits(team) || !isOpen(host, team, now)) continue
      for (const jobId of ids) {
        const job = jobs.get(jobId)
        if (job === undefined || job.active >= job.limits.maxConcurrency) continue
        const pace = job.paces.get(name)
        if (pace === undefined || (pace.active === 0 && pace.openAt <= now)) return true
      }
    }
    return false
  }

  /** Time at which the team may send a request to the host; infinite while it depends on another page or team. */
  const openFor = (name: string, team: string, now: number): number => {
    const host = hostState(name, now)
    if (opensAt(host) > now && host.shares.active() === 0) return opensAt(host)
    if (!isOpen(host, team, now)) return Number.POSITIVE_INFINITY
    const isAhead = (other: string) => other !== team && host.shares.compare(other, team) < 0
    if (mayStart(name, now, isAhead)) return Number.POSITIVE_INFINITY
    for (const member of members) if (member.mayStart(name, now, isAhead)) return Number.POSITIVE_INFINITY
    return now
  }

  const start = (
    jobId: string,
    job: JobQueue,
    name: string,
    queue: Array<Task>,
    task: Task,
    now: number
  ): StartedPage => {
    const { team } = job.limits
    const host = hostState(name, now)
    host.shares.take(team)
    host.openAt = now + host.delay
    if (job.limits.delay > 0) {
      forgetIdle(job.paces, ({ active, openAt }) => active === 0 && openAt <= now)
      job.paces.set(name, { active: 1, openAt: now + job.limits.delay })
    }
    job.active++
    job.waiting--
    workers.take(team)
    job.hosts.delete(name)
    if (queue.length > 0) job.hosts.set(name, queue)
    else dequeue(name, team, jobId)
    const ownJobs = teams.get(team)
    ownJobs?.delete(jobId)
    ownJobs?.set(jobId, job)
    const wasLimited = task.queued_at > 0 && job.limitedAt >= task.queued_at
    const started = { ...task, team, sequence: ++sequence }
    return wasLimited ? { ...started, limited: now - task.queued_at } : started
  }

  /** Starts a page of the job if one may start now; else returns when that will be. */
  const takeOf = (
    jobId: string,
    job: JobQueue,
    now: number,
    openAtOf: (name: string) => number
  ): StartedPage | Wait => {
    let until = Number.POSITIVE_INFINITY
    if (job.waiting === 0) return { until }
    if (job.active >= job.limits.maxConcurrency) {
      job.limitedAt = now
      return { until }
    }
    for (const [name, queue] of job.hosts) {
      const pace = job.paces.get(name)
      if ((pace?.active ?? 0) > 0) continue
      const openAt = Math.max(openAtOf(name), pace?.openAt ?? 0)
      if (openAt > now) {
        const { delay, shares } = hostState(name, now)
        if (delay === 0 && !shares.fits(job.limits.team)) job.limitedAt = now
        until = Math.min(until, openAt)
        continue
      }
      const task = queue.shift()
      if (task !== undefined) return start(jobId, job, name, queue, task, now)
    }
    return { until }
  }

  const takeOfTeam = (team: string, ownJobs: ReadonlyMap<string, JobQueue>, now: number): StartedPage | Wait => {
    let until = Number.POSITIVE_INFINITY
    if (!workers.fits(team)) {
      for (const job of ownJobs.values()) if (job.waiting > 0) job.limitedAt = now
      return { until }
    }
    // Cached: the result is the same for all jobs of the team, and there may be thousands.
    const openTimes = new Map<string, number>()
    const openAtOf = (name: string): number => {
      const openAt = openTimes.get(name) ?? openFor(name, team, now)
      openTimes.set(name, openAt)
      return openAt
    }
    for (const [jobId, job] of ownJobs) {
      const next = takeOf(jobId, job, now, openAtOf)
      if (!("until" in next)) return next
      until = Math.min(until, next.until)
    }
    return { until }
  }

  return {
    join: (jobId, limits) => {
      if (jobs.has(jobId)) return
      const job: JobQueue = { limits, hosts: new Map(), paces: new Map(), waiting: 0, active: 0, limitedAt: -1 }
      const ownJobs = teams.get(limits.team) ?? new Map<string, JobQueue>()
      teams.set(limits.team, ownJobs.set(jobId, job))
      jobs.set(jobId, job)
    },
    leave: (jobId) => {
      const job = jobs.get(jobId)
      const team = job?.limits.team ?? ""
      for (const name of job?.hosts.keys() ?? []) dequeue(name, team, jobId)
      const ownJobs = teams.get(team)
      ownJobs?.delete(jobId)
      if (ownJobs?.size === 0) teams.delete(team)
      jobs.delete(jobId)
    },
    isBusy: (jobId) => {
      const job = jobs.get(jobId)
      return job !== undefined && job.waiting + job.active > 0
    },
    add: (tasks) => {
      for (const task of tasks) {
        const job = jobs.get(task.jobId)
        if (job === undefined) continue
        const name = hostOf(task.url)
        const queue = job.hosts.get(name)
        if (queue === undefined) job.hosts.set(name, [task])
        else queue.push(task)
        enqueue(name, job.limits.team, task.jobId)
        job.waiting++
      }
    },
    waiting: (jobId) => jobs.get(jobId)?.waiting ?? 0,
    take: (now) => {
      let until = Number.POSITIVE_INFINITY
      for (const [team, ownJobs] of [...teams].sort(([one], [other]) => workers.compare(one, other))) {
        const next = takeOfTeam(team, ownJobs, now)
        if (!("until" in next)) return next
        until = Math.min(until, next.until)
      }
      return { until }
    },
    release: ({ jobId, team, url }, now, isUnsent = false) => {
      const name = hostOf(url)
      const host = hosts.get(name)
      const job = jobs.get(jobId)
      workers.release(team)
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
      // The delay runs from the answer to the next request, so a slow network cannot bring two requests closer together at the site.
      if (host.delay > 0) host.openAt = isUnsent ? now : now + host.delay
      if (host.delay === 0 && isIdle(host, now)) hosts.delete(name)
    },
    slowDown: (url, delay, now) => {
      const host = hostState(hostOf(url), now)
      host.delay = Math.max(host.delay, delay)
    },
    pause: (url, millis, now) => {
      const host = hostState(hostOf(url), now)
      // Refusals of requests that ran at the same time count once.
      if (host.pausedUntil <= now)
        host.delay = Math.max(host.delay, Math.min(maxPauseDelay, Math.max(minPauseDelay, host.delay * 2)))
      host.pausedUntil = Math.max(host.pausedUntil, now + millis)
    },
    active: workers.active,
    mayStart
  }
}

export interface Pace {
  active: number
  /** No request before this time. */
  openAt: number
}

export interface Host {
  /** Concurrent requests. */
  readonly shares: FairQueue.FairQueue
  /** No request before this time. */
  openAt: number
  /** No request before this time, as the host has answered that it is overloaded. */
  pausedUntil: number
  /** Crawl delay in milliseconds, for all jobs. A host with one gets one request at a time. */
  delay: number
}

/** A worker pool, as the other pools on the same hosts see it. */
export interface Member {
  /** Called when a host may accept another request. */
  readonly wake: () => void
  /** True if it has a page of the host that may start now, of a team that satisfies the predicate. */
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
