/**
 * Write access to one run while a process works on it.
 *
 * - Every write is one transaction and cannot be interrupted. It fails once another process has taken over the run's lock.
 * - The saved state of a step is one value, which is replaced, and entries, which are put and deleted one by one.
 * - The answer of a paid call is stored before it is used. A checkpoint that contains the resulting rows drops the answer; its price stays.
 * - Changes of the state across runs are staged, and applied when the run is completed. Changes for rejected rows are held for a replay.
 * - Pages, rejects and staged changes are numbered in the order in which they were written. Numbers of a failed write are not reused.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as BulkStatement from "../Database/BulkStatement.ts"
import * as Dialect from "../Database/Dialect.ts"
import * as GroupCommit from "../Database/GroupCommit.ts"
import { allRows, type Json, ofSource } from "../Row.ts"
import type { Changes, Saved, StateChange } from "../Step.ts"
import { type Connection, encodeOptional, fromText, reading, toText, writing } from "./Connection.ts"
import * as Health from "./Health.ts"
import { LedgerError } from "./LedgerErrors.ts"
import type { HeldLocks } from "./Locks.ts"
import type { Call, Checkpoint, DeferredRows, Journal, ReplayClaim, RunSpec, StateExpiry } from "./Model.ts"
import * as Pages from "./Pages.ts"
import * as Runs from "./Runs.ts"
import * as SharedLimits from "./SharedLimits.ts"
import * as StateStore from "./StateStore.ts"

type Sql = SqlClient.SqlClient

export const make = (connection: Connection, run: RunSpec, locks: HeldLocks): Effect.Effect<Journal, LedgerError> =>
  Effect.gen(function* () {
    const { sql } = connection
    const { id, stateKey } = run
    const read = <A>(what: string, effect: Effect.Effect<A, SqlError | LedgerError>) =>
      reading(connection, `reading ${what} of run ${id}`)(effect)
    const write = <A>(what: string, effect: (now: number) => Effect.Effect<A, SqlError | LedgerError>) =>
      locks.fence.pipe(
        Effect.zipRight(Effect.clockWith((clock) => effect(clock.unsafeCurrentTimeMillis()))),
        writing(connection, `writing ${what} of run ${id}`)
      )
    const last = yield* read("the last numbers", lastNumbers(connection, id))
    /** Steps with saved state when the run began or was resumed. Cached, because every operator asks and most steps have none. */
    const savedSteps = yield* Effect.cached(
      read(
        "the steps that were saved",
        Effect.map(
          sql<{ step: string }>`SELECT step FROM stations WHERE run_id = ${id}`,
          (rows) => new Set(rows.map(({ step }) => step))
        )
      )
    )

    /** Takes one number for each row. Returns the number before the first of them. */
    const takeNumbers = (kind: "pages" | "rejects" | "staged", rows: ReadonlyArray<unknown>): number => {
      const before = last[kind]
      last[kind] += rows.length
      return before
    }

    const recordCall = GroupCommit.make<Call, LedgerError>((calls) =>
      write("answers", (now) =>
        Effect.gen(function* () {
          const spent = yield* putCalls(sql, id, calls, now)
          yield* Runs.addSpent(sql, run.pipeline, now, spent.credits, spent.unpriced)
          yield* SharedLimits.release(
            sql,
            id,
            calls.flatMap(({ reservation }) => reservation ?? [])
          )
          const pages = calls.flatMap(({ page, step }) => (page === undefined ? [] : [{ step, page }]))
          yield* Pages.putPages(sql, id, takeNumbers("pages", pages), pages, now)
        })
      )
    )

    const checkpoint = (now: number, all: Checkpoint) =>
      Effect.gen(function* () {
        for (const { changes, step } of all.steps) yield* saveStep(sql, id, step, changes)
        yield* Pages.putPages(sql, id, takeNumbers("pages", all.pages), all.pages, now)
        yield* Pages.putRejects(sql, id, takeNumbers("rejects", all.rejects), all.rejects)
        const replayed = all.replayClaim === undefined ? [] : yield* claimRejects(connection, run, all.replayClaim)
        if (stateKey !== undefined) {
          const staged = [...replayed, ...all.state]
          yield* stage(sql, id, takeNumbers("staged", staged), staged, now)
          if (all.deferredRows !== undefined) yield* dropStaged(sql, id, all.deferredRows)
        }
        yield* dropAnswers(sql, id, all.resolvedCalls)
        yield* Runs.addSpent(sql, run.pipeline, now, all.jobCredits - last.credits, all.jobUnpriced - last.unpriced)
        yield* SharedLimits.updateReservations(sql, id, all.reservations ?? [])
        yield* sql.unsafe(saveProgress, [
          toText(all.progress),
          all.rows,
          all.rejectCount,
          all.jobCredits,
          all.jobUnpriced,
          all.jobPages ?? 0,
          all.outputRows ?? 0,
          all.bytes ?? 0,
          now,
          id
        ])
      })

    return {
      savedState: (step) =>
        Effect.flatMap(savedSteps, (saved) =>
          saved.has(step) ? read(`the saved state of step ${step}`, loadStep(sql, id, step)) : Effect.succeed(noState)
        ),
      answers: read("the answers", loadAnswers(sql, id)),
      booked: read("the bookings", bookedTotals(sql, id)),
      recordCall,
      reserve: ({ decide, id: reservation, mine, scope }) =>
        write("a reservation", () => SharedLimits.reserve(connection, id, reservation, scope, mine, decide)),
      release: (reservation) => write("a reservation", () => SharedLimits.release(sql, id, [reservation])),
      checkpoint: (all) =>
        write("a checkpoint", (now) => checkpoint(now, all)).pipe(
          Effect.tap(() => {
            last.credits = all.jobCredits
            last.unpriced = all.jobUnpriced
          }),
          Effect.uninterruptible
        ),
      recordSealed: (sealed, health) =>
        write("the sealed files", (now) =>
          Effect.gen(function* () {
            yield* sql`UPDATE run_texts SET sealed = ${JSON.stringify(sealed)} WHERE run_id = ${id}`
            if (health !== undefined) yield* Health.put(sql, id, health)
            yield* health?.held === undefined
              ? sql`UPDATE runs SET status = 'publishing', updated_at = ${now} WHERE id = ${id}`
              : sql`UPDATE runs SET status = 'held', error = ${encodeOptional(health.held)}, updated_at = ${now},
                  ended_at = ${now} WHERE id = ${id}`
          })
        ),
      sealed: read(
        "the sealed files",
        Effect.flatMap(sql<{ sealed: string | null }>`SELECT sealed FROM run_texts WHERE run_id = ${id}`, ([row]) =>
          row === undefined || row.sealed === null
            ? Effect.succeed(undefined)
            : Runs.decodeSealed(connection, `the sealed files of run ${id}`, row.sealed)
        )
      ),
      complete: (outputs, expiry, note) =>
        Effect.zipLeft(
          write("the end", (now) => complete(sql, run, now, toText(outputs), expiry, note)),
          // The run stays completed even if this fails: the next run that completes deletes the rest. Parts leave it to their run.
          isPart(run) ? Effect.void : Effect.ignoreLogged(deleteLeftovers(connection))
        ),
      end: (status, error) =>
        write(
          "the end",
          (now) => sql`UPDATE runs SET status = ${status}, error = ${encodeOptional(error)},
            updated_at = ${now}, ended_at = ${now} WHERE id = ${id} AND status NOT IN ('completed', 'held')`
        ),
      state: (step) =>
        stateKey === undefined
          ? Effect.succeed([])
          : read(
              `the state for step ${step}`,
              Effect.zipWith(
                StateStore.load(sql, stateKey, step),
                StateStore.loadHeld(sql, id, stateKey, step),
                StateStore.withHeld
              )
            ),
      presentPages: read("the pages", Pages.presentPages(sql, id)),
      hasSeenAny: (under, keys) => read("pages of earlier runs", Pages.hasSeenAny(sql, id, under, keys)),
      failedPages: (jobId) => read("the pages of a job", Pages.failedPages(sql, id, jobId)),
      lockLost: locks.lockLost,
      stopRequested: locks.stopRequested,
      verifyLocks: locks.verify
    }
  })

