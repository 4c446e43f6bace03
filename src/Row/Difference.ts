/** Compares JSON values: differences by path, and a canonical string. */
import * as Predicate from "effect/Predicate"

/** Difference at one path. A value missing on one side is undefined. */
export interface Difference {
  /** Path such as `metadata.title` or `links[2]`; empty for the values as a whole. */
  readonly path: string
  readonly expected: unknown
  readonly actual: unknown
}

const below = (path: string, key: string): string => {
  const name = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key) ? key : JSON.stringify(key)
  return path === "" ? name : `${path}.${name}`
}

const gather = (expected: unknown, actual: unknown, part: boolean, path: string, found: Array<Difference>): void => {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    for (let index = 0; index < Math.max(expected.length, actual.length); index++) {
      gather(expected[index], actual[index], part, `${path}[${index}]`, found)
    }
    return
  }
  if (Predicate.isReadonlyRecord(expected) && Predicate.isReadonlyRecord(actual)) {
    const keys = part ? Object.keys(expected) : [...new Set([...Object.keys(expected), ...Object.keys(actual)])]
    for (const key of keys) gather(own(expected, key), own(actual, key), part, below(path, key), found)
    return
  }
  if (!Object.is(expected, actual) && !(expected === 0 && actual === 0)) found.push({ path, expected, actual })
}

const own = (value: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(value, key) ? value[key] : undefined

/** All differences. Ignores the order of keys; undefined equals a missing key. */
export const differences = (expected: unknown, actual: unknown): ReadonlyArray<Difference> => {
  const found: Array<Difference> = []
  gather(expected, actual, false, "", found)
  return found
}

/** Differences at the keys of `expected`. Ignores additional keys of `actual`, but not additional array items. */
export const subsetDifferences = (expected: unknown, actual: unknown): ReadonlyArray<Difference> => {
  const found: Array<Difference> = []
  gather(expected, actual, true, "", found)
  return found
}

export const isEqual = (a: unknown, b: unknown): boolean => differences(a, b).length === 0

/** The value as JSON with sorted keys, so that equal values have equal strings. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    Predicate.isReadonlyRecord(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : each
  ) ?? "undefined"
