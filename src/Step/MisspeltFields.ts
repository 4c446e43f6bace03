/**
 * Warns at the end of a run about fields that an expression reads but no row had, if the rows have a field with nearly the same name:
 * `metadata.titel`. Expressions with `??` or `$exists` expect missing fields, so they are not checked.
 */
import * as Effect from "effect/Effect"
import { count } from "../Row/Count.ts"
import type { Expression } from "../Row/Expression.ts"
import { nearest } from "../Row/Nearest.ts"
import type { Row } from "../Row.ts"
import type { Context, Transform } from "../Step.ts"
import { mapping } from "./Requirements.ts"

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

/** The path with its first missing name replaced by the nearest name that the row has. */
const nearPath = (data: unknown, path: ReadonlyArray<string>): string | undefined => {
  let [value, known]: [unknown, Array<string>] = [data, []]
  for (const name of path) {
    const [next] = valuesAt(value, name)
    if (next === undefined) {
      const names = Object.keys(mapping(Array.isArray(value) ? value[0] : value))
      const near = nearest(
        name,
        names.filter((each) => isNear(each, name))
      )
      return near === undefined ? undefined : [...known, near].join(".")
    }
    value = next
    known = [...known, name]
  }
  return undefined
}

/** Transform that also records which of the fields read by its expressions occur in any row. */
export const watchingFields = (
  expressions: ReadonlyArray<Expression>,
  context: Pick<Context, "warnOnce">,
  push: Transform<never>["push"]
): Transform<never> => {
  // Paths are joined with dots, so names in backticks, which may contain dots, cannot be checked.
  const read = expressions.filter(({ source }) => !/\?\?|\$exists|`/.test(source)).flatMap(({ paths }) => paths)
  const missing = new Map([...new Set(read)].map((path) => [path, path.split(".")]))
  let rows = 0
  let first: unknown
  const see = ({ data }: Row) => {
    rows++
    if (missing.size === 0) return
    first ??= data
    for (const [path, names] of missing) if (isIn(data, names)) missing.delete(path)
    if (missing.size === 0) first = undefined
  }
  const told = Effect.suspend(() =>
    Effect.forEach(
      missing,
      ([path, names]) => {
        const near = nearPath(first, names)
        return near === undefined
          ? Effect.void
          : context.warnOnce(`field ${path}`, `no row has "${path}" (${count(rows, "row")}): did you mean "${near}"?`)
      },
      { discard: true }
    )
  )
  return {
    push: (given) => {
      for (const row of given) see(row)
      return push(given)
    },
    ended: told
  }
}
