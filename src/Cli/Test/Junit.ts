/** The report as JUnit XML, which every build server reads. */
import { textOf } from "./Diff.ts"
import { type Fault, failed, pathOf, plain, type Report, type Result } from "./Report.ts"

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\t": "&#9;"
}

const escape = (text: string): string => plain(text).replace(/[&<>"\n\t]/g, (found) => entities[found] ?? found)

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escape(String(value))}"`)
    .join("")

const seconds = (millis: number): string => (millis / 1000).toFixed(3)

/** One element, however many faults: some readers know no more than one. */
const ofFaults = (faults: ReadonlyArray<Fault>): string => {
  const texts = faults.map((fault) =>
    [`${fault.place}  ${pathOf(fault)}`.trimEnd(), fault.message, textOf(fault.deviations)]
      .filter((line) => line !== "")
      .join("\n")
  )
  const [first] = faults
  const content = escape(texts.join("\n\n")).replaceAll("&#10;", "\n")
  const message = `${first?.message ?? ""}${faults.length > 1 ? `, and ${faults.length - 1} more` : ""}`
  return `      <failure${attributes({ type: first === undefined ? "" : pathOf(first), message })}>${content}</failure>`
}

const ofResult = (result: Result): string => {
  const opening = `    <testcase${attributes({ name: result.name, classname: result.pipeline, file: result.file, time: seconds(result.millis) })}`
  return result.passed ? `${opening}/>` : [`${opening}>`, ofFaults(result.faults), "    </testcase>"].join("\n")
}

const totals = (report: Report) => ({
  tests: report.results.length,
  failures: failed(report).length,
  errors: 0,
  time: seconds(report.millis)
})

export const junit = (report: Report): string => {
  const suites = [...new Set(report.results.map(({ file }) => file))].map((file) => {
    const results = report.results.filter((result) => result.file === file)
    const millis = results.reduce((sum, result) => sum + result.millis, 0)
    return [
      `  <testsuite${attributes({ name: file, ...totals({ results, millis }) })}>`,
      ...results.map(ofResult),
      "  </testsuite>"
    ].join("\n")
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes({ name: "sluice", ...totals(report) })}>\n${suites.join("\n")}\n</testsuites>\n`
}
