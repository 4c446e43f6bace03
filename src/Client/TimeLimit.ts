/** Time limit of a row. Waiting for the budget or for an open circuit does not count. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"

interface Stopwatch {
  readonly pause: Effect.Effect<void>
  readonly resume: Effect.Effect<void>
}

/** Stopwatch of the current row, which the calls for this row pause and resume; undefined without a time limit. */
class Watch extends Context.Reference<Watch>()("sluice/Client/TimeLimit", {
  defaultValue: (): Stopwatch | undefined => undefined
}) {}

/** Pauses the time limit while the effect runs. */
export const paused = <A, E, R>(wait: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiberRuntime(({ currentContext }) => {
    const watch = Context.get(currentContext, Watch)
    return watch === undefined
      ? wait
      : Effect.acquireUseRelease(
          watch.pause,
          () => wait,
          () => watch.resume
        )
  })

/** Interrupts the effect and fails with `onTimeout` once it has worked for longer than the limit. */
export const limited = <A, E, R, E2>(
  effect: Effect.Effect<A, E, R>,
  { duration, onTimeout }: { readonly duration: Duration.DurationInput; readonly onTimeout: () => E2 }
): Effect.Effect<A, E | E2, R> =>
  Effect.flatMap(Clock.currentTimeMillis, (begun) => {
    const limit = Duration.toMillis(duration)
    let pauses = 0
    let pausedAt = 0
    let waited = 0
    let resumed = Deferred.unsafeMake<void>(FiberId.none)
    const watch: Stopwatch = {
      pause: Effect.map(Clock.currentTimeMillis, (now) => {
        if (pauses++ > 0) return
        pausedAt = now
        resumed = Deferred.unsafeMake<void>(FiberId.none)
      }),
      resume: Effect.map(Clock.currentTimeMillis, (now) => {
        if (--pauses > 0) return
        waited += now - pausedAt
        Deferred.unsafeDone(resumed, Effect.void)
      })
    }
    const alarm: Effect.Effect<never, E2> = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (pauses > 0) return Effect.zipRight(Deferred.await(resumed), alarm)
      const left = limit - (now - begun - waited)
      return left <= 0 ? Effect.failSync(onTimeout) : Effect.zipRight(Effect.sleep(Math.ceil(left)), alarm)
    })
    const work: Effect.Effect<A, E, R> = Effect.provideService(effect, Watch, watch) as Effect.Effect<A, E, R>
    return Effect.raceFirst(work, alarm)
  })
