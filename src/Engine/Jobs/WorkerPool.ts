/**
 * Worker pool of jobs: leases pages, visits them, commits the results in batches.
 *
 * A batch that cannot be stored fails alone. When the store refuses (full disk, long lock), the pool retries and starts nothing new
 * meanwhile.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import { nextTurn } from "../../Callback/EventLoop.ts"
import { safely } from "../../Callback.ts"
import { Robots } from "../Fetch/Robots.ts"
import { Sitemap } from "../Scrape/Sitemap.ts"
import { Teams, Weights } from "../Shares.ts"
import { asTeam } from "../TeamScheduler.ts"
import { Usage } from "../Usage/Usage.ts"
import { ChangeSignal, committed, work } from "./ChangeSignal.ts"
import * as Hosts from "./FairScheduler.ts"
import { Frontier, type Settlement, type Turnover } from "./Frontier.ts"
import { claimable } from "./JobRecord.ts"
import * as Leases from "./Leases.ts"
import { crashed, type Found } from "./PageOutcome.ts"
import { aheadOf } from "./Pages.ts"
import * as ResultBuffer from "./ResultBuffer.ts"
import { Pending } from "./ResultBuffer.ts"
import type { Running } from "./Visit.ts"
import * as Visit from "./Visit.ts"

export interface CrewOptions {
  /** Pages fetched at once, all jobs together. */
  readonly workers: number
  /** Pages fetched at once from one host, by all crews that have `hosts` in common. */
  readonly perHost: number
  readonly hosts?: Hosts.Hosts | undefined
}

/** Milliseconds that a commit waits for more at most: when nobody is short of pages, and when somebody is. */
const patient = 240
const hasty = 15
/** Bytes not yet committed; beyond it no page is begun. */
const maxPending = 48 * 1024 * 1024
/** How long somebody who ends a job waits for what is in our hands. */
const flushable = Duration.millis(500)

