/** `sluice serve`: the local engine in the foreground. */
import * as Parameter from "./Parameter.ts"
import { defaultPort as uiPort } from "./Ui.ts"
import * as Verb from "./Verb.ts"

const defaultPort = 4711

const parameters = {
  port: Parameter.withDefault(
    Parameter.integer("N", `Port to listen on; 0 takes a free one; default: ${defaultPort}.`, {
      minimum: 0,
      maximum: 65_535
    }),
    defaultPort
  ),
  host: Parameter.text("HOST", "Address to listen on; default: 127.0.0.1, this machine only."),
  data: Parameter.text("DIR", "Folder of the store and the keys; default: .sluice, or SLUICE_DATA."),
  profile: Parameter.text("NAME", "Settings from config/NAME.yaml or a path; the environment goes before them."),
  ui: Parameter.toggle("Serves the dashboard beside it, on a port of its own, and prints its link."),
  "ui-port": Parameter.withDefault(
    Parameter.integer("N", `With --ui: the port of the dashboard; default: ${uiPort}.`, {
      minimum: 0,
      maximum: 65_535
    }),
    uiPort
  ),
  json: Parameter.toggle("Prints base URL and key file as one JSON object.")
}

export type ServeParameters = Parameter.Values<typeof parameters>

export const serve = Verb.make({
  name: "serve",
  summary: "Serves the local engine until it is stopped; prints its base URL and where its key is.",
  details:
    "Ready when GET /health answers 200. Accepted keys come from SLUICE_ENGINE_KEYS, else one is made on the first start and kept in the data folder.",
  parameters,
  examples: [
    { line: "sluice serve", what: `on http://127.0.0.1:${defaultPort}` },
    { line: "sluice serve --ui", what: "with the dashboard beside it" },
    { line: "sluice serve --port 0 --data /var/lib/sluice --json", what: "on a free port, for a script" }
  ],
  load: () => import("./Serve/Program.ts")
})
