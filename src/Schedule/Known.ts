/** The pipelines of a folder that have a schedule, as they were last read. */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Checked } from "../Pipeline/Check.ts"
import { Schedule } from "../Pipeline/Schedule.ts"
import type { News } from "../Schedule.ts"
import type { Entry } from "./Due.ts"
import * as Folder from "./Folder.ts"
import type * as Job from "./Job.ts"
import type { Orders } from "./Job.ts"
import type { Registration, ScheduleRecord } from "./Model.ts"
import type { Runner } from "./Runner.ts"
import * as Trouble from "./Trouble.ts"

/** What became of the last look. */
export interface Scanned {
  /** New ones, and those that are not as they were. */
  readonly added: ReadonlyArray<Entry>
  readonly removed: ReadonlyArray<string>
}

export interface Known {
  /** Looks at the folder. What cannot be read or written down is told, and tried again the next time. */
  readonly scan: Effect.Effect<Scanned>
  readonly find: (pipeline: string) => Entry | undefined
  readonly all: () => ReadonlyArray<Entry>
  /** Instants up to here have been looked at. */
  readonly advance: (pipeline: string, reached: number) => Entry | undefined
  readonly ordersFor: (pipeline: string) => Orders | undefined
  readonly definition: (pipeline: string) => Checked | undefined
  readonly broken: () => ReadonlyArray<{ readonly file: string; readonly message: string }>
}

const decoded = Schema.decodeUnknownEither(Schema.parseJson(Schedule))
const encoded = Schema.encodeSync(Schema.parseJson(Schedule))

export const registrationOf = (file: string, { frame: { name, schedule } }: Checked): Registration | undefined =>
  schedule && { pipeline: name, file, schedule: encoded(schedule), times: `${schedule.cron} ${schedule.timezone}` }

const nothing = (): { readonly added: Array<Entry>; readonly removed: Array<string> } => ({ added: [], removed: [] })

/** Pipelines made known in one transaction. */
const block = 200

