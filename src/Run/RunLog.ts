/**
 * Log of a run: `run.log` in the run's folder, one line per message with its time and level, for every way to start a run.
 *
 * - Nothing is written before the ledger has opened the run: a run that is refused leaves no folder, and adds nothing to
 *   the log of a run that goes on elsewhere. Created with its first line; a resume appends.
 * - Secrets are removed from all lines, as from other logs (`Telemetry/Redaction.ts`).
 * - At most {@link maxBytes}: then one line says so, and only the end of each run and resume is still added.
 * - Lines are written in the background in their order, and all of them before the run returns. A log that cannot be
 *   written never fails the run.
 */

import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { plain } from "../Callback.ts"
import * as Files from "../Files.ts"
import { count } from "../Row/Count.ts"
import * as Redaction from "../Telemetry/Redaction.ts"
import { cleaned } from "../Telemetry/Spans.ts"
import { quantity } from "./Reservations.ts"
import type { RunFailed, Summary } from "./RunResult.ts"

/** Bytes of a log. */
export const maxBytes = 1024 * 1024
/** Lines that wait to be written; beyond that new ones are dropped. */
const maxWaiting = 1_000
/** Characters of a message. */
const maxLength = 8_192
/** Bytes of a line: at most three for a character, and its time and level. */
const maxLineBytes = 3 * maxLength + 100

const isFullLine = "The log is full: later messages are not stored."

/** Path of the log of a run. */
export const pathIn = (folder: string): Effect.Effect<string, never, Path.Path> =>
  Effect.map(Path.Path, (paths) => paths.join(folder, "run.log"))

const lineOf = (date: Date, level: string, text: string): string =>
  `${date.toISOString()} ${level.toLowerCase()}: ${plain(Redaction.scrub(text)).slice(0, maxLength)}\n`

const causeOf = (cause: Cause.Cause<unknown>): string => Cause.pretty(cleaned(cause))

/** Never throws: a message may be any value. */
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
    const { credits, outputs, rejects, rows } = exit.value
    const files = outputs.map((output) => `${output.path} (${count(output.rows, "row")})`)
    const counts = `completed: ${count(rows, "row")}, ${count(rejects, "reject")}, ${quantity(credits, "credit")}`
    return ["info", [counts, ...files.slice(0, 20)].join("; ")]
  }
  const failure = Cause.failureOption(exit.cause)
  if (failure._tag === "Some") return ["error", `${failure.value.summary.status}: ${failure.value.message}`]
  return Cause.isInterruptedOnly(exit.cause) ? ["info", "stopped"] : ["error", causeOf(exit.cause)]
}

/** A log of an earlier attempt says already that it is full. */
const saysFull = (files: FileSystem.FileSystem, path: string) =>
  // The line is behind the first one that did not fit.
  files.stream(path, { offset: maxBytes - maxLineBytes }).pipe(
    Stream.decodeText(),
    Stream.splitLines,
    Stream.runFold(false, (isFull, line) => isFull || line === isFullLine)
  )

const makeAppend = (files: FileSystem.FileSystem, path: string, folder: string) =>
  Effect.gen(function* () {
    let [size, isFull] = [0, false]
    const open = yield* Effect.cached(
      Effect.gen(function* () {
        yield* Files.makeFolder(files, folder)
        const info = yield* Effect.option(files.stat(path))
        if (info._tag === "Some") size = Number(info.value.size)
        if (size > maxBytes - maxLineBytes) isFull = yield* saysFull(files, path)
      })
    )
    const write = (text: string) => {
      size += Buffer.byteLength(text)
      return files.writeFileString(path, text, { flag: "a", mode: 0o600 })
    }
    return ({ isLast = false, text }: Line) =>
      Effect.gen(function* () {
        yield* open
        if (isLast || (!isFull && size + Buffer.byteLength(text) <= maxBytes)) return yield* write(text)
        if (isFull) return
        isFull = true
        yield* write(`${isFullLine}\n`)
      }).pipe(Effect.catchAllCause(() => Effect.void))
  })

interface Line {
  readonly text: string
  /** The end of the run. */
  readonly isLast?: boolean
}

/**
 * Runs it, and stores its start, what is logged meanwhile, and its end: from the moment on when the run executes
 * `opened`, with what it logged before. Without `start` only what is logged is stored.
 */
export const record = <R>(
  run: (opened: Effect.Effect<void>) => Effect.Effect<Summary, RunFailed, R>,
  { folder, start }: { readonly folder: string; readonly start?: string | undefined }
): Effect.Effect<Summary, RunFailed, R | FileSystem.FileSystem | Path.Path> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const append = yield* makeAppend(files, yield* pathIn(folder), folder)
      const lines = yield* Queue.unbounded<Line | "end">()
      const isOpen = yield* Deferred.make<boolean>()
      let [waiting, isOver] = [0, false]
      const offer = (line: Line) => {
        waiting++
        lines.unsafeOffer(line)
      }
      const logger = Logger.make<unknown, void>(({ cause, date, logLevel, message }) => {
        if (isOver || waiting >= maxWaiting) return
        offer({ text: lineOf(date, logLevel.label, textOf(message, cause)) })
      })
      const now = Effect.map(Effect.clock, (clock) => new Date(clock.unsafeCurrentTimeMillis()))
      if (start !== undefined) offer({ text: lineOf(yield* now, "info", start) })
      // Nothing interrupts it: it ends with the line "end", when all lines before are written.
      const writer = yield* Effect.fork(
        Effect.gen(function* () {
          if (!(yield* Deferred.await(isOpen))) return
          for (let line = yield* Queue.take(lines); line !== "end"; line = yield* Queue.take(lines)) {
            waiting--
            yield* append(line)
          }
        })
      )
      return yield* restore(run(Effect.asVoid(Deferred.succeed(isOpen, true)))).pipe(
        Effect.provide(Logger.add(logger)),
        Effect.onExit((exit) =>
          Effect.gen(function* () {
            isOver = true
            if (start !== undefined) {
              const [level, text] = endOf(exit)
              offer({ text: lineOf(yield* now, level, text), isLast: true })
            }
            lines.unsafeOffer("end")
            // Not open until now: the run was refused.
            yield* Deferred.succeed(isOpen, false)
            yield* Fiber.await(writer)
          })
        )
      )
    })
  )
