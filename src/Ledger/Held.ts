/**
 * Runs whose outputs are held because they are broken: released for publication, or discarded.
 *
 * - A held run has ended. Its files are complete under their partial names, its changes of the state are staged, and it
 *   has no locks: other runs of its pipeline go ahead.
 * - `release` is one transaction, `held` → `publishing`. From then on a resume publishes the run, as it does after a crash.
 * - A held run whose files or state another run has published since can only be discarded. No run discards another one.
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
import * as Journal from "./Journal.ts"
import { LedgerError, type Locked } from "./LedgerErrors.ts"
import * as Locks from "./Locks.ts"
import type { Status } from "./Model.ts"
import * as Runs from "./Runs.ts"
import * as StateStore from "./StateStore.ts"

type Sql = SqlClient.SqlClient

/** The run is not held, so that there is nothing to decide. */
export class RunNotHeld extends Data.TaggedError("RunNotHeld")<{
  readonly id: string
  readonly status: Status | undefined
}> {
  override get message() {
    return this.status === undefined
      ? `the ledger has no run ${this.id}`
      : `run ${this.id} is ${this.status}: only outputs of a held run can be published or discarded`
  }
}

/** Another run has been published in the meantime, and publishing this one would undo or repeat what it has done. */
export class RunSuperseded extends Data.TaggedError("RunSuperseded")<{
  readonly id: string
  /** The other run. */
  readonly by: string
  /** File that both write; undefined when they share their state. */
  readonly path: string | undefined
}> {
  get why() {
    return this.path === undefined
      ? `run ${this.by} has since changed the state that it began with`
      : `run ${this.by} has since written ${this.path}`
  }
  override get message() {
    return `run ${this.id} cannot be published any more: ${this.why}. sluice discard ${this.id} drops its outputs`
  }
}

/** A user's `sluice discard`, or `sluice runs prune`. */
export type Discarder = "user" | "prune"

/** Runs that are still held: neither published nor discarded. */
export interface Waiting {
  readonly count: number
  /** Start of the oldest one, in milliseconds since 1970. */
  readonly since: number
  /** Of the oldest {@link maxCompared}: those whose files or state the run that has just ended has replaced. */
  readonly replaced: number
}

export interface ExpiredRun {
  readonly id: string
  readonly pipeline: string
}

const maxCompared = 100

export interface Held {
  /** Lets a resume publish the run; later runs may be like it. */
  readonly release: (id: string) => Effect.Effect<void, LedgerError | Locked | RunNotHeld | RunSuperseded>
  /**
   * Ends the run without publishing it, and lists its files.
   *
   * A user may also discard a run whose publication has begun, if none of its files has its final name yet or if it cannot
   * be published any more; files that have their final names stay. `runs prune` discards only runs that are still held,
   * and records itself as the reason.
   */
  readonly discard: (
    id: string,
    isUntouched: (sealed: ReadonlyArray<Sealed>) => Effect.Effect<boolean>,
    by: Discarder
  ) => Effect.Effect<ReadonlyArray<Sealed>, LedgerError | Locked | RunNotHeld>
  /** Files of a held run, under their partial names; none of another run. */
  readonly files: (id: string) => Effect.Effect<ReadonlyArray<Ready>, LedgerError>
  /** Held runs of a pipeline beside a run that has ended; undefined when there are none. */
  readonly waiting: (pipeline: string, ended: string) => Effect.Effect<Waiting | undefined, LedgerError>
  /** Runs that have been held since before a time, and discarded ones whose files were not removed. */
  readonly expired: (before: number) => Effect.Effect<ReadonlyArray<ExpiredRun>, LedgerError>
  /** True for a run that was released, and is not published yet. */
  readonly isReleased: (id: string) => Effect.Effect<boolean, LedgerError>
  /** Forgets the files of a discarded run, which have been removed, and its staged state. */
  readonly forget: (id: string) => Effect.Effect<void, LedgerError>
}

