/**
 * The door to the cluster for programs on Effect, `sluice/cluster`: workers as layers, and runs that are handed to whichever
 * workers share the database.
 */
import { resolve } from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as SqlClient from "@effect/sql/SqlClient"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { Client } from "../Client.ts"
import * as Sluice from "../Cluster.ts"
import { isSqlError, reasonOf } from "../Database/Failure.ts"
import { LedgerError } from "../Ledger/LedgerErrors.ts"
import { Ledger } from "../Ledger.ts"
import type { Checked } from "../Pipeline/Check.ts"
import type { DefinitionInvalid } from "../Pipeline/Mistake.ts"
import * as LocalSite from "../Run/LocalSite.ts"
import { type RunFailed, RunUnknown, type Summary } from "../Run/RunResult.ts"
import type { RunOptions } from "../Run/RunSpec.ts"
import type { Services } from "../Step.ts"
import type { Place } from "./PartRun.ts"
import type { Standing, Submission } from "./Task.ts"

export type { Standing } from "./Task.ts"

/** What a run is told beside its definition; secrets are none of it: each worker has its own. */
export interface SubmitOptions extends Omit<Submission, "instantOf"> {
  /** The folder that relative output paths are under: on storage that all workers see under this path. */
  readonly out: string
  /** Rows of a shard at most; default: 200. */
  readonly shardRows?: number | undefined
}

/** How much a worker takes, and what its runs may read. */
export interface WorkerOptions extends Pick<RunOptions, "env" | "secrets"> {
  /** Parts of runs at once; default: 4. */
  readonly concurrency?: number | undefined
  /** The name of this machine, for people; default: its host name. */
  readonly host?: string | undefined
  /** Told what happens, a line each. */
  readonly say?: ((line: string) => void) | undefined
}

/** Runs on many machines, over a Postgres and a folder that all of them share. */
export class Cluster extends Context.Tag("sluice/Cluster")<
  Cluster,
  {
    /** Hands a run in, and gives its id. It begins when a worker has room. */
    readonly submit: (
      pipeline: Checked,
      options: SubmitOptions
    ) => Effect.Effect<string, DefinitionInvalid | LedgerError>
    /** How a run stands: its shards, rows and credits; undefined where no such run was handed in. */
    readonly standing: (runId: string) => Effect.Effect<Standing | undefined, LedgerError>
    /** Waits until a run is over, and gives its summary; fails as its `execute` would. Who stops waiting stops nothing. */
    readonly ended: (runId: string) => Effect.Effect<Summary, RunFailed | RunUnknown | LedgerError>
    /**
     * Stops a run wherever workers are at it; `sluice resume` goes on with it. `over`: it had come to its end before;
     * `unknown`: no such run was handed in.
     */
    readonly stop: (runId: string) => Effect.Effect<"stopped" | "over" | "unknown", LedgerError>
    /** Works for as long as the scope is open; {@link layerWorker} is the same as a layer. */
    readonly work: (options?: WorkerOptions) => Effect.Effect<void, LedgerError, Services | Scope.Scope>
  }
>() {}

/** Who answers the calls of runs here: the client of the program. */
const placeOf = (context: Context.Context<Services>, { env = {}, secrets = () => undefined }: WorkerOptions): Place => {
  const client: Layer.Layer<Client> = Layer.succeedContext(context)
  return {
    env: { env, secrets },
    serve: ({ frame, source }) =>
      frame.site === undefined
        ? Effect.succeed({ client })
        : Effect.map(LocalSite.serve(resolve(source.folder, frame.site)), (site) => ({ client, site })).pipe(
            Effect.provide(context)
          )
  }
}

type Built = Layer.Layer.Success<ReturnType<typeof Sluice.layer>>

