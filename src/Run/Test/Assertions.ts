/** Compares the rows and files of a test run with what the test expects. */

import { gunzipSync } from "node:zlib"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { mapTexts } from "../../Client/Recording/Request.ts"
import type { Path as DefinitionPath } from "../../Pipeline/Issue.ts"
import { loadRows, type Test } from "../../Pipeline/Test.ts"
import type { Count, Row as ExpectedRow, RowsExpectation } from "../../Pipeline/TestFile.ts"
import { count as countOf } from "../../Row/Count.ts"
import { canonical, type Difference, differences, subsetDifferences } from "../../Row/Difference.ts"
import type { Bindings, Expression } from "../../Row/Expression.ts"
import { didYouMean } from "../../Row/Nearest.ts"
import { keyOf, type Row } from "../../Row.ts"
import { truthy } from "../../Step/Where.ts"
import type { Played, Written } from "./WrittenOutputs.ts"

/** Describes the first difference between two strings. */
const firstDifference = (expected: string, actual: string): string => {
  const [left, right] = [expected.split("\n"), actual.split("\n")]
  const found = left.findIndex((line, index) => line !== right[index])
  const at = found === -1 ? left.length : found
  const spell = (line: string | undefined) => (line === undefined ? "its end" : JSON.stringify(line))
  return `line ${at + 1}: expected ${spell(left[at])}, got ${spell(right[at])}`
}

/** Text of a file, plain or gzipped. */
export const textOf = (content: Uint8Array, name: string): string => {
  const bytes = Buffer.from(content)
  if (!name.endsWith(".gz")) return bytes.toString()
  return Either.getOrElse(
    Either.try(() => gunzipSync(bytes)),
    () => bytes
  ).toString()
}

/**
 * Compares the content of a file with the expected one. `show` replaces values that differ in every run with the placeholders of test
 * files.
 */
export const judgeContent = (
  { equals: file, order }: { readonly equals: string; readonly order: RowsExpectation["order"] },
  written: Written,
  {
    folder,
    judged,
    show
  }: { readonly folder: string; readonly judged: Judged; readonly show: (text: string) => string }
): Effect.Effect<ReadonlyArray<Failure>, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = (yield* Path.Path).resolve(folder, file)
    const expected = yield* Effect.either(files.readFile(path))
    const actual = show(textOf(written.content, written.path))
    if (Either.isLeft(expected)) {
      return [
        { path: ["equals"], message: `cannot read ${file}: --update writes the current output to this file`, actual }
      ]
    }
    const wanted = textOf(expected.right, file)
    if (wanted === actual) return []
    const rows = yield* Effect.either(loadRows(file, folder))
    if (Either.isRight(rows) && typeof written.rows !== "string") {
      const failures = judgeEquals(rows.right, order, judged)
      if (failures.length > 0 || order === "any") return failures.map((failure) => ({ ...failure, actual }))
    }
    const message = `${written.path} is not ${file}: ${firstDifference(wanted, actual)}`
    return [{ path: ["equals"], message, actual }]
  })

/** A difference between two arrays; rows are counted from 1. */
export type Deviation =
  | { readonly kind: "changed"; readonly row: number; readonly differences: ReadonlyArray<Difference> }
  | { readonly kind: "missing"; readonly row: number; readonly value: unknown }
  | { readonly kind: "extra"; readonly row: number; readonly value: unknown }

/** Maximum cells (expected × actual rows); with more, rows are compared by position only. */
const maxCells = 4_000_000

/** Maximum pairs of unmatched rows; with more, they are not paired by similarity. */
const maxPairs = 250_000

type Pair = readonly [expected: number, actual: number]

