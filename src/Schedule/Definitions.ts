/**
 * Scheduled definitions in a folder, as last read.
 *
 * - `scan` reads changed files and registers their schedules in the ledger. Files that the ledger did not accept stay pending.
 * - A pipeline belongs to one file. A second file with the same name is ignored and reported.
 * - A definition that becomes invalid keeps its schedule: its occurrences are missed, with a notification to its last valid targets.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Checked } from "../Pipeline/Check.ts"
import type { DefinitionInvalid } from "../Pipeline/Issue.ts"
import { Schedule } from "../Pipeline/Schedule.ts"
import type { Entry } from "./Due.ts"
import type * as Job from "./Job.ts"
import type { PipelineSnapshot } from "./Job.ts"
import type { Registration, ScheduleRecord } from "./Model.ts"
import { isCode, watchedCode } from "./Read.ts"
import type { Runner, SchedulerEvent } from "./Scheduler.ts"

/** Result of a scan. */
export interface Scanned {
  /** New and changed pipelines. */
  readonly added: ReadonlyArray<Entry>
  readonly removed: ReadonlyArray<string>
}

export interface Definitions {
  /** Scans the folder. Errors are reported, and the next scan tries again. */
  readonly scan: Effect.Effect<Scanned>
  readonly find: (pipeline: string) => Entry | undefined
  readonly all: () => ReadonlyArray<Entry>
  /** Records that scheduled times of a pipeline up to `reached` have been processed. */
  readonly advance: (pipeline: string, reached: number) => Entry | undefined
  /**
   * Call when the clock was ahead and has been corrected: scheduled times after `reached` count as not processed. Returns all pipelines.
   */
  readonly rewind: (reached: number) => ReadonlyArray<Entry>
  readonly snapshot: (pipeline: string) => PipelineSnapshot | undefined
  readonly definition: (pipeline: string) => Checked | undefined
  readonly broken: () => ReadonlyArray<{ readonly file: string; readonly message: string }>
}

const decoded = Schema.decodeUnknownEither(Schema.parseJson(Schedule))
const encoded = Schema.encodeSync(Schema.parseJson(Schedule))

export const registrationOf = (file: string, { frame: { name, schedule } }: Checked): Registration | undefined =>
  schedule && { pipeline: name, file, schedule: encoded(schedule), times: `${schedule.cron} ${schedule.timezone}` }

const nothing = (): { readonly added: Array<Entry>; readonly removed: Array<string> } => ({ added: [], removed: [] })

/** Maximum pipelines that one transaction registers. */
const pipelinesPerTransaction = 200

/**
 * Decides which file owns the name of a pipeline: the one that had it before, otherwise the first one. Other files with the name are
 * ignored.
 */
const assignNames = (
  files: ReadonlyMap<string, Definition["checked"]>,
  entries: ReadonlyMap<string, Pick<Entry, "file">>
) => {
  const byName = new Map<string, string>()
  const wanted = [...files].flatMap(([file, checked]) =>
    Either.isRight(checked) && checked.right.frame.schedule !== undefined
      ? [[file, checked.right.frame.name] as const]
      : []
  )
  for (const [file, name] of wanted) if (entries.get(name)?.file === file) byName.set(name, file)
  for (const [file, name] of wanted.sort()) if (!byName.has(name)) byName.set(name, file)
  const ignored = wanted.flatMap(([file, pipeline]) => {
    const other = byName.get(pipeline)
    return other === undefined || other === file ? [] : [{ file, pipeline, other }]
  })
  return { byName, ignored }
}

/** Valid definitions that are new, changed or mended, with their registrations. */
const unregistered = (
  byName: ReadonlyMap<string, string>,
  files: ReadonlyMap<string, Definition["checked"]>,
  entries: ReadonlyMap<string, Entry>
) =>
  [...byName].flatMap(([pipeline, file]) => {
    const checked = files.get(file)
    const entry = entries.get(pipeline)
    if (checked === undefined || Either.isLeft(checked)) return []
    if (entry?.checked === checked.right && entry.broken === undefined) return []
    const registration = registrationOf(file, checked.right)
    return registration === undefined ? [] : [{ registration, checked: checked.right }]
  })

/** Schedules that the ledger has for a file that was invalid when it was first read. */
const storedSchedules = (file: string, past: ReadonlyArray<ScheduleRecord>) =>
  past.flatMap((record) => {
    const schedule = decoded(record.schedule)
    if (record.file !== file || record.removedAt !== undefined || Either.isLeft(schedule)) return []
    return [{ pipeline: record.pipeline, schedule: schedule.right, reached: record.reached }]
  })

/** Definition of a pipeline's last run, which is the last version known to be valid. */
const lastValid = (ledger: Job.JobContext["ledger"], runner: Runner, pipeline: string) =>
  Effect.flatMap(ledger.history.runs({ pipeline, limit: 1 }), ([run]) =>
    run === undefined || runner.former === undefined ? Effect.succeed(undefined) : runner.former(run)
  ).pipe(
    // Without this definition, no notifications are sent. Occurrences still count as missed, and the history has the reason.
    Effect.catchAllCause((cause) => Effect.as(Effect.logDebug(cause), undefined))
  )

