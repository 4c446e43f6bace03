/**
 * Faster versions of Effect functions, for code that runs for every page and row. They behave like the functions named in their comments,
 * with fewer operations of Effect's runtime.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import type { NoExcessProperties } from "effect/Types"
import { safely } from "../Callback.ts"

/** Restore function of `Effect.uninterruptibleMask`: makes an effect interruptible again if it was interruptible outside of the region. */
export type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Milliseconds of the longest sleep of `Effect.sleep`: a timer of Node holds 24.8 days, and a longer sleep would never end. */
const maxSleep = 86_400_000

/** Sleeps until a time, in milliseconds since 1970, however far away it is. */
export const sleepUntil = (end: number): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    end - now <= maxSleep
      ? Effect.sleep(Math.max(0, end - now))
      : Effect.flatMap(Effect.sleep(maxSleep), () => sleepUntil(end))
  )

/** `Effect.catchAll`. */
export const catchAll = <A, E, R, A2, E2, R2>(
  effect: Effect.Effect<A, E, R>,
  recover: (error: E) => Effect.Effect<A2, E2, R2>
): Effect.Effect<A | A2, E2, R | R2> =>
  Effect.catchAllCause(effect, (cause): Effect.Effect<A2, E2, R2> => {
    // A defect is never recovered from, even if the cause also contains an error.
    if (cause._tag !== "Fail" && Cause.isDie(cause)) return Effect.failCause(Cause.flatMap(cause, Cause.die))
    const failure = Cause.failureOrCause(cause)
    return Either.isLeft(failure) ? recover(failure.left) : Effect.failCause(failure.right)
  })

/** `Effect.mapError`. */
export const mapError = <A, E, R, E2>(
  effect: Effect.Effect<A, E, R>,
  change: (error: E) => E2
): Effect.Effect<A, E2, R> =>
  Effect.catchAllCause(effect, (cause): Effect.Effect<A, E2, R> => {
    const failure = Cause.failureOrCause(cause)
    return Either.isLeft(failure) ? Effect.fail(change(failure.left)) : Effect.failCause(failure.right)
  })

/** `Effect.tapError`. */
export const tapError = <A, E, R, E2, R2>(
  effect: Effect.Effect<A, E, R>,
  tap: (error: E) => Effect.Effect<unknown, E2, R2>
): Effect.Effect<A, E | E2, R | R2> =>
  Effect.catchAllCause(effect, (cause) => {
    const failure = Cause.failureOrCause(cause)
    const again = Effect.failCause(cause)
    return Either.isLeft(failure) ? Effect.zipRight(tap(failure.left), again) : again
  })

const systemClock = Context.get(DefaultServices.liveServices, Clock.Clock)

/** Longest timer of Node, in milliseconds: a longer one would fire at once. */
const maxTimer = 2 ** 31 - 1

/** Calls a function after a duration by this clock, unless cancelled first. The system's clock needs no fiber. */
const callAfter = (clock: Clock.Clock, duration: Duration.Duration, then: () => void): (() => void) => {
  const millis = Duration.toMillis(duration)
  if (clock === systemClock && millis <= maxTimer) {
    const timer = setTimeout(safely(then), millis)
    return () => clearTimeout(timer)
  }
  const fiber = Effect.runFork(Effect.zipRight(clock.sleep(duration), Effect.sync(then)))
  return () => fiber.unsafeInterruptAsFork(FiberId.none)
}

/**
 * `Effect.timeoutFail` without a race: the effect runs in one extra fiber, which a timer interrupts. Its changes to fiber refs stay there.
 */
export const timeoutFail = <A, E, R, E2>(
  effect: Effect.Effect<A, E, R>,
  { duration, onTimeout }: { readonly duration: Duration.DurationInput; readonly onTimeout: () => E2 }
): Effect.Effect<A, E | E2, R> =>
  Effect.flatMap(Effect.fork(effect), (fiber) =>
    Effect.clockWith((clock) =>
      Effect.async<A, E | E2>((resume) => {
        let isOver = false
        const cancel = callAfter(clock, Duration.decode(duration), () => {
          isOver = true
          fiber.unsafeInterruptAsFork(FiberId.none)
        })
        fiber.addObserver((exit) => {
          cancel()
          resume(isOver && Exit.isInterrupted(exit) ? Effect.failSync(onTimeout) : exit)
        })
        return Fiber.interrupt(fiber)
      })
    )
  )

/** `Effect.retry`, which builds its schedule only after the first failure. */
export const retry = <A, E, R, Options extends NoExcessProperties<Effect.Retry.Options<E>, Options>>(
  effect: Effect.Effect<A, E, R>,
  options: Options
): Effect.Retry.Return<R, E, A, Options> =>
  catchAll(effect, (error) => Effect.retry(afterFailure(error, effect), options)) as Effect.Retry.Return<
    R,
    E,
    A,
    Options
  >

/** Effect that fails with `error` at its first execution, because `effect` has already failed once. Later executions run `effect`. */
export const afterFailure = <A, E, R>(error: E, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  let isFirst = true
  return Effect.suspend((): Effect.Effect<A, E, R> => {
    if (!isFirst) return effect
    isFirst = false
    return Effect.fail(error)
  })
}

/**
 * Like `Effect.cached`, but returns the cached effect itself, not an effect that makes it. Changes to fiber refs reach only the fiber that
 * runs `effect`: the first one that asks for the value. If that fiber is interrupted, another one runs `effect` again.
 */
export const cached = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> => {
  let known: Deferred.Deferred<A, E> | undefined
  const value: Effect.Effect<A, E> = Effect.uninterruptibleMask((restore) => {
    if (known !== undefined) return restore(Deferred.await(known))
    const made = Deferred.unsafeMake<A, E>(FiberId.none)
    known = made
    return Effect.onExit(restore(effect), (exit) =>
      Effect.sync(() => {
        const isInterrupted = Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)
        if (isInterrupted) known = undefined
        Deferred.unsafeDone(made, isInterrupted ? value : exit)
      })
    )
  })
  return value
}

/** `Effect.forEach` for lists that usually have one item. */
export const forEach = <A, B, E, R>(
  items: ReadonlyArray<A>,
  work: (item: A) => Effect.Effect<B, E, R>
): Effect.Effect<ReadonlyArray<B>, E, R> =>
  items.length === 1 ? Effect.map(work(items[0] as A), (only) => [only]) : Effect.forEach(items, work)

/** `Effect.ensuring` with a plain function. Called in an uninterruptible region, around an effect that may be interruptible. */
export const ensuringWithin = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  after: (hasFailed: boolean) => void
): Effect.Effect<A, E, R> =>
  Effect.matchCauseEffect(effect, {
    onFailure: (cause) => {
      after(true)
      return Effect.failCause(cause)
    },
    onSuccess: (value) => {
      after(false)
      return Effect.succeed(value)
    }
  })
