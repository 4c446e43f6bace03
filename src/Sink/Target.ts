/** Partitions, and the part that each of them is at. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import type { Place } from "../Sink.ts"
import type { FileError } from "./Errors.ts"
import * as Existing from "./Existing.ts"
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

export const make = <Item, State>(
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
        ofTrial === undefined ? ((yield* Original.find(fs, path)) ?? null) : { ...ofTrial, isOfTrial: true }
      if (Original.isContinued(original)) yield* Original.check(fs, path, format.header(), route.gzip)
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
      ? { seq: draft?.seq ?? target.seq, rows: 0, size: 0, state: format.begin(Original.isContinued(target.original)) }
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
            Original.isContinued(original) ? { kind: "copy", joint: format.lineEnd } : { kind: "new" }
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