/** True for a part: it is executed for another run, which merges it. */
const isPart = ({ group, id }: RunSpec): boolean => group !== undefined && group !== id

/** Claims rejects of another run, and returns their pending state changes. */
const claimRejects = ({ place, sql }: Connection, { id, stateKey }: RunSpec, replayed: ReplayClaim) =>
  Effect.gen(function* () {
    if (!(yield* Pages.claimRejects(sql, replayed, id))) {
      const reason = "another run has replayed some of the rejects in the meantime; this run has done nothing"
      return yield* new LedgerError({ place, doing: `replaying the rejects of run ${replayed.of}`, reason })
    }
    return stateKey === undefined ? [] : yield* takeReplayedState(sql, id, replayed.of, stateKey)
  })

const complete = (
  sql: Sql,
  run: RunSpec,
  now: number,
  outputs: string,
  expiry: StateExpiry | undefined,
  note: string | undefined
) =>
  Effect.gen(function* () {
    const { id, stateKey } = run
    if (stateKey !== undefined) {
      yield* applyStaged(sql, id, stateKey)
      const { after = 0, steps = [] } = expiry ?? {}
      for (const step of steps) yield* StateStore.expire(sql, id, stateKey, step, now - after)
    }
    // A part keeps its answers until the merge drops them. Neither a part nor a run cut by its budget counts for later health comparisons.
    if (!isPart(run)) yield* sql`UPDATE calls SET answer = NULL WHERE run_id = ${id} AND answer IS NOT NULL`
    yield* sql`DELETE FROM reservations WHERE run_id = ${id}`
    if (note === undefined && !isPart(run)) yield* Health.publish(sql, id)
    yield* sql`UPDATE run_texts SET sealed = NULL, outputs = ${outputs} WHERE run_id = ${id}`
    yield* sql`UPDATE runs SET status = 'completed', error = ${encodeOptional(note)},
      updated_at = ${now}, ended_at = ${now} WHERE id = ${id}`
  })

