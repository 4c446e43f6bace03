/** Partitions, and the part that each of them is at. */
/** All the files of a sink: what is written to them, and what of it is safe. */
/** The end of a sink: its files made whole, and what is left to do for their names. */
/** Rows into the parts of their partitions; what is safe of them, and what they become at the end. */

import * as NodePath from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import * as Folder from "../Database/Folder.ts"
import { isBelow, realPath } from "../Permissions/Paths.ts"
import { Permissions, whyNotWritten } from "../Permissions.ts"
import type { Json } from "../Row.ts"
import type { Commit, Durable, Place } from "../Sink.ts"
import type { Original as OriginalFile, Sealed } from "../Step/Output.ts"
import { type Format, type Group, Scratch } from "./Codec.ts"
import { fold, resolve } from "./Destination.ts"
import * as Existing from "./Existing.ts"
import { check, checkSame, dated, find as findOriginal, isContinued } from "./Original.ts"
import { type Beginning, GrowingFile, Handles, isTaken } from "./PartFile.ts"
import { type Draft, makeFinder, plan, type Route, type Slice } from "./Partition.ts"
import { syncFolder } from "./Publish.ts"
import { type FileError, fileError, isRowError, OutputRefused, onEach, type SinkError } from "./SinkErrors.ts"
import * as Stdout from "./Stdout.ts"

export interface Target<State> {
  /** The path but for `{seq}`, as its first row has it. */
  readonly of: string
  /** The number to begin with. */
  readonly seq: number
  readonly original: Part<State>["original"]
  /** Undefined before the first row. */
  part: Part<State> | undefined
}

export const makeTarget = <Item, State>(
  fs: FileSystem.FileSystem,
  route: Route,
  place: Place,
  format: Format<Item, State>,
  files: Files<Item, State>
) => {
  const finder = makeFinder(fs, place.folder)
  const all = new Map<string, Target<State>>()

  /** Where a partition begins that has no file yet. Nothing is made: its rows may still be refused. */
  const look = (of: string): Effect.Effect<Target<State>, FileError> =>
    Effect.gen(function* () {
      const numbers = [...(route.numbered ? yield* finder.numbers(of) : [1])].sort((a, b) => a - b)
      const pathOf = (number: number) => resolve(of, place.folder, number)
      yield* Existing.protect(fs, place.trials, numbers.map(pathOf))
      if (!route.append) return { of, seq: 1, original: undefined, part: undefined }
      const ofTrials = yield* Existing.leftByTrials(fs, place.trials, numbers.map(pathOf))
      if (route.numbered) {
        const last = numbers.findLast((number) => !ofTrials.has(pathOf(number))) ?? 0
        return { of, seq: last + 1, original: null, part: undefined }
      }
      const path = pathOf(1)
      const ofTrial = ofTrials.get(path)
      const original =
        ofTrial === undefined ? ((yield* findOriginal(fs, path)) ?? null) : { ...ofTrial, isOfTrial: true }
      if (isContinued(original)) yield* check(fs, path, format.header(), route.gzip)
      return { of, seq: 1, original, part: undefined }
    })

  /** Paths that differ in case only are one partition: some file systems could not tell their files apart. */
  const find = (of: string): Effect.Effect<Target<State>, FileError> => {
    const key = fold(of)
    const known = all.get(key)
    if (known !== undefined) return Effect.succeed(known)
    return Effect.tap(look(of), (target) => {
      all.set(key, target)
    })
  }

  /** How far it has come. */
  const draftOf = (target: Target<State>): Draft<State> => {
    const draft = target.part?.draft
    return draft === undefined || draft.rows === 0
      ? { seq: draft?.seq ?? target.seq, rows: 0, size: 0, state: format.begin(isContinued(target.original)) }
      : draft
  }

  /** What is under the name of a part when it begins: of numbered parts that are appended, nothing, or one of a trial. */
  const originalOf = (target: Target<State>, { seq }: Draft<State>) => {
    if (!(route.append && route.numbered)) return Effect.succeed(target.original)
    const path = resolve(target.of, place.folder, seq)
    return Effect.map(Existing.leftByTrials(fs, place.trials, [path]), (ofTrials) => {
      const found = ofTrials.get(path)
      return found === undefined ? null : { ...found, isOfTrial: true }
    })
  }

  /** The file for what a draft says: the one that it is at, or a new one. */
  const partFor = (target: Target<State>, draft: Draft<State>): Effect.Effect<Part<State>, FileError> =>
    target.part?.draft.seq === draft.seq
      ? Effect.succeed(target.part)
      : Effect.flatMap(originalOf(target, draft), (original) =>
          files.begin(
            target.of,
            original,
            draft,
            isContinued(original) ? { kind: "copy", joint: format.lineEnd } : { kind: "new" }
          )
        ).pipe(
          Effect.tap((part) => {
            target.part = part
          })
        )

  /** Takes up a part of the interrupted run; the last one is where the partition is at. */
  const adopt = (part: Part<State>): void => {
    const key = fold(part.of)
    const known = all.get(key)
    if (known?.part !== undefined && known.part.draft.seq > part.draft.seq) return
    all.set(key, { of: part.of, seq: part.draft.seq, original: part.original, part })
  }

  return { all: all as ReadonlyMap<string, Target<State>>, find, draftOf, partFor, adopt }
}

