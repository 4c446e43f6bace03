/**
 * Runs that are killed at a chosen moment and resumed, in one process and on the clock of the test.
 *
 * A killed run writes nothing to its ledger any more: files keep what was written beyond the last checkpoint, as after a SIGKILL.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { LedgerError } from "../../src/Ledger/LedgerErrors.ts"
import type { Checkpoint, Journal, RunSpec } from "../../src/Ledger/Model.ts"
import { Ledger } from "../../src/Ledger.ts"
import { optionsOf } from "../../src/Run/RunSpec.ts"
import * as Run from "../../src/Run.ts"
import type { Asked, Reply } from "../Client/Server.ts"
import { listening, type Options, type Project, type Rows, rowsIn } from "../Project.ts"
import { page } from "../Step/Odd.ts"

/** Lets sockets and files make progress; the clock of the run stands still. */
export const breath = Effect.promise(() => new Promise((resume) => setTimeout(resume, 1)))

/** Waits until the condition holds, at most so many milliseconds. */
export const until = (condition: () => boolean, breaths = 5000): Effect.Effect<void> =>
  Effect.suspend(() =>
    condition() || breaths === 0 ? Effect.void : Effect.zipRight(breath, until(condition, breaths - 1))
  )

/** Runs an effect while time passes: a second of the test's clock with every breath of the machine. */
export const whileTimePasses = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  eachSecond: Effect.Effect<void> = Effect.void
) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(effect)
    while (fiber.unsafePoll() === null) {
      yield* breath
      yield* TestClock.adjust("1 second")
      yield* eachSecond
    }
    return yield* Fiber.join(fiber)
  })

/** The life of one process: how often it has committed, and whether it was killed. */
export interface Life {
  isOver: boolean
  commits: number
}

/** The ledger of a process that can be killed: from then on nothing is written to it. */
export const mortal = (ledger: typeof Ledger.Service, committed: (all: Checkpoint) => void = () => {}) => {
  const life: Life = { isOver: false, commits: 0 }
  const gone = new LedgerError({ place: ledger.place, doing: "writing", reason: "the process was killed" })
  const alive = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.suspend((): Effect.Effect<A, E | LedgerError, R> => (life.isOver ? Effect.fail(gone) : effect))
  const wrap = (journal: Journal): Journal => ({
    ...journal,
    recordCall: (call) => alive(journal.recordCall(call)),
    checkpoint: (all) =>
      Effect.tap(alive(journal.checkpoint(all)), () =>
        Effect.sync(() => {
          life.commits++
          committed(all)
        })
      ),
    reserve: (asked) => alive(journal.reserve(asked)),
    release: (id) => alive(journal.release(id)),
    recordSealed: (sealed, health) => alive(journal.recordSealed(sealed, health)),
    complete: (outputs, expiry, note) => alive(journal.complete(outputs, expiry, note)),
    end: (status, error) => alive(journal.end(status, error))
  })
  const service: typeof Ledger.Service = {
    ...ledger,
    open: (beginning: RunSpec) => Effect.map(ledger.open(beginning), wrap)
  }
  return { life, ledger: service }
}

/** A service that scrapes pages, each one when the test releases it. Pages that are not held are answered at once. */
export const pacer = ({
  answer = (url: string): unknown => page(url),
  holds = (_: string) => true
}: {
  readonly answer?: (url: string) => unknown
  readonly holds?: (url: string) => boolean
} = {}) => {
  const waiting: Array<() => void> = []
  let isOpen = false
  return {
    service: ({ body }: Asked): Reply => {
      const { url }: { readonly url: string } = JSON.parse(body)
      const reply = { body: { success: true, data: answer(url) } }
      return isOpen || !holds(url) ? reply : { ...reply, behind: new Promise<void>((resume) => waiting.push(resume)) }
    },
    /** Pages that are held. */
    waiting: () => waiting.length,
    /** Answers the first of them. */
    release: () => waiting.shift()?.(),
    /** Holds pages from now on; those that an earlier process has asked for are forgotten. */
    hold: () => {
      isOpen = false
      waiting.length = 0
    },
    /** Answers every page at once. */
    open: () => {
      isOpen = true
      for (const resume of waiting.splice(0)) resume()
    }
  }
}

export type Pacer = ReturnType<typeof pacer>

/** Some pages of the {@link pacer} are answered; then a commit is made, the process is killed, or nothing happens. */
export interface Event {
  readonly rows: number
  readonly after: "nothing" | "commit" | "kill"
}

/** End of the last process. */
interface Played {
  readonly runId: string
  readonly outcome: Either.Either<Run.Summary, Run.RunFailed>
  readonly progress: Run.Progress
  /** Of all lives. */
  readonly warnings: ReadonlyArray<string>
  readonly rejects: Rows
  readonly rows: Rows
  readonly lives: number
}

