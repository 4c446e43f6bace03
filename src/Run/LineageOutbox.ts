/**
 * Outbox of OpenLineage events: one file per event in the data folder, until the backend has accepted it.
 *
 * - At least once: an event is removed after it was accepted. Events that a run could not send are sent by the next one with the same
 *   data folder.
 * - Events are sent in order of time. The first one that is not accepted ends the attempt, so that no event overtakes another. One that
 *   the backend calls invalid (400, 413 and 422) is renamed to `.refused`, so that it does not block the others. Only one run per process
 *   sends at a time.
 * - A run waits for its backend once, at its end, for at most `finishTimeout`. At most `maxWaiting` events wait, and as many refused
 *   ones are kept; the oldest are deleted.
 * - The key is sent only in the `Authorization` header, and errors never contain the URL. Only the owner can read the files.
 */
import * as NodePath from "node:path"
import { fileURLToPath } from "node:url"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { causeName } from "../Client/Network.ts"
import * as Files from "../Files.ts"
import type { RunFailed } from "./RunResult.ts"

/** The address that events are sent to, and the namespace that they name. */
export interface Target {
  /** URL: events are posted to `http` and `https`, and appended to a `file`. */
  readonly url: URL
  readonly key: Redacted.Redacted | undefined
  /** OpenLineage namespace of the jobs. */
  readonly namespace: string
}

/** The target configured for this process; undefined while lineage is disabled, which is the default. */
export class LineageTarget extends Context.Reference<LineageTarget>()("sluice/Run/LineageTarget", {
  defaultValue: (): Target | undefined => undefined
}) {}

const requestTimeout = "5 seconds"
const finishTimeout = "5 seconds"
/** Time limit for sending during a run. */
const sendTimeout = "1 minute"
const maxWaiting = 1_000
/** An incomplete file older than this many milliseconds was left by a process that has died. */
const partialAge = 3_600_000

/** Semaphores by folder, so that runs of one process do not send the same events twice. */
const turns = new Map<string, Effect.Semaphore>()

const turnOf = (folder: string): Effect.Semaphore => {
  const turn = turns.get(folder) ?? Effect.unsafeMakeSemaphore(1)
  turns.set(folder, turn)
  return turn
}

class NotAccepted extends Data.TaggedError("NotAccepted")<{ readonly message: string; readonly isInvalid: boolean }> {}

const post = ({ key, url }: Target, body: string) =>
  Effect.tryPromise({
    try: (signal) =>
      fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(key === undefined ? {} : { authorization: `Bearer ${Redacted.value(key)}` })
        },
        body,
        // A redirect may lead to another host, which must not receive the key.
        redirect: "manual",
        signal
      }).then(async ({ body, status }) => {
        // The body may be endless, so it is not read.
        await body?.cancel()
        return status
      }),
    catch: (cause) => new NotAccepted({ message: causeName(cause), isInvalid: false })
  }).pipe(
    Effect.timeoutFail({
      duration: requestTimeout,
      onTimeout: () => new NotAccepted({ message: "no answer in time", isInvalid: false })
    }),
    Effect.filterOrFail(
      (status) => status >= 200 && status < 300,
      (status) => new NotAccepted({ message: `it answered ${status}`, isInvalid: [400, 413, 422].includes(status) })
    ),
    Effect.asVoid
  )

const appendTo = (fs: FileSystem.FileSystem, { url }: Target, body: string) => {
  const path = fileURLToPath(url)
  return Files.makeFolder(fs, NodePath.dirname(path)).pipe(
    Effect.zipRight(fs.writeFileString(path, `${body}\n`, { flag: "a" })),
    Effect.mapError(({ message }) => new NotAccepted({ message: message, isInvalid: false }))
  )
}

