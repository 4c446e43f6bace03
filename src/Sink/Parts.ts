/**
 * Parts of a sink: the partial files of a run, from the first row until only their final names are missing.
 *
 * - A partition (the path filled with a row's values) has one current part; with `{seq}` in the path, `roll` begins further ones. Every
 *   part of the run stays known until the end, because `seal` finishes all of them.
 * - `write` encodes and splits a whole batch before the first byte goes to a file: a refused row changes nothing. It is uninterruptible.
 * - `commit` syncs the parts that changed, and the folders that are new. Its result is all that a resumed run needs.
 * - After a failed write the content of the file is unknown: every later call fails with the same error, and nothing more is committed. The
 *   run ends, and a resume continues from the last commit.
 * - `seal` commits the rows, then finishes the files: footers are synced but never part of a commit, so a resumed run truncates them. It
 *   checks the existing files at the destinations and returns the list for `publish`.
 */
import * as NodePath from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { forEach } from "../Callback/Lean.ts"
import { uninterruptible } from "../Callback/Uninterruptible.ts"
import * as Files from "../Files.ts"
import { isBelow, realPath } from "../Permissions/Paths.ts"
import { Permissions, whyNotWritten, whySource } from "../Permissions.ts"
import { Original, type Ready, type Sealed } from "../Step/Output.ts"
import { ByteBuffer, type Codec, type RowBatch } from "./Codec.ts"
import { foldCase, isDataFormat, resolve } from "./Destination.ts"
import * as Existing from "./Existing.ts"
import { describeForManifest, readOwn } from "./Manifest.ts"
import { FileHandles, type InitialContent, PartFile } from "./PartFile.ts"
import { encodeParts, makePartFinder, type Partitioner, type PartProgress, type PartSlice } from "./Partition.ts"
import { prepare } from "./Publish.ts"
import {
  CommitUnreadable,
  type FileError,
  fileError,
  makeGuard,
  OutputRefused,
  onEach,
  type RowError
} from "./SinkErrors.ts"
import * as Stdout from "./Stdout.ts"
import type { CommittedFile, PartWriter, SinkContext } from "./Writer.ts"

/** A part of a partition, with the file that holds its rows. */
interface Part<State> {
  readonly partition: string
  readonly file: PartFile
  /** Existing file that the part is appended to. Null: no file may exist under its name; undefined: any file there is replaced. */
  readonly original: Original | null | undefined
  /** Values of the partition, for the manifest. */
  readonly values: Readonly<Record<string, string>> | undefined
  progress: PartProgress<State>
}

/** State of a part as saved in {@link CommittedFile}. */
const SavedPart = Schema.Struct({
  /** Partition of the part. */
  of: Schema.String,
  seq: Schema.Number,
  size: Schema.Number,
  original: Schema.optional(Schema.NullOr(Original)),
  values: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })),
  /** State of the codec. */
  format: Schema.optional(Schema.Unknown)
})

/** Maximum bytes that wait for compression, over all files. */
const maxBufferedBytes = 1 << 25

/**
 * Returns a function that checks the path of a file. Call it when the file is opened, because it follows the links that exist at that time.
 */
const makePathCheck = (partitioner: Partitioner, context: SinkContext, format: string) => {
  /** Folders that values must not lead out of, not even through a link. */
  const boundaries = [context.boundary, partitioner.partitioned ? partitioner.prefix : undefined].filter(
    (each) => each !== undefined
  )

  /** Real path of the output folder when the first file was opened. */
  let realOut: string | undefined

  return (path: string): Effect.Effect<void, OutputRefused> =>
    Effect.flatMap(Permissions, (permissions) => {
      const now = realPath(context.folder)
      realOut ??= now
      if (now !== realOut) {
        const reason = `the output folder ${context.folder} led to ${realOut} when the run began, and leads to ${now} now`
        return new OutputRefused({ path, reason })
      }
      const crossed = boundaries.find((folder) => !isBelow(realPath(path), realPath(folder)))
      const reason =
        crossed === undefined
          ? (whyNotWritten(permissions, path, context.folder) ??
            whySource(permissions, path, { isData: isDataFormat(format) }))
          : `the path leads out of ${crossed}, to ${realPath(path)}`
      return reason === undefined ? Effect.void : new OutputRefused({ path, reason })
    })
}

