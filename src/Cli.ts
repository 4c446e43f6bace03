/**
 * The command line: the table of verbs, and `main`.
 *
 * The table is all that `sluice --help` and `--version` load. The file of a verb, which declares its flags, its help and its run function,
 * is loaded once the verb is named.
 */
import { read } from "./Cli/Arguments.ts"
import { about, overview } from "./Cli/Help.ts"
import { paint, type Terminal } from "./Cli/Terminal.ts"
import type { Verb } from "./Cli/Verb.ts"
import { ExitCode } from "./TypedError/ExitCode.ts"
import { version } from "./Version.ts"

const verb = (name: string, operands: string, summary: string, load: Verb["load"]): Verb => ({
  name,
  operands,
  summary,
  load
})

/** Table of the verbs, in the order in which `sluice --help` lists them. */
export const verbs: ReadonlyArray<Verb> = [
  verb("run", "FILE", "Runs a pipeline and prints where its outputs are.", () => import("./Cli/Run.ts")),
  verb(
    "merge",
    "SHARED",
    "Merges the shards that run --shard wrote to a folder into one run.",
    () => import("./Cli/Merge.ts")
  ),
  verb(
    "resume",
    "[RUN]",
    "Continues a run that was stopped, failed, or reached its budget.",
    () => import("./Cli/Resume.ts")
  ),
  verb(
    "replay",
    "[RUN]",
    "Processes the rejected rows of a run again, from the step that rejected them.",
    () => import("./Cli/Replay.ts")
  ),
  verb("publish", "RUN", "Publishes the outputs of a run that were held because they look broken.", () =>
    import("./Cli/Held.ts").then(({ publish }) => ({ command: publish }))
  ),
  verb("discard", "RUN", "Discards the outputs and the state changes of a held or unfinished run.", () =>
    import("./Cli/Held.ts").then(({ discard }) => ({ command: discard }))
  ),
  verb("runs", "[ACTION] [AGE]", "Lists runs, newest first; `prune` deletes old ones.", () => import("./Cli/Runs.ts")),
  verb(
    "show",
    "[RUN]",
    "Shows what a run did, step by step, and what happened to its pages and rejects.",
    () => import("./Cli/Show.ts")
  ),
  verb("stop", "RUN", "Stops a run on the cluster, whichever workers run its parts.", () => import("./Cli/Stop.ts")),
  verb(
    "state",
    "ACTION [KEY]",
    "Shows and changes what pipelines remember from run to run.",
    () => import("./Cli/State.ts")
  ),
  verb(
    "watch",
    "[URL…]",
    "Watches pages, a section or a search, and prints changes; no file needed.",
    () => import("./Cli/Watch.ts")
  ),
  verb(
    "schedule",
    "[WHAT] [NAME]",
    "Runs a folder of pipelines on their schedules, until it is stopped.",
    () => import("./Cli/Schedule.ts")
  ),
  verb(
    "check",
    "FILE…",
    "Finds every mistake in definitions, as file:line:column; sends nothing.",
    () => import("./Cli/Check.ts")
  ),
  verb(
    "plan",
    "FILE",
    "Shows what a run would request, at what price and with which outputs; sends nothing.",
    () => import("./Cli/Plan.ts")
  ),
  verb(
    "test",
    "[FILE…]",
    "Runs the tests of pipelines: recorded answers or rows in, expected rows out; no network, no credits.",
    () => import("./Cli/Test.ts")
  ),
  verb(
    "pin",
    "FILE",
    "Saves answers that a pipeline pins to lock files, for review and for later runs.",
    () => import("./Cli/Pin.ts")
  ),
  verb(
    "contract",
    "ACTION FILE",
    "Learns a contract from the outputs of a pipeline, compares a run with it, and accepts changes.",
    () => import("./Cli/Contract.ts")
  ),
  verb(
    "init",
    "[DIR]",
    "Writes a first pipeline with a small sample site, example settings and a .gitignore.",
    () => import("./Cli/Init.ts")
  ),
  verb(
    "parse",
    "FILE…",
    "Converts files to Markdown, keeping reading order and tables; nothing leaves this machine.",
    () => import("./Cli/Parse.ts")
  ),
  verb(
    "extract",
    "[PAGE…]",
    "Shows the data that pages have, finds fields in them, and repairs the fields of a pipeline.",
    () => import("./Cli/Extract.ts")
  ),
  verb(
    "search",
    "QUERY",
    "Searches the web, or the pages and files that were read on this machine.",
    () => import("./Cli/Search.ts")
  ),
  verb(
    "preview",
    "URL PROMPT",
    "Turns a prompt into crawl parameters, and shows them.",
    () => import("./Cli/Preview.ts")
  ),
  verb(
    "index",
    "ACTION [URL]",
    "Lists the pages in the local engine's search index, and removes them.",
    () => import("./Cli/Index.ts")
  ),
  verb(
    "browser",
    "",
    "Opens a browser session, prints its links, and closes it on Ctrl-C.",
    () => import("./Cli/Browser.ts")
  ),
  verb(
    "profile",
    "ACTION [NAME]",
    "Lists the browser profiles of the local engine, and removes them.",
    () => import("./Cli/Profile.ts")
  ),
  verb(
    "serve",
    "",
    "Serves the local engine until it is stopped; prints its base URL and where its key is.",
    () => import("./Cli/Serve.ts")
  ),
  verb(
    "ui",
    "",
    "Shows runs, rejects, pages, schedules and usage in a browser, until it is stopped.",
    () => import("./Cli/Ui.ts")
  ),
  verb(
    "mcp",
    "[ACTION] [PLAN]",
    "Serves the project's pipelines to agents, over the Model Context Protocol.",
    () => import("./Cli/Mcp.ts")
  ),
  verb(
    "worker",
    "[ACTION] [ID]",
    "Executes runs that were submitted with run --on cluster, until it is stopped.",
    () => import("./Cli/Worker.ts")
  ),
  verb(
    "doctor",
    "[PIPELINE…]",
    "Checks Node, SQLite, Chromium, folders, settings and the service; lists every fault and its fix.",
    () => import("./Cli/Doctor.ts")
  ),
  verb(
    "schema",
    "",
    "Prints the JSON Schema of definitions, for completion and checks in editors.",
    () => import("./Cli/Schema.ts")
  ),
  verb(
    "fmt",
    "FILE…",
    "Formats definitions, or converts them between YAML, TypeScript and JSON.",
    () => import("./Cli/Fmt.ts")
  ),
  verb("graph", "FILE", "Prints the graph of a definition as Mermaid, DOT or JSON.", () => import("./Cli/Graph.ts")),
  verb(
    "explain",
    "[NAME]",
    "Explains a step: what it does, its fields with limits and defaults, and an example.",
    () => import("./Cli/Explain.ts")
  ),
  verb(
    "completions",
    "SHELL",
    "Prints a completion script for bash, zsh or fish.",
    () => import("./Cli/Completions.ts")
  )
]

/** Runs the command on the command line and returns the exit code. */
export const main = (words: ReadonlyArray<string>, terminal: Terminal, stop: AbortSignal): Promise<number> =>
  read(words, verbs).then((request) => {
    switch (request.ask) {
      case "version":
        terminal.out.write(`${version}\n`)
        return ExitCode.ok
      case "help":
        terminal.out.write(
          request.verb === undefined ? overview(verbs, version, terminal.out) : about(request.verb, terminal.out)
        )
        return ExitCode.ok
      case "mistake": {
        const more = request.verb === undefined ? "sluice --help" : `sluice ${request.verb.name} --help`
        terminal.err.write(`${paint(terminal.err).red("error:")} ${request.message}\nTry ${more}\n`)
        return ExitCode.usage
      }
      case "act": {
        const { call, debug, logFormat = terminal.env.SLUICE_LOG?.toLowerCase() } = request
        return import("./Cli/Outcome.ts").then(({ runCall }) =>
          runCall(call, { terminal, verbs, stop, debug, isJsonLog: logFormat === "json" })
        )
      }
    }
  })
