/**
 * Warns at the end of a run about fields that a step names but no row had, if the rows have a field with nearly the same name
 * (`metadata.titel`), or on another level (`title` for `metadata.title`), and about `title.length`, which is always missing. Expressions
 * with `??`, `$exists`, `$not` or `$boolean` expect missing fields, so they are not checked. A declared column that no row has is warned
 * of in any case: it stays empty, and the field that was meant may be left out.
 */
import * as Effect from "effect/Effect"
import { count } from "../Row/Count.ts"
import type { Expression } from "../Row/Expression.ts"
import { nearest } from "../Row/Nearest.ts"
import type { Row } from "../Row.ts"
import type { Context, Transform } from "../Step.ts"
import { isMapping, mapping } from "./Requirements.ts"

/** Values of a field; for an array, the values in its items. */
const valuesAt = (value: unknown, name: string): ReadonlyArray<unknown> =>
  Array.isArray(value)
    ? value.flatMap((item) => valuesAt(item, name))
    : Object.hasOwn(mapping(value), name)
      ? [mapping(value)[name]]
      : []

const isIn = (data: unknown, path: ReadonlyArray<string>): boolean =>
  path.reduce<ReadonlyArray<unknown>>((values, name) => values.flatMap((value) => valuesAt(value, name)), [data])
    .length > 0

/** Short names such as `min` and `max` are close to many names that mean something else. */
const isNear = (one: string, other: string): boolean =>
  Math.min(one.length, other.length) > 4
    ? one[0]?.toLowerCase() === other[0]?.toLowerCase()
    : one.includes(other) || other.includes(one)

/** What a step probably means by a missing field: `whole` is the path (unchanged for `length`), `hint` the end of the message. */
interface Near {
  readonly whole: ReadonlyArray<string>
  readonly hint: string
}

const asked = (shown: ReadonlyArray<string>): string => `did you mean "${shown.join(".")}"?`

/** The path with its first missing name replaced by the nearest name that the row has, or the same field on another level. */
const nearPath = (data: unknown, path: ReadonlyArray<string>): Near | undefined => {
  let [value, known]: [unknown, Array<string>] = [data, []]
  for (const [index, name] of path.entries()) {
    const [next] = valuesAt(value, name)
    if (next !== undefined) {
      value = next
      known = [...known, name]
      continue
    }
    const rest = path.slice(index + 1)
    if (name === "length" && rest.length === 0 && (typeof value === "string" || Array.isArray(value))) {
      const count = typeof value === "string" ? "$length" : "$count"
      return { whole: path, hint: `write ${count}(${known.join(".")})` }
    }
    const names = Object.keys(mapping(Array.isArray(value) ? value[0] : value))
    const near = nearest(
      name,
      names.filter((each) => isNear(each, name))
    )
    if (near !== undefined) return { whole: [...known, near, ...rest], hint: asked([...known, near]) }
    // `row.title` for `title`, and `title` or `title.length` for `metadata.title`.
    const sought = path.slice(index, path.at(-1) === "length" ? -1 : undefined)
    const inner = sought.length > 1 && isIn(value, sought.slice(1))
    const outer = names.find((each) => isMapping(mapping(value)[each]) && isIn(mapping(value)[each], sought))
    if (sought.length === 0 || (!inner && outer === undefined)) return undefined
    const whole = inner || outer === undefined ? [...known, ...sought.slice(1)] : [...known, outer, ...sought]
    return { whole, hint: asked(whole) }
  }
  return undefined
}

/** Looks for the fields that one step names. */
export interface FieldWatch {
  /** Records which fields the rows have. */
  readonly see: (rows: ReadonlyArray<Row>) => void
  /** For a field that no row had, the end of a message with what the step probably means, if the step does not name that, too. */
  readonly hint: (path: string) => string | undefined
  /** Warns of these fields, except for some that the step reports itself. */
  readonly warn: (context: Warned, except?: ReadonlyArray<string>) => Effect.Effect<void>
}

