/** The command line: one verb for each thing that people do, loaded when it is asked for. */
import { read } from "./Cli/Arguments.ts"
import { browser } from "./Cli/Browser.ts"
import { check } from "./Cli/Check.ts"
import { completions } from "./Cli/Completions.ts"
import { doctor } from "./Cli/Doctor.ts"
import { explain } from "./Cli/Explain.ts"
import { fmt } from "./Cli/Fmt.ts"
import { graph } from "./Cli/Graph.ts"
import { about, overview } from "./Cli/Help.ts"
import { index } from "./Cli/Index.ts"
import { init } from "./Cli/Init.ts"
import { parse } from "./Cli/Parse.ts"
import { pin } from "./Cli/Pin.ts"
import { plan } from "./Cli/Plan.ts"
import { preview } from "./Cli/Preview.ts"
import { profile } from "./Cli/Profiles.ts"
import { replay } from "./Cli/Replay.ts"
import { resume } from "./Cli/Resume.ts"
import { run } from "./Cli/Run.ts"
import { runs } from "./Cli/Runs.ts"
import { schedule } from "./Cli/Schedule.ts"
import { schema } from "./Cli/Schema.ts"
import { search } from "./Cli/Search.ts"
import { serve } from "./Cli/Serve.ts"
import { show } from "./Cli/Show.ts"
import { state } from "./Cli/State.ts"
import { stop } from "./Cli/Stop.ts"
import { paint, type Terminal } from "./Cli/Terminal.ts"
import { test } from "./Cli/Test.ts"
import { ui } from "./Cli/Ui.ts"
import type { Verb } from "./Cli/Verb.ts"
import { worker } from "./Cli/Worker.ts"
import { ExitCode } from "./TypedError/ExitCode.ts"
import { version } from "./Version.ts"

/** In the order of the help. */
export const verbs: ReadonlyArray<Verb> = [
  run,
  resume,
  replay,
  runs,
  show,
  stop,
  state,
  schedule,
  check,
  plan,
  test,
  pin,
  init,
  parse,
  search,
  preview,
  index,
  browser,
  profile,
  serve,
  ui,
  worker,
  doctor,
  schema,
  fmt,
  graph,
  explain(() => verbs),
  completions(() => verbs)
]

/**
 * Does what the words ask for and gives the exit code. Nothing but the verb's own program is loaded: help, version and
 * typing mistakes are answered at once.
 */
export const main = (words: ReadonlyArray<string>, terminal: Terminal, stop: AbortSignal): Promise<number> => {
  const request = read(words, verbs)
  switch (request.ask) {
    case "version":
      terminal.out.write(`${version}\n`)
      return Promise.resolve(ExitCode.ok)
    case "help":
      terminal.out.write(
        request.verb === undefined ? overview(verbs, version, terminal.out) : about(request.verb, terminal.out)
      )
      return Promise.resolve(ExitCode.ok)
    case "mistake": {
      const more = request.verb === undefined ? "sluice --help" : `sluice ${request.verb.name} --help`
      terminal.err.write(`${paint(terminal.err).red("error:")} ${request.message}\nTry ${more}\n`)
      return Promise.resolve(ExitCode.usage)
    }
    case "act": {
      const { act, debug, logFormat = terminal.env.SLUICE_LOG?.toLowerCase() } = request
      // Whoever reads stderr by machine reads all of it so: what verbs say to people, too.
      const told =
        logFormat === "json"
          ? import("./Cli/JsonTalk.ts").then(({ over }) => over(terminal))
          : Promise.resolve(terminal)
      const acted = told.then((terminal) => act(terminal).then((program) => ({ program, terminal })))
      return Promise.all([acted, import("./Cli/Outcome.ts")]).then(([{ program, terminal }, outcome]) =>
        outcome.settle(program, { terminal, stop, debug })
      )
    }
  }
}
