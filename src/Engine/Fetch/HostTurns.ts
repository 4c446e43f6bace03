/**
 * Queues single scrapes at their hosts: they wait for the same request slots and crawl delays as the pages of jobs, in the same {@link
 * FairScheduler}. So a host has one limit for all crawls, batches, scrapes, searches and feeds of an engine.
 *
 * A crawl delay is known while a job that has read robots.txt visits the host, and for an hour after the last request. A request leaves the
 * queue when its work ends, and also if it is interrupted while it waits.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { safely } from "../../Callback.ts"
import { Teams } from "../Teams/FairQueue.ts"
import type { Work } from "../Teams/Work.ts"
import * as FairScheduler from "./FairScheduler.ts"

interface Service {
  /** Runs `use` for a team when the host of the address has a free slot. */
  readonly within: <A>(work: Work, url: string, team: string, use: () => Promise<A>) => Promise<A>
}

export class HostTurns extends Context.Tag("sluice/Engine/Fetch/HostTurns")<HostTurns, Service>() {}

export interface HostTurnsOptions {
  /** Maximum requests to one host at once, including those of jobs. */
  readonly perHost: number
  /** Shared with the worker pools of jobs. */
  readonly hosts: FairScheduler.Hosts
}

const make = Effect.fnUntraced(function* ({ hosts, perHost }: HostTurnsOptions) {
  const scheduler = new FairScheduler.FairScheduler(perHost, hosts, yield* Teams)
  const changed = yield* Queue.sliding<void>(1)
  /** Waiting requests, by task id. */
  const waiting = new Map<number, (page: FairScheduler.StartedPage) => void>()
  let last = 0
  const member: FairScheduler.Member = {
    wake: safely(() => {
      // Called for every fetched page of every job, so it does nothing while no request waits.
      if (waiting.size > 0) changed.unsafeOffer()
    }),
    mayStart: scheduler.mayStart
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => hosts.listen(member)),
    (forget) => Effect.sync(forget)
  )

  /** Starts every request that may start, then sleeps until something changes or a delay ends. */
  const dispatch = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (;;) {
      const next = scheduler.take(now)
      if ("until" in next) {
        const change = Queue.take(changed)
        return yield* Number.isFinite(next.until)
          ? Effect.asVoid(Effect.timeoutOption(change, Duration.millis(Math.max(1, next.until - now))))
          : change
      }
      waiting.get(next.id)?.(next)
    }
  })
  yield* Effect.forkScoped(Effect.forever(dispatch))

  const within: Service["within"] = async (work, url, team, use) => {
    work.check()
    const id = ++last
    // Each request has its own job in the scheduler, so that it can be removed alone.
    const jobId = String(id)
    let started: FairScheduler.StartedPage | undefined
    scheduler.join(jobId, { team, maxConcurrency: 1, delay: 0 })
    try {
      await work.until((begin) => {
        waiting.set(id, (page) => {
          waiting.delete(id)
          started = page
          begin()
        })
        scheduler.add([{ id, jobId, url, depth: 0, queued_at: 0 }])
        changed.unsafeOffer()
      })
      return await use()
    } finally {
      waiting.delete(id)
      if (started !== undefined) scheduler.release(started, work.now())
      scheduler.leave(jobId)
      if (started !== undefined) hosts.wakeAll()
    }
  }

  return { within }
})

export const layer = (options: HostTurnsOptions) => Layer.scoped(HostTurns, make(options))
