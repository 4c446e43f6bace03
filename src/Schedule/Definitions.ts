/**
 * Definitions of a folder that have a schedule, as they were last read.
 *
 * - `scan` reads changed files and registers their schedules in the ledger. Files that the ledger did not accept stay pending.
 * - A pipeline belongs to one file. A second file with the same name is ignored and reported.
 * - A definition that becomes invalid keeps its schedule: its occurrences are missed, with a notification to its last valid targets.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Checked } from "../Pipeline/Check.ts"
import { Schedule } from "../Pipeline/Schedule.ts"
import type { Entry } from "./Due.ts"
import type * as Job from "./Job.ts"
import type { PipelineSnapshot } from "./Job.ts"
import type { Registration, ScheduleRecord } from "./Model.ts"
import { isCode } from "./Read.ts"
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
  /** Records that scheduled times up to `reached` have been processed. */
  readonly advance: (pipeline: string, reached: number) => Entry | undefined
  readonly snapshot: (pipeline: string) => PipelineSnapshot | undefined
  readonly definition: (pipeline: string) => Checked | undefined
  readonly broken: () => ReadonlyArray<{ readonly file: string; readonly message: string }>
}

const decoded = Schema.decodeUnknownEither(Schema.parseJson(Schedule))
const encoded = Schema.encodeSync(Schema.parseJson(Schedule))

export const registrationOf = (file: string, { frame: { name, schedule } }: Checked): Registration | undefined =>
  schedule && { pipeline: name, file, schedule: encoded(schedule), times: `${schedule.cron} ${schedule.timezone}` }

const nothing = (): { readonly added: Array<Entry>; readonly removed: Array<string> } => ({ added: [], removed: [] })

/** Pipelines that one transaction registers. */
const pipelinesPerTransaction = 200

export const make = (
  definitions: string,
  { ledger, schedules }: Pick<Job.JobContext, "ledger" | "schedules">,
  runner: Runner,
  onEvent: (news: SchedulerEvent) => void,
  /** Reports a lasting problem; undefined when it is solved. */
  report: (problem: string | undefined) => void
) =>
  Effect.gen(function* () {
    const changes = yield* folderChanges(definitions, runner)
    /** All files, with their last definition or error. */
    const files = new Map<string, Definition["checked"]>()
    const entries = new Map<string, Entry>()
    /** Files with changes that are not registered yet. */
    let pending = new Set<string>()
    /** Changes that were not returned yet. Kept when the ledger fails half-way. */
    let scanned = nothing()
    /** Reported duplicates: file and name. */
    let duplicates = new Set<string>()

    /** File of each pipeline: the one that had the name before, else the first one. */
    const owners = () => {
      const byName = new Map<string, string>()
      const wanted = [...files].flatMap(([file, checked]) =>
        Either.isRight(checked) && checked.right.frame.schedule !== undefined
          ? [[file, checked.right.frame.name] as const]
          : []
      )
      for (const [file, name] of wanted) if (entries.get(name)?.file === file) byName.set(name, file)
      for (const [file, name] of wanted.sort()) if (!byName.has(name)) byName.set(name, file)
      const before = duplicates
      duplicates = new Set()
      for (const [file, pipeline] of wanted) {
        const other = byName.get(pipeline)
        if (other === undefined || other === file) continue
        const key = `${file} ${pipeline}`
        duplicates.add(key)
        if (!before.has(key)) onEvent({ _tag: "Twice", pipeline, file, other })
      }
      return byName
    }

    /** Definition of a pipeline's last run: the last one known to be valid. */
    const former = (pipeline: string): Effect.Effect<Checked | undefined> =>
      Effect.flatMap(ledger.history.runs({ pipeline, limit: 1 }), ([run]) =>
        run === undefined || runner.former === undefined ? Effect.succeed(undefined) : runner.former(run)
      ).pipe(
        // Without it there are no notifications. Occurrences are missed all the same, and the history has the reason.
        Effect.catchAllCause((cause) => Effect.as(Effect.logDebug(cause), undefined))
      )

    /** Stored schedules of a file that was invalid when it was first read. */
    const storedSchedules = (file: string, message: string, past: ReadonlyArray<ScheduleRecord>, now: number) =>
      past.flatMap((record): ReadonlyArray<Entry> => {
        const schedule = decoded(record.schedule)
        if (record.file !== file || record.removedAt !== undefined || Either.isLeft(schedule)) return []
        if (entries.has(record.pipeline)) return []
        const { pipeline, reached } = record
        return [
          {
            pipeline,
            file,
            schedule: schedule.right,
            checked: undefined,
            broken: message,
            reached: Math.min(reached, now)
          }
        ]
      })

    const register = (changed: ReadonlySet<string>) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const byName = owners()
        const put = (entry: Entry) => {
          entries.set(entry.pipeline, entry)
          scanned.added.push(entry)
        }
        const brokenNow = [...files].flatMap(([file, checked]) =>
          Either.isLeft(checked) && changed.has(file) ? [[file, checked.left] as const] : []
        )
        const unknown = brokenNow.filter(([file]) => ![...entries.values()].some((entry) => entry.file === file))
        const past = unknown.length === 0 ? [] : yield* schedules.list
        for (const [file, message] of unknown) {
          for (const entry of storedSchedules(file, message, past, now)) {
            put({ ...entry, checked: yield* former(entry.pipeline) })
          }
        }
        for (const [file, message] of brokenNow) {
          for (const entry of entries.values())
            if (entry.file === file) entries.set(entry.pipeline, { ...entry, broken: message })
        }
        // Neither a valid file nor an invalid one has the name.
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
        const fresh = [...byName].flatMap(([pipeline, file]) => {
          const checked = files.get(file)
          const entry = entries.get(pipeline)
          if (checked === undefined || Either.isLeft(checked)) return []
          if (entry?.checked === checked.right && entry.broken === undefined) return []
          const registration = registrationOf(file, checked.right)
          return registration === undefined ? [] : [{ registration, checked: checked.right }]
        })
        for (let at = 0; at < fresh.length; at += pipelinesPerTransaction) {
          const some = fresh.slice(at, at + pipelinesPerTransaction)
          const records = yield* schedules.register(some.map(({ registration }) => registration))
          const byPipeline = new Map(records.map((record) => [record.pipeline, record]))
          for (const { checked, registration } of some) {
            const { file, pipeline } = registration
            const record = byPipeline.get(pipeline)
            const { schedule } = checked.frame
            if (record === undefined || schedule === undefined) continue
            onEvent({ _tag: entries.has(pipeline) ? "Changed" : "Added", pipeline, file })
            put({ pipeline, file, schedule, checked, broken: undefined, reached: record.reached })
          }
        }
      })

    const scan = Effect.gen(function* () {
      const { read, removed } = yield* changes
      for (const file of removed) files.delete(file)
      for (const { checked, file } of read) {
        const before = files.get(file)
        files.set(file, checked)
        if (
          Either.isLeft(checked) &&
          !(before !== undefined && Either.isLeft(before) && before.left === checked.left)
        ) {
          onEvent({ _tag: "Broken", file, message: checked.left })
        }
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
      snapshot: (pipeline) => {
        const entry = entries.get(pipeline)
        return entry && { checked: entry.checked, file: entry.file, schedule: entry.schedule }
      },
      definition: (pipeline) => entries.get(pipeline)?.checked,
      broken: () =>
        [...files].flatMap(([file, checked]) => (Either.isLeft(checked) ? [{ file, message: checked.left }] : []))
    }
    return known
  })