/** A file of the run. */
export interface Part<State> {
  /** Its path but for `{seq}`. */
  readonly of: string
  readonly file: GrowingFile
  /** What it is appended to. Null: there must be nothing under its name; undefined: whatever is there will be replaced. */
  readonly original: OriginalFile | null | undefined
  draft: Draft<State>
}

/** What has to be known of a part beside what {@link Durable} says of every file. Plain JSON. */
interface Kept {
  readonly of: string
  readonly seq: number
  readonly size: number
  readonly original?: OriginalFile | null
  readonly format?: Json
}

/** Bytes that wait to be compressed, over all files. */
const mostWaiting = 1 << 25

export const makeFiles = <Item, State>(
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

export type Files<Item, State> = ReturnType<typeof makeFiles<Item, State>>

/** The partial files in a folder that nobody here writes: leftovers of this run, and files that other runs may want. */
const leftovers = (fs: FileSystem.FileSystem, folder: string, runId: string, finals: ReadonlySet<string>) =>
  Effect.map(
    Effect.orElseSucceed(fs.readDirectory(folder), (): ReadonlyArray<string> => []),
    (names) => {
      const scraps: Array<string> = []
      const foreign: Array<string> = []
      for (const name of names) {
        if (!/\.partial(\.changed)?$/.test(name)) continue
        const path = NodePath.join(folder, name)
        const own = path.replace(/\.changed$/, "")
        if (own.endsWith(`.${runId}.partial`)) {
          if (!isTaken(own)) scraps.push(path)
          continue
        }
        const stem = own.slice(0, -".partial".length)
        for (let dot = stem.indexOf("."); dot !== -1; dot = stem.indexOf(".", dot + 1)) {
          if (finals.has(stem.slice(0, dot))) {
            const run = stem.slice(dot + 1)
            foreign.push(
              `${path} belongs to run ${run}: if nobody works on that, sluice resume ${run}, or remove the file`
            )
            break
          }
        }
      }
      return { scraps, foreign }
    }
  )

/** At most so many warnings of a kind. */
const some = (warnings: ReadonlyArray<string>): ReadonlyArray<string> =>
  warnings.length <= 5 ? warnings : [...warnings.slice(0, 5), `and ${warnings.length - 5} more like this`]

export const seal = <Item, State>(
  fs: FileSystem.FileSystem,
  route: Route,
  place: Place,
  format: Format<Item, State>,
  files: Files<Item, State>,
  targets: ReadonlyMap<string, Target<State>>
): Effect.Effect<Sealed, FileError> =>
  Effect.gen(function* () {
    for (const part of files.all.values()) {
      const isBare = part.draft.rows === 0 && !isContinued(part.original)
      if (isBare && format.empty() !== "") yield* files.append(part, Buffer.from(format.empty()))
      yield* part.file.complete
    }
    yield* files.commit
    yield* files.closeHandles
    const parts = [...files.all.values()].sort((a, b) => (a.file.path < b.file.path ? -1 : 1))
    yield* onEach(parts, ({ file: { partial, path }, original }) => checkSame(fs, { path, partial, original }))

    const scraps: Array<string> = []
    const changed = new Map<unknown, { readonly partial: string; readonly bytes: number }>()
    yield* onEach(parts, (part) => {
      const change = part.draft.rows === 0 ? undefined : format.change(part.draft.state)
      if (change === undefined) return Effect.void
      scraps.push(part.file.partial)
      return Effect.map(part.file.rewrite(change), (copy) => changed.set(part, copy))
    })
    const whole = yield* Effect.forEach(parts, (part) => {
      const ready = {
        path: part.file.path,
        ...(part.file.target === part.file.path ? {} : { target: part.file.target }),
        format: format.name,
        rows: part.draft.rows,
        original: part.original,
        ...(changed.get(part) ?? { partial: part.file.partial, bytes: part.file.bytes })
      }
      return dated(fs, place.trials, ready)
    })

    const finder = makeFinder(fs, place.folder)
    const behind = route.numbered
      ? yield* Effect.forEach(targets.values(), ({ of, part }) =>
          part === undefined ? Effect.succeed([]) : finder.behind(of, part.draft.seq)
        )
      : []
    // Parts of a trial go, whose first numbers a real run has taken.
    const stale = route.append
      ? [...(yield* Existing.leftByTrials(fs, place.trials, behind.flat())).keys()]
      : behind.flat()
    yield* Existing.protect(fs, place.trials, [...whole.map(({ path }) => path), ...stale])
    const finals = new Set(parts.map(({ file }) => file.target))
    const left = yield* Effect.forEach(
      new Set(parts.map(({ file }) => NodePath.dirname(file.target))),
      (folder) => leftovers(fs, folder, place.names.runId, finals),
      { concurrency: 8 }
    )
    return {
      files: whole,
      stale,
      scraps: [...scraps, ...left.flatMap((each) => each.scraps)],
      warnings: [
        ...some(left.flatMap((each) => each.foreign)),
        ...some(
          whole.flatMap(({ original, path }) =>
            original?.isOfTrial === true ? [`${path} held rows of a trial (--limit), which this run has replaced`] : []
          )
        )
      ]
    }
  }).pipe(Effect.uninterruptible)

export interface Parts<Item> {
  /** All items or none, each to its path; `shift` is added to the index that an error says. */
  readonly write: (
    items: ReadonlyArray<Item>,
    of: ReadonlyArray<string> | string,
    shift?: number
  ) => Effect.Effect<void, SinkError>
  readonly commit: Effect.Effect<Commit["files"], SinkError>
  readonly seal: Effect.Effect<Sealed, SinkError>
  readonly discard: Effect.Effect<void>
}

const groupsOf = <Item>(
  items: ReadonlyArray<Item>,
  of: ReadonlyArray<string> | string,
  shift: number
): ReadonlyArray<Group<Item>> => {
  if (typeof of === "string") return [{ of, items, indexes: undefined, shift }]
  const groups = new Map<string, { of: string; items: Array<Item>; indexes: Array<number>; shift: number }>()
  const byPath = new Map<string, { readonly items: Array<Item>; readonly indexes: Array<number> }>()
  for (let index = 0; index < items.length; index++) {
    const path = of[index] as string
    let group = byPath.get(path)
    if (group === undefined) {
      const key = fold(path)
      const known = groups.get(key) ?? { of: path, items: [], indexes: [], shift }
      groups.set(key, known)
      byPath.set(path, known)
      group = known
    }
    group.items.push(items[index] as Item)
    group.indexes.push(index)
  }
  return [...groups.values()]
}

/** Makes a folder that files will be in, and says at once when they cannot be. */
const prepare = (fs: FileSystem.FileSystem, folder: string): Effect.Effect<void, FileError> =>
  Effect.zipRight(Folder.make(fs, folder), fs.access(folder, { writable: true })).pipe(
    Effect.mapError((error) => fileError(folder, { bytes: 0, rows: 0 })(error))
  )

/** Opens the files of an interrupted run, or the one file where there are no partitions. */
export const open = <Item, State>(
  route: Route,
  place: Place,
  format: Format<Item, State>
): Effect.Effect<Parts<Item>, FileError, FileSystem.FileSystem | Scope.Scope> =>
  Effect.gen(function* () {
    if (route.isStdout) return yield* Stdout.open(place, format)
    const fs = yield* FileSystem.FileSystem
    const files = makeFiles(fs, route, place, format)
    const { trials } = place
    // While rows come the first answer of the ledger is good enough; seal and publish ask again.
    const known = trials && { ...trials, written: yield* Effect.cached(trials.written) }
    const targets = makeTarget(fs, route, { ...place, trials: known }, format, files)
    const scratch = new Scratch()
    let broken: SinkError | undefined

    /** Once a file has failed nobody knows what is in it: nothing more may become safe. */
    const guard = <A>(effect: Effect.Effect<A, SinkError>): Effect.Effect<A, SinkError> =>
      Effect.suspend((): Effect.Effect<A, SinkError> => (broken === undefined ? effect : Effect.fail(broken))).pipe(
        Effect.tapError((error) =>
          Effect.sync(() => {
            if (!isRowError(error)) broken = error
          })
        )
      )

    const apply = (target: Target<State>, slices: ReadonlyArray<Slice<State>>) =>
      Effect.forEach(
        slices,
        ({ draft, end, start }) =>
          Effect.flatMap(targets.partFor(target, draft), (part) => {
            part.draft = draft
            return files.append(part, scratch.view(start, end))
          }),
        { discard: true }
      )

    const write: Parts<Item>["write"] = (items, of, shift = 0) =>
      Effect.gen(function* () {
        const groups = groupsOf(items, of, shift)
        const found = yield* Effect.forEach(groups, (group) => targets.find(group.of))
        const plans: Array<readonly [Target<State>, ReadonlyArray<Slice<State>>]> = []
        scratch.rewind(0)
        for (const [at, target] of found.entries()) {
          const slices = plan(groups[at] as Group<Item>, targets.draftOf(target), format, route.most, scratch)
          if (Either.isLeft(slices)) return yield* slices
          plans.push([target, slices.right])
        }
        yield* onEach(plans, ([target, slices]) => apply(target, slices))
        yield* files.relieve
      }).pipe(guard, Effect.uninterruptible)

    yield* Effect.addFinalizer(() => files.close)
    const adopted = place.resume?.files ?? []
    yield* Existing.protect(
      fs,
      known,
      adopted.map(({ path }) => path)
    )
    for (const durable of adopted) targets.adopt(yield* files.restore(durable))
    // One file is there however many rows come; parts that are appended are there when they are needed.
    if (!route.partitioned && !(route.append && route.numbered)) {
      const target = yield* targets.find(route.only)
      if (target.part === undefined) yield* targets.partFor(target, targets.draftOf(target))
    } else yield* prepare(fs, route.prefix)

    return {
      write,
      commit: guard(files.commit),
      seal: guard(seal(fs, route, place, format, files, targets.all)),
      discard: files.discard
    }
  })
