/** One look at the ledger for all who listen, again and again while somebody does: what has changed is told to them. */
/** Those who listen: each with a queue of its own, and a memory of what was told last for those who come again. */

import { randomBytes } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import type { RunRecord } from "../Ledger/Model.ts"
import { Ledger } from "../Ledger.ts"
import type { Events } from "../Web/Dashboard/Protocol.ts"
import type { Graph, RunLine } from "../Web/Dashboard/RunProtocol.ts"
import type { Pace, RunSummary } from "./Queries.ts"
import * as Queries from "./Queries.ts"
import { Refusal } from "./Request.ts"
import * as RunView from "./RunView.ts"
import { progressOf, Rates } from "./RunView.ts"

/** Milliseconds: between two looks; for what seldom changes; for what has to be gone through. */
const intervals = { look: 1_000, list: 2_000, sweep: 10_000 }
/** Runs at work that are watched, and of the newest, those that are looked for. */
const limits = { going: 200, newest: 50, known: 500 }
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
      const line = RunView.lineOf(run, alive.has(run.id), now)
      const sign = `${line.state} ${line.updatedAt} ${line.rows} ${line.rejects} ${line.credits}`
      if (known.get(run.id) === sign) return []
      // The newest are at the end.
      known.delete(run.id)
      known.set(run.id, sign)
      return [line]
    })

  const follow = (intervals: Pace, line: RunLine, now: number): Effect.Effect<void, LedgerError> =>
    Effect.gen(function* () {
      const kept = followed.get(intervals.id)
      const run = kept === undefined ? yield* ledger.find(intervals.id) : kept.run
      if (run === undefined) return
      const graph = kept === undefined ? yield* RunView.graphOf(run) : kept.graph
      followed.set(intervals.id, { run, graph })
      const progress = progressOf(intervals, graph, rates.of(intervals.id, now))
      const current = { ...run, credits: intervals.credits, rows: intervals.rows, endedAt: intervals.endedAt }
      const budget = yield* RunView.budgetOf(current, progress, now)
      const news = yield* RunView.newsOf(line, intervals.error)
      listeners.tell("progress", { run: intervals.id, progress, budget, news }, intervals.id)
    }).pipe(Effect.provideService(Ledger, ledger))

  const look = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const isList = now - at.list >= intervals.list
    const isSweep = now - at.sweep >= intervals.sweep
    const version = yield* survey.mark
    if (version !== undefined && version === mark && !isSweep) return
    const alive = yield* history.alive
    // Who works on a run holds its lock: nothing has to be gone through to find those that go on.
    for (const id of [...alive].slice(-limits.going)) going.add(id)
    if (isSweep) {
      at.sweep = now
      const ids = [...known.keys()].slice(-limits.known)
      const there = yield* survey.known(ids)
      const gone = ids.filter((id) => !there.has(id))
      for (const id of gone) known.delete(id)
      known = new Map([...known].slice(-limits.known))
      if (gone.length > 0) listeners.tell("gone", { runs: gone })
    }
    const isFollowed = listeners.followed
    followed = new Map([...followed].filter(([id]) => isFollowed.has(id)))
    const paces = yield* survey.paces([...new Set([...isFollowed, ...going])])
    for (const each of paces) if (alive.has(each.id)) rates.note(each)
    const lines = [...changed(paces, alive, now)]
    if (isList || isSweep) {
      at.list = now
      const newest = yield* survey.runs({ limit: limits.newest })
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
    yield* Effect.sleep(intervals.look)
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

type EventName = keyof Events

interface SentEvent {
  readonly number: number
  readonly text: string
  /** Only for those who follow this run. */
  readonly run: string | undefined
}

interface Listener {
  readonly queue: Queue.Queue<string>
  readonly run: string | undefined
  /** Ends its connection, whether it reads or not. */
  readonly cut: () => void
}

/** So many may listen, so far behind may each of them be, and so much is kept for those who come again. */
const listenerLimits = { listeners: 64, behind: 64, kept: 256 }

export class Listeners {
  readonly #all = new Set<Listener>()
  /** Numbers of another life of this program mean nothing. */
  readonly #life = randomBytes(6).toString("hex")
  #told: Array<SentEvent> = []
  #number = 0

  get size(): number {
    return this.#all.size
  }

  /** Runs that somebody follows. */
  get followed(): ReadonlySet<string> {
    return new Set([...this.#all].flatMap(({ run }) => (run === undefined ? [] : [run])))
  }

  #text<N extends EventName>(name: N, data: Events[N], number: number): string {
    return `event: ${name}\nid: ${this.#life}-${number}\ndata: ${JSON.stringify(data)}\n\n`
  }

  /** Tells all of them, or those who follow a run. Who is too far behind is cut off. */
  tell<N extends EventName>(name: N, data: Events[N], run?: string): void {
    const number = ++this.#number
    const text = this.#text(name, data, number)
    this.#told.push({ number, text, run })
    if (this.#told.length > listenerLimits.kept) this.#told.shift()
    for (const listener of this.#all) {
      if (run !== undefined && listener.run !== run) continue
      if (!Queue.unsafeOffer(listener.queue, text)) {
        this.#all.delete(listener)
        listener.cut()
      }
    }
  }

  /** What was told behind an event; undefined when that is not known any more. */
  #since(last: string | undefined, run: string | undefined): ReadonlyArray<SentEvent> | undefined {
    const [life, text] = (last ?? "").split("-")
    const number = Number(text)
    const first = this.#told[0]?.number ?? this.#number + 1
    if (life !== this.#life || !Number.isSafeInteger(number) || number < first - 1 || number > this.#number) {
      return undefined
    }
    return this.#told.filter((each) => each.number > number && (each.run === undefined || each.run === run))
  }

  /** From here on nothing is known of what was told before: whoever comes again has missed something. */
  forget(): void {
    this.#told = []
    this.#number++
  }

  /** A new listener, until the scope closes; it is greeted first, and told what it has missed since `last`. */
  add(
    run: string | undefined,
    last: string | undefined,
    now: number,
    cut: () => void
  ): Effect.Effect<Queue.Dequeue<string>, Refusal, Scope.Scope> {
    return Effect.suspend(() => {
      if (this.#all.size >= listenerLimits.listeners) {
        const reason = `${listenerLimits.listeners} pages listen already: close some of them`
        return Effect.fail(new Refusal({ status: 503, reason }))
      }
      return Effect.acquireRelease(
        Effect.map(Queue.dropping<string>(listenerLimits.behind), (queue): Listener => {
          const missed = this.#since(last, run)
          const told = missed !== undefined && missed.length < listenerLimits.behind ? missed : undefined
          // Who is cut off behind the greeting has not heard the rest yet.
          const number = (told?.[0]?.number ?? this.#number + 1) - 1
          const isGap = last !== undefined && told === undefined
          Queue.unsafeOffer(queue, this.#text("hello", { now, isGap }, number))
          for (const { text } of told ?? []) Queue.unsafeOffer(queue, text)
          const listener = { queue, run, cut }
          this.#all.add(listener)
          return listener
        }),
        (listener) => {
          this.#all.delete(listener)
          return Queue.shutdown(listener.queue)
        }
      ).pipe(Effect.map(({ queue }) => queue))
    })
  }
}
