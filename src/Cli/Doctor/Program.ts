/** Looks at everything and prints one line for each thing. */
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type { DoctorParameters } from "../Doctor.ts"
import { EssentialBroken } from "../Errors.ts"
import * as Profile from "../Profile.ts"
import { paint, type Terminal } from "../Terminal.ts"
import * as Database from "./Database.ts"
import { type Finding, missing, ok } from "./Finding.ts"
import * as Machine from "./Machine.ts"
import * as Pipeline from "./Pipeline.ts"
import * as Schedules from "./Schedules.ts"
import * as Service from "./Service.ts"

/** What the engine does by itself unless the settings name somebody else. */
const helpers = ({ model, modelUrl, searchProviders }: Profile.Values): ReadonlyArray<Finding> => [
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

export const program = (options: DoctorParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const paths = yield* Path.Path
    const settings = yield* Profile.read(terminal.env, options.profile)
    const findings = [
      Machine.node(process.versions.node),
      yield* Machine.sqlite,
      yield* Machine.folder(
        "data",
        paths.resolve(options.data ?? settings.dataDir),
        "choose another with --data or SLUICE_DATA"
      ),
      ...(yield* Database.look(settings)),
      yield* Machine.folder("out", paths.resolve(options.out ?? "."), "choose another with --out"),
      ...(yield* Service.engine(settings)),
      yield* Service.service(settings),
      ...helpers(settings),
      ...(yield* Schedules.look(options, terminal)),
      ...(yield* Effect.forEach(options.pipelines, (file) => Pipeline.look(file, settings, terminal.env))),
      yield* Machine.chromium(settings.chromium, terminal.env, settings.chromiumNoSandbox)
    ]
    const bad = findings.filter(({ essential, state }) => essential && state === "broken")
    terminal.out.write(
      options.json ? `${JSON.stringify({ ok: bad.length === 0, findings })}\n` : render(findings, terminal)
    )
    if (bad.length > 0) return yield* new EssentialBroken({ names: bad.map(({ name }) => name) })
  })
