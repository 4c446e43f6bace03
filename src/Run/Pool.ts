/** A station that waits for others: sources, and steps that ask a service for each row. Its tasks outlive a crash. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import { type Json, keyOf, type Row } from "../Row.ts"
import type { Changes, Saved, Services, StepError } from "../Step.ts"
import * as Trace from "../Telemetry/Trace.ts"
import type { Execution } from "./Execution.ts"
import type { Outlet, Station } from "./Station.ts"
import { Marks, ordinal, type Task, taskJson, taskOf } from "./Task.ts"

/** What the pool does with a task; it pushes through `emit`, under the gate. */
export interface Work {
  readonly concurrency: number
  /** True when a task gives rows while it lasts: in order, one after the other. */
  readonly inTurn?: boolean | undefined
  readonly run: (task: Task, hands: Hands) => Effect.Effect<void, StepError, Services>
}

export interface Hands {
  readonly emit: Emit
  /** The same for a row that failed, with what stands in for it. It is final, also while it waits for its turn. */
  readonly settle: Emit
  /** Remembers, under the gate, that the task has come further. */
  readonly moved: (task: Task) => void
}

/** Hands on what a task made, and ends it; under the gate. */
export type Emit = (task: Task, made: ReadonlyArray<Row>) => Effect.Effect<void, StepError, Services>

export interface PoolOptions {
  readonly id: string
  /** True for a source that reads no rows: it has one task from the beginning. */
  readonly isRoot: boolean
  /** Hands rows on in the order in which they came in. */
  readonly ordered: boolean
  readonly saved: Saved
  /** Known before the first task is begun; it may wait for a value of another step. */
  readonly work: Effect.Effect<Work, StepError, Services | Scope.Scope>
  readonly outlet: Outlet
  readonly execution: Execution
}

