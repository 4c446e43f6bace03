/** The numbered files that are there: where to go on behind them, and which of them an older, longer run left. */
import * as NodePath from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { fold, resolve, spellSeq } from "./Path.ts"

/** The folder, and the name in it, that the first `{seq}` of a filled path is in. */
const numberedPart = (of: string, folder: string) => {
  const segments = of.split("/")
  const at = segments.findIndex((segment) => segment.includes("{seq}"))
  const above = at === 0 ? "." : `${segments.slice(0, at).join("/")}/`
  return { parent: NodePath.resolve(folder, above), name: segments[at] ?? "" }
}

const numberOf = (digits: string): number | undefined => {
  const seq = Number(digits)
  return Number.isSafeInteger(seq) && spellSeq(seq) === digits ? seq : undefined
}

/** The numbers of names, by the name with `{seq}` in the number's place. */
const indexOf = (names: ReadonlyArray<string>): ReadonlyMap<string, ReadonlyArray<number>> => {
  const index = new Map<string, Array<number>>()
  for (const name of names) {
    for (const { 0: digits, index: at } of name.matchAll(/\d{5,}/g)) {
      const seq = numberOf(digits)
      if (seq === undefined) continue
      const key = fold(`${name.slice(0, at)}{seq}${name.slice(at + digits.length)}`)
      const known = index.get(key)
      if (known === undefined) index.set(key, [seq])
      else known.push(seq)
    }
  }
  return index
}

/** The same where a name has its number twice. */
const search = (names: ReadonlyArray<string>, name: string): ReadonlyArray<number> => {
  const [before = "", after = "", ...more] = fold(name)
    .split("{seq}")
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
  const pattern = new RegExp(`^${before}(\\d{5,})${[after, ...more].join("\\1")}$`)
  return names.flatMap((each) => numberOf(pattern.exec(fold(each))?.[1] ?? "") ?? [])
}

/** Looks into folders, into each of them once. */
export const makeFinder = (fs: FileSystem.FileSystem, folder: string) => {
  const seen = new Map<string, { readonly names: ReadonlyArray<string>; readonly index: ReturnType<typeof indexOf> }>()

  const look = (parent: string) => {
    const known = seen.get(parent)
    if (known !== undefined) return Effect.succeed(known)
    return fs.readDirectory(parent).pipe(
      Effect.orElseSucceed((): ReadonlyArray<string> => []),
      Effect.map((names) => {
        const found = { names, index: indexOf(names) }
        seen.set(parent, found)
        return found
      })
    )
  }

  /** Numbers of files that are there already, in no order. A name that differs in case only counts as there. */
  const numbers = (of: string): Effect.Effect<ReadonlyArray<number>> => {
    const { parent, name } = numberedPart(of, folder)
    const isPlain = name.split("{seq}").length === 2
    return Effect.map(look(parent), ({ index, names }) =>
      isPlain ? (index.get(fold(name)) ?? []) : search(names, name)
    )
  }

  /** Paths of files behind a number. */
  const behind = (of: string, seq: number): Effect.Effect<ReadonlyArray<string>> =>
    Effect.flatMap(numbers(of), (found) =>
      Effect.filter(
        found.filter((each) => each > seq).map((each) => resolve(of, folder, each)),
        (path) =>
          fs.stat(path).pipe(
            Effect.map(({ type }) => type === "File"),
            Effect.orElseSucceed(() => false)
          )
      )
    )

  return { numbers, behind }
}
