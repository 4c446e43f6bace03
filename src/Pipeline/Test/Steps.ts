/** What a test says, held against the steps of the definition that it is for. */
import { didYouMean } from "../../Row/Nearest.ts"
import type { Checked } from "../Check.ts"
import { wrongInputs } from "../Expressions.ts"
import type { Mistake, Path } from "../Mistake.ts"
import type { RowsExpectation, TestCase } from "./Format.ts"

/** Everything that is wrong in a test although its form is right. */
export const mistakesAgainst = ({ frame, nodes }: Checked, test: TestCase, index: number): ReadonlyArray<Mistake> => {
  const mistakes: Array<Mistake> = []
  const at = (...path: Path): Path => ["tests", index, ...path]
  const giving = nodes.filter(({ step }) => step.behaviour.kind !== "value").map(({ id }) => id)
  const needStep = (id: string, path: Path) => {
    if (giving.includes(id)) return
    mistakes.push({
      path,
      atKey: true,
      message: nodes.some((node) => node.id === id)
        ? `"${id}" gives a value and no rows`
        : `there is no step "${id}"${didYouMean(id, giving) || `: there are ${giving.join(", ")}`}`
    })
  }
  const judgeRows = (expected: RowsExpectation, path: Path) => {
    const { count, equals, order } = expected
    if (order !== undefined && equals === undefined) {
      mistakes.push({ path: [...path, "order"], atKey: true, message: "means nothing without `equals`" })
    }
    if (typeof count === "object" && (count.min ?? 0) > (count.max ?? Number.POSITIVE_INFINITY)) {
      mistakes.push({ path: [...path, "count"], message: "min is more than max" })
    }
    for (const key of ["every", "some", "none", "list"] as const) {
      for (const expression of expected[key] ?? []) {
        for (const message of wrongInputs(expression, frame.inputs ?? {}))
          mistakes.push({ path: [...path, key], message })
      }
    }
    if (Object.keys(expected).length === 0) mistakes.push({ path, message: "expects nothing: write count, equals, …" })
  }

  for (const id of Object.keys(test.given?.rows ?? {})) needStep(id, at("given", "rows", id))
  for (const [id, expected] of Object.entries(test.expect.rows ?? {})) {
    needStep(id, at("expect", "rows", id))
    judgeRows(expected, at("expect", "rows", id))
  }
  for (const [path, expected] of Object.entries(test.expect.outputs ?? {})) {
    judgeRows(expected, at("expect", "outputs", path))
  }
  const { error, rejects, status } = test.expect
  if (rejects !== undefined) judgeRows(rejects, at("expect", "rejects"))
  if (error !== undefined && status !== undefined && status !== "failed") {
    mistakes.push({ path: at("expect", "error"), atKey: true, message: `a run that is ${status} has no error` })
  }
  return mistakes
}