const make = Effect.fnUntraced(function* ({ workers, perHost, hosts = Hosts.makeHosts() }: CrewOptions) {
  const sql = yield* SqlClient.SqlClient
  const frontier = yield* Frontier
  const bell = yield* ChangeSignal
  const usage = yield* Usage
  const visit = yield* Visit.make
  const seeds = yield* makeSeeds
  const owner = yield* Leases.make
  const rota = Hosts.make(perHost, hosts, { workers, teams: yield* Teams, weights: yield* Weights })
  const running = new Map<string, Visit.Running>()
  const settle = makeIntake(frontier, owner)
  const visits = yield* FiberMap.make<number>()
  const seedings = yield* FiberMap.make<string>()
  const dispatchable = yield* Queue.sliding<void>(1)
  const committable = yield* Queue.sliding<void>(1)
  const harvest = ResultBuffer.make()
  const member: Hosts.Member = {
    wake: safely(() => dispatchable.unsafeOffer()),
    mayStart: (host, now, isWanted) => harvest.bytes() < maxPending && rota.mayStart(host, now, isWanted)
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => hosts.listen(member)),
    (forget) => Effect.sync(forget)
  )
  let hurried = false
  /** Jobs of which a commit is being written. */
  let settling: ReadonlySet<string> = new Set()
  /** Jobs of the pages that are fetched, by number of the page among all that were begun. */
  const underway = new Map<number, string>()

  const begin = (task: Hosts.Begun, job: Visit.Running) => {
    underway.set(task.sequence, task.jobId)
    const visited = visit(job, task, (millis, now) => rota.slowDown(task.url, millis, now))
    // The wait for the team's turn is inside of the finalizer: a visit that is interrupted there gives its places back.
    return asTeam(task.team)(visited).pipe(
      Effect.tap((page) => Effect.sync(() => harvest.add(page))),
      Effect.ensuring(
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.sync(() => {
            underway.delete(task.sequence)
            rota.release(task, now)
            hosts.tell()
            committable.unsafeOffer()
          })
        )
      ),
      (page) => FiberMap.run(visits, task.sequence, page)
    )
  }

  /** Starts what may start, then sleeps until something has changed or a host opens again. */
  const dispatch = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    let wait = Number.POSITIVE_INFINITY
    let hasBegun = false
    while (harvest.bytes() < maxPending) {
      const next = rota.take(now)
      if ("until" in next) {
        wait = next.until - now
        break
      }
      const job = running.get(next.jobId)
      if (job === undefined) rota.release(next, now)
      else yield* begin(next, job)
      hasBegun = true
    }
    // Another crew may have waited for a team of this one to have its turn at a host.
    if (hasBegun) hosts.tell(member)
    const changed = Queue.take(dispatchable)
    yield* Number.isFinite(wait) ? Effect.timeoutOption(changed, Duration.millis(Math.max(1, wait))) : changed
  })

  /** Jobs that should have more pages leased. */
  const short = () => {
    const ahead = aheadOf(running.size)
    return [...running.values()].filter(({ id, more }) => more && rota.waiting(id) < ahead / 2)
  }

  const turnovers = (): ReadonlyArray<Turnover> => {
    const byJob = Arr.groupBy(harvest.take(), ({ task }) => task.jobId)
    hurried = false
    const jobs = new Set(Object.keys(byJob))
    for (const { id } of short()) jobs.add(id)
    return [...jobs].map((jobId) => ({
      jobId,
      finished: byJob[jobId] ?? [],
      // Most of a job that has just begun may be cancelled before any of it is fetched.
      room: running.has(jobId)
        ? Math.max(0, Math.min(aheadOf(running.size) - rota.waiting(jobId), byJob[jobId] === undefined ? workers : 192))
        : 0
    }))
  }

  const dismiss = (jobId: string) =>
    Effect.gen(function* () {
      running.delete(jobId)
      rota.leave(jobId)
      hosts.tell()
      usage.quota.releasePages(jobId)
      yield* FiberMap.remove(seedings, jobId)
      // What is still fetched for it nobody wants any more.
      const vain = [...underway].flatMap(([sequence, owner]) => (owner === jobId ? [sequence] : []))
      yield* Effect.forEach(vain, (sequence) => Effect.forkDaemon(FiberMap.remove(visits, sequence)), { discard: true })
      yield* bell.ring(jobId)
    })

  const apply = (jobId: string, { job, tasks }: Settlement) =>
    Effect.gen(function* () {
      const ours = running.get(jobId)
      if (job === undefined || job.status !== "scraping") yield* dismiss(jobId)
      else if (ours !== undefined) {
        ours.more = claimable(job) > 0
        rota.add(tasks)
      }
      yield* bell.ring(jobId)
    })

  /** Waits until a commit is worth its while. */
  const gather = (since: number): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      // A job whose pages have all been handed out needs the links that are in our hands.
      const isShort = harvest.some(({ task }) => rota.waiting(task.jobId) === 0)
      const isReady = harvest.isEmpty() || harvest.isFull() || hurried
      return isReady || rota.active() === 0 || now - since >= (isShort ? hasty : patient)
        ? Effect.void
        : Effect.zipRight(Effect.sleep(Duration.millis(hasty)), gather(since))
    })

  const commit = Effect.gen(function* () {
    yield* Queue.take(committable)
    // The last commit took what it was called for: the next page begins a batch of its own.
    if (harvest.isEmpty() && short().length === 0) return
    yield* Effect.flatMap(Clock.currentTimeMillis, gather)
    // Pages may have come in the same turn of the loop, and have had their share of it.
    yield* nextTurn
    const taken = turnovers()
    if (taken.length === 0) return
    settling = new Set(taken.map(({ jobId }) => jobId))
    yield* settle(taken).pipe(
      Effect.flatMap((settled) => Effect.forEach(taken, ({ jobId }, at) => apply(jobId, settled[at] ?? gone))),
      Effect.ensuring(
        Effect.sync(() => {
          settling = new Set()
        })
      )
    )
    dispatchable.unsafeOffer()
    if (!harvest.isEmpty()) committable.unsafeOffer()
    yield* bell.ring(committed)
  })

  /** A batch that is being written needs no waiting for: the store takes one transaction after the other. */
  const flush: Effect.Effect<void> = Effect.suspend(() => {
    const last = harvest.last()
    const rest: Effect.Effect<void> = Effect.flatMap(bell.listen(committed), (done) => {
      if (last === undefined || !harvest.has(last)) return Effect.void
      hurried = true
      committable.unsafeOffer()
      return Effect.zipRight(done, rest)
    })
    return Effect.asVoid(Effect.timeoutOption(rest, flushable))
  })
  yield* Effect.flatMap(Pending, ({ add }) => add(flush))

  const seed = (job: Visit.Running) =>
    seeds(job).pipe(
      Effect.flatMap(({ found, isWhole }) => persist("the pages of a sitemap", frontier.seed(job.id, found, isWhole))),
      Effect.catchAllDefect(() => persist("that there is no sitemap", frontier.seed(job.id, [], false))),
      Effect.zipRight(bell.ring(job.id)),
      Effect.zipRight(bell.ring(work)),
      asTeam(job.team)
    )

  const mostKnown = () => Visit.knownOf(running.size)
  const join = (jobId: string) =>
    Effect.gen(function* () {
      const row = yield* frontier.find(jobId)
      if (row === undefined) return
      const keys = row.kind === "crawl" ? yield* frontier.keys(row.id, mostKnown()) : []
      const job = Visit.run(row, keys, mostKnown)
      running.set(row.id, job)
      rota.join(row.id, {
        team: row.team,
        maxConcurrency: job.spec.maxConcurrency ?? workers,
        delay: (job.spec.params?.delay ?? 0) * 1000
      })
      if (row.seeded === 0) yield* FiberMap.run(seedings, row.id, seed(job))
    })

  /** A page of it waits here, is fetched, or was fetched and may bring the job more. */
  const isInHand = (id: string) => rota.isBusy(id) || settling.has(id) || harvest.some(({ task }) => task.jobId === id)

  /** Looks for jobs that were started, taken up again, or ended by somebody else. */
  const survey = Effect.gen(function* () {
    const rows = yield* frontier.open
    const open = new Set(rows.map(({ id }) => id))
    for (const row of rows) {
      const ours = running.get(row.id)
      if (ours === undefined) {
        yield* Effect.catchAllDefect(join(row.id), (defect) =>
          Effect.logError(`The job ${row.id} cannot be taken up`, defect)
        )
      } else if (claimable(row) > 0) ours.more = true
    }
    const others = [...running.keys()].filter((id) => !open.has(id))
    const over = new Set(others.length === 0 ? [] : yield* frontier.ended(others))
    for (const id of others) if (over.has(id) || !isInHand(id)) yield* dismiss(id)
    committable.unsafeOffer()
  })

  const watch = Effect.gen(function* () {
    const called = yield* bell.listen(work)
    yield* persist("a survey of the jobs", survey)
    yield* Effect.timeoutOption(called, Duration.seconds(1))
  })

  const keepLeases = persist("the renewal of leases", Effect.zipRight(Leases.renew(sql, owner), Leases.reap(sql))).pipe(
    Effect.delay(Duration.millis(Leases.leaseMillis / 3))
  )

  yield* Effect.forEach([dispatch, commit, watch, keepLeases], (loop) =>
    Effect.forkScoped(Effect.forever(guarded("The crew", Effect.asVoid(loop))))
  )
})

