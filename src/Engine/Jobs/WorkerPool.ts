/**
 * Worker pool of jobs: leases pages, visits them, commits the results in batches.
 *
 * - Three loops run while the scope is open: `commit` stores results and leases pages, `watch` finds new and ended jobs, and `keepLeases`
 *   renews the leases. A loop that dies is logged and restarted. `dispatch` starts visits whenever something has changed.
 * - A batch that fails is committed page by page, so one bad page fails alone. While the store refuses writes (full disk, long lock), the
 *   commit is retried, and once `maxPending` bytes wait, no more pages are started.
 * - Visits run as promises (`Work`), not in fibers. On interruption, pages that are not committed are queued again.
 */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberMap from "effect/FiberMap"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { nextTurn } from "../../Callback/EventLoop.ts"
import { safely } from "../../Callback.ts"
import * as Hosts from "../Fetch/FairScheduler.ts"
import * as Leases from "../Store/Leases.ts"
import { Sql } from "../Store/Sql.ts"
import { Teams } from "../Teams/FairQueue.ts"
import { asTeam } from "../Teams/TeamScheduler.ts"
import { plainly, seam, start, type Work } from "../Teams/Work.ts"
import { Usage } from "../Usage/Usage.ts"
import { ChangeSignal, committed, work } from "./ChangeSignal.ts"
import { makeDispatch } from "./Dispatch.ts"
import { type CommitResult, Frontier, type JobTurn } from "./Frontier.ts"
import { claimable, hasMaxDepth, readSpec } from "./JobRecord.ts"
import type { Finished } from "./PageOutcome.ts"
import { aheadOf } from "./Pages.ts"
import { commitTurns, noResult, persist } from "./Persist.ts"
import * as ResultBuffer from "./ResultBuffer.ts"
import { PendingResults } from "./ResultBuffer.ts"
import { makeRunning, maxLinksPerJob, type RunningJob } from "./RunningJob.ts"
import * as Seeding from "./Seeding.ts"
import type { Unvisited } from "./Visit.ts"
import * as Visit from "./Visit.ts"

export interface WorkerPoolOptions {
  /** Maximum pages fetched at once, over all jobs. */
  readonly workers: number
  /** Maximum pages fetched at once from one host, over all pools that share `hosts`. */
  readonly perHost: number
  readonly hosts?: Hosts.Hosts | undefined
}

/** Milliseconds that a commit waits for more pages, in general and while a job has no pages left to start. */
const commitDelay = 240
const shortCommitDelay = 15
/** Pages that are looked up in the page cache at once. */
const lookupSize = 32
/** Uncommitted bytes above which no more pages are started. */
const maxPending = 48 * 1024 * 1024
/** Factor by which a job may lease more pages than usual while slow hosts have many of them. */
const maxAside = 4
/** Maximum time that the end of a job waits for uncommitted pages. */
const flushTimeout = Duration.millis(500)

/** Creates the parts of a pool. They close in reverse order, so that visits are cancelled once nothing starts new ones. */
const openParts = Effect.fnUntraced(function* (
  { workers, perHost, hosts = Hosts.makeHosts() }: WorkerPoolOptions,
  startPages: () => number
) {
  const visitor = yield* Visit.make
  const scheduler = new Hosts.FairScheduler(perHost, hosts, { workers, ...(yield* Teams) })
  const committable = yield* Queue.sliding<void>(1)
  return {
    frontier: yield* Frontier,
    changes: yield* ChangeSignal,
    usage: yield* Usage,
    visitor,
    seed: yield* Seeding.make(
      () => committable.unsafeOffer(),
      (job) => plainly<string | undefined, never>((work) => visitor.landingOf(work, job, scheduler.slowDown))
    ),
    /** Name under which pages are leased. */
    owner: yield* Leases.make,
    /** Running visits by `sequence` of their page. All of them end before their leases are released. */
    visits: yield* Effect.acquireRelease(
      Effect.sync(() => new Map<number, { readonly jobId: string; readonly cancel: () => Promise<void> }>()),
      (visits) => Effect.promise(() => Promise.all([...visits.values()].map(({ cancel }) => cancel())))
    ),
    clock: yield* Effect.clock,
    /** Jobs whose sitemaps are being read. */
    seedings: yield* FiberMap.make<string>(),
    /** Jobs whose leased pages are being looked up in the page cache. */
    lookups: yield* FiberMap.make<string>(),
    /** Signals that there may be something to commit. */
    committable,
    scheduler,
    hosts,
    workers,
    dispatch: yield* makeDispatch(startPages)
  }
})