/** Opens, appends to and commits the part files of a run. */
const makePartFiles = <Item, State>(
  fs: FileSystem.FileSystem,
  partitioner: Partitioner,
  context: SinkContext,
  codec: Codec<Item, State>
) => {
  const handles = new FileHandles(fs)
  const options = {
    fs,
    handles,
    runId: context.names.runId,
    gzip: partitioner.gzip,
    mayBeHeld: context.mayBeHeld
  }
  const parts = new Map<string, Part<State>>()
  const committed = new Map<string, CommittedFile>()
  const dirty = new Set<Part<State>>()
  const newFolders = new Set<string>()

  const ensureAllowed = makePathCheck(partitioner, context, codec.format)

  const open = (
    partition: string,
    original: Part<State>["original"],
    values: Part<State>["values"],
    progress: PartProgress<State>,
    initial: InitialContent
  ) => {
    const path = resolve(partition, context.folder, progress.seq)
    const opened = PartFile.open(path, options, initial, (file) => {
      const part: Part<State> = { partition, original, values, file, progress }
      parts.set(file.path, part)
      return part
    })
    return Effect.zipRight(ensureAllowed(path), opened)
  }

  /** Begins a part, which is empty or a copy of the file that it continues. */
  const begin = (partition: string, original: Part<State>["original"], progress: PartProgress<State>) => {
    const initial: InitialContent = Existing.isContinued(original)
      ? { kind: "copy", lineEnd: codec.lineEnd }
      : { kind: "new" }
    return Effect.tap(open(partition, original, partitioner.valuesOf(partition), progress, initial), (part) => {
      newFolders.add(NodePath.dirname(part.file.target))
      dirty.add(part)
    })
  }

  /** Reopens a part of the interrupted run at its last commit. */
  const restore = (file: CommittedFile): Effect.Effect<Part<State>, FileError> =>
    Effect.gen(function* () {
      const { offset, path, rows } = file
      const { format, of: partition, original, seq, size, values } = yield* Schema.decodeUnknown(SavedPart)(file.state)
      const state = yield* codec.restore(format)
      const progress = { seq, rows, size, state, continues: Existing.isContinued(original) }
      const part = yield* open(partition, original, values, progress, { kind: "resume", offset, rows })
      committed.set(path, file)
      return part
    }).pipe(Effect.catchTag("ParseError", (cause) => new CommitUnreadable({ path: file.path, cause })))

  const append = (part: Part<State>, bytes: Uint8Array): Effect.Effect<void, FileError> => {
    dirty.add(part)
    return part.file.write(bytes)
  }

  /** Limits the memory used by bytes that wait for compression. */
  const limitBuffers: Effect.Effect<void, FileError> = Effect.suspend(() => {
    let bytes = 0
    for (const { file } of dirty) bytes += file.bufferedBytes
    return bytes < maxBufferedBytes ? Effect.void : onEach(dirty, ({ file }) => file.flush)
  })

  const sync = ({ file, original, partition, progress, values }: Part<State>) =>
    Effect.map(file.sync(progress.rows), (offset) => {
      const { rows, seq, size, state } = progress
      const format = codec.save(state)
      const saved: typeof SavedPart.Type = {
        of: partition,
        seq,
        size,
        ...(original === undefined ? {} : { original }),
        ...(values === undefined ? {} : { values }),
        ...(format === undefined ? {} : { format })
      }
      committed.set(file.path, { path: file.path, offset, rows, state: saved })
    })

  const commit: Effect.Effect<ReadonlyArray<CommittedFile>, FileError> = Effect.suspend(() => onEach(dirty, sync)).pipe(
    Effect.zipRight(Effect.suspend(() => onEach(newFolders, (folder) => Files.syncFolder(fs, folder)))),
    Effect.map(() => {
      dirty.clear()
      newFolders.clear()
      return [...committed.values()]
    }),
    Effect.uninterruptible
  )

  /** Writes the footer of every part. It is in no commit, so a resumed run does not see it. */
  const finish: Effect.Effect<void, FileError> = Effect.suspend(() =>
    onEach(parts.values(), ({ file, original, progress }) => {
      const isEmpty = progress.rows === 0 && !Existing.isContinued(original)
      const text = codec.finish(progress.state, isEmpty)
      const isComplete = text === "" && !(partitioner.gzip && isEmpty)
      return isComplete
        ? Effect.void
        : Effect.zipRight(text === "" ? file.completeGzip : file.write(Buffer.from(text)), file.sync(progress.rows))
    })
  )

  const forEachFile = (work: (file: PartFile) => Effect.Effect<void>) =>
    Effect.suspend(() => Effect.forEach(parts.values(), ({ file }) => work(file), { discard: true }))

  return {
    parts: parts as ReadonlyMap<string, Part<State>>,
    begin,
    restore,
    append,
    limitBuffers,
    commit,
    finish,
    closeHandles: handles.closeAll,
    /** Closes handles and frees the paths; the files stay. */
    close: Effect.zipRight(
      handles.closeAll,
      forEachFile((file) => file.release)
    ),
    discard: forEachFile((file) => file.discard)
  }
}