/** A process that runs a definition, or resumes it. */
export const live = (project: Project, pace: Pacer, steps: string, { frame, ...options }: Options = {}, id?: string) =>
  Effect.gen(function* () {
    const { folder, surroundings } = project
    const definition = yield* project.checked(steps, frame)
    const { ledger, life } = mortal(project.ledger)
    const record = id === undefined ? undefined : yield* project.ledger.find(id)
    pace.hold()
    const run = yield* Run.make(definition, {
      env: {},
      secrets: () => undefined,
      out: folder,
      dataDir: folder,
      allowCode: true,
      ...options,
      // A run that was killed before the ledger had a record of it starts again.
      ...(record === undefined ? {} : optionsOf(record))
    }).pipe(Effect.provide(surroundings))
    const warnings: Array<string> = []
    const fiber = yield* run.execute.pipe(
      Effect.provideService(Ledger, ledger),
      Effect.provide(surroundings),
      Effect.provide(listening(warnings)),
      Effect.either,
      Effect.fork
    )
    const isOver = () => fiber.unsafePoll() !== null
    return {
      run,
      life,
      warnings,
      isOver,
      /** Waits until the run has made a commit, or is over. */
      commit: Effect.gen(function* () {
        const { commits } = life
        for (let looks = 0; looks < 30 && life.commits === commits && !isOver(); looks++) {
          yield* Effect.zipRight(TestClock.adjust("1 second"), breath)
        }
      }),
      kill: Effect.gen(function* () {
        life.isOver = true
        yield* Effect.zipRight(Fiber.interruptFork(fiber), TestClock.adjust("10 seconds"))
        yield* until(isOver)
      }),
      /** Waits for the end, while time passes. */
      end: Effect.gen(function* () {
        pace.open()
        for (let looks = 0; !isOver() && looks < 5000; looks++) {
          yield* Effect.zipRight(breath, TestClock.adjust("1 second"))
        }
        return yield* Fiber.join(fiber)
      })
    }
  })

/** Runs steps to their end through these events; after each kill, the run is resumed by another process. */
export const play = (
  project: Project,
  pace: Pacer,
  steps: string,
  events: ReadonlyArray<Event>,
  options: Options = {}
) =>
  Effect.gen(function* () {
    const ahead = [...events]
    const warnings: Array<string> = []
    let id: string | undefined
    for (let lives = 1; ; lives++) {
      const process = yield* live(project, pace, steps, options, id)
      const { commit, isOver, kill, run } = process
      id = run.id
      let isKilled = false
      while (!isOver() && !isKilled) {
        const event = ahead.shift()
        if (event === undefined) break
        for (let row = 0; row < event.rows && !isOver(); row++) {
          yield* until(() => pace.waiting() > 0 || isOver(), row === 0 ? 2000 : 20)
          pace.release()
        }
        if (event.after === "commit") yield* commit
        if (event.after === "kill") {
          yield* kill
          isKilled = true
        }
      }
      warnings.push(...process.warnings)
      if (isKilled) {
        // The kill may have come when all was done.
        const record = yield* project.ledger.find(id)
        if (record?.status !== "completed") continue
      }
      const outcome = isKilled ? Either.right(yield* run.summary) : yield* process.end
      const summary = Either.match(outcome, { onRight: (summary) => summary, onLeft: ({ summary }) => summary })
      const played: Played = {
        runId: id,
        outcome,
        progress: yield* run.progress,
        warnings: [...new Set([...warnings, ...process.warnings])],
        rejects: rowsIn(summary.rejectFile ?? `${project.folder}/runs/${id}/rejects.jsonl`),
        rows: rowsIn(`${options.out ?? project.folder}/rows.jsonl`),
        lives
      }
      return played
    }
  })

/**
 * Runs steps whose process is killed right after a commit, this often; gives the end of the last process. Time passes with each batch of
 * `source`, so that commits are made between its batches.
 */
export const killedAtCommits = (
  project: Project,
  steps: string,
  {
    kills,
    looked = Effect.void,
    source
  }: {
    readonly kills: number
    readonly source: string
    /** Called after each process. */
    readonly looked?: Effect.Effect<void>
  }
) =>
  Effect.gen(function* () {
    const definition = yield* project.checked(steps)
    for (let life = 0; ; life++) {
      const record = yield* project.ledger.find("killed")
      const process = mortal(project.ledger, () => {
        if (life < kills) process.life.isOver = true
      })
      const ended = yield* project.execute(
        definition,
        {
          id: "killed",
          ...(record === undefined ? {} : optionsOf(record)),
          observe: (step) => (step === source ? Effect.forkDaemon(pass) : Effect.void)
        },
        process.ledger
      )
      yield* looked
      if (Either.isRight(ended.outcome)) return { ...ended, lives: life + 1 }
      if (life >= kills) return yield* Effect.dieMessage(ended.outcome.left.message)
    }
  })

/** Long enough for a commit. */
const pass = Effect.repeatN(TestClock.adjust("1 second"), 3)
