/**
 * Attempts at a part of a run that an orchestrator divides: each is a separate run with its own ledger, in `shards/ATTEMPT` of the data
 * folder.
 *
 * - A killed or stopped attempt is continued by the next process for the same part that finds its ledger, like with `sluice resume`. On
 *   another machine, with another definition, or after a failure a new attempt starts at the first row.
 * - The ledger is removed once the result is in the shard set, the folder that `merge` reads (`ShardSet.ts`). If the process is killed in
 *   between, there is nothing left to do.
 * - The lock of the run in its ledger decides which process continues it. While another process holds it, a new attempt starts. If two find
 *   it at the same moment, one fails with `Locked`, or because the other one has ended the attempt: neither changes the other's files.
 */
import * as NodePath from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Files from "../Files.ts"
import type { RunRecord } from "../Ledger/Model.ts"
import { finalReason } from "../Ledger/Model.ts"
import * as Runs from "../Ledger/Runs.ts"
import * as Sqlite from "../Ledger.ts"
import { type Checked, definitionHash } from "../Pipeline/Check.ts"
import { isEqual } from "../Row/Difference.ts"
import type { Json } from "../Row.ts"
import * as Rejects from "../Run/Rejects.ts"
import { optionsOf, type RunOptions } from "../Run/RunSpec.ts"
import * as Run from "../Run.ts"
import type { Place } from "./PartRun.ts"
import * as ShardLedger from "./ShardLedger.ts"
import * as ShardSet from "./ShardSet.ts"

/** Part that this process executes: shard 1 to `of`, or only the source. */
export interface Share {
  readonly shard: number | "source"
  readonly of: number
}

export interface Options extends Pick<RunOptions, "backfill" | "allowCode"> {
  /** Absolute path. */
  readonly shared: string
  readonly share: Share
  /** Data folder of this machine, for the part's ledger. */
  readonly dataDir: string
  readonly place: Place
  /** Called with each run that is started or continued. */
  readonly began: (run: Run.Run, checked: Checked, isContinued: boolean) => Effect.Effect<void, never, Scope.Scope>
}

/** An attempt that was killed or stopped on this machine, and can be continued. */
interface Left extends ShardSet.Attempt {
  readonly record: RunRecord
  /** Totals that the attempt has used so far, by column of its run in the ledger. */
  readonly figures: Readonly<Record<string, number>>
}

/** Maximum time for which the ledger of another container or of a lost machine counts as held: the expiry of its locks plus a second. */
const lockTimeout = "16 seconds"

/** Milliseconds within which an attempt has its run in the ledger. Without one after that, its process was killed. */
const startTimeout = 60_000

/** Folder of an attempt's ledger. */
export const dataOf = ({ dataDir }: Options, { name }: Pick<ShardSet.Attempt, "name">): string =>
  NodePath.join(dataDir, "shards", name)

const idOf = (part: number | "source", run: string): string =>
  part === "source" ? Runs.splitOf(run) : Runs.shardOf(run, part - 1)

const removed = (path: string) =>
  Effect.flatMap(FileSystem.FileSystem, (files) => Effect.ignore(files.remove(path, { recursive: true, force: true })))

/** Removes the local files of an attempt whose result is in the set. */
export const clear = (name: string, options: Options) => removed(dataOf(options, { name }))

/** The earlier attempt that this process can continue; undefined if it must start a new one. */
export const left = (set: ShardSet.ShardSet, part: number | "source", checked: Checked, options: Options) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    for (const attempt of yield* ShardSet.attempts(set, part)) {
      const { name, run } = attempt
      const data = dataOf(options, attempt)
      if (run === undefined || !(yield* files.exists(NodePath.join(data, "ledger.db")))) continue
      const id = idOf(part, run)
      const found = yield* Effect.gen(function* () {
        const { find, history } = yield* Sqlite.Ledger
        const alive = yield* Effect.repeat(history.alive, {
          until: (all) => !all.has(id),
          schedule: Schedule.intersect(Schedule.spaced("1 second"), Schedule.recurUpTo(lockTimeout))
        }).pipe(Effect.zipRight(history.alive))
        return { isAlive: alive.has(id), record: yield* find(id), figures: yield* ShardLedger.figuresOf(id) }
      }).pipe(Effect.provide(Sqlite.layer(data)))
      const { figures, isAlive, record } = found
      if (isAlive) continue
      // Either a process was killed before its run was in the ledger, or another one is about to start the run: leave the attempt alone for
      // now.
      if (record === undefined && (yield* Clock.currentTimeMillis) - Date.parse(attempt.begunAt) < startTimeout)
        continue
      const isSame =
        record !== undefined &&
        record.out === NodePath.join(set.folder, name) &&
        record.definitionHash === definitionHash(checked) &&
        isEqual(record.inputs, checked.inputs as Json) &&
        (record.options.backfill === true) === (options.backfill === true)
      if (isSame && (record.status === "completed" || finalReason(record) === undefined))
        return { name, run, record, figures } satisfies Left
      yield* removed(data)
    }
    return undefined
  })

