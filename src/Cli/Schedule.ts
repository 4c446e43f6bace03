/** `sluice schedule`: runs pipelines on their schedules; each action is a file of `Schedule/`. */
import { ScheduleRefused } from "./CommandErrors.ts"
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
  run: (options, terminal) => run(options, terminal)
})

/** What was said and would count for nothing. */
const stray = ({ action, again, at, into, name, print, until }: ScheduleOptions): string | undefined => {
  const isAction = actions.some((each) => each === action)
  if (print !== undefined && (isAction || name !== undefined)) {
    return `--print takes a folder, and no ${isAction ? action : name}: sluice schedule FOLDER --print ${print}`
  }
  if (print === undefined && into !== undefined) return "--into is for what is printed: say --print TARGET, too"
  if (at !== undefined && action !== "run") return "--at is for one instant: sluice schedule run NAME --at INSTANT"
  if (again && action !== "run") return "--again is for one instant: sluice schedule run NAME --again"
  return until === undefined || action === "pause"
    ? undefined
    : "--until is for a pause: sluice schedule pause NAME --until INSTANT"
}

const run = (options: ScheduleOptions, terminal: Terminal) => {
  const reason = stray(options)
  if (reason !== undefined) return new ScheduleRefused({ reason })
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