/** Longest common subsequence of equal rows. */
const common = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): ReadonlyArray<Pair> => {
  const width = b.length + 1
  const best = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number) => best[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      best[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const pairs: Array<Pair> = []
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return pairs
}

/** Number of equal fields of two rows. */
const alike = (a: unknown, b: unknown): number => {
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return 0
  const entries = Object.entries(a)
  return entries.filter(([key, value]) => canonical(value) === canonical((b as Record<string, unknown>)[key])).length
}

/** Differences in the rows between two pairs of equal rows: pairs as many as possible, and reports the rest as missing or extra. */
const gap = (expected: ReadonlyArray<unknown>, actual: ReadonlyArray<unknown>, from: Pair, to: Pair) => {
  const found: Array<Deviation> = []
  let [i, j] = from
  while (i < to[0] && j < to[1]) {
    const left = [to[0] - i, to[1] - j] as const
    // The longer side skips the row that is least similar to the other side.
    const skipsActual = left[1] > left[0] && alike(expected[i], actual[j]) < alike(expected[i], actual[j + 1])
    const skipsExpected = left[0] > left[1] && alike(expected[i], actual[j]) < alike(expected[i + 1], actual[j])
    if (skipsActual) found.push({ kind: "extra", row: j + 1, value: actual[j++] })
    else if (skipsExpected) found.push({ kind: "missing", row: i + 1, value: expected[i++] })
    else found.push({ kind: "changed", row: j + 1, differences: differences(expected[i++], actual[j++]) })
  }
  while (i < to[0]) found.push({ kind: "missing", row: i + 1, value: expected[i++] })
  while (j < to[1]) found.push({ kind: "extra", row: j + 1, value: actual[j++] })
  return found
}

/** All differences between two arrays, in order. */
export const align = (expected: ReadonlyArray<unknown>, actual: ReadonlyArray<unknown>): ReadonlyArray<Deviation> => {
  const pairs = expected.length * actual.length > maxCells ? [] : common(expected.map(canonical), actual.map(canonical))
  const ends: ReadonlyArray<Pair> = [...pairs, [expected.length, actual.length]]
  const found: Array<Deviation> = []
  let from: Pair = [0, 0]
  for (const [i, j] of ends) {
    found.push(...gap(expected, actual, from, [i, j]))
    from = [i + 1, j + 1]
  }
  return found.filter((each) => each.kind !== "changed" || each.differences.length > 0)
}

/** Like {@link align}, but ignores the order: unmatched rows are paired by similarity. */
export const match = (expected: ReadonlyArray<unknown>, actual: ReadonlyArray<unknown>): ReadonlyArray<Deviation> => {
  const free = new Map<string, Array<number>>()
  for (const [index, value] of actual.entries()) {
    const key = canonical(value)
    const known = free.get(key)
    if (known === undefined) free.set(key, [index])
    else known.push(index)
  }
  const unmet: Array<number> = []
  for (const [index, value] of expected.entries()) {
    if (free.get(canonical(value))?.shift() === undefined) unmet.push(index)
  }
  const left = [...free.values()].flat().sort((a, b) => a - b)
  const found: Array<Deviation> = []
  const isTooMuch = unmet.length * left.length > maxPairs
  for (const index of unmet) {
    const likely = isTooMuch
      ? left[0]
      : left
          .map((each) => ({ each, same: alike(expected[index], actual[each]) }))
          .filter(({ same }) => same > 0)
          .sort((a, b) => b.same - a.same || a.each - b.each)[0]?.each
    if (likely === undefined) {
      found.push({ kind: "missing", row: index + 1, value: expected[index] })
      continue
    }
    left.splice(left.indexOf(likely), 1)
    found.push({ kind: "changed", row: likely + 1, differences: differences(expected[index], actual[likely]) })
  }
  return [...found, ...left.map((row): Deviation => ({ kind: "extra", row: row + 1, value: actual[row] }))]
}

/** Replaces values that differ in every run with the placeholders of test files. */
const showing =
  ({ runId, site }: Pick<Played, "runId" | "site">) =>
  (text: string): string => {
    const located = site === undefined ? text : text.replaceAll(site, "{site}")
    return located.replaceAll(runId, "{runId}")
  }

/** Name of an output in a test: as in the definition, with `{date}` replaced. */
const pathOf = (named: string, { now }: Test): string =>
  named.replaceAll("{date}", now.toISOString().slice(0, 10)).replace(/^\.\//, "")

const below = (path: Failure["path"], failures: ReadonlyArray<Failure>): ReadonlyArray<Failure> =>
  failures.map((failure) => ({ ...failure, path: [...path, ...failure.path] }))

const failure = (path: Failure["path"], message: string): Failure => ({ path: ["expect", ...path], message })

/** Status that a test expects of its run. */
export const expectedStatus = ({ expect }: Test) =>
  expect.status ?? (expect.error === undefined ? "completed" : "failed")

const judgeStatus = (test: Test, { error, status }: Played): ReadonlyArray<Failure> => {
  const { expect } = test
  if (status === expectedStatus(test)) return []
  const key = expect.status === undefined && expect.error !== undefined ? "error" : "status"
  const why = error === undefined ? "" : `: ${error}`
  return [failure([key], `expected a run that is ${expectedStatus(test)}, but the run is ${status}${why}`)]
}

const judgeError = ({ expect }: Test, { error }: Played): ReadonlyArray<Failure> =>
  expect.error === undefined || error?.includes(expect.error) === true
    ? []
    : [failure(["error"], `the error message does not contain ${JSON.stringify(expect.error)}: ${error ?? ""}`)]

/** Combines rows with the names that expressions over them can use. */
const makeJudged = (
  { now }: Test,
  played: Played,
  name: string,
  rows: ReadonlyArray<unknown>,
  names: (index: number) => Bindings["names"] = () => ({})
): Judged => {
  const startedAt = now.toISOString()
  const run = { id: played.runId, site: played.site, startedAt, date: startedAt.slice(0, 10) }
  const show = showing(played)
  return {
    name,
    rows,
    shown: rows.map((row) => mapTexts(row, show)),
    bindings: (index) => ({ names: { ...names(index), run, inputs: played.inputs }, now })
  }
}

/** Compares rows with what is expected; if `equals` names a file of rows, loads that file first. */
const judgeRowsOf = (expected: RowsExpectation, path: Failure["path"], judged: Judged, folder: string) =>
  Effect.gen(function* () {
    const { equals } = expected
    const loaded = equals === undefined ? undefined : yield* Effect.either(loadRows(equals, folder))
    const unreadable: ReadonlyArray<Failure> =
      loaded !== undefined && Either.isLeft(loaded)
        ? [
            {
              path: ["equals"],
              message: `${loaded.left}: --update writes the current rows to this file`,
              actual: judged.shown
            }
          ]
        : []
    const rows = loaded === undefined ? undefined : Option.getOrUndefined(Either.getRight(loaded))
    return below(["expect", ...path], [...unreadable, ...(yield* judgeRows(expected, judged, rows))])
  })

const judgeStep = (test: Test, played: Played, folder: string, id: string, expected: RowsExpectation) => {
  const rows: ReadonlyArray<Row> = played.rows.get(id) ?? []
  const data = rows.map(({ data }) => data)
  const judged = makeJudged(test, played, `rows of ${id}`, data, (index) => {
    const row = rows[index]
    return row === undefined ? {} : { key: keyOf(row), source: row.source }
  })
  return judgeRowsOf(expected, ["rows", id], judged, folder)
}

const judgeOutput = (
  test: Test,
  played: Played,
  folder: string,
  named: string,
  expected: NonNullable<Test["expect"]["outputs"]>[string]
) =>
  Effect.gen(function* () {
    const show = showing(played)
    const paths = played.outputs.map((each) => show(each.path))
    const written = played.outputs[paths.indexOf(pathOf(named, test))]
    if (written === undefined) {
      const hint =
        didYouMean(named, paths) || (paths.length > 0 ? `: there are ${paths.join(", ")}` : ": there is none at all")
      return [failure(["outputs", named], `there is no output ${named}${hint}`)]
    }
    if (typeof written.rows === "string" && Object.keys(expected).some((key) => key !== "equals")) {
      return [failure(["outputs", named], `its rows cannot be read: ${written.rows}`)]
    }
    const { equals, order } = expected
    const judged = makeJudged(test, played, named, typeof written.rows === "string" ? [] : written.rows)
    const isFile = typeof equals === "string"
    const content = isFile ? yield* judgeContent({ equals, order }, written, { folder, judged, show }) : []
    const rows = yield* judgeRows(expected, judged, isFile ? undefined : equals)
    return below(["expect", "outputs", named], [...content, ...rows])
  })

const judgeRejects = (test: Test, played: Played, folder: string) => {
  const { rejects: expected } = test.expect
  const { rejects } = played
  if (expected !== undefined) {
    return judgeRowsOf(expected, ["rejects"], makeJudged(test, played, "the rejects", rejects), folder)
  }
  if (expectedStatus(test) !== "completed" || rejects.length === 0) return Effect.succeed([])
  const [first] = rejects as ReadonlyArray<{ readonly step?: string; readonly message?: string }>
  const many = rejects.length === 1 ? "a row was" : `${rejects.length} rows were`
  const message = `${many} rejected, by ${first?.step}: ${first?.message}; if that is right, add it to expect.rejects`
  return Effect.succeed([failure([], message)])
}

/** All failed expectations of a test. */
export const judge = (test: Test, played: Played, folder: string) =>
  Effect.gen(function* () {
    const { credits, outputs = {}, rows = {} } = test.expect
    const status = judgeStatus(test, played)
    // All other differences follow from the wrong status.
    if (status.length > 0) return status
    const steps = yield* Effect.forEach(Object.entries(rows), ([id, expected]) =>
      judgeStep(test, played, folder, id, expected)
    )
    const files = yield* Effect.forEach(Object.entries(outputs), ([named, expected]) =>
      judgeOutput(test, played, folder, named, expected)
    )
    return [
      ...judgeError(test, played),
      ...steps.flat(),
      ...files.flat(),
      ...(yield* judgeRejects(test, played, folder)),
      ...(credits === undefined ? [] : judgeValue(["expect", "credits"], credits, played.credits))
    ]
  })

/** A failed expectation. */
export interface Failure {
  /** Path within the test: `["expect", "rows", "select", "count"]`. */
  readonly path: DefinitionPath
  /** Expected and actual value, on one line. */
  readonly message: string
  /** Row differences, unless there were too many rows to compare. */
  readonly deviations?: ReadonlyArray<Deviation> | undefined
  /** For `equals`: the actual rows, or the actual content of the file. */
  readonly actual?: ReadonlyArray<unknown> | string | undefined
}

/** Rows with the names that expressions over them can use. */
export interface Judged {
  /** What the rows are, for messages: `rows of select`, `out/a.csv`. */
  readonly name: string
  /** Unchanged rows, for expressions. */
  readonly rows: ReadonlyArray<unknown>
  /** Rows with placeholders for values that differ in every run. */
  readonly shown: ReadonlyArray<unknown>
  readonly bindings: (index: number) => Bindings
}

const describeCount = (count: Count): string => {
  if (typeof count === "number") return countOf(count, "row")
  const { max, min } = count
  if (max === undefined) return `at least ${countOf(min ?? 0, "row")}`
  return min === undefined ? `at most ${countOf(max, "row")}` : `${min} to ${countOf(max, "row")}`
}

const fits = (count: Count, length: number): boolean =>
  typeof count === "number"
    ? length === count
    : length >= (count.min ?? 0) && length <= (count.max ?? Number.POSITIVE_INFINITY)

/** Lists the first few row numbers. */
const list = (rows: ReadonlyArray<number>): string =>
  `${rows.length === 1 ? "row" : "rows"} ${rows.slice(0, 5).join(", ")}${rows.length > 5 ? `, and ${rows.length - 5} more` : ""}`

/** Result of an expression for each row, or the reason why it failed. */
const judgeEach = (expression: Expression, { bindings, rows }: Judged) =>
  Effect.map(expression.evaluateChunk(rows, bindings), (values) =>
    values.map((value) => (Either.isRight(value) ? truthy(value.right) : value.left.message))
  )

const judgePredicates = (expected: RowsExpectation, judged: Judged) =>
  Effect.gen(function* () {
    const failures: Array<Failure> = []
    const fail = (key: keyof RowsExpectation, message: string) => failures.push({ path: [key], message })
    const all = judged.rows.length
    for (const key of ["every", "some", "none"] as const) {
      for (const expression of expected[key] ?? []) {
        const results = yield* judgeEach(expression, judged)
        const broken = results.find((each) => typeof each === "string")
        const rowsThat = (wanted: boolean) => results.flatMap((each, index) => (each === wanted ? [index + 1] : []))
        const text = expression.source.trim()
        if (broken !== undefined) fail(key, `\`${text}\` fails: ${broken}`)
        // Without rows, `every` and `some` prove nothing, so they fail.
        else if (key !== "none" && all === 0) fail(key, `\`${text}\`: there are no rows`)
        else if (key === "some" && rowsThat(true).length === 0) {
          fail(key, `\`${text}\` is true for none of ${countOf(all, "row")}`)
        } else if (key === "every" && rowsThat(false).length > 0) {
          fail(key, `\`${text}\` is not true for ${list(rowsThat(false))}`)
        } else if (key === "none" && rowsThat(true).length > 0) {
          fail(key, `\`${text}\` is true for ${list(rowsThat(true))}`)
        }
      }
    }
    for (const expression of expected.list ?? []) {
      const value = yield* Effect.either(expression.evaluate(judged.rows, judged.bindings(-1)))
      const text = expression.source.trim()
      if (Either.isLeft(value)) fail("list", `\`${text}\` fails: ${value.left.message}`)
      else if (!truthy(value.right))
        fail("list", `\`${text}\` is not true: ${JSON.stringify(value.right) ?? "nothing"}`)
    }
    return failures
  })

/** For each expected part without a match: names the nearest row and its differences. */
const judgeParts = (parts: ReadonlyArray<ExpectedRow>, { name, shown }: Judged): ReadonlyArray<Failure> =>
  parts.flatMap((part, index): ReadonlyArray<Failure> => {
    const [nearest] = shown
      .map((row, at) => ({ row: at + 1, differences: subsetDifferences(part, row) }))
      .sort((a, b) => a.differences.length - b.differences.length)
    if (nearest?.differences.length === 0) return []
    const message = `no row has all of ${JSON.stringify(part)}`
    return [
      nearest === undefined
        ? { path: ["contains", index], message: `${message}: ${name} ${name.startsWith("rows") ? "are" : "is"} empty` }
        : {
            path: ["contains", index],
            message: `${message}; the nearest:`,
            deviations: [{ kind: "changed", ...nearest }]
          }
    ]
  })

const judgeFields = (fields: ReadonlyArray<string>, { shown }: Judged): ReadonlyArray<Failure> => {
  if (shown.length === 0) return [{ path: ["fields"], message: "there are no rows" }]
  const wanted = new Set(fields)
  const wrong = shown.flatMap((row, index) => {
    const keys = new Set(Object.keys((row ?? {}) as object))
    const missing = fields.filter((field) => !keys.has(field))
    const extra = [...keys].filter((key) => !wanted.has(key))
    return missing.length + extra.length === 0 ? [] : [{ row: index + 1, missing, extra }]
  })
  const [first] = wrong
  if (first === undefined) return []
  const parts = [
    ...(first.missing.length === 0 ? [] : [`lacks ${first.missing.join(", ")}`]),
    ...(first.extra.length === 0 ? [] : [`also has ${first.extra.join(", ")}`])
  ]
  const others = wrong.length - 1
  const more = `; ${others} more of ${shown.length} rows ${others === 1 ? "has" : "have"} similar differences`
  return [{ path: ["fields"], message: `row ${first.row} ${parts.join(" and ")}${others === 0 ? "" : more}` }]
}

/** Compares all rows one by one. */
export const judgeEquals = (
  expected: ReadonlyArray<unknown>,
  order: RowsExpectation["order"],
  { name, shown }: Judged
): ReadonlyArray<Failure> => {
  const deviations = order === "any" ? match(expected, shown) : align(expected, shown)
  if (deviations.length === 0) return []
  const same = order !== "any" && match(expected, shown).length === 0
  const message = same
    ? `${name}: the rows are as expected, but in another order; write \`order: any\` if the order does not matter`
    : `${name}: ${deviations.length === 1 ? "one row is" : `${deviations.length} rows are`} not as expected`
  return [{ path: ["equals"], message, deviations, actual: shown }]
}

/** All failed expectations about rows. `equals` is passed in if it comes from a file. */
export const judgeRows = (
  expected: RowsExpectation,
  judged: Judged,
  equals: ReadonlyArray<unknown> | undefined
): Effect.Effect<ReadonlyArray<Failure>> =>
  Effect.map(judgePredicates(expected, judged), (predicates) => {
    const { contains = [], count, fields, order } = expected
    const { length } = judged.rows
    return [
      ...(count === undefined || fits(count, length)
        ? []
        : [{ path: ["count"], message: `expected ${describeCount(count)}, got ${length}` }]),
      ...(equals === undefined ? [] : judgeEquals(equals, order, judged)),
      ...judgeParts(contains, judged),
      ...(fields === undefined ? [] : judgeFields(fields, judged)),
      ...predicates
    ]
  })

/** Compares two values. */
export const judgeValue = (path: DefinitionPath, expected: unknown, actual: unknown): ReadonlyArray<Failure> =>
  differences(expected, actual).length === 0
    ? []
    : [{ path, message: `expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual) ?? "nothing"}` }]