/** At work for as long as the scope is open; what is under way then goes back into the queue. */
export const layer = (options: CrewOptions) => Layer.provide(Layer.scopedDiscard(make(options)), Pending.Default)

/** Nothing to do for a job, here and now. */
export const gone: Settlement = { job: undefined, tasks: [] }

/** Settles in the name of an owner, until the store has taken it. */
export const makeIntake = (
  frontier: Pick<Frontier, "settle">,
  owner: string
): ((turnovers: ReadonlyArray<Turnover>) => Effect.Effect<ReadonlyArray<Settlement>>) => {
  const kept = (turnovers: ReadonlyArray<Turnover>) => persist("a batch of results", frontier.settle(owner, turnovers))

  /** Whom a whole batch has failed: page by page, so that one of them stops nobody else's. */
  const keptApart = ({ jobId, finished, room }: Turnover) => {
    const alone = (turnover: Omit<Turnover, "jobId">) => kept([{ jobId, ...turnover }])
    return Effect.forEach(
      finished,
      (page) =>
        Effect.catchAllDefect(alone({ finished: [page], room: 0 }), () =>
          alone({ finished: [crashed(page.task)], room: 0 })
        ),
      { discard: true }
    ).pipe(
      Effect.zipRight(alone({ finished: [], room })),
      Effect.map((settled) => settled[0] ?? gone),
      // The next survey takes the job up again.
      Effect.catchAllDefect(() => Effect.succeed(gone))
    )
  }

  return (turnovers) => Effect.catchAllDefect(kept(turnovers), () => Effect.forEach(turnovers, keptApart))
}

