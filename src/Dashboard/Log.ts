/** What a run that was started from here has said: its stderr, in a file of its folder. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Ledger, type RunRecord } from "../Run/Ledger.ts"
import { standingOf } from "../Run/Standing.ts"
import { type Log, lively } from "../Web/Dashboard/Protocol/Runs.ts"
import { noRun, type Query, Refusal } from "./Refusal.ts"

/** Bytes given at once. */
const most = 64 * 1024

export const pathIn = (folder: string) => Effect.map(Path.Path, (paths) => paths.join(folder, "run.log"))

const sizeOf = (folder: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const info = yield* Effect.option(files.stat(yield* pathIn(folder)))
    return info._tag === "Some" && info.value.type === "File" ? Number(info.value.size) : undefined
  })

export const isThere = ({ folder }: Pick<RunRecord, "folder">) =>
  Effect.map(sizeOf(folder), (size) => size !== undefined)

/** From a position on; its end without one. */
export const read = (id: string, query: Query) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const { find, history } = yield* Ledger
    const run = yield* find(id)
    if (run === undefined) return yield* noRun(id)
    const size = yield* sizeOf(run.folder)
    if (size === undefined) {
      const reason = `no log of run ${id} was kept: it was not started from here`
      return yield* new Refusal({ status: 404, reason })
    }
    const asked = yield* query.number("after", { most: size, otherwise: Math.max(0, size - most) })
    const bytes = yield* files.stream(yield* pathIn(run.folder), { offset: asked, bytesToRead: most }).pipe(
      Stream.runCollect,
      Effect.map((blocks) => Buffer.concat(Chunk.toReadonlyArray(blocks))),
      Effect.mapError(({ message }) => new Refusal({ status: 503, reason: `the log cannot be read: ${message}` }))
    )
    const alive = (yield* history.alive).has(id)
    return {
      text: bytes.toString("utf8"),
      next: asked + bytes.length,
      isOpen: lively.includes(standingOf(run, alive))
    } satisfies Log
  })
