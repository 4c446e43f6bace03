/** Results of tests, and the reporters: pretty for people, TAP 14, and JUnit XML, which every build server can read. */

import type { Difference } from "../../Row/Difference.ts"
import type { Deviation, Failure } from "../../Run/Test/Assertions.ts"
import { count, duration } from "../Format.ts"
import { type Channel, paint } from "../Terminal.ts"

/** A failure, with its position in the test file. */
export interface Fault extends Failure {
  /** `file:line:column`. */
  readonly place: string
}

export interface Result {
  /** Test file as named on the command line. */
  readonly file: string
  readonly pipeline: string
  readonly name: string
  readonly place: string
  readonly passed: boolean
  readonly millis: number
  readonly faults: ReadonlyArray<Fault>
  /** Notes, for example about a recording that was written. */
  readonly notes: ReadonlyArray<string>
}

export interface Report {
  readonly results: ReadonlyArray<Result>
  readonly millis: number
}

export const failed = ({ results }: Report): ReadonlyArray<Result> => results.filter(({ passed }) => !passed)

/** Title such as `search-to-csv › gives each page once`. */
export const titleOf = ({ name, pipeline }: Result): string => `${pipeline} › ${name}`

/** Path of what failed, below the test, such as `expect.rows.select.equals`. */
export const pathOf = ({ path }: Failure): string =>
  path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`))
    .join("")

/** Texts of pages may contain anything: replaces characters that control a terminal or are illegal in XML. */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]|\p{Cs}/gu, "\ufffd")

/** `-` marks expected lines, `+` actual ones. */
export interface Line {
  readonly sign: "-" | "+" | " "
  readonly text: string
}

/** Maximum deviations shown per list, and differences shown per row. */
const most = 10

/** Maximum characters of a value shown on a line. */
const width = 100

const spell = (value: unknown): string => (value === undefined ? "nothing" : (JSON.stringify(value) ?? String(value)))

const cut = (text: string): string => (text.length > 3 * width ? `${text.slice(0, 3 * width - 1)}…` : text)

/** Shortens two long texts to the part around the first difference. */
const around = (expected: string, actual: string): readonly [string, string] => {
  if (expected.length <= width && actual.length <= width) return [expected, actual]
  let same = 0
  while (same < expected.length && expected[same] === actual[same]) same++
  const from = Math.max(0, Math.min(same - 30, Math.max(expected.length, actual.length) - width))
  const part = (text: string) =>
    `${from > 0 ? "…" : ""}${text.slice(from, from + width)}${text.length > from + width ? "…" : ""}`
  return [part(expected), part(actual)]
}

const ofDifference = ({ actual, expected, path }: Difference): ReadonlyArray<Line> => {
  const [left, right] = around(spell(expected), spell(actual))
  return [
    ...(path === "" ? [] : [{ sign: " ", text: `  ${path}` } as const]),
    { sign: "-", text: `  ${left}` },
    { sign: "+", text: `  ${right}` }
  ]
}

const more = (count: number, what: string): ReadonlyArray<Line> =>
  count > 0 ? [{ sign: " ", text: `… and ${count} more ${what}` }] : []

const ofDeviation = (deviation: Deviation): ReadonlyArray<Line> => {
  switch (deviation.kind) {
    case "missing":
      return [{ sign: "-", text: `row ${deviation.row} ${cut(spell(deviation.value))}` }]
    case "extra":
      return [{ sign: "+", text: `row ${deviation.row} ${cut(spell(deviation.value))}` }]
    case "changed":
      return [
        { sign: " ", text: `row ${deviation.row}` },
        ...deviation.differences.slice(0, most).flatMap(ofDifference),
        ...more(deviation.differences.length - most, "differences")
      ]
  }
}

/** Lines for the deviations: the first ten, and a line with the number of further ones. */
export const linesOf = (deviations: ReadonlyArray<Deviation> = []): ReadonlyArray<Line> => [
  ...deviations.slice(0, most).flatMap(ofDeviation),
  ...more(deviations.length - most, "rows")
]

/** {@link linesOf} as one text. */
export const textOf = (deviations: ReadonlyArray<Deviation> | undefined): string =>
  linesOf(deviations)
    .map(({ sign, text }) => `${sign} ${text}`.trimEnd())
    .join("\n")

const prettyIndent = "      "

/** Shows milliseconds below one second, because tests are quick. */
const quick = (millis: number): string => (millis < 1000 ? `${Math.round(millis)} ms` : duration(millis))

const prettyFault = (fault: Fault, channel: Channel): string => {
  const dye = paint(channel)
  const colours = { "-": dye.red, "+": dye.green, " ": (text: string) => text } as const
  const lines = linesOf(fault.deviations).map(({ sign, text }) => colours[sign](`${sign} ${printable(text)}`).trimEnd())
  const head = `${dye.dim(fault.place)}  ${dye.bold(pathOf(fault))}`.trimEnd()
  return [head, `  ${printable(fault.message)}`, ...lines.map((line) => `  ${line}`)]
    .map((line) => prettyIndent + line)
    .join("\n")
}

const prettyResult = (result: Result, channel: Channel): string => {
  const dye = paint(channel)
  const mark = result.passed
    ? dye.green(channel.interactive ? "✔" : "pass")
    : dye.red(channel.interactive ? "✖" : "FAIL")
  const notes = result.notes.map((note) => `${prettyIndent}${dye.dim(printable(note))}`)
  const faults = result.faults.map((fault) => prettyFault(fault, channel))
  return [`  ${mark} ${printable(result.name)} ${dye.dim(`(${quick(result.millis)})`)}`, ...notes, ...faults].join("\n")
}

/** Text with the results of all files, one below the other, and the totals. */
export const pretty = (report: Report, channel: Channel): string => {
  const dye = paint(channel)
  const files = [...new Set(report.results.map(({ file }) => file))]
  const blocks = files.map((file) => {
    const results = report.results.filter((result) => result.file === file)
    return [dye.bold(file), ...results.map((result) => prettyResult(result, channel))].join("\n")
  })
  const broken = failed(report).length
  const passed = report.results.length - broken
  const verdict = [
    ...(passed > 0 ? [dye.green(`${passed} passed`)] : []),
    ...(broken > 0 ? [dye.red(`${broken} failed`)] : [])
  ].join(", ")
  return `${blocks.join("\n\n")}\n\n${count(report.results.length, "test")}: ${verdict} in ${quick(report.millis)}\n`
}

/** Escapes `#` and `\`: a bare `#` in a TAP description would start a directive. */
const escapeTap = (text: string): string => printable(text).replace(/\s+/g, " ").replace(/[\\#]/g, "\\$&")

/** A value as one line of JSON, which is valid YAML. */
const spellTap = (value: unknown): string => JSON.stringify(typeof value === "string" ? printable(value) : value)

const tapResult = (result: Result, index: number): ReadonlyArray<string> => {
  const faults = result.faults.flatMap((fault) => {
    const diff = textOf(fault.deviations)
    return [
      `    - at: ${spellTap(fault.place)}`,
      `      expectation: ${spellTap(pathOf(fault))}`,
      `      message: ${spellTap(fault.message)}`,
      ...(diff === "" ? [] : [`      diff: ${spellTap(diff)}`])
    ]
  })
  return [
    `${result.passed ? "ok" : "not ok"} ${index + 1} - ${escapeTap(titleOf(result))}`,
    "  ---",
    `  at: ${spellTap(result.place)}`,
    `  duration_ms: ${Math.round(result.millis)}`,
    ...(faults.length === 0 ? [] : ["  failures:", ...faults]),
    "  ..."
  ]
}

export const tap = ({ results }: Report): string =>
  `${["TAP version 14", `1..${results.length}`, ...results.flatMap(tapResult)].join("\n")}\n`

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\t": "&#9;"
}

const escapeXml = (text: string): string => printable(text).replace(/[&<>"\n\t]/g, (found) => entities[found] ?? found)

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join("")

const seconds = (millis: number): string => (millis / 1000).toFixed(3)

/** One element for all faults: some readers accept no more than one. */
const junitFailure = (faults: ReadonlyArray<Fault>): string => {
  const texts = faults.map((fault) =>
    [`${fault.place}  ${pathOf(fault)}`.trimEnd(), fault.message, textOf(fault.deviations)]
      .filter((line) => line !== "")
      .join("\n")
  )
  const [first] = faults
  const content = escapeXml(texts.join("\n\n")).replaceAll("&#10;", "\n")
  const message = `${first?.message ?? ""}${faults.length > 1 ? `, and ${faults.length - 1} more` : ""}`
  return `      <failure${attributes({ type: first === undefined ? "" : pathOf(first), message })}>${content}</failure>`
}

const junitCase = (result: Result): string => {
  const opening = `    <testcase${attributes({ name: result.name, classname: result.pipeline, file: result.file, time: seconds(result.millis) })}`
  return result.passed ? `${opening}/>` : [`${opening}>`, junitFailure(result.faults), "    </testcase>"].join("\n")
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
      ...results.map(junitCase),
      "  </testsuite>"
    ].join("\n")
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes({ name: "sluice", ...totals(report) })}>\n${suites.join("\n")}\n</testsuites>\n`
}
