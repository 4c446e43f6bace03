/**
 * Fiber scheduler that divides event loop time fairly between teams.
 *
 * - Each team has a lane (a queue of ready fibers), and so does the engine's own work. The lane that has used the least time relative to
 *   its weight runs next, so a team with a thousand ready fibers and a team with one alternate. A lane gets no credit for time in which it
 *   was idle. The engine's lane weighs as much as all ready teams together, because they all depend on dispatch and leases.
 * - Urgent fibers run first: they hold a resource that others wait for, such as the store. Their time counts for their lane, and after each
 *   `slice` milliseconds of urgent fibers one other fiber runs.
 * - After `slice` milliseconds of fibers, timers and sockets get a turn. A fiber runs until it waits or yields (every 2,048 operations), so
 *   a single long operation blocks everything and belongs on a worker thread.
 * - Plain work of pages (`Work.ts`) takes turns of its lane for the visit, the links and the parsing (`Work.inTurn`). Its small steps in
 *   between run immediately, like socket callbacks.
 * - All functions are synchronous. A scheduled task runs exactly once, in the order of its lane and priority.
 */
import * as Effect from "effect/Effect"
import type * as Scheduler from "effect/Scheduler"
import { defaultShouldYield } from "effect/Scheduler"
import { safely } from "../../Callback.ts"
import { equal, Owner } from "./FairQueue.ts"

/** Milliseconds of running fibers between two turns of sockets and timers. */
const slice = 4

/** Number of finished tasks at the start of a lane's array after which they are removed from it. */
const maxDone = 1_000

/** Priority of urgent fibers. */
const urgentPriority = -1

/** Scheduler of one lane, through which `asTeam` also finds the lanes of other teams. */
interface Lane extends Scheduler.Scheduler {
  /** True when no fiber is ready. */
  readonly isIdle: () => boolean
  readonly laneOf: (team: string) => Lane
}

interface Queue {
  /** Weight of the lane; 0 for the engine's lane. */
  readonly weight: number
  tasks: Array<Scheduler.Task | undefined>
  /** Index of the next task. */
  at: number
  /** Used milliseconds divided by the weight. */
  time: number
}

/** Creates the lanes of an event loop. Returns the engine's lane. */
export const make = (weights: ReadonlyMap<string, number> = equal): Scheduler.Scheduler => {
  const lanes = new Map<string, Lane>()
  const ready = new Set<Queue>()
  const urgent: Array<{ readonly queue: Queue; readonly task: Scheduler.Task }> = []
  /** Milliseconds that urgent fibers have used since the last other fiber. */
  let urgentTime = 0
  let isRunning = false
  /** Virtual time: the `time` of the lane that ran last, from which an idle lane continues. */
  let clock = 0
  let begun = 0
  /** True if a slice has begun in this turn of the event loop. */
  let hasBegun = false

  const nextQueue = (): Queue | undefined => {
    let next: Queue | undefined
    for (const queue of ready) if (next === undefined || queue.time < next.time) next = queue
    return next
  }

  /** Weight of a lane. The engine's lane weighs as much as all ready teams together. */
  const weightOf = (queue: Queue): number => {
    if (queue.weight > 0) return queue.weight
    let sum = 0
    for (const each of ready) sum += each.weight
    return Math.max(1, sum)
  }

  const takeFrom = (queue: Queue): Scheduler.Task | undefined => {
    const task = queue.tasks[queue.at]
    // Release the fiber now; the array is shortened later.
    queue.tasks[queue.at++] = undefined
    if (queue.at === queue.tasks.length) {
      queue.tasks = []
      queue.at = 0
      ready.delete(queue)
    } else if (queue.at === maxDone) {
      queue.tasks = queue.tasks.slice(queue.at)
      queue.at = 0
    }
    return task
  }

  const step = (): void => {
    const before = performance.now()
    const first = urgentTime < slice || ready.size === 0 ? urgent.shift() : undefined
    const queue = first?.queue ?? nextQueue()
    const task = first?.task ?? (queue === undefined ? undefined : takeFrom(queue))
    if (queue !== undefined && first === undefined) clock = queue.time
    try {
      task?.()
    } finally {
      const after = performance.now()
      urgentTime = first === undefined ? 0 : urgentTime + after - before
      if (queue !== undefined) queue.time += (after - before) / weightOf(queue)
      if (urgent.length === 0 && ready.size === 0) isRunning = false
      else if (after - begun > slice) setImmediate(safely(run))
      else queueMicrotask(safely(step))
    }
  }

  /**
   * Starts a slice, or continues the slice of this turn of the event loop. Events of many sockets in one turn share one slice, so that a
   * team cannot get more time by opening more connections.
   */
  const run = (): void => {
    const now = performance.now()
    if (!hasBegun) {
      hasBegun = true
      begun = now
      setImmediate(
        safely(() => {
          hasBegun = false
        })
      )
    }
    if (now - begun > slice) setImmediate(safely(run))
    else step()
  }

  const laneOf = (team: string): Lane => {
    const found = lanes.get(team)
    if (found !== undefined) return found
    const queue: Queue = { weight: team === "" ? 0 : (weights.get(team) ?? 1), tasks: [], at: 0, time: 0 }
    const lane: Lane = {
      isIdle: () => !isRunning,
      laneOf,
      shouldYield: defaultShouldYield,
      scheduleTask: (task, priority) => {
        if (priority <= urgentPriority) urgent.push({ queue, task })
        else {
          if (queue.tasks.length === 0) {
            queue.time = Math.max(queue.time, clock)
            ready.add(queue)
          }
          queue.tasks.push(task)
        }
        if (isRunning) return
        isRunning = true
        queueMicrotask(safely(run))
      }
    }
    lanes.set(team, lane)
    return lane
  }

  return laneOf("")
}

const isLane = (scheduler: Scheduler.Scheduler): scheduler is Lane => "laneOf" in scheduler

/**
 * Runs work in a team's lane, with the team as its `Owner`. Yields first if other fibers are ready, so that the team waits for its turn.
 */
export const asTeam =
  (team: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const owned = Effect.provideService(work, Owner, team)
    return Effect.withFiberRuntime((fiber) => {
      const { currentScheduler } = fiber
      if (!isLane(currentScheduler)) return owned
      const inTurn = currentScheduler.isIdle() ? owned : Effect.zipRight(Effect.yieldNow(), owned)
      return Effect.withScheduler(inTurn, currentScheduler.laneOf(team))
    })
  }

/** Runs callbacks in a team's turns, in the order of the calls. */
export type Turns = (callback: () => void) => void

/** Returns a function that runs callbacks in the team's lane; without lanes, callbacks run at once. */
export const turnsOf = (team: string): Effect.Effect<Turns> =>
  Effect.withFiberRuntime(({ currentScheduler }) => {
    if (!isLane(currentScheduler)) return Effect.succeed((callback) => callback())
    const lane = currentScheduler.laneOf(team)
    return Effect.succeed((callback) => lane.scheduleTask(callback, 0))
  })

/** Runs the effect with urgent priority, because other fibers wait for the resource that it holds. */
export const urgently = Effect.withSchedulingPriority(urgentPriority)
