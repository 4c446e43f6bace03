/** Does what is asked for with schedules. */
import { ScheduleRefused } from "../Errors.ts"
import type { ScheduleParameters } from "../Schedule.ts"
import type { Terminal } from "../Terminal.ts"
import * as Daemon from "./Daemon.ts"
import * as History from "./History.ts"
import * as List from "./List.ts"
import { actions } from "./Names.ts"
import * as Once from "./Once.ts"
import * as Pause from "./Pause.ts"
import * as Print from "./Print.ts"

/** What was said and would count for nothing. */
const stray = ({ action, again, at, into, name, print, until }: ScheduleParameters): string | undefined => {
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

export const program = (options: ScheduleParameters, terminal: Terminal) => {
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
      return Pause.pause(options, terminal)
    case "resume":
      return Pause.resume(options, terminal)
    default:
      return Daemon.program(options, terminal)
  }
}
