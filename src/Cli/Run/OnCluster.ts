/** Runs on the cluster: submits a run, follows it in the ledger, and lets it continue when the command ends. */
import * as NodePath from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Cluster from "../../Cluster.ts"
import { isLost } from "../../Database/ConnectionLoss.ts"
import type { RunRecord } from "../../Ledger/Model.ts"
import type { Checked } from "../../Pipeline/Check.ts"
import type { Priority } from "../../Pipeline/Definition.ts"
import { trialFolder } from "../../Run/RunSpec.ts"
import type * as Run from "../../Run.ts"
import { newId } from "../../Run.ts"
import { SettingInvalid, wrongUsage } from "../CommandErrors.ts"
import type { SettingValues } from "../CommandSettings.ts"
import { repairCommandOf } from "../Extract/Suggest.ts"
import { count } from "../Format.ts"
import { savedIn } from "../SavedPages.ts"
import { missingCapabilities } from "../Service.ts"
import type { Terminal } from "../Terminal.ts"
import { scopeOf } from "../Trust.ts"
import type { Printer, RunRequest } from "./Perform.ts"
import * as Report from "./Report.ts"

/** The database that workers share. */
export const databaseOf = ({ databaseUrl }: SettingValues) =>
  databaseUrl === undefined
    ? new SettingInvalid({
        name: "SLUICE_DATABASE_URL",
        reason: "it is not set. Runs on many machines need the address of the Postgres database that the machines share"
      })
    : Effect.succeed(databaseUrl)

/** Interval between queries, in milliseconds. */
const pollInterval = 500

const line = ({ credits, done, isRead, isSplit, rejects, rows, shards, waitsFor, working }: Cluster.Standing): string =>
  [
    isSplit ? `${done} of ${isRead ? "" : "so far "}${count(shards, "shard")}` : "one part",
    working === 0 ? "waits for a worker" : `${working} at work`,
    count(rows, "row"),
    ...(rejects === 0 ? [] : [count(rejects, "reject")]),
    ...(credits === 0 ? [] : [count(Math.round(credits), "credit")]),
    ...(waitsFor === undefined ? [] : [`waits: ${waitsFor}`])
  ].join("  ")

/** Retries a query about a run while the database does not answer: the run itself continues. */
const whileAway =
  (runId: string, print: Printer) =>
  <A, E, R>(look: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    let isAway = false
    return look.pipe(
      Effect.tapError((error) =>
        Effect.sync(() => {
          if (isAway || !isLost(error)) return
          isAway = true
          print.talk(`the database does not answer: waiting. Run ${runId} keeps running on the workers\n`)
        })
      ),
      Effect.retry({ while: isLost, schedule: Schedule.spaced(pollInterval) })
    )
  }

/** Follows a run until it has ended, even while the database is unreachable. An interrupt does not stop the run. */
export const follow = (runId: string, name: string, terminal: Terminal, print: Printer) =>
  followed(runId, name, terminal, print).pipe(
    Effect.tapError((failure) =>
      failure._tag === "RunFailed" ? Effect.void : Effect.sync(() => print.report({ ...Report.failed(failure), runId }))
    )
  )

const followed = (runId: string, name: string, terminal: Terminal, print: Printer) =>
  Effect.gen(function* () {
    const waiting = whileAway(runId, print)
    yield* Effect.gen(function* () {
      const standing = yield* waiting(Cluster.RunStatus.standing(runId))
      if (terminal.err.interactive && standing !== undefined) terminal.err.status(`${name}  ${line(standing)}`)
      return standing
    }).pipe(
      Effect.delay(pollInterval),
      Effect.repeat({ until: (standing) => standing?.status !== "running" }),
      Effect.ensuring(Effect.sync(() => terminal.err.status(""))),
      Effect.onInterrupt(() =>
        Effect.sync(() => {
          print.talk(`run ${runId} keeps running on the workers: sluice show ${runId}\n`)
          print.report(Report.running(runId))
        })
      )
    )
    const summary = yield* waiting(Cluster.RunStatus.summary(runId)).pipe(
      Effect.tapErrorTag("RunFailed", (failure) =>
        Effect.map(repairCommandOf(runId), (repair) =>
          print.talk(Report.describeFailed(name, failure.summary, terminal.err, failure, repair))
        )
      )
    )
    const saved = yield* savedIn(runId)
    print.talk(Report.describe(name, summary, terminal.err, [], saved))
    for (const warning of yield* beside(summary)) print.talk(`${warning}\n`)
    print.report(Report.completed(summary, saved))
  })

