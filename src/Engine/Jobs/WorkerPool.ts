/**
 * Worker pool of jobs: leases pages, visits them, commits the results in batches.
 *
 * - Three loops run for as long as the scope is open: `commit` stores results and leases pages, `watch` finds new and ended jobs, and
 *   `keepLeases` renews the leases. A loop that dies is logged and restarted. `dispatch` starts visits whenever something has changed.
 * - A batch that fails is committed page by page, so one bad page fails alone. While the store refuses writes (full disk, long lock), the
 *   commit is retried and, once `maxPending` bytes wait, no page is started.
 * - Visits are plain work (`Work`). On interruption, pages that are not committed are queued again.
 */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberMap from "effect/FiberMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import type { NotFollowed } from "../../Api/NotFollowed.ts"
import { nextTurn } from "../../Callback/EventLoop.ts"
import { safely } from "../../Callback.ts"
import * as Hosts from "../Fetch/FairScheduler.ts"
import { Proxies } from "../Fetch/Proxies.ts"
import { Robots } from "../Fetch/Robots.ts"
import * as Route from "../Scrape/Route.ts"
import { Sitemap } from "../Scrape/Sitemap.ts"
import * as Leases from "../Store/Leases.ts"
import { Sql } from "../Store/Sql.ts"
import { Teams } from "../Teams/FairQueue.ts"
import { asTeam, turnsOf } from "../Teams/TeamScheduler.ts"
import { maxTimer, plainly, seam, start, type Work } from "../Teams/Work.ts"
import { Usage } from "../Usage/Usage.ts"
import { ChangeSignal, committed, work } from "./ChangeSignal.ts"
import { type CommitResult, Frontier, type JobTurn, type Seeds } from "./Frontier.ts"
import { claimable } from "./JobRecord.ts"
import { crashed, type Finished } from "./PageOutcome.ts"
import { aheadOf } from "./Pages.ts"
import * as ResultBuffer from "./ResultBuffer.ts"
import { PendingResults } from "./ResultBuffer.ts"
import type { RunningJob, Unvisited } from "./Visit.ts"
import * as Visit from "./Visit.ts"

export interface WorkerPoolOptions {
  /** Pages fetched at once, all jobs together. */
  readonly workers: number
  /** Pages fetched at once from one host, by all pools that share `hosts`. */
  readonly perHost: number
  readonly hosts?: Hosts.Hosts | undefined
}

/** Milliseconds that a commit waits for more pages, in general and while a job has no pages left to start. */
const commitDelay = 240
const shortCommitDelay = 15
/** Pages that are looked up at once. */
const lookupSize = 32
/** Uncommitted bytes above which no page is started. */
const maxPending = 48 * 1024 * 1024
/** Maximum time that the end of a job waits for uncommitted pages. */
const flushTimeout = Duration.millis(500)

