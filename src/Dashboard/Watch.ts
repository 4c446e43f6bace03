/** One look at the ledger for all who listen, again and again while somebody does: what has changed is told to them. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import type { RunRecord } from "../Ledger/Model.ts"
import { Ledger } from "../Ledger.ts"
import type { Graph, RunLine } from "../Web/Dashboard/Protocol/Runs.ts"
import { progressOf, Rates } from "./Counts.ts"
import { Listeners } from "./Listeners.ts"
import type { Pace, RunSummary } from "./Queries.ts"
import * as Queries from "./Queries.ts"
import type { Refusal } from "./Refusal.ts"
import * as Told from "./Told.ts"

/** Milliseconds: between two looks; for what seldom changes; for what has to be gone through. */
const pace = { look: 1_000, list: 2_000, sweep: 10_000 }
/** Runs at work that are watched, and of the newest, those that are looked for. */
const most = { going: 200, newest: 50, known: 500 }
/** Milliseconds that are waited for somebody to come again. */
const linger = 15_000

export class Watch extends Context.Tag("sluice/Dashboard/Watch")<
  Watch,
  {
    /** What is told from now on, as texts of the event stream. */
    readonly listen: (
      run: string | undefined,
      last: string | undefined,
      cut: () => void
    ) => Effect.Effect<Queue.Dequeue<string>, Refusal, Scope.Scope>
    /** Rows per second by step, where they are known. */
    readonly rates: (run: string, now: number) => ReadonlyMap<string, number> | undefined
  }
>() {}

/** What is known of a run that is followed and does not change. */
interface Followed {
  readonly run: RunRecord
  readonly graph: Graph | null
}

const make = Effect.gen(function* () {
  const ledger = yield* Ledger
  const { history } = ledger
  const survey = yield* Queries.survey
  const listeners = new Listeners()
  const rates = new Rates()
  const awake = yield* Effect.makeLatch(false)
  /** What was told of runs, by id. */
  let known = new Map<string, string>()
  const going = new Set<string>()
  let followed = new Map<string, Followed>()
  let at = { list: 0, sweep: 0 }
  let mark: number | undefined
  let schedules: string | undefined
  let trouble: string | undefined
  let left = 0

  /** Lines of runs that are not as they were told last. */
  const changed = (runs: ReadonlyArray<RunSummary>, alive: ReadonlySet<string>, now: number) =>
    runs.flatMap((run): ReadonlyArray<RunLine> => {
      const line = Told.lineOf(run, alive.has(run.id), now)
      const sign = `${line.state} ${line.updatedAt} ${line.rows} ${line.rejects} ${line.credits}`
      if (known.get(run.id) === sign) return []
      // The newest are at the end.
      known.delete(run.id)
      known.set(run.id, sign)
      return [line]
    })

  const follow = (pace: Pace, line: RunLine, now: number): Effect.Effect<void, LedgerError> =>
    Effect.gen(function* () {
      const kept = followed.get(pace.id)
      const run = kept === undefined ? yield* ledger.find(pace.id) : kept.run
      if (run === undefined) return
      const graph = kept === undefined ? yield* Told.graphOf(run) : kept.graph
      followed.set(pace.id, { run, graph })
      const progress = progressOf(pace, graph, rates.of(pace.id, now))
      const current = { ...run, credits: pace.credits, rows: pace.rows, endedAt: pace.endedAt }
      const budget = yield* Told.budgetOf(current, progress, now)
      const news = yield* Told.newsOf(line, pace.error)
      listeners.tell("progress", { run: pace.id, progress, budget, news }, pace.id)
    }).pipe(Effect.provideService(Ledger, ledger))

  const look = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const isList = now - at.list >= pace.list
    const isSweep = now - at.sweep >= pace.sweep
    const version = yield* survey.mark
    if (version !== undefined && version === mark && !isSweep) return
    const alive = yield* history.alive
    // Who works on a run holds its lock: nothing has to be gone through to find those that go on.
    for (const id of [...alive].slice(-most.going)) going.add(id)
    if (isSweep) {
      at.sweep = now
      const ids = [...known.keys()].slice(-most.known)
      const there = yield* survey.known(ids)
      const gone = ids.filter((id) => !there.has(id))
      for (const id of gone) known.delete(id)
      known = new Map([...known].slice(-most.known))
      if (gone.length > 0) listeners.tell("gone", { runs: gone })
    }
    const isFollowed = listeners.followed
    followed = new Map([...followed].filter(([id]) => isFollowed.has(id)))
    const paces = yield* survey.paces([...new Set([...isFollowed, ...going])])
    for (const each of paces) if (alive.has(each.id)) rates.note(each)
    const lines = [...changed(paces, alive, now)]
    if (isList || isSweep) {
      at.list = now
      const newest = yield* survey.runs({ limit: most.newest })
      const found = changed(newest, alive, now)
      lines.push(...found)
      const marked = yield* survey.scheduleMark
      if (schedules !== undefined && marked !== schedules) listeners.tell("schedules", { at: now })
      schedules = marked
    }
    for (const id of going) {
      if (alive.has(id)) continue
      going.delete(id)
      rates.forget(id)
    }
    if (lines.length > 0) listeners.tell("runs", { runs: lines })
    for (const each of paces) {
      const line = lines.find(({ id }) => id === each.id)
      if (line !== undefined && isFollowed.has(each.id)) yield* follow(each, line, now)
    }
    // What the list alone tells, like a run that began and ended meanwhile, is still to be looked for.
    mark = isList || isSweep ? version : undefined
  })

  /** A ledger that cannot be read is told of once, and once more when it can. */
  const safely = Effect.flatMap(Effect.either(look), (result) =>
    Effect.sync(() => {
      const error = Either.isLeft(result) ? result.left.message : undefined
      if (error !== trouble) listeners.tell("ledger", { error })
      trouble = error
      // What was found until then was told to nobody.
      if (error !== undefined) known.clear()
    })
  ).pipe(Effect.catchAllDefect((defect) => Effect.logError(`the dashboard cannot look on: ${String(defect)}`)))

  const loop = Effect.gen(function* () {
    yield* awake.await
    yield* safely
    const now = yield* Clock.currentTimeMillis
    if (listeners.size > 0) left = now
    else if (now - left > linger) yield* awake.close
    yield* Effect.sleep(pace.look)
  })
  yield* Effect.forkScoped(Effect.forever(loop))

  return Watch.of({
    listen: (run, last, cut) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        left = now
        // What is there already is known to whoever asks for it behind the greeting.
        if (listeners.size === 0 && now - at.list > linger) {
          at = { list: 0, sweep: 0 }
          mark = undefined
          yield* safely
          listeners.forget()
        }
        const queue = yield* listeners.add(run, last, now, cut)
        yield* awake.open
        return queue
      }),
    rates: (run, now) => rates.of(run, now)
  })
})

export const layer: Layer.Layer<Watch, never, Ledger> = Layer.scoped(Watch, make)