const serviceFailed = ({ message }: { readonly message: string }) =>
  new ShardSet.ShardsUnusable({ message: `the service of this machine: ${message}` })

const messageIn = (cause: Cause.Cause<{ readonly message: string }>): string =>
  Option.match(Cause.failureOption(cause), { onNone: () => "it was stopped", onSome: ({ message }) => message })

/** Executes a part as a separate run, in a new or an earlier attempt, and passes its result to `record`, which puts it into the set. */
export const execute = <A, E extends { readonly message: string }, R>(
  set: ShardSet.ShardSet,
  part: number | "source",
  attempt: ShardSet.Attempt | Left,
  startedAt: number,
  plan: (folder: string, used: ReadonlyArray<Pick<ShardSet.EndedPart, "figures">>) => Checked,
  record: (ended: Omit<ShardSet.EndedPart, "version" | "host">) => Effect.Effect<A, E, R>,
  options: Options
) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const { allowCode, backfill, began, place, share } = options
    const { name, run } = attempt
    const before = "record" in attempt ? attempt : undefined
    const folder = NodePath.join(set.folder, name)
    const data = dataOf(options, attempt)
    const id = idOf(part, run)
    const dropped = (why: string) => Effect.zipRight(ShardSet.giveUp(set, attempt, why), removed(data))
    /** True if the ledger has progress to continue from. */
    let isBegun = before !== undefined
    /** True if another process has ended the attempt since this one found it. */
    let isEnded = false
    yield* Effect.mapError(Files.makeFolder(files, data), ShardLedger.shareFailed(data))
    return yield* Effect.gen(function* () {
      if (before !== undefined) {
        isEnded = (yield* (yield* Sqlite.Ledger).find(id)) === undefined
        if (isEnded) return yield* ShardLedger.removedMeanwhile(id)
        yield* ShardSet.note(set, attempt)
      }
      let summary: Run.Summary | undefined
      // A completed run needs only its result: its process was killed before the result was in the set.
      if (before?.record.status !== "completed") {
        const checked = plan(folder, before === undefined ? [] : [before])
        const { client, site } = yield* Effect.mapError(place.serve(checked), serviceFailed)
        const made = yield* Run.make(checked, {
          ...place.env,
          id,
          parentRun: run,
          now: new Date(startedAt),
          backfill,
          allowCode,
          site,
          out: folder,
          dataDir: data,
          rateShare: part === "source" ? 1 : share.of,
          log: false,
          opened: () =>
            Effect.sync(() => {
              isBegun = true
            }),
          ...(before && optionsOf(before.record))
        })
        yield* began(made, checked, before !== undefined)
        summary = yield* Effect.mapError(Effect.provide(made.execute, client), (error) =>
          error instanceof Run.RunFailed
            ? error
            : serviceFailed(error instanceof Error ? error : { message: String(error) })
        )
      }
      const carried = yield* Effect.mapError(
        ShardLedger.carryOut(id, folder, yield* Rejects.pathIn(`${data}/runs/${id}`)),
        ShardLedger.shareFailed(folder)
      )
      const ended = { run, attempt: name, endedAt: yield* Clock.currentTimeMillis, ...carried }
      return { summary, recorded: yield* Effect.tapError(record(ended), ({ message }) => dropped(message)) }
    }).pipe(
      Effect.provide(Sqlite.layer(data)),
      Effect.scoped,
      Effect.zipLeft(removed(data)),
      Effect.onError((cause) => {
        const failure = Option.getOrUndefined(Cause.failureOption(cause))
        const isRun = failure instanceof Run.RunFailed
        if (isEnded) return removed(data)
        // Another process has taken over the attempt with its files, so they stay as they are.
        if (isRun && failure.reason._tag === "StepError" && failure.reason.reason === "Locked") return Effect.void
        const isKept = isBegun && (Cause.isInterrupted(cause) || (before !== undefined && !isRun))
        return isKept ? Effect.ignore(ShardSet.note(set, attempt, messageIn(cause))) : dropped(messageIn(cause))
      })
    )
  })