const make = Effect.fnUntraced(function* ({ workers, perHost, hosts = Hosts.makeHosts() }: WorkerPoolOptions) {
  const sql = yield* Sql
  const frontier = yield* Frontier
  const changes = yield* ChangeSignal
  const usage = yield* Usage
  const { answerUnvisited, visit } = yield* Visit.make
  const seeds = yield* makeSeeds
  const owner = yield* Leases.make
  const clock = yield* Effect.clock
  const scheduler = Hosts.make(perHost, hosts, { workers, ...(yield* Teams) })
  const running = new Map<string, Visit.RunningJob>()
  const commitTurns = makeCommit(frontier, owner)
  /** Functions that cancel the running visits, by the page's `sequence`. */
  const visits = new Map<number, () => Promise<void>>()
  yield* Effect.addFinalizer(() => Effect.promise(() => Promise.all([...visits.values()].map((cancel) => cancel()))))
  const seedings = yield* FiberMap.make<string>()
  /** Jobs whose leased pages are being looked up in the page cache. */
  const lookups = yield* FiberMap.make<string>()
  const committable = yield* Queue.sliding<void>(1)
  const buffer = ResultBuffer.make()
  const dispatch = yield* makeDispatch(() => startPages())
  const member: Hosts.Member = {
    wake: safely(() => {
      if (running.size > 0) dispatch()
    }),
    mayStart: (host, now, isWanted) => buffer.bytes() < maxPending && scheduler.mayStart(host, now, isWanted)
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => hosts.listen(member)),
    (forget) => Effect.sync(forget)
  )
  let isUrgent = false
  /** Jobs in the batch that is being committed. */
  let committing: ReadonlySet<string> = new Set()
  /** Job ids of the running visits, by the page's `sequence`. */
  const visiting = new Map<number, string>()

  const startVisit = (task: Hosts.StartedPage, job: Visit.RunningJob) => {
    const end = (exit: Exit.Exit<Finished, never>, now: number) => {
      visits.delete(task.sequence)
      visiting.delete(task.sequence)
      const page = Exit.isSuccess(exit) ? exit.value : undefined
      if (page?.postponed !== undefined) {
        scheduler.pause(task.url, page.postponed, now)
        const { limited: _limited, sequence: _sequence, team: _team, ...again } = task
        scheduler.add([{ ...again, postponed: (task.postponed ?? 0) + 1 }])
      } else if (page !== undefined) buffer.add(page)
      scheduler.release(task, now, page?.isUnsent === true)
      hosts.wakeAll()
      committable.unsafeOffer()
    }
    const visited = async (work: Work) => {
      await work.inTurn(() => undefined)
      const page = await visit(work, job, task, scheduler.slowDown)
      work.check()
      return page
    }
    visiting.set(task.sequence, task.jobId)
    const cancel = start<Finished, never>(job.seam, visited, (exit) =>
      end(exit, job.seam.clock.unsafeCurrentTimeMillis())
    )
    visits.set(task.sequence, cancel)
  }

  /** Starts all pages that may start. Returns the milliseconds until a host's delay ends. */
  const startPages = (): number => {
    const now = clock.unsafeCurrentTimeMillis()
    let wait = Number.POSITIVE_INFINITY
    let hasBegun = false
    while (buffer.bytes() < maxPending) {
      const next = scheduler.take(now)
      if ("until" in next) {
        wait = next.until - now
        break
      }
      const job = running.get(next.jobId)
      if (job === undefined) scheduler.release(next, now)
      else startVisit(next, job)
      hasBegun = true
    }
    // Other pools may have waited for a team of this one to take its turn at a host.
    if (hasBegun) hosts.wakeAll(member)
    return wait
  }

  /** Jobs that need more leased pages. */
  const needingPages = () => {
    const ahead = aheadOf(running.size)
    return [...running.values()].filter(
      ({ hasQueued, id, isListing }) =>
        hasQueued && !isListing && !FiberMap.unsafeHas(lookups, id) && scheduler.waiting(id) < ahead / 2
    )
  }

  const nextTurns = (): ReadonlyArray<JobTurn> => {
    const byJob = Arr.groupBy(buffer.take(), ({ task }) => task.jobId)
    isUrgent = false
    const jobs = new Set(Object.keys(byJob))
    for (const { id } of needingPages()) jobs.add(id)
    return [...jobs].map((jobId) => ({
      jobId,
      finished: byJob[jobId] ?? [],
      // A new job leases few pages at first, since it may be cancelled soon. There is one lookup of a job at a time.
      room:
        running.has(jobId) && !FiberMap.unsafeHas(lookups, jobId)
          ? Math.max(
              0,
              Math.min(aheadOf(running.size) - scheduler.waiting(jobId), byJob[jobId] === undefined ? workers : 192)
            )
          : 0
    }))
  }

  const leaveJob = (jobId: string) =>
    Effect.gen(function* () {
      running.delete(jobId)
      scheduler.leave(jobId)
      hosts.wakeAll()
      usage.quota.releasePages(jobId)
      yield* FiberMap.remove(seedings, jobId)
      yield* FiberMap.remove(lookups, jobId)
      // Interrupts visits whose result is not needed.
      for (const [sequence, owner] of visiting) if (owner === jobId) void visits.get(sequence)?.()
      yield* changes.notify(jobId)
    })

  /** Looks leased pages up in the page cache: those that need no visit are answered, the others wait for their host. */
  const lookUp = (job: Visit.RunningJob, tasks: ReadonlyArray<Hosts.Task>) =>
    Effect.gen(function* () {
      let left = tasks
      while (left.length > 0 && buffer.bytes() < maxPending / 2) {
        const group = left.slice(0, lookupSize)
        const { due, finished } = yield* asTeam(job.team)(
          plainly<Unvisited, never>((work) => answerUnvisited(work, job, group, scheduler.slowDown))
        )
        left = left.slice(lookupSize)
        for (const page of finished) buffer.add(page)
        scheduler.add(due)
        if (due.length > 0) dispatch()
      }
      // These are looked up again by their visits, which wait while the buffer is full.
      scheduler.add(left)
    }).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          dispatch()
          committable.unsafeOffer()
        })
      )
    )

  const apply = (jobId: string, { job, tasks }: CommitResult) =>
    Effect.gen(function* () {
      const known = running.get(jobId)
      if (job === undefined || job.status !== "scraping") yield* leaveJob(jobId)
      else if (known !== undefined) {
        known.hasQueued = claimable(job) > 0
        if (tasks.length > 0) yield* FiberMap.run(lookups, jobId, lookUp(known, tasks))
      }
      yield* changes.notify(jobId)
    })

  /** Waits until a commit is worthwhile. */
  const waitForBatch = (since: number): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      // A job without waiting pages needs the links of its uncommitted pages.
      const isShort = buffer.some(({ task }) => scheduler.waiting(task.jobId) === 0)
      const isReady = buffer.isEmpty() || buffer.isFull() || isUrgent
      return isReady || scheduler.active() === 0 || now - since >= (isShort ? shortCommitDelay : commitDelay)
        ? Effect.void
        : Effect.zipRight(Effect.sleep(Duration.millis(shortCommitDelay)), waitForBatch(since))
    })

  const commit = Effect.gen(function* () {
    yield* Queue.take(committable)
    // The previous commit took these pages too; the next page starts a new batch.
    if (buffer.isEmpty() && needingPages().length === 0) return
    yield* Effect.flatMap(Clock.currentTimeMillis, waitForBatch)
    // Let visits that ended in this turn of the event loop add their pages.
    yield* nextTurn
    const taken = nextTurns()
    if (taken.length === 0) return
    committing = new Set(taken.map(({ jobId }) => jobId))
    yield* commitTurns(taken).pipe(
      Effect.flatMap((results) => Effect.forEach(taken, ({ jobId }, at) => apply(jobId, results[at] ?? noResult))),
      Effect.ensuring(
        Effect.sync(() => {
          committing = new Set()
        })
      )
    )
    dispatch()
    if (!buffer.isEmpty()) committable.unsafeOffer()
    yield* changes.notify(committed)
  })

  /** Commits the pages that are buffered now. Does not wait for a batch that is being written: transactions run one after the other. */
  const flush: Effect.Effect<void> = Effect.suspend(() => {
    const last = buffer.last()
    const rest: Effect.Effect<void> = Effect.flatMap(changes.listen(committed), (done) => {
      if (last === undefined || !buffer.has(last)) return Effect.void
      isUrgent = true
      committable.unsafeOffer()
      return Effect.zipRight(done, rest)
    })
    return Effect.asVoid(Effect.timeoutOption(rest, flushTimeout))
  })
  yield* Effect.flatMap(PendingResults, ({ add }) => add(flush))

  const readSitemaps = (job: Visit.RunningJob) =>
    Effect.ensuring(
      seeds(job),
      Effect.sync(() => {
        job.isListing = false
        committable.unsafeOffer()
      })
    )

  const seed = (job: Visit.RunningJob) =>
    readSitemaps(job).pipe(
      Effect.flatMap((seeds) => persist("the pages of a sitemap", frontier.seed(job.id, seeds))),
      Effect.catchAllDefect(() =>
        persist("a job without a sitemap", frontier.seed(job.id, { ...none, isWhole: false }))
      ),
      Effect.zipRight(changes.notify(job.id)),
      Effect.zipRight(changes.notify(work)),
      asTeam(job.team)
    )

  const maxLinks = () => Visit.maxLinksPerJob(running.size)
  const join = (jobId: string) =>
    Effect.gen(function* () {
      const row = yield* frontier.find(jobId)
      if (row === undefined) return
      const keys = row.kind === "crawl" ? yield* frontier.keys(row.id, maxLinks()) : []
      const job = Visit.run(row, yield* asTeam(row.team)(seam), keys, maxLinks)
      running.set(row.id, job)
      scheduler.join(row.id, {
        team: row.team,
        maxConcurrency: job.spec.maxConcurrency ?? workers,
        delay: (job.spec.params?.delay ?? 0) * 1000
      })
      if (row.seeded === 0) yield* FiberMap.run(seedings, row.id, seed(job))
      else if (job.isListing) {
        yield* FiberMap.run(
          seedings,
          row.id,
          asTeam(job.team)(Effect.catchAllDefect(readSitemaps(job), () => Effect.void))
        )
      }
    })

  /** True while a page of the job waits here, is being fetched, or is not committed yet. */
  const isBusy = (id: string) =>
    scheduler.isBusy(id) ||
    FiberMap.unsafeHas(lookups, id) ||
    committing.has(id) ||
    buffer.some(({ task }) => task.jobId === id)

  /** Joins jobs that were started or resumed, and leaves those that were ended elsewhere. */
  const findJobs = Effect.gen(function* () {
    const rows = yield* frontier.open
    const open = new Set(rows.map(({ id }) => id))
    for (const row of rows) {
      const known = running.get(row.id)
      if (known === undefined) {
        yield* Effect.catchAllDefect(join(row.id), (defect) =>
          Effect.logError(`The job ${row.id} cannot be resumed`, defect)
        )
      } else if (claimable(row) > 0) known.hasQueued = true
    }
    const missing = [...running.keys()].filter((id) => !open.has(id))
    const ended = new Set(missing.length === 0 ? [] : yield* frontier.ended(missing))
    for (const id of missing) if (ended.has(id) || !isBusy(id)) yield* leaveJob(id)
    committable.unsafeOffer()
  })

  const watch = Effect.gen(function* () {
    const called = yield* changes.listen(work)
    yield* persist("the search for new jobs", findJobs)
    yield* Effect.timeoutOption(called, Duration.seconds(1))
  })

  const keepLeases = persist("the renewal of leases", Effect.zipRight(Leases.renew(sql, owner), Leases.reap(sql))).pipe(
    Effect.delay(Duration.millis(Leases.leaseMillis / 3))
  )

  yield* Effect.forEach([commit, watch, keepLeases], (loop) =>
    Effect.forkScoped(Effect.forever(restarted("The worker pool", Effect.asVoid(loop))))
  )
})