/** Our own fault stays one, however often it is tried; a commit that the store refuses is a defect too, but not ours. */
const isFault = (cause: Cause.Cause<unknown>): boolean =>
  Chunk.some(Cause.defects(cause), (defect) => !Predicate.isTagged(defect, "SqlError"))

const patience = Schedule.exponential("200 millis").pipe(Schedule.union(Schedule.spaced("5 seconds")))

/** Done when the store has taken it; dies of a fault of ours. */
export const persist = <A, E>(what: string, effect: Effect.Effect<A, E>): Effect.Effect<A> =>
  effect.pipe(
    Effect.sandbox,
    Effect.tapError((cause) => Effect.logError(`The store did not take ${what}`, cause)),
    Effect.retry({ schedule: patience, until: (cause) => Cause.isInterrupted(cause) || isFault(cause) }),
    Effect.catchAll((cause) => (Cause.isInterruptedOnly(cause) ? Effect.interrupt : Effect.die(Cause.squash(cause))))
  )

/** A loop goes on after a fault of its own, at a pace that leaves the others room. */
export const guarded = <E>(who: string, loop: Effect.Effect<void, E>) =>
  Effect.catchAllDefect(loop, (defect) =>
    Effect.zipRight(Effect.logError(`${who} met a fault and goes on`, defect), Effect.sleep("1 second"))
  )

/** Sitemaps list more than a rule lets through; but not a hundred thousand pages for a crawl of ten. */
const addresses = (limit: number): number => Math.min(100_000, limit * 10 + 1000)

/** Pages of the sitemaps; `isWhole` when all of them could be read to their ends. */
interface Seeds {
  readonly found: ReadonlyArray<Found>
  readonly isWhole: boolean
}

const none: Seeds = { found: [], isWhole: true }

/** Gives what the sitemaps list and the rule allows; the sitemap's pages lie no link away from the start. */
export const makeSeeds = Effect.map(
  Effect.all([Robots, Sitemap]),
  ([robots, sitemap]) =>
    ({ url, rule, spec: { options, params } }: Running): Effect.Effect<Seeds> =>
      Effect.gen(function* () {
        if (rule === undefined || params === undefined) return none
        if (options.lockdown || options.minAge !== undefined) return none
        const { origin } = new URL(url)
        const { sitemaps } = yield* robots.load(origin, params.robotsUserAgent, options)
        const { isWhole, urls } = yield* sitemap.urls(origin, sitemaps, {
          limit: addresses(params.limit),
          userAgent: params.robotsUserAgent,
          skipTlsVerification: options.skipTlsVerification
        })
        const found = urls.flatMap((href) => {
          const decision = rule.decide(href, 0)
          return decision._tag === "Follow" ? [{ address: decision.address, depth: 0 }] : []
        })
        return { found, isWhole }
      })
)
