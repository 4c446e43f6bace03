/** Checks the components that do the work: local engine, Chromium, service, database, pipelines and their schedules. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Connection from "../../Client/Connection.ts"
import { Parse } from "../../Client/Parse.ts"
import { Scrape } from "../../Client/Scrape.ts"
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
import { broken, type Finding, findChromium, missing, ok, warned } from "./Machine.ts"

const engineTimeout = Duration.seconds(15)

/** Maximum time for Chromium to start on a busy machine. */
const browserTimeout = Duration.seconds(45)

interface Engine {
  readonly baseUrl: string
  readonly key: Redacted.Redacted
}

const clientsOf = ({ baseUrl, key }: Engine) => Layer.provide(Client.layer, Connection.layer({ baseUrl, apiKey: key }))

const timedOut = (limit: Duration.Duration): Failure => ({
  _tag: "Timeout",
  message: `no answer within ${Duration.format(limit)}`
})

/** Makes the engine parse a document, which starts a child process. */
const checkParser = (engine: Engine) => {
  const page = new TextEncoder().encode("<!doctype html><title>doctor</title><p>looked at</p>")
  return Effect.flatMap(Parse, (client) => client.parse({ file: page, name: "doctor.html" })).pipe(
    Effect.provide(clientsOf(engine)),
    Effect.timeoutFail({ duration: engineTimeout, onTimeout: () => timedOut(engineTimeout) }),
    Effect.as(ok("parser", "a child process reads a document")),
    Effect.catchAll((error) =>
      Effect.succeed(
        broken(
          "parser",
          error.message,
          "check the limits of this machine on processes and memory; sluice doctor --debug shows more"
        )
      )
    )
  )
}

/** Makes the engine take a screenshot of one of its own pages, which starts Chromium with the configured sandbox. */
const checkBrowser = (engine: Engine, { chromium, chromiumNoSandbox }: SettingValues, env: Terminal["env"]) => {
  const found = findChromium(chromium, env, chromiumNoSandbox)
  if (found.state === "missing") return Effect.succeed(found)
  return Effect.flatMap(Scrape, (client) =>
    client.run({ url: `${engine.baseUrl}/docs`, formats: ["screenshot"] })
  ).pipe(
    Effect.provide(clientsOf(engine)),
    Effect.timeoutFail({ duration: browserTimeout, onTimeout: () => timedOut(browserTimeout) }),
    Effect.as(found.state === "ok" ? ok("Chromium", `${found.found}, starts with its sandbox`) : found),
    Effect.catchAll((error) =>
      Effect.succeed(
        warned(
          "Chromium",
          ("said" in error ? error.said : undefined) ?? error.message,
          "fix this, or name another browser in SLUICE_CHROMIUM; without it, screenshots, actions and browser sessions fail"
        )
      )
    )
  )
}

/** Starts an engine in a temporary folder, makes it parse a document and take a screenshot, and stops it. */
export const checkEngine = (settings: SettingValues, env: Terminal["env"]) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const dataDir = yield* files.makeTempDirectoryScoped({ prefix: "sluice-doctor-" })
    const allowNetworks = [...(settings.allowNetworks ?? []), "127.0.0.0/8"]
    const engine = yield* Effect.timeoutFail(start({ ...settings, allowNetworks }, { dataDir }), {
      duration: engineTimeout,
      onTimeout: () => timedOut(engineTimeout)
    })
    return [ok("engine", "starts on loopback"), yield* checkParser(engine), yield* checkBrowser(engine, settings, env)]
  }).pipe(
    Effect.scoped,
    Effect.catchAll((error) =>
      Effect.succeed<ReadonlyArray<Finding>>([
        broken("engine", error.message, "run sluice doctor --debug, and see which limits of the machine are reached"),
        // Only looks for Chromium, because starting it takes an engine.
        findChromium(settings.chromium, env, settings.chromiumNoSandbox)
      ])
    )
  )

/** Asks the service for the remaining credits, which costs nothing and shows whether the key is valid. */
const askService = (hosted: Hosted): Effect.Effect<Finding> =>
  askBalance(hosted).pipe(
    Effect.as(ok("service", `${hosted.baseUrl} answers and accepts the key`)),
    Effect.catchAll((error) =>
      Effect.succeed<Finding>({ name: "service", state: "broken", found: error.message, essential: true })
    )
  )

