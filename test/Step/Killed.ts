/** Reads page by page that are killed and resumed: a server whose answers the test releases one by one. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as TestClock from "effect/TestClock"
import { optionsOf } from "../../src/Run/RunSpec.ts"
import { type Asked, type Reply, serve } from "../Client/Server.ts"
import { clientAt, project, rowsIn } from "../Project.ts"
import { breath, mortal, until } from "../Run/Lives.ts"
import { here } from "./OneApi.ts"

export type Happening = "answer" | "commit" | "kill"

export interface Read {
  readonly files: Readonly<Record<string, string>>
  /** Steps that end in `rows.jsonl`. */
  readonly steps: (server: string) => string
  readonly reply: (asked: Asked) => Reply
  /** Names the page that a request asks for. */
  readonly pageOf: (asked: Asked) => string
  readonly happenings: ReadonlyArray<Happening>
}

/** Rows of the file, pages that were asked for again, and those in flight when a process was killed. */
export const play = ({ files, happenings, pageOf, reply, steps }: Read) =>
  Effect.gen(function* () {
    const held: Array<() => void> = []
    const asked: Array<string> = []
    const server = yield* serve((question) => {
      asked.push(pageOf(question))
      return { ...reply(question), behind: new Promise<void>((resume) => held.push(resume)) }
    })
    const own = yield* project({ onTestClock: true, files, client: yield* clientAt(server.url, 2) })
    const definition = yield* own.checked(steps(server.url))
    const ahead = [...happenings]
    const again: Array<string> = []
    /** Pages that were in flight when a process was killed. */
    const inFlight: Array<string> = []
    for (;;) {
      const record = yield* own.ledger.find("killed")
      const { ledger, life } = mortal(own.ledger)
      const before = asked.length
      held.length = 0
      const fiber = yield* own
        .execute(definition, { id: "killed", ...(record === undefined ? {} : optionsOf(record)) }, ledger)
        .pipe(Effect.provide(here), Effect.fork)
      const isOver = () => fiber.unsafePoll() !== null
      while (!isOver() && !life.isOver) {
        const next = ahead.shift() ?? "answer"
        if (next === "answer") {
          yield* until(() => held.length > 0 || isOver(), 300)
          held.shift()?.()
          yield* breath
          if (held.length === 0 && !isOver()) yield* TestClock.adjust("1 second")
        } else if (next === "commit") {
          const { commits } = life
          for (let looks = 0; looks < 15 && life.commits === commits && !isOver(); looks++) {
            yield* Effect.zipRight(TestClock.adjust("1 second"), breath)
          }
        } else {
          life.isOver = true
          yield* Effect.zipRight(Fiber.interruptFork(fiber), TestClock.adjust("10 seconds"))
          yield* until(isOver)
        }
      }
      again.push(...asked.slice(before).filter((path) => asked.slice(0, before).includes(path)))
      const ended = yield* Fiber.await(fiber)
      if (!life.isOver && ended._tag === "Success") {
        const { outcome } = ended.value
        return {
          rows: rowsIn(`${own.folder}/rows.jsonl`),
          again,
          inFlight,
          failure: Either.isLeft(outcome) ? outcome.left.message : undefined
        }
      }
      const last = asked.slice(before).at(-1)
      if (last !== undefined) inFlight.push(last)
      if ((yield* own.ledger.find("killed"))?.status === "completed") {
        return { rows: rowsIn(`${own.folder}/rows.jsonl`), again, inFlight, failure: undefined }
      }
    }
  }).pipe(Effect.scoped, Logger.withMinimumLogLevel(LogLevel.None))

/** What happens to a run that is killed one to four times. */
export const lives = FastCheck.array(
  FastCheck.array(FastCheck.constantFrom<Happening>("answer", "answer", "answer", "commit"), { maxLength: 6 }).map(
    (before): ReadonlyArray<Happening> => [...before, "kill"]
  ),
  { minLength: 1, maxLength: 4 }
).map((all) => all.flat())
