/** A test run through the real thing: the service of the settings or the local engine, with a recorder on the wire. */
import * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Connection from "../../Client/Connection.ts"
import { type Secret, shortest } from "../../Client/Recording/Mask.ts"
import * as Record from "../../Client/Recording/Record.ts"
import * as Transport from "../../Client/Transport.ts"
import * as Client from "../../Client.ts"
import { markOf, type Test } from "../../Pipeline/Test.ts"
import { play } from "../../Run/Test/PipelineTest.ts"
import { ensure } from "../Abilities.ts"
import type { Values } from "../Profile.ts"
import * as Service from "../Run/Service.ts"
import { scopeOf } from "../Scope.ts"
import type { Terminal } from "../Terminal.ts"

/** Nothing is written unless it holds no secret, whatever a page has made of one. */
const leaks = (recording: unknown, secrets: ReadonlyArray<Secret>): Secret | undefined => {
  const text = JSON.stringify(recording)
  return secrets.find(({ value }) => value.length >= shortest && text.includes(value))
}

/** What was recorded, and how the run ended; a text is why there is no recording. */
export const record = Effect.fn("Test.record")(
  function* (test: Test, settings: Values, dataDir: string, env: Terminal["env"], allowCode: boolean) {
    const { frame } = test.checked
    const served = { ...test.checked, frame: test.site === undefined ? frame : { ...frame, site: test.site } }
    yield* ensure(served, settings, env)
    const { service, site } = yield* Service.start(served, settings, dataDir)
    const checked = site === undefined ? test.checked : yield* test.checkAt(site)
    const recorder = Record.make(yield* HttpClient.HttpClient, { service: service.baseUrl.replace(/\/+$/, ""), site })
    const used = new Map<string, Secret>()
    const scope = scopeOf(env)
    const secrets = (name: string) => {
      const secret = scope.secrets(name)
      if (secret !== undefined) used.set(name, { value: Redacted.value(secret), mark: markOf(name) })
      return secret
    }
    const client = Layer.provide(
      Client.layer,
      Layer.provide(Connection.layerHttpClient(service), Layer.succeed(HttpClient.HttpClient, recorder.client))
    )
    // A service that is told the same key again would give the jobs of the last recording.
    const seed = yield* Random.next
    const played = yield* play({ ...test, checked }, { client: () => client, site, secrets, seed, allowCode })
    const short = [...used].find(([, { value }]) => value.length < shortest)?.[0]
    if (short !== undefined) {
      const reason = `the secret ${short} has less than ${shortest} characters, and cannot be told from other text: record with a longer one`
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
          reason: `it would hold ${leak.mark.slice(1, -1)} in a form that cannot be masked`
        }
  },
  Effect.scoped,
  Effect.provide(Transport.layer)
)
