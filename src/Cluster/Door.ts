/** Public entry point `sluice/cluster`: workers as layers, and the submission of runs to the workers that share a database. */
import { resolve } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { Client } from "../Client.ts"
import * as Sluice from "../Cluster.ts"
import { LedgerError } from "../Ledger/LedgerErrors.ts"
import { Ledger } from "../Ledger.ts"
import type { Checked } from "../Pipeline/Check.ts"
import type { DefinitionInvalid } from "../Pipeline/Issue.ts"
import { SavedValueInvalid } from "../Row/SavedValue.ts"
import * as LocalSite from "../Run/LocalSite.ts"
import { type RunFailed, RunUnknown, type Summary } from "../Run/RunResult.ts"
import type { RunOptions } from "../Run/RunSpec.ts"
import type { Services } from "../Step.ts"
import type { Place } from "./PartRun.ts"
import type { Standing, Submission } from "./Task.ts"

export type { Standing } from "./Task.ts"

/** Options for submitting a run. Secrets are not included: each worker has its own. */
export interface SubmitOptions extends Omit<Submission, "scheduledPipeline"> {
  /** Folder of relative output paths. All workers must see it under this path. */
  readonly out: string
  /** Maximum number of rows of a shard; default: 200. */
  readonly shardRows?: number | undefined
}

/** Options of a worker, and the environment of the runs that it executes. */
export interface WorkerOptions extends Pick<RunOptions, "env" | "secrets"> {
  /** Maximum number of parts that run at the same time; default: 4. */
  readonly concurrency?: number | undefined
  /** Name of the machine, for display only; default: its host name. */
  readonly host?: string | undefined
  /** Receives log lines. */
  readonly say?: ((line: string) => void) | undefined
}

/** Runs on machines that share a Postgres database and a folder. */
export class Cluster extends Context.Tag("sluice/Cluster")<
  Cluster,
  {
    /** Submits a run and returns its id. The run starts when a worker has room. */
    readonly submit: (
      pipeline: Checked,
      options: SubmitOptions
    ) => Effect.Effect<string, DefinitionInvalid | LedgerError>
    /** Status of a run, with its shards, rows and credits. Undefined if no such run was submitted. */
    readonly standing: (runId: string) => Effect.Effect<Standing | undefined, LedgerError>
    /** Waits for the end of a run and returns its summary; fails like `execute`. An interrupt stops only the wait. */
    readonly ended: (runId: string) => Effect.Effect<Summary, RunFailed | RunUnknown | LedgerError>
    /** Stops a run on all workers; `sluice resume` resumes it. `over`: the run had already ended. `unknown`: no such run was submitted. */
    readonly stop: (runId: string) => Effect.Effect<"stopped" | "over" | "unknown", LedgerError>
    /** Runs a worker until the scope closes; {@link layerWorker} does the same as a layer. */
    readonly work: (options?: WorkerOptions) => Effect.Effect<void, LedgerError, Services | Scope.Scope>
  }
>() {}

/** Environment in which the program's own client answers the calls of runs. */
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
  // Provided explicitly, so that services of the program, such as a ledger of its own, do not hide those of the cluster.
  const cluster = Context.pick(Ledger, Sluice.Submissions, Sluice.Carrier)(yield* Effect.context<Built>())
  const { place } = yield* Ledger
  const files = yield* FileSystem.FileSystem
  /** Gives an effect the services of the cluster, and turns its failure to decode a saved value into a failure of the ledger. */
  const withLedgerError =
    (doing: string) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.provide(effect, cluster).pipe(
        Effect.mapError((error) =>
          error instanceof SavedValueInvalid
            ? new LedgerError({ place, doing, reason: error.problem, cause: error })
            : (error as Exclude<E, SavedValueInvalid>)
        )
      )

  const standing = (runId: string) => Sluice.RunStatus.standing(runId).pipe(withLedgerError(`looking at run ${runId}`))

  const work = (options: WorkerOptions = {}) =>
    Effect.gen(function* () {
      // The program may have a database and a ledger of its own.
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
        withLedgerError("beginning to work"),
        Effect.onError((cause) =>
          Effect.whenEffect(Effect.logError("A worker has ended", cause), Deferred.isDone(began))
        )
      )
      // Runs on its own fiber, so that its parts are committed and returned before the scope closes.
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
        Effect.provideService(FileSystem.FileSystem, files),
        // Only a submission for a schedule can be refused, and this one is not.
        Effect.catchTag("ScheduledTimeRefused", Effect.die),
        withLedgerError(`handing ${pipeline.frame.name} in`)
      ),
    ended: (runId) =>
      Effect.gen(function* () {
        if ((yield* standing(runId)) === undefined) return yield* new RunUnknown({ id: runId, place })
        yield* Sluice.RunStatus.awaitEnd(runId)
        return yield* Sluice.RunStatus.summary(runId)
      }).pipe(withLedgerError(`looking at run ${runId}`)),
    stop: (runId) =>
      Effect.flatMap(Sluice.Submissions, ({ stop }) => stop(runId)).pipe(withLedgerError(`stopping run ${runId}`)),
    work
  })
})

/**
 * Cluster over a Postgres database (13 or later), with its ledger, at `postgres://user:password@host:port/database?schema=name`; the
 * default schema is `sluice`. Creates its tables when first opened. A worker needs up to `concurrency` + 8 connections.
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
 * Worker that runs as long as the layer exists. It executes parts of runs with the program's client. When the program ends, the worker
 * returns its parts, so that other workers continue them at once.
 *
 * @example
 * ```ts
 * const Worker = Cluster.layerWorker({ concurrency: 8 })
 * ```
 */
export const layerWorker = (options?: WorkerOptions): Layer.Layer<never, LedgerError, Cluster | Services> =>
  Layer.scopedDiscard(Effect.flatMap(Cluster, ({ work }) => work(options)))
