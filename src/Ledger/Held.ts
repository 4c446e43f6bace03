/**
 * Runs whose outputs are held because they are broken: released for publication, or discarded.
 *
 * - A held run has ended. Its files are complete under their partial names, its changes of the state are staged, and it
 *   has no locks: other runs of its pipeline go ahead.
 * - `release` is one transaction, `held` → `publishing`. From then on a resume publishes the run, as it does after a crash.
 * - `discard` is one transaction, `held` → `discarded`. The caller removes the files, and calls `forget` once they are
 *   removed. After a crash in between, `discard` lists them again.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Dialect from "../Database/Dialect.ts"
import type { Sealed } from "../Step/Output.ts"
import { type Connection, fromText, writing } from "./Connection.ts"
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
  override get message() {
    const why =
      this.path === undefined
        ? `run ${this.by} has since changed the state that it began with`
        : `run ${this.by} has since written ${this.path}`
    return `run ${this.id} cannot be published any more: ${why}. sluice discard ${this.id} drops its outputs`
  }
}

export interface Held {
  /** Lets a resume publish the run; later runs may be like it. */
  readonly release: (id: string) => Effect.Effect<void, LedgerError | Locked | RunNotHeld | RunSuperseded>
  /**
   * Ends the run without publishing it, and lists its files. A run that is released already is discarded only if none
   * of its files has its final name yet.
   */
  readonly discard: (
    id: string,
    isUntouched: (sealed: ReadonlyArray<Sealed>) => Effect.Effect<boolean>
  ) => Effect.Effect<ReadonlyArray<Sealed>, LedgerError | Locked | RunNotHeld>
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
  /** 1 if somebody has released it. */
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

/** Works on a run whose locks nobody else has. */
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

/** Run that has published under the same state key since this one began. */
const successorByState = (sql: Sql, id: string, { started_at, state_key }: HeldRow) =>
  state_key === null
    ? Effect.succeed(undefined)
    : Effect.map(
        sql<{ id: string }>`SELECT id FROM runs WHERE state_key = ${state_key} AND id <> ${id}
          AND status = 'completed' AND ended_at >= ${started_at} ORDER BY ended_at DESC LIMIT 1`,
        ([row]) => row && new RunSuperseded({ id, by: row.id, path: undefined })
      )

/** Paths of files, and of the manifests that list them. */
const pathsIn = (outputs: string): ReadonlyArray<string> => {
  const read = Either.try(() => fromText(outputs))
  if (Either.isLeft(read) || !Array.isArray(read.right)) return []
  return read.right.flatMap((output) => {
    if (typeof output !== "object" || output === null) return []
    const { manifest, path }: { readonly manifest?: unknown; readonly path?: unknown } = output
    return [path, manifest].filter((each) => typeof each === "string")
  })
}

/** A manifest lists the files of other runs, too: as they were when it was written. */
const isManifest = (path: string): boolean => /(^|[/\\])_manifest\.json$/.test(path)

/** Run that began later and has published a file of this run. Of a manifest: any that has published since. */
const successorByPath = (sql: Sql, id: string, row: HeldRow, sealed: ReadonlyArray<Sealed>) =>
  Effect.gen(function* () {
    const { ended_at, started_at, updated_at } = row
    // A released run had no successor when it was released, or taken up again for the last time.
    const since = isReleased(row) ? updated_at : (ended_at ?? started_at)
    const paths = new Set(sealed.flatMap(({ files, stale }) => [...files.map(({ path }) => path), ...stale]))
    const others = yield* sql<{ id: string; outputs: string; started_at: number }>`
      SELECT id, outputs, started_at FROM runs JOIN run_texts ON run_texts.run_id = runs.id
      WHERE status = 'completed' AND outputs IS NOT NULL AND id <> ${id} AND ended_at >= ${since}`
    for (const other of others) {
      const isLater = Number(other.started_at) > Number(started_at)
      const path = pathsIn(other.outputs).find((each) => paths.has(each) && (isLater || isManifest(each)))
      if (path !== undefined) return new RunSuperseded({ id, by: other.id, path })
    }
  })

const successor = (connection: Connection, id: string, row: HeldRow) =>
  Effect.gen(function* () {
    const { sql } = connection
    const byState = yield* successorByState(sql, id, row)
    return byState ?? (yield* successorByPath(sql, id, row, yield* sealedOf(connection, id, row)))
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
          const isRepeated = row.status === "publishing"
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
    discard: (id, isUntouched) =>
      exclusively(connection, id, `discarding run ${id}`, (row, now) =>
        Effect.gen(function* () {
          const isRepeated = row.status === "discarded" && row.sealed !== null
          const sealed = yield* sealedOf(connection, id, row)
          const mayGo = row.status === "held" || isRepeated || (isReleased(row) && (yield* isUntouched(sealed)))
          if (!mayGo) return yield* new RunNotHeld({ id, status: row.status })
          yield* sql`UPDATE calls SET answer = NULL WHERE run_id = ${id} AND answer IS NOT NULL`
          yield* sql`DELETE FROM reservations WHERE run_id = ${id}`
          yield* sql`UPDATE runs SET status = 'discarded', updated_at = ${now} WHERE id = ${id}`
          return sealed
        })
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
