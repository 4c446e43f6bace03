/**
 * Error boundary for callbacks: listeners, timers and whatever else the platform calls outside of a fiber.
 *
 * An exception that leaves such a callback ends the whole process, whoever caused it. Every callback in `src` is therefore wrapped in
 * {@link safely}, which reports the exception and ends only what the callback belongs to: one connection, one child or one job. `test/Callback.test.ts`
 * finds callbacks that are not wrapped.
 */
import type { EventEmitter } from "node:events"
import { plain } from "./Callback/Plain.ts"

type Report = (cause: unknown) => void

const toStandardError: Report = (cause) => {
  const said = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
  process.stderr.write(`error: a callback failed: ${plain(said)}\n`)
}

let report = toStandardError

/** Sends what callbacks throw to a log; gives the function that sends it to standard error again. */
export const reportTo = (log: Report): (() => void) => {
  report = log
  return () => {
    if (report === log) report = toStandardError
  }
}

const tell = (cause: unknown): void => {
  try {
    report(cause)
  } catch {
    // A log that cannot be written to ends nothing.
  }
}

/**
 * The same callback behind the boundary. What it throws, or what its promise is rejected with, goes to the report and to `onThrow`, which
 * ends what the callback belongs to. Without `onThrow` nothing ends.
 */
export const safely = <Args extends ReadonlyArray<unknown>>(
  callback: (...args: Args) => unknown,
  onThrow?: (cause: unknown, args: NoInfer<Args>) => void
): ((...args: Args) => void) => {
  const fail = (cause: unknown, args: Args) => {
    tell(cause)
    try {
      onThrow?.(cause, args)
    } catch (second) {
      tell(second)
    }
  }
  return (...args) => {
    try {
      const result = callback(...args)
      if (result instanceof Promise) result.catch((cause) => fail(cause, args))
    } catch (cause) {
      fail(cause, args)
    }
  }
}

/** Adds listeners; gives the function that removes them. */
export const listen = (
  emitter: EventEmitter,
  // biome-ignore lint/suspicious/noExplicitAny: the arguments of each event are the emitter's own
  listeners: Readonly<Record<string, (...args: ReadonlyArray<any>) => unknown>>,
  onThrow: (cause: unknown) => void
): (() => void) => {
  const added = Object.entries(listeners).map(([name, listener]) => [name, safely(listener, onThrow)] as const)
  for (const [name, listener] of added) emitter.on(name, listener)
  return () => {
    for (const [name, listener] of added) emitter.off(name, listener)
  }
}
