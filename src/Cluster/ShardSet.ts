/**
 * Shards of a run that an orchestrator starts: the files that they leave for `merge` in the shared folder. Processes do not depend on each
 * other, and there is no database.
 *
 * Below `.sluice/shards/0001` of the folder, and `0002` for the next run:
 * - `set.json`: the run that the shards belong to, its definition, and the rows of its source, which are read once. The first process that
 *   links this file wins; the others take its rows.
 * - `source.UUID`, `shard.0003.UUID`: the folder of one attempt, which no other attempt writes to. A killed attempt leaves only this; the
 *   machine that has its ledger continues it.
 * - `shard.0003.json`: the result of the shard, which names its attempt. Put there by a rename, so a repeated shard replaces its result.
 * - `merge.json`: the results that `merge` uses. From then on no shard changes anything.
 * - `merged.json`: the run is over, and the rest is removed. The next shard starts the next run.
 */
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import * as NodePath from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { fileErrorReason } from "../Files/FileErrors.ts"
import * as Files from "../Files.ts"
import { padShard } from "../Ledger/Runs.ts"
import { decodeSaved } from "../Row/SavedValue.ts"
import { ExitCode } from "../TypedError/ExitCode.ts"
import { version } from "../Version.ts"
import { writeWhole } from "./InputSplits.ts"
import { PartResult } from "./PartResult.ts"
import { Submitted } from "./Task.ts"

/** Result of a finished part: its attempt, and the totals of its own ledger. Paths are relative to the folder of the set. */
export const EndedPart = Schema.Struct({
  version: Schema.String,
  /** Id of the run. */
  run: Schema.String,
  attempt: Schema.String,
  host: Schema.String,
  /** Milliseconds since 1970. */
  endedAt: Schema.Number,
  result: PartResult,
  /** Totals of its run from its ledger, by column. */
  figures: Schema.Record({ key: Schema.String, value: Schema.Number })
})
export interface EndedPart extends Schema.Schema.Type<typeof EndedPart> {}

const SetFile = Schema.Struct({
  version: Schema.String,
  /** Number of shards. */
  shards: Schema.Number,
  /** `file` is absolute on the machine that started the set; `place` is the same path relative to its working folder. */
  task: Submitted,
  place: Schema.String,
  source: EndedPart,
  splits: Schema.Array(Schema.Struct({ file: Schema.String, rows: Schema.Number }))
})
export interface SetFile extends Schema.Schema.Type<typeof SetFile> {}

const MergeFile = Schema.Struct({ results: Schema.Array(EndedPart) })
const MergedFile = Schema.Struct({ run: Schema.String, shards: Schema.Number })
const AttemptFile = Schema.Struct({
  host: Schema.String,
  begunAt: Schema.String,
  /** The run that the attempt belongs to. */
  run: Schema.optional(Schema.String),
  error: Schema.optional(Schema.String)
})

/** The shards in a folder are not usable as they are. */
export class ShardsUnusable extends Data.TaggedError("ShardsUnusable")<{ readonly message: string }> {
  readonly exitCode = ExitCode.invalid
}

/** Some shards have no result yet. */
export class ShardsMissing extends Data.TaggedError("ShardsMissing")<{
  readonly folder: string
  readonly shards: number
  /** Each with the state of its last attempt, in words. */
  readonly missing: ReadonlyArray<{ readonly shard: number; readonly state: string }>
}> {
  override get message() {
    const { folder, missing, shards } = this
    const named = missing.slice(0, 10).map(({ shard, state }) => `${shard}/${shards} ${state}`)
    const more = missing.length > 10 ? [`and ${missing.length - 10} more`] : []
    const first = missing[0]?.shard ?? 1
    return `nothing was merged, because ${missing.length} of ${shards} shards in ${folder} ${missing.length === 1 ? "is" : "are"} missing: ${[...named, ...more].join("; ")}. Start each again, like sluice run FILE --shard ${first}/${shards} --out ${folder} (shards count from 1)`
  }
}

/** Folder of all sets. */
const rootOf = (shared: string): string => NodePath.join(shared, ".sluice", "shards")

const unusable = (file: string, doing: string) => (cause: { readonly message: string }) =>
  new ShardsUnusable({
    message: `${file} cannot be ${doing}: ${fileErrorReason(cause)}. All shards and merge need the same folder, and permission to write to it`
  })

const isMissing = (error: PlatformError) => error._tag === "SystemError" && error.reason === "NotFound"