/** Milliseconds after which pages are started again when that has failed. */
const restartDelay = 1_000

/**
 * Returns a function that calls `startPages` in the engine's next turn at the event loop, once for all calls before it, and again after the
 * milliseconds that it returns. Plain code: every page that ends calls it. Nothing is started once the scope is closed.
 */
const makeDispatch = Effect.fnUntraced(function* (startPages: () => number) {
  const turns = yield* turnsOf("")
  let isOpen = true
  /** True from a call on until pages are started, and after a failure until it is time to try again. */
  let isDue = false
  let timer: NodeJS.Timeout | undefined
  const later = (millis: number) => {
    if (!isOpen || !Number.isFinite(millis)) return
    clearTimeout(timer)
    const again = () => {
      isDue = false
      dispatch()
    }
    timer = setTimeout(safely(again), Math.min(Math.max(1, millis), maxTimer))
  }
  const run = safely(
    () => {
      const millis = isOpen ? startPages() : Number.POSITIVE_INFINITY
      isDue = false
      later(millis)
    },
    () => later(restartDelay)
  )
  const dispatch = () => {
    if (isDue || !isOpen) return
    isDue = true
    turns(run)
  }
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      isOpen = false
      clearTimeout(timer)
    })
  )
  return dispatch
})

/** Runs for as long as the scope is open. */
export const layer = (options: WorkerPoolOptions) =>
  Layer.provide(Layer.scopedDiscard(make(options)), PendingResults.Default)

