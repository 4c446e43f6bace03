/** `sluice browser`: a browser session for a person or a program, for as long as the command runs. */
import * as Parameter from "./Parameter.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  ttl: Parameter.integer("SECONDS", "Its longest life, 30 to 3600; default: 600.", { minimum: 30, maximum: 3600 }),
  idle: Parameter.integer("SECONDS", "Ends it when nobody has used it for so long, 10 to 3600; default: 300.", {
    minimum: 10,
    maximum: 3600
  }),
  storage: Parameter.text("NAME", "A browser profile: its cookies and storage come back, and are saved at the end."),
  "read-only": Parameter.toggle("With --storage: saves nothing, so that several may use the profile at once."),
  data: Parameter.text("DIR", "Folder of the local engine's store; default: .sluice, or SLUICE_DATA."),
  profile: Parameter.text("NAME", "Settings from config/NAME.yaml or a path; the environment goes before them."),
  json: Parameter.toggle("Prints the session as a line of JSON.")
}

export type BrowserParameters = Parameter.Values<typeof parameters>

export const browser = Verb.make({
  name: "browser",
  summary: "Opens a browser session, prints its links, and closes it on Ctrl-C.",
  details:
    "The links are keys: whoever has one may watch, steer or drive the session. playwright-core and puppeteer-core connect to the CDP URL. Without SLUICE_BASE_URL the local engine opens it, with the Chromium of this machine.",
  parameters,
  examples: [
    { line: "sluice browser", what: "ten minutes of a browser to look at and to steer" },
    { line: "sluice browser --storage shop", what: "sign in by hand; pipelines with this profile stay signed in" },
    { line: "sluice browser --ttl 3600 --json", what: "for a program" }
  ],
  load: () => import("./Browser/Program.ts")
})
