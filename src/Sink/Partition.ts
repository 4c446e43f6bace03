/**
 * Which file each row goes to: the path with the row's values in it, and the number of its part.
 *
 * Parts are counted row by row, so that the size of chunks makes no difference.
 */
import * as NodePath from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Bindings } from "../Row/Expression.ts"
import type { Row } from "../Row.ts"
import type { Place } from "../Sink.ts"
import { type Format, type Group, type Scratch, spellJson } from "./Codec.ts"
import {
  below,
  fill,
  fold,
  isZipped,
  literalPrefix,
  perRun,
  placeholdersOf,
  resolve,
  type Settings,
  spellSeq
} from "./Destination.ts"
import { PartitionFailed, type RowError } from "./SinkErrors.ts"

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

/** A part as far as it has come. */
export interface Draft<State> {
  readonly seq: number
  readonly rows: number
  /** Bytes before gzip, without what was there when an append began. */
  readonly size: number
  readonly state: State
}

/** Bytes of the scratch that go into one part. */
export interface Slice<State> {
  readonly start: number
  readonly end: number
  /** The part afterwards. */
  readonly draft: Draft<State>
}

/** Most of a part. A row that is larger than `size` by itself has a part of its own. */
export interface Most {
  readonly rows: number
  readonly size: number
}

/** Encodes a group into the scratch, beginning behind `current`. */
export const plan = <Item, State>(
  group: Group<Item>,
  current: Draft<State>,
  format: Format<Item, State>,
  most: Most,
  out: Scratch
): Either.Either<ReadonlyArray<Slice<State>>, RowError> => {
  const slices: Array<Slice<State>> = []
  const { length } = group.items
  let draft = current
  let start = out.end
  let at = 0
  // Rows before this one are encoded one by one, because the end of a part is among them.
  let careful = 0
  const close = () => {
    if (draft !== current && draft.rows > 0) slices.push({ start, end: out.end, draft })
  }
  const next = () => {
    close()
    draft = { seq: draft.seq + 1, rows: 0, size: 0, state: format.begin(false) }
    start = out.end
  }
  while (at < length) {
    if (draft.rows >= most.rows) next()
    const to = Math.min(length, at < careful ? at + 1 : at + most.rows - draft.rows)
    const before = out.end
    const encoded = format.encode(group, at, to, draft.state, out)
    if (Either.isLeft(encoded)) return Either.left(encoded.left)
    const size = draft.size + out.end - before
    if (size <= most.size || (draft.rows === 0 && to - at === 1)) {
      draft = { seq: draft.seq, rows: draft.rows + to - at, size, state: encoded.right }
      at = to
    } else {
      out.rewind(before)
      if (to - at > 1) careful = to
      else next()
    }
  }
  close()
  return Either.right(slices)
}

/** What the sinks make of the fields. */
export interface Route {
  readonly append: boolean
  readonly gzip: boolean
  readonly partitioned: boolean
  /** Rows go to standard output. */
  readonly isStdout: boolean
  /** Whether files have numbers. */
  readonly numbered: boolean
  /** Most rows and bytes of a part. */
  readonly most: { readonly rows: number; readonly size: number }
  /** The filled path of each row, but for `{seq}`. */
  readonly of: (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<string> | string, PartitionFailed>
  /** The one filled path where there are no partitions. */
  readonly only: string
  /** As it is written, for messages. */
  readonly template: string
  /** The folder that all files are below. */
  readonly prefix: string
}

const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return ""
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "" : value.toISOString()
  return typeof value === "object" ? Either.getOrElse(spellJson(value), () => "") : String(value)
}

/** Paths by the texts that are in them; as many are remembered as are likely to come again. */
const makeFiller = (template: string, names: Readonly<Record<string, string>>, partitions: ReadonlyArray<string>) => {
  const remembered = new Map<string, string>()
  return (texts: ReadonlyArray<string>): string => {
    const mark = texts.length === 1 ? (texts[0] ?? "") : JSON.stringify(texts)
    const known = remembered.get(mark)
    if (known !== undefined) return known
    const values = Object.fromEntries(partitions.map((name, at) => [name, texts[at] ?? ""]))
    const filled = fill(template, { ...names, ...values })
    if (remembered.size >= 10_000) remembered.clear()
    if (mark.length <= 300) remembered.set(mark, filled)
    return filled
  }
}

export const make = (settings: Settings, place: Place): Route => {
  const { mode, partitionBy = {}, path, roll } = settings
  const named = mode === "perRun" ? perRun(path) : path
  const template = place.trials?.isTrial === true ? below(named) : named
  const { seq: _, ...names } = place.names
  const partitions = Object.keys(partitionBy)
  const expressions = Object.values(partitionBy)
  const filler = makeFiller(template, names, partitions)
  const only = filler([])

  const evaluate = (rows: ReadonlyArray<Row>) => {
    const data = rows.map((row) => row.data)
    const bindings: Array<Bindings | undefined> = []
    const bindingsAt = (index: number): Bindings => {
      bindings[index] ??= place.bindings(rows[index] as Row)
      return bindings[index]
    }
    return Effect.map(
      Effect.forEach(expressions, (expression) => expression.evaluateChunk(data, bindingsAt)),
      (columns) => {
        const paths: Array<string> = []
        for (let index = 0; index < rows.length; index++) {
          const texts: Array<string> = []
          for (const [at, column] of columns.entries()) {
            const value = column[index]
            if (value !== undefined && Either.isLeft(value)) {
              return Either.left(new PartitionFailed({ name: partitions[at] ?? "", cause: value.left, index }))
            }
            texts.push(textOf(value?.right))
          }
          paths.push(filler(texts))
        }
        return Either.right(paths)
      }
    )
  }

  return {
    isStdout: path === "-",
    append: mode === "append",
    gzip: settings.gzip ?? isZipped(path),
    partitioned: partitions.length > 0,
    numbered: placeholdersOf(template).includes("seq"),
    most: { rows: roll?.rows ?? Number.POSITIVE_INFINITY, size: roll?.size ?? Number.POSITIVE_INFINITY },
    of: (rows) => (partitions.length === 0 ? Effect.succeed(only) : Effect.flatten(evaluate(rows))),
    only,
    template,
    prefix: literalPrefix(template, place.folder)
  }
}
