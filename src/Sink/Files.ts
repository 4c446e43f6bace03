/** All the files of a sink: what is written to them, and what of it is safe. */
import * as NodePath from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { isBelow, realPath } from "../Permissions/Paths.ts"
import { Permissions, whyNotWritten } from "../Permissions.ts"
import type { Json } from "../Row.ts"
import type { Durable, Place } from "../Sink.ts"
import type { Original } from "../Step/Output.ts"
import { onEach } from "./Each.ts"
import { type FileError, OutputRefused } from "./Errors.ts"
import { type Beginning, GrowingFile } from "./File.ts"
import type { Format } from "./Format.ts"
import { Handles } from "./Handles.ts"
import { resolve } from "./Path.ts"
import type { Draft } from "./Plan.ts"
import { syncFolder } from "./Publish.ts"
import type { Route } from "./Route.ts"

/** A file of the run. */
export interface Part<State> {
  /** Its path but for `{seq}`. */
  readonly of: string
  readonly file: GrowingFile
  /** What it is appended to. Null: there must be nothing under its name; undefined: whatever is there will be replaced. */
  readonly original: Original | null | undefined
  draft: Draft<State>
}

/** What has to be known of a part beside what {@link Durable} says of every file. Plain JSON. */
interface Kept {
  readonly of: string
  readonly seq: number
  readonly size: number
  readonly original?: Original | null
  readonly format?: Json
}

/** Bytes that wait to be compressed, over all files. */
const mostWaiting = 1 << 25

export const make = <Item, State>(
  fs: FileSystem.FileSystem,
  route: Route,
  place: Place,
  format: Format<Item, State>
) => {
  const handles = new Handles(fs)
  const { mayBeHeld } = place
  const surroundings = { fs, handles, runId: place.names.runId, gzip: route.gzip, mayBeHeld }
  const all = new Map<string, Part<State>>()
  const durables = new Map<string, Durable>()
  const dirty = new Set<Part<State>>()
  const newFolders = new Set<string>()

  /** Folders that values may not lead out of, also not by a link. */
  const bounds = [place.within, route.partitioned ? route.prefix : undefined].filter((each) => each !== undefined)

  /** Judged when the file is opened: only then it is known which links are there. */
  const ensureAllowed = (path: string): Effect.Effect<void, OutputRefused> =>
    Effect.flatMap(Permissions, (permissions) => {
      const left = bounds.find((folder) => !isBelow(realPath(path), realPath(folder)))
      const reason =
        left === undefined
          ? whyNotWritten(permissions, path, place.folder)
          : `the path leads out of ${left}, to ${realPath(path)}`
      return reason === undefined ? Effect.void : new OutputRefused({ path, reason })
    })

  const open = (of: string, original: Part<State>["original"], draft: Draft<State>, beginning: Beginning) => {
    const path = resolve(of, place.folder, draft.seq)
    const opened = GrowingFile.open(path, surroundings, beginning, (file) => {
      const part: Part<State> = { of, original, file, draft }
      all.set(file.path, part)
      return part
    })
    return Effect.zipRight(ensureAllowed(path), opened)
  }

  /** Makes a file, with nothing in it but what it is appended to. */
  const begin = (of: string, original: Part<State>["original"], draft: Draft<State>, beginning: Beginning) =>
    Effect.tap(open(of, original, draft, beginning), (part) => {
      newFolders.add(NodePath.dirname(part.file.target))
      dirty.add(part)
    })

  /** Opens a file where the interrupted run had it safe. */
  const restore = (durable: Durable): Effect.Effect<Part<State>, FileError> => {
    const { of, original, seq, size, format: kept } = durable.state as unknown as Kept
    const { offset, rows } = durable
    return Effect.tap(
      open(of, original, { seq, rows, size, state: format.restore(kept) }, { kind: "resume", offset, rows }),
      (part) => {
        durables.set(part.file.path, durable)
      }
    )
  }

  const append = (part: Part<State>, bytes: Uint8Array): Effect.Effect<void, FileError> => {
    dirty.add(part)
    return part.file.write(bytes)
  }

  /** Keeps what waits to be compressed within bounds. */
  const relieve: Effect.Effect<void, FileError> = Effect.suspend(() => {
    let waiting = 0
    for (const { file } of dirty) waiting += file.waiting
    return waiting < mostWaiting ? Effect.void : onEach(dirty, ({ file }) => file.flush)
  })

  const sync = (part: Part<State>) =>
    Effect.map(part.file.sync(part.draft.rows), (offset) => {
      const { rows, seq, size, state } = part.draft
      const kept: Kept = {
        of: part.of,
        seq,
        size,
        ...(part.original === undefined ? {} : { original: part.original }),
        ...(format.keep(state) === undefined ? {} : { format: format.keep(state) as Json })
      }
      durables.set(part.file.path, { path: part.file.path, offset, rows, state: kept as unknown as Json })
    })

  const commit: Effect.Effect<ReadonlyArray<Durable>, FileError> = Effect.suspend(() => onEach(dirty, sync)).pipe(
    Effect.zipRight(Effect.suspend(() => onEach(newFolders, (folder) => syncFolder(fs, folder)))),
    Effect.map(() => {
      dirty.clear()
      newFolders.clear()
      return [...durables.values()]
    }),
    Effect.uninterruptible
  )

  const each = (work: (file: GrowingFile) => Effect.Effect<void>) =>
    Effect.suspend(() => Effect.forEach(all.values(), ({ file }) => work(file), { discard: true }))

  return {
    all: all as ReadonlyMap<string, Part<State>>,
    begin,
    restore,
    append,
    relieve,
    commit,
    closeHandles: handles.closeAll,
    /** Handles only; the files stay. */
    close: Effect.zipRight(
      handles.closeAll,
      each((file) => file.release)
    ),
    discard: each((file) => file.discard)
  }
}

export type Files<Item, State> = ReturnType<typeof make<Item, State>>