/** Last numbers used by a run, and the job credits that are already booked. */
const lastNumbers = ({ sql }: Connection, run: string) =>
  Effect.map(
    sql<{ pages: number | null; rejects: number | null; staged: number | null; credits: number; unpriced: number }>`
      SELECT (SELECT max(seq) FROM pages WHERE run_id = ${run}) AS pages,
        (SELECT max(seq) FROM rejects WHERE run_id = ${run}) AS rejects,
        (SELECT max(seq) FROM staged WHERE station IN (SELECT id FROM stations WHERE run_id = ${run})) AS staged,
        job_credits AS credits, job_unpriced AS unpriced FROM runs WHERE id = ${run}`,
    ([row]) => ({
      pages: Number(row?.pages ?? 0),
      rejects: Number(row?.rejects ?? 0),
      staged: Number(row?.staged ?? 0),
      credits: Number(row?.credits ?? 0),
      unpriced: Number(row?.unpriced ?? 0)
    })
  )

// Saved state of steps.

/** Number of a step of a run; assigned when the step first saves something. */
export const stepNumber = (sql: Sql, run: string, step: string) =>
  Effect.gen(function* () {
    const find = sql<{ id: number }>`SELECT id FROM stations WHERE run_id = ${run} AND step = ${step}`
    const [known] = yield* find
    if (known !== undefined) return Number(known.id)
    yield* sql.onDialectOrElse({
      // SQLite has one writer at a time, so max + 1 is safe. Postgres generates the number.
      sqlite: () => sql`INSERT INTO stations (id, run_id, step)
        SELECT coalesce(max(id), 0) + 1, ${run}, ${step} FROM stations`,
      orElse: () => sql`INSERT INTO stations (run_id, step) VALUES (${run}, ${step})`
    })
    const [made] = yield* find
    return Number(made?.id)
  })

/** Saves the value of a step; returns the step's number. */
const saveValue = (sql: Sql, run: string, step: string, value: string) => {
  const put = sql`ON CONFLICT (run_id, step) DO UPDATE SET value = excluded.value RETURNING id`
  const statement = sql.onDialectOrElse({
    sqlite: () => sql<{ id: number }>`INSERT INTO stations (id, run_id, step, value)
        SELECT coalesce(max(id), 0) + 1, ${run}, ${step}, ${value} FROM stations WHERE TRUE ${put}`,
    orElse: () =>
      sql<{ id: number }>`INSERT INTO stations (run_id, step, value) VALUES (${run}, ${step}, ${value}) ${put}`
  })
  return Effect.map(statement, ([row]) => Number(row?.id))
}

