/** One test of a pipeline, carried out: the run in a folder of its own, and what came of it held against what is expected. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Connection from "../Client/Connection.ts"
import type { InvalidBaseUrl } from "../Client/Errors.ts"
import * as Replay from "../Client/Recording/Replay.ts"
import type { Recording } from "../Client/Recording.ts"
import * as Client from "../Client.ts"
import { markedSecrets, type Test } from "../Pipeline/Test.ts"
import type { Row } from "../Row.ts"
import * as Run from "../Run.ts"
import * as Clock from "./Rehearsal/Clock.ts"
import * as Confined from "./Rehearsal/Confined.ts"
import { insteadOf } from "./Rehearsal/Given.ts"
import * as Memory from "./Rehearsal/Memory.ts"
import * as Outputs from "./Rehearsal/Outputs.ts"
import type { Played } from "./Rehearsal/Played.ts"

/** Service and environment of the run. */
export interface Stage {
  readonly client: (runId: string) => Layer.Layer<Client.Client, InvalidBaseUrl>
  readonly site: string | undefined
  readonly secrets: Run.RunOptions["secrets"]
  /** What the run's id and its random numbers are drawn from. */
  readonly seed: unknown
  /** Whether code of the project may run (`use`). */
  readonly allowCode: boolean
}

/** Runs the pipeline as the test says; nothing of it stays, and nothing of the user's is touched. */
export const play = Effect.fn("Rehearsal.play")(function* (test: Test, stage: Stage) {
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const folder = yield* Effect.orDie(files.makeTempDirectoryScoped({ prefix: "sluice-test-" }))
  const out = paths.join(folder, "out")
  yield* Effect.orDie(files.makeDirectory(out))
  const rows = new Map<string, Array<Row>>()
  const { checked, env, limit, now } = test
  const run = yield* Run.make(checked, {
    out,
    dataDir: paths.join(folder, "data"),
    env,
    secrets: stage.secrets,
    wanted: limit,
    // It has a folder of its own, and refuses paths that lead out of it.
    trial: false,
    stdout: () => Effect.void,
    site: stage.site,
    now,
    instead: insteadOf(test),
    allowCode: stage.allowCode,
    observe: (step, more) =>
      Effect.sync(() => {
        const known = rows.get(step)
        if (known === undefined) rows.set(step, [...more])
        else for (const row of more) known.push(row)
      })
  }).pipe(Effect.withRandom(Random.make(stage.seed)))
  const ended = yield* Effect.either(run.execute).pipe(
    Effect.provide(Layer.merge(stage.client(run.id), Memory.ledger)),
    Effect.provide(Confined.layer(folder))
  )
  const summary = Either.isRight(ended) ? ended.right : ended.left.summary
  const played: Played = {
    runId: run.id,
    site: stage.site,
    status: summary.status,
    error: Either.isLeft(ended) ? ended.left.message : undefined,
    credits: summary.credits,
    inputs: checked.inputs,
    rows,
    outputs: yield* Outputs.read(summary.outputs, out, checked),
    rejects: yield* Outputs.rejects(summary.rejectFile)
  }
  return played
}, Effect.scoped)

/** A stage on which only the recording answers. */
const recorded = (replayer: Replay.Replayer, allowCode: boolean): Stage => ({
  allowCode,
  client: (runId) =>
    Layer.provide(
      Client.layer,
      Layer.provide(
        Connection.layerHttpClient({ baseUrl: replayer.service }),
        Layer.succeed(HttpClient.HttpClient, replayer.client(runId))
      )
    ),
  site: Replay.nowhere.site,
  secrets: markedSecrets,
  seed: "the same for every test"
})

/** A test that does not end has lost its way: what it waits for will not come. */
const patience = "60 seconds"

/** Runs the pipeline against its recording: without network, and with a clock that skips waits. */
export const replay = Effect.fn("Rehearsal.replay")(function* (
  test: Test,
  recording: Recording | undefined,
  allowCode: boolean
) {
  const replayer = Replay.make(recording, test.now)
  const played = yield* play(test, recorded(replayer, allowCode)).pipe(
    Effect.withClock(Clock.make(test.now)),
    Effect.timeoutOption(patience),
    Effect.map(Option.getOrUndefined)
  )
  return { played, missing: replayer.missing(), unused: replayer.unused() }
})