export const make = (
  definitions: string,
  { ledger, schedules }: Pick<Job.JobContext, "ledger" | "schedules">,
  runner: Runner,
  onEvent: (news: SchedulerEvent) => void,
  /** Reports a lasting problem; undefined if it is solved. */
  report: (problem: string | undefined) => void
) =>
  Effect.gen(function* () {
    const changes = yield* folderChanges(definitions, runner)
    /** All files of the folder by path, each with its last definition or error. */
    const files = new Map<string, Definition["checked"]>()
    const entries = new Map<string, Entry>()
    /** Files whose changes are not registered yet. */
    let pending = new Set<string>()
    /** Changes that no scan has returned yet. Kept if the ledger fails half-way. */
    let scanned = nothing()
    /** Duplicates that have been reported: file and name. */
    let duplicates = new Set<string>()

    /** File of each pipeline. Reports new duplicates. */
    const owners = () => {
      const { byName, ignored } = assignNames(files, entries)
      const before = duplicates
      duplicates = new Set(ignored.map(({ file, pipeline }) => `${file} ${pipeline}`))
      for (const { file, other, pipeline } of ignored) {
        if (!before.has(`${file} ${pipeline}`)) onEvent({ _tag: "Twice", pipeline, file, other })
      }
      return byName
    }

    const register = (changed: ReadonlySet<string>) =>
      Effect.gen(function* () {
        const byName = owners()
        const put = (entry: Entry) => {
          entries.set(entry.pipeline, entry)
          scanned.added.push(entry)
        }
        const brokenNow = [...files].flatMap(([file, checked]) =>
          Either.isLeft(checked) && changed.has(file) ? [[file, checked.left.message] as const] : []
        )
        const unknown = brokenNow.filter(([file]) => ![...entries.values()].some((entry) => entry.file === file))
        const past = unknown.length === 0 ? [] : yield* schedules.list
        for (const [file, broken] of unknown) {
          for (const stored of storedSchedules(file, past)) {
            const { pipeline } = stored
            if (entries.has(pipeline)) continue
            put({ ...stored, file, broken, checked: yield* lastValid(ledger, runner, pipeline) })
          }
        }
        for (const [file, message] of brokenNow) {
          for (const entry of entries.values())
            if (entry.file === file) entries.set(entry.pipeline, { ...entry, broken: message })
        }
        // No file has the name any more, valid or invalid.
        const removed = [...entries.values()].filter(({ file, pipeline }) => {
          const checked = files.get(file)
          return !byName.has(pipeline) && (checked === undefined || Either.isRight(checked))
        })
        if (removed.length > 0) yield* schedules.remove(removed.map(({ pipeline }) => pipeline))
        for (const { file, pipeline } of removed) {
          entries.delete(pipeline)
          scanned.removed.push(pipeline)
          onEvent({ _tag: "Removed", pipeline, file })
        }
        const fresh = unregistered(byName, files, entries)
        for (let at = 0; at < fresh.length; at += pipelinesPerTransaction) {
          const some = fresh.slice(at, at + pipelinesPerTransaction)
          const records = yield* schedules.register(some.map(({ registration }) => registration))
          const byPipeline = new Map(records.map((record) => [record.pipeline, record]))
          for (const { checked, registration } of some) {
            const { file, pipeline } = registration
            const record = byPipeline.get(pipeline)
            const { schedule } = checked.frame
            if (record === undefined || schedule === undefined) continue
            const _tag = entries.has(pipeline) ? "Changed" : "Added"
            put({ pipeline, file, schedule, checked, broken: undefined, reached: record.reached })
            // After `put`: listeners look the definition up.
            onEvent({ _tag, pipeline, file })
          }
        }
      })

    const scan = Effect.gen(function* () {
      const { read, removed } = yield* changes
      for (const file of removed) files.delete(file)
      for (const { checked, file } of read) {
        const before = files.get(file)
        const known = before !== undefined && Either.isLeft(before) ? before.left.message : undefined
        files.set(file, checked)
        if (Either.isRight(checked)) continue
        const { lines, message } = checked.left
        if (message !== known) onEvent({ _tag: "Broken", file, message, lines })
      }
      pending = new Set([...pending, ...removed, ...read.map(({ file }) => file)])
      if (pending.size > 0) yield* Effect.mapError(register(pending), ({ message }) => message)
      pending = new Set()
      report(undefined)
    }).pipe(
      Effect.catchAll((message) => Effect.sync(() => report(message))),
      Effect.zipRight(
        Effect.sync((): Scanned => {
          const found = scanned
          scanned = nothing()
          return found
        })
      ),
      Effect.uninterruptible
    )

    const known: Definitions = {
      scan,
      find: (pipeline) => entries.get(pipeline),
      all: () => [...entries.values()],
      advance: (pipeline, reached) => {
        const entry = entries.get(pipeline)
        if (entry === undefined) return undefined
        const advanced = reached > entry.reached ? { ...entry, reached } : entry
        entries.set(pipeline, advanced)
        return advanced
      },
      rewind: (reached) => {
        for (const [pipeline, entry] of entries) {
          if (entry.reached > reached) entries.set(pipeline, { ...entry, reached })
        }
        return [...entries.values()]
      },
      snapshot: (pipeline) => {
        const entry = entries.get(pipeline)
        return entry && { checked: entry.checked, file: entry.file, schedule: entry.schedule }
      },
      definition: (pipeline) => entries.get(pipeline)?.checked,
      broken: () =>
        [...files].flatMap(([file, checked]) =>
          Either.isLeft(checked) ? [{ file, message: checked.left.message }] : []
        )
    }
    return known
  })

