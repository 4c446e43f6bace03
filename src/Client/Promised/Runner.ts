/** Runs effects and streams for people who don't know them: errors come out as themselves, signals end what runs. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as ManagedRuntime from "effect/ManagedRuntime"
import * as Stream from "effect/Stream"

/** Options of every call. */
export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Never goes on, and ends with the reason of the signal. */
const aborted = (signal: AbortSignal): Effect.Effect<never> =>
  Effect.async((resume) => {
    const stop = () => resume(Effect.die(signal.reason))
    if (signal.aborted) return stop()
    signal.addEventListener("abort", stop, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", stop))
  })

const until = ({ signal }: CallOptions) => (signal === undefined ? Effect.never : aborted(signal))

export interface Runner<R> {
  readonly call: <A, E>(effect: Effect.Effect<A, E, R>, options?: CallOptions) => Promise<A>
  readonly iterate: <A, E>(stream: Stream.Stream<A, E, R>, options?: CallOptions) => AsyncIterable<A>
}

export const runner = <R, E0>(runtime: ManagedRuntime.ManagedRuntime<R, E0>): Runner<R> => {
  const call = <A, E>(effect: Effect.Effect<A, E, R>, options: CallOptions = {}): Promise<A> =>
    runtime
      .runPromiseExit(Effect.raceFirst(effect, until(options)))
      .then((exit) => (Exit.isSuccess(exit) ? exit.value : Promise.reject(Cause.squash(exit.cause))))
  return {
    call,
    iterate: (stream, options = {}) => {
      const guarded = Stream.interruptWhen(stream, until(options))
      return {
        [Symbol.asyncIterator]: () => {
          const started = call(Stream.toAsyncIterableEffect(guarded)).then((items) => items[Symbol.asyncIterator]())
          return {
            next: () => started.then((items) => items.next()),
            return: () => started.then((items) => items.return?.() ?? { done: true, value: undefined })
          }
        }
      }
    }
  }
}
