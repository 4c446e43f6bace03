/**
 * Runs one test of a pipeline and compares the result with what the test expects.
 *
 * It is a real run with an in-memory ledger and its own output folder. It may read any file, but writes only in that folder. Steps whose
 * rows the test gives are not run.
 */

import * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Random from "effect/Random"
import type { InvalidBaseUrl } from "../../Client/ClientErrors.ts"
import * as Connection from "../../Client/Connection.ts"
import * as Outbound from "../../Client/Outbound.ts"
import * as Replay from "../../Client/Recording/Replay.ts"
import type { Recording } from "../../Client/Recording.ts"
import * as Client from "../../Client.ts"
import * as Database from "../../Database.ts"
import { migrations } from "../../Ledger/Schema.ts"
import type { Ledger } from "../../Ledger.ts"
import { over } from "../../Ledger.ts"
import { markedSecrets, type Test } from "../../Pipeline/Test.ts"
import type { Row as Written } from "../../Pipeline/TestFile.ts"
import type { Row } from "../../Row.ts"
import * as Run from "../../Run.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import * as TestClock from "./TestClock.ts"
import type { Played } from "./WrittenOutputs.ts"
import * as WrittenOutputs from "./WrittenOutputs.ts"

const database = Layer.orDie(Database.memory({ parts: { ledger: migrations }, pragmas: [] }))

export const ledger: Layer.Layer<Ledger, never, FileSystem.FileSystem> = Layer.provide(
  over(":memory:"),
  Layer.fresh(database)
)

/** Makes a row from its fields; `$key` and `$source` among them set its key and source. */
const toRow = (written: Written, position: number): Row => {
  const { $key, $source, ...data } = written
  return {
    data,
    position,
    ...(typeof $key === "string" ? { key: $key } : {}),
    ...(Predicate.isReadonlyRecord($source) ? { source: $source } : {})
  }
}

/**
 * Rows that replace the output of steps: those that the test gives, and no rows for steps that nothing reads any more, so that these steps
 * make no calls.
 */
export const insteadOf = ({ checked, expect, instead }: Test): ReadonlyMap<string, ReadonlyArray<Row>> => {
  const given = new Map([...instead].map(([id, rows]) => [id, rows.map(toRow)] as const))
  const flowing = checked.nodes.filter(({ step }) => step.behaviour.kind !== "value")
  for (const { id, step } of flowing.toReversed()) {
    const readers = flowing.filter(({ inputs }) => inputs.includes(id))
    const isWatched = expect.rows?.[id] !== undefined || step.behaviour.kind === "sink" || readers.length === 0
    if (!isWatched && !given.has(id) && readers.every((reader) => given.has(reader.id))) given.set(id, [])
  }
  return given
}

/** File system that refuses every change outside the folder. */
export const layer = (folder: string): Layer.Layer<FileSystem.FileSystem, never, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(
    FileSystem.FileSystem,
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const paths = yield* Path.Path
      const isInside = (path: string): boolean => {
        const near = paths.relative(folder, paths.resolve(path))
        return near !== ".." && !near.startsWith(`..${paths.sep}`) && !paths.isAbsolute(near)
      }
      /** Makes the call, unless it would change something outside the folder. */
      const guard = <A>(
        method: string,
        changed: ReadonlyArray<string>,
        call: Effect.Effect<A, PlatformError.PlatformError>
      ): Effect.Effect<A, PlatformError.PlatformError> => {
        const stray = changed.find((path) => !isInside(path))
        return stray === undefined
          ? call
          : Effect.fail(
              new PlatformError.SystemError({
                reason: "PermissionDenied",
                module: "FileSystem",
                method,
                pathOrDescriptor: stray,
                description: `a test writes only below its own folder: give a relative path instead of ${stray}`
              })
            )
      }
      return FileSystem.make({
        ...files,
        chmod: (path, mode) => guard("chmod", [path], files.chmod(path, mode)),
        chown: (path, uid, gid) => guard("chown", [path], files.chown(path, uid, gid)),
        copy: (from, to, options) => guard("copy", [to], files.copy(from, to, options)),
        copyFile: (from, to) => guard("copyFile", [to], files.copyFile(from, to)),
        link: (from, to) => guard("link", [from, to], files.link(from, to)),
        makeDirectory: (path, options) =>
          // Creating an existing folder changes nothing.
          Effect.flatMap(
            Effect.orElseSucceed(files.exists(path), () => false),
            (there) => (there ? Effect.void : guard("makeDirectory", [path], files.makeDirectory(path, options)))
          ),
        open: (path, options) =>
          options?.flag === undefined || options.flag === "r"
            ? files.open(path, options)
            : Effect.zipRight(guard("open", [path], Effect.void), files.open(path, options)),
        remove: (path, options) => guard("remove", [path], files.remove(path, options)),
        rename: (from, to) => guard("rename", [from, to], files.rename(from, to)),
        symlink: (from, to) => guard("symlink", [to], files.symlink(from, to)),
        truncate: (path, length) => guard("truncate", [path], files.truncate(path, length)),
        utimes: (path, atime, mtime) => guard("utimes", [path], files.utimes(path, atime, mtime)),
        writeFile: (path, data, options) => guard("writeFile", [path], files.writeFile(path, data, options))
      })
    })
  )

/** Services and environment of a test run. */
export interface Stage {
  readonly client: (runId: string) => Layer.Layer<Client.Client, InvalidBaseUrl>
  readonly site: string | undefined
  readonly secrets: Run.RunOptions["secrets"]
  /** Seed for the run's id and its random numbers. */
  readonly seed: unknown
  /** True if code of the project may run (`use`). */
  readonly allowCode: boolean
}

/** Runs the pipeline of a test in a temporary folder, which is removed afterwards. */
export const play = Trace.fn("PipelineTest.play")(function* (test: Test, stage: Stage) {
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
    // Not a trial: the temporary folder already protects the outputs of real runs.
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
    Effect.provide(Layer.merge(stage.client(run.id), ledger)),
    Effect.provide(layer(folder))
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
    outputs: yield* WrittenOutputs.read(summary.outputs, out, checked),
    rejects: yield* WrittenOutputs.rejects(summary.rejectFile)
  }
  return played
}, Effect.scoped)

/** Stage whose only service is the recording. */
const recorded = (replayer: Replay.Replayer, allowCode: boolean): Stage => ({
  allowCode,
  client: (runId) => {
    const recorded = replayer.client(runId)
    const connection = Connection.layerHttpClient({ baseUrl: replayer.service })
    return Layer.merge(
      Layer.provide(Client.layer, Layer.provide(connection, Layer.succeed(HttpClient.HttpClient, recorded))),
      Outbound.layer({ through: () => recorded })
    )
  },
  site: Replay.nowhere.site,
  secrets: markedSecrets,
  seed: "the same for every test"
})

/** Time limit of a test: a longer one waits for something that will never happen. */
const testTimeout = "60 seconds"

/** Runs the pipeline against its recording, without network and with a clock that skips waits. */
export const replay = Trace.fn("PipelineTest.replay")(function* (
  test: Test,
  recording: Recording | undefined,
  allowCode: boolean
) {
  const replayer = Replay.make(recording, test.now)
  const played = yield* play(test, recorded(replayer, allowCode)).pipe(
    Effect.withClock(TestClock.make(test.now)),
    Effect.timeoutOption(testTimeout),
    Effect.map(Option.getOrUndefined)
  )
  return { played, missing: replayer.missing(), unused: replayer.unused() }
})
