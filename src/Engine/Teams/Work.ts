/**
 * Plain asynchronous work on a page, for a team.
 *
 * A page takes a few hundred small steps, and an Effect operation would cost more than most of them. So the steps are async functions that
 * get their `Work` as an argument. Effect is used at both ends: {@link plainly} runs plain work in a fiber, and `Work.run` runs an effect
 * in the work.
 *
 * - Work rejects with an API error (a failure), with `Cancelled`, or with anything else (a defect).
 * - Code that waits registers with `onCancel`, and rejects with `Cancelled` once all its resources are released. So cancelled work has
 *   ended when its promise settles. After a short wait that cannot be ended, such as for a turn, `check` is called.
 * - Work uses the clock, the scheduler lane and the team of the fiber that created it.
 */
import * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as FiberRef from "effect/FiberRef"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import { type Failure, isFailure } from "../../Api/Errors.ts"
import { after, safely } from "../../Callback.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { type FairQueue, Owner } from "./FairQueue.ts"
import { Call } from "./PageMemory.ts"
import { type Turns, turnsOf } from "./TeamScheduler.ts"

/** The work was cancelled before it had a result. */
export class Cancelled extends Error {}

/** Maximum milliseconds of a timer in Node, about 25 days. A longer timer would fire at once. */
export const maxTimer = 2 ** 31 - 1

/** A page whose body holds memory until `release` is called; in an API call, until the call has its response. */
export interface Held<Page> {
  readonly page: Page
  readonly release: () => void
}

/**
 * Context that plain work takes from the fiber that creates it: clock, team, turns at the event loop, and API call. All work of a job
 * shares one seam.
 */
export interface Seam {
  readonly runtime: Runtime.Runtime<never>
  readonly clock: Clock.Clock
  readonly team: string
  readonly turns: Turns
  /** Scope of the API call; undefined for pages of jobs. */
  readonly call: Scope.Scope | undefined
  readonly isTraced: boolean
}

export const seam: Effect.Effect<Seam> = Effect.gen(function* () {
  const team = yield* Owner
  return {
    // Failures are reported by the caller of the work. A log would contain URLs of pages with zero data retention.
    runtime: yield* Effect.locally(Effect.runtime<never>(), FiberRef.unhandledErrorLogLevel, Option.none()),
    clock: yield* Effect.clock,
    team,
    turns: yield* turnsOf(team),
    call: Option.getOrUndefined(yield* Call),
    isTraced: yield* Trace.isTraced
  }
})

export class Work {
  readonly seam: Seam
  readonly #ends = new Set<() => void>()
  #isCancelled = false

  constructor(seam: Seam) {
    this.seam = seam
  }

  get team(): string {
    return this.seam.team
  }

  get isCancelled(): boolean {
    return this.#isCancelled
  }

  /** Current time in milliseconds since 1970, by the fiber's clock. */
  now(): number {
    return this.seam.clock.unsafeCurrentTimeMillis()
  }

