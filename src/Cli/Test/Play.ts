/** Runs the tests of one file against their recordings. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import type { NotRecorded } from "../../Client/Recording/Replay.ts"
import * as Recording from "../../Client/Recording.ts"
import { Permissions } from "../../Permissions.ts"
import { permissionsOf, type Test, type Tests } from "../../Pipeline/Test.ts"
import { count } from "../../Row/Count.ts"
import { type Failure, judge } from "../../Run/Test/Assertions.ts"
import * as PipelineTest from "../../Run/Test/PipelineTest.ts"
import { place } from "../Format.ts"
import type { Result } from "./Report.ts"
import { type Change, update } from "./Update.ts"

/** The tests of a file, with those chosen to run. */
export interface Suite extends Tests {
  readonly chosen: ReadonlyArray<Test>
}

/** Outcome of recording, by test. */
export interface Recorded {
  /** Reasons why there is no new recording; such a test fails. */
  readonly failures: ReadonlyMap<Test, Failure>
  readonly notes: ReadonlyMap<Test, ReadonlyArray<string>>
}

/** Maximum requests without an answer that are shown; the rest usually follow from them. */
const most = 3

/** Requests without a recorded answer, and the command that records them. */
const missingOf = (missing: ReadonlyArray<NotRecorded>, recording: string | undefined, file: string) => {
  const how =
    recording === undefined
      ? `give the test a recording (given: { recording: fixtures/NAME.json }), then sluice test ${file} --record`
      : `record again with sluice test ${file} --record`
  const rest =
    missing.length > most
      ? [{ path: ["given", "recording"], message: `… and ${count(missing.length - most, "more request")}` }]
      : []
  return [
    ...missing
      .slice(0, most)
      .map(({ message }): Failure => ({ path: ["given", "recording"], message: `${message}; ${how}` })),
    ...rest
  ]
}

const playTest = (suite: Suite, test: Test, allowCode: boolean) =>
  Effect.gen(function* () {
    const { file, folder } = suite.source
    const recording = test.recording === undefined ? undefined : yield* Recording.read(test.recording)
    if (test.recording !== undefined && recording === undefined) {
      const message = `there is no recording ${place(test.recording)}: create it with sluice test ${file} --record`
      return [{ path: ["given", "recording"], message }]
    }
    const { missing, played } = yield* PipelineTest.replay(test, recording, allowCode)
    const unanswered = missingOf(missing, test.recording, file)
    if (played === undefined) return [...unanswered, { path: [], message: "the run did not end within a minute" }]
    const failures = yield* judge(test, played, folder)
    // Other failures usually follow from the missing answers, so only the missing answers are reported.
    return unanswered.length > 0 ? unanswered : failures
  }).pipe(
    Effect.catchTag("RecordingUnusable", ({ message }) => Effect.succeed([{ path: ["given", "recording"], message }])),
    Effect.provideServiceEffect(Permissions, permissionsOf(suite.source.file)),
    // Turns off the run's log messages: the test report says what went wrong.
    Logger.withMinimumLogLevel(LogLevel.None)
  )

const valueAt = (value: unknown, path: ReadonlyArray<PropertyKey>): unknown =>
  path.reduce<unknown>((at, key) => (at as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key], value)

/** Runs the chosen tests of a file, and updates the file if asked. */
export const playSuite = (
  suite: Suite,
  options: { readonly update: boolean; readonly "allow-code": boolean },
  recorded: Recorded | undefined
) =>
  Effect.gen(function* () {
    const { source } = suite
    const at = (path: Failure["path"]) => {
      const found = source.locate(path)
      return found === undefined ? source.file : `${source.file}:${found.line}:${found.column}`
    }
    const changes: Array<Change & { readonly equals: unknown }> = []
    const results: Array<Result> = []
    for (const test of suite.chosen) {
      const begin = yield* Clock.currentTimeMillis
      const own = ["tests", test.index] as const
      const unrecorded = recorded?.failures.get(test)
      const failures: ReadonlyArray<Failure> =
        unrecorded === undefined ? yield* playTest(suite, test, options["allow-code"]) : [unrecorded]
      const renewed = options.update ? failures.filter(({ actual }) => actual !== undefined) : []
      for (const { actual, path } of renewed) {
        const whole = [...own, ...path] as ReadonlyArray<string | number>
        if (actual !== undefined) changes.push({ path: whole, actual, equals: valueAt(source.value, whole) })
      }
      const faults = failures
        .filter((failure) => !renewed.includes(failure))
        .map((failure) => ({ ...failure, place: at([...own, ...failure.path]) }))
      results.push({
        file: source.file,
        pipeline: suite.pipeline,
        name: test.name,
        place: at([...own, "name"]),
        passed: faults.length === 0,
        millis: (yield* Clock.currentTimeMillis) - begin,
        faults,
        notes: [
          ...(recorded?.notes.get(test) ?? []),
          ...renewed.map(({ path }) => `updated ${path.map(String).join(".")}`)
        ]
      })
    }
    if (changes.length > 0) yield* update(source.file, source.text, changes)
    return results
  })
