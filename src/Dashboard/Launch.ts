/** Starting runs: of a definition with its inputs, of the rejects of a run, and of a run that was stopped. */
import { randomUUID } from "node:crypto"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { fileErrorReason } from "../Files/FileErrors.ts"
import * as Files from "../Files.ts"
import { pathIn } from "../Run/RunLog.ts"
import type { Done, Launched } from "../Web/Dashboard/Protocol.ts"
import * as Definitions from "./Definitions.ts"
import { Refusal } from "./Request.ts"
import * as RunLog from "./RunLog.ts"
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
const saidIn = (log: string) =>
  Effect.map(RunLog.tail(log, 16_000), (text) =>
    text
      .trim()
      .split("\n")
      .slice(-20)
      .join("\n")
      .slice(-4_000)
      .replace(/^error: /gm, "")
  )

/** Starts a process, waits until it has a run or has given up, and puts what it says with the run: behind what `known` has said. */
const begin = (verb: ReadonlyArray<string>, known?: string) =>
  Effect.gen(function* () {
    const { dataDir } = yield* Setup
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const children = yield* RunProcesses
    const unwritable = (cause: unknown) =>
      new Refusal({ status: 503, reason: `the data folder ${dataDir} cannot be written to: ${fileErrorReason(cause)}` })
    const folder = paths.join(dataDir, "runs")
    yield* Effect.mapError(Files.makeFolder(files, folder), unwritable)
    if (known !== undefined) yield* Effect.mapError(Files.makeFolder(files, paths.join(folder, known)), unwritable)
    const log =
      known === undefined ? paths.join(folder, `begun-${randomUUID()}.log`) : yield* pathIn(paths.join(folder, known))
    const began = yield* children.start(verb, log)
    if (!("run" in began)) {
      const said = began.reason ?? (yield* saidIn(log))
      if (known === undefined) yield* Effect.ignore(files.remove(log))
      const reason = said === "" ? `it ended with exit code ${began.code} and did not say why` : said
      return yield* new Refusal({ status: 422, reason })
    }
    if (known !== undefined) return { run: began.run } satisfies Launched
    const own = paths.join(folder, began.run)
    yield* Files.makeFolder(files, own).pipe(
      Effect.zipRight(pathIn(own)),
      Effect.flatMap((path) => files.rename(log, path)),
      // The run goes on without.
      Effect.ignoreLogged
    )
    return { run: began.run } satisfies Launched
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
      return yield* begin(["resume", id, ...(withCurrent === true ? ["--with-current"] : [])], id)
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
