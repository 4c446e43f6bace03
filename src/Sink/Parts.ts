/** Rows into the parts of their partitions; what is safe of them, and what they become at the end. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import * as Folder from "../Database/Folder.ts"
import type { Commit, Place } from "../Sink.ts"
import type { Sealed } from "../Step/Output.ts"
import { onEach } from "./Each.ts"
import { type FileError, fileError, isRowError, type SinkError } from "./Errors.ts"
import * as Existing from "./Existing.ts"
import * as Files from "./Files.ts"
import type { Format, Group } from "./Format.ts"
import { fold } from "./Path.ts"
import { plan, type Slice } from "./Plan.ts"
import type { Route } from "./Route.ts"
import { Scratch } from "./Scratch.ts"
import { seal } from "./Seal.ts"
import * as Stdout from "./Stdout.ts"
import * as Target from "./Target.ts"

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
    const files = Files.make(fs, route, place, format)
    const { trials } = place
    // While rows come the first answer of the ledger is good enough; seal and publish ask again.
    const known = trials && { ...trials, written: yield* Effect.cached(trials.written) }
    const targets = Target.make(fs, route, { ...place, trials: known }, format, files)
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

    const apply = (target: Target.Target<State>, slices: ReadonlyArray<Slice<State>>) =>
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
        const plans: Array<readonly [Target.Target<State>, ReadonlyArray<Slice<State>>]> = []
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
