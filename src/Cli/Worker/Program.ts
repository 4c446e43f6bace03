/** Works until it is told to stop; or says who works, and tells a worker to go. */
import * as Path from "@effect/platform/Path"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Cluster from "../../Cluster.ts"
import type { Checked } from "../../Pipeline/Check.ts"
import { needsService, noService } from "../../Run/LocalSite.ts"
import { ensure, hostedOf } from "../Abilities.ts"
import { layerOf, serviceOf } from "../Ask.ts"
import { NoSuchWorker, WrongUsage } from "../Errors.ts"
import * as Folder from "../Folder.ts"
import * as Profile from "../Profile.ts"
import { databaseOf } from "../Run/Cluster.ts"
import * as Service from "../Run/Service.ts"
import { scopeOf } from "../Scope.ts"
import { table } from "../Table.ts"
import type { Terminal } from "../Terminal.ts"
import { count } from "../Words.ts"
import type { WorkerParameters } from "../Worker.ts"

const list = ({ json }: WorkerParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const workers = yield* (yield* Cluster.ShardQueue).workers
    if (json) {
      terminal.out.write(`${JSON.stringify(workers, undefined, 2)}\n`)
      return
    }
    if (workers.length === 0) {
      terminal.err.write("no worker is there: sluice worker starts one\n")
      return
    }
    const lines = table(
      [["worker"], ["process", "right"], ["parts", "right"], ["status"]],
      workers.map(({ alive, concurrency, draining, id, pid, working }) => [
        id,
        String(pid),
        `${working} of ${concurrency}`,
        alive ? (draining ? "draining" : "at work") : "gone"
      ]),
      terminal.out
    )
    terminal.out.write(`${lines.join("\n")}\n`)
  })

const drain = (id: string, terminal: Terminal) =>
  Effect.gen(function* () {
    const told = yield* (yield* Cluster.ShardQueue).drain(id)
    if (told === 0) return yield* new NoSuchWorker({ id })
    terminal.err.write(`${count(told, "worker")} told to finish and go\n`)
  })

const work = (options: WorkerParameters, settings: Profile.Values, terminal: Terminal) =>
  Effect.gen(function* () {
    const dataDir = (yield* Path.Path).resolve(options.data ?? settings.dataDir)
    yield* Folder.make(dataDir, "Choose another with --data.")
    // Before a run is taken that would end on them.
    const hosted = yield* hostedOf(settings)
    const scope = yield* Effect.scope
    // One for all runs, started when the first of them calls somebody.
    const shared = yield* Effect.cached(
      Effect.gen(function* () {
        return layerOf(yield* Scope.extend(serviceOf(settings, { dataDir }), scope))
      })
    )
    const serve = (checked: Checked) =>
      Effect.gen(function* () {
        yield* ensure(checked, settings, terminal.env)
        if (checked.frame.site !== undefined) {
          const { client, site } = yield* Service.start(checked, settings, dataDir)
          return { client, site }
        }
        if (hosted === undefined && !needsService(checked)) return { client: layerOf(noService), site: undefined }
        return { client: yield* shared, site: undefined }
      })
    const stop = yield* Deferred.make<void>()
    const services = yield* Effect.context<Path.Path | import("@effect/platform/FileSystem").FileSystem>()
    const working = Cluster.work(
      {
        place: {
          env: scopeOf(terminal.env),
          serve: (checked) => Effect.provide(serve(checked), services)
        },
        concurrency: options.concurrency,
        host: options.host,
        drain: options.drain,
        say: (line) => (options.quiet ? undefined : terminal.err.write(`${line}\n`))
      },
      Deferred.await(stop)
    )
    yield* Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(Effect.forkDaemon(Effect.interruptible(working)), (fiber) =>
        restore(Fiber.join(fiber)).pipe(
          // What it holds comes to its rest before the process goes; a child would be cut short at once.
          Effect.onInterrupt(() => Effect.zipRight(Deferred.succeed(stop, undefined), Fiber.await(fiber)))
        )
      )
    )
  })

/** Connections to a database that does not answer take this long to close at most; the process ends behind that. */
const closeTimeout = "2 seconds"

/** Provides a layer whose resources may hang when they are acquired or released, and waits for neither when it is interrupted. */
const withLayer = <A, E, R, Out, E2, R2>(effect: Effect.Effect<A, E, R>, layer: Layer.Layer<Out, E2, R2>) =>
  Effect.acquireUseRelease(
    Scope.make(),
    (scope) =>
      Effect.flatMap(Effect.disconnect(Layer.buildWithScope(layer, scope)), (context) =>
        Effect.provide(effect, context)
      ),
    (scope, exit) =>
      Effect.flatMap(Effect.forkDaemon(Scope.close(scope, exit)), (closing) =>
        Effect.flatMap(
          Effect.forkDaemon(Effect.interruptible(Effect.timeoutOption(Fiber.await(closing), closeTimeout))),
          Fiber.await
        )
      )
  )

export const program = (options: WorkerParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const { action, id } = options
    if (action !== undefined && action !== "list" && action !== "drain") {
      return yield* new WrongUsage({ reason: `there is no worker ${action}: list or drain` })
    }
    if (action === "drain" && id === undefined) {
      return yield* new WrongUsage({ reason: "drain whom? sluice worker list names them" })
    }
    const settings = yield* Profile.read(terminal.env, options.profile)
    const url = yield* databaseOf(settings)
    const act = Effect.gen(function* () {
      if (action === "list") return yield* list(options, terminal)
      if (action === "drain") return yield* drain(id ?? "", terminal)
      return yield* work(options, settings, terminal)
    })
    yield* withLayer(act, Cluster.layer(url, options.concurrency + 8))
  }).pipe(Effect.scoped)
