/** Finds, checks and carries out tests one after the other, and tells how they went. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { fileErrorReason } from "../../Files/FileErrors.ts"
import type { DefinitionInvalid } from "../../Pipeline/Mistake.ts"
import { read } from "../../Pipeline/Test.ts"
import { FileUnusable, MistakesFound } from "../Errors.ts"
import { emphasise, paint, type Terminal } from "../Terminal.ts"
import type { TestParameters } from "../Test.ts"
import { carryOut } from "./CarryOut.ts"
import { NoSuchTest, TestsFailed } from "./Errors.ts"
import { find } from "./Find.ts"
import { junit } from "./Junit.ts"
import { pretty } from "./Pretty.ts"
import { failed, pathOf, type Report } from "./Report.ts"
import { choose } from "./Suite.ts"
import { tap } from "./Tap.ts"

/** Every mistake on its line: `file:line:column  what`. */
const show = (invalid: ReadonlyArray<DefinitionInvalid>, { json }: TestParameters, { out }: Terminal) => {
  const mistakes = invalid.flatMap(({ file, mistakes }) =>
    mistakes.map(({ column, line, message, path }) => ({ file, line, column, path: path.map(String), message }))
  )
  if (json) out.write(`${JSON.stringify({ tests: 0, passed: 0, failed: 0, mistakes, results: [] })}\n`)
  else {
    const dye = paint(out)
    for (const { message } of invalid) {
      const lines = message.split("\n").slice(0, -1)
      out.write(`${lines.map((line) => emphasise(line, dye)).join("\n")}\n`)
    }
  }
  return new MistakesFound({ mistakes: mistakes.length, invalid: invalid.length, fine: 0 })
}

/** The report as one object. */
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

const tell = (report: Report, { json, output, reporter = "pretty" }: TestParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const formal =
      reporter === "tap" ? tap(report) : reporter === "junit" ? junit(report) : pretty(report, plainChannel(terminal))
    if (output !== undefined) {
      const files = yield* FileSystem.FileSystem
      yield* Effect.mapError(
        files.writeFileString(output, formal),
        (cause) => new FileUnusable({ path: output, reason: fileErrorReason(cause), cause })
      )
    }
    if (json) terminal.out.write(`${JSON.stringify(toJson(report))}\n`)
    else terminal.out.write(output === undefined && reporter !== "pretty" ? formal : pretty(report, terminal.out))
  })

/** A file has no colours. */
const plainChannel = ({ out }: Terminal): Terminal["out"] => ({ ...out, colour: false, interactive: false })

export const program = (options: TestParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const begin = yield* Clock.currentTimeMillis
    const { files, refused } = yield* find(options.files)
    const [unreadable, all] = yield* Effect.partition(files, read)
    const invalid = [...refused, ...unreadable]
    if (invalid.length > 0) return yield* show(invalid, options, terminal)
    const suites = choose(all, options.filter)
    if (suites.length === 0) {
      const names = all.flatMap(({ tests }) => tests.map(({ name }) => name))
      return yield* new NoSuchTest({ filter: options.filter ?? "", names })
    }
    // The engine is only loaded for those who record.
    const recorded = options.record
      ? yield* Effect.flatMap(
          Effect.promise(() => import("./RecordAll.ts")),
          ({ recordAll }) => recordAll(suites, options, terminal)
        )
      : undefined
    const results = yield* Effect.forEach(suites, (suite) => carryOut(suite, options, recorded))
    const report: Report = { results: results.flat(), millis: (yield* Clock.currentTimeMillis) - begin }
    yield* tell(report, options, terminal)
    const broken = failed(report).length
    if (broken > 0) return yield* new TestsFailed({ failed: broken, all: report.results.length })
  })
