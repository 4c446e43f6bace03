/** Starting runs: of a definition with its inputs, of the rejects of a run, and of a run that was stopped. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Done, Launched } from "../Web/Dashboard/Protocol.ts"
import * as Definitions from "./Definitions.ts"
import { Refusal } from "./Request.ts"
import { RunProcesses } from "./RunProcesses.ts"
import * as Runs from "./Runs.ts"
import { Setup } from "./Setup.ts"

/** What a command line can carry. */
const Value = Schema.Union(
  Schema.String.pipe(Schema.maxLength(30_000), Schema.pattern(/^[^\0]*$/)),
  Schema.JsonNumber,
  Schema.Boolean
)

export const Launch = Schema.Struct({
  file: Schema.String,
  inputs: Schema.Record({ key: Schema.String, value: Value }),
  limit: Schema.optional(Schema.Int.pipe(Schema.between(1, 1_000_000_000))),
  backfill: Schema.optional(Schema.Boolean)
})

export const Again = Schema.Struct({ withCurrent: Schema.optional(Schema.Boolean) })

const inputsAtMost = 200

/** The last lines of what it said are why. */
const lastLines = (text: string): string =>
  text
    .trim()
    .split("\n")
    .slice(-20)
    .join("\n")
    .slice(-4_000)
    .replace(/^error: /gm, "")

/** Starts a process, and waits until it has a run or has given up. */
const begin = (verb: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const children = yield* RunProcesses
    const began = yield* children.start(verb)
    if ("run" in began) return { run: began.run } satisfies Launched
    const said = lastLines(began.reason ?? "")
    const reason = said === "" ? `it ended with exit code ${began.code} and did not say why` : said
    return yield* new Refusal({ status: 422, reason })
  }).pipe(Effect.uninterruptible)

export const launch = ({ backfill, file, inputs, limit }: typeof Launch.Type) =>
  Effect.gen(function* () {
    const { out } = yield* Setup
    const given = Object.entries(inputs)
    if (given.length > inputsAtMost) {
      return yield* new Refusal({ status: 413, reason: `more than ${inputsAtMost} inputs: nobody asks for so many` })
    }
    const path = yield* Definitions.pathOf(file)
    yield* Definitions.ensure(path, inputs)
    return yield* begin([
      "run",
      path,
      ...given.flatMap(([name, value]) => ["--input", `${name}=${value}`]),
      ...(limit === undefined ? [] : ["--limit", String(limit)]),
      ...(backfill === true ? ["--backfill"] : []),
      // A trial has a folder of its own.
      ...(limit === undefined ? ["--out", out] : [])
    ])
  })

export const replay = (id: string) =>
  Effect.gen(function* () {
    const { canReplay, openRejects, state } = yield* Runs.detail(id)
    if (canReplay) {
      yield* Definitions.ensureReadable(yield* Runs.find(id))
      return yield* begin(["replay", id])
    }
    const reason =
      openRejects === 0
        ? `run ${id} has no reject that is open`
        : `run ${id} is ${state}: its rejects are its own still`
    return yield* new Refusal({ status: 409, reason })
  })

export const resume = (id: string, { withCurrent }: typeof Again.Type) =>
  Effect.gen(function* () {
    const { canResume, state } = yield* Runs.detail(id)
    if (canResume) {
      yield* Definitions.ensureReadable(yield* Runs.find(id), withCurrent)
      return yield* begin(["resume", id, ...(withCurrent === true ? ["--with-current"] : [])])
    }
    return yield* new Refusal({ status: 409, reason: `run ${id} is ${state}: there is nothing to go on with` })
  })

export const stop = (id: string) =>
  Effect.gen(function* () {
    const { stopShared } = yield* Setup
    const children = yield* RunProcesses
    if (children.stop(id)) return { done: true } satisfies Done
    const { group } = yield* Runs.find(id)
    if (group !== id || stopShared === undefined) {
      const reason = `run ${id} was not started from here: whoever has started it can stop it, by Ctrl-C or SIGTERM`
      return yield* new Refusal({ status: 409, reason })
    }
    const stopped = yield* Effect.mapError(
      stopShared(id),
      ({ message }) => new Refusal({ status: 503, reason: `run ${id} could not be stopped: ${message}` })
    )
    if (stopped === "stopped") return { done: true } satisfies Done
    return yield* new Refusal({ status: 409, reason: `run ${id} has come to its end: there is nothing to stop` })
  })
