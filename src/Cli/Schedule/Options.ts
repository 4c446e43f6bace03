/** Operands and flags of `sluice schedule`, for all of its actions. */
import { version } from "../../Version.ts"
import * as Parameter from "../Parameter.ts"
import * as SharedFlags from "../SharedFlags.ts"

export const actions = ["list", "history", "run", "pause", "resume"] as const

export const targets = ["cron", "systemd", "github", "k8s"] as const
export type Target = (typeof targets)[number]

export const defaultFolder = "pipelines"

export const parameters = {
  action: Parameter.optional(
    "WHAT",
    `list, history, run, pause or resume; otherwise the folder of pipelines to run on schedule; default: ${defaultFolder}.`,
    actions
  ),
  name: Parameter.optional("NAME", "The name or file of a pipeline; for list a folder."),
  input: Parameter.pairs(
    "NAME=VALUE",
    "Sets an input of the pipelines that declare it, over schedule.inputs; repeatable.",
    "i"
  ),
  folder: Parameter.text("DIR", `Folder in which pipelines are found by name; default: ${defaultFolder}.`, "f"),
  at: Parameter.text(
    "TIME",
    "The scheduled time to run: 2026-03-29T06:15 in the pipeline's time zone, or with Z or an offset; default: the last one."
  ),
  again: Parameter.toggle("With run: repeats a scheduled time that has completed."),
  until: Parameter.text("TIME", "With pause: end of the pause, as for --at, or a duration from now like 12h."),
  print: Parameter.choice(
    "TARGET",
    targets,
    "Prints the schedules for another scheduler: cron, systemd, github or k8s."
  ),
  into: Parameter.text("DIR", "Writes the output of --print to files in this folder."),
  image: Parameter.withDefault(
    Parameter.text(
      "IMAGE",
      "Container image in the manifests of --print k8s; default: the image sluice with the tag of this version."
    ),
    `sluice:${version}`
  ),
  health: Parameter.integer("PORT", "Answers GET /health on this port; 0 picks a free one.", {
    minimum: 0,
    maximum: 65_535
  }),
  "health-host": Parameter.withDefault(
    Parameter.text("HOST", "Address that --health listens on; default: 127.0.0.1, this machine only."),
    "127.0.0.1"
  ),
  grace: Parameter.withDefault(
    Parameter.duration("TIME", "How long running pipelines may take to finish after Ctrl-C; default: 30s."),
    30_000
  ),
  limit: Parameter.withDefault(
    Parameter.integer("N", "At most N lines of history; default: 20.", { minimum: 1, maximum: 10_000 }),
    20
  ),
  on: SharedFlags.onCluster,
  out: SharedFlags.out,
  data: SharedFlags.data("the ledger, the engine's store and rejects"),
  profile: SharedFlags.profile,
  "allow-code": SharedFlags.allowCode,
  ...SharedFlags.trust,
  json: Parameter.toggle("Prints JSON: one object per event, or the requested list."),
  quiet: SharedFlags.quiet
}

export type ScheduleOptions = Parameter.Values<typeof parameters>