export const make = (
  definitions: string,
  { ledger, schedules }: Pick<Job.Workshop, "ledger" | "schedules">,
  runner: Runner,
  tell: (news: News) => void
) =>
  Effect.gen(function* () {
    const folder = yield* Folder.make(definitions, runner)
    /** Every file with what was last read of it. */
    const files = new Map<string, Folder.Definition["checked"]>()
    const entries = new Map<string, Entry>()
    /** Files that are to be looked into again, because the ledger did not take them. */
    let open = new Set<string>()
    /** What is to be told to whoever scans: it stays when the ledger fails half-way. */
    let scanned = nothing()
    const trouble = Trouble.make(tell)
    /** Files that are left alone, with the name that they want. */
    let twice = new Set<string>()

    /** The file that a pipeline's name belongs to: the one that had it before, then the first. */
    const owners = () => {
      const byName = new Map<string, string>()
      const wanted = [...files].flatMap(([file, checked]) =>
        Either.isRight(checked) && checked.right.frame.schedule !== undefined
          ? [[file, checked.right.frame.name] as const]
          : []
      )
      for (const [file, name] of wanted) if (entries.get(name)?.file === file) byName.set(name, file)
      for (const [file, name] of wanted.sort()) if (!byName.has(name)) byName.set(name, file)
      const before = twice
      twice = new Set()
      for (const [file, pipeline] of wanted) {
        const other = byName.get(pipeline)
        if (other === undefined || other === file) continue
        const key = `${file} ${pipeline}`
        twice.add(key)
        if (!before.has(key)) tell({ _tag: "Twice", pipeline, file, other })
      }
      return byName
    }

    /** What a pipeline's last run began with: the last that is known to have been right. */
    const former = (pipeline: string): Effect.Effect<Checked | undefined> =>
      Effect.flatMap(ledger.history.runs({ pipeline, limit: 1 }), ([run]) =>
        run === undefined || runner.former === undefined ? Effect.succeed(undefined) : runner.former(run)
      ).pipe(
        // Then nobody is told; the instants are missed all the same, and the history says why.
        Effect.catchAllCause((cause) => Effect.as(Effect.logDebug(cause), undefined))
      )

    /** A definition that was broken before it was ever read here keeps the schedule that the ledger has of it. */
    const recall = (file: string, message: string, past: ReadonlyArray<ScheduleRecord>, now: number) =>
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

    const settle = (changed: ReadonlySet<string>) =>
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
        const strange = brokenNow.filter(([file]) => ![...entries.values()].some((entry) => entry.file === file))
        const past = strange.length === 0 ? [] : yield* schedules.list
        for (const [file, message] of strange) {
          for (const entry of recall(file, message, past, now)) {
            put({ ...entry, checked: yield* former(entry.pipeline) })
          }
        }
        for (const [file, message] of brokenNow) {
          for (const entry of entries.values())
            if (entry.file === file) entries.set(entry.pipeline, { ...entry, broken: message })
        }
        /** Gone: no file has the name any more, and none that is broken had it. */
        const removed = [...entries.values()].filter(({ file, pipeline }) => {
          const checked = files.get(file)
          return !byName.has(pipeline) && (checked === undefined || Either.isRight(checked))
        })
        if (removed.length > 0) yield* schedules.remove(removed.map(({ pipeline }) => pipeline))
        for (const { file, pipeline } of removed) {
          entries.delete(pipeline)
          scanned.removed.push(pipeline)
          tell({ _tag: "Removed", pipeline, file })
        }
        const fresh = [...byName].flatMap(([pipeline, file]) => {
          const checked = files.get(file)
          const entry = entries.get(pipeline)
          if (checked === undefined || Either.isLeft(checked)) return []
          if (entry?.checked === checked.right && entry.broken === undefined) return []
          const registration = registrationOf(file, checked.right)
          return registration === undefined ? [] : [{ registration, checked: checked.right }]
        })
        for (let at = 0; at < fresh.length; at += block) {
          const some = fresh.slice(at, at + block)
          const records = yield* schedules.register(some.map(({ registration }) => registration))
          const byPipeline = new Map(records.map((record) => [record.pipeline, record]))
          for (const { checked, registration } of some) {
            const { file, pipeline } = registration
            const record = byPipeline.get(pipeline)
            const { schedule } = checked.frame
            if (record === undefined || schedule === undefined) continue
            tell({ _tag: entries.has(pipeline) ? "Changed" : "Added", pipeline, file })
            put({ pipeline, file, schedule, checked, broken: undefined, reached: record.reached })
          }
        }
      })

    const scan = Effect.gen(function* () {
      const { gone, read } = yield* folder.look
      for (const file of gone) files.delete(file)
      for (const { checked, file } of read) {
        const before = files.get(file)
        files.set(file, checked)
        if (
          Either.isLeft(checked) &&
          !(before !== undefined && Either.isLeft(before) && before.left === checked.left)
        ) {
          tell({ _tag: "Broken", file, message: checked.left })
        }
      }
      open = new Set([...open, ...gone, ...read.map(({ file }) => file)])
      if (open.size > 0) yield* Effect.mapError(settle(open), ({ message }) => message)
      open = new Set()
      trouble.note(undefined)
    }).pipe(
      Effect.catchAll((message) => Effect.sync(() => trouble.note(message))),
      Effect.zipRight(
        Effect.sync((): Scanned => {
          const found = scanned
          scanned = nothing()
          return found
        })
      ),
      Effect.uninterruptible
    )

    const known: Known = {
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
      ordersFor: (pipeline) => {
        const entry = entries.get(pipeline)
        return entry && { checked: entry.checked, file: entry.file, schedule: entry.schedule }
      },
      definition: (pipeline) => entries.get(pipeline)?.checked,
      broken: () =>
        [...files].flatMap(([file, checked]) => (Either.isLeft(checked) ? [{ file, message: checked.left }] : []))
    }
    return known
  })
