/**
 * Runs whose outputs are held because they are broken: released for publication, or discarded. Runs that did not complete can be
 * discarded, too: they can no longer be resumed afterwards.
 *
 * - A held run has ended. Its files are complete under their partial names, its changes of the state are staged, and it
 *   has no locks: other runs of its pipeline continue.
 * - `release` is one transaction, `held` → `publishing`. From then on, a resume publishes the run, as it does after a crash.
 * - A held run can be published whatever other runs have published since: its files are rebased on theirs (`Sink/Rebase.ts`), and its
 *   changes of the state apply unless a later run has changed the same keys. No run discards another one.
 * - Runs that begin in the meantime see its changes of the state beside those of published runs (`StateStore.each`): its rows are
 *   not written twice, and other rows are compared with the last published ones.
 * - `discard` is one transaction, `held` → `discarded`. The caller removes the files, and calls `forget` once they are
 *   removed. After a crash in between, `discard` lists them again.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Dialect from "../Database/Dialect.ts"
import type { Ready, Sealed } from "../Step/Output.ts"
import { type Connection, fromText, reading, writing } from "./Connection.ts"
import * as Health from "./Health.ts"
import type { LedgerError, Locked } from "./LedgerErrors.ts"
import * as Locks from "./Locks.ts"
import { isOver, type Status } from "./Model.ts"
import * as Pages from "./Pages.ts"
import { unpublishedFiles } from "./Retention.ts"
import * as Runs from "./Runs.ts"
import * as StateStore from "./StateStore.ts"
import { deleteLeftovers } from "./StepState.ts"

type Sql = SqlClient.SqlClient

/** The run is not held, so there is nothing to release or discard. */
export class RunNotHeld extends Data.TaggedError("RunNotHeld")<{
  readonly id: string
  readonly status: Status | undefined
  /** Suggestion for what to do instead. */
  readonly instead?: string | undefined
}> {
  override get message() {
    if (this.status === undefined) return `the ledger has no run ${this.id}`
    return this.instead !== undefined
      ? `run ${this.id} is ${this.status}: ${this.instead}`
      : `run ${this.id} is ${this.status}: only outputs of a held run can be published, and those of a held or unfinished run discarded`
  }
}

/** The origin of a discard: a user with `sluice discard`, or `sluice runs prune`. */
export type Discarder = "user" | "prune"

/** Runs that are still held: neither published nor discarded. */
export interface Waiting {
  readonly count: number
  /** Start of the oldest one: milliseconds since 1970. */
  readonly since: number
}

export interface Discarded {
  readonly sealed: ReadonlyArray<Sealed>
  readonly unpublished: ReadonlyArray<string>
}

export interface ExpiredRun {
  readonly id: string
  readonly pipeline: string
}

export interface Held {
  /** Lets a resume publish the run. From then on, later runs may look like it without being broken. */
  readonly release: (id: string) => Effect.Effect<void, LedgerError | Locked | RunNotHeld>
  /**
   * Ends the run without publishing it, and lists its files. If the run did not complete, `unpublished` has the final paths of its files.
   *
   * A user may also discard a run that did not complete; once its publication has begun, only if none of its files has its final name yet.
   * `runs prune` discards only runs that are still held, and records itself as the reason.
   */
  readonly discard: (
    id: string,
    isUntouched: (sealed: ReadonlyArray<Sealed>) => Effect.Effect<boolean>,
    by: Discarder
  ) => Effect.Effect<Discarded, LedgerError | Locked | RunNotHeld>
  /** Files of a held run, under their partial names; empty for any other run. */
  readonly files: (id: string) => Effect.Effect<ReadonlyArray<Ready>, LedgerError>
  /** Ids of a pipeline's runs that are held, or released but not published yet; oldest first. */
  readonly list: (pipeline: string) => Effect.Effect<ReadonlyArray<string>, LedgerError>
  /** Paths published by runs that began after this one. */
  readonly writtenSince: (id: string) => Effect.Effect<ReadonlySet<string>, LedgerError>
  /** Held runs of a pipeline, other than the run that has ended; undefined if there are none. */
  readonly waiting: (pipeline: string, ended: string) => Effect.Effect<Waiting | undefined, LedgerError>
  /** Runs held since before a time, and discarded runs whose files were not removed. */
  readonly expired: (before: number) => Effect.Effect<ReadonlyArray<ExpiredRun>, LedgerError>
  /** True if the run was released for publication and is not published yet. */
  readonly isReleased: (id: string) => Effect.Effect<boolean, LedgerError>
  /** True if the run is held or its publication has not begun: a user can discard it unless a process is working on it. */
  readonly canDiscard: (id: string) => Effect.Effect<boolean, LedgerError>
  /** Deletes the record of a discarded run's files, which must have been removed, and its staged state. */
  readonly forget: (id: string) => Effect.Effect<void, LedgerError>
}