interface HeldRow {
  readonly status: Status
  readonly state_key: string | null
  readonly started_at: number
  readonly ended_at: number | null
  readonly updated_at: number
  readonly sealed: string | null
  /** 1 after `release`. */
  readonly released: number | null
}

/** True for a run that was released, and is not published yet. */
const isReleased = ({ released, sealed, status }: HeldRow): boolean =>
  Number(released) === 1 && sealed !== null && status !== "completed" && status !== "discarded"

const load = (sql: Sql, id: string) =>
  Effect.map(
    sql<HeldRow>`SELECT status, state_key, started_at, ended_at, updated_at, sealed,
        (SELECT max(released) FROM health WHERE health.run_id = runs.id) AS released
      FROM runs JOIN run_texts ON run_texts.run_id = runs.id WHERE runs.id = ${id}`,
    ([row]) => row
  )

/** Runs `work` while it holds the locks of the run and of its state. */
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
    const { fence } = yield* Locks.acquire(connection, [`run ${id}`, ...state])
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

/** Selects the run `by`, or every run but this one. */
const otherThan = (sql: Sql, id: string, by: string | undefined) =>
  by === undefined ? sql`runs.id <> ${id}` : sql`runs.id = ${by}`

/** Run that has published under the same state key since this one began. */
const successorByState = (sql: Sql, id: string, { started_at, state_key }: HeldRow, by: string | undefined) =>
  state_key === null
    ? Effect.succeed(undefined)
    : Effect.map(
        sql<{ id: string }>`SELECT id FROM runs WHERE state_key = ${state_key} AND ${otherThan(sql, id, by)}
          AND status = 'completed' AND ended_at >= ${started_at} ORDER BY ended_at DESC LIMIT 1`,
        ([row]) => row && new RunSuperseded({ id, by: row.id, path: undefined })
      )

const pathsIn = (outputs: string): ReadonlyArray<string> => {
  const read = Either.try(() => fromText(outputs))
  if (Either.isLeft(read) || !Array.isArray(read.right)) return []
  return read.right.flatMap((output) => {
    if (typeof output !== "object" || output === null) return []
    const { path }: { readonly path?: unknown } = output
    return typeof path === "string" ? [path] : []
  })
}

/** Without manifests, which are brought up to date when they are published. */
const filesOf = (sealed: ReadonlyArray<Sealed>): ReadonlyArray<Ready> =>
  sealed.flatMap(({ files }) => files.filter(({ isManifest }) => isManifest !== true))

/** Run that began later and has published a file of this run. */
const successorByPath = (connection: Connection, id: string, row: HeldRow, by: string | undefined) =>
  Effect.gen(function* () {
    const { sql } = connection
    const sealed = yield* sealedOf(connection, id, row)
    const { ended_at, started_at, updated_at } = row
    // A released run had no successor when it was released, or taken up again for the last time.
    const since = isReleased(row) ? updated_at : (ended_at ?? started_at)
    const paths = new Set([...filesOf(sealed).map(({ path }) => path), ...sealed.flatMap(({ stale }) => stale)])
    const others = yield* sql<{ id: string; options: string; outputs: string }>`
      SELECT id, options, outputs FROM runs JOIN run_texts ON run_texts.run_id = runs.id
      WHERE status = 'completed' AND outputs IS NOT NULL AND ${otherThan(sql, id, by)} AND started_at > ${started_at}
        AND ended_at >= ${since}`
    for (const other of others) {
      const path = pathsIn(other.outputs).find((each) => paths.has(each))
      if (path === undefined) continue
      const options = yield* Effect.option(Runs.decodeOptions(connection, other.id, other.options))
      // Files of a trial are replaced by the next run.
      const isTrial = Option.isSome(options) && options.value.limit !== undefined
      if (!isTrial) return new RunSuperseded({ id, by: other.id, path })
    }
  })

/** With `by`, only that run. */
const successor = (connection: Connection, id: string, row: HeldRow, by?: string) =>
  Effect.gen(function* () {
    const byState = yield* successorByState(connection.sql, id, row, by)
    return byState ?? (yield* successorByPath(connection, id, row, by))
  })

