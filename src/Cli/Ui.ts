/** `sluice ui`: the dashboard over a data folder. */
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

export const defaultPort = 4712

const parameters = {
  port: Parameter.withDefault(
    Parameter.integer("N", `Port to listen on; 0 takes a free one; default: ${defaultPort}.`, {
      minimum: 0,
      maximum: 65_535
    }),
    defaultPort
  ),
  host: Parameter.text("HOST", "Address to listen on; default: 127.0.0.1, this machine only."),
  pipelines: Parameter.text(
    "DIR",
    "Folder whose definitions can be run from it; default: pipelines, where there is one."
  ),
  out: Parameter.text("DIR", "Folder that outputs of those runs are under; default: the current one.", "o"),
  data: Parameter.text("DIR", "Folder of the ledger; default: .sluice, or SLUICE_DATA."),
  profile: Parameter.text("NAME", "Settings from config/NAME.yaml or a path; the environment goes before them."),
  json: Parameter.toggle("Prints the link as one JSON object."),
  ...Parameter.trust
}

export type UiParameters = Parameter.Values<typeof parameters>

export const ui = Verb.make({
  name: "ui",
  summary: "Shows runs, rejects, pages, schedules and usage in a browser, until it is stopped.",
  details:
    "It prints a link with a token, which lets its bearer in, in that browser, until it ends. What it starts goes on when it ends. With SLUICE_DATABASE_URL it shows the ledger that machines share; with SLUICE_BASE_URL it shows jobs and browser sessions of that service too, as sluice serve --ui does for its own.",
  parameters,
  examples: [
    { line: "sluice ui", what: `on http://127.0.0.1:${defaultPort}` },
    { line: "sluice ui --data /var/lib/sluice --port 0 --json", what: "over another folder, for a script" }
  ],
  load: () => import("./Ui/Program.ts")
})