export const saveStep = (sql: Sql, run: string, step: string, { entries = [], value }: Changes) =>
  Effect.gen(function* () {
    if (value === undefined && entries.length === 0) return
    const station = yield* value === undefined ? stepNumber(sql, run, step) : saveValue(sql, run, step, toText(value))
    yield* applyEntries(sql, station, entries)
  })

const putEntries = BulkStatement.make({
  before: "INSERT INTO entries (station, key, value) VALUES ",
  row: (own) => `($1, ${own})`,
  after: " ON CONFLICT (station, fingerprint(key)) DO UPDATE SET value = excluded.value",
  shared: 1,
  width: 2
})

const deleteEntries = BulkStatement.make({
  before: "DELETE FROM entries WHERE station = $1 AND fingerprint(key) IN (",
  row: (own) => `fingerprint(${own})`,
  after: ")",
  shared: 1,
  width: 1
})

/** Entries per batch. Writes only the last change of each key in a batch. */
const entriesPerBatch = 4096

const applyEntries = (sql: Sql, station: number, entries: NonNullable<Changes["entries"]>) => {
  let at = 0
  return Effect.whileLoop({
    while: () => at < entries.length,
    body: () => {
      const last = new Map(entries.slice(at, at + entriesPerBatch))
      at += entriesPerBatch
      const deleted: Array<string> = []
      const updated: Array<readonly [string, string]> = []
      for (const [key, value] of last) {
        if (value === undefined) deleted.push(Dialect.encodeText(key))
        else updated.push([Dialect.encodeText(key), toText(value)])
      }
      return Effect.zipRight(
        deleteEntries(sql, [station], deleted, (key) => [key]),
        putEntries(sql, [station], updated, (entry) => entry)
      )
    },
    step: () => {}
  })
}

const noState: Saved = { value: undefined, entries: [] }

export const loadStep = (sql: Sql, run: string, step: string) =>
  Effect.gen(function* () {
    const [station] = yield* sql<{ id: number; value: string | null }>`SELECT id, value FROM stations
      WHERE run_id = ${run} AND step = ${step}`
    if (station === undefined) return noState
    const rows = yield* sql<{ key: string; value: string }>`SELECT key, value FROM entries
      WHERE station = ${station.id} ORDER BY key`
    return {
      value: station.value === null ? undefined : fromText(station.value),
      entries: rows.map(({ key, value }) => [Dialect.decodeText(key), fromText(value)] as const)
    } satisfies Saved
  })

/** Rows deleted by one transaction; small, because other writers wait for it. */
const rowsPerDelete = 20_000

/**
 * Deletes saved state of runs that are completed or deleted, including leftovers of an earlier call that crashed, and of `forgotten`, a
 * discarded run whose files are removed. Keeps the state of other discarded runs: it names files that may still exist.
 */
export const deleteLeftovers = (connection: Connection, forgotten = "") =>
  Effect.gen(function* () {
    const { sql } = connection
    const looking = reading(connection, "looking for saved state of completed runs")
    const deleting = writing(connection, "deleting saved state of completed runs")
    const isNeeded = sql`runs.status <> 'completed' AND NOT (runs.status = 'discarded' AND runs.id = ${forgotten})`
    const over = sql<{ id: number }>`SELECT id FROM stations WHERE NOT EXISTS
      (SELECT 1 FROM runs WHERE runs.id = stations.run_id AND ${isNeeded})`
    for (const { id } of yield* looking(over)) {
      // SQLite reuses numbers: this one may belong to a step of an active run by now.
      const isOver = sql`${id} NOT IN (SELECT stations.id FROM stations JOIN runs ON runs.id = stations.run_id
        WHERE ${isNeeded})`
      for (const table of [sql("entries"), sql("staged")]) {
        const some = sql`SELECT key FROM ${table} WHERE station = ${id} LIMIT ${rowsPerDelete}`
        const left = looking(sql`SELECT 1 AS one FROM ${table} WHERE station = ${id} AND ${isOver} LIMIT 1`)
        while ((yield* left).length > 0) {
          yield* deleting(sql`DELETE FROM ${table} WHERE station = ${id} AND ${isOver} AND key IN (${some})`)
        }
      }
      yield* deleting(sql`DELETE FROM stations WHERE id = ${id} AND ${isOver}`)
    }
  })

