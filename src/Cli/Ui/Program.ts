/** Serves the dashboard until it is told to stop. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Dashboard from "../../Dashboard.ts"
import { isSqlError, reasonOf } from "../../Database/DriverErrors.ts"
import { hostedOf } from "../Abilities.ts"
import { layerOf } from "../Ask.ts"
import { FileUnusable, NothingYet } from "../Errors.ts"
import * as Ledger from "../Ledger.ts"
import * as Parameter from "../Parameter.ts"
import * as Profile from "../Profile.ts"
import { scopeOf } from "../Scope.ts"
import { paint, type Terminal, warn } from "../Terminal.ts"
import type { UiParameters } from "../Ui.ts"
import { place } from "../Words.ts"
import * as Beside from "./Beside.ts"

const defaultFolder = "pipelines"

/** The folder of definitions: the one that is named, or the usual one where it is there. */
const definitionsOf = (named: string | undefined) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const folder = paths.resolve(named ?? defaultFolder)
    const info = yield* Effect.option(files.stat(folder))
    if (info._tag === "Some" && info.value.type === "Directory") return folder
    if (named === undefined) return undefined
    return yield* new FileUnusable({ path: named, reason: "there is no such folder. Name one of definitions" })
  })

/** As `sluice stop` stops it, with a connection for as long as that takes. */
const stopIn = (url: Redacted.Redacted, files: FileSystem.FileSystem): Dashboard.StopShared => {
  const cluster = Effect.promise(() => import("../../Cluster.ts"))
  return (run) =>
    Effect.flatMap(cluster, ({ layer, ShardQueue }) =>
      Effect.provide(
        Effect.flatMap(ShardQueue, (queue) => queue.stop(run)),
        layer(url, 1)
      )
    ).pipe(
      Effect.mapError((error) => ({ message: isSqlError(error) ? reasonOf(error) : error.message })),
      Effect.provideService(FileSystem.FileSystem, files)
    )
}

export const program = (options: UiParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const { env, service: told } = Beside.serviceIn(terminal.env)
    const settings = yield* Profile.read(env, options.profile)
    const dataDir = paths.resolve(options.data ?? settings.dataDir)
    const definitions = yield* definitionsOf(options.pipelines)
    // Where nothing can be begun, looking makes no ledger.
    if (told === undefined && definitions === undefined && !(yield* Ledger.isThere(settings, dataDir))) {
      return yield* new NothingYet({ dataDir })
    }
    const service = told ?? (yield* hostedOf(settings))
    const { databaseUrl } = settings
    // For as long as the dashboard.
    const ledger = yield* Layer.build(Ledger.layer(settings, dataDir))
    const dashboard = yield* Dashboard.start({
      host: options.host,
      port: options.port,
      dataDir,
      definitions,
      out: paths.resolve(options.out ?? "."),
      scope: scopeOf(env),
      service: service && { baseUrl: service.baseUrl, clients: Layer.orDie(layerOf(service)) },
      stopShared: databaseUrl && stopIn(databaseUrl, files),
      command: Beside.command(),
      words: [
        "--data",
        dataDir,
        ...(options.profile === undefined ? [] : ["--profile", options.profile]),
        ...Parameter.trustWords(options)
      ],
      env
    }).pipe(Effect.provide(ledger))
    if (!dashboard.isLocal) {
      const reach = "other machines can reach this address, and what they send can be read on the way"
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
            "The link lets its bearer in: keep it to yourself. Ctrl-C stops it; runs that were started from it go on."
          ),
          ""
        ].join("\n")
      )
    }
    return yield* Beside.abandoned
  }).pipe(
    Effect.scoped,
    // The terminal has written ^C.
    Effect.onInterrupt(() =>
      Effect.sync(() => {
        // Whoever has started it says so itself.
        if (Beside.serviceIn(terminal.env).service !== undefined) return
        terminal.err.write(`${terminal.err.interactive ? "\n" : ""}stopped\n`)
      })
    )
  )
