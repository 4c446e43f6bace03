/**
 * Carrier over pg-boss, which has its own schema next to Sluice's tables and uses the same connections.
 *
 * - A part is a job, named by its run and number, in a queue that holds one live job per name (policy `exclusive`). `settle` deletes the
 *   job: results are in Sluice's tables.
 * - pg-boss fails a job without a heartbeat, and a job that has been delivered for a day, a limit that cannot be raised. Both are delivered
 *   again without limit: only attempts without progress count (`Submissions.ts`).
 * - Loaded when a carrier is opened, because only users of a cluster install it. None of its timers write: {@link Carrier.requeueLost}
 *   calls its supervisor.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import * as Schedule from "effect/Schedule"
import type { Db, PgBoss } from "pg-boss"
import { safely } from "../Callback.ts"
import { reasonOf } from "../Database/DriverErrors.ts"
import { DatabaseError } from "../Database.ts"
import { LedgerError } from "../Ledger/LedgerErrors.ts"
import { Carrier, type Delivery, type Offer, turnsOf, workerExpiry } from "./Carrier.ts"

/** Version of pg-boss that the tests run with. */
export const wantedPackage = "pg-boss@12.38.0"

/**
 * Priority in pg-boss of suspects, parts with which several workers were lost: above all turns, so that `claim("any")` does not find them.
 */
const suspectTurn = turnsOf("high").highest + 1

/** Maximum duration of a delivery that pg-boss accepts, in seconds. */
const maxDelivery = 24 * 60 * 60

/** Ten years in seconds: pg-boss deletes jobs that have waited longer. */
const maxWait = 10 * 365 * 24 * 60 * 60

/** Maximum jobs that pg-boss lists at once. */
const listSize = 100_000

/** Opening pg-boss is retried for two seconds. */
const retryInterval = "200 millis"
const maxRetries = 10

/**
 * Name of pg-boss's schema, at most 50 bytes. Schemas with the same first 45 characters share it, and differ in the name of their queue.
 */
const schemaOf = (schema: string): string => `${schema.slice(0, 45)}_boss`

interface Job extends Pick<Offer, "runId" | "part" | "turn" | "hasWaited" | "isSuspect"> {}

const jobOf = ({ hasWaited, isSuspect = false, part, runId, turn }: Offer) => ({
  data: { runId, part, turn, hasWaited, isSuspect } satisfies Job,
  priority: isSuspect ? suspectTurn : turn,
  singletonKey: `${runId}/${part}`
})

/** Lets pg-boss use this program's connections, or the connection of the transaction in which the runtime runs. */
const databaseOf = (sql: PgClient.PgClient, runtime: Runtime.Runtime<never>): Db => {
  const run = Runtime.runPromiseExit(runtime)
  return {
    executeSql: async (text, values = []) => {
      // A script that begins its own transaction leaves it open when it fails, so it is rolled back here.
      const statement = /^\s*BEGIN;/.test(text)
        ? Effect.scoped(
            Effect.flatMap(sql.reserve, (connection) =>
              Effect.tapError(connection.executeRaw(text, values), () =>
                Effect.ignore(connection.executeRaw("ROLLBACK", []))
              )
            )
          )
        : sql.unsafe(text, values).raw
      const exit = await run(statement)
      if (Exit.isSuccess(exit)) {
        const results = exit.value as
          | { readonly rows: Array<object> }
          | ReadonlyArray<{ readonly rows?: Array<object> }>
        return Array.isArray(results) ? { rows: results.flatMap(({ rows = [] }) => rows) } : (results as { rows: [] })
      }
      throw Cause.squash(exit.cause)
    }
  }
}

const load = (place: string) =>
  Effect.tryPromise({
    try: () => import("pg-boss"),
    catch: (cause) =>
      new DatabaseError({
        file: place,
        reason: `runs on many machines need the package pg-boss beside sluice. Run: npm install ${wantedPackage} (${cause instanceof Error ? cause.message : String(cause)})`,
        cause
      })
  })