  cancel(): void {
    if (this.#isCancelled) return
    this.#isCancelled = true
    for (const end of [...this.#ends]) safely(end)()
    this.#ends.clear()
  }

  /** Calls `end` when the work is cancelled, or soon if it has been already. Returns a function that removes the callback. */
  onCancel(end: () => void): () => void {
    let isWanted = true
    const endOnce = () => {
      if (isWanted) end()
    }
    if (this.#isCancelled) queueMicrotask(safely(endOnce))
    else this.#ends.add(endOnce)
    return () => {
      isWanted = false
      this.#ends.delete(endOnce)
    }
  }

  /** Rejects if the work has been cancelled. */
  check(): void {
    if (this.#isCancelled) throw new Cancelled()
  }

  /** Waits until `begin` has called its argument. Rejects with `Cancelled` when the work is cancelled before. */
  async until(begin: (done: () => void) => void): Promise<void> {
    let forget: () => void = () => undefined
    try {
      await new Promise<void>((resolve, reject) => {
        begin(resolve)
        forget = this.onCancel(() => reject(new Cancelled()))
      })
    } finally {
      forget()
    }
  }

  /** Runs `use` in the team's turn at the event loop, where its time counts for the team. */
  inTurn<A>(use: () => A): Promise<A> {
    return new Promise((resolve, reject) => {
      this.seam.turns(safely(() => resolve(use()), reject))
    })
  }

  /** Creates work that ends with this work, and can also be cancelled alone. */
  child(): readonly [Work, forget: () => void] {
    const inner = new Work(this.seam)
    return [inner, this.onCancel(() => inner.cancel())]
  }

  /** Runs an effect. It is interrupted if the work is cancelled. */
  run<A, E>(effect: Effect.Effect<A, E>): Promise<A> {
    return new Promise((resolve, reject) => {
      if (this.#isCancelled) return reject(new Cancelled())
      const fiber = Runtime.runFork(this.seam.runtime, effect)
      const forget = this.onCancel(() => fiber.unsafeInterruptAsFork(FiberId.none))
      fiber.addObserver((exit) => {
        forget()
        if (Exit.isSuccess(exit)) resolve(exit.value)
        else if (Cause.isInterruptedOnly(exit.cause)) reject(new Cancelled())
        else reject(Cause.squash(exit.cause))
      })
    })
  }

  /** Cancels `use` after `millis`, and rejects with `late` once it has ended. If `use` still returns a result, the result counts. */
  async within<A>(millis: number, late: () => Error, use: (work: Work) => Promise<A>): Promise<A> {
    this.check()
    const [inner, forget] = this.child()
    let isLate = false
    const timer = after(Math.min(millis, maxTimer), () => {
      isLate = true
      inner.cancel()
    })
    try {
      return await use(inner)
    } catch (cause) {
      if (isLate && cause instanceof Cancelled && !this.#isCancelled) throw late()
      throw cause
    } finally {
      clearTimeout(timer)
      forget()
    }
  }
}

/** Waits for a place of the work's team in the queue, and holds it while `use` runs. */
export const placed = async <A>(work: Work, queue: FairQueue, use: () => Promise<A> | A): Promise<A> => {
  work.check()
  let leave: () => void = () => undefined
  try {
    await work.until((granted) => {
      leave = queue.enter(work.team, granted)
    })
    work.check()
    return await use()
  } finally {
    leave()
  }
}

/** Runs `use` for each item, at most `atOnce` at a time. The first failure cancels the others, and is reported once they have ended. */
export const forEach = async <A, B>(
  work: Work,
  items: ReadonlyArray<A>,
  atOnce: number,
  use: (work: Work, item: A) => Promise<B>
): Promise<ReadonlyArray<B>> => {
  const [inner, forget] = work.child()
  const entries = items.entries()
  const results = new Array<B>(items.length)
  let failure: { readonly cause: unknown } | undefined
  const run = async () => {
    for (const [at, item] of entries) {
      inner.check()
      results[at] = await use(inner, item)
    }
  }
  const fail = (cause: unknown) => {
    failure ??= { cause }
    inner.cancel()
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, () => run().catch(fail)))
  forget()
  if (failure !== undefined) throw failure.cause
  return results
}

/** Converts a held page. Its memory stays reserved, and is released if `use` fails. */
export const keeping = async <A, B>({ page, release }: Held<A>, use: (page: A) => Promise<B>): Promise<Held<B>> => {
  try {
    return { page: await use(page), release }
  } catch (cause) {
    release()
    throw cause
  }
}

/** Returns the result, or an API failure as a value. Other errors are rejected unchanged. */
export const orFailure = <A>(result: Promise<A>): Promise<A | Failure<string>> =>
  result.catch((cause) => {
    if (isFailure(cause)) return cause
    throw cause
  })

const exitOf = <E>(cause: unknown): Exit.Exit<never, E> => {
  if (cause instanceof Cancelled) return Exit.interrupt(FiberId.none)
  // The failure type is that of the plain function, because TypeScript does not check it for promises.
  return isFailure(cause) ? Exit.fail(cause as E) : Exit.die(cause)
}

/** Starts plain work. The result is reported once. The returned function cancels the work, and resolves when it has ended. */
export const start = <A, E>(
  seam: Seam,
  use: (work: Work) => Promise<A>,
  told: (exit: Exit.Exit<A, E>) => void
): (() => Promise<void>) => {
  const work = new Work(seam)
  const tell = safely(told)
  const done = use(work).then(
    (value) => tell(Exit.succeed(value)),
    (cause) => tell(exitOf<E>(cause))
  )
  return () => {
    work.cancel()
    return done
  }
}

/** Runs plain work in the fiber. Interruption cancels the work and waits for its end. */
export const plainly = <A, E>(use: (work: Work) => Promise<A>): Effect.Effect<A, E> =>
  Effect.flatMap(seam, (ours) =>
    Effect.async<A, E>((resume) => {
      let hasEnded = false
      const cancel = start<A, E>(ours, use, (exit) => {
        hasEnded = true
        resume(exit)
      })
      return Effect.suspend(() => (hasEnded ? Effect.void : Effect.promise(cancel)))
    })
  )

/** Like {@link plainly}, but turns every error into a failure. */
export const attempted = <A>(use: (work: Work) => Promise<A>): Effect.Effect<A, unknown> =>
  Effect.catchAllDefect(plainly<A, unknown>(use), Effect.fail)

/** Like {@link plainly}, for a held page. It is released when the scope closes. */
export const holding = <A, E>(use: (work: Work) => Promise<Held<A>>): Effect.Effect<A, E, Scope.Scope> =>
  Effect.suspend(() => {
    let release: () => void = () => undefined
    const held = plainly<A, E>(async (work) => {
      const result = await use(work)
      release = result.release
      return result.page
    })
    // An interruption may replace a result that is already there.
    return Effect.zipRight(
      Effect.addFinalizer(() => Effect.sync(() => release())),
      held
    )
  })