type PartFiles<Item, State> = ReturnType<typeof makePartFiles<Item, State>>

interface Partition<State> {
  /** Path from the partition's first row, with `{seq}` not filled in. */
  readonly path: string
  /** Number of the first part. */
  readonly seq: number
  readonly original: Part<State>["original"]
  /** Current part; undefined before the first row. */
  part: Part<State> | undefined
}

/** Finds the current part of each partition. */
const makePartitions = <Item, State>(
  fs: FileSystem.FileSystem,
  partitioner: Partitioner,
  context: SinkContext,
  codec: Codec<Item, State>,
  files: PartFiles<Item, State>
) => {
  const finder = makePartFinder(fs, context.folder)
  const partitions = new Map<string, Partition<State>>()

  /** Checks the existing file at the destination of a new partition. Creates nothing, because the rows may still be rejected. */
  const inspect = (path: string): Effect.Effect<Partition<State>, FileError> =>
    Effect.gen(function* () {
      const numbers = [...(partitioner.numbered ? yield* finder.numbers(path) : [1])].sort((a, b) => a - b)
      const fileOf = (number: number) => resolve(path, context.folder, number)
      yield* Existing.protectFromTrial(fs, context.trials, numbers.map(fileOf))
      if (!partitioner.append) return { path, seq: 1, original: undefined, part: undefined }
      const trialFiles = yield* Existing.trialFilesAt(fs, context.trials, numbers.map(fileOf))
      if (partitioner.numbered) {
        const last = numbers.findLast((number) => !trialFiles.has(fileOf(number))) ?? 0
        return { path, seq: last + 1, original: null, part: undefined }
      }
      const file = fileOf(1)
      const trialFile = trialFiles.get(file)
      const original =
        trialFile === undefined ? ((yield* Existing.identify(fs, file)) ?? null) : { ...trialFile, isOfTrial: true }
      if (Existing.isContinued(original)) {
        yield* Existing.verifyAppendable(fs, file, codec.header(), partitioner.gzip)
      }
      return { path, seq: 1, original, part: undefined }
    })

  /** Finds the partition of a path. Paths that differ only in case share one: some file systems could not tell their files apart. */
  const find = (path: string): Effect.Effect<Partition<State>, FileError> => {
    const key = foldCase(path)
    const known = partitions.get(key)
    if (known !== undefined) return Effect.succeed(known)
    return Effect.tap(inspect(path), (partition) => {
      partitions.set(key, partition)
    })
  }

  const progressOf = ({ original, part, seq }: Partition<State>): PartProgress<State> => {
    const progress = part?.progress
    if (progress !== undefined && progress.rows > 0) return progress
    const continues = Existing.isContinued(original)
    return { seq: progress?.seq ?? seq, rows: 0, size: 0, state: codec.begin(continues), continues }
  }

  /** Existing file under the name of a new part. A numbered part in append mode may replace only a part of a trial. */
  const originalOf = (
    { original, path }: Partition<State>,
    seq: number
  ): Effect.Effect<Part<State>["original"], FileError> => {
    if (!(partitioner.append && partitioner.numbered)) return Effect.succeed(original)
    const file = resolve(path, context.folder, seq)
    return Effect.map(Existing.trialFilesAt(fs, context.trials, [file]), (trialFiles) => {
      const found = trialFiles.get(file)
      return found === undefined ? null : { ...found, isOfTrial: true }
    })
  }

  /** Part with this number: the current one, or a new one. */
  const partFor = (
    partition: Partition<State>,
    progress: PartProgress<State>
  ): Effect.Effect<Part<State>, FileError> =>
    partition.part?.progress.seq === progress.seq
      ? Effect.succeed(partition.part)
      : originalOf(partition, progress.seq).pipe(
          Effect.flatMap((original) => files.begin(partition.path, original, progress)),
          Effect.tap((part) => {
            partition.part = part
          })
        )

  /** Adds a part of the interrupted run; the part with the highest number becomes current. */
  const adopt = (part: Part<State>): void => {
    const key = foldCase(part.partition)
    const known = partitions.get(key)
    if (known?.part !== undefined && known.part.progress.seq > part.progress.seq) return
    partitions.set(key, { path: part.partition, seq: part.progress.seq, original: part.original, part })
  }

  /** Parts on disk whose numbers are higher than those of this run. */
  const higherParts: Effect.Effect<ReadonlyArray<string>> = Effect.suspend(() =>
    partitioner.numbered
      ? Effect.map(
          Effect.forEach(partitions.values(), ({ part, path }) =>
            part === undefined ? Effect.succeed([]) : finder.above(path, part.progress.seq)
          ),
          (paths) => paths.flat()
        )
      : Effect.succeed([])
  )

  return { find, progressOf, partFor, adopt, higherParts }
}

