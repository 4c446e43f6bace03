/** Runs effects as Promises and streams as AsyncIterables. Errors are thrown unchanged, and an AbortSignal ends a call. */
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { safely } from "../Callback.ts"
import { ClientClosed } from "../Client/ClientErrors.ts"
import { didYouMean } from "../Row/Nearest.ts"

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

/** Throws a TypeError for an option that does not exist; otherwise it would be ignored silently. */
export const requireKnown = <Options extends object>(
  caller: string,
  options: Options,
  known: Readonly<Record<keyof Options, true>>
): void => {
  const strange = Object.keys(options).find((name) => !Object.hasOwn(known, name))
  if (strange !== undefined) {
    const names = Object.keys(known)
    const hint = didYouMean(strange, names) || `: its options are ${names.join(", ")}`
    throw new TypeError(`${caller} has no option "${strange}"${hint}`)
  }
}

interface Listening {
  readonly stops: Set<() => void>
  readonly listener: () => void
}

/** Signals that may end calls. Each has one listener for all of its calls, because Node warns of a leak where there are many. */
const listening = new WeakMap<AbortSignal, Listening>()

const listen = (signal: AbortSignal): Listening => {
  const stops = new Set<() => void>()
  const listener = safely(() => {
    for (const stop of [...stops]) safely(stop)()
  })
  signal.addEventListener("abort", listener, { once: true })
  return { stops, listener }
}

/** Calls `stop` when the signal aborts, unless the returned function is called before. */
const onAbort = (signal: AbortSignal, stop: () => void): (() => void) => {
  const found = listening.get(signal) ?? listen(signal)
  listening.set(signal, found)
  found.stops.add(stop)
  return () => {
    found.stops.delete(stop)
    if (found.stops.size > 0 || listening.get(signal) !== found) return
    listening.delete(signal)
    signal.removeEventListener("abort", found.listener)
  }
}

/** Never succeeds. Dies with the reason of the signal. */
const aborted = (signal: AbortSignal): Effect.Effect<never> =>
  Effect.async((resume) => {
    const stop = () => resume(Effect.die(signal.reason))
    if (signal.aborted) return stop()
    return Effect.sync(onAbort(signal, stop))
  })

const until = ({ signal }: CallOptions) => (signal === undefined ? Effect.never : aborted(signal))

/**
 * Runtime of a program that is not ours: its standard output is its own, so what is logged goes to standard error, also beside a logger of
 * a step of its own.
 */
export const runtimeOf = <R, E>(layer: Layer.Layer<R, E>): ManagedRuntime.ManagedRuntime<R, E> =>
  ManagedRuntime.make(
    Layer.provideMerge(layer, Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.stringLogger)))
  )

export interface Runner<R> {
  readonly call: <A, E>(effect: Effect.Effect<A, E, R>, options?: CallOptions) => Promise<A>
  readonly iterate: <A, E>(stream: Stream.Stream<A, E, R>, options?: CallOptions) => AsyncIterable<A>
}

/** `isClosed`: true once the runtime has been disposed, after which calls are rejected. */
export const runner = <R, E0>(
  runtime: ManagedRuntime.ManagedRuntime<R, E0>,
  isClosed: () => boolean = () => false
): Runner<R> => {
  const exitOf = <A, E>(effect: Effect.Effect<A, E, R>, options: CallOptions): Promise<Exit.Exit<A, E | E0>> =>
    isClosed()
      ? Promise.resolve(Exit.die(new ClientClosed()))
      : runtime.runPromiseExit(Effect.raceFirst(effect, until(options)))
  const call = <A, E>(effect: Effect.Effect<A, E, R>, options: CallOptions = {}): Promise<A> =>
    exitOf(effect, options).then((exit) =>
      Exit.isSuccess(exit) ? exit.value : Promise.reject(Cause.squash(exit.cause))
    )
  /** Returns one item per `next`. The stream runs only while a caller waits for an item. */
  const iterator = <A, E>(stream: Stream.Stream<A, E, R>, options: CallOptions): AsyncIterator<A, undefined> => {
    const { signal } = options
    const over = { done: true, value: undefined } as const
    let isOver = false
    let items: ReadonlyArray<A> = []
    let at = 0
    const opened = call(
      Effect.flatMap(Scope.make(), (scope) =>
        Effect.map(Scope.extend(Stream.toPull(stream), scope), (pull) => ({ pull, scope }))
      )
    )
    let closing: Promise<void> | undefined
    let forget: () => void = () => undefined
    /** Closes the scope of the stream. Can be called repeatedly. */
    const close = (): Promise<void> => {
      forget()
      closing ??= opened.then(({ scope }) => call(Scope.close(scope, Exit.void)))
      return closing
    }
    // The next read then rejects with the reason.
    const stop = () => void close().catch(() => undefined)
    if (signal?.aborted === true) stop()
    else if (signal !== undefined) forget = onAbort(signal, stop)
    const fail = (reason: unknown) => {
      isOver = true
      return close().then(() => Promise.reject(reason))
    }
    const next = (): Promise<IteratorResult<A, undefined>> => {
      if (isOver) return Promise.resolve(over)
      if (signal?.aborted === true) return fail(signal.reason)
      if (at < items.length) return Promise.resolve({ done: false, value: items[at++] as A })
      return opened
        .then(({ pull }) => exitOf(pull, options))
        .then((exit) => {
          if (Exit.isSuccess(exit)) {
            items = Chunk.toReadonlyArray(exit.value)
            at = 0
            return next()
          }
          const failure = Cause.failureOption(exit.cause)
          // A failure without a value is the end of the stream; a defect or the signal's reason is not a failure.
          if (Option.isNone(failure)) return fail(Cause.squash(exit.cause))
          const reason = failure.value as Option.Option<E>
          if (Option.isSome(reason)) return fail(reason.value)
          isOver = true
          return close().then(() => over)
        })
    }
    let last: Promise<unknown> = opened
    return {
      next: () => {
        const result = last.then(next, next)
        last = result
        return result
      },
      return: () => {
        isOver = true
        return close().then(() => over)
      }
    }
  }
  return {
    call,
    iterate: (stream, options = {}) => ({ [Symbol.asyncIterator]: () => iterator(stream, options) })
  }
}