// Paid calls.

const priceKind = ({ credits }: Call): string =>
  credits === undefined ? "none" : credits === null ? "unknown" : "known"

// Built once for statements that run for each answer: building one costs as much as executing it.

const insertCall = BulkStatement.make({
  before: "INSERT INTO calls (run_id, at, step, mark, answer, credits, price, page_key) VALUES ",
  row: (own) => `($1, $2, ${own})`,
  after: ` ON CONFLICT (run_id, step, fingerprint(mark)) DO UPDATE SET answer = excluded.answer, page_key = excluded.page_key,
    price = excluded.price, at = excluded.at, credits = coalesce(calls.credits, 0) + coalesce(excluded.credits, 0)`,
  shared: 2,
  width: 6
})

const saveProgress = `UPDATE runs SET status = CASE WHEN status = 'publishing' THEN status ELSE 'running' END, progress = $1,
  row_count = $2, reject_count = $3, job_credits = $4, job_unpriced = $5, job_pages = $6, output_rows = $7, bytes = $8, updated_at = $9
  WHERE id = $10 AND status <> 'completed'`

const addBookings = `UPDATE runs SET call_credits = call_credits + $1, call_unpriced = call_unpriced + $2,
  call_pages = call_pages + $3, call_count = call_count + $4, updated_at = $5 WHERE id = $6`

/** Stores answers and books them with their run. Returns their total price. */
export const putCalls = (sql: Sql, run: string, calls: ReadonlyArray<Call>, now: number) =>
  Effect.gen(function* () {
    let credits = 0
    let unpriced = 0
    let booked = 0
    let pages = 0
    for (const call of calls) {
      const { answer, credits: price, mark, page, step } = call
      if (price !== undefined) booked++
      if (price === null) unpriced++
      credits += price ?? 0
      pages += call.pages ?? (page === undefined ? 0 : 1)
      // One by one, because two answers may have the same mark.
      yield* insertCall(sql, [run, now], [call], () => [
        step,
        Dialect.encodeText(mark),
        toText(answer),
        price ?? null,
        priceKind(call),
        page === undefined ? null : Dialect.encodeText(page.key)
      ])
    }
    yield* sql.unsafe(addBookings, [credits, unpriced, pages, booked, now, run])
    return { credits, unpriced }
  })

const clearAnswers = BulkStatement.make({
  before: "UPDATE calls SET answer = NULL WHERE run_id = $1 AND step = $2 AND fingerprint(mark) IN (",
  row: (own) => `fingerprint(${own})`,
  after: ")",
  shared: 2,
  width: 1
})

/** Drops answers; keeps their prices. */
export const dropAnswers = (
  sql: Sql,
  run: string,
  marks: ReadonlyArray<{ readonly step: string; readonly mark: string }>
) => {
  const steps = new Map<string, Array<string>>()
  for (const { mark, step } of marks) {
    const known = steps.get(step)
    if (known === undefined) steps.set(step, [Dialect.encodeText(mark)])
    else known.push(Dialect.encodeText(mark))
  }
  return Effect.forEach(steps, ([step, all]) => clearAnswers(sql, [run, step], all, (mark) => [mark]), {
    discard: true
  })
}

/** Stored answers, by step and mark. */
export const loadAnswers = (sql: Sql, run: string) =>
  Effect.map(
    sql<{ step: string; mark: string; answer: string }>`SELECT step, mark, answer FROM calls
      WHERE run_id = ${run} AND answer IS NOT NULL`,
    (rows) => {
      const steps = new Map<string, Map<string, Json>>()
      for (const { answer, mark, step } of rows) {
        const known = steps.get(step) ?? new Map<string, Json>()
        steps.set(step, known.set(Dialect.decodeText(mark), fromText(answer)))
      }
      return steps
    }
  )

export const bookedTotals = (sql: Sql, run: string) =>
  Effect.map(
    sql<{
      call_credits: number
      call_unpriced: number
      call_pages: number
      call_count: number
    }>`SELECT call_credits, call_unpriced, call_pages, call_count FROM runs WHERE id = ${run}`,
    ([row]) => ({
      credits: Number(row?.call_credits ?? 0),
      unpriced: Number(row?.call_unpriced ?? 0),
      pages: Number(row?.call_pages ?? 0),
      calls: Number(row?.call_count ?? 0)
    })
  )