/** A file that was read: its definition, or an error. */
interface Definition {
  /** Absolute path. */
  readonly file: string
  readonly checked: Either.Either<Checked, Pick<DefinitionInvalid, "lines" | "message">>
}

/** Changes since the last scan of the folder. */
interface FolderChanges {
  readonly read: ReadonlyArray<Definition>
  readonly removed: ReadonlyArray<string>
}

/** True if a file name is that of a definition. `code`: TypeScript and JavaScript are accepted, too. */
export const isDefinition = (name: string, code: boolean): boolean =>
  (/\.(ya?ml|json)$/.test(name) || (code && isCode(name))) &&
  !/^[._]|\.(test|spec|d|lock|schema|contract)\.\w+$/.test(name)

const internalError = (file: string) => (defect: unknown) => {
  const message = `${file} cannot be loaded; other pipelines are not affected: internal error of sluice: ${String(defect)}`
  return Effect.fail({ message, lines: [message] })
}

/** Maximum concurrent `stat` calls. */
const statConcurrency = 16

/** Type, time, size and inode of a file as a string (stamp), which differs once the file has changed. */
const stampText = ({ ino, mtime, size, type }: FileSystem.File.Info): string =>
  type === "File"
    ? `${Option.match(mtime, { onNone: () => 0, onSome: (date) => date.getTime() })} ${size} ${Option.getOrElse(ino, () => 0)}`
    : missing

/** Stamp of a path where there is no file. */
const missing = "missing"

/**
 * Returns an effect that finds the definitions that were removed or changed since its last call; a change in an extension counts. Fails if
 * the folder cannot be read.
 */
const folderChanges = (
  folder: string,
  runner: Runner
): Effect.Effect<Effect.Effect<FolderChanges, string>, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const home = paths.resolve(folder)
    /** Stamps of files at the last call, by path. */
    let stamps: ReadonlyMap<string, string> = new Map()
    /** Files with code that each definition uses. */
    const code = new Map<string, ReadonlyArray<string>>()
    const stampOf = (file: string) =>
      files.stat(file).pipe(
        Effect.map(stampText),
        // Treats a file that cannot be read as unchanged.
        Effect.catchAll((error) =>
          Effect.succeed(
            error._tag === "SystemError" && error.reason === "NotFound" ? missing : (stamps.get(file) ?? "unseen")
          )
        )
      )
    const stampsOf = (all: Iterable<string>) =>
      Effect.map(
        Effect.forEach(new Set(all), (file) => Effect.map(stampOf(file), (stamp) => [file, stamp] as const), {
          concurrency: statConcurrency
        }),
        (pairs) => new Map(pairs)
      )
    const load = (file: string) =>
      Effect.map(
        // A defect in one file must not affect the others.
        Effect.either(Effect.catchAllDefect(runner.load(file), internalError(file))),
        (checked): Definition => ({ file, checked })
      )
    return Effect.gen(function* () {
      const names = yield* Effect.mapError(files.readDirectory(home), ({ message }) => message)
      const found = names
        .filter((name) => isDefinition(name, true))
        .sort()
        .map((name) => paths.join(home, name))
      const now = yield* stampsOf([...found, ...[...code.values()].flat()])
      const present = found.filter((file) => now.get(file) !== missing)
      const changed = present.filter((file) =>
        [file, ...(code.get(file) ?? [])].some((each) => stamps.get(each) !== now.get(each))
      )
      for (const file of changed) code.set(file, yield* watchedCode(file))
      // Stamped before they are loaded, so that the next call finds a change made meanwhile.
      const added = yield* stampsOf(changed.flatMap((file) => code.get(file) ?? []).filter((file) => !now.has(file)))
      const read = yield* Effect.forEach(changed, load)
      const removed = [...code.keys()].filter((file) => !present.includes(file))
      for (const file of removed) code.delete(file)
      stamps = new Map([...now, ...added])
      return { read, removed }
    }).pipe(Effect.provide(context))
  })