const make = Effect.fnUntraced(function* (options: WorkerPoolOptions) {
  const sql = yield* Sql
  const parts = yield* openParts(options, () => pool.startPages())
  const pool: WorkerPool = new WorkerPool(parts)
  yield* Effect.acquireRelease(
    Effect.sync(() => parts.hosts.listen(pool.member)),
    (forget) => Effect.sync(forget)
  )
  yield* Effect.flatMap(PendingResults, ({ add }) => add(pool.flush))
  const renewal = Effect.zipRight(Leases.renew(sql, parts.owner), Leases.reap(sql))
  const keepLeases = Effect.delay(persist("the renewal of leases", renewal), Duration.millis(Leases.leaseMillis / 3))
  yield* Effect.forEach([pool.commit, pool.watch, keepLeases], (loop) =>
    Effect.forkScoped(Effect.forever(restarted("The worker pool", Effect.asVoid(loop))))
  )
})

class WorkerPool {
  readonly #parts: Effect.Effect.Success<ReturnType<typeof openParts>>
  readonly #running = new Map<string, RunningJob>()
  readonly #buffer = ResultBuffer.make()
  /** Jobs in the batch that is being committed. */
  #committing: ReadonlySet<string> = new Set()
  /** True while `flush` waits for a commit. */
  #isUrgent = false

  constructor(parts: Effect.Effect.Success<ReturnType<typeof openParts>>) {
    this.#parts = parts
  }

  readonly member: Hosts.Member = {
    wake: safely(() => {
      if (this.#running.size > 0) this.#parts.dispatch()
    }),
    mayStart: (host, now, isWanted) =>
      this.#buffer.bytes() < maxPending && this.#parts.scheduler.mayStart(host, now, isWanted)
  }

  /** Starts all pages that may start. Returns the milliseconds until a host's delay ends. */
  startPages(): number {
    const { clock, hosts, scheduler } = this.#parts
    const now = clock.unsafeCurrentTimeMillis()
    let wait = Number.POSITIVE_INFINITY
    let hasBegun = false
    while (this.#buffer.bytes() < maxPending) {
      const next = scheduler.take(now)
      if ("until" in next) {
        wait = next.until - now
        break
      }
      const job = this.#running.get(next.jobId)
      if (job === undefined) scheduler.release(next, now)
      else this.#startVisit(next, job)
      hasBegun = true
    }
    // Other pools may have been waiting for a team of this pool to use its turn at a host.
    if (hasBegun) hosts.wakeAll(this.member)
    return wait
  }

  #startVisit(task: Hosts.StartedPage, job: RunningJob): void {
    const visited = async (work: Work) => {
      await work.inTurn(() => undefined)
      const page = await this.#parts.visitor.visit(work, job, task, this.#parts.scheduler)
      work.check()
      return page
    }
    const cancel = start<Finished, never>(job.seam, visited, (exit) =>
      this.#endVisit(task, Exit.isSuccess(exit) ? exit.value : undefined, job.seam.clock.unsafeCurrentTimeMillis())
    )
    this.#parts.visits.set(task.sequence, { jobId: task.jobId, cancel })
  }

