/** The report as TAP 14, the Test Anything Protocol. */
import { textOf } from "./Diff.ts"
import { pathOf, plain, type Report, type Result, titleOf } from "./Report.ts"

/** A description ends where a directive begins: neither `#` nor `\` may stand there bare. */
const escape = (text: string): string => plain(text).replace(/\s+/g, " ").replace(/[\\#]/g, "\\$&")

/** JSON is YAML, on one line. */
const spell = (value: unknown): string => JSON.stringify(typeof value === "string" ? plain(value) : value)

const ofResult = (result: Result, index: number): ReadonlyArray<string> => {
  const faults = result.faults.flatMap((fault) => {
    const diff = textOf(fault.deviations)
    return [
      `    - at: ${spell(fault.place)}`,
      `      expectation: ${spell(pathOf(fault))}`,
      `      message: ${spell(fault.message)}`,
      ...(diff === "" ? [] : [`      diff: ${spell(diff)}`])
    ]
  })
  return [
    `${result.passed ? "ok" : "not ok"} ${index + 1} - ${escape(titleOf(result))}`,
    "  ---",
    `  at: ${spell(result.place)}`,
    `  duration_ms: ${Math.round(result.millis)}`,
    ...(faults.length === 0 ? [] : ["  failures:", ...faults]),
    "  ..."
  ]
}

export const tap = ({ results }: Report): string =>
  `${["TAP version 14", `1..${results.length}`, ...results.flatMap(ofResult)].join("\n")}\n`
