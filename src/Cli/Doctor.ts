/** `sluice doctor`: checks what a run needs, and says how to fix what is missing. */

import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { commandFailed } from "./CommandErrors.ts"
import { readSettings, type SettingValues } from "./CommandSettings.ts"
import * as Machine from "./Doctor/Machine.ts"
import { broken, type Finding, missing, ok } from "./Doctor/Machine.ts"
import * as ServiceChecks from "./Doctor/ServiceChecks.ts"
import { messageOf, wrongSettings } from "./Outcome.ts"
import * as Parameter from "./Parameter.ts"
import * as SharedFlags from "./SharedFlags.ts"
import { paint, type Terminal } from "./Terminal.ts"
import type { Failure } from "./Verb.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  pipelines: Parameter.several(
    "PIPELINE",
    "Definitions to check: whether the chosen service supports all of their steps."
  ),
  out: Parameter.text("DIR", "Output folder to check; default: the current one.", "o"),
  data: Parameter.text("DIR", "Data folder to check; default: .sluice, or SLUICE_DATA."),
  profile: SharedFlags.profile,
  json: Parameter.toggle("Prints one JSON object with every finding on stdout."),
  "allow-code": SharedFlags.allowCode,
  ...SharedFlags.trust
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "Exit code 1 only when something essential is broken. Chromium is actually started, and SQLite and the Postgres of the settings are opened; the only service that is called is the one in SLUICE_BASE_URL.",
  parameters,
  examples: [
    { line: "sluice doctor", what: "before the first run, or when a run fails for no visible reason" },
    {
      line: "sluice doctor pipelines/crawl-site.yaml",
      what: "checks that everything this pipeline needs is available"
    },
    { line: "sluice doctor --profile hosted --json", what: "with the settings of a profile, for a script" }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** Findings about the settings of the engine's search providers and its language model. */
const helpers = ({ model, modelUrl, searchProviders }: SettingValues): ReadonlyArray<Finding> => [
  searchProviders === undefined
    ? ok(
        "search",
        "covers only pages and files that this engine has read; to search the web, set SLUICE_SEARCH_PROVIDERS, or a service in SLUICE_BASE_URL"
      )
    : ok("search", "asks the providers of SLUICE_SEARCH_PROVIDERS, in their order"),
  modelUrl === undefined
    ? missing("model", "none; crawl preview uses rules, and the format json needs SLUICE_LLM_URL")
    : ok("model", `${model ?? "unnamed"}, for the format json and crawl preview`)
]

const marks = { ok: ["✔", "green"], missing: ["–", "yellow"], broken: ["✖", "red"] } as const

const render = (findings: ReadonlyArray<Finding>, { out }: Terminal): string => {
  const dye = paint(out)
  const width = Math.max(...findings.map(({ name }) => name.length))
  return findings
    .map(({ found, name, state, todo }) => {
      const [mark, colour] = marks[state]
      const head = `${dye[colour](`${mark} ${state.padEnd(7)}`)}  ${dye.bold(name.padEnd(width))}  ${found}\n`
      return todo === undefined ? head : `${head}${" ".repeat(width + 13)}${dye.dim("→")} ${todo}\n`
    })
    .join("")
}

/** The settings, and a finding for each one that is not usable, which is replaced by its default. */
const settingsOf = (
  env: Terminal["env"],
  profile: string | undefined
): Effect.Effect<readonly [SettingValues, ReadonlyArray<Finding>], Failure, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const read = yield* Effect.either(readSettings(env, profile))
    if (Either.isRight(read)) return [read.right, []] as const
    const error: Failure = read.left
    const names = ConfigError.isConfigError(read.left) ? wrongSettings(read.left).map(({ path }) => path.join(".")) : []
    const finding = broken("settings", messageOf(error), "sluice explain settings lists all of them")
    // If the environment sets all wrong settings, only they are ignored. Otherwise the profile is wrong, and is ignored as a whole.
    const isOfEnvironment = names.length > 0 && names.every((name) => env[name] !== undefined)
    if (!isOfEnvironment && profile === undefined) return yield* Effect.fail(error)
    const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)))
    const [settings, more] = yield* settingsOf(rest, isOfEnvironment ? profile : undefined)
    return [settings, [finding, ...more]] as const
  })

const run = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const paths = yield* Path.Path
    const [settings, wrong] = yield* settingsOf(terminal.env, options.profile)
    const findings = [
      Machine.node(process.versions.node),
      yield* Machine.sqlite,
      ...wrong,
      yield* Machine.folder(
        "data",
        paths.resolve(options.data ?? settings.dataDir),
        "choose another with --data or SLUICE_DATA"
      ),
      ...(yield* ServiceChecks.checkDatabase(settings)),
      yield* Machine.folder("out", paths.resolve(options.out ?? "."), "choose another with --out"),
      ...(yield* ServiceChecks.checkEngine(settings, terminal.env)),
      yield* ServiceChecks.checkService(settings),
      ...helpers(settings),
      ...(yield* ServiceChecks.checkSchedules(options, terminal)),
      ...(yield* Effect.forEach(options.pipelines, (file) => ServiceChecks.checkPipeline(file, settings, terminal.env)))
    ]
    const bad = findings.filter(({ essential, state }) => essential && state === "broken")
    terminal.out.write(
      options.json ? `${JSON.stringify({ ok: bad.length === 0, findings })}\n` : render(findings, terminal)
    )
    if (bad.length > 0) {
      return yield* commandFailed(`${bad.map(({ name }) => name).join(", ")}: nothing runs until this is fixed`)
    }
  })
