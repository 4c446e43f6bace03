/** `sluice doctor`: what is there, what is not, and what to do about it. */
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  pipelines: Parameter.several(
    "PIPELINE",
    "Definitions: whether the service that is chosen can do all of their steps."
  ),
  out: Parameter.text("DIR", "The output folder to look at; default: the current one.", "o"),
  data: Parameter.text("DIR", "The data folder to look at; default: .sluice, or SLUICE_DATA."),
  profile: Parameter.text("NAME", "Settings from config/NAME.yaml or a path; the environment goes before them."),
  json: Parameter.toggle("Prints one JSON object with every finding on stdout."),
  "allow-code": Parameter.allowCode,
  ...Parameter.trust
}

export type DoctorParameters = Parameter.Values<typeof parameters>

export const doctor = Verb.make({
  name: "doctor",
  summary: "Looks at Node, SQLite, Chromium, folders, settings and the service; says what is missing and what to do.",
  details: "Exit code 1 only when something essential is broken. Nothing is called but the service of SLUICE_BASE_URL.",
  parameters,
  examples: [
    { line: "sluice doctor", what: "before the first run, or when one fails in an odd way" },
    { line: "sluice doctor pipelines/crawl-site.yaml", what: "whether everything is there that it needs" },
    { line: "sluice doctor --profile hosted --json", what: "with the settings of a profile, for a script" }
  ],
  load: () => import("./Doctor/Program.ts")
})