// State across runs.

const insertStaged = BulkStatement.make({
  before: "INSERT INTO staged (station, at, seq, key, row_key, value) VALUES ",
  row: (own) => `($1, $2, ${own})`,
  after: "",
  shared: 2,
  width: 4
})

/** Stages changes with numbers from `last + 1`. */
export const stage = (
  sql: Sql,
  run: string,
  last: number,
  changes: ReadonlyArray<{ readonly step: string; readonly change: StateChange }>,
  now: number
) => {
  const steps = new Map<string, Array<readonly [seq: number, change: StateChange]>>()
  for (const [index, { change, step }] of changes.entries()) {
    const known = steps.get(step) ?? []
    steps.set(step, known)
    known.push([last + index + 1, change])
  }
  return Effect.forEach(
    steps,
    ([step, all]) =>
      Effect.flatMap(stepNumber(sql, run, step), (station) => {
        // Sorted like the table, so that each page of the database is written once for all of its rows.
        all.sort(([, one], [, other]) => (one.key < other.key ? -1 : 1))
        return insertStaged(sql, [station, now], all, ([seq, { key, rowKey, value }]) => [
          seq,
          Dialect.encodeText(key),
          Dialect.encodeText(rowKey),
          value === undefined ? null : toText(value)
        ])
      }),
    { discard: true }
  )
}

/** Keys per statement. */
const keysPerStatement = 500

/**
 * Drops changes of rows that the next run will process. If a step knows none of a row's keys, it has stored the row's origin under some
 * other key: all changes of the step are dropped, so that the next run processes the row.
 */
export const dropStaged = (sql: Sql, run: string, deferred: ReadonlyArray<DeferredRows>) =>
  Effect.gen(function* () {
    const stations = yield* sql<{ id: number; step: string }>`SELECT id, step FROM stations WHERE run_id = ${run}`
    for (const { id, step } of stations) {
      const of = sql`station = ${id}`
      yield* sql`DELETE FROM staged WHERE ${of} AND row_key = ${Dialect.encodeText(allRows)}`
      // Parts of a step's state are saved under `step~part`.
      const own = step.replace(/~.*/s, "")
      const rows = deferred.flatMap(({ rows, steps }) => (steps.includes(own) ? rows : []))
      const known = new Set<string>()
      const keys = [...new Set(rows.flat())].flatMap((key) => [key, ofSource(key)].map(Dialect.encodeText))
      for (let at = 0; at < keys.length; at += keysPerStatement) {
        const some = sql`${of} AND ${sql.in("row_key", keys.slice(at, at + keysPerStatement))}`
        const found = yield* sql<{ row_key: string }>`SELECT DISTINCT row_key FROM staged WHERE ${some}`
        for (const { row_key } of found) known.add(Dialect.decodeText(row_key))
        if (found.length > 0) yield* sql`DELETE FROM staged WHERE ${some}`
      }
      const isKnown = (key: string) => known.has(key) || known.has(ofSource(key))
      if (rows.some((origins) => !origins.some(isKnown))) yield* sql`DELETE FROM staged WHERE ${of}`
    }
  })

/** Removes and returns the state changes of rejects that run `by` has claimed from run `of`. */
export const takeReplayedState = (sql: Sql, by: string, of: string, stateKey: string) =>
  Effect.gen(function* () {
    const taken = sql`row_key IN (SELECT key FROM rejects WHERE run_id = ${of} AND replayed_by = ${by})`
    // A failed run still has its changes staged.
    const staged = sql`${taken} AND station IN (SELECT stations.id FROM stations JOIN runs ON runs.id = stations.run_id
      WHERE runs.id = ${of} AND runs.state_key = ${Dialect.encodeText(stateKey)})`
    const held = sql`${taken} AND run_id = ${of} AND state_key = ${Dialect.encodeText(stateKey)}`
    const rows = yield* sql<{ step: string; key: string; row_key: string; value: string | null }>`
      SELECT step, key, row_key, value FROM
        (SELECT step, key, row_key, value, seq FROM held WHERE ${held}
        UNION ALL SELECT stations.step, key, row_key, staged.value, seq
          FROM staged JOIN stations ON stations.id = staged.station WHERE ${staged}) AS theirs ORDER BY seq`
    yield* sql`DELETE FROM held WHERE ${held}`
    yield* sql`DELETE FROM staged WHERE ${staged}`
    return rows.map(({ key, row_key, step, value }) => ({
      step,
      change: {
        key: Dialect.decodeText(key),
        rowKey: Dialect.decodeText(row_key),
        value: value === null ? undefined : fromText(value)
      }
    }))
  })

