/**
 * Rows on standard output (`jsonl: "-"`, `csv: "-"`), as they come.
 *
 * - At least once: what was written cannot be cut back. A resumed run writes the rows behind its last commit again.
 * - One writer for each run. A chunk is encoded as a whole before a byte of it is handed over.
 * - Once the reader has closed its end, rows are dropped and no commit succeeds, so that a resumed run writes them again.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import type { Json } from "../Row.ts"
import type { Durable, Place } from "../Sink.ts"
import type { Stdout } from "../Step/Output.ts"
import { type Format, Scratch } from "./Codec.ts"
import { type Draft, plan } from "./Partition.ts"
import type { Parts } from "./Parts.ts"
import {
  type FileError,
  isRowError,
  NoStdout,
  type SinkError,
  StdoutClosed,
  StdoutTaken,
  WriteFailed
} from "./SinkErrors.ts"
/** The path that stands for it. */
export const path = "-"

/** Standard outputs that a run writes to now. */
const taken = new Set<Stdout>()

const all = { rows: Number.POSITIVE_INFINITY, size: Number.POSITIVE_INFINITY }

interface Kept {
  readonly format?: Json | undefined
}

const restored = <Item, State>(durable: Durable, format: Format<Item, State>): Draft<State> => ({
  seq: 1,
  rows: durable.rows,
  size: durable.offset,
  state: format.restore((durable.state as unknown as Kept).format)
})

export const open = <Item, State>(
  place: Place,
  format: Format<Item, State>
): Effect.Effect<Parts<Item>, FileError, Scope.Scope> =>
  Effect.gen(function* () {
    const { stdout } = place
    if (stdout === undefined) return yield* new NoStdout()
    if (taken.has(stdout)) return yield* new StdoutTaken()
    yield* Effect.acquireRelease(
      Effect.sync(() => taken.add(stdout)),
      () => Effect.sync(() => taken.delete(stdout))
    )
    const scratch = new Scratch()
    const durable = place.resume?.files.find((file) => file.path === path)
    let draft: Draft<State> | undefined = durable && restored(durable, format)
    let isClosed = false
    let broken: SinkError | undefined

    const hand = (bytes: Uint8Array): Effect.Effect<void, SinkError> =>
      isClosed
        ? Effect.void
        : Effect.interruptible(stdout(bytes)).pipe(
            Effect.catchAll((cause): Effect.Effect<void, SinkError> => {
              isClosed = "code" in cause && cause.code === "EPIPE"
              return isClosed ? Effect.void : Effect.fail(new WriteFailed({ path: "standard output", cause }))
            })
          )

    const guard = <A>(effect: Effect.Effect<A, SinkError>): Effect.Effect<A, SinkError> =>
      Effect.suspend((): Effect.Effect<A, SinkError> => (broken === undefined ? effect : Effect.fail(broken))).pipe(
        Effect.tapError((error) =>
          Effect.sync(() => {
            if (!isRowError(error)) broken = error
          })
        )
      )

    const write: Parts<Item>["write"] = (items, _, shift = 0) =>
      Effect.suspend((): Effect.Effect<void, SinkError> => {
        if (items.length === 0) return Effect.void
        scratch.rewind(0)
        const before = draft ?? { seq: 1, rows: 0, size: 0, state: format.begin(false) }
        const slices = plan({ of: path, items, indexes: undefined, shift }, before, format, all, scratch)
        if (Either.isLeft(slices)) return slices
        // The memory is written into again while the stream may still hold these.
        const bytes = Uint8Array.prototype.slice.call(scratch.view(0, scratch.end))
        draft = slices.right.at(-1)?.draft ?? before
        return hand(bytes)
      })

    const commit = Effect.suspend((): Effect.Effect<ReadonlyArray<Durable>, SinkError> => {
      if (isClosed) return Effect.fail(new StdoutClosed())
      if (draft === undefined) return Effect.succeed([])
      const kept = format.keep(draft.state)
      const state = (kept === undefined ? {} : { format: kept }) as unknown as Json
      return Effect.succeed([{ path, offset: draft.size, rows: draft.rows, state }])
    })

    return {
      write: (items, of, shift) => guard(write(items, of, shift)),
      commit: guard(commit),
      seal: guard(
        Effect.gen(function* () {
          const head = draft === undefined ? Buffer.from(format.empty()) : Buffer.alloc(0)
          if (head.length > 0) yield* hand(head)
          if (isClosed) return yield* new StdoutClosed()
          const { rows, size } = draft ?? { rows: 0, size: head.length }
          return {
            files: [],
            streams: [{ path, format: format.name, rows, bytes: size }],
            stale: [],
            scraps: [],
            warnings: []
          }
        })
      ),
      discard: Effect.void
    }
  })