  #endVisit(task: Hosts.StartedPage, page: Finished | undefined, now: number): void {
    const { committable, hosts, scheduler, visits } = this.#parts
    visits.delete(task.sequence)
    if (page?.postponed !== undefined) {
      const isHeld = page.isHeld === true
      if (!isHeld) scheduler.pause(page.url, page.postponed, now)
      const { limited: _limited, sequence: _sequence, team: _team, ...again } = task
      const notBefore = now + scheduler.pauseOf(page.url, now)
      const tries = (task.postponed ?? 0) + (isHeld ? 0 : 1)
      scheduler.add([{ ...again, postponed: tries, leadsTo: page.url, notBefore }])
    } else if (page !== undefined) this.#buffer.add(page)
    scheduler.release(task, now, page?.isUnsent === true)
    hosts.wakeAll()
    committable.unsafeOffer()
  }

  #isLookedUp(jobId: string): boolean {
    return FiberMap.unsafeHas(this.#parts.lookups, jobId)
  }

  /** True while a page of the job is queued here, being fetched, or not yet committed. */
  #isBusy(jobId: string): boolean {
    return (
      this.#parts.scheduler.isBusy(jobId) ||
      this.#isLookedUp(jobId) ||
      this.#committing.has(jobId) ||
      this.#buffer.some(({ task }) => task.jobId === jobId)
    )
  }

  /** Number of pages that the job may lease. Slow hosts that have enough waiting pages are left aside, so that the others have theirs. */
  #roomOf({ id, passed, queued }: RunningJob): Pick<JobTurn, "aside" | "room"> {
    const { clock, scheduler } = this.#parts
    const now = clock.unsafeCurrentTimeMillis()
    const ahead = aheadOf(this.#running.size)
    const hosts = scheduler.crowded(id, now)
    const room = Math.min(ahead - scheduler.waiting(id, hosts), maxAside * ahead - scheduler.waiting(id))
    if (hosts.size === 0) return { room }
    const isCurrent =
      passed !== undefined &&
      (passed.queued === undefined || now - passed.since < Leases.leaseMillis) &&
      [...passed.hosts].every((host) => hosts.has(host))
    if (isCurrent && passed.queued === queued) return { room: 0 }
    return {
      room,
      aside: isCurrent ? { hosts, after: passed.id, since: passed.since } : { hosts, after: 0, since: now }
    }
  }

  /** Jobs that need more leased pages. */
  #needingPages(): ReadonlyArray<RunningJob> {
    const ahead = aheadOf(this.#running.size)
    return [...this.#running.values()].filter(
      (job) => job.hasQueued && !job.isListing && !this.#isLookedUp(job.id) && this.#roomOf(job).room > ahead / 2
    )
  }

  #nextTurns(): ReadonlyArray<JobTurn> {
    const { workers } = this.#parts
    const byJob = Arr.groupBy(this.#buffer.take(), ({ task }) => task.jobId)
    this.#isUrgent = false
    const jobs = new Set(Object.keys(byJob))
    for (const { id } of this.#needingPages()) jobs.add(id)
    return [...jobs].map((jobId) => {
      const finished = byJob[jobId]
      const job = this.#running.get(jobId)
      // Each job has one lookup at a time.
      const lease = job === undefined || this.#isLookedUp(jobId) ? { room: 0 } : this.#roomOf(job)
      // A new job leases few pages at first, because it may be cancelled soon.
      const most = finished === undefined ? workers : 192
      return { ...lease, jobId, finished: finished ?? [], room: Math.max(0, Math.min(lease.room, most)) }
    })
  }

  #leaveJob(jobId: string) {
    return Effect.gen(this, function* () {
      const { changes, hosts, lookups, scheduler, seedings, usage, visits } = this.#parts
      this.#running.delete(jobId)
      scheduler.leave(jobId)
      hosts.wakeAll()
      usage.quota.releasePages(jobId)
      yield* FiberMap.remove(seedings, jobId)
      yield* FiberMap.remove(lookups, jobId)
      // Cancel visits whose results are no longer needed.
      for (const visit of visits.values()) if (visit.jobId === jobId) void visit.cancel()
      yield* changes.notify(jobId)
    })
  }

  /** Looks up leased pages in the page cache. Pages that need no visit are finished at once; the others are queued for their host. */
  #lookUp(job: RunningJob, tasks: ReadonlyArray<Hosts.Task>) {
    const { committable, dispatch, scheduler, visitor } = this.#parts
    return Effect.gen(this, function* () {
      let left = tasks
      while (left.length > 0 && this.#buffer.bytes() < maxPending / 2) {
        const group = left.slice(0, lookupSize)
        const { due, finished } = yield* asTeam(job.team)(
          plainly<Unvisited, never>((work) => visitor.answerUnvisited(work, job, group, scheduler.slowDown))
        )
        left = left.slice(lookupSize)
        for (const page of finished) this.#buffer.add(page)
        scheduler.add(due)
        if (due.length > 0) dispatch()
      }
      // The lookup stops when the buffer is half full; the visits of the remaining pages look them up.
      scheduler.add(left)
    }).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          dispatch()
          committable.unsafeOffer()
        })
      )
    )
  }

  #apply(jobId: string, { job, passed, tasks }: CommitResult, aside: JobTurn["aside"]) {
    return Effect.gen(this, function* () {
      const known = this.#running.get(jobId)
      if (job === undefined || job.status !== "scraping") yield* this.#leaveJob(jobId)
      else if (known !== undefined) {
        known.hasQueued = claimable(job) > 0
        known.queued = job.queued
        if (aside !== undefined && passed !== undefined) {
          const { hosts, since } = aside
          known.passed = { hosts, since, id: passed.id, queued: passed.isLast ? job.queued : undefined }
        }
        if (tasks.length > 0) yield* FiberMap.run(this.#parts.lookups, jobId, this.#lookUp(known, tasks))
      }
      yield* this.#parts.changes.notify(jobId)
    })
  }

  /** Waits until a commit is worthwhile. */
  #waitForBatch(since: number): Effect.Effect<void> {
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const { scheduler } = this.#parts
      // A job without waiting pages needs the links of its uncommitted pages, so the wait is short.
      const isShort = this.#buffer.some(({ task }) => scheduler.waiting(task.jobId) === 0)
      const isReady = this.#buffer.isEmpty() || this.#buffer.isFull() || this.#isUrgent
      return isReady || scheduler.active() === 0 || now - since >= (isShort ? shortCommitDelay : commitDelay)
        ? Effect.void
        : Effect.zipRight(Effect.sleep(Duration.millis(shortCommitDelay)), this.#waitForBatch(since))
    })
  }

  readonly commit = Effect.gen(this, function* () {
    const { changes, committable, dispatch, frontier, owner } = this.#parts
    yield* Queue.take(committable)
    // If the previous commit also took these pages, there is nothing to do until the next page.
    if (this.#buffer.isEmpty() && this.#needingPages().length === 0) return
    yield* Effect.flatMap(Clock.currentTimeMillis, (now) => this.#waitForBatch(now))
    // Let visits that ended in this turn of the event loop add their pages first.
    yield* nextTurn
    const taken = this.#nextTurns()
    if (taken.length === 0) return
    this.#committing = new Set(taken.map(({ jobId }) => jobId))
    const results = yield* commitTurns(frontier, owner, taken).pipe(
      Effect.tap((results) =>
        Effect.forEach(taken, ({ aside, jobId }, at) => this.#apply(jobId, results[at] ?? noResult, aside))
      ),
      Effect.ensuring(
        Effect.sync(() => {
          this.#committing = new Set()
        })
      )
    )
    dispatch()
    // Pages were passed over without finding one to lease, and there are more.
    const isPassing = results.some(({ passed, tasks }) => passed?.isLast === false && tasks.length === 0)
    if (isPassing || !this.#buffer.isEmpty()) committable.unsafeOffer()
    yield* changes.notify(committed)
  })

  /** Commits the pages in the buffer. Does not wait for a batch that is being written, because transactions run one after the other. */
  readonly flush: Effect.Effect<void> = Effect.suspend(() => {
    const { changes, committable } = this.#parts
    const last = this.#buffer.last()
    const rest: Effect.Effect<void> = Effect.flatMap(changes.listen(committed), (done) => {
      if (last === undefined || !this.#buffer.has(last)) return Effect.void
      this.#isUrgent = true
      committable.unsafeOffer()
      return Effect.zipRight(done, rest)
    })
    return Effect.asVoid(Effect.timeoutOption(rest, flushTimeout))
  })

  #join(jobId: string) {
    return Effect.gen(this, function* () {
      const { frontier, scheduler, seedings, workers } = this.#parts
      const maxLinks = () => maxLinksPerJob(this.#running.size)
      const row = yield* frontier.find(jobId)
      if (row === undefined) return
      const keys = row.kind === "crawl" ? yield* frontier.keys(row.id, maxLinks(), hasMaxDepth(readSpec(row))) : []
      const job = makeRunning(row, yield* asTeam(row.team)(seam), keys, maxLinks)
      this.#running.set(row.id, job)
      scheduler.join(row.id, {
        team: row.team,
        maxConcurrency: job.spec.maxConcurrency ?? workers,
        delay: (job.spec.params?.delay ?? 0) * 1000
      })
      const isSeeded = row.seeded !== 0
      if (!isSeeded || job.isListing) yield* FiberMap.run(seedings, row.id, this.#parts.seed(job, isSeeded))
    })
  }

  /** Joins jobs that were started or resumed, and leaves jobs that were ended elsewhere. */
  readonly #findJobs = Effect.gen(this, function* () {
    const { committable, frontier } = this.#parts
    const rows = yield* frontier.open
    const open = new Set(rows.map(({ id }) => id))
    for (const row of rows) {
      const known = this.#running.get(row.id)
      if (known === undefined) {
        yield* Effect.catchAllDefect(this.#join(row.id), (defect) =>
          Effect.logError(`The job ${row.id} cannot be resumed`, defect)
        )
      } else {
        if (claimable(row) > 0) known.hasQueued = true
        known.queued = row.queued
      }
    }
    const missing = [...this.#running.keys()].filter((id) => !open.has(id))
    const ended = new Set(missing.length === 0 ? [] : yield* frontier.ended(missing))
    for (const id of missing) if (ended.has(id) || !this.#isBusy(id)) yield* this.#leaveJob(id)
    committable.unsafeOffer()
  })

  readonly watch = Effect.gen(this, function* () {
    const called = yield* this.#parts.changes.listen(work)
    yield* persist("the search for new jobs", this.#findJobs)
    yield* Effect.timeoutOption(called, Duration.seconds(1))
  })
}

/** Runs the pool while the scope is open. */
export const layer = (options: WorkerPoolOptions) =>
  Layer.provide(Layer.scopedDiscard(make(options)), PendingResults.Default)

/** Logs a defect and continues after a second. */
const restarted = <E>(who: string, loop: Effect.Effect<void, E>) =>
  Effect.catchAllDefect(loop, (defect) =>
    Effect.zipRight(Effect.logError(`${who} failed unexpectedly and continues`, defect), Effect.sleep("1 second"))
  )