/**
 * Applies staged changes of rows that were not rejected; the last change of a key wins. Changes of rejected rows are held for a replay,
 * unless a successful row has changed the same key.
 */
export const applyStaged = (sql: Sql, run: string, stateKey: string) =>
  Effect.gen(function* () {
    const mine = sql`station IN (SELECT id FROM stations WHERE run_id = ${run})`
    const rejected = sql`row_key IN (SELECT key FROM rejects WHERE run_id = ${run} AND replayed_by IS NULL)`
    yield* sql`INSERT INTO held (run_id, state_key, step, key, seq, row_key, value)
      SELECT ${run}, ${Dialect.encodeText(stateKey)}, stations.step, staged.key, staged.seq, staged.row_key, staged.value
      FROM staged JOIN stations ON stations.id = staged.station WHERE stations.run_id = ${run} AND ${rejected}`
    yield* sql`DELETE FROM staged WHERE ${mine} AND ${rejected}`
    yield* resolveRejects(sql, run, stateKey)
    yield* sql`DELETE FROM held WHERE state_key = ${Dialect.encodeText(stateKey)} AND EXISTS
      (SELECT 1 FROM staged JOIN stations ON stations.id = staged.station
        WHERE stations.run_id = ${run} AND stations.step = held.step AND staged.key = held.key)`
    yield* sql`DELETE FROM staged WHERE ${mine} AND seq <
      (SELECT max(later.seq) FROM staged AS later WHERE later.station = staged.station AND later.key = staged.key)`
    const steps = yield* sql<{ id: number; step: string }>`SELECT id, step FROM stations
      WHERE run_id = ${run} AND EXISTS (SELECT 1 FROM staged WHERE staged.station = stations.id)`
    const print = Dialect.fingerprintOf(sql, "key")
    for (const { id, step } of steps) {
      const shelf = yield* StateStore.shelfFor(sql, stateKey, step)
      yield* sql`INSERT INTO state (shelf, key, value, first_seen, last_seen)
        SELECT ${shelf}, key, value, at, at FROM staged WHERE station = ${id} AND value IS NOT NULL
        ON CONFLICT (shelf, ${print}) DO UPDATE SET value = excluded.value, last_seen = excluded.last_seen
          WHERE excluded.last_seen >= state.last_seen`
      // A held run may be published after a later run that has seen the same entries again: keep those.
      yield* sql`DELETE FROM state WHERE shelf = ${shelf} AND ${print} IN
        (SELECT ${print} FROM staged WHERE station = ${id} AND value IS NULL)
        AND last_seen <= (SELECT max(at) FROM staged WHERE station = ${id})`
    }
  })

/**
 * Marks rejects of earlier runs as replayed if this run has staged a change for the same key of the same step: a replay would
 * report these rows as new again.
 */
const resolveRejects = (sql: Sql, run: string, stateKey: string) => {
  const key = Dialect.encodeText(stateKey)
  const mine = sql`JOIN stations ON stations.run_id = ${run} AND stations.step = theirs.step
    JOIN staged ON staged.station = stations.id AND staged.key = theirs.key`
  const held = sql`SELECT theirs.run_id, theirs.row_key FROM held AS theirs ${mine}
    WHERE theirs.state_key = ${key} AND theirs.run_id <> ${run}`
  const failed = sql`SELECT theirs.run_id, theirs.row_key FROM
    (SELECT runs.id AS run_id, own.step, changes.key, changes.row_key FROM runs
      JOIN stations AS own ON own.run_id = runs.id JOIN staged AS changes ON changes.station = own.id
      WHERE runs.state_key = ${key} AND runs.status = 'failed' AND runs.id <> ${run}) AS theirs ${mine}`
  return sql`UPDATE rejects SET replayed_by = ${run} WHERE replayed_by IS NULL
    AND (run_id, key) IN (${held} UNION ALL ${failed})`
}