/** Reads a file of the set; undefined if there is none. */
const readFile = <A, I>(file: string, schema: Schema.Schema<A, I>) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const text = yield* files.readFileString(file).pipe(
      Effect.catchIf(isMissing, () => Effect.succeed(undefined)),
      Effect.mapError(unusable(file, "read"))
    )
    if (text === undefined) return undefined
    return yield* Effect.mapError(
      decodeSaved(Schema.parseJson(schema))(file, text),
      ({ problem }) =>
        new ShardsUnusable({
          message: `${file} cannot be read: ${problem}. Another version of Sluice wrote it, or it is damaged`
        })
    )
  })

const write = (file: string, value: unknown) =>
  Effect.mapError(writeWhole(file, JSON.stringify(value)), ({ message }) => new ShardsUnusable({ message }))

/** Writes a file atomically, unless it exists. */
const writeOnce = (file: string, value: unknown) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const draft = `${file}.${randomUUID()}.draft`
    yield* write(draft, value)
    yield* files.link(draft, file).pipe(
      Effect.catchIf(
        (error) => error._tag === "SystemError" && error.reason === "AlreadyExists",
        () => Effect.void
      ),
      Effect.mapError(unusable(file, "written")),
      Effect.ensuring(Effect.ignore(files.remove(draft)))
    )
    yield* Files.syncFolder(files, NodePath.dirname(file))
  })

const setName = "set.json"
const mergeName = "merge.json"
const mergedName = "merged.json"
const resultName = (shard: number): string => `shard.${padShard(shard)}.json`

/** Numbers of the sets in the folder. */
const numbers = (shared: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const names = yield* Effect.orElseSucceed(files.readDirectory(rootOf(shared)), (): ReadonlyArray<string> => [])
    return names
      .filter((name) => /^\d{4,}$/.test(name))
      .map(Number)
      .toSorted((one, other) => one - other)
  })

/** A set of shards in a folder. */
export interface ShardSet {
  /** The shared folder, as given. */
  readonly shared: string
  /** Folder of the set. */
  readonly folder: string
}

const setOf = (shared: string, number: number): ShardSet => ({
  shared,
  folder: NodePath.join(rootOf(shared), padShard(number))
})

/** The set that new shards belong to: the newest, or the next one if that was merged. */
export const current = (shared: string) =>
  Effect.gen(function* () {
    const last = (yield* numbers(shared)).at(-1) ?? 0
    const set = setOf(shared, Math.max(1, last))
    return last > 0 && (yield* mergedAs(set)) !== undefined ? setOf(shared, last + 1) : set
  })

/** The newest set in the folder; undefined if no shard has begun. */
export const newest = (shared: string) =>
  Effect.map(numbers(shared), (all) => {
    const last = all.at(-1)
    return last === undefined ? undefined : setOf(shared, last)
  })

/** The run that a set's shards belong to; undefined before the source was read. */
export const read = ({ folder }: ShardSet) => readFile(NodePath.join(folder, setName), SetFile)

/** Starts the set, unless another shard has started it. Returns the set's file. */
export const begin = (set: ShardSet, own: Omit<SetFile, "version">) =>
  Effect.gen(function* () {
    const file = NodePath.join(set.folder, setName)
    yield* writeOnce(file, { version, ...own })
    return yield* Effect.flatMap(read(set), (begun) =>
      begun === undefined ? new ShardsUnusable({ message: `${file} was removed` }) : Effect.succeed(begun)
    )
  })

const attemptName = "attempt.json"

/** One attempt at a part: the name of its folder in the set, and the run that it belongs to. */
export interface Attempt {
  readonly name: string
  readonly run: string
}

/** Records for `merge` that an attempt starts or continues; `error`: why its process ended. */
export const note = ({ folder }: ShardSet, { name, run }: Attempt, error?: string) =>
  write(NodePath.join(folder, name, attemptName), {
    host: hostname(),
    begunAt: new Date().toISOString(),
    run,
    ...(error === undefined ? {} : { error })
  } satisfies typeof AttemptFile.Type)

/** Prefix of the names of attempts at a part. */
const attemptsOf = (part: number | "source"): string => (part === "source" ? part : `shard.${padShard(part)}`)

/** Makes the folder of a new attempt at a part of a run. */
export const attempt = (set: ShardSet, part: number | "source", run: string) => {
  const made: Attempt = { name: `${attemptsOf(part)}.${randomUUID().slice(0, 8)}`, run }
  return Effect.as(note(set, made), made)
}

/** Attempts at a part that have a folder, oldest first. */
export const attempts = ({ folder }: ShardSet, part: number | "source") =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const names = yield* Effect.orElseSucceed(files.readDirectory(folder), (): ReadonlyArray<string> => [])
    const found = yield* Effect.forEach(
      names.filter((name) => new RegExp(`^${attemptsOf(part)}\\.[0-9a-f]{8}$`).test(name)),
      (name) =>
        Effect.map(
          Effect.orElseSucceed(readFile(NodePath.join(folder, name, attemptName), AttemptFile), () => undefined),
          (file) => (file === undefined ? [] : [{ ...file, name }])
        )
    )
    return found.flat().toSorted((one, other) => one.begunAt.localeCompare(other.begunAt))
  })

