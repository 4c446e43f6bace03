/** `--record`: every test that has a recording is run through the real thing first, and its recording written anew. */
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { merge } from "../../Client/Recording/Record.ts"
import * as Recording from "../../Client/Recording.ts"
import { Permissions } from "../../Permissions.ts"
import { permissionsOf, type Test } from "../../Pipeline/Test.ts"
import type { Failure } from "../../Run/Test/Assertions.ts"
import * as Profile from "../Profile.ts"
import type { Terminal } from "../Terminal.ts"
import type { TestParameters } from "../Test.ts"
import { count, place } from "../Words.ts"
import { record } from "./Record.ts"
import type { Suite } from "./Suite.ts"

/** What came of it, by test. */
export interface Recorded {
  /** Why there is no new recording; the test fails then. */
  readonly failures: ReadonlyMap<Test, Failure>
  readonly notes: ReadonlyMap<Test, ReadonlyArray<string>>
}

const expectedStatus = ({ expect }: Test) => expect.status ?? (expect.error === undefined ? "completed" : "failed")

/** A recording that several tests share holds what each of them asks for; what those not run now ask for is kept. */
export const recordAll = Effect.fn("Test.recordAll")(function* (
  suites: ReadonlyArray<Suite>,
  options: TestParameters,
  terminal: Terminal
) {
  const paths = yield* Path.Path
  const settings = yield* Profile.read(terminal.env, options.profile)
  const dataDir = paths.resolve(options.data ?? settings.dataDir)
  const failures = new Map<Test, Failure>()
  const notes = new Map<Test, ReadonlyArray<string>>()
  const chosen = suites.flatMap((suite) => suite.chosen)
  const fileOf = new Map(suites.flatMap(({ chosen, source }) => chosen.map((test) => [test, source.file] as const)))
  const left = suites.flatMap(({ chosen, tests }) => tests.filter((test) => !chosen.includes(test)))
  const fresh = new Map<string, Recording.Recording>()
  for (const test of chosen) {
    const file = test.recording
    if (file === undefined) continue
    terminal.err.status(`recording ${test.name} …`)
    const path = ["given", "recording"]
    const standing = yield* Effect.either(Recording.read(file))
    if (standing._tag === "Left") {
      const message = `${place(file)} is not a recording, and is not overwritten (${standing.left.reason}): name another file, or remove this one`
      failures.set(test, { path, message })
      continue
    }
    const { played, reason, recording } = yield* Effect.provideServiceEffect(
      record(test, settings, dataDir, terminal.env, options["allow-code"]),
      Permissions,
      permissionsOf(fileOf.get(test) ?? "")
    )
    const wanted = expectedStatus(test)
    if (recording === undefined) {
      failures.set(test, { path, message: `nothing was recorded: ${reason}` })
    } else if (played.status !== wanted) {
      const message = `nothing was recorded: the run should be ${wanted}, and it is ${played.status}${played.error === undefined ? "" : `: ${played.error}`}`
      failures.set(test, { path, message })
    } else {
      const isShared = left.some((each) => each.recording === file)
      const older = fresh.get(file) ?? (isShared ? standing.right : undefined)
      const merged = merge(older, recording)
      fresh.set(file, merged)
      yield* Recording.write(file, merged)
      notes.set(test, [`recorded ${count(recording.exchanges.length, "answer")} in ${place(file)}`])
    }
  }
  terminal.err.status("")
  const recorded: Recorded = { failures, notes }
  return recorded
}, Logger.withMinimumLogLevel(LogLevel.None))
