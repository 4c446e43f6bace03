/**
 * Server-sent events: polls the ledger once for all open pages, and sends what has changed to each of them.
 *
 * - The ledger is polled only while pages listen, and for {@link linger} after the last one has gone.
 * - `Listeners` gives each page a bounded queue and keeps the latest events, so that a page that reconnects with
 *   `Last-Event-ID` gets what it missed, or `isGap` when that is no longer known. A page that reads too slowly is disconnected.
 * - Events about the progress of a run go only to pages that follow the run.
 * - When the ledger cannot be read, one `ledger` event says so, and another one when it can be read again.
 */

import { randomBytes } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Struct from "effect/Struct"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import type { RunRecord } from "../Ledger/Model.ts"
import { Ledger } from "../Ledger.ts"
import { describeRows } from "../Row/Count.ts"
import type { Events } from "../Web/Dashboard/Protocol.ts"
import type { Graph, RunLine } from "../Web/Dashboard/RunProtocol.ts"
import type { RunProgress, RunSummary } from "./Queries.ts"
import * as Queries from "./Queries.ts"
import { Refusal } from "./Request.ts"
import * as RunView from "./RunView.ts"
import { progressOf, Rates } from "./RunView.ts"

/** Milliseconds between polls; between reads of the newest runs; and between checks for deleted runs. */
const intervals = { poll: 1_000, list: 2_000, sweep: 10_000 }
/** Maximum living runs watched, newest runs read by a poll, and runs whose last event is remembered. */
const limits = { alive: 200, newest: 50, known: 500 }
/** Milliseconds for which polling continues after the last page has gone. */
const linger = 15_000

export class Watch extends Context.Tag("sluice/Dashboard/Watch")<
  Watch,
  {
    /** Streams encoded events from now on. `cut` disconnects the listener. */
    readonly listen: (
      run: string | undefined,
      lastEventId: string | undefined,
      cut: () => void
    ) => Effect.Effect<Queue.Dequeue<string>, Refusal, Scope.Scope>
    /** Emitted rows per second of a run, by step; undefined until two checkpoints are known. */
    readonly rates: (run: string, now: number) => ReadonlyMap<string, number> | undefined
  }
>() {}

/** A followed run, with the data that does not change while it runs. */
interface FollowedRun {
  readonly run: RunRecord
  readonly graph: Graph | null
}