/** Removes the files of an attempt that failed, and keeps the reason for `merge`. */
export const giveUp = (set: ShardSet, attempt: Attempt, error: string | undefined) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    yield* files.remove(NodePath.join(set.folder, attempt.name), { recursive: true })
    if (error !== undefined) yield* note(set, attempt, error)
  }).pipe(Effect.ignore)

/** Fails once `merge` has taken the results: a result from then on would be ignored. */
export const requireOpen = (set: ShardSet) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const isTaken = yield* Effect.orElseSucceed(files.exists(NodePath.join(set.folder, mergeName)), () => false)
    if (isTaken || (yield* mergedAs(set)) !== undefined) {
      return yield* new ShardsUnusable({
        message: `merge has already taken the shards in ${set.shared}. Let it finish first (sluice merge ${set.shared}); a shard that starts after that begins a new run`
      })
    }
  })

/** The result of a shard; undefined if it has none yet. */
export const resultOf = ({ folder }: ShardSet, shard: number) =>
  readFile(NodePath.join(folder, resultName(shard)), EndedPart)

/** Stores the result of the shard, replacing an earlier one. */
export const put = (set: ShardSet, shard: number, ended: Omit<EndedPart, "version" | "host">) =>
  Effect.zipRight(
    requireOpen(set),
    write(NodePath.join(set.folder, resultName(shard)), { version, host: hostname(), ...ended } satisfies EndedPart)
  )

/** Describes the last attempt at a shard. */
const stateOf = (set: ShardSet, shard: number) =>
  Effect.map(attempts(set, shard), (all) => {
    const last = all.at(-1)
    if (last === undefined) return "was never started"
    return last.error === undefined
      ? `was started on ${last.host} at ${last.begunAt}, and has not ended: it still runs, or was killed`
      : `failed on ${last.host} at ${last.begunAt}: ${last.error}`
  })

/** The results of all shards, which stay the same from the first call on. Fails with the missing shards. */
export const take = (set: ShardSet, { shards, task }: SetFile) =>
  Effect.gen(function* () {
    const file = NodePath.join(set.folder, mergeName)
    const taken = yield* readFile(file, MergeFile)
    if (taken !== undefined) return taken.results
    const results: Array<EndedPart> = []
    const missing: Array<{ readonly shard: number; readonly state: string }> = []
    for (let shard = 1; shard <= shards; shard++) {
      const result = yield* resultOf(set, shard)
      if (result !== undefined) results.push(result)
      else missing.push({ shard, state: yield* stateOf(set, shard) })
    }
    if (missing.length > 0) return yield* new ShardsMissing({ folder: set.shared, shards, missing })
    for (const [index, { host, run, version: other }] of results.entries()) {
      if (run !== task.runId) {
        return yield* new ShardsUnusable({
          message: `shard ${index + 1}/${shards} is of run ${run}, and ${set.shared} has run ${task.runId}: the shards did not start from the same folder. If the machines share no folder, read the source first (--shard source/${shards}), and copy its folder to all of them`
        })
      }
      if (other !== version) {
        return yield* new ShardsUnusable({
          message: `shard ${index + 1}/${shards} was made by sluice ${other} on ${host}, and this is sluice ${version}: run the shards and merge with one version`
        })
      }
    }
    yield* writeOnce(file, { results } satisfies typeof MergeFile.Type)
    return (yield* readFile(file, MergeFile))?.results ?? results
  })

/** The run that a set was merged into; undefined if it was not. */
export const mergedAs = ({ folder }: ShardSet) => readFile(NodePath.join(folder, mergedName), MergedFile)

/** Ends the set: removes its files; the next shard starts a new set. */
export const end = ({ folder, shared }: ShardSet, { shards, task }: SetFile) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    yield* write(NodePath.join(folder, mergedName), { run: task.runId, shards } satisfies typeof MergedFile.Type)
    const own = Number(NodePath.basename(folder))
    const earlier = (yield* numbers(shared))
      .filter((number) => number < own)
      .map((number) => setOf(shared, number).folder)
    const names = yield* Effect.orElseSucceed(files.readDirectory(folder), (): ReadonlyArray<string> => [])
    const rest = names.filter((name) => name !== mergedName).map((name) => NodePath.join(folder, name))
    yield* Effect.forEach([...earlier, ...rest], (path) => Effect.ignore(files.remove(path, { recursive: true })), {
      discard: true
    })
  })