/** Finishes all files, and lists what is left to publish. */
const seal = <Item, State>(
  fs: FileSystem.FileSystem,
  { append, manifest }: Partitioner,
  context: SinkContext,
  codec: Codec<Item, State>,
  partFiles: PartFiles<Item, State>,
  higherParts: Effect.Effect<ReadonlyArray<string>>
): Effect.Effect<Sealed, FileError> =>
  Effect.gen(function* () {
    yield* partFiles.commit
    yield* partFiles.finish
    yield* partFiles.closeHandles
    const parts = [...partFiles.parts.values()].sort((a, b) => (a.file.path < b.file.path ? -1 : 1))
    yield* onEach(parts, ({ file: { partial, path }, original }) =>
      Existing.verifyOriginal(fs, { path, partial, original })
    )
    const scraps: Array<string> = []
    const rewritten = new Map<unknown, { readonly partial: string; readonly bytes: number }>()
    yield* onEach(parts, (part) => {
      const change = part.progress.rows === 0 ? undefined : codec.rewrite(part.progress.state)
      if (change === undefined) return Effect.void
      scraps.push(part.file.partial)
      return Effect.map(part.file.rewrite(change), (copy) => rewritten.set(part, copy))
    })
    const finished = parts.map((part): Ready => {
      const { bytes, partial, path, real, target } = part.file
      return {
        path,
        real,
        ...(target === path ? {} : { target }),
        format: codec.format,
        rows: part.progress.rows,
        original: part.original,
        ...(part.values === undefined ? {} : { partition: part.values }),
        ...(rewritten.get(part) ?? { partial, bytes })
      }
    })
    const files = manifest === undefined ? finished : yield* describeForManifest(fs, finished, manifest)
    const sealed = yield* prepare(fs, context, { append, files, higherParts: yield* higherParts, scraps })
    return manifest === undefined ? sealed : { ...sealed, manifest }
  }).pipe(Effect.uninterruptible)