/**
 * Warnings about files that look like outputs of the run but are not its own: reading all files of the folder would read some rows twice.
 */
const beside = ({ outputs }: Run.Summary) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const own = new Set(outputs.map(({ path }) => path))
    const whole = new Set(outputs.flatMap(({ path }) => Cluster.wholeName(path) ?? []))
    const found = yield* Effect.filter([...whole], (path) =>
      own.has(path) ? Effect.succeed(false) : Effect.orElseSucceed(files.exists(path), () => false)
    )
    return found.map(Cluster.foreign)
  })

/** Capabilities that this machine lacks. Only a hint: workers have their own settings, and refuse runs that they cannot execute. */
const capabilityHints = ({ checked, settings }: ClusterRequest, env: Terminal["env"]) =>
  missingCapabilities(checked, settings, env).pipe(
    Effect.map(({ refusal }) =>
      (refusal?.unmet ?? [])
        .map(({ message }) => `this machine cannot run this pipeline, and perhaps no worker can: ${message}\n`)
        .join("")
    ),
    Effect.orElseSucceed(() => "")
  )

export interface ClusterRequest
  extends Pick<RunRequest, "checked" | "settings" | "limit" | "backfill" | "allowCode" | "scheduledFor"> {
  /** Absolute path on storage that all workers share; undefined for a trial without an output folder. */
  readonly out: string | undefined
  readonly shardRows?: number | undefined
  readonly priority?: Priority | undefined
  readonly detach: boolean
}

/** Submits the run, and follows it unless `detach` is set. */
export const perform = (request: ClusterRequest, terminal: Terminal, print: Printer) =>
  Effect.gen(function* () {
    const url = yield* databaseOf(request.settings)
    const { checked, detach, limit, ...options } = request
    if (checked.toStdout.length > 0) {
      return yield* wrongUsage(
        'a step writes to standard output ("-"), which workers do not have: give it the path of a file, or run it here without --on cluster'
      )
    }
    const id = yield* newId(yield* Clock.currentTimeMillis)
    const out = request.out ?? trialFolder(NodePath.resolve(".sluice"), checked.frame.name, id)
    print.talk(yield* capabilityHints(request, terminal.env))
    yield* Effect.gen(function* () {
      const task = yield* Cluster.submit(checked, { ...options, ...scopeOf(terminal.env), id, out, wanted: limit })
      if (task.whole !== undefined)
        print.talk(`${checked.frame.name} runs on one worker, not in shards: ${task.whole}\n`)
      const workers = yield* Effect.option(Cluster.Workers.list)
      if (workers._tag === "Some" && !workers.value.some(({ alive }) => alive))
        print.talk("no worker is running: start one with sluice worker\n")
      if (!detach) return yield* follow(task.runId, checked.frame.name, terminal, print)
      print.talk(`run ${task.runId} was submitted: sluice show ${task.runId}\n`)
      print.report(Report.running(task.runId))
    }).pipe(Effect.provide(Cluster.layer(url, 4)))
  })

/** Resumes a run of the cluster, with a revised definition if one is given. Returns false for other runs. */
export const resume = (
  { id, pipeline }: RunRecord,
  revision: { readonly checked: Checked; readonly allowCode: boolean } | undefined,
  settings: SettingValues,
  terminal: Terminal,
  print: Printer
) =>
  Effect.gen(function* () {
    const { databaseUrl } = settings
    if (databaseUrl === undefined) return false
    return yield* Effect.gen(function* () {
      const { reopen } = yield* Cluster.Submissions
      const standing = yield* Cluster.RunStatus.standing(id)
      if (standing === undefined) return false
      if (revision !== undefined && standing.status !== "running")
        yield* Cluster.revise(id, revision, scopeOf(terminal.env))
      yield* reopen(id)
      terminal.tell?.({ began: id })
      yield* follow(id, pipeline, terminal, print)
      return true
    }).pipe(Effect.provide(Cluster.layer(databaseUrl, 4)))
  })
