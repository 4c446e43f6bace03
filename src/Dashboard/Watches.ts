/** Watches: steps of all pipelines that store the changes they find, each with its latest change and its last run. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Ledger } from "../Ledger.ts"
import { changeIn, historyStep, visitIn } from "../Step/ChangeHistory.ts"
import type { WatchLine, WatchList } from "../Web/Dashboard/Protocol.ts"
import * as Queries from "./Queries.ts"
import * as RunView from "./RunView.ts"

/** Maximum watches listed, latest changes first. */
const maxWatches = 500

export const list = Effect.gen(function* () {
  const { history } = yield* Ledger
  const queries = yield* Queries.ofLedger
  const now = yield* Clock.currentTimeMillis
  const found = (yield* queries.watches(maxWatches + 1)).map(({ changes, key, latest, step, visit }) => ({
    key,
    step,
    changes,
    latest: Option.getOrUndefined(changeIn({ step, value: latest })),
    visit: Option.getOrUndefined(visitIn(visit))
  }))
  const ids = found.flatMap(({ latest, visit }) => visit?.run ?? latest?.run ?? [])
  const alive = yield* history.alive
  const runs = new Map((yield* queries.runsOf(ids)).map((run) => [run.id, run]))
  return {
    watches: found.slice(0, maxWatches).map(({ changes, key, latest, step, visit }): WatchLine => {
      const run = runs.get(visit?.run ?? latest?.run ?? "")
      const line = run && RunView.lineOf(run, alive.has(run.id), now)
      return {
        // A state key equals the pipeline's name unless the definition sets another one.
        pipeline: run?.pipeline ?? key,
        step: historyStep(step),
        changes,
        latest: latest && { at: latest.at, change: latest.change, key: latest.key, summary: latest.summary },
        last: line && { run: line.id, state: line.state, at: line.startedAt }
      }
    }),
    isCut: found.length > maxWatches
  } satisfies WatchList
})
