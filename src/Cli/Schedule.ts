/** `sluice schedule`: pipelines at the times that they name, and what came of it. */
import { version } from "../Version.ts"
import * as Parameter from "./Parameter.ts"
import { actions, defaultFolder, targets } from "./Schedule/Names.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  action: Parameter.optional(
    "WHAT",
    `list, history, run, pause or resume; else the folder whose pipelines are run on time; default: ${defaultFolder}.`,
    actions
  ),
  name: Parameter.optional("NAME", "A pipeline by its name, or by its file; for list a folder."),
  input: Parameter.pairs(
    "NAME=VALUE",
    "Gives an input to the pipelines that declare it, before schedule.inputs; as often as needed.",
    "i"
  ),
  folder: Parameter.text("DIR", `Where pipelines are looked for by name; default: ${defaultFolder}.`, "f"),
  at: Parameter.text(
    "INSTANT",
    "The instant that run is for: 2026-03-29T06:15 in the pipeline's time zone, or with Z or an offset; default: the last that has come."
  ),
  again: Parameter.toggle("Lets run repeat an instant that was run already."),
  until: Parameter.text("INSTANT", "When pause ends by itself: an instant as for --at, or a time from now like 12h."),
  print: Parameter.choice("TARGET", targets, "Prints the same schedules for cron, systemd, github or k8s."),
  into: Parameter.text("DIR", "Writes what --print gives into files of this folder."),
  image: Parameter.withDefault(
    Parameter.text("IMAGE", "The container image that --print k8s names; default: sluice with this version."),
    `sluice:${version}`
  ),
  health: Parameter.integer("PORT", "Answers GET /health on this port; 0 takes a free one.", {
    minimum: 0,
    maximum: 65_535
  }),
  "health-host": Parameter.withDefault(
    Parameter.text("HOST", "Address that --health listens on; default: 127.0.0.1, this machine only."),
    "127.0.0.1"
  ),
  grace: Parameter.withDefault(
    Parameter.duration("TIME", "How long runs may still take when it is told to stop; default: 30s."),
    30_000
  ),
  limit: Parameter.withDefault(
    Parameter.integer("N", "At most N lines of history; default: 20.", { minimum: 1, maximum: 10_000 }),
    20
  ),
  on: Parameter.choice(
    "WHERE",
    ["here", "cluster"],
    "cluster: hands runs to the workers that share SLUICE_DATABASE_URL and the output folder; default: here."
  ),
  out: Parameter.text("DIR", "Folder that relative output paths are under; default: the current one.", "o"),
  data: Parameter.text(
    "DIR",
    "Folder of the ledger, the engine's store and rejects; default: .sluice, or SLUICE_DATA."
  ),
  profile: Parameter.text("NAME", "Settings from config/NAME.yaml or a path; the environment goes before them."),
  "allow-code": Parameter.allowCode,
  ...Parameter.trust,
  json: Parameter.toggle("Prints JSON: one object for each event, or what was asked for."),
  quiet: Parameter.toggle("Says nothing but what goes wrong.", "q")
}

export type ScheduleParameters = Parameter.Values<typeof parameters>

export const schedule = Verb.make({
  name: "schedule",
  summary: "Runs a folder of pipelines at the times that they name, until it is stopped.",
  details:
    "A pipeline says `schedule: { cron: …, timezone: … }`. Every instant is a line of its history with its outcome, and none is run twice. Ctrl-C lets runs end within --grace; what is left then is kept, and goes on with the next start. A second Ctrl-C stops at once.",
  parameters,
  examples: [
    { line: "sluice schedule", what: "runs what is in pipelines/ on time, and reads its changes" },
    { line: "sluice schedule list", what: "the next instants, and how the last ones went" },
    { line: "sluice schedule history docs-watch", what: "every instant, with its reason and its run" },
    { line: "sluice schedule --on cluster --out /shared", what: "on two machines: one may be lost, and all goes on" },
    { line: "sluice schedule run docs-watch --at 2026-03-29T06:15", what: "as if it were that instant" },
    { line: "sluice schedule pause docs-watch --until 12h", what: "lets its instants go by for half a day" },
    { line: "sluice schedule --print systemd --into /etc/systemd/system", what: "a timer for each pipeline instead" }
  ],
  load: () => import("./Schedule/Program.ts")
})