const make = Effect.gen(function* () {
  const ledger = yield* Ledger
  const { history } = ledger
  const queries = yield* Queries.ofLedger
  const listeners = new Listeners()
  const rates = new Rates()
  const awake = yield* Effect.makeLatch(false)
  /** Fingerprint of the last event of each run, by id; the newest last. */
  let known = new Map<string, string>()
  const watched = new Set<string>()
  let followed = new Map<string, FollowedRun>()
  let lastAt = { list: 0, sweep: 0 }
  let ledgerVersion: number | undefined
  let scheduleVersion: string | undefined
  let ledgerError: string | undefined
  let lastListenedAt = 0

  /** Runs that differ from the last event sent about them. */
  const changed = (runs: ReadonlyArray<RunSummary>, alive: ReadonlySet<string>, now: number) =>
    runs.flatMap((run): ReadonlyArray<RunLine> => {
      const line = RunView.lineOf(run, alive.has(run.id), now)
      const fingerprint = `${line.state} ${line.updatedAt} ${line.rows} ${describeRows(line.written, 0)} ${line.rejects} ${line.credits}`
      if (known.get(run.id) === fingerprint) return []
      known.delete(run.id)
      known.set(run.id, fingerprint)
      return [line]
    })

  const sendProgress = (state: RunProgress, line: RunLine, now: number): Effect.Effect<void, LedgerError> =>
    Effect.gen(function* () {
      const known = followed.get(state.id)
      const run = known === undefined ? yield* ledger.find(state.id) : known.run
      if (run === undefined) return
      const graph = known === undefined ? yield* RunView.graphOf(run) : known.graph
      followed.set(state.id, { run, graph })
      const progress = progressOf(state, graph, rates.of(state.id, now))
      const current = { ...run, ...Struct.pick(state, "credits", "rows", "progress", "endedAt") }
      const budget = yield* RunView.budgetOf(current, progress, now)
      const news = yield* RunView.newsOf(line, state.error)
      listeners.send("progress", { run: state.id, progress, budget, news }, state.id)
    }).pipe(Effect.provideService(Ledger, ledger))

  const poll = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const isList = now - lastAt.list >= intervals.list
    const isSweep = now - lastAt.sweep >= intervals.sweep
    const version = yield* queries.version
    if (version !== undefined && version === ledgerVersion && !isSweep) return
    const alive = yield* history.alive
    // A living run holds a lock whose name contains the id, so no query is needed to find the run.
    for (const id of [...alive].slice(-limits.alive)) watched.add(id)
    if (isSweep) {
      lastAt.sweep = now
      const ids = [...known.keys()].slice(-limits.known)
      const there = yield* queries.known(ids)
      const gone = ids.filter((id) => !there.has(id))
      for (const id of gone) known.delete(id)
      known = new Map([...known].slice(-limits.known))
      if (gone.length > 0) listeners.send("gone", { runs: gone })
    }
    const isFollowed = listeners.followed
    followed = new Map([...followed].filter(([id]) => isFollowed.has(id)))
    const states = yield* queries.progress([...new Set([...isFollowed, ...watched])])
    for (const state of states) if (alive.has(state.id)) rates.note(state)
    const lines = [...changed(states, alive, now)]
    if (isList || isSweep) {
      lastAt.list = now
      const newest = yield* queries.runs({ limit: limits.newest })
      lines.push(...changed(newest, alive, now))
      const current = yield* queries.scheduleVersion
      if (scheduleVersion !== undefined && current !== scheduleVersion) listeners.send("schedules", { at: now })
      scheduleVersion = current
    }
    for (const id of watched) {
      if (alive.has(id)) continue
      watched.delete(id)
      rates.forget(id)
    }
    if (lines.length > 0) listeners.send("runs", { runs: lines })
    for (const state of states) {
      const line = lines.find(({ id }) => id === state.id)
      if (line !== undefined && isFollowed.has(state.id)) yield* sendProgress(state, line, now)
    }
    // Only a poll that reads the list is complete: a run may begin and end between two polls.
    ledgerVersion = isList || isSweep ? version : undefined
  })

  const pollSafely = Effect.flatMap(Effect.either(poll), (result) =>
    Effect.sync(() => {
      const error = Either.isLeft(result) ? result.left.message : undefined
      if (error !== ledgerError) listeners.send("ledger", { error })
      ledgerError = error
      // The failed poll did not send the changes that it found: forget all runs, so that the next poll sends them.
      if (error !== undefined) known.clear()
    })
  ).pipe(Effect.catchAllDefect((defect) => Effect.logError(`the dashboard cannot read the ledger: ${String(defect)}`)))

  const loop = Effect.gen(function* () {
    yield* awake.await
    yield* pollSafely
    const now = yield* Clock.currentTimeMillis
    if (listeners.size > 0) lastListenedAt = now
    else if (now - lastListenedAt > linger) yield* awake.close
    yield* Effect.sleep(intervals.poll)
  })
  yield* Effect.forkScoped(Effect.forever(loop))

  return Watch.of({
    listen: (run, lastEventId, cut) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        lastListenedAt = now
        // After a pause, poll before the first event: a page loads existing runs itself after `hello`.
        if (listeners.size === 0 && now - lastAt.list > linger) {
          lastAt = { list: 0, sweep: 0 }
          ledgerVersion = undefined
          yield* pollSafely
          listeners.forget()
        }
        const queue = yield* listeners.add(run, lastEventId, now, cut)
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
  /** Sent only to listeners that follow this run. */
  readonly run: string | undefined
}

interface Listener {
  readonly queue: Queue.Queue<string>
  readonly run: string | undefined
  /** Closes the listener's connection. */
  readonly cut: () => void
}

/** Maximum listeners, queued events per listener, and events kept for reconnecting listeners. */
const listenerLimits = { listeners: 64, queue: 64, history: 256 }

export class Listeners {
  readonly #all = new Set<Listener>()
  /** Prefix of event ids: ids of another process are not recognized. */
  readonly #process = randomBytes(6).toString("hex")
  #history: Array<SentEvent> = []
  #number = 0

  get size(): number {
    return this.#all.size
  }

  /** Ids of the runs that at least one listener follows. */
  get followed(): ReadonlySet<string> {
    return new Set([...this.#all].flatMap(({ run }) => (run === undefined ? [] : [run])))
  }

  #text<N extends EventName>(name: N, data: Events[N], number: number): string {
    return `event: ${name}\nid: ${this.#process}-${number}\ndata: ${JSON.stringify(data)}\n\n`
  }

  /** Sends an event to all listeners, or to those that follow a run. A listener with a full queue is disconnected. */
  send<N extends EventName>(name: N, data: Events[N], run?: string): void {
    const number = ++this.#number
    const text = this.#text(name, data, number)
    this.#history.push({ number, text, run })
    if (this.#history.length > listenerLimits.history) this.#history.shift()
    for (const listener of this.#all) {
      if (run !== undefined && listener.run !== run) continue
      if (!Queue.unsafeOffer(listener.queue, text)) {
        this.#all.delete(listener)
        listener.cut()
      }
    }
  }

  /** Events after an event id; undefined when the history does not reach back so far. */
  #since(lastEventId: string | undefined, run: string | undefined): ReadonlyArray<SentEvent> | undefined {
    const [prefix, text] = (lastEventId ?? "").split("-")
    const number = Number(text)
    const first = this.#history[0]?.number ?? this.#number + 1
    if (prefix !== this.#process || !Number.isSafeInteger(number) || number < first - 1 || number > this.#number) {
      return undefined
    }
    return this.#history.filter((each) => each.number > number && (each.run === undefined || each.run === run))
  }

  /** Clears the history: listeners that reconnect get a gap. */
  forget(): void {
    this.#history = []
    this.#number++
  }

  /** Adds a listener until the scope closes. It gets `hello` first, then what it has missed since `lastEventId`. */
  add(
    run: string | undefined,
    lastEventId: string | undefined,
    now: number,
    cut: () => void
  ): Effect.Effect<Queue.Dequeue<string>, Refusal, Scope.Scope> {
    return Effect.suspend(() => {
      if (this.#all.size >= listenerLimits.listeners) {
        const reason = `${listenerLimits.listeners} pages of the dashboard are open: close some of them`
        return Effect.fail(new Refusal({ status: 503, reason }))
      }
      return Effect.acquireRelease(
        Effect.map(Queue.dropping<string>(listenerLimits.queue), (queue): Listener => {
          const missed = this.#since(lastEventId, run)
          const replayed = missed !== undefined && missed.length < listenerLimits.queue ? missed : undefined
          // `hello` has the id before the replayed events: a listener that disconnects right after it still gets them.
          const number = (replayed?.[0]?.number ?? this.#number + 1) - 1
          const isGap = lastEventId !== undefined && replayed === undefined
          Queue.unsafeOffer(queue, this.#text("hello", { now, isGap }, number))
          for (const { text } of replayed ?? []) Queue.unsafeOffer(queue, text)
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
