/**
 * Counts of a CI run, from the reports of vitest: `result.ts PART QUICK FAULTS`. Fails where a test was skipped, except the long ones of
 * files outside of the part, and where the reports hold no file of the part.
 */
import { readFileSync } from "node:fs"
import { filesOfPart } from "../test/Long.ts"

interface Report {
  readonly numFailedTests: number
  readonly numPassedTests: number
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly assertionResults: ReadonlyArray<{ readonly fullName: string; readonly status: string }>
  }>
}

const [part = "", ...paths] = process.argv.slice(2)
const [quick, faults] = paths.map((path): Report => JSON.parse(readFileSync(path, "utf8")))
if (quick === undefined || faults === undefined) throw new Error("usage: result.ts PART QUICK FAULTS")

const files = filesOfPart(part)
const ofPart = quick.testResults.filter(({ name }) => files.has(name))
const needRoot = /(Sink.Existing|Render.Gateway)\.test\.ts$/
const skipped = [...ofPart, ...faults.testResults].flatMap(({ assertionResults, name }) =>
  process.getuid?.() !== 0 && needRoot.test(name)
    ? []
    : assertionResults
        .filter(({ status }) => status === "pending" || status === "skipped")
        .map(({ fullName }) => fullName)
)
for (const [name, { numFailedTests, numPassedTests }] of Object.entries({ "npm test": quick, faults })) {
  console.log(`${name}: ${numPassedTests} passed, ${numFailedTests} failed`)
}
console.log(`with long tests: ${ofPart.length} of ${quick.testResults.length} files of npm test`)
for (const name of skipped) console.log(`skipped: ${name}`)
if (skipped.length > 0 || ofPart.length === 0) process.exitCode = 1
