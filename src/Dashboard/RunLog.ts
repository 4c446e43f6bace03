/** Log of a run, read in pieces. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { fileErrorReason } from "../Files/FileErrors.ts"
import type { RunRecord } from "../Ledger/Model.ts"
import { Ledger } from "../Ledger.ts"
import { pathIn } from "../Run/RunLog.ts"
import type { Log } from "../Web/Dashboard/RunProtocol.ts"
import { noRun, type Query, Refusal } from "./Request.ts"

/** Bytes of a response. */
const most = 64 * 1024

const sizeOf = (path: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const info = yield* Effect.option(files.stat(path))
    return info._tag === "Some" && info.value.type === "File" ? Number(info.value.size) : undefined
  })

export const isThere = ({ folder }: Pick<RunRecord, "folder">) =>
  Effect.map(Effect.flatMap(pathIn(folder), sizeOf), (size) => size !== undefined)

const bytesOf = (path: string, offset: number, bytesToRead: number) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const blocks = yield* Stream.runCollect(files.stream(path, { offset, bytesToRead }))
    return Buffer.concat(Chunk.toReadonlyArray(blocks))
  })

/** Number of bytes at the end that are an incomplete UTF-8 character; the next piece begins with them. */
const incompleteBytes = (bytes: Buffer): number => {
  const last = bytes.subarray(-3)
  for (let back = 1; back <= last.length; back++) {
    const byte = last[last.length - back] ?? 0
    if (byte >> 6 === 0b10) continue
    const length = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    return length > back ? back : 0
  }
  return 0
}

/** The log from a position (`after`) on; without one its last 64 KB, from a whole line on. */
export const read = (id: string, query: Query) =>
  Effect.gen(function* () {
    const { find } = yield* Ledger
    const run = yield* find(id)
    if (run === undefined) return yield* noRun(id)
    const path = yield* pathIn(run.folder)
    const size = yield* sizeOf(path)
    if (size === undefined) {
      const reason = `run ${id} has no log in ${run.folder} on this machine`
      return yield* new Refusal({ status: 404, reason })
    }
    const end = Math.max(0, size - most)
    const from = yield* query.number("after", { most: size, otherwise: end })
    const bytes = yield* Effect.mapError(
      bytesOf(path, from, most),
      (cause) => new Refusal({ status: 503, reason: `the log ${path} cannot be read: ${fileErrorReason(cause)}` })
    )
    const whole = bytes.subarray(0, bytes.length - incompleteBytes(bytes))
    const text = whole.toString()
    return {
      text: query.text("after") === undefined && end > 0 ? text.slice(text.indexOf("\n") + 1) : text,
      next: from + whole.length,
      isMore: whole.length > 0 && from + bytes.length < size
    } satisfies Log
  })