/** A file that was read: its definition, or an error. */
interface Definition {
  /** Absolute path. */
  readonly file: string
  readonly checked: Either.Either<Checked, string>
}

/** Changes since the last scan of the folder. */
interface FolderChanges {
  readonly read: ReadonlyArray<Definition>
  readonly removed: ReadonlyArray<string>
}

/** True when the file name is that of a definition. `code`: also accept TypeScript and JavaScript. */
export const isDefinition = (name: string, code: boolean): boolean =>
  (/\.(ya?ml|json)$/.test(name) || (code && isCode(name))) && !/^[._]|\.(test|spec|d|lock|schema)\.\w+$/.test(name)

const internalError = (file: string) => (defect: unknown) =>
  Effect.fail({ message: `${file}: a fault of sluice: ${String(defect)}` })

/** Concurrent `stat` calls. */
const statConcurrency = 16

/** Returns an effect that finds changed and removed files since its last call. Fails when the folder cannot be read. */
const folderChanges = (
  folder: string,
  runner: Runner
): Effect.Effect<Effect.Effect<FolderChanges, string>, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const home = paths.resolve(folder)
    /** Modification time, size and inode of each file. */
    let stamps = new Map<string, string>()
    const stampOf = (file: string) =>
      files.stat(file).pipe(
        Effect.map(({ ino, mtime, size, type }) =>
          type === "File"
            ? `${Option.getOrElse(
                Option.map(mtime, (date) => date.getTime()),
                () => 0
              )} ${size} ${Option.getOrElse(ino, () => 0)}`
            : undefined
        ),
        // A file that disappears meanwhile is removed. One that cannot be read counts as unchanged.
        Effect.catchAll((error) =>
          Effect.succeed(
            error._tag === "SystemError" && error.reason === "NotFound" ? undefined : (stamps.get(file) ?? "unseen")
          )
        )
      )
    return Effect.gen(function* () {
      const names = yield* Effect.mapError(files.readDirectory(home), ({ message }) => message)
      const found = names
        .filter((name) => isDefinition(name, true))
        .sort()
        .map((name) => paths.join(home, name))
      const stamped = yield* Effect.forEach(found, stampOf, { concurrency: statConcurrency })
      const seen = new Map<string, string>()
      for (const [index, file] of found.entries()) {
        const stamp = stamped[index]
        if (stamp !== undefined) seen.set(file, stamp)
      }
      const changed = [...seen].flatMap(([file, stamp]) => (stamps.get(file) === stamp ? [] : [file]))
      const read = yield* Effect.forEach(changed, (file) =>
        Effect.map(
          // A defect in one file must not affect the others.
          Effect.either(Effect.catchAllDefect(runner.load(file), internalError(file))),
          (checked): Definition => ({ file, checked: Either.mapLeft(checked, ({ message }) => message) })
        )
      )
      const removed = [...stamps.keys()].filter((file) => !seen.has(file))
      stamps = seen
      return { read, removed }
    })
  })
