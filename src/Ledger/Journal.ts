/**
 * Write access to one run while a process works on it.
 *
 * - Every write is one transaction and cannot be interrupted. It fails once another process has taken over the run's lock.
 * - The saved state of a step is one value, which is replaced, and entries, which are put and deleted one by one.
 * - The answer of a paid call is stored before it is used. A checkpoint that contains the resulting rows drops the answer; its price stays.
 * - Changes of the state that a pipeline keeps across runs are staged, and applied when the run is completed. Changes for rejected rows are
 *   held for a replay.
 * - Pages, rejects and staged changes are numbered in the order in which they were written. Numbers of a failed write are not reused.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as GroupCommit from "../Database/GroupCommit.ts"
import { type Connection, encodeOptional, reading, toText, writing } from "./Connection.ts"
import * as Health from "./Health.ts"
import { LedgerError } from "./LedgerErrors.ts"
import type { HeldLocks } from "./Locks.ts"
import type { Checkpoint, Journal, ReplayClaim, RunSpec, StateExpiry } from "./Model.ts"
import * as Pages from "./Pages.ts"
import { bookedTotals, dropAnswers, loadAnswers, putCalls, type StoredCall, toStored } from "./PaidCalls.ts"
import * as Runs from "./Runs.ts"
import * as SharedLimits from "./SharedLimits.ts"
import { applyStaged, dropStaged, splitBlocks, stage, takeReplayedState } from "./StagedState.ts"
import * as StateStore from "./StateStore.ts"
import { deleteLeftovers, loadStep, noState, saveStep } from "./StepState.ts"

type Sql = SqlClient.SqlClient

const saveProgress = `UPDATE runs SET status = CASE WHEN status = 'publishing' THEN status ELSE 'running' END, progress = $1,
  row_count = $2, reject_count = $3, job_credits = $4, job_unpriced = $5, job_pages = $6, output_rows = $7, bytes = $8, updated_at = $9
  WHERE id = $10 AND status <> 'completed'`

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
    /** Steps that had saved state when the run began or was resumed. Cached, because every operator asks and most steps have none. */
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

    const recordStored = GroupCommit.make<StoredCall, LedgerError>((calls) =>
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
      recordCall: (call) => Effect.suspend(() => recordStored(toStored(call))),
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
            // Later runs read the changes of a held run.
            if (health?.held !== undefined) yield* splitBlocks(sql, sql`SELECT id FROM stations WHERE run_id = ${id}`)
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
          // The run stays completed even if this deletion fails: the next run that completes deletes the rest. A part leaves the deletion
          // to its run.
          isPart(run) ? Effect.void : Effect.ignoreLogged(deleteLeftovers(connection))
        ),
      end: (status, error) =>
        write(
          "the end",
          (now) => sql`UPDATE runs SET status = ${status}, error = ${encodeOptional(error)},
            updated_at = ${now}, ended_at = ${now} WHERE id = ${id} AND status NOT IN ('completed', 'held')`
        ),
      state: (step, visit) =>
        stateKey === undefined ? Effect.void : StateStore.each(connection, id, stateKey, step, visit),
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

/** Takes over rejects of another run, and returns their pending state changes. Fails if a third run has taken one of them. */
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
    // The answers of a part stay until its run merges the part. Neither a part nor a run cut by its budget counts for later health
    // comparisons.
    if (!isPart(run)) yield* sql`UPDATE calls SET answer = NULL WHERE run_id = ${id} AND answer IS NOT NULL`
    yield* sql`DELETE FROM reservations WHERE run_id = ${id}`
    if (note === undefined && !isPart(run)) yield* Health.publish(sql, id)
    yield* sql`UPDATE run_texts SET sealed = NULL, outputs = ${outputs} WHERE run_id = ${id}`
    yield* sql`UPDATE runs SET status = 'completed', error = ${encodeOptional(note)},
      updated_at = ${now}, ended_at = ${now} WHERE id = ${id}`
  })

/** Last numbers used by a run, and the job credits that are already booked. */
const lastNumbers = ({ sql }: Connection, run: string) => {
  const stations = sql`SELECT id FROM stations WHERE run_id = ${run}`
  return Effect.map(
    sql<{ pages: number | null; rejects: number | null; staged: number | null; credits: number; unpriced: number }>`
      SELECT (SELECT max(seq) FROM pages WHERE run_id = ${run}) AS pages,
        (SELECT max(seq) FROM rejects WHERE run_id = ${run}) AS rejects,
        ${StateStore.lastNumber(sql, sql`station IN (${stations})`)} AS staged,
        job_credits AS credits, job_unpriced AS unpriced FROM runs WHERE id = ${run}`,
    ([row]) => ({
      pages: Number(row?.pages ?? 0),
      rejects: Number(row?.rejects ?? 0),
      staged: Number(row?.staged ?? 0),
      credits: Number(row?.credits ?? 0),
      unpriced: Number(row?.unpriced ?? 0)
    })
  )
}
