/** Runs that are killed at an event, a commit or a request, and resumed over the same ledger and files. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import type { Checkpoint } from "../../src/Ledger/Model.ts"
import type { PriceOf } from "../../src/Step/Cost.ts"
import type { Asked, Reply } from "../Client/Server.ts"
import { tempDir } from "../Local.ts"
import { project } from "../Project.ts"
import { breath, mortal } from "./Lives.ts"

/** State of the run in its last checkpoint. */
interface Left {
  readonly rows: number
  readonly rejects: number
  /** Undefined before the first commit. */
  readonly progress: Progress | undefined
}

interface Progress {
  readonly jobPages: number
  /** Rows by step. */
  readonly given: Readonly<Record<string, number>>
  /** Steps that did not read everything. */
  readonly incomplete: Readonly<Record<string, unknown>>
}

interface Killing {
  readonly steps: string
  readonly frame?: string
  readonly rate?: PriceOf
  /** The service of the killed process; calls that hang keep the run where it is. */
  readonly reply: (asked: Asked, base: string) => Reply
  /** True when the run is to be killed. Checked after each commit, and at each request. */
  readonly when: (left: Left) => boolean
  /** Folder of the ledger, if earlier runs have used it. */
  readonly dataDir?: string
}

/** Runs an effect while the test's clock moves, slowly enough that no call that hangs times out before a commit. */
const whileTimePasses = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.raceFirst(effect, Effect.forever(Effect.zipRight(breath, TestClock.adjust("250 millis"))))

const leftBy = ({ progress, rejectCount, rows }: Checkpoint): Left => ({
  rows,
  rejects: rejectCount,
  // Written by the counters of the run.
  progress: progress as unknown as Progress
})

/** Kills a run as soon as it has come so far, and returns how to resume it. */
export const killed = ({ dataDir: data, frame = "", rate, reply, steps, when }: Killing) =>
  Effect.gen(function* () {
    const dataDir = data ?? (yield* tempDir)
    let service = reply
    let left: Left = { rows: 0, rejects: 0, progress: undefined }
    const isTime = yield* Deferred.make<void>()
    const here = yield* project({
      dataDir,
      rate,
      onTestClock: true,
      service: (asked, base) => {
        const answer = service(asked, base)
        kill()
        return answer
      }
    })
    const process = mortal(here.ledger, (checkpoint) => {
      left = leftBy(checkpoint)
      kill()
    })
    /** From the event on, the process writes nothing to its ledger. */
    const kill = () => {
      if (process.life.isOver || !when(left)) return
      process.life.isOver = true
      Deferred.unsafeDone(isTime, Effect.void)
    }
    const written = (steps: string) => `${steps}\n  - write: { jsonl: rows.jsonl }\n`
    const definition = yield* here.checked(written(steps), frame)
    const id = "killed"
    yield* whileTimePasses(Effect.raceFirst(here.execute(definition, { id }, process.ledger), Deferred.await(isTime)))
    const resume = (next: Killing["reply"]) =>
      Effect.gen(function* () {
        const before = here.asked.length
        service = next
        const ended = yield* whileTimePasses(here.resume(id, written(steps), { frame }))
        return { ...ended, asked: here.asked.slice(before) }
      })
    /** Runs other steps after it, on the same day. */
    const runNext = (steps: string) => whileTimePasses(here.run(written(steps), { frame }))
    return { dataDir, resume, runNext }
  })
