/** Runs scheduled tasks, here or on the cluster. All runs share one local engine and one ledger; a resumed run keeps the definition that it began with. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { Ledger } from "../../Ledger.ts"
import type { Checked } from "../../Pipeline/Check.ts"
import { needsService, noService } from "../../Run/LocalSite.ts"
import { optionsOf } from "../../Run/RunSpec.ts"
import * as Run from "../../Run.ts"
import * as Read from "../../Schedule/Read.ts"
import type { Failure, Refused, Runner, Task } from "../../Schedule.ts"
import type { SettingValues } from "../CommandSettings.ts"
import { place } from "../Format.ts"
import { clientsOf, openService, requireCapabilities, startService } from "../Service.ts"
import type { Terminal } from "../Terminal.ts"
import { scopeOf } from "../Trust.ts"

export interface Conditions {
  readonly settings: SettingValues
  /** Absolute. */
  readonly dataDir: string
  readonly out: string
  readonly allowCode: boolean
  readonly env: Terminal["env"]
  /** `--input`: for the pipelines that declare it. */
  readonly inputs?: Readonly<Record<string, string>> | undefined
  /** `cluster`: runs are submitted to the workers that share the database. Default: `here`. */
  readonly on?: "here" | "cluster" | undefined
  /** Called before a run is executed. */
  readonly watch?: ((run: Run.Run, checked: Checked) => Effect.Effect<void, never, Scope.Scope>) | undefined
  /** Called with the summary of a run that has ended, however it ended. */
  readonly ended?: ((checked: Checked, summary: Run.Summary) => void) | undefined
}

type Failed = Run.RunFailed | Refused | Failure
type Needs = Ledger | FileSystem.FileSystem | Path.Path

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

/** Runs tasks on the cluster, whose modules are loaded only then. */
const elsewhere = (conditions: Conditions) =>
  Effect.gen(function* () {
    const { ended, on, settings } = conditions
    const loaded = Effect.promise(() => import("./OnCluster.ts"))
    const database = Effect.flatMap(
      Effect.promise(() => import("../Run/OnCluster.ts")),
      ({ databaseOf }) => databaseOf(settings)
    )
    const open = Effect.zipWith(database, loaded, (url, { layer }) => Layer.build(layer(url))).pipe(Effect.flatten)
    // Fails before the first scheduled time when the database cannot be reached.
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
export const make = Effect.fn("Schedule.runner")(function* (conditions: Conditions) {
  const { allowCode, dataDir, ended, env, out, settings, watch } = conditions
  const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const ledger = yield* Ledger
  const sharedService = yield* shared(settings, dataDir)

  const serve = (checked: Checked) => {
    // A local site needs an engine of its own that may visit it.
    if (checked.frame.site !== undefined) return startService(checked, settings, dataDir)
    const service = needsService(checked) ? sharedService : Effect.succeed(noService)
    return Effect.map(service, (found) => ({ site: undefined, client: clientsOf(found) }))
  }

  const run = (task: Task) =>
    Effect.gen(function* () {
      const { begun, instant, resume } = task
      const checked =
        resume === undefined ? task.checked : yield* Read.frozen(resume, { allowCode, scope: scopeOf(env) })
      yield* requireCapabilities(checked, settings, env)
      const { client, site } = yield* serve(checked)
      const { wanted, ...kept } = resume === undefined ? { out, wanted: undefined } : optionsOf(resume)
      const made = yield* Run.make(checked, {
        ...scopeOf(env),
        ...kept,
        wanted,
        dataDir,
        allowCode,
        site,
        scheduledFor: new Date(instant)
      })
      yield* begun(made.id)
      if (watch !== undefined) yield* watch(made, checked)
      return yield* made.execute.pipe(
        Effect.provide(client),
        Effect.tap((summary) => Effect.sync(() => ended?.(checked, summary))),
        Effect.tapErrorTag("RunFailed", ({ summary }) => Effect.sync(() => ended?.(checked, summary))),
        Effect.onInterrupt(() => Effect.map(made.summary, (summary) => ended?.(checked, summary)))
      )
    }).pipe(Effect.scoped)

  const away = yield* elsewhere(conditions)
  /** A run continues where it began. */
  const isAway = ({ resume }: Task) => (resume === undefined ? conditions.on === "cluster" : resume.group === resume.id)
  const carryOut = (task: Task): Effect.Effect<Run.Summary, Failed, Needs> => (isAway(task) ? away(task) : run(task))

  const runner: Runner = {
    load: (file) =>
      Effect.provide(
        Read.load(file, { allowCode, inputs: conditions.inputs, scope: scopeOf(env), displayPath: place }),
        platform
      ),
    former: (record) => Effect.provide(Read.frozen(record, { allowCode, scope: scopeOf(env) }), platform),
    run: (task) => carryOut(task).pipe(Effect.provideService(Ledger, ledger), Effect.provide(platform))
  }
  return runner
})
