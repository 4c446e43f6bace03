/**
 * Log of a run: each message with its time and level, stored in the ledger (`Ledger/Logs.ts`), however the run is started. Further lines
 * of a message are indented. The shards of a run in a cluster add to the log of that run.
 *
 * - Nothing is stored before the ledger has opened the run: a run that is refused has no log, and adds nothing to the log of a run that
 *   continues elsewhere. A resume appends.
 * - Secrets are removed from all lines, as in other logs (`Telemetry/Redaction.ts`).
 * - Lines are stored in the background, in order: the first at once, later ones together every {@link storeInterval}, and all of
 *   them before the run returns. A kill loses at most the lines of that interval.
 * - A log that cannot be stored never fails the run: up to {@link maxWaiting} lines wait for the next attempt. The end of the
 *   run waits for the log at most {@link maxEnd}.
 */

import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import { plain } from "../Callback.ts"
import { Ledger } from "../Ledger.ts"
import { count, describeRows } from "../Row/Count.ts"
import * as Redaction from "../Telemetry/Redaction.ts"
import { cleaned } from "../Telemetry/Spans.ts"
import { quantity } from "./Reservations.ts"
import type { RunFailed, Summary } from "./RunResult.ts"

const storeInterval = "2 seconds"
const maxEnd = "5 seconds"
/** Maximum lines waiting to be stored; further ones are dropped. */
const maxWaiting = 1_000
/** Maximum characters of a message. */
const maxLength = 8_192

const lineOf = (date: Date, level: string, text: string): string =>
  `${date.toISOString()} ${level.toLowerCase()}: ${plain(Redaction.scrub(text)).slice(0, maxLength).replaceAll("\n", "\n  ")}\n`

const causeOf = (cause: Cause.Cause<unknown>): string => Cause.pretty(cleaned(cause))

/** Text of a log message, which may be any value. Never throws. */
const textOf = (message: unknown, cause: Cause.Cause<unknown>): string => {
  try {
    const parts = (Array.isArray(message) ? message : [message]).map(Redaction.textOf)
    return [...parts, ...(Cause.isEmpty(cause) ? [] : [causeOf(cause)])].join(" ")
  } catch {
    return "a message that cannot be shown"
  }
}

const endOf = (exit: Exit.Exit<Summary, RunFailed>): readonly [level: string, text: string] => {
  if (Exit.isSuccess(exit)) {
    const { credits, outputs, rejects, rows, written } = exit.value
    const files = outputs.map((output) => `${output.path} (${count(output.rows, "row")})`)
    const counts = `completed: ${describeRows(written, rows)}, ${count(rejects, "reject")}, ${quantity(credits, "credit")}`
    return ["info", [counts, ...files.slice(0, 20)].join("; ")]
  }
  const failure = Cause.failureOption(exit.cause)
  if (failure._tag === "Some") return ["error", `${failure.value.summary.status}: ${failure.value.message}`]
  return Cause.isInterruptedOnly(exit.cause) ? ["info", "stopped"] : ["error", causeOf(exit.cause)]
}

export interface LogOptions {
  /** Id of the run to which the log belongs. */
  readonly run: string
  /** Message for the start. Without it, neither start nor end is stored, except the reason of a failure. */
  readonly start?: string | undefined
  /** Prefix of each message, to distinguish the shards of a run. */
  readonly label?: string | undefined
}

/**
 * Executes the run, and stores its start, its log messages and its end. Begins to store when the run executes
 * `opened`, including earlier messages.
 */
export const record = <R>(
  run: (opened: Effect.Effect<void>) => Effect.Effect<Summary, RunFailed, R>,
  { label, run: id, start }: LogOptions
): Effect.Effect<Summary, RunFailed, R | Ledger> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const { logs } = yield* Ledger
      const opened = yield* Deferred.make<void>()
      const hasLines = yield* Effect.makeLatch(false)
      const lines: Array<string> = []
      let [dropped, isOver] = [0, false]
      let lastFailure: string | undefined
      const add = (date: Date, level: string, text: string) => {
        if (lines.length >= maxWaiting) dropped++
        else lines.push(lineOf(date, level, label === undefined ? text : `[${label}] ${text}`))
        hasLines.unsafeOpen()
      }
      const logger = Logger.make<unknown, void>(({ cause, date, logLevel, message }) => {
        if (!isOver) add(date, logLevel.label, textOf(message, cause))
      })
      const now = Effect.map(Effect.clock, (clock) => new Date(clock.unsafeCurrentTimeMillis()))
      const store = (last?: string) =>
        Effect.suspend(() => {
          hasLines.unsafeClose()
          const stored = lines.length
          return Effect.map(logs.append(id, lines, last), () => void lines.splice(0, stored))
        }).pipe(
          Effect.catchAllCause((cause) =>
            Effect.sync(() => {
              lastFailure = Cause.pretty(cleaned(cause))
              hasLines.unsafeOpen()
            })
          ),
          Effect.uninterruptible
        )
      const writer = yield* Deferred.await(opened).pipe(
        Effect.zipRight(
          Effect.forever(Effect.all([hasLines.await, store(), Effect.sleep(storeInterval)], { discard: true }))
        ),
        Effect.interruptible,
        Effect.fork
      )
      if (start !== undefined) add(yield* now, "info", start)
      return yield* restore(run(Effect.asVoid(Deferred.succeed(opened, undefined)))).pipe(
        Effect.provide(Logger.add(logger)),
        Effect.onExit((exit) =>
          Effect.gen(function* () {
            isOver = true
            yield* Fiber.interrupt(writer)
            // Never opened: the run was refused, and has no log.
            if (!(yield* Deferred.isDone(opened))) return
            if (dropped > 0)
              lines.push(
                lineOf(
                  yield* now,
                  "warn",
                  lastFailure === undefined
                    ? `${count(dropped, "message")} came too fast to be stored`
                    : `${count(dropped, "message")} could not be stored: ${lastFailure}`
                )
              )
            const end = endOf(exit)
            if (start === undefined && end[0] === "error") add(yield* now, ...end)
            const last = start === undefined ? undefined : lineOf(yield* now, ...end)
            if (lines.length > 0 || last !== undefined) {
              yield* Effect.timeoutOption(Effect.disconnect(store(last)), maxEnd)
            }
          })
        )
      )
    })
  )