interface HeldRow
  extends Pick<Runs.RunRow, "status" | "state_key" | "group_id" | "started_at" | "ended_at" | "updated_at"> {
  readonly sealed: string | null
  /** 1 once the run was released. */
  readonly released: number | null
}

/** True if the run was released for publication and is not published yet. */
const isReleased = ({ released, sealed, status }: HeldRow): boolean =>
  Number(released) === 1 && sealed !== null && status !== "completed" && status !== "discarded"

/** True for an unfinished cluster run. No process holds its lock between two of its parts, so a free lock does not mean that it stopped. */
const isSubmitted = (row: HeldRow, id: string): boolean =>
  !isReleased(row) &&
  row.group_id !== null &&
  Dialect.decodeText(row.group_id) === id &&
  (row.status === "running" || row.status === "publishing")

const load = (sql: Sql, id: string) =>
  Effect.map(
    sql<HeldRow>`SELECT status, state_key, group_id, started_at, ended_at, updated_at, sealed,
        (SELECT max(released) FROM health WHERE health.run_id = runs.id) AS released
      FROM runs JOIN run_texts ON run_texts.run_id = runs.id WHERE runs.id = ${id}`,
    ([row]) => row
  )

/**
 * Runs `work` while holding the locks of the run and of its state. Fails if another process is working on the run or on one of its shards.
 */
const exclusively = <A, E>(
  connection: Connection,
  id: string,
  doing: string,
  work: (row: HeldRow, now: number) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const { sql } = connection
    const known = yield* load(sql, id).pipe(writing(connection, doing))
    if (known === undefined) return yield* new RunNotHeld({ id, status: undefined })
    const state = known.state_key === null ? [] : [StateStore.lockName(Dialect.decodeText(known.state_key))]
    const { fence } = yield* Locks.acquireRun(connection, id, state)
    return yield* Effect.gen(function* () {
      yield* fence
      const row = yield* load(sql, id)
      if (row === undefined) return yield* new RunNotHeld({ id, status: undefined })
      return yield* work(row, yield* Clock.currentTimeMillis)
    }).pipe(writing(connection, doing))
  }).pipe(Effect.scoped)

const sealedOf = (connection: Connection, id: string, { sealed }: HeldRow) =>
  sealed === null
    ? Effect.succeed<ReadonlyArray<Sealed>>([])
    : Runs.decodeSealed(connection, `the sealed files of run ${id}`, sealed)

const pathsIn = (outputs: string): ReadonlyArray<string> => {
  const read = Either.try(() => fromText(outputs))
  if (Either.isLeft(read) || !Array.isArray(read.right)) return []
  return read.right.flatMap((output) => {
    if (typeof output !== "object" || output === null) return []
    const { path }: { readonly path?: unknown } = output
    return typeof path === "string" ? [path] : []
  })
}

/** Files without manifests, which are updated on publication. */
const filesOf = (sealed: ReadonlyArray<Sealed>): ReadonlyArray<Ready> =>
  sealed.flatMap(({ files }) => files.filter(({ isManifest }) => isManifest !== true))

/** Paths published by runs that began later, except trials, whose files the next run replaces. */
const writtenSince = (connection: Connection, id: string, { started_at }: HeldRow) =>
  Effect.gen(function* () {
    const others = yield* connection.sql<{ id: string; options: string; outputs: string }>`
      SELECT id, options, outputs FROM runs JOIN run_texts ON run_texts.run_id = runs.id
      WHERE status = 'completed' AND outputs IS NOT NULL AND runs.id <> ${id} AND started_at > ${started_at}`
    const written = yield* Effect.forEach(others, (other) =>
      Effect.map(Effect.option(Runs.decodeOptions(connection, other.id, other.options)), (options) =>
        Option.isSome(options) && options.value.limit !== undefined ? [] : pathsIn(other.outputs)
      )
    )
    return new Set(written.flat())
  })

