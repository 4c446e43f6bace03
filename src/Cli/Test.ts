/** `sluice test`: runs the tests of pipelines. Sends nothing, except with `--record`. */

import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { DefinitionInvalid } from "../Pipeline/Issue.ts"
import { filesOf, isTestFile, read, type Tests } from "../Pipeline/Test.ts"
import * as Trace from "../Telemetry/Trace.ts"
import { checkFailed, MistakesFound, unusable, wrongUsage } from "./CommandErrors.ts"
import { filesIn, refuse } from "./DefinitionFiles.ts"
import { count } from "./Format.ts"
import * as Parameter from "./Parameter.ts"
import * as SharedFlags from "./SharedFlags.ts"
import { emphasise, paint, type Terminal } from "./Terminal.ts"
import { playSuite, type Suite } from "./Test/Play.ts"
import { failed, junit, pathOf, pretty, type Report, tap } from "./Test/Report.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  files: Parameter.several(
    "FILE",
    "A test file (NAME.test.yaml), a definition that has one beside it, or a folder; default: pipelines, else the current folder."
  ),
  filter: Parameter.text("TEXT", "Runs only tests whose name, or pipeline name, contains the text.", "f"),
  record: Parameter.toggle("Calls the service, or the local engine, and writes new recordings."),
  update: Parameter.toggle("Writes the actual rows and files into `equals`."),
  "allow-code": SharedFlags.allowCode,
  ...SharedFlags.trust,
  reporter: Parameter.choice(
    "NAME",
    ["pretty", "tap", "junit"],
    "Format of the report: pretty (default), tap or junit."
  ),
  output: Parameter.text("FILE", "Writes the report of --reporter to a file, and the pretty one to stdout."),
  json: Parameter.toggle("Prints one JSON object with every result on stdout."),
  data: Parameter.text("DIR", "With --record: folder of the engine's store; default: .sluice, or SLUICE_DATA."),
  profile: Parameter.text("NAME", "With --record: settings from config/NAME.yaml or a path.")
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "Each test gives inputs, a recording, or rows of a step, and expects rows by step, outputs, or rejects. Nothing is sent, except with --record. Clock and random numbers are fixed, outputs go to a temporary folder, and state does not change. Secrets are not needed, and recordings contain none. Exit code 6 when a test fails, 78 when a test file is invalid.",
  parameters,
  examples: [
    { line: "sluice test pipelines", what: "every test of a folder" },
    { line: "sluice test pipelines/search-to-csv.yaml --record", what: "with the current answers of the service" },
    { line: "sluice test --reporter junit --output tests.xml", what: "for a build" }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** Prints each mistake on its own line: `file:line:column  what`. */
const show = (invalid: ReadonlyArray<DefinitionInvalid>, { json }: Options, { out }: Terminal) => {
  const mistakes = invalid.flatMap(({ file, issues }) =>
    issues.map(({ column, line, message, path }) => ({ file, line, column, path: path.map(String), message }))
  )
  if (json) out.write(`${JSON.stringify({ tests: 0, passed: 0, failed: 0, mistakes, results: [] })}\n`)
  else {
    const dye = paint(out)
    for (const { lines } of invalid) {
      out.write(`${lines.map((line) => emphasise(line, dye)).join("\n")}\n`)
    }
  }
  return new MistakesFound({ mistakes: mistakes.length, invalid: invalid.length, fine: 0 })
}

/** The report as a JSON object. */
const toJson = (report: Report) => ({
  tests: report.results.length,
  passed: report.results.length - failed(report).length,
  failed: failed(report).length,
  durationMs: Math.round(report.millis),
  mistakes: [],
  results: report.results.map(({ faults, millis, ...result }) => ({
    ...result,
    durationMs: Math.round(millis),
    failures: faults.map((fault) => ({
      at: fault.place,
      expectation: pathOf(fault),
      message: fault.message,
      differences: fault.deviations ?? []
    }))
  }))
})

const tell = (report: Report, { json, output, reporter = "pretty" }: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const formal =
      reporter === "tap" ? tap(report) : reporter === "junit" ? junit(report) : pretty(report, plainChannel(terminal))
    if (output !== undefined) {
      const files = yield* FileSystem.FileSystem
      yield* Effect.mapError(files.writeFileString(output, formal), unusable(output))
    }
    if (json) terminal.out.write(`${JSON.stringify(toJson(report))}\n`)
    else terminal.out.write(output === undefined && reporter !== "pretty" ? formal : pretty(report, terminal.out))
  })