/** Checks the service that runs call. */
export const checkService = (settings: SettingValues): Effect.Effect<Finding> =>
  Either.match(choose(settings), {
    onLeft: ({ name, reason, todo }) => Effect.succeed(broken("service", `${name}: ${reason}`, todo)),
    onRight: (hosted) => {
      if (hosted !== undefined) return askService(hosted)
      const { apiKey, baseUrl, engine } = settings
      return Effect.succeed(
        engine === "auto" && apiKey !== undefined
          ? missing(
              "service",
              "SLUICE_API_KEY is set without SLUICE_BASE_URL, so runs use the local engine",
              "set SLUICE_BASE_URL"
            )
          : ok(
              "service",
              baseUrl === undefined
                ? "the local engine; to use another service, set SLUICE_BASE_URL and SLUICE_API_KEY"
                : "the local engine, because SLUICE_ENGINE is set to local; without SLUICE_ENGINE, runs use the service in SLUICE_BASE_URL"
            )
      )
    }
  })

/** Connects to Postgres, and creates or migrates the ledger's tables as a run would. */
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
          Effect.succeed(broken("database", error.message, "correct SLUICE_DATABASE_URL, or unset it"))
        ),
        Effect.map((finding) => [finding])
      )

/** Finding about a pipeline if the settings are wrong: the pipeline is not checked, and the finding about the service says why. */
const undecided = () =>
  Effect.succeed(
    missing(
      "pipeline",
      "not checked, because the service in the settings cannot be used",
      "see the finding about the service"
    )
  )

/** Checks a pipeline without values for its inputs; values that depend on inputs are checked when the pipeline runs. */
export const checkPipeline = (file: string, settings: SettingValues, env: Terminal["env"]) =>
  Effect.gen(function* () {
    const checked = yield* check(yield* read(file), { ...scopeOf(env), inputs: {}, complete: false })
    const { who } = yield* capabilitiesOf(settings)
    const { notes, refusal } = yield* missingCapabilities(checked, settings, env)
    if (refusal !== undefined) {
      const found = refusal.lines.join("; ")
      return { name: "pipeline", state: "broken", found, essential: true } satisfies Finding
    }
    return notes.length > 0
      ? missing("pipeline", `${file}: ${notes.map(({ message }) => message).join("; ")}`)
      : ok("pipeline", `${file}: ${who} supports all of its steps`)
  }).pipe(
    Effect.catchTag("SettingInvalid", undecided),
    Effect.catchAll((error) =>
      Effect.succeed<Finding>(broken("pipeline", error.message.split("\n")[0] ?? "", `sluice check ${file}`))
    )
  )

const name = "schedule"

/** Findings about schedules; none if nothing is scheduled. */
export const checkSchedules = (
  options: { readonly data?: string | undefined; readonly profile?: string | undefined },
  terminal: Terminal,
  folder: string = defaultFolder
): Effect.Effect<ReadonlyArray<Finding>, never, Standing.Needs> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    if (!(yield* Effect.orElseSucceed(files.exists(folder), () => false))) return []
    const { broken, entries, isServed } = yield* Standing.schedulesIn(folder, options, terminal)
    if (entries.length + broken.length === 0) return []
    const amount = `${count(entries.length, "pipeline")} of ${place(folder)}`
    const bad = entries.flatMap(({ last, name }) =>
      last !== undefined && isBad(last.status) ? [`${name} (${last.status})`] : []
    )
    if (broken.length > 0) {
      const why = broken.map(({ lines: [first] }) => first).join("; ")
      const files = broken.map(({ file }) => place(file)).join(" ")
      return [warned(name, `${amount}; broken and not run: ${why}`, `sluice check ${files}`)]
    }
    if (bad.length > 0) {
      return [
        warned(
          name,
          `${amount}; the last scheduled run did not complete: ${bad.join(", ")}`,
          "sluice schedule list says why"
        )
      ]
    }
    return isServed ? [ok(name, amount)] : [missing(name, `${amount}, and no scheduler is running`, "sluice schedule")]
  }).pipe(
    Effect.catchAll((error) =>
      Effect.succeed([warned(name, error.message.split("\n")[0] ?? "", "sluice schedule list shows more")])
    )
  )
