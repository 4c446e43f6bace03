/** Runs scheduled tasks with the command line's settings, locally or on the cluster. All runs share one local engine and one ledger. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { Ledger } from "../../Ledger.ts"
import type { Checked } from "../../Pipeline/Check.ts"
import { needsService, noService } from "../../Run/LocalSite.ts"
import { inWindow } from "../../Schedule/Backfill.ts"
import * as Runner from "../../Schedule/Runner.ts"
import type * as Schedule from "../../Schedule.ts"
import type { Task } from "../../Schedule.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import type { SettingValues } from "../CommandSettings.ts"
import { propose } from "../Extract/Propose.ts"
import { place } from "../Format.ts"
import { clientsOf, openService, requireCapabilities, startService } from "../Service.ts"
import type { Terminal } from "../Terminal.ts"
import { scopeOf } from "../Trust.ts"

export interface Conditions
  extends Pick<Runner.Options<never>, "allowCode" | "dataDir" | "ended" | "inputs" | "out" | "watch"> {
  readonly settings: SettingValues
  readonly env: Terminal["env"]
  /** `cluster`: runs are submitted to the workers that share the database. Default: `here`. */
  readonly on?: "here" | "cluster" | undefined
  /** Called when a task has failed. */
  readonly failed?: ((error: Effect.Effect.Error<ReturnType<Schedule.Runner["run"]>>) => void) | undefined
}

/** Shared service, opened by the first run that needs it. If that fails, the next run tries again. */
const shared = (settings: SettingValues, dataDir: string) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const turn = yield* Effect.makeSemaphore(1)
    let begun: Effect.Effect.Success<ReturnType<typeof openService>> | undefined
    return Effect.gen(function* () {
      if (begun !== undefined) return begun
      const own = yield* Scope.fork(scope, ExecutionStrategy.sequential)
      begun = yield* openService(settings, { dataDir }).pipe(
        Scope.extend(own),
        Effect.onExit((exit) => (exit._tag === "Failure" ? Scope.close(own, exit) : Effect.void))
      )
      return begun
    }).pipe(turn.withPermits(1))
  })

/** Runs tasks on the cluster. Loads the cluster's modules only if tasks run there. */
const elsewhere = (conditions: Conditions) =>
  Effect.gen(function* () {
    const { ended, on, settings } = conditions
    const loaded = Effect.promise(() => import("./OnCluster.ts"))
    const database = Effect.flatMap(
      Effect.promise(() => import("../Run/OnCluster.ts")),
      ({ databaseOf }) => databaseOf(settings)
    )
    const open = Effect.zipWith(database, loaded, (url, { layer }) => Layer.build(layer(url))).pipe(Effect.flatten)
    // Fails before the first scheduled time if the database is unreachable.
    const opened = on === "cluster" ? yield* open : undefined
    if (opened !== undefined) yield* (yield* loaded).greet(opened)
    const context = opened === undefined ? open : Effect.succeed(opened)
    return (task: Task) =>
      Effect.gen(function* () {
        const { carryOut } = yield* loaded
        return yield* Effect.provide(carryOut(task, conditions), yield* context)
      }).pipe(
        Effect.tap((summary) => Effect.sync(() => ended?.(task.checked, summary))),
        Effect.tapErrorTag("RunFailed", ({ summary }) => Effect.sync(() => ended?.(task.checked, summary))),
        Effect.scoped
      )
  })

/** Runs scheduled tasks until the scope closes. */
export const make = Trace.fn("Schedule.runner")(function* (conditions: Conditions) {
  const { dataDir, env, settings } = conditions
  const context = yield* Effect.context<Ledger | FileSystem.FileSystem | Path.Path>()
  const sharedService = yield* shared(settings, dataDir)

  const serve = (checked: Checked) => {
    // A local site needs a separate engine that is allowed to fetch it.
    if (checked.frame.site !== undefined) return startService(checked, settings, dataDir)
    const service = needsService(checked) ? sharedService : Effect.succeed(noService)
    return Effect.map(service, (found) => ({ site: undefined, client: clientsOf(found, settings) }))
  }

  const here = yield* Runner.make({
    ...conditions,
    scope: scopeOf(env),
    displayPath: place,
    serve: (checked) =>
      Effect.gen(function* () {
        yield* requireCapabilities(checked, settings, env)
        return yield* serve(checked)
      })
  })
  const away = yield* elsewhere(conditions)
  /** A resumed run continues where it began: locally or on the cluster. */
  const isAway = ({ resume }: Task) => (resume === undefined ? conditions.on === "cluster" : resume.group === resume.id)
  const runner: Schedule.Runner = {
    ...here,
    propose: (file, runId) =>
      Effect.flatMap(sharedService, (service) =>
        Effect.provide(propose(file, runId, env), clientsOf(service, settings))
      ).pipe(
        Effect.catchAllCause(() => Effect.succeed(undefined)),
        Effect.provide(context)
      ),
    run: (asked) =>
      Effect.provide(inWindow(asked, { ...conditions, scope: scopeOf(env) }), context).pipe(
        Effect.flatMap((task) => (isAway(task) ? Effect.provide(away(task), context) : here.run(task))),
        Effect.tapError((error) => Effect.sync(() => conditions.failed?.(error)))
      )
  }
  return runner
})
