/** The end of a sink: its files made whole, and what is left to do for their names. */
import * as NodePath from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import type { Place } from "../Sink.ts"
import type { Sealed } from "../Step/Output.ts"
import { onEach } from "./Each.ts"
import type { FileError } from "./Errors.ts"
import * as Existing from "./Existing.ts"
import { isTaken } from "./File.ts"
import type { Files } from "./Files.ts"
import type { Format } from "./Format.ts"
import * as Original from "./Original.ts"
import type { Route } from "./Route.ts"
import { makeFinder } from "./Seq.ts"
import type { Target } from "./Target.ts"

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
      const isBare = part.draft.rows === 0 && !Original.isContinued(part.original)
      if (isBare && format.empty() !== "") yield* files.append(part, Buffer.from(format.empty()))
      yield* part.file.complete
    }
    yield* files.commit
    yield* files.closeHandles
    const parts = [...files.all.values()].sort((a, b) => (a.file.path < b.file.path ? -1 : 1))
    yield* onEach(parts, ({ file: { partial, path }, original }) => Original.checkSame(fs, { path, partial, original }))

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
      return Original.dated(fs, place.trials, ready)
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
