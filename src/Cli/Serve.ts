/** `sluice serve`: serves the local engine in the foreground. */

import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { isLoopback } from "../Web/Serving.ts"
import { readPlaces } from "./CommandSettings.ts"
import { place } from "./Format.ts"
import { loadAhead, start } from "./LocalEngine.ts"
import * as Parameter from "./Parameter.ts"
import * as SharedFlags from "./SharedFlags.ts"
import { paint, type Terminal, warn } from "./Terminal.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  port: SharedFlags.port("Port to listen on", SharedFlags.enginePort),
  host: SharedFlags.host,
  data: SharedFlags.data("the store and the keys"),
  profile: SharedFlags.profile,
  ui: Parameter.toggle("Also serves the dashboard, on a port of its own, and prints its link."),
  "ui-port": SharedFlags.port("With --ui: port of the dashboard", SharedFlags.dashboardPort),
  "allow-code": Parameter.toggle(
    "With --ui: lets pipelines that are started in the dashboard run code of the project."
  ),
  json: Parameter.toggle("Prints base URL and key file as one JSON object.")
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "Ready when GET /health answers 200. Accepted keys come from SLUICE_ENGINE_KEYS; without it, one is created on the first start and kept in the data folder. For two teams, each with its own jobs, pages and usage: SLUICE_ENGINE_KEYS=shop/anna:fc-<32 hex>,blog/ben:fc-<32 hex>.",
  parameters,
  examples: [
    { line: "sluice serve", what: `on http://127.0.0.1:${SharedFlags.enginePort}` },
    { line: "sluice serve --ui", what: "with the dashboard beside it" },
    { line: "sluice serve --port 0 --data /var/lib/sluice --json", what: "on a free port, for a script" }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** Says where the key is stored, but never prints the key: screens are shared and logs are kept. */
const keyPlace = (keyFile: string | undefined): string =>
  keyFile === undefined ? "as given in SLUICE_ENGINE_KEYS" : `in ${place(keyFile)}`

/** Shell command that reads the key. */
const keyCommand = (keyFile: string): string =>
  `export SLUICE_API_KEY=$(node -p 'JSON.parse(require("fs").readFileSync(${JSON.stringify(keyFile)})).keys[0].key')`

/** Starts the dashboard as a second process, with the engine's folder, settings and host. */
const beside = (
  { "allow-code": allowCode, host, profile, "ui-port": port }: Options,
  dataDir: string,
  service: { readonly baseUrl: string; readonly apiKey: Redacted.Redacted },
  terminal: Terminal
) => {
  const words = ["--data", dataDir, "--port", String(port)]
  if (host !== undefined) words.push("--host", host)
  if (profile !== undefined) words.push("--profile", profile)
  if (allowCode) words.push("--allow-code")
  return Effect.promise(() => import("./Ui/Beside.ts")).pipe(
    Effect.flatMap((Beside) => Beside.start({ words, env: terminal.env, service }, terminal))
  )
}

const run = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const { dataDir, settings } = yield* readPlaces(options, terminal.env)
    const { baseUrl, key, keyFile } = yield* start(settings, {
      dataDir,
      host: options.host,
      port: options.port
    })
    if (options.host !== undefined && !isLoopback(options.host)) {
      warn(
        terminal.err,
        `other machines can reach ${options.host}: requests need a key, but are not encrypted. Put it behind a proxy that speaks HTTPS`
      )
    }
    const ui = options.ui ? yield* beside(options, dataDir, { baseUrl, apiKey: key }, terminal) : undefined
    if (options.json) {
      terminal.out.write(`${JSON.stringify({ baseUrl, keyFile: keyFile ?? null, dataDir, ui })}\n`)
    } else {
      const dye = paint(terminal.out)
      const lines = [
        `${dye.bold("sluice")} serves the local engine`,
        "",
        `  base URL   ${dye.cyan(baseUrl)}`,
        `  key        ${keyPlace(keyFile)}`,
        `  data       ${place(dataDir)}`,
        `  reference  ${baseUrl}/docs`,
        ...(ui === undefined ? [] : [`  dashboard  ${dye.cyan(ui)}`]),
        "",
        ...(keyFile === undefined
          ? []
          : ["  For another shell:", `    export SLUICE_BASE_URL=${baseUrl}`, `    ${keyCommand(keyFile)}`, ""]),
        dye.dim("Ctrl-C stops it."),
        ""
      ]
      terminal.out.write(lines.join("\n"))
    }
    // First answers clients that waited for the start.
    yield* Effect.delay(loadAhead, "200 millis")
    return yield* Effect.never
  }).pipe(
    Effect.scoped,
    // The terminal has already printed ^C.
    Effect.onInterrupt(() => Effect.sync(() => terminal.err.write(`${terminal.err.interactive ? "\n" : ""}stopped\n`)))
  )