/** Opens pg-boss, and makes its tables and the queue. */
const open = (place: string, schema: string) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const runtime = yield* Effect.runtime<never>()
    const { PgBoss } = yield* load(place)
    const boss: PgBoss = new PgBoss({
      db: databaseOf(sql, runtime),
      schema: schemaOf(schema),
      supervise: false,
      schedule: false,
      registerInstance: false,
      monitorIntervalSeconds: 1,
      monitorVacuum: false,
      reindex: false
    })
    // Failures of calls reach their callers. Errors of pg-boss's timers are ignored; without a listener they would end the process.
    boss.on(
      "error",
      safely(() => undefined)
    )
    yield* Effect.acquireRelease(
      Effect.tryPromise({
        try: async () => {
          await boss.start()
          if ((await boss.getQueue(schema)) !== null) return
          await boss.createQueue(schema, {
            policy: "exclusive",
            heartbeatSeconds: workerExpiry,
            expireInSeconds: maxDelivery,
            retentionSeconds: maxWait,
            retryLimit: 1_000_000_000,
            retryDelay: 0
          })
        },
        catch: (cause) => new DatabaseError({ file: place, reason: reasonOf(cause), cause })
        // If two processes create the tables at once, one of them fails; its retry finds the tables.
      }).pipe(Effect.retry(Schedule.intersect(Schedule.spaced(retryInterval), Schedule.recurs(maxRetries)))),
      () => Effect.promise(() => boss.stop({ graceful: false, close: false }).catch(() => undefined))
    )
    return { boss, sql }
  })

/** Carrier for the runs in a schema. `place` is for messages. */
export const layer = (place: string, schema: string) =>
  Layer.scoped(
    Carrier,
    Effect.gen(function* () {
      const { boss, sql } = yield* open(place, schema)
      /** Calls pg-boss within the caller's transaction. */
      const call = <A>(doing: string, act: (options: { readonly db: Db }) => Promise<A>) =>
        Effect.flatMap(Effect.runtime<never>(), (runtime) =>
          Effect.tryPromise({
            try: () => act({ db: databaseOf(sql, runtime) }),
            catch: (cause) => new LedgerError({ place, doing, reason: reasonOf(cause), cause })
          })
        )
      const claimed = ({ attempt, id }: Delivery) => ({ id, retryCount: attempt })

      return {
        offer: (offers: ReadonlyArray<Offer>, afterSeconds?: number) =>
          offers.length === 0
            ? Effect.void
            : Effect.asVoid(
                call("offering parts to workers", (options) =>
                  boss.insert(
                    schema,
                    offers.map((offer) => ({
                      ...jobOf(offer),
                      ...(afterSeconds === undefined ? {} : { startAfter: `${afterSeconds} seconds` })
                    })),
                    options
                  )
                )
              ),

        claim: (which: "any" | "suspect", count: number) =>
          Effect.map(
            call("looking for parts", (options) =>
              boss.fetch<Job>(schema, {
                ...options,
                batchSize: count,
                ...(which === "suspect" ? { minPriority: suspectTurn } : { maxPriority: suspectTurn - 1 })
              })
            ),
            (jobs) => jobs.map(({ data, id, retryCount }): Delivery => ({ ...data, id, attempt: retryCount }))
          ),

        hold: (deliveries: ReadonlyArray<Delivery>) =>
          deliveries.length === 0
            ? Effect.succeed(new Set<string>())
            : Effect.map(
                call("sending the heartbeat of parts", (options) =>
                  boss.touch(schema, deliveries.map(claimed), options)
                ),
                // The declared type lacks the field `settled`, which the result has.
                (answer) => new Set((answer as { readonly settled: ReadonlyArray<string> }).settled)
              ),

        settle: (delivery: Delivery) =>
          Effect.map(
            call(`ending a part of run ${delivery.runId}`, (options) =>
              boss.deleteJob(schema, claimed(delivery), options)
            ),
            (answer) => (answer as { readonly affected: number }).affected > 0
          ),

        withdraw: (runId: string, which: "waiting" | "all") =>
          call(`withdrawing waiting parts of run ${runId}`, async (options) => {
            for (;;) {
              const jobs = await boss.findJobs(schema, {
                ...options,
                data: { runId },
                queued: which === "waiting",
                limit: listSize
              })
              if (jobs.length === 0) return
              await boss.deleteJob(
                schema,
                jobs.map(({ id }) => id),
                options
              )
            }
          }),

        // Not in a transaction: `supervise` uses the connections that pg-boss was opened with.
        requeueLost: call("looking for parts of lost workers", () => boss.supervise(schema))
      }
    })
  )