export const make = (options: PoolOptions): Effect.Effect<Station> =>
  Effect.gen(function* () {
    const { execution, id, isRoot, ordered, outlet, saved } = options
    const { gate, halt } = execution
    const queue = yield* Queue.unbounded<Task>()
    const room = yield* Effect.makeLatch(true)
    const arrived = yield* Effect.makeLatch(false)
    const tasks = new Map<string, Task>()
    const changed = new Map<string, Task | undefined>()
    const marks = new Marks()
    let enough = 16
    let busy = 0
    const kept = saved.value as { readonly next?: number; readonly finished?: boolean } | undefined
    let next = kept?.next ?? 0
    let finished = kept?.finished ?? isRoot
    let over = false
    let dirty = kept === undefined

    const welcome = Effect.suspend(() => (tasks.size > enough ? room.close : room.open))

    const add = (row: Row | undefined): Task => {
      const task = taskOf(ordinal(next++), row, marks)
      tasks.set(task.key, task)
      changed.set(task.key, task)
      return task
    }

    const remove = (task: Task) => {
      tasks.delete(task.key)
      // What came and went between two checkpoints is never written.
      if (task.kept) changed.set(task.key, undefined)
      else changed.delete(task.key)
      marks.leave(task)
      execution.settle(id, task.answers)
    }

    for (const [key, json] of saved.entries) tasks.set(key, taskOf(key, undefined, marks, json))
    if (isRoot && kept === undefined) add(undefined)
    // What is pushed before the start is in the queue already.
    const waiting = [...tasks.values()].filter(({ made }) => made === undefined)

    const end = Effect.suspend(() => {
      if (!finished || tasks.size > 0 || over) return Effect.void
      over = true
      return outlet.finish
    })

    /** Hands on what is done; in the order of the input, up to the first task that is not. */
    const advance = Effect.gen(function* () {
      for (const task of tasks.values()) {
        if (task.made === undefined) {
          if (ordered) break
          continue
        }
        remove(task)
        yield* outlet.push(task.made)
      }
    })

    let isAbandoned = false
    /** What is done is handed on, the rest left out; what a call still brings comes too late. */
    const left: Array<string> = []
    const abandon = Effect.gen(function* () {
      isAbandoned = true
      for (const task of [...tasks.values()]) {
        remove(task)
        if (task.made !== undefined) yield* outlet.push(task.made)
        else if (task.row !== undefined) left.push(keyOf(task.row))
        if (task.made === undefined) execution.counters.leaveOut(id, "budget")
      }
      finished = true
      dirty = true
      yield* end
    })

    const emit: Emit = (task, made) =>
      Effect.gen(function* () {
        if (isAbandoned) return
        task.made = made
        if (ordered) yield* advance
        else {
          remove(task)
          yield* outlet.push(made)
        }
        yield* welcome
        yield* end
      })

    const settle: Emit = (task, instead) =>
      Effect.suspend(() => {
        task.failed = true
        changed.set(task.key, task)
        // Its answers led to the failure, which is final.
        execution.settle(id, task.answers)
        task.answers.length = 0
        return emit(task, instead)
      })

    const moved = (task: Task) => void changed.set(task.key, task)

    const traced = Trace.within("Run.task", { attributes: { "sluice.step": id } })

    const attend = (work: Work) => {
      const perform = (task: Task) =>
        Effect.suspend(() => {
          if (outlet.wants()) return work.run(task, { emit, settle, moved })
          execution.counters.leaveOut(id, "wanted")
          return gate.move(emit(task, []))
        }).pipe(halt.respect, Effect.zipRight(outlet.welcome))
      // What waits in the queue is not begun any more, however much of it there is.
      const take = Effect.suspend(() =>
        halt.reason() !== undefined
          ? Effect.succeed(Option.none<Task>())
          : Effect.raceFirst(Effect.asSome(Queue.take(queue)), Effect.as(halt.asked, Option.none<Task>()))
      )
      const loop: Effect.Effect<void, StepError, Services> = Effect.flatMap(
        take,
        Option.match({
          onNone: () => Effect.void,
          // A task that was still to be had when the run came to a stop is there for its next life.
          onSome: (task) => {
            if (halt.reason() !== undefined) return Effect.void
            busy++
            return halt
              .busy(traced(perform(task)))
              .pipe(Effect.ensuring(Effect.sync(() => void busy--)), Effect.zipRight(Effect.suspend(() => loop)))
          }
        })
      )
      return loop
    }

    const run = Effect.gen(function* () {
      yield* Effect.raceFirst(arrived.await, halt.asked)
      if (halt.reason() !== undefined) return
      const work = yield* options.work
      const workers = ordered && work.inTurn === true ? 1 : work.concurrency
      enough = Math.max(enough, workers * 2)
      const inStep = yield* Trace.shared("Run.step", workers, { "sluice.step": id, "sluice.concurrency": workers })
      yield* Effect.forEach(Array.from({ length: workers }), () => execution.fork(id, inStep(attend(work))), {
        discard: true
      })
    }).pipe(halt.respect)

    return {
      id,
      push: (rows) =>
        Effect.gen(function* () {
          if (!outlet.wants()) return void execution.counters.leaveOut(id, "wanted")
          yield* Queue.offerAll(queue, rows.map(add))
          yield* Effect.zipRight(arrived.open, welcome)
        }),
      finish: Effect.suspend(() => {
        if (!finished) dirty = true
        finished = true
        return end
      }),
      start: Effect.gen(function* () {
        yield* gate.move(Effect.zipRight(advance, end))
        yield* Queue.offerAll(queue, waiting)
        if (tasks.size > 0) yield* arrived.open
        yield* welcome
        yield* execution.fork(id, run)
      }),
      room: { isFree: () => tasks.size <= enough, wait: room.await },
      abandon,
      left: () => left,
      wants: outlet.wants,
      load: () => ({ held: tasks.size, room: enough, busy, blocked: !outlet.room.isFree() }),
      save: Effect.sync((): Changes => {
        const entries = Array.from(changed, ([key, task]): readonly [string, Json | undefined] => {
          if (task !== undefined) task.kept = true
          return [key, task === undefined ? undefined : taskJson(task)]
        })
        changed.clear()
        marks.saved()
        const value = dirty || entries.length > 0 ? { next, finished } : undefined
        dirty = false
        return { value, entries }
      })
    }
  })
