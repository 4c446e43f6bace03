/**
 * Rows on standard output (`jsonl: "-"`, `csv: "-"`), as they come.
 *
 * - At least once: written bytes cannot be taken back. A resumed run writes the rows after its last commit again.
 * - One writer per standard output. A batch is encoded completely before the first byte is written.
 * - Once the reader has closed its end, rows are dropped and no commit succeeds, so that a resumed run writes them again.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { Stdout } from "../Step/Output.ts"
import { ByteBuffer, type Codec } from "./Codec.ts"
import { encodeParts, type PartProgress } from "./Partition.ts"
import {
  CommitUnreadable,
  type FileError,
  makeGuard,
  NoStdout,
  type SinkError,
  StdoutClosed,
  StdoutTaken,
  WriteFailed
} from "./SinkErrors.ts"
import type { CommittedFile, PartWriter, SinkContext } from "./Writer.ts"

/** Path that stands for standard output. */
const path = "-"

/** Standard outputs in use. */
const taken = new Set<Stdout>()

const unlimited = { rows: Number.POSITIVE_INFINITY, size: Number.POSITIVE_INFINITY }

/** State as saved in {@link CommittedFile}. */
const SavedStdout = Schema.Struct({
  /** State of the codec. */
  format: Schema.optional(Schema.Unknown)
})

const restore = <Item, State>(file: CommittedFile, codec: Codec<Item, State>) =>
  Effect.gen(function* () {
    const { format } = yield* Schema.decodeUnknown(SavedStdout)(file.state)
    const state = yield* codec.restore(format)
    const progress: PartProgress<State> = { seq: 1, rows: file.rows, size: file.offset, state, continues: false }
    return progress
  }).pipe(Effect.mapError((cause) => new CommitUnreadable({ path: "standard output", cause })))

export const open = <Item, State>(
  context: SinkContext,
  codec: Codec<Item, State>
): Effect.Effect<PartWriter<Item>, FileError, Scope.Scope> =>
  Effect.gen(function* () {
    const { stdout } = context
    if (stdout === undefined) return yield* new NoStdout()
    if (taken.has(stdout)) return yield* new StdoutTaken()
    yield* Effect.acquireRelease(
      Effect.sync(() => taken.add(stdout)),
      () => Effect.sync(() => taken.delete(stdout))
    )
    const buffer = new ByteBuffer()
    const file = context.resume?.files.find((each) => each.path === path)
    let progress = file && (yield* restore(file, codec))
    let isClosed = false
    const guard = makeGuard()

    const send = (bytes: Uint8Array): Effect.Effect<void, SinkError> =>
      isClosed
        ? Effect.void
        : Effect.interruptible(stdout(bytes)).pipe(
            Effect.catchAll((cause): Effect.Effect<void, SinkError> => {
              isClosed = "code" in cause && cause.code === "EPIPE"
              return isClosed ? Effect.void : Effect.fail(new WriteFailed({ path: "standard output", cause }))
            })
          )

    const write: PartWriter<Item>["write"] = (items, _, offset = 0) =>
      Effect.suspend((): Effect.Effect<void, SinkError> => {
        if (items.length === 0) return Effect.void
        buffer.rewind(0)
        const before = progress ?? { seq: 1, rows: 0, size: 0, state: codec.begin(false), continues: false }
        const batch = { partition: path, items, indexes: undefined, offset }
        const slices = encodeParts(batch, before, codec, unlimited, buffer)
        if (Either.isLeft(slices)) return slices
        // Copied: the stream may still hold these bytes when the buffer is reused.
        const bytes = Uint8Array.prototype.slice.call(buffer.view(0, buffer.end))
        progress = slices.right.at(-1)?.progress ?? before
        return send(bytes)
      })

    const commit = Effect.suspend((): Effect.Effect<ReadonlyArray<CommittedFile>, SinkError> => {
      if (isClosed) return Effect.fail(new StdoutClosed())
      if (progress === undefined) return Effect.succeed([])
      const format = codec.save(progress.state)
      const state: typeof SavedStdout.Type = format === undefined ? {} : { format }
      return Effect.succeed([{ path, offset: progress.size, rows: progress.rows, state }])
    })

    return {
      write: (items, partitions, offset) => guard(write(items, partitions, offset)),
      commit: guard(commit),
      seal: guard(
        Effect.gen(function* () {
          const { rows, size, state } = progress ?? { rows: 0, size: 0, state: codec.begin(false) }
          const end = Buffer.from(codec.finish(state, progress === undefined))
          if (end.length > 0) yield* send(end)
          if (isClosed) return yield* new StdoutClosed()
          return {
            files: [],
            streams: [{ path, format: codec.format, rows, bytes: size + end.length }],
            stale: [],
            scraps: [],
            warnings: []
          }
        })
      ),
      discard: Effect.void
    }
  })
