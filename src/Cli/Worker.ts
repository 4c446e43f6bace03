/** `sluice worker`: executes parts of cluster runs; lists and drains workers. */

import * as Path from "@effect/platform/Path"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Cluster from "../Cluster.ts"
import type { Checked } from "../Pipeline/Check.ts"
import { needsService, noService } from "../Run/LocalSite.ts"
import { wrongUsage } from "./CommandErrors.ts"
import { readSettings, type SettingValues } from "./CommandSettings.ts"
import { makeFolder } from "./Folder.ts"
import { count, writeTable } from "./Format.ts"
import * as Parameter from "./Parameter.ts"
import { databaseOf } from "./Run/OnCluster.ts"
import { clientsOf, hostedService, openService, requireCapabilities, startService } from "./Service.ts"
import * as SharedFlags from "./SharedFlags.ts"
import type { Terminal } from "./Terminal.ts"
import { scopeOf } from "./Trust.ts"
import * as Verb from "./Verb.ts"

const actions = ["list", "drain"] as const

const parameters = {
  action: Parameter.optional(
    "ACTION",
    `${actions.join(" or ")}: lists all workers, or tells one to finish and exit.`,
    actions
  ),
  id: Parameter.optional("ID", "With drain: a worker's id, or the name of its machine."),
  concurrency: Parameter.withDefault(
    Parameter.integer("N", "Maximum number of shards, or other parts of runs, to execute at once; default: 4.", {
      minimum: 1,
      maximum: 256
    }),
    4
  ),
  host: Parameter.text("NAME", "The name of this machine, for people; default: its host name."),
  drain: Parameter.toggle("Exits when no work is left."),
  data: SharedFlags.data("this worker's engine"),
  profile: SharedFlags.profile,
  json: Parameter.toggle("With list: prints a list of JSON objects."),
  quiet: SharedFlags.quiet,
  ...SharedFlags.trust
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "All workers share the Postgres of SLUICE_DATABASE_URL and the output folders. They listen on no port. SIGTERM or Ctrl-C returns the shards of the worker, and another worker continues them at once; those of a killed worker are taken over within 15 seconds. It needs the package pg-boss beside sluice.",
  parameters,
  examples: [
    { line: "sluice worker --concurrency 8", what: "on each machine" },
    { line: "sluice worker list", what: "the workers, and their load" },
    { line: "sluice worker drain box-3", what: "that worker finishes its shards, and exits" }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** Maximum parts listed per worker; `--json` lists all. */
const maxNamed = 3

const describePart = ({ attempts, part, runId }: Cluster.Workers.PartAtWork): string =>
  `${part} of ${runId}${attempts > 1 ? `, try ${attempts}` : ""}`

const list = ({ json }: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const workers = yield* Cluster.Workers.list
    const waiting = yield* Cluster.Workers.waiting
    if (json) {
      terminal.out.write(`${JSON.stringify(workers, undefined, 2)}\n`)
      return
    }
    if (waiting > 0) terminal.err.write(`${count(waiting, "part")} of runs ${waiting === 1 ? "waits" : "wait"}\n`)
    if (workers.length === 0) {
      terminal.err.write("no worker is running: start one with sluice worker\n")
      return
    }
    writeTable(
      [["worker"], ["process", "right"], ["parts", "right"], ["status"], ["works on"]],
      workers.map(({ alive, concurrency, draining, id, parts, pid }) => [
        id,
        String(pid),
        `${parts.length} of ${concurrency}`,
        alive ? (draining ? "draining" : "at work") : "gone",
        [
          ...parts.slice(0, maxNamed).map(describePart),
          ...(parts.length > maxNamed ? [`and ${parts.length - maxNamed} more`] : [])
        ].join(", ")
      ]),
      terminal.out
    )
  })

const drain = (id: string, terminal: Terminal) =>
  Effect.gen(function* () {
    const told = yield* Cluster.Workers.drain(id)
    if (told === 0) return yield* wrongUsage(`no worker is called ${id}: sluice worker list shows all workers`)
    terminal.err.write(`${count(told, "worker")} told to finish and exit\n`)
  })

const work = (options: Options, settings: SettingValues, terminal: Terminal) =>
  Effect.gen(function* () {
    const dataDir = (yield* Path.Path).resolve(options.data ?? settings.dataDir)
    yield* makeFolder(dataDir, "Choose another with --data.")
    // Checks the service's settings before the worker takes a run, so that wrong ones end the worker and not a run.
    const hosted = yield* hostedService(settings)
    const scope = yield* Effect.scope
    // Connection to the service, which all runs share. The first run that calls a service opens it.
    const shared = yield* Effect.cached(
      Effect.gen(function* () {
        return clientsOf(yield* Scope.extend(openService(settings, { dataDir }), scope), settings)
      })
    )
    const serve = (checked: Checked) =>
      Effect.gen(function* () {
        yield* requireCapabilities(checked, settings, terminal.env)
        if (checked.frame.site !== undefined) {
          const { client, site } = yield* startService(checked, settings, dataDir)
          return { client, site }
        }
        if (hosted === undefined && !needsService(checked))
          return { client: clientsOf(noService, settings), site: undefined }
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
          // Waits until the worker has committed and released its parts; a child fiber would be interrupted at once.
          Effect.onInterrupt(() => Effect.zipRight(Deferred.succeed(stop, undefined), Fiber.await(fiber)))
        )
      )
    )
  })

/** Maximum time for closing connections to a database that does not answer; the process ends afterwards. */
const closeTimeout = "2 seconds"

/** Provides a layer whose resources may hang when acquired or released. An interrupt waits for neither. */
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

const run = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const { action, id } = options
    if (action !== undefined && action !== "list" && action !== "drain") {
      return yield* wrongUsage(`"${action}" is not an action: use list or drain`)
    }
    if (action === "drain" && id === undefined) {
      return yield* wrongUsage("name the worker to drain: sluice worker list shows all workers")
    }
    const settings = yield* readSettings(terminal.env, options.profile)
    const url = yield* databaseOf(settings)
    if (action === undefined) {
      return yield* withLayer(work(options, settings, terminal), Cluster.layer(url, options.concurrency + 8))
    }
    const act = action === "list" ? list(options, terminal) : drain(id ?? "", terminal)
    yield* withLayer(act, Cluster.tables(url, 2))
  }).pipe(Effect.scoped)
