/** `sluice doctor`: checks what a run needs, and says how to fix what is missing. */

import * as Path from "@effect/platform/Path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { readSettings, type SettingValues } from "./CommandSettings.ts"
import * as Machine from "./Doctor/Machine.ts"
import { type Finding, missing, ok } from "./Doctor/Machine.ts"
import * as Service from "./Doctor/Service.ts"
import * as Parameter from "./Parameter.ts"
import * as SharedFlags from "./SharedFlags.ts"
import { paint, type Terminal } from "./Terminal.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  pipelines: Parameter.several(
    "PIPELINE",
    "Definitions: whether the service that is chosen can do all of their steps."
  ),
  out: Parameter.text("DIR", "The output folder to look at; default: the current one.", "o"),
  data: Parameter.text("DIR", "The data folder to look at; default: .sluice, or SLUICE_DATA."),
  profile: SharedFlags.profile,
  json: Parameter.toggle("Prints one JSON object with every finding on stdout."),
  "allow-code": SharedFlags.allowCode,
  ...SharedFlags.trust
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details: "Exit code 1 only when something essential is broken. Nothing is called but the service of SLUICE_BASE_URL.",
  parameters,
  examples: [
    { line: "sluice doctor", what: "before the first run, or when one fails in an odd way" },
    { line: "sluice doctor pipelines/crawl-site.yaml", what: "whether everything is there that it needs" },
    { line: "sluice doctor --profile hosted --json", what: "with the settings of a profile, for a script" }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** `doctor` found something broken that nothing works without; it has been printed. */
class EssentialBroken extends Data.TaggedError("EssentialBroken")<{ readonly names: ReadonlyArray<string> }> {
  override get message() {
    return `${this.names.join(", ")}: nothing runs before this is put right`
  }
}

/** What the engine does by itself unless the settings name somebody else. */
const helpers = ({ model, modelUrl, searchProviders }: SettingValues): ReadonlyArray<Finding> => [
  searchProviders === undefined
    ? ok("search", "over what was gathered; the web needs SLUICE_SEARCH_PROVIDERS or a service in SLUICE_BASE_URL")
    : ok("search", "asks the providers of SLUICE_SEARCH_PROVIDERS, in their order"),
  modelUrl === undefined
    ? missing("model", "none; crawl preview goes by rules, and the format json needs SLUICE_LLM_URL")
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

const run = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const paths = yield* Path.Path
    const settings = yield* readSettings(terminal.env, options.profile)
    const findings = [
      Machine.node(process.versions.node),
      yield* Machine.sqlite,
      yield* Machine.folder(
        "data",
        paths.resolve(options.data ?? settings.dataDir),
        "choose another with --data or SLUICE_DATA"
      ),
      ...(yield* Service.checkDatabase(settings)),
      yield* Machine.folder("out", paths.resolve(options.out ?? "."), "choose another with --out"),
      ...(yield* Service.checkEngine(settings)),
      yield* Service.checkService(settings),
      ...helpers(settings),
      ...(yield* Service.checkSchedules(options, terminal)),
      ...(yield* Effect.forEach(options.pipelines, (file) => Service.checkPipeline(file, settings, terminal.env))),
      yield* Machine.chromium(settings.chromium, terminal.env, settings.chromiumNoSandbox)
    ]
    const bad = findings.filter(({ essential, state }) => essential && state === "broken")
    terminal.out.write(
      options.json ? `${JSON.stringify({ ok: bad.length === 0, findings })}\n` : render(findings, terminal)
    )
    if (bad.length > 0) return yield* new EssentialBroken({ names: bad.map(({ name }) => name) })
  })
