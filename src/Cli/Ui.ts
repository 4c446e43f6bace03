/** `sluice ui`: serves the dashboard over a data folder. */

import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Dashboard from "../Dashboard.ts"
import { FileUnusable, NothingYet } from "./CommandErrors.ts"
import { readPlaces } from "./CommandSettings.ts"
import { place } from "./Format.ts"
import { ledgerExists, ledgerLayer } from "./LedgerAccess.ts"
import * as Parameter from "./Parameter.ts"
import { clientsOf, hostedService } from "./Service.ts"
import * as SharedFlags from "./SharedFlags.ts"
import { paint, type Terminal, warn } from "./Terminal.ts"
import { scopeOf } from "./Trust.ts"
import * as Beside from "./Ui/Beside.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  port: SharedFlags.port("Port to listen on", SharedFlags.dashboardPort),
  host: SharedFlags.host,
  pipelines: Parameter.text(
    "DIR",
    "Folder of the definitions that the dashboard can run; default: pipelines, if it exists."
  ),
  out: Parameter.text(
    "DIR",
    "Folder for the outputs of runs that the dashboard starts; default: the current one.",
    "o"
  ),
  data: SharedFlags.data("the ledger"),
  profile: SharedFlags.profile,
  json: Parameter.toggle("Prints the link as one JSON object."),
  "allow-code": SharedFlags.allowCode,
  ...SharedFlags.trust
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "Prints a link with a token: whoever opens the link can use the dashboard in that browser until it is stopped. Runs that it started continue after that. With SLUICE_DATABASE_URL it shows the ledger that machines share; with SLUICE_BASE_URL it also shows jobs and browser sessions of that service, as sluice serve --ui does for its own.",
  parameters,
  examples: [
    { line: "sluice ui", what: `on http://127.0.0.1:${SharedFlags.dashboardPort}` },
    { line: "sluice ui --data /var/lib/sluice --port 0 --json", what: "for another data folder, and for a script" }
  ],
  run: (options, terminal) => run(options, terminal)
})

const defaultFolder = "pipelines"

/** Folder of the definitions: the named one, or else the default folder if it exists. */
const definitionsOf = (named: string | undefined) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const folder = paths.resolve(named ?? defaultFolder)
    const info = yield* Effect.option(files.stat(folder))
    if (info._tag === "Some" && info.value.type === "Directory") return folder
    if (named === undefined) return undefined
    return yield* new FileUnusable({ path: named, reason: "there is no such folder. Name a folder of definitions" })
  })

/** Stops a run as `sluice stop` does, over a connection that is open only for that time. */
const stopIn = (url: Redacted.Redacted, files: FileSystem.FileSystem): Dashboard.StopShared => {
  const cluster = Effect.promise(() => import("../Cluster.ts"))
  return (run) =>
    Effect.flatMap(cluster, ({ layer, Submissions }) =>
      Effect.provide(
        Effect.flatMap(Submissions, ({ stop }) => stop(run)),
        layer(url, 1)
      )
    ).pipe(Effect.provideService(FileSystem.FileSystem, files))
}

/** Reads workers and waiting parts, over a connection that is open only for that time. */
const clusterIn = (url: Redacted.Redacted, files: FileSystem.FileSystem) =>
  Effect.flatMap(
    Effect.promise(() => import("../Cluster.ts")),
    ({ tables, Workers }) =>
      Effect.provide(Effect.all({ waiting: Workers.waiting, workers: Workers.list }), tables(url, 1))
  ).pipe(Effect.provideService(FileSystem.FileSystem, files))

const run = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const { env, service: told } = Beside.serviceIn(terminal.env)
    const { dataDir, settings } = yield* readPlaces(options, env)
    const definitions = yield* definitionsOf(options.pipelines)
    // Without definitions nothing can be started, so an empty ledger would be of no use.
    if (told === undefined && definitions === undefined && !(yield* ledgerExists(settings, dataDir))) {
      return yield* new NothingYet({ dataDir })
    }
    const service = told ?? (yield* hostedService(settings))
    const { databaseUrl } = settings
    // The ledger stays open as long as the dashboard.
    const ledger = yield* Layer.build(ledgerLayer(settings, dataDir))
    const dashboard = yield* Dashboard.start({
      host: options.host,
      port: options.port,
      dataDir,
      definitions,
      out: paths.resolve(options.out ?? "."),
      scope: scopeOf(env),
      service: service && { baseUrl: service.baseUrl, clients: Layer.orDie(clientsOf(service, settings)) },
      stopShared: databaseUrl && stopIn(databaseUrl, files),
      cluster: databaseUrl && clusterIn(databaseUrl, files),
      command: Beside.command(),
      arguments: [
        "--data",
        dataDir,
        ...(options.profile === undefined ? [] : ["--profile", options.profile]),
        ...(options["allow-code"] ? ["--allow-code"] : []),
        ...SharedFlags.trustArguments(options)
      ],
      env
    }).pipe(Effect.provide(ledger))
    if (!dashboard.isLocal) {
      const reach = "other machines can reach this address, and their traffic is not encrypted"
      warn(terminal.err, `${reach}: put it behind a proxy that speaks HTTPS`)
    }
    if (options.json) {
      terminal.out.write(`${JSON.stringify({ url: dashboard.url, dataDir })}\n`)
    } else {
      const dye = paint(terminal.out)
      terminal.out.write(
        [
          `${dye.bold("sluice")} shows what is in ${place(dataDir)}`,
          "",
          `  open  ${dye.cyan(dashboard.url)}`,
          "",
          dye.dim(
            "Anyone who has the link can use the dashboard: keep it to yourself. Ctrl-C stops it; runs that it started continue."
          ),
          ""
        ].join("\n")
      )
    }
    return yield* Beside.abandoned
  }).pipe(
    Effect.scoped,
    // The terminal has already printed ^C.
    Effect.onInterrupt(() =>
      Effect.sync(() => {
        // `sluice serve --ui` prints its own message.
        if (Beside.serviceIn(terminal.env).service !== undefined) return
        terminal.err.write(`${terminal.err.interactive ? "\n" : ""}stopped\n`)
      })
    )
  )