/** Refuses to take up a released run again, if another one was published after the release. */
export const refuseSuperseded = (connection: Connection, id: string) =>
  Effect.gen(function* () {
    const row = yield* load(connection.sql, id)
    const cause = row && isReleased(row) ? yield* successor(connection, id, row) : undefined
    if (cause === undefined) return
    const { message: reason } = cause
    return yield* new LedgerError({ place: connection.place, doing: `resuming run ${id}`, reason, cause })
  })

export const make = (connection: Connection): Held => {
  const { sql } = connection
  return {
    release: (id) =>
      exclusively(connection, id, `releasing run ${id}`, (row, now) =>
        Effect.gen(function* () {
          const isRepeated = row.status === "publishing" || isReleased(row)
          if (row.status !== "held" && !isRepeated) return yield* new RunNotHeld({ id, status: row.status })
          const superseded = isRepeated && !isReleased(row) ? undefined : yield* successor(connection, id, row)
          if (superseded !== undefined) return yield* superseded
          // A repeated call, after a crash in between, leaves it to the resume.
          if (isRepeated) return
          yield* Health.release(sql, id)
          yield* sql`UPDATE runs SET status = 'publishing', error = NULL, ended_at = NULL, updated_at = ${now}
            WHERE id = ${id}`
        })
      ),
    discard: (id, isUntouched, by) =>
      exclusively(connection, id, `discarding run ${id}`, (row, now) =>
        Effect.gen(function* () {
          const isRepeated = row.status === "discarded" && row.sealed !== null
          const sealed = yield* sealedOf(connection, id, row)
          const mayGo =
            row.status === "held" ||
            isRepeated ||
            (by === "user" &&
              isReleased(row) &&
              ((yield* isUntouched(sealed)) || (yield* successor(connection, id, row)) !== undefined))
          if (!mayGo) return yield* new RunNotHeld({ id, status: row.status })
          yield* sql`UPDATE calls SET answer = NULL WHERE run_id = ${id} AND answer IS NOT NULL`
          yield* sql`DELETE FROM reservations WHERE run_id = ${id}`
          const reason = by === "prune" && !isRepeated ? Dialect.encodeText("discarded by sluice runs prune") : null
          yield* sql`UPDATE runs SET status = 'discarded', error = coalesce(${reason}, error), updated_at = ${now}
            WHERE id = ${id}`
          return sealed
        })
      ),
    files: (id) =>
      Effect.gen(function* () {
        const row = yield* load(sql, id)
        if (row?.status !== "held") return []
        return filesOf(yield* sealedOf(connection, id, row))
      }).pipe(reading(connection, `reading the files of run ${id}`)),
    waiting: (pipeline, ended) =>
      Effect.gen(function* () {
        const others = sql`pipeline = ${Dialect.encodeText(pipeline)} AND status = 'held' AND runs.id <> ${ended}`
        const [found] = yield* sql<{ count: number; since: number | null }>`SELECT count(*) AS count,
          min(started_at) AS since FROM runs WHERE ${others}`
        const count = Number(found?.count ?? 0)
        if (count === 0) return undefined
        const oldest = yield* sql<HeldRow & { readonly id: string }>`SELECT id, status, state_key, started_at, ended_at,
            updated_at, sealed, NULL AS released
          FROM runs JOIN run_texts ON run_texts.run_id = runs.id
          WHERE ${others} ORDER BY started_at LIMIT ${maxCompared}`
        const successors = yield* Effect.forEach(oldest, ({ id, ...row }) => successor(connection, id, row, ended))
        const replaced = successors.filter((each) => each !== undefined).length
        return { count, since: Number(found?.since), replaced }
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
    forget: (id) =>
      Effect.zipRight(
        sql`UPDATE run_texts SET sealed = NULL WHERE run_id = ${id}`.pipe(
          writing(connection, `forgetting the files of run ${id}`)
        ),
        Journal.deleteLeftovers(connection)
      )
  }
}