const batchesOf = <Item>(
  items: ReadonlyArray<Item>,
  partitions: ReadonlyArray<string> | string,
  offset: number
): ReadonlyArray<RowBatch<Item>> => {
  if (typeof partitions === "string") return [{ partition: partitions, items, indexes: undefined, offset }]
  type Batch = { partition: string; items: Array<Item>; indexes: Array<number>; offset: number }
  const batches = new Map<string, Batch>()
  const byPath = new Map<string, Batch>()
  for (let index = 0; index < items.length; index++) {
    const path = partitions[index] ?? ""
    let batch = byPath.get(path)
    if (batch === undefined) {
      const key = foldCase(path)
      batch = batches.get(key) ?? { partition: path, items: [], indexes: [], offset }
      batches.set(key, batch)
      byPath.set(path, batch)
    }
    batch.items.push(items[index] as Item)
    batch.indexes.push(index)
  }
  return [...batches.values()]
}

/** Creates the output folder, and fails early if nothing can be written to it. */
const createFolder = (fs: FileSystem.FileSystem, folder: string): Effect.Effect<void, FileError> =>
  Effect.zipRight(Files.makeFolder(fs, folder), fs.access(folder, { writable: true })).pipe(
    Effect.mapError(fileError(folder))
  )

/** Opens the parts of the interrupted run, or the only file of an output whose path does not depend on rows. */
export const open = <Item, State>(
  partitioner: Partitioner,
  context: SinkContext,
  codec: Codec<Item, State>
): Effect.Effect<PartWriter<Item>, FileError, FileSystem.FileSystem | Scope.Scope> =>
  Effect.gen(function* () {
    if (partitioner.isStdout) return yield* Stdout.open(context, codec)
    const fs = yield* FileSystem.FileSystem
    if (partitioner.manifest !== undefined && context.pipeline !== undefined) {
      yield* readOwn(fs, partitioner.manifest, context.pipeline)
    }
    const files = makePartFiles(fs, partitioner, context, codec)
    // Read the ledger once for all rows; sealing and publishing read it again.
    const trials = context.trials && { ...context.trials, written: yield* Effect.cached(context.trials.written) }
    const partitions = makePartitions(fs, partitioner, { ...context, trials }, codec, files)
    const buffer = new ByteBuffer()
    const guard = makeGuard()

    type Encoded = readonly [partition: Partition<State>, slices: ReadonlyArray<PartSlice<State>>]

    const encode = (batch: RowBatch<Item>): Effect.Effect<Encoded, FileError | RowError> =>
      Effect.flatMap(partitions.find(batch.partition), (partition) =>
        Either.map(
          encodeParts(batch, partitions.progressOf(partition), codec, partitioner.limits, buffer),
          (slices): Encoded => [partition, slices]
        )
      )

    const append = ([partition, slices]: Encoded) =>
      forEach(slices, ({ end, progress, start }) =>
        Effect.flatMap(partitions.partFor(partition, progress), (part) => {
          part.progress = progress
          return files.append(part, buffer.view(start, end))
        })
      )

    // Without a generator, for the reason given at `deliverBatch` in `Run/Operator.ts`.
    const write: PartWriter<Item>["write"] = (items, paths, offset = 0) =>
      Effect.suspend(() => {
        buffer.rewind(0)
        return forEach(batchesOf(items, paths, offset), encode)
      }).pipe(
        Effect.flatMap((encoded) => onEach(encoded, append)),
        Effect.zipRight(files.limitBuffers),
        guard,
        uninterruptible
      )

    yield* Effect.addFinalizer(() => files.close)
    const resumed = context.resume?.files ?? []
    yield* Existing.protectFromTrial(
      fs,
      trials,
      resumed.map(({ path }) => path)
    )
    for (const file of resumed) partitions.adopt(yield* files.restore(file))
    // A single file exists even without rows; numbered parts in append mode exist only with rows.
    if (!partitioner.partitioned && !(partitioner.append && partitioner.numbered)) {
      const partition = yield* partitions.find(partitioner.only)
      if (partition.part === undefined) yield* partitions.partFor(partition, partitions.progressOf(partition))
    } else yield* createFolder(fs, partitioner.prefix)

    return {
      write,
      commit: guard(files.commit),
      seal: guard(seal(fs, partitioner, context, codec, files, partitions.higherParts)),
      discard: files.discard
    }
  })
