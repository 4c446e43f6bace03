/**
 * Merges the shards of a set into a run (`sluice merge`). The run exists only in the ledger of `merge`: only `merge` reads and writes state
 * across runs, including that of `dedupe`.
 */
import { randomUUID } from "node:crypto"
import * as NodePath from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { writing } from "../Ledger/Connection.ts"
import { finalReason } from "../Ledger/Model.ts"
import { Ledger } from "../Ledger.ts"
import type { Json } from "../Row.ts"
import * as Rejects from "../Run/Rejects.ts"
import { makeRunSpec } from "../Run/RunSpec.ts"
import { ExitCode } from "../TypedError/ExitCode.ts"
import * as Merge from "./Merge.ts"
import * as PartResult from "./PartResult.ts"
import type { Place } from "./PartRun.ts"
import * as ShardLedger from "./ShardLedger.ts"
import * as ShardPlan from "./ShardPlan.ts"
import { splitOf, usedBy, withLimits } from "./ShardRun.ts"
import * as ShardSet from "./ShardSet.ts"
import { checkedOf } from "./Task.ts"

/** The merged run cannot be published: its shards rejected too many rows, or its outputs are held. */
export class MergeFailed extends Data.TaggedError("MergeFailed")<{
  readonly message: string
  readonly exitCode: ExitCode
}> {}

export { end } from "./ShardSet.ts"

/** State of the newest shard set in a folder: already merged, or ready to merge. */
export const standing = (shared: string) =>
  Effect.gen(function* () {
    const set = yield* ShardSet.newest(shared)
    const start = `start them with sluice run FILE --shard 1/N --out ${shared}`
    if (set === undefined) return yield* new ShardSet.ShardsUnusable({ message: `${shared} has no shards: ${start}` })
    const merged = yield* ShardSet.mergedAs(set)
    if (merged !== undefined) return { _tag: "Merged" as const, runId: merged.run }
    const begun = yield* ShardSet.read(set)
    if (begun === undefined) {
      return yield* new ShardSet.ShardsUnusable({
        message: `no shard in ${shared} has finished reading the source: wait for the shards, or ${start}`
      })
    }
    return { _tag: "Open" as const, set, begun }
  })

/**
 * Imports the results of all shards into the run, in the ledger of `merge`, and returns the run that finishes it: the steps that need all
 * rows, and publication. May be repeated at any time.
 */
export const prepare = (
  set: ShardSet.ShardSet,
  begun: ShardSet.SetFile,
  { allowCode, dataDir, env }: { readonly allowCode: boolean; readonly dataDir: string; readonly env: Place["env"] }
) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const ledger = yield* Ledger
    const results = yield* ShardSet.take(set, begun)
    // Machines that share no folder have the project in different folders.
    const here = NodePath.resolve(begun.place)
    const file = (yield* Effect.orElseSucceed(files.exists(here), () => false)) ? here : begun.task.file
    const { runId } = begun.task
    const checked = yield* checkedOf({ ...begun.task, file, allowCode }, env)
    const parts = yield* splitOf(checked)
    const ended = [begun.source, ...results].map((each) => ({
      ended: each,
      folder: NodePath.join(set.folder, each.attempt)
    }))
    const shards = new Map(
      results.map(({ attempt, result }, index): readonly [number, PartResult.PartResult] => [
        index,
        {
          ...result,
          outputs: result.outputs.map((output) => ShardLedger.resolved(NodePath.join(set.folder, attempt), output))
        }
      ])
    )
    const counted = PartResult.merged(
      parts,
      checked,
      results.map(({ result }) => result),
      begun.source.result.counted
    )
    const budgetMessage = [begun.source, ...results].flatMap(({ result }) => result.budgetMessage ?? [])[0]
    const spec = makeRunSpec(
      checked,
      { out: set.shared, dataDir, backfill: begun.task.backfill },
      { id: runId, startedAt: begun.task.startedAt },
      { key: begun.task.stateKey }
    )
    // Marks the run, so that `sluice resume` of this run continues this merge.
    const marked = { ...spec, options: { ...spec.options, shards: set.shared } }
    const known = yield* ledger.find(runId)
    const held = known?.status === "held" ? finalReason(known) : undefined
    if (held !== undefined) {
      const message = `run ${runId} cannot be merged again: ${held}. Its ledger is in ${dataDir} (--data)`
      return yield* new MergeFailed({ message, exitCode: ExitCode.checkFailed })
    }
    if (known === undefined || known.progress === null) {
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* ledger.open(marked)
          const rejectFile = yield* Rejects.pathIn(marked.folder)
          const draft = `${rejectFile}.${randomUUID()}.partial`
          const rejectBytes = yield* Merge.gather(
            ended.map(({ folder }) => NodePath.join(folder, ShardLedger.rejectsName)),
            draft
          )
          if (rejectBytes > 0) yield* files.rename(draft, rejectFile)
          const progress = {
            ...counted,
            given: PartResult.withoutKept(parts, counted),
            over: false,
            rejectBytes,
            ...(budgetMessage === undefined ? {} : { budgetMessage })
          }
          yield* ShardLedger.adopt(ledger.connection, runId, checked.frame.name, ended, progress as Json).pipe(
            writing(ledger.connection, `merging the shards of run ${runId}`)
          )
        })
      )
    }
    const published = yield* Merge.publishedBefore(checked.frame.name, runId)
    // Judged once the rejects are in the ledger, so that they can be found under the run's id.
    const message = PartResult.rejectsReached(parts, counted)
    if (message !== undefined) {
      yield* Effect.scoped(Effect.flatMap(ledger.open(marked), (journal) => journal.end("failed", message)))
      return yield* new MergeFailed({ message: `run ${runId}: ${message}`, exitCode: ExitCode.tooManyRejects })
    }
    const finish = ShardPlan.finishPlan(checked, parts, {
      results: shards,
      out: set.shared,
      folderOf: (part) => NodePath.join(set.folder, results[part]?.attempt ?? ""),
      before: published
    })
    const used = { ...usedBy([begun.source, ...results]), rows: counted.outputRows, bytes: counted.outputBytes }
    return { checked: withLimits(finish, used), record: yield* ledger.find(runId) }
  })
