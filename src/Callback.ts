/**
 * Error boundary for callbacks: listeners, timers and everything else the platform calls outside of a fiber.
 *
 * An exception that leaves such a callback ends the whole process. Every callback in `src` is therefore wrapped in {@link safely}, which
 * reports the exception and ends only what the callback belongs to: one connection, one child or one job. `test/Callback.test.ts` finds
 * callbacks that are not wrapped.
 */
import type { EventEmitter } from "node:events"

type Report = (cause: unknown) => void

const toStandardError: Report = (cause) => {
  const said = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
  process.stderr.write(`error: a callback failed: ${plain(said)}\n`)
}

let report = toStandardError

/** Sends errors of callbacks to a log. Returns a function that restores standard error. */
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
    // A broken log must not end the process.
  }
}

/**
 * Wraps a callback. If the callback throws or its promise rejects, the error is reported and passed to `onThrow`, which ends the
 * connection, child or job that the callback belongs to. Without `onThrow` nothing ends.
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

/**
 * Adds a listener that is wrapped in {@link safely}, and stays: for an event that may come twice, the listener has to bear that. Its arguments
 * are those of the event, which nothing checks. Without an emitter it does nothing.
 */
export const on = <Args extends ReadonlyArray<unknown>>(
  emitter: Pick<EventEmitter, "on"> | null | undefined,
  event: string,
  listener: (...args: Args) => unknown,
  onThrow?: (cause: unknown) => void
): void => {
  emitter?.on(event, safely(listener, onThrow) as () => void)
}

/** Calls `callback`, wrapped in {@link safely}, after some milliseconds. */
export const after = (millis: number, callback: () => unknown): NodeJS.Timeout => setTimeout(safely(callback), millis)

/** Adds listeners. Returns a function that removes them. */
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

/**
 * Control characters except tab and newline, line separators, and invisible characters: format characters, which can reorder text, tags and
 * fillers. Joiners and the emoji selector stay, because Arabic, Indic scripts and emoji need them, and so do the visible format characters of
 * Arabic and Syriac.
 */
const unsafe =
  /(?!\u200c|\u200d|\ufe0f|[\t\n\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2])[\p{Cc}\u2028\u2029\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** Removes characters that would control a terminal, or make it show something else than the text. */
export const plain = (text: string): string => text.replace(unsafe, "")