/** Result for a job that is no longer worked on here. */
export const noResult: CommitResult = { job: undefined, tasks: [] }

/** Commits under a lease owner, and retries until the store accepts it. */
export const makeCommit = (
  frontier: Pick<Frontier, "commit">,
  owner: string
): ((nextTurns: ReadonlyArray<JobTurn>) => Effect.Effect<ReadonlyArray<CommitResult>>) => {
  const commitAll = (nextTurns: ReadonlyArray<JobTurn>) =>
    persist("a batch of results", frontier.commit(owner, nextTurns))

  /** Commits page by page after the batch failed; a page that fails alone is recorded as crashed. */
  const commitEach = ({ jobId, finished, room }: JobTurn) => {
    const commitOne = (turn: Omit<JobTurn, "jobId">) => commitAll([{ jobId, ...turn }])
    return Effect.forEach(
      finished,
      (page) =>
        Effect.catchAllDefect(commitOne({ finished: [page], room: 0 }), () =>
          commitOne({ finished: [crashed(page.task)], room: 0 })
        ),
      { discard: true }
    ).pipe(
      Effect.zipRight(commitOne({ finished: [], room })),
      Effect.map((results) => results[0] ?? noResult),
      // `findJobs` joins the job again.
      Effect.catchAllDefect(() => Effect.succeed(noResult))
    )
  }

  return (nextTurns) => Effect.catchAllDefect(commitAll(nextTurns), () => Effect.forEach(nextTurns, commitEach))
}

