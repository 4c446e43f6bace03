/** Runs pipelines in a folder, with a look at the disk before each name that changes. */
import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Connection from "../../src/Client/Connection.ts"
import * as Client from "../../src/Client.ts"
import { Ledger } from "../../src/Ledger.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { noService } from "../../src/Run/LocalSite.ts"
import { optionsOf, type RunOptions } from "../../src/Run/RunSpec.ts"
import * as Run from "../../src/Run.ts"
import { Manifest } from "../../src/Sink/Manifest.ts"
import { layer } from "../Ledger/Fresh.ts"

interface Options extends Pick<RunOptions, "wanted"> {
  readonly resume?: string | undefined
  /** Called before each name that changes. */
  readonly before?: ((path: string) => void) | undefined
}

/** Runs a pipeline in a folder, or resumes a run of it there. */
export const carryOut = (folder: string, definition: string, { before = () => {}, resume, ...options }: Options = {}) =>
  Effect.gen(function* () {
    const scope = { env: {}, secrets: () => undefined }
    const source = yield* parseText(`${folder}/p.yaml`, folder, definition)
    const checked = yield* check(source, { ...scope, inputs: {}, complete: true })
    const dataDir = `${folder}/data`
    const record = resume === undefined ? undefined : yield* Effect.flatMap(Ledger, ({ find }) => find(resume))
    const made = yield* Run.make(checked, {
      ...scope,
      ...options,
      dataDir,
      out: `${folder}/out`,
      ...(record === undefined ? {} : { ...optionsOf(record), out: `${folder}/out` })
    })
    const files = yield* FileSystem.FileSystem
    // One change at a time: a copy is made while no other name changes.
    const turn = yield* Effect.makeSemaphore(1)
    const seen = <A, E>(path: string, effect: Effect.Effect<A, E>) =>
      path.startsWith(`${folder}/out`)
        ? turn.withPermits(1)(
            Effect.zipRight(
              Effect.sync(() => before(path)),
              effect
            )
          )
        : effect
    const watched: FileSystem.FileSystem = {
      ...files,
      rename: (from, to) => seen(to, files.rename(from, to)),
      remove: (path, options) => seen(path, files.remove(path, options))
    }
    const summary = yield* Effect.provideService(made.execute, FileSystem.FileSystem, watched)
    return { id: made.id, summary }
  }).pipe(
    Effect.provide(Layer.provide(Client.layer, Connection.layer(noService))),
    Effect.provide(layer(`${folder}/data`)),
    Effect.provide(NodeContext.layer),
    Effect.withClock(Clock.make())
  )

const decode = Schema.decodeUnknownSync(Schema.parseJson(Manifest))

/** The manifest of a folder; undefined without one. */
export const manifestIn = (folder: string): Manifest | undefined => {
  const path = join(folder, "_manifest.json")
  return existsSync(path) ? decode(readFileSync(path, "utf8")) : undefined
}

/** Entries of the folder's manifest whose file is missing, or is another one. */
export const wrongEntries = (folder: string): ReadonlyArray<string> =>
  (manifestIn(folder)?.files ?? []).flatMap(({ bytes, path, sha256 }) => {
    const file = join(folder, path)
    if (!existsSync(file)) return [`${path} is missing`]
    const content = readFileSync(file)
    const isSame = content.length === bytes && createHash("sha256").update(content).digest("hex") === sha256
    return isSame ? [] : [`${path} is another file`]
  })
