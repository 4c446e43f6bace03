/** What came of a rehearsed run, held against everything that its test expects. */
import * as Effect from "effect/Effect"
import { mapTexts } from "../../Client/Recording/Text.ts"
import type { RowsExpectation } from "../../Pipeline/Test/Format.ts"
import { loadRows } from "../../Pipeline/Test/Rows.ts"
import type { Test } from "../../Pipeline/Test.ts"
import type { Bindings } from "../../Row/Expression.ts"
import { didYouMean } from "../../Row/Nearest.ts"
import { keyOf, type Row } from "../../Row.ts"
import { judgeContent } from "./Content.ts"
import { type Failure, type Judged, judgeRows, judgeValue } from "./Judge.ts"
import type { Played } from "./Played.ts"

/** Puts the marks of test files in place of what is another in every run. */
const showing =
  ({ runId, site }: Pick<Played, "runId" | "site">) =>
  (text: string): string => {
    const located = site === undefined ? text : text.replaceAll(site, "{site}")
    return located.replaceAll(runId, "{runId}")
  }

/** The name that an output has in a test: that of the definition, with `{date}` filled in. */
const pathOf = (named: string, { now }: Test): string =>
  named.replaceAll("{date}", now.toISOString().slice(0, 10)).replace(/^\.\//, "")

const below = (path: Failure["path"], failures: ReadonlyArray<Failure>): ReadonlyArray<Failure> =>
  failures.map((failure) => ({ ...failure, path: [...path, ...failure.path] }))

/** Everything that a test expects and that did not come. */
export const judge = (test: Test, played: Played, folder: string) =>
  Effect.gen(function* () {
    const { expect, now } = test
    const failures: Array<Failure> = []
    const fail = (path: Failure["path"], message: string) => failures.push({ path: ["expect", ...path], message })
    const status = expect.status ?? (expect.error === undefined ? "completed" : "failed")
    if (played.status !== status) {
      const why = played.error === undefined ? "" : `: ${played.error}`
      fail(
        expect.status === undefined && expect.error !== undefined ? ["error"] : ["status"],
        `expected a run that is ${status}, it is ${played.status}${why}`
      )
      // Whatever else differs follows from this.
      return failures
    }
    if (expect.error !== undefined && played.error?.includes(expect.error) !== true) {
      fail(["error"], `the message does not contain ${JSON.stringify(expect.error)}: ${played.error ?? ""}`)
    }

    const show = showing(played)
    const run = {
      id: played.runId,
      site: played.site,
      startedAt: now.toISOString(),
      date: now.toISOString().slice(0, 10)
    }
    const judged = (
      name: string,
      rows: ReadonlyArray<unknown>,
      names: (index: number) => Bindings["names"]
    ): Judged => ({
      name,
      rows,
      shown: rows.map((row) => mapTexts(row, show)),
      bindings: (index) => ({ names: { ...names(index), run, inputs: played.inputs }, now })
    })
    const equalsOf = ({ equals }: RowsExpectation, path: Failure["path"], { shown }: Judged) =>
      equals === undefined
        ? Effect.succeed(undefined)
        : Effect.catchAll(loadRows(equals, folder), (reason) => {
            const message = `${reason}: --update writes it as the rows are now`
            failures.push({ path: ["expect", ...path, "equals"], message, actual: shown })
            return Effect.succeed(undefined)
          })

    for (const [id, expected] of Object.entries(expect.rows ?? {})) {
      const rows: ReadonlyArray<Row> = played.rows.get(id) ?? []
      const all = judged(
        `rows of ${id}`,
        rows.map(({ data }) => data),
        (index) => {
          const row = rows[index]
          return row === undefined ? {} : { key: keyOf(row), source: row.source }
        }
      )
      const path = ["rows", id]
      const equals = yield* equalsOf(expected, path, all)
      failures.push(...below(["expect", ...path], yield* judgeRows(expected, all, equals)))
    }

    for (const [named, expected] of Object.entries(expect.outputs ?? {})) {
      const path = ["outputs", named]
      const paths = played.outputs.map((each) => show(each.path))
      const written = played.outputs[paths.indexOf(pathOf(named, test))]
      if (written === undefined) {
        const hint =
          didYouMean(named, paths) || (paths.length > 0 ? `: there are ${paths.join(", ")}` : ": there is none at all")
        fail(path, `there is no output ${named}${hint}`)
        continue
      }
      const rows = typeof written.rows === "string" ? [] : written.rows
      const all = judged(named, rows, () => ({}))
      if (typeof written.rows === "string" && Object.keys(expected).some((key) => key !== "equals")) {
        fail(path, `its rows cannot be told: ${written.rows}`)
        continue
      }
      const { equals, order } = expected
      const isFile = typeof equals === "string"
      failures.push(
        ...below(
          ["expect", ...path],
          [
            ...(isFile ? yield* judgeContent({ equals, order }, written, { folder, judged: all, show }) : []),
            ...(yield* judgeRows(expected, all, isFile ? undefined : equals))
          ]
        )
      )
    }

    if (expect.rejects !== undefined) {
      const all = judged("the rejects", played.rejects, () => ({}))
      const equals = yield* equalsOf(expect.rejects, ["rejects"], all)
      failures.push(...below(["expect", "rejects"], yield* judgeRows(expect.rejects, all, equals)))
    } else if (status === "completed" && played.rejects.length > 0) {
      const [first] = played.rejects as ReadonlyArray<{ readonly step?: string; readonly message?: string }>
      const many = played.rejects.length === 1 ? "a row was" : `${played.rejects.length} rows were`
      fail([], `${many} rejected, by ${first?.step}: ${first?.message}; if that is right, expect it under rejects`)
    }
    if (expect.credits !== undefined) {
      failures.push(...judgeValue(["expect", "credits"], expect.credits, played.credits))
    }
    return failures
  })
