/** Partitions, and the part that each of them is at. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import type { Place } from "../Sink.ts"
import { type FileError, TrialReplaces, WriteFailed } from "./Errors.ts"
import type { Files, Part } from "./Files.ts"
import type { Format } from "./Format.ts"
import * as Original from "./Original.ts"
import { fold, resolve } from "./Path.ts"
import type { Draft } from "./Plan.ts"
import type { Route } from "./Route.ts"
import { makeFinder } from "./Seq.ts"

export interface Target<State> {
  /** The path but for `{seq}`, as its first row has it. */
  readonly of: string
  /** The number to begin with. */
  readonly seq: number
  readonly original: Part<State>["original"]
  /** Undefined before the first row. */
  part: Part<State> | undefined
}

const isContinued = ({ original }: Pick<Target<unknown>, "original">): boolean =>
  original !== undefined && original !== null && original.size > 0

export const make = <Item, State>(
  fs: FileSystem.FileSystem,
  route: Route,
  place: Place,
  format: Format<Item, State>,
  files: Files<Item, State>
) => {
  const finder = makeFinder(fs, place.folder)
  const all = new Map<string, Target<State>>()

  /** A trial replaces and continues only what trials have written. */
  const protect = (of: string): Effect.Effect<void, FileError> =>
    Effect.gen(function* () {
      const { trial } = place
      if (trial === undefined) return
      const numbers = route.numbered ? yield* finder.numbers(of) : [1]
      for (const number of [...numbers].sort((a, b) => a - b)) {
        const path = resolve(of, place.folder, number)
        const isThere = yield* Effect.orElseSucceed(fs.exists(path), () => false)
        if (!isThere) continue
        const mayReplace = yield* Effect.mapError(trial.mayReplace(path), (cause) => new WriteFailed({ path, cause }))
        if (!mayReplace) return yield* new TrialReplaces({ path })
      }
    })

  /** Where a partition begins that has no file yet. Nothing is made: its rows may still be refused. */
  const look = (of: string): Effect.Effect<Target<State>, FileError> =>
    Effect.gen(function* () {
      yield* protect(of)
      if (!route.append) return { of, seq: 1, original: undefined, part: undefined }
      if (route.numbered) {
        const last = (yield* finder.numbers(of)).reduce((most, each) => Math.max(most, each), 0)
        return { of, seq: last + 1, original: null, part: undefined }
      }
      const path = resolve(of, place.folder, 1)
      const original = (yield* Original.find(fs, path)) ?? null
      const target = { of, seq: 1, original, part: undefined }
      if (isContinued(target)) yield* Original.check(fs, path, format.header(), route.gzip)
      return target
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
      ? { seq: draft?.seq ?? target.seq, rows: 0, size: 0, state: format.begin(isContinued(target)) }
      : draft
  }

  /** The file for what a draft says: the one that it is at, or a new one. */
  const partFor = (target: Target<State>, draft: Draft<State>): Effect.Effect<Part<State>, FileError> =>
    target.part?.draft.seq === draft.seq
      ? Effect.succeed(target.part)
      : Effect.tap(
          files.begin(
            target.of,
            target.original,
            draft,
            isContinued(target) ? { kind: "copy", joint: format.lineEnd } : { kind: "new" }
          ),
          (part) => {
            target.part = part
          }
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
