/**
 * Warns at the end of a run about fields that a step names but no row had, if the rows have a field with nearly the same name:
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

/** The path up to its first missing name, which is replaced by the nearest name that the row has. */
const nearPath = (data: unknown, path: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  let [value, known]: [unknown, Array<string>] = [data, []]
  for (const name of path) {
    const [next] = valuesAt(value, name)
    if (next === undefined) {
      const names = Object.keys(mapping(Array.isArray(value) ? value[0] : value))
      const near = nearest(
        name,
        names.filter((each) => isNear(each, name))
      )
      return near === undefined ? undefined : [...known, near]
    }
    value = next
    known = [...known, name]
  }
  return undefined
}

/** Looks for the fields that one step names. */
export interface FieldWatch {
  /** Records which fields the rows have. */
  readonly see: (rows: ReadonlyArray<Row>) => void
  /** For a field that no row had: the most similar field of the first row, if there is one and the step does not name it, too. */
  readonly near: (path: string) => string | undefined
  /** Warns of these fields, except for some that the step reports itself. */
  readonly warn: (context: Warned, except?: ReadonlyArray<string>) => Effect.Effect<void>
}

type Warned = Pick<Context, "seesAllRows" | "warnOnce">

/** Paths that expressions read, without those of expressions which expect missing fields. */
export const pathsIn = (expressions: ReadonlyArray<Expression>): ReadonlyArray<ReadonlyArray<string>> =>
  expressions
    // Paths are joined with dots, so names in backticks, which may contain dots, cannot be checked.
    .filter(({ source }) => !/\?\?|\$exists|`/.test(source))
    .flatMap(({ paths }) => paths.map((path) => path.split(".")))

/** Watches for the fields at these paths. */
export const watchFields = (paths: ReadonlyArray<ReadonlyArray<string>>): FieldWatch => {
  const watched = new Map(paths.map((path) => [path.join("."), path]))
  /** Only these fields are looked for in further rows. */
  const missing = new Map<string, { readonly names: ReadonlyArray<string>; readonly near: string }>()
  let rows = 0
  const begin = (data: unknown): void => {
    for (const [path, names] of watched) {
      const found = isIn(data, names) ? undefined : nearPath(data, names)
      // Rows may have only some of several similar fields, such as `address1` and `address2`.
      if (found === undefined || watched.has([...found, ...names.slice(found.length)].join("."))) continue
      missing.set(path, { names, near: found.join(".") })
    }
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
    near: (path) => missing.get(path)?.near,
    warn: (context, except = []) =>
      Effect.suspend(() =>
        Effect.forEach(
          context.seesAllRows ? missing : [],
          ([path, { near }]) =>
            except.includes(path)
              ? Effect.void
              : context.warnOnce(
                  `field ${path}`,
                  `no row has "${path}" (${count(rows, "row")}): did you mean "${near}"?`
                ),
          { discard: true }
        )
      )
  }
}

/** The transform, which also warns of misspelt fields in its expressions. */
export const watchingFields = <R>(
  expressions: ReadonlyArray<Expression>,
  context: Warned,
  transform: Transform<R>
): Transform<R> => {
  const fields = watchFields(pathsIn(expressions))
  return {
    ...transform,
    push: (rows) => {
      fields.see(rows)
      return transform.push(rows)
    },
    ended: fields.warn(context)
  }
}
