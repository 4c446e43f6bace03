/** Does what is asked for with schedules. */
import type { ScheduleParameters } from "../Schedule.ts"
import type { Terminal } from "../Terminal.ts"
import * as Daemon from "./Daemon.ts"
import * as History from "./History.ts"
import * as List from "./List.ts"
import * as Once from "./Once.ts"
import * as Pause from "./Pause.ts"
import * as Print from "./Print.ts"

export const program = (options: ScheduleParameters, terminal: Terminal) => {
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
