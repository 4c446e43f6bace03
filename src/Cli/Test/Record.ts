/** `sluice test --record`: runs tests against the real service and writes their recordings. */
import * as HttpClient from "@effect/platform/HttpClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Connection from "../../Client/Connection.ts"
import * as Outbound from "../../Client/Outbound.ts"
import { minLength, type Secret } from "../../Client/Recording/Mask.ts"
import * as Record from "../../Client/Recording/Record.ts"
import { merge } from "../../Client/Recording/Record.ts"
import * as Recording from "../../Client/Recording.ts"
import * as Client from "../../Client.ts"
import { Permissions } from "../../Permissions.ts"
import { markOf, permissionsOf, type Test } from "../../Pipeline/Test.ts"
import { expectedStatus, type Failure } from "../../Run/Test/Assertions.ts"
import { play } from "../../Run/Test/PipelineTest.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { readPlaces, type SettingValues } from "../CommandSettings.ts"
import { count, place } from "../Format.ts"
import { requireCapabilities, startService } from "../Service.ts"
import type { Terminal } from "../Terminal.ts"
import { scopeOf } from "../Trust.ts"
import type { Recorded, Suite } from "./Play.ts"

/** A secret that the masked recording still contains; undefined if there is none. A recording with a secret is not written. */
const leaks = (recording: unknown, secrets: ReadonlyArray<Secret>): Secret | undefined => {
  const text = JSON.stringify(recording)
  return secrets.find(({ value }) => value.length >= minLength && text.includes(JSON.stringify(value).slice(1, -1)))
}

/** Records one test, and returns how its run ended; `reason` says why there is no recording. */
export const record = Trace.fn("Test.record")(function* (
  test: Test,
  settings: SettingValues,
  dataDir: string,
  env: Terminal["env"],
  allowCode: boolean
) {
  const { frame } = test.checked
  const served = { ...test.checked, frame: test.site === undefined ? frame : { ...frame, site: test.site } }
  yield* requireCapabilities(served, settings, env)
  const { service, site } = yield* startService(served, settings, dataDir)
  const checked = site === undefined ? test.checked : yield* test.checkAt(site)
  const http = Context.get(yield* Layer.build(Connection.layerTransport(service)), HttpClient.HttpClient)
  const recorder = Record.make({ service: service.baseUrl.replace(/\/+$/, ""), site })
  const used = new Map<string, Secret>()
  const scope = scopeOf(env)
  const secrets = (name: string) => {
    const secret = scope.secrets(name)
    if (secret !== undefined) used.set(name, { value: Redacted.value(secret), mark: markOf(name) })
    return secret
  }
  const recorded = Layer.succeed(HttpClient.HttpClient, recorder.over(http))
  const client = Layer.merge(
    Layer.provide(Client.layer, Layer.provide(Connection.layerHttpClient(service), recorded)),
    Outbound.layer({ allowNetworks: settings.allowNetworks, site, through: recorder.over })
  )
  // A new seed gives new idempotency keys: with the old ones, a service would return the jobs of the last recording.
  const seed = yield* Random.next
  const played = yield* play({ ...test, checked }, { client: () => client, site, secrets, seed, allowCode })
  const short = [...used].find(([, { value }]) => value.length < minLength)?.[0]
  if (short !== undefined) {
    const reason = `the secret ${short} has less than ${minLength} characters, which is too short to find and remove in recordings: record with a longer secret`
    return { played, recording: undefined, reason }
  }
  const known = [...used.values()]
  if (service.apiKey !== undefined) known.push({ value: Redacted.value(service.apiKey), mark: "{key}" })
  const recording = recorder.recording(known, played.runId)
  const leak = leaks(recording, known)
  return leak === undefined
    ? { played, recording, reason: undefined }
    : {
        played,
        recording: undefined,
        reason: `the recording would contain ${leak.mark.slice(1, -1)} in a form that cannot be masked`
      }
}, Effect.scoped)

interface RecordOptions {
  readonly "allow-code": boolean
  readonly data: string | undefined
  readonly profile: string | undefined
}

/** Records all chosen tests. A recording that several tests share keeps the requests of tests that are not run now. */
export const recordAll = Trace.fn("Test.recordAll")(function* (
  suites: ReadonlyArray<Suite>,
  options: RecordOptions,
  terminal: Terminal
) {
  const { dataDir, settings } = yield* readPlaces(options, terminal.env)
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
