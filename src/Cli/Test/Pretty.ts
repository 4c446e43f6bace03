/** The report for people: a line for every test, and for one that failed why. */
import { type Channel, paint } from "../Terminal.ts"
import { count, duration } from "../Words.ts"
import { linesOf } from "./Diff.ts"
import { type Fault, failed, pathOf, plain, type Report, type Result } from "./Report.ts"

const indent = "      "

/** Tests are quick: below ten seconds milliseconds tell them apart. */
const quick = (millis: number): string => (millis < 1000 ? `${Math.round(millis)} ms` : duration(millis))

const ofFault = (fault: Fault, channel: Channel): string => {
  const dye = paint(channel)
  const colours = { "-": dye.red, "+": dye.green, " ": (text: string) => text } as const
  const lines = linesOf(fault.deviations).map(({ sign, text }) => colours[sign](`${sign} ${plain(text)}`).trimEnd())
  const head = `${dye.dim(fault.place)}  ${dye.bold(pathOf(fault))}`.trimEnd()
  return [head, `  ${plain(fault.message)}`, ...lines.map((line) => `  ${line}`)]
    .map((line) => indent + line)
    .join("\n")
}

const ofResult = (result: Result, channel: Channel): string => {
  const dye = paint(channel)
  const mark = result.passed
    ? dye.green(channel.interactive ? "✔" : "pass")
    : dye.red(channel.interactive ? "✖" : "FAIL")
  const notes = result.notes.map((note) => `${indent}${dye.dim(plain(note))}`)
  const faults = result.faults.map((fault) => ofFault(fault, channel))
  return [`  ${mark} ${plain(result.name)} ${dye.dim(`(${quick(result.millis)})`)}`, ...notes, ...faults].join("\n")
}

/** All files one under the other, and the count of it all. */
export const pretty = (report: Report, channel: Channel): string => {
  const dye = paint(channel)
  const files = [...new Set(report.results.map(({ file }) => file))]
  const blocks = files.map((file) => {
    const results = report.results.filter((result) => result.file === file)
    return [dye.bold(file), ...results.map((result) => ofResult(result, channel))].join("\n")
  })
  const broken = failed(report).length
  const passed = report.results.length - broken
  const verdict = [
    ...(passed > 0 ? [dye.green(`${passed} passed`)] : []),
    ...(broken > 0 ? [dye.red(`${broken} failed`)] : [])
  ].join(", ")
  return `${blocks.join("\n\n")}\n\n${count(report.results.length, "test")}: ${verdict} in ${quick(report.millis)}\n`
}
