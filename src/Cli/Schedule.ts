/** `sluice schedule`: runs pipelines on their schedules; each action is a file of `Schedule/`. */
import { scheduleRefused } from "./CommandErrors.ts"
import * as Daemon from "./Schedule/Daemon.ts"
import * as History from "./Schedule/History.ts"
import * as List from "./Schedule/List.ts"
import * as Once from "./Schedule/Once.ts"
import { actions, parameters, type ScheduleOptions } from "./Schedule/Options.ts"
import * as Pause from "./Schedule/Pause.ts"
import * as Print from "./Schedule/Print.ts"
import type { Terminal } from "./Terminal.ts"
import * as Verb from "./Verb.ts"

export const command = Verb.make({
  details:
    "Schedule a pipeline with `schedule: { cron: …, timezone: … }` in its definition. Its history lists every scheduled time with its outcome, and none is run twice. Ctrl-C lets running pipelines finish within --grace; the next start resumes those that did not. A second Ctrl-C stops at once.",
  parameters,
  examples: [
    { line: "sluice schedule", what: "runs the pipelines of pipelines/ on schedule, and picks up changes" },
    { line: "sluice schedule list", what: "the next scheduled times, and the last outcomes" },
    { line: "sluice schedule history docs-watch", what: "every scheduled time, with its run and its outcome" },
    { line: "sluice schedule --on cluster --out /shared", what: "on two machines: if one fails, the other takes over" },
    { line: "sluice schedule run docs-watch --at 2026-03-29T06:15", what: "runs the pipeline for that scheduled time" },
    { line: "sluice schedule pause docs-watch --until 12h", what: "skips its scheduled times for half a day" },
    { line: "sluice schedule --print systemd --into /etc/systemd/system", what: "a timer for each pipeline instead" }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** Reason to refuse flags that have no effect on the action; undefined if all have one. */
const whyRefused = ({ action, again, at, into, name, print, until }: ScheduleOptions): string | undefined => {
  const isAction = actions.some((each) => each === action)
  if (print !== undefined && (isAction || name !== undefined)) {
    return `--print takes a folder, not ${isAction ? action : name}: sluice schedule FOLDER --print ${print}`
  }
  if (print === undefined && into !== undefined) return "--into needs --print TARGET"
  if (at !== undefined && action !== "run") return "--at works with run only: sluice schedule run NAME --at TIME"
  if (again && action !== "run") return "--again works with run only: sluice schedule run NAME --again"
  return until === undefined || action === "pause"
    ? undefined
    : "--until works with pause only: sluice schedule pause NAME --until TIME"
}

const run = (options: ScheduleOptions, terminal: Terminal) => {
  const reason = whyRefused(options)
  if (reason !== undefined) return scheduleRefused(reason)
  if (options.print !== undefined) return Print.program(options.print, options, terminal)
  switch (options.action) {
    case "list":
      return List.program(options, terminal)
    case "history":
      return History.program(options, terminal)
    case "run":
      return Once.program(options, terminal)
    case "pause":
      return Pause.pauseSchedule(options, terminal)
    case "resume":
      return Pause.resumeSchedule(options, terminal)
    default:
      return Daemon.program(options, terminal)
  }
}
