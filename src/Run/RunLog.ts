/**
 * Log of a run: `run.log` in the run's folder, one line per message with its time and level, for every way to start a run.
 *
 * - Created with its first line; a resume appends. At most {@link maxBytes}: then one line says so, and only the end of the
 *   run is still added.
 * - Lines are written in the background in their order, and all of them before the run returns. A log that cannot be
 *   written never fails the run.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Queue from "effect/Queue"
import { plain } from "../Callback.ts"
import * as Files from "../Files.ts"
import type { RunFailed, Summary } from "./RunResult.ts"

/** Bytes of a log. */
export const maxBytes = 1024 * 1024
/** Lines that wait to be written; beyond that the oldest of them are dropped. */
const maxWaiting = 1_000

/** Path of the log of a run. */
export const pathIn = (folder: string): Effect.Effect<string, never, Path.Path> =>
  Effect.map(Path.Path, (paths) => paths.join(folder, "run.log"))

const lineOf = (date: Date, level: string, text: string): string =>
  `${date.toISOString()} ${level.toLowerCase()}: ${plain(text)}\n`

const textOf = (message: unknown): string =>
  (Array.isArray(message) ? message : [message])
    .map((each) => (typeof each === "string" ? each : (JSON.stringify(each) ?? String(each))))
    .join(" ")

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`

const endOf = (exit: Exit.Exit<Summary, RunFailed>): readonly [level: string, text: string] => {
  if (Exit.isSuccess(exit)) {
    const { credits, outputs, rejects, rows } = exit.value
    const files = outputs.map((output) => `${output.path} (${counted(output.rows, "row")})`)
    const counts = `completed: ${counted(rows, "row")}, ${counted(rejects, "reject")}, ${counted(credits, "credit")}`
    return ["info", [counts, ...files.slice(0, 20)].join("; ")]
  }
  const failure = Cause.failureOption(exit.cause)
  if (failure._tag === "Some") return ["error", `${failure.value.summary.status}: ${failure.value.message}`]
  return Cause.isInterruptedOnly(exit.cause) ? ["info", "stopped"] : ["error", Cause.pretty(exit.cause)]
}

/** Runs it, and stores its start, what is logged meanwhile, and its end. Without `start` only what is logged is stored. */
export const record = <R>(
  run: Effect.Effect<Summary, RunFailed, R>,
  { folder, start }: { readonly folder: string; readonly start?: string | undefined }
): Effect.Effect<Summary, RunFailed, R | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = yield* pathIn(folder)
    const lines = yield* Queue.sliding<string>(maxWaiting)
    const size = yield* Effect.cached(
      Effect.zipRight(
        Files.makeFolder(files, folder),
        Effect.map(Effect.option(files.stat(path)), (info) => (info._tag === "Some" ? Number(info.value.size) : 0))
      )
    )
    let [written, isFull] = [0, false]
    const append = (text: string, isLast = false) =>
      Effect.gen(function* () {
        const bytes = Buffer.byteLength(text)
        const before = yield* size
        if (!isLast && (isFull || before + written + bytes > maxBytes)) {
          if (isFull) return
          isFull = true
          return yield* files.writeFileString(path, "The log is full: later messages are not stored.\n", { flag: "a" })
        }
        written += bytes
        yield* files.writeFileString(path, text, { flag: "a", mode: 0o600 })
      }).pipe(Effect.ignore)
    const logger = Logger.make<unknown, void>(({ cause, date, logLevel, message }) => {
      const reason = Cause.isEmpty(cause) ? "" : ` ${Cause.pretty(cause)}`
      lines.unsafeOffer(lineOf(date, logLevel.label, `${textOf(message)}${reason}`))
    })
    const now = Effect.map(Effect.clock, (clock) => new Date(clock.unsafeCurrentTimeMillis()))
    if (start !== undefined) yield* append(lineOf(yield* now, "info", start))
    const writer = yield* Effect.uninterruptibleMask((restore) =>
      Effect.fork(Effect.forever(Effect.flatMap(restore(Queue.take(lines)), (line) => append(line))))
    )
    return yield* run.pipe(
      Effect.provide(Logger.add(logger)),
      Effect.onExit((exit) =>
        Effect.gen(function* () {
          yield* Fiber.interrupt(writer)
          for (const line of yield* Queue.takeAll(lines)) yield* append(line)
          if (start === undefined) return
          const [level, text] = endOf(exit)
          yield* append(lineOf(yield* now, level, text), true)
        })
      )
    )
  })
