/** `sluice pin`: the answers that a definition pins, asked for once and kept in lock files. */
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  file: Parameter.one("FILE", "A definition with a step that says `pin: NAME.lock.json`."),
  update: Parameter.toggle("Asks again for every answer and shows what has changed.", "u"),
  check: Parameter.toggle("Asks nobody: ends with 6 when a lock file is missing or does not fit. For builds."),
  input: Parameter.pairs("NAME=VALUE", "Gives an input of the pipeline; as often as needed.", "i"),
  data: Parameter.text("DIR", "Folder of the local engine's store; default: .sluice, or SLUICE_DATA."),
  profile: Parameter.text("NAME", "Settings from config/NAME.yaml or a path; the environment goes before them."),
  json: Parameter.toggle("Prints one JSON object about the lock files on stdout."),
  "allow-code": Parameter.allowCode,
  ...Parameter.trust
}

export type PinParameters = Parameter.Values<typeof parameters>

export const pin = Verb.make({
  name: "pin",
  summary: "Keeps the answers that a pipeline pins in lock files, for review and for every later run.",
  details:
    "Asks for what is missing or was made for another question. A file that is there already is only replaced after its changes were shown. Lock files belong into version control.",
  parameters,
  examples: [
    { line: "sluice pin pipelines/docs-watch.yaml -i site=https://example.com/docs", what: "the lock files it lacks" },
    { line: "sluice pin pipelines/docs-watch.yaml --update", what: "all of them anew, with a diff" },
    { line: "sluice pin pipelines/docs-watch.yaml --check", what: "in a build, before a run would fail" }
  ],
  load: () => import("./Pin/Program.ts")
})