/** True for defects of our own code, which a retry does not fix. An error of the store is retried. */
const isFault = (cause: Cause.Cause<unknown>): boolean =>
  Chunk.some(Cause.defects(cause), (defect) => !Predicate.isTagged(defect, "StoreError"))

const retryPolicy = Schedule.exponential("200 millis").pipe(Schedule.union(Schedule.spaced("5 seconds")))

/** Retries until the store accepts the write; dies of a defect of our own. */
export const persist = <A, E>(what: string, effect: Effect.Effect<A, E>): Effect.Effect<A> =>
  effect.pipe(
    Effect.sandbox,
    Effect.tapError((cause) => Effect.logError(`The store did not accept ${what}`, cause)),
    Effect.retry({ schedule: retryPolicy, until: (cause) => Cause.isInterrupted(cause) || isFault(cause) }),
    Effect.catchAll((cause) => (Cause.isInterruptedOnly(cause) ? Effect.interrupt : Effect.die(Cause.squash(cause))))
  )

/** Logs a defect and continues after a second. */
export const restarted = <E>(who: string, loop: Effect.Effect<void, E>) =>
  Effect.catchAllDefect(loop, (defect) =>
    Effect.zipRight(Effect.logError(`${who} failed unexpectedly and continues`, defect), Effect.sleep("1 second"))
  )

/** Maximum URLs read from sitemaps: more than the limit of the crawl, since the rule excludes some. */
const maxSitemapUrls = (limit: number): number => Math.min(100_000, limit * 10 + 1000)

const none: Seeds = { found: [], isWhole: true, notFollowed: {} }

/** Returns the pages of the sitemaps that the rule allows. They have depth 0. */
export const makeSeeds = Effect.map(
  Effect.all([Robots, Sitemap, Proxies]),
  ([robots, sitemap, proxies]) =>
    ({ listed, url, rule, spec: { options, params, revisit } }: RunningJob): Effect.Effect<Seeds> =>
      Effect.gen(function* () {
        if (rule === undefined || params === undefined) return none
        if (options.lockdown || options.minAge !== undefined) return none
        const { origin } = new URL(url)
        const route = yield* Effect.option(Effect.provideService(Route.read(options), Proxies, proxies))
        if (Option.isNone(route)) return { ...none, isWhole: false }
        const { proxy, session } = route.value
        const { skipTlsVerification } = options
        const { sitemaps } = yield* robots.load(origin, params.robotsUserAgent, { skipTlsVerification, pool: proxy })
        const { ages, isWhole, urls } = yield* sitemap.urls(origin, sitemaps, {
          limit: maxSitemapUrls(params.limit),
          userAgent: params.robotsUserAgent,
          skipTlsVerification,
          proxy,
          session
        })
        const notFollowed: NotFollowed = {}
        const found = urls.flatMap((href) => {
          const decision = rule.decide(href, 0)
          if (decision._tag === "Leave") {
            if (params.sitemap === "only") Visit.countLeft(notFollowed, decision.reason)
            return []
          }
          const age = revisit === undefined ? undefined : ages?.get(href)
          if (age !== undefined) listed.set(decision.address.key, age)
          return [{ address: decision.address, depth: 0 }]
        })
        return { found, isWhole, notFollowed }
      })
)
