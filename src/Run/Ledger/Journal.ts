/** The ledger of one run while somebody works on it: each write is one transaction, and none is made by who lost the lock. */

import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Text from "../../Database/Text.ts"
import type { Sealed } from "../../Step/Output.ts"
import type { Beginning, Call, Checkpoint, Forgetful, Journal, TakenUp } from "../Ledger.ts"
import * as Calls from "./Calls.ts"
import { type Connection, fromText, reading, toText, writing } from "./Connection.ts"
import { LedgerError } from "./Errors.ts"
import * as Group from "./Group.ts"
import type { Held } from "./Locks.ts"
import * as Pages from "./Pages.ts"
import * as RejectRows from "./RejectRows.ts"
import * as Reservations from "./Reservations.ts"
import * as Shelves from "./Shelves.ts"
import * as Spent from "./Spent.ts"
import * as Staged from "./Staged.ts"
import * as Stations from "./Stations.ts"

/** How far the numbers of rows have come that are only ever added; nothing is counted twice. */
const position = ({ sql }: Connection, run: string) =>
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

export const make = (connection: Connection, run: Beginning, held: Held): Effect.Effect<Journal, LedgerError> =>
  Effect.gen(function* () {
    const { sql } = connection
    const { id, stateKey } = run
    const read = <A>(what: string, effect: Effect.Effect<A, SqlError>) =>
      reading(connection, `reading ${what} of run ${id}`)(effect)
    const write = <A>(what: string, effect: (now: number) => Effect.Effect<A, SqlError | LedgerError>) =>
      held.fence.pipe(
        Effect.zipRight(Effect.flatMap(Clock.currentTimeMillis, effect)),
        writing(connection, `writing ${what} of run ${id}`)
      )
    const at = yield* read("the position", position(connection, id))

    /** The number behind which these rows go. Numbers of a write that fails are not used again. */
    const numbers = (kind: "pages" | "rejects" | "staged", rows: ReadonlyArray<unknown>): number => {
      const last = at[kind]
      at[kind] += rows.length
      return last
    }

    const remember = Group.make<Call, LedgerError>((calls) =>
      write("answers", (now) =>
        Effect.gen(function* () {
          const spent = yield* Calls.put(sql, id, calls, now)
          yield* Spent.add(sql, run.pipeline, now, spent.credits, spent.unpriced)
          yield* Reservations.release(
            sql,
            id,
            calls.flatMap(({ reservation }) => reservation ?? [])
          )
          const pages = calls.flatMap(({ page, step }) => (page === undefined ? [] : [{ step, page }]))
          yield* Pages.put(sql, id, numbers("pages", pages), pages, now)
        })
      )
    )

    /** Makes rejects of another run this one's, and gives what they would have put into the state. */
    const takeUp = (taken: TakenUp) =>
      Effect.gen(function* () {
        if (!(yield* RejectRows.takeUp(sql, taken, id))) {
          const reason = "another run has taken some of them up in the meantime; this one has done nothing"
          return yield* new LedgerError({
            place: connection.place,
            doing: `taking up the rejects of run ${taken.of}`,
            reason
          })
        }
        return stateKey === undefined ? [] : yield* Staged.heldOf(sql, id, taken.of, stateKey)
      })

    const checkpoint = (now: number, all: Checkpoint) =>
      Effect.gen(function* () {
        for (const { changes, step } of all.steps) yield* Stations.apply(sql, id, step, changes)
        yield* Pages.put(sql, id, numbers("pages", all.pages), all.pages, now)
        yield* RejectRows.put(sql, id, numbers("rejects", all.rejects), all.rejects)
        const heirlooms = all.takenUp === undefined ? [] : yield* takeUp(all.takenUp)
        if (stateKey !== undefined) {
          const staged = [...heirlooms, ...all.state]
          yield* Staged.put(sql, id, numbers("staged", staged), staged, now)
          yield* Staged.drop(sql, id, all.leftOut ?? [])
        }
        yield* Calls.settled(sql, id, all.settled)
        yield* Spent.add(sql, run.pipeline, now, all.jobCredits - at.credits, all.jobUnpriced - at.unpriced)
        yield* Reservations.change(sql, id, all.reservations ?? [])
        yield* sql`UPDATE runs SET status = CASE WHEN status = 'publishing' THEN status ELSE 'running' END,
          progress = ${toText(all.progress)}, row_count = ${all.rows},
          reject_count = ${all.rejectCount}, job_credits = ${all.jobCredits}, job_unpriced = ${all.jobUnpriced},
          job_pages = ${all.jobPages ?? 0}, output_rows = ${all.outputRows ?? 0}, bytes = ${all.bytes ?? 0}, updated_at = ${now} WHERE id = ${id} AND status <> 'completed'`
      })

    const completed = (now: number, outputs: string, forgetting: Forgetful | undefined, note: string | undefined) =>
      Effect.gen(function* () {
        if (stateKey !== undefined) {
          yield* Staged.takeOver(sql, id, stateKey)
          const { after = 0, steps = [] } = forgetting ?? {}
          for (const step of steps) yield* Shelves.forget(sql, id, stateKey, step, now - after)
        }
        yield* sql`UPDATE calls SET answer = NULL WHERE run_id = ${id} AND answer IS NOT NULL`
        yield* sql`DELETE FROM reservations WHERE run_id = ${id}`
        yield* sql`UPDATE run_texts SET sealed = NULL, outputs = ${outputs} WHERE run_id = ${id}`
        yield* sql`UPDATE runs SET status = 'completed', error = ${note === undefined ? null : Text.encode(note)},
          updated_at = ${now}, ended_at = ${now}
          WHERE id = ${id}`
      })

    return {
      saved: (step) => read(`what step ${step} kept`, Stations.saved(sql, id, step)),
      answers: read("the answers", Calls.answers(sql, id)),
      booked: read("the bookings", Calls.booked(sql, id)),
      remember,
      reserve: ({ decide, id: reservation, mine, purse }) =>
        write("a reservation", () => Reservations.reserve(connection, id, reservation, purse, mine, decide)),
      release: (reservation) => write("a reservation", () => Reservations.release(sql, id, [reservation])),
      checkpoint: (all) =>
        write("a checkpoint", (now) => checkpoint(now, all)).pipe(
          Effect.tap(() => {
            at.credits = all.jobCredits
            at.unpriced = all.jobUnpriced
          }),
          Effect.uninterruptible
        ),
      publishing: (sealed) =>
        write("what is left to publish", (now) =>
          Effect.zipRight(
            sql`UPDATE run_texts SET sealed = ${JSON.stringify(sealed)} WHERE run_id = ${id}`,
            sql`UPDATE runs SET status = 'publishing', updated_at = ${now} WHERE id = ${id}`
          )
        ),
      sealed: read(
        "what is left to publish",
        Effect.map(sql<{ sealed: string | null }>`SELECT sealed FROM run_texts WHERE run_id = ${id}`, ([row]) =>
          row === undefined || row.sealed === null
            ? undefined
            : (fromText(row.sealed) as unknown as ReadonlyArray<Sealed>)
        )
      ),
      completed: (outputs, forgetting, note) =>
        Effect.zipLeft(
          write("the end", (now) => completed(now, toText(outputs), forgetting, note)),
          // The run is done, whatever becomes of this; the next sweep makes up for it.
          Effect.ignoreLogged(Stations.sweep(connection))
        ),
      ended: (status, error) =>
        write(
          "the end",
          (now) => sql`UPDATE runs SET status = ${status}, error = ${error === undefined ? null : Text.encode(error)},
            updated_at = ${now}, ended_at = ${now} WHERE id = ${id} AND status <> 'completed'`
        ),
      state: (step) =>
        stateKey === undefined
          ? Effect.succeed([])
          : read(`the state for step ${step}`, Shelves.load(sql, stateKey, step)),
      met: read("the pages", Pages.met(sql, id)),
      knowsAny: (under, keys) => read("pages of earlier runs", Pages.knowsAny(sql, id, under, keys)),
      failed: (jobId) => read("the pages of a job", Pages.failed(sql, id, jobId)),
      lost: held.lost,
      awake: held.awake
    }
  })
