/** Runs of an orchestrator: executes one shard (`run --shard`), and merges the shards of a folder (`merge`). */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type { Share } from "../../Cluster/ShardAttempt.ts"
import * as ShardMerge from "../../Cluster/ShardMerge.ts"
import * as ShardRun from "../../Cluster/ShardRun.ts"
import { isOver } from "../../Ledger/Model.ts"
import { Ledger } from "../../Ledger.ts"
import type { Checked } from "../../Pipeline/Check.ts"
import { decodeOutputs } from "../../Step/Output.ts"
import { wrongUsage } from "../CommandErrors.ts"
import { readSettings, type SettingValues } from "../CommandSettings.ts"
import { requireFolder } from "../Folder.ts"
import { count } from "../Format.ts"
import { ledgerLayer } from "../LedgerAccess.ts"
import { requireCapabilities, startService } from "../Service.ts"
import type { Terminal } from "../Terminal.ts"
import { scopeOf, writingTo } from "../Trust.ts"
import { drawProgress, type Printer, perform, printing } from "./Perform.ts"
import * as Report from "./Report.ts"

/** Parses `3/10`, or `source/10` for the source alone; undefined for other texts. */
export const shareOf = (text: string): Share | undefined => {
  const [, part = "", total = ""] = /^(source|\d{1,6})\/(\d{1,6})$/.exec(text) ?? []
  const of = Number(total)
  if (part === "" || of < 1) return undefined
  if (part === "source") return { shard: "source", of }
  const shard = Number(part)
  return shard >= 1 && shard <= of ? { shard, of } : undefined
}

const wrongShare = (text: string) =>
  wrongUsage(
    `--shard takes a number from 1 to the number of shards, like 3/10, or source/10, got "${text}". Where an orchestrator counts from 0, add 1: --shard $((JOB_COMPLETION_INDEX + 1))/10`
  )

interface ShardRequest {
  readonly checked: Checked
  readonly settings: SettingValues
  /** As given on the command line. */
  readonly shard: string
  /** Absolute path. */
  readonly dataDir: string
  readonly out: string
  readonly backfill: boolean
  readonly allowCode: boolean
  readonly quiet: boolean
}

/** Executes one shard, or reads the source, and prints the command to run next. */
export const runShard = (request: ShardRequest, terminal: Terminal, print: Printer) =>
  Effect.gen(function* () {
    const { allowCode, backfill, checked, dataDir, out, quiet, settings, shard } = request
    const share = shareOf(shard)
    if (share === undefined) return yield* wrongShare(shard)
    if (checked.toStdout.length > 0) {
      return yield* wrongUsage(
        'a step writes to standard output ("-"), which shards do not share: give it the path of a file'
      )
    }
    yield* requireCapabilities(checked, settings, terminal.env)
    const services = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const { rows, runId, summary } = yield* ShardRun.runShard(checked, {
      shared: out,
      share,
      dataDir,
      backfill,
      allowCode,
      place: {
        env: scopeOf(terminal.env),
        serve: (part) => Effect.provide(startService(part, settings, dataDir), services)
      },
      began: (run, part, isContinued) =>
        Effect.gen(function* () {
          if (isContinued) print.talk(`shard ${shard} continues from its last checkpoint\n`)
          if (terminal.err.interactive && !quiet) yield* Effect.forkScoped(drawProgress(run, part, terminal))
        })
    }).pipe(
      Effect.tapErrorTag("RunFailed", (failure) =>
        Effect.sync(() =>
          print.talk(`shard ${shard} of ${checked.frame.name} failed: ${Report.countsOf(failure.summary)}\n`)
        )
      ),
      Effect.onInterrupt(() =>
        Effect.sync(() =>
          print.talk(
            `shard ${shard} was stopped. To continue from its last checkpoint, start it again with the same --data\n`
          )
        )
      )
    )
    const next =
      share.shard === "source"
        ? `Start the shards: sluice run FILE --shard 1/${share.of} --out ${out}, up to ${share.of}/${share.of}`
        : `When all ${share.of} are done: sluice merge ${out}`
    const did =
      share.shard === "source"
        ? `the source of run ${runId} has ${count(rows, "row")}`
        : `shard ${shard} of run ${runId} is done: ${count(rows, "row")} of the source${summary === undefined ? "" : `, ${Report.countsOf(summary)}`}`
    print.talk(`${did}\n${next}\n`)
    print.report({
      ...Report.running(runId),
      ...(summary === undefined ? {} : { ...summary, runId, outputs: [] }),
      status: "completed"
    })
  })

export interface MergeOptions {
  /** Folder of the shards. */
  readonly shared: string
  readonly data: string | undefined
  readonly profile: string | undefined
  readonly "allow-code": boolean
  readonly quiet: boolean
}

/** Reports that the shards of the folder have already been merged. */
const reportMerged = (runId: string, shared: string, print: Printer) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const run = yield* ledger.find(runId)
    print.talk(`the shards in ${shared} were already merged into run ${runId}: nothing was changed\n`)
    if (run === undefined) return print.report({ ...Report.running(runId), status: "completed" })
    const { credits, endedAt = run.updatedAt, rejects, rows, startedAt, unpriced: unpricedCalls } = run
    const outputs = yield* decodeOutputs(`The outputs of run ${runId}`, run.outputs ?? [])
    const summary = { runId, status: "completed" as const, rows, rejects, credits, unpricedCalls, outputs }
    print.report(Report.completed({ ...summary, durationMs: endedAt - startedAt, resumable: false }))
  })

/** Merges the shards of a folder into one run, and publishes its outputs there. */
export const mergeShards = (options: MergeOptions, terminal: Terminal, print: Printer) =>
  Effect.gen(function* () {
    const paths = yield* Path.Path
    const settings = yield* readSettings(terminal.env, options.profile)
    const shared = paths.resolve(options.shared)
    yield* requireFolder(shared, "Name the folder that the shards were given as --out")
    // Stored next to the shards, so that the next attempt finds it on any machine.
    const dataDir = options.data === undefined ? paths.join(shared, ".sluice") : paths.resolve(options.data)
    yield* Effect.gen(function* () {
      const standing = yield* ShardMerge.standing(shared)
      if (standing._tag === "Merged") return yield* reportMerged(standing.runId, shared, print)
      const { begun, set } = standing
      const ledger = yield* Ledger
      const { runId } = begun.task
      /** Removes the files of the shards once the run has ended and they are no longer needed. Returns true if it has ended. */
      const ended = Effect.gen(function* () {
        const run = yield* ledger.find(runId)
        const isEnded = run !== undefined && isOver(run.status) && run.status !== "held"
        if (isEnded) yield* ShardMerge.end(set, begun)
        return isEnded
      })
      if (yield* ended) return yield* reportMerged(runId, shared, print)
      const { checked, record } = yield* ShardMerge.prepare(set, begun, {
        allowCode: options["allow-code"],
        dataDir,
        env: scopeOf(terminal.env)
      })
      yield* perform(
        {
          checked,
          settings,
          dataDir,
          out: shared,
          backfill: begun.task.backfill,
          allowCode: options["allow-code"],
          resume: record,
          quiet: options.quiet
        },
        terminal,
        print
      ).pipe(
        // With `onReached: publish`, a run that its budget cuts short fails and is still published.
        Effect.tapError(() => ended)
      )
      yield* ended
    }).pipe(Effect.provide(ledgerLayer(settings, dataDir)), writingTo(shared, undefined))
  }).pipe(Effect.scoped)

export const merge = (options: MergeOptions & { readonly json: boolean }, terminal: Terminal) =>
  printing(options, terminal, (print) => mergeShards(options, terminal, print))