export const make = (connection: Connection): Held => {
  const { sql } = connection
  return {
    release: (id) =>
      exclusively(connection, id, `releasing run ${id}`, (row, now) =>
        Effect.gen(function* () {
          const isRepeated = row.status === "publishing" || isReleased(row)
          if (row.status !== "held" && !isRepeated) return yield* new RunNotHeld({ id, status: row.status })
          // A call that is repeated, for example after a crash, changes nothing: a resume publishes the run.
          if (isRepeated) return
          yield* Health.release(sql, id)
          yield* sql`UPDATE runs SET status = 'publishing', error = NULL, ended_at = NULL, updated_at = ${now}
            WHERE id = ${id}`
        })
      ),
    discard: (id, isUntouched, by) =>
      exclusively(connection, id, `discarding run ${id}`, (row, now) =>
        Effect.gen(function* () {
          const unpublished = yield* unpublishedFiles(connection, id)
          const isRepeated = row.status === "discarded" && (row.sealed !== null || unpublished.length > 0)
          const sealed = yield* sealedOf(connection, id, row)
          const isUnfinished = !isOver(row.status) && !isReleased(row)
          const mayGo =
            row.status === "held" ||
            isRepeated ||
            (by === "user" &&
              !isOver(row.status) &&
              !isSubmitted(row, id) &&
              (row.sealed === null || (yield* isUntouched(sealed))))
          if (!mayGo) {
            const instead =
              isSubmitted(row, id) && row.sealed === null
                ? `stop it first: sluice stop ${id}`
                : by === "user" && !isOver(row.status)
                  ? `some of its outputs may already be published; sluice resume ${id} publishes the rest`
                  : undefined
            return yield* new RunNotHeld({ id, status: row.status, instead })
          }
          yield* sql`UPDATE calls SET answer = NULL WHERE run_id = ${id} AND answer IS NOT NULL`
          yield* sql`DELETE FROM reservations WHERE run_id = ${id}`
          const reason = by === "prune" && !isRepeated ? Dialect.encodeText("discarded by sluice runs prune") : null
          yield* sql`UPDATE runs SET status = 'discarded', error = coalesce(${reason}, error), updated_at = ${now}
            WHERE id = ${id}`
          if (isUnfinished) yield* Pages.releaseRejects(sql, undefined, id)
          return { sealed, unpublished: row.sealed === null ? unpublished : [] }
        })
      ),
    files: (id) =>
      Effect.gen(function* () {
        const row = yield* load(sql, id)
        if (row?.status !== "held") return []
        return filesOf(yield* sealedOf(connection, id, row))
      }).pipe(reading(connection, `reading the files of run ${id}`)),
    list: (pipeline) =>
      Effect.map(
        sql<{ id: string }>`SELECT id FROM runs JOIN run_texts ON run_texts.run_id = runs.id
          WHERE pipeline = ${Dialect.encodeText(pipeline)} AND sealed IS NOT NULL AND (status = 'held'
            OR (status NOT IN ('completed', 'discarded')
              AND EXISTS (SELECT 1 FROM health WHERE health.run_id = runs.id AND released = 1)))
          ORDER BY started_at, id`,
        (rows) => rows.map(({ id }) => id)
      ).pipe(reading(connection, `looking for held runs of ${pipeline}`)),
    writtenSince: (id) =>
      Effect.flatMap(load(sql, id), (row) =>
        row === undefined ? Effect.succeed(new Set<string>()) : writtenSince(connection, id, row)
      ).pipe(reading(connection, `reading what was published after run ${id}`)),
    waiting: (pipeline, ended) =>
      Effect.gen(function* () {
        const others = sql`pipeline = ${Dialect.encodeText(pipeline)} AND status = 'held' AND runs.id <> ${ended}`
        const [found] = yield* sql<{ count: number; since: number | null }>`SELECT count(*) AS count,
          min(started_at) AS since FROM runs WHERE ${others}`
        const count = Number(found?.count ?? 0)
        if (count === 0) return undefined
        return { count, since: Number(found?.since) }
      }).pipe(reading(connection, `looking for held runs of ${pipeline}`)),
    expired: (before) =>
      Effect.map(
        sql<ExpiredRun>`SELECT id, pipeline FROM runs JOIN run_texts ON run_texts.run_id = runs.id
          WHERE updated_at < ${before} AND (status = 'held' OR (status = 'discarded' AND sealed IS NOT NULL))
          ORDER BY started_at DESC, id DESC`,
        (rows) => rows.map(({ id, pipeline }) => ({ id, pipeline: Dialect.decodeText(pipeline) }))
      ).pipe(reading(connection, "looking for runs that are held")),
    isReleased: (id) =>
      Effect.map(load(sql, id), (row) => row !== undefined && isReleased(row)).pipe(
        reading(connection, `reading run ${id}`)
      ),
    canDiscard: (id) =>
      Effect.gen(function* () {
        const row = yield* load(sql, id)
        if (row === undefined || (row.status !== "held" && isOver(row.status)) || isSubmitted(row, id)) return false
        return row.status === "held" || row.sealed === null
      }).pipe(reading(connection, `reading run ${id}`)),
    forget: (id) =>
      Effect.zipRight(
        deleteLeftovers(connection, id),
        sql`UPDATE run_texts SET sealed = NULL WHERE run_id = ${id}`.pipe(
          writing(connection, `forgetting the files of run ${id}`)
        )
      )
  }
}