type Warned = Pick<Context, "seesAllRows" | "warnOnce">

/** True for an expression that expects missing fields, or whose paths are not known: names in backticks may contain dots. */
const isTolerant = ({ source }: Expression): boolean => /\?\?|\$(?:exists|not|boolean)\b|`/.test(source)

const maxNamed = 5

/** The first few names, as in `"cost", "brand" and 3 more`. */
const listed = (names: ReadonlyArray<string>): string =>
  names
    .slice(0, maxNamed)
    .map((name) => JSON.stringify(name))
    .join(", ") + (names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "")

/** End of the message about a column that no row has, with the fields of the row that have no column. */
const columnHint = (data: Row["data"], columns: ReadonlyArray<string>): string => {
  const others = Object.keys(data).filter((name) => !columns.includes(name))
  return `empty in the file${others.length === 0 ? "" : `; the first row has fields without a column: ${listed(others)}`}`
}

/** Watches for the fields that the expressions read, and for further fields and columns, each of which is a name. */
export const watchFields = (
  expressions: ReadonlyArray<Expression>,
  further: ReadonlyArray<string> = [],
  columns: ReadonlyArray<string> = []
): FieldWatch => {
  const fields = [...further, ...columns]
  const watched = new Map<string, ReadonlyArray<string>>([
    ...expressions
      .flatMap((each) => (isTolerant(each) ? [] : each.paths))
      .map((path) => [path, path.split(".")] as const),
    ...fields.map((name) => [name, [name]] as const)
  ])
  const named = new Set([...expressions.flatMap(({ paths }) => paths), ...fields])
  /** Only these fields are looked for in further rows. */
  const missing = new Map<string, { readonly names: ReadonlyArray<string>; readonly hint: string }>()
  let rows = 0
  const begin = (data: Row["data"]): void => {
    for (const [path, names] of watched) {
      const found = isIn(data, names) ? undefined : nearPath(data, names)
      // Rows may have only some of several similar fields, such as `address1` and `address2`. Fields of a row have no path.
      const whole = found?.whole.join(".") ?? path
      if (found === undefined || (whole !== path && named.has(whole))) continue
      if (found.whole.length <= 1 || !fields.includes(path)) missing.set(path, { names, hint: found.hint })
    }
    const empty = columns.filter((name) => !missing.has(name) && !Object.hasOwn(data, name))
    const hint = empty.length === 0 ? "" : columnHint(data, columns)
    for (const name of empty) missing.set(name, { names: [name], hint })
  }
  return {
    see: (given) => {
      if (rows === 0 && given[0] !== undefined) begin(given[0].data)
      rows += given.length
      for (const { data } of given) {
        if (missing.size === 0) return
        for (const [path, { names }] of missing) if (isIn(data, names)) missing.delete(path)
      }
    },
    hint: (path) => missing.get(path)?.hint,
    warn: (context, except = []) =>
      Effect.suspend(() => {
        const paths = context.seesAllRows ? [...missing.keys()].filter((path) => !except.includes(path)) : []
        const hints = [...new Set(paths.map((path) => missing.get(path)?.hint ?? ""))]
        return Effect.forEach(
          hints,
          (hint) => {
            const named = paths.filter((path) => missing.get(path)?.hint === hint)
            const message = `no row has ${listed(named)} (${count(rows, "row")}): ${hint}`
            return context.warnOnce(`field ${named.join()}`, message)
          },
          { discard: true }
        )
      })
  }
}

/** The transform, which also warns of misspelt fields in its expressions. */
export const watchingFields = <R>(
  expressions: ReadonlyArray<Expression>,
  context: Warned,
  transform: Transform<R>
): Transform<R> => {
  const fields = watchFields(expressions)
  return {
    ...transform,
    push: (rows) => {
      fields.see(rows)
      return transform.push(rows)
    },
    ended: fields.warn(context)
  }
}