/** The terminal's standard output as a channel for a file: without colours. */
const plainChannel = ({ out }: Terminal): Terminal["out"] => ({ ...out, colour: false, interactive: false })

const run = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const begin = yield* Clock.currentTimeMillis
    const { files, refused } = yield* find(options.files)
    const [unreadable, all] = yield* Effect.partition(files, read)
    const invalid = [...refused, ...unreadable]
    if (invalid.length > 0) return yield* show(invalid, options, terminal)
    const suites = choose(all, options.filter)
    if (suites.length === 0) {
      const names = all.flatMap(({ tests }) => tests.map(({ name }) => name))
      const more = names.length > 5 ? `, and ${names.length - 5} more` : ""
      const first = names.slice(0, 5).join("; ")
      return yield* wrongUsage(`no test has "${options.filter ?? ""}" in its name: there are ${first}${more}`)
    }
    // The engine is only loaded for recording, because replays need none.
    const recorded = options.record
      ? yield* Effect.flatMap(
          Effect.promise(() => import("./Test/Record.ts")),
          ({ recordAll }) => recordAll(suites, options, terminal)
        )
      : undefined
    const results = yield* Effect.forEach(suites, (suite) => playSuite(suite, options, recorded))
    const report: Report = { results: results.flat(), millis: (yield* Clock.currentTimeMillis) - begin }
    yield* tell(report, options, terminal)
    const broken = failed(report).length
    if (broken > 0) return yield* checkFailed(`${broken} of ${count(report.results.length, "test")} failed`)
  })

/** Expands a definition to the test file beside it, and a folder to the test files in it; a test file stays as it is. */
const expand = Trace.fn("Test.expand")(function* (named: string) {
  const paths = yield* Path.Path
  if (isTestFile(named)) return [named]
  const inFolder = yield* filesIn(named, isTestFile)
  if (inFolder === undefined) {
    const found = yield* filesOf(named)
    const stem = paths.basename(named).replace(/\.\w+$/, "")
    return found.length > 0 ? found : yield* refuse(named, `has no tests: write them into ${stem}.test.yaml beside it`)
  }
  return inFolder.length > 0
    ? inFolder
    : yield* refuse(named, "there is no test in this folder: the tests of NAME.yaml are in NAME.test.yaml beside it")
})

/** Finds each test file once, in the order given; by default in `pipelines`, or else in the current folder. */
const find = Trace.fn("Test.find")(function* (named: ReadonlyArray<string>) {
  const files = yield* FileSystem.FileSystem
  const usual = yield* Effect.orElseSucceed(files.exists("pipelines"), () => false)
  const [refused, found] = yield* Effect.partition(named.length > 0 ? named : [usual ? "pipelines" : "."], expand)
  return { refused, files: [...new Set(found.flat())] }
})

/** Chooses tests whose name, or whose pipeline's name, contains the text, ignoring case. */
const choose = (all: ReadonlyArray<Tests>, filter: string | undefined): ReadonlyArray<Suite> => {
  const wanted = filter?.toLowerCase() ?? ""
  return all
    .map((suite) => ({
      ...suite,
      chosen: suite.tests.filter(({ name }) => `${suite.pipeline} › ${name}`.toLowerCase().includes(wanted))
    }))
    .filter(({ chosen }) => chosen.length > 0)
}