/** Warns instead of failing, even for defects: lineage never fails a run. */
export const unlessInterrupted =
  <R1>(warn: (reason: string) => Effect.Effect<void, never, R1>) =>
  <R>(effect: Effect.Effect<void, { readonly message: string }, R>): Effect.Effect<void, never, R | R1> =>
    Effect.catchAllCause(effect, (cause) => {
      if (Cause.isInterruptedOnly(cause)) return Effect.interrupt
      const error = Cause.squash(cause)
      return warn(error instanceof Error ? error.message : String(error))
    })

/** Opens the outbox in a folder, which is created with the first event. */
export const make = (target: Target, folder: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const turn = turnOf(NodePath.resolve(folder))
    let hasWarned = false

    const names = Effect.map(
      Effect.orElseSucceed(fs.readDirectory(folder), (): ReadonlyArray<string> => []),
      (found) => found.toSorted()
    )

    const remove = (name: string) => Effect.ignore(fs.remove(NodePath.join(folder, name)))

    const isLeftOver = (name: string) =>
      Effect.zipWith(fs.stat(NodePath.join(folder, name)), Clock.currentTimeMillis, ({ mtime }, now) =>
        Option.exists(mtime, (changed) => now - changed.getTime() > partialAge)
      ).pipe(Effect.orElseSucceed(() => false))

    const tidy = Effect.gen(function* () {
      const found = yield* names
      const withEnd = (end: string) => found.filter((name) => name.endsWith(end))
      const surplus = [".json", ".refused"].flatMap((end) => withEnd(end).slice(0, -maxWaiting))
      const leftOvers = yield* Effect.filter(withEnd(".partial"), isLeftOver)
      yield* Effect.forEach([...surplus, ...leftOvers], remove, { discard: true })
    })

    const add = (name: string, event: unknown) =>
      Effect.gen(function* () {
        const path = NodePath.join(folder, `${name}.json`)
        yield* Files.makeFolder(fs, folder)
        yield* fs.writeFileString(`${path}.partial`, JSON.stringify(event), { mode: 0o600 })
        yield* fs.rename(`${path}.partial`, path)
        yield* tidy
      })

    const deliver = (name: string) =>
      Effect.gen(function* () {
        const path = NodePath.join(folder, name)
        const body = yield* Effect.option(fs.readFileString(path))
        // The file is gone: another process has already sent the event.
        if (Option.isNone(body)) return
        yield* target.url.protocol === "file:" ? appendTo(fs, target, body.value) : post(target, body.value)
        yield* remove(name)
      }).pipe(
        Effect.catchIf(
          ({ isInvalid }) => isInvalid,
          ({ message }) =>
            Effect.zipRight(
              Effect.ignore(fs.rename(NodePath.join(folder, name), NodePath.join(folder, `${name}.refused`))),
              Effect.logWarning(
                `the OpenLineage backend refused an event: ${message}; the event is kept as ${name}.refused`
              )
            )
        )
      )

    const warnOnce = (reason: string) =>
      Effect.suspend(() => {
        if (hasWarned) return Effect.void
        hasWarned = true
        return Effect.logWarning(
          `the OpenLineage backend has not accepted the events of this run (${reason}): the next run sends them`
        )
      })

    const sendAll = Effect.flatMap(names, (found) =>
      Effect.forEach(
        found.filter((name) => name.endsWith(".json")),
        deliver,
        { discard: true }
      )
    ).pipe(turn.withPermits(1), unlessInterrupted(warnOnce))

    /** Sends the waiting events for a limited time. Never fails. */
    const sendWithin = (time: Duration.DurationInput) =>
      Effect.timeoutOption(Effect.interruptible(sendAll), time).pipe(
        Effect.flatMap((sent) =>
          Option.isSome(sent) ? Effect.void : warnOnce(`no answer in ${Duration.format(Duration.decode(time))}`)
        )
      )

    return { add, send: sendWithin(sendTimeout), finish: sendWithin(finishTimeout) }
  })

/** The failure of a run; undefined if it was interrupted or died. */
export const failureOf = (cause: Cause.Cause<RunFailed>): RunFailed | undefined =>
  Option.getOrUndefined(Cause.failureOption(cause))
