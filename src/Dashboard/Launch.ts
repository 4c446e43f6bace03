/** Starts, replays, resumes and stops runs. Each run is its own process of the command line (`RunProcesses.ts`). */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Done, Launched } from "../Web/Dashboard/Protocol.ts"
import * as Definitions from "./Definitions.ts"
import { Refusal } from "./Request.ts"
import { RunProcesses } from "./RunProcesses.ts"
import * as Runs from "./Runs.ts"
import { Setup } from "./Setup.ts"

/** An input that fits on a command line. */
const InputValue = Schema.Union(
  Schema.String.pipe(Schema.maxLength(30_000), Schema.pattern(/^[^\0]*$/)),
  Schema.JsonNumber,
  Schema.Boolean
)

export const Launch = Schema.Struct({
  file: Schema.String,
  inputs: Schema.Record({ key: Schema.String, value: InputValue }),
  limit: Schema.optional(Schema.Int.pipe(Schema.between(1, 1_000_000_000))),
  backfill: Schema.optional(Schema.Boolean)
})

export const Resume = Schema.Struct({ withCurrent: Schema.optional(Schema.Boolean) })

const maxInputs = 200

/** Reason of a failed start: the last lines that the process printed. */
const lastLines = (text: string): string =>
  text
    .trim()
    .split("\n")
    .slice(-20)
    .join("\n")
    .slice(-4_000)
    .replace(/^error: /gm, "")

/** Starts a process and waits until its run is in the ledger or the process has ended. */
const begin = (verb: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const children = yield* RunProcesses
    const began = yield* children.start(verb)
    if ("run" in began) return { run: began.run } satisfies Launched
    const printed = lastLines(began.reason ?? "")
    const reason = printed === "" ? `the process ended with exit code ${began.code} without a message` : printed
    return yield* new Refusal({ status: 422, reason })
  }).pipe(Effect.uninterruptible)

export const launch = ({ backfill, file, inputs, limit }: typeof Launch.Type) =>
  Effect.gen(function* () {
    const { out } = yield* Setup
    const given = Object.entries(inputs)
    if (given.length > maxInputs) {
      return yield* new Refusal({ status: 413, reason: `more than ${maxInputs} inputs` })
    }
    const path = yield* Definitions.pathOf(file)
    yield* Definitions.ensureRunnable(path, inputs)
    return yield* begin([
      "run",
      path,
      ...given.flatMap(([name, value]) => ["--input", `${name}=${value}`]),
      ...(limit === undefined ? [] : ["--limit", String(limit)]),
      ...(backfill === true ? ["--backfill"] : []),
      // A run with a limit is a trial: the command line gives it its own output folder.
      ...(limit === undefined ? ["--out", out] : [])
    ])
  })

export const replay = (id: string) =>
  Effect.gen(function* () {
    const { canReplay, openRejects, state } = yield* Runs.detail(id)
    if (canReplay) {
      yield* Definitions.ensureResumable(yield* Runs.find(id))
      return yield* begin(["replay", id])
    }
    const reason =
      openRejects === 0
        ? `run ${id} has no open rejects`
        : `run ${id} is ${state}: rejects can be replayed once it has ended`
    return yield* new Refusal({ status: 409, reason })
  })

export const resume = (id: string, { withCurrent }: typeof Resume.Type) =>
  Effect.gen(function* () {
    const { canResume, state } = yield* Runs.detail(id)
    if (canResume) {
      yield* Definitions.ensureResumable(yield* Runs.find(id), withCurrent)
      return yield* begin(["resume", id, ...(withCurrent === true ? ["--with-current"] : [])])
    }
    return yield* new Refusal({ status: 409, reason: `run ${id} is ${state} and cannot be resumed` })
  })

export const stop = (id: string) =>
  Effect.gen(function* () {
    const { stopShared } = yield* Setup
    const children = yield* RunProcesses
    if (children.stop(id)) return { done: true } satisfies Done
    const { group } = yield* Runs.find(id)
    if (group !== id || stopShared === undefined) {
      const reason = `run ${id} was not started by this dashboard: stop it where it was started, with Ctrl-C or SIGTERM`
      return yield* new Refusal({ status: 409, reason })
    }
    const stopped = yield* Effect.mapError(
      stopShared(id),
      ({ message }) => new Refusal({ status: 503, reason: `run ${id} could not be stopped: ${message}` })
    )
    if (stopped === "stopped") return { done: true } satisfies Done
    return yield* new Refusal({ status: 409, reason: `run ${id} has already ended` })
  })
