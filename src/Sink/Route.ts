/** Which file each row goes to: the path with the row's values in it. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Bindings } from "../Row/Expression.ts"
import type { Row } from "../Row.ts"
import type { Place } from "../Sink.ts"
import { isZipped, type Settings } from "./Destination.ts"
import { PartitionFailed } from "./Errors.ts"
import { spellJson } from "./Json.ts"
import { below, fill, literalPrefix, perRun, placeholdersOf } from "./Path.ts"

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
