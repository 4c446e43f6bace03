/** Runs of the ledger for several verbs: finds a run by id, renders it as JSON, and reads the shards of a cluster run. */
import * as Effect from "effect/Effect"
import type { RunRecord } from "../Ledger/Model.ts"
import { Ledger } from "../Ledger.ts"
import { type CheckOptions, check } from "../Pipeline/Check.ts"
import type { Source } from "../Pipeline/Source.ts"
import { comparedRows, outputRows } from "../Run/Progress.ts"
import { runStatus } from "../Run/RunResult.ts"
import { optionsOf } from "../Run/RunSpec.ts"
import { NoSuchRun } from "./CommandErrors.ts"
import { readSettings } from "./CommandSettings.ts"
import { count, table } from "./Format.ts"
import type { LedgerPlace } from "./LedgerAccess.ts"
import { paint, type Terminal } from "./Terminal.ts"
import { scopeOf, writingTo } from "./Trust.ts"

type Cluster = typeof import("../Cluster.ts")

/** Queries the cluster's tables, if one of these runs was submitted to the cluster. Loads the cluster's modules only then. */
const askCluster = <A, E, R>(
  runs: ReadonlyArray<RunRecord>,
  options: LedgerPlace,
  terminal: Terminal,
  ask: (cluster: Cluster, ids: ReadonlyArray<string>) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const ids = runs.filter(({ group, id }) => group === id).map(({ id }) => id)
    const { databaseUrl } = yield* readSettings(terminal.env, options.profile)
    if (ids.length === 0 || databaseUrl === undefined) return undefined
    const cluster = yield* Effect.promise(() => import("../Cluster.ts"))
    return yield* Effect.provide(ask(cluster, ids), cluster.tables(databaseUrl, 1))
  })

/** Number of finished shards of each run. */
export const progressOf = (runs: ReadonlyArray<RunRecord>, options: LedgerPlace, terminal: Terminal) =>
  askCluster(runs, options, terminal, ({ RunStatus }, ids) => RunStatus.progress(ids))

/** Progress of a run on the cluster, and its first shards. */
export const shardsOf = (run: RunRecord, options: LedgerPlace & { readonly limit: number }, terminal: Terminal) =>
  askCluster([run], options, terminal, ({ RunStatus }) =>
    Effect.gen(function* () {
      const standing = yield* RunStatus.standing(run.id)
      return standing && { standing, shards: yield* RunStatus.shards(run.id, options.limit) }
    })
  )

type RunShards = NonNullable<Effect.Effect.Success<ReturnType<typeof shardsOf>>>

/** JSON object with a run's shards, for scripts. */
export const shardObject = ({ shards, standing }: RunShards) => {
  const { done, isRead, isSplit, priority, waiting, waitsFor, why, working } = standing
  return {
    cluster: { split: isSplit, whole: why, sourceRead: isRead, priority, waiting, working, done, waitsFor },
    shards
  }
}

/** Describes the shards in one line of facts and a table. */
export const describeShards = ({ shards, standing }: RunShards, terminal: Terminal) => {
  const { done, isRead, isSplit, waitsFor, working } = standing
  const total = standing.shards
  const fact = isSplit
    ? [
        `${done} of ${isRead ? "" : "so far "}${count(total, "shard")} done`,
        ...(working === 0 ? [] : [`${count(working, "part")} at work`]),
        ...(standing.waiting === 0 ? [] : [`${count(standing.waiting, "part")} waiting`])
      ].join(", ")
    : `none: ${standing.why ?? "the run is not split into shards"}`
  const waits = waitsFor === undefined ? "" : `; a part waits: ${waitsFor}`
  const dye = paint(terminal.out)
  const lines = table(
    [["shard", "right"], ["state"], ["worker"], ["given", "right"], ["rows", "right"], ["rejects", "right"], ["error"]],
    shards.map(({ attempts, error, given, rejects, rows, shard, state, worker }) => [
      String(shard),
      attempts > 1 ? `${state}, try ${attempts}` : state,
      worker ?? "–",
      ...[given, rows, rejects].map((each) => each.toLocaleString("en-US")),
      error ?? ""
    ]),
    terminal.out
  )
  const more = total > shards.length ? [dye.dim(`and ${count(total - shards.length, "more shard")}: --limit`)] : []
  return { fact: `${fact}${waits}`, lines: shards.length === 0 ? [] : [...lines, ...more] }
}

/** Finds the run by id, or else the newest run. */
export const findRun = (id: string | undefined) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const newest = (yield* history.runs({ limit: 100 })).map((run) => run.id)
    const wanted = id ?? newest[0] ?? ""
    const found = yield* history.run(wanted)
    return found ?? (yield* new NoSuchRun({ run: wanted, known: newest }))
  })

export const runObject = (run: RunRecord, alive: boolean) => ({
  runId: run.id,
  pipeline: run.pipeline,
  status: runStatus(run, alive),
  file: run.file,
  startedAt: new Date(run.startedAt).toISOString(),
  endedAt: run.endedAt === undefined ? undefined : new Date(run.endedAt).toISOString(),
  rows: run.rows,
  written: outputRows(run.progress),
  changes: comparedRows(run.progress ?? {}),
  rejects: run.rejects,
  credits: run.credits,
  unpricedCalls: run.unpriced,
  error: run.error
})

/** Checks a definition with the inputs of a run, and with the permission to write to that run's output folder. */
export const checkFor = (
  run: RunRecord,
  source: Source,
  { env }: Terminal,
  more: Pick<CheckOptions, "begun" | "definitionHash"> = {}
) => {
  const inputs = run.inputs as Readonly<Record<string, unknown>>
  return check(source, { ...scopeOf(env), inputs, saved: true, complete: true, ...more }).pipe(
    writingTo(run.out, optionsOf(run).wanted),
    // Inputs as resolved at that time: a path may have been relative to another folder.
    Effect.map((checked) => ({ ...checked, inputs }))
  )
}
