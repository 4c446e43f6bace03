/** What does the work: a local engine that really starts and parses, and the service of the settings. */
/** The Postgres of the settings: whether it can be reached, is new enough, and takes the ledger's tables. */
/** Whether the service that is chosen can do all that a pipeline needs. */
/** The pipelines that run on time: whether their definitions are right, somebody runs them, and the last instants went well. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Connection from "../../Client/Connection.ts"
import { Parse } from "../../Client/Parse.ts"
import * as Client from "../../Client.ts"
import { check } from "../../Pipeline/Check.ts"
import { read } from "../../Pipeline/Source.ts"
import { choose, type Hosted } from "../../Settings/Engine.ts"
import type { SettingValues } from "../CommandSettings.ts"
import { count, place } from "../Format.ts"
import { start } from "../LocalEngine.ts"
import * as Standing from "../Schedule/List.ts"
import { isBad } from "../Schedule/News.ts"
import { defaultFolder } from "../Schedule/Options.ts"
import { askBalance, capabilitiesOf, missingCapabilities } from "../Service.ts"
import type { Terminal } from "../Terminal.ts"
import { scopeOf } from "../Trust.ts"
import type { Failure } from "../Verb.ts"
import { broken, type Finding, missing, ok, warned } from "./Machine.ts"

const engineTimeout = Duration.seconds(15)

/** Starts an engine in a folder of its own, has it parse a page, and stops it. */
export const checkEngine = (settings: SettingValues) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const dataDir = yield* files.makeTempDirectoryScoped({ prefix: "sluice-doctor-" })
    const { baseUrl, key } = yield* start(settings, { dataDir })
    const started = ok("engine", "starts on loopback")
    const page = new TextEncoder().encode("<!doctype html><title>doctor</title><p>looked at</p>")
    const parser = yield* Effect.flatMap(Parse, (client) => client.parse({ file: page, name: "doctor.html" })).pipe(
      Effect.provide(Layer.provide(Client.layer, Connection.layer({ baseUrl, apiKey: key }))),
      Effect.as(ok("parser", "a child process reads a document")),
      Effect.catchAll((error) =>
        Effect.succeed(broken("parser", error.message, "look for limits on processes or memory; --debug shows more"))
      )
    )
    return [started, parser]
  }).pipe(
    Effect.scoped,
    Effect.timeoutFail({
      duration: engineTimeout,
      onTimeout: (): Failure => ({ _tag: "Timeout", message: `no answer within ${Duration.format(engineTimeout)}` })
    }),
    Effect.catchAll((error) =>
      Effect.succeed<ReadonlyArray<Finding>>([
        broken("engine", error.message, "run sluice doctor --debug, and see what of the machine is used up")
      ])
    )
  )

/** Asks the service what is left, which costs nothing and shows whether the key is right. */
const askService = (hosted: Hosted): Effect.Effect<Finding> =>
  askBalance(hosted).pipe(
    Effect.as(ok("service", `${hosted.baseUrl} answers and takes the key`)),
    Effect.catchAll((error) =>
      Effect.succeed<Finding>({ name: "service", state: "broken", found: error.message, essential: true })
    )
  )

/** The service that runs call. */
export const checkService = (settings: SettingValues): Effect.Effect<Finding> =>
  Either.match(choose(settings), {
    onLeft: ({ name, reason }) => {
      const [found = reason, todo = ""] = reason.split(": ")
      return Effect.succeed(broken("service", `${name}: ${found}`, todo))
    },
    onRight: (hosted) => {
      if (hosted !== undefined) return askService(hosted)
      const { apiKey, baseUrl, engine } = settings
      return Effect.succeed(
        engine === "auto" && apiKey !== undefined
          ? missing(
              "service",
              "SLUICE_API_KEY is set without SLUICE_BASE_URL, so that the local engine answers",
              "set SLUICE_BASE_URL"
            )
          : ok(
              "service",
              baseUrl === undefined
                ? "the local engine; SLUICE_BASE_URL and SLUICE_API_KEY name another"
                : "the local engine, as SLUICE_ENGINE says; without that it would be the one of SLUICE_BASE_URL"
            )
      )
    }
  })

/** Makes the tables where they are missing, as the first run would. */
export const checkDatabase = ({ databaseUrl }: SettingValues): Effect.Effect<ReadonlyArray<Finding>> =>
  databaseUrl === undefined
    ? Effect.succeed([])
    : Effect.gen(function* () {
        const Postgres = yield* Effect.promise(() => import("../../Ledger/Postgres.ts"))
        const place = yield* Postgres.placeOf(databaseUrl)
        yield* Effect.scoped(Layer.build(Postgres.database(databaseUrl)))
        return ok("database", `${place} keeps the ledger`)
      }).pipe(
        Effect.catchAll((error) =>
          Effect.succeed(broken("database", error.message, "put SLUICE_DATABASE_URL right, or unset it"))
        ),
        Effect.map((finding) => [finding])
      )

/** What is wrong with the settings is told of the service. */
const undecided = () =>
  Effect.succeed(missing("pipeline", "not looked at: the settings do not say who does its work", "see service"))

/** Inputs that are not given stay open: what hangs on them is seen when it runs. */
export const checkPipeline = (file: string, settings: SettingValues, env: Terminal["env"]) =>
  Effect.gen(function* () {
    const checked = yield* check(yield* read(file), { ...scopeOf(env), inputs: {}, complete: false })
    const { who } = yield* capabilitiesOf(settings)
    const { notes, refusal } = yield* missingCapabilities(checked, settings, env)
    if (refusal !== undefined) {
      const found = refusal.message.split("\n").slice(0, -1).join("; ")
      const finding: Finding = { name: "pipeline", state: "broken", found, essential: true }
      return finding
    }
    return notes.length > 0
      ? missing("pipeline", `${file}: ${notes.map(({ message }) => message).join("; ")}`)
      : ok("pipeline", `${file}: ${who} can do all of it`)
  }).pipe(
    Effect.catchTag("SettingInvalid", undecided),
    Effect.catchAll((error) =>
      Effect.succeed<Finding>(broken("pipeline", error.message.split("\n")[0] ?? "", `sluice check ${file}`))
    )
  )

const name = "schedule"

/** Nothing is said where nothing is scheduled. */
export const checkSchedules = (
  options: { readonly data?: string | undefined; readonly profile?: string | undefined },
  terminal: Terminal,
  folder: string = defaultFolder
): Effect.Effect<ReadonlyArray<Finding>, never, Standing.Needs> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    if (!(yield* Effect.orElseSucceed(files.exists(folder), () => false))) return []
    const { broken, entries, isServed } = yield* Standing.schedulesIn(folder, options, terminal)
    if (entries.length === 0) return []
    const amount = `${count(entries.length, "pipeline")} of ${place(folder)}`
    const bad = entries.filter(({ last }) => last !== undefined && isBad(last.status)).map((entry) => entry.name)
    if (broken.length > 0) {
      const where = broken.map(({ file }) => place(file)).join(", ")
      return [warned(name, `${amount}; broken and not run: ${where}`, `sluice check ${where.replaceAll(",", "")}`)]
    }
    if (bad.length > 0) {
      return [
        warned(name, `${amount}; the last instant went wrong of ${bad.join(", ")}`, "sluice schedule list says why")
      ]
    }
    return isServed ? [ok(name, amount)] : [missing(name, `${amount}, and nobody runs them now`, "sluice schedule")]
  }).pipe(
    Effect.catchAll((error) =>
      Effect.succeed([warned(name, error.message.split("\n")[0] ?? "", "sluice schedule list shows more")])
    )
  )
