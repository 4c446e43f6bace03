/** What verbs that look back say of runs on many machines: their shards, and how many are done. */
import * as Effect from "effect/Effect"
import type { RunRecord } from "../Ledger/Model.ts"
import type { Where } from "./Past.ts"
import * as Profile from "./Profile.ts"
import { table } from "./Table.ts"
import { paint, type Terminal } from "./Terminal.ts"
import { count } from "./Words.ts"

type Cluster = typeof import("../Cluster.ts")

/** Asks the board, if one of these runs was handed in to workers; what it needs takes time to load, and few want it. */
const asked = <A, E, R>(
  runs: ReadonlyArray<RunRecord>,
  options: Where,
  terminal: Terminal,
  ask: (cluster: Cluster, ids: ReadonlyArray<string>) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const ids = runs.filter(({ group, id }) => group === id).map(({ id }) => id)
    const { databaseUrl } = yield* Profile.read(terminal.env, options.profile)
    if (ids.length === 0 || databaseUrl === undefined) return undefined
    const cluster = yield* Effect.promise(() => import("../Cluster.ts"))
    return yield* Effect.provide(ask(cluster, ids), cluster.layer(databaseUrl, 1))
  })

/** How many shards of each run are done. */
export const progressOf = (runs: ReadonlyArray<RunRecord>, options: Where, terminal: Terminal) =>
  asked(runs, options, terminal, ({ RunStatus }, ids) => RunStatus.progress(ids))

/** How the run stands on its machines, and its first shards. */
export const shardsOf = (run: RunRecord, options: Where & { readonly limit: number }, terminal: Terminal) =>
  asked([run], options, terminal, ({ RunStatus }) =>
    Effect.gen(function* () {
      const standing = yield* RunStatus.standing(run.id)
      return standing && { standing, shards: yield* RunStatus.shards(run.id, options.limit) }
    })
  )

type Found = NonNullable<Effect.Effect.Success<ReturnType<typeof shardsOf>>>

/** For scripts. */
export const objectOf = ({ shards, standing: { done, isRead, isSplit, waitsFor, why, working } }: Found) => ({
  cluster: { split: isSplit, whole: why, sourceRead: isRead, working, done, waitsFor },
  shards
})

/** One line of facts, and a table. */
export const describe = ({ shards, standing }: Found, terminal: Terminal) => {
  const { done, isRead, isSplit, waitsFor, working } = standing
  const total = standing.shards
  const fact = isSplit
    ? [
        `${done} of ${isRead ? "" : "so far "}${count(total, "shard")} done`,
        ...(working === 0 ? [] : [`${count(working, "part")} at work`])
      ].join(", ")
    : `none: ${standing.why ?? "it is one part"}`
  const waits = waitsFor === undefined ? "" : `; a part waits: ${waitsFor}`
  const dye = paint(terminal.out)
  const lines = table(
    [["shard", "right"], ["state"], ["worker"], ["given", "right"], ["rows", "right"], ["rejects", "right"], ["error"]],
    shards.map(({ error, given, rejects, rows, shard, state, worker }) => [
      String(shard),
      state,
      worker ?? "–",
      ...[given, rows, rejects].map((each) => each.toLocaleString("en-US")),
      error ?? ""
    ]),
    terminal.out
  )
  const more = total > shards.length ? [dye.dim(`and ${count(total - shards.length, "more shard")}: --limit`)] : []
  return { fact: `${fact}${waits}`, lines: shards.length === 0 ? [] : [...lines, ...more] }
}