const make = Effect.gen(function* () {
  // Nothing else of what was there when it was built.
  const cluster = Context.pick(
    Ledger,
    Sluice.Board,
    PgClient.PgClient,
    SqlClient.SqlClient
  )(yield* Effect.context<Built>())
  const { place } = yield* Ledger
  /** What the database says no to, as a failure of the ledger that it holds. */
  const told =
    (doing: string) =>
    <A, E, R>(effect: Effect.Effect<A, E, R | Built>) =>
      Effect.provide(effect, cluster).pipe(
        Effect.mapError((error) =>
          isSqlError(error)
            ? new LedgerError({ place, doing, reason: reasonOf(error), cause: error })
            : (error as Exclude<E, { readonly _tag: "SqlError" }>)
        )
      )

  const standing = (runId: string) =>
    Effect.flatMap(Sluice.Board, (board) => board.standing(runId)).pipe(told(`looking at run ${runId}`))

  const work = (options: WorkerOptions = {}) =>
    Effect.gen(function* () {
      // A program may have a database and a ledger of its own: what is done here is in the cluster's.
      const context = Context.merge(yield* Effect.context<Services>(), cluster)
      const began = yield* Deferred.make<void>()
      const stop = yield* Deferred.make<void>()
      const { concurrency = 4, host, say = () => undefined } = options
      const working = Sluice.work(
        {
          place: placeOf(context, options),
          concurrency,
          host,
          say,
          began: Effect.asVoid(Deferred.succeed(began, undefined))
        },
        Deferred.await(stop)
      ).pipe(
        Effect.provide(context),
        Effect.catchSomeDefect((defect) => (isSqlError(defect) ? Option.some(Effect.fail(defect)) : Option.none())),
        told("beginning to work"),
        Effect.onError((cause) =>
          Effect.whenEffect(Effect.logError("A worker has ended", cause), Deferred.isDone(began))
        )
      )
      // On a fiber of its own: what it holds comes to its rest before the scope closes.
      const fiber = yield* Effect.acquireRelease(Effect.forkDaemon(Effect.interruptible(working)), (fiber) =>
        Effect.zipRight(Deferred.succeed(stop, undefined), Fiber.await(fiber))
      )
      yield* Effect.raceFirst(Deferred.await(began), Fiber.join(fiber))
    })

  return Context.make(Cluster, {
    standing,
    submit: (pipeline, options) =>
      Sluice.submit(pipeline, { ...options, out: resolve(options.out) }).pipe(
        Effect.map(({ runId }) => runId),
        // Only who has claimed an instant of a schedule can be refused one.
        Effect.catchTag("InstantRefused", Effect.die),
        told(`handing ${pipeline.frame.name} in`)
      ),
    ended: (runId) =>
      Effect.gen(function* () {
        if ((yield* standing(runId)) === undefined) return yield* new RunUnknown({ id: runId, place })
        yield* Sluice.over(runId)
        return yield* Sluice.endedWell(runId)
      }).pipe(told(`looking at run ${runId}`)),
    stop: (runId) => Sluice.Stop.stop(runId).pipe(told(`stopping run ${runId}`)),
    work
  })
})

/**
 * The cluster of a Postgres database (13 or later), and its ledger, at `postgres://user:password@host:port/database?schema=name`;
 * without a schema it is `sluice`. Its tables are made when it is first opened. A worker wants `concurrency` + 8 connections.
 *
 * @example
 * ```ts
 * const Shared = Cluster.layer(Redacted.make("postgres://sluice:secret@db.internal/sluice"))
 * ```
 */
export const layer = (
  url: Redacted.Redacted,
  { connections = 12 }: { readonly connections?: number | undefined } = {}
): Layer.Layer<Cluster | Ledger, LedgerError, FileSystem.FileSystem> =>
  Layer.effectContext(Effect.zipWith(make, Ledger, (context, ledger) => Context.add(context, Ledger, ledger))).pipe(
    Layer.provide(Sluice.layer(url, connections))
  )

/**
 * A worker, for as long as the layer is there: it takes parts of runs, asks services with the client of the program, and gives
 * back what it holds when the program ends, so that another worker goes on with it at once.
 *
 * @example
 * ```ts
 * const Worker = Cluster.layerWorker({ concurrency: 8 })
 * ```
 */
export const layerWorker = (options?: WorkerOptions): Layer.Layer<never, LedgerError, Cluster | Services> =>
  Layer.scopedDiscard(Effect.flatMap(Cluster, ({ work }) => work(options)))
