/** Everything that a run leaves, and its differences from what it should have left. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import { ledgerOf } from "./Store.ts"

/** Everything that may be compared, in parts; a part is lines in an order that does not matter. */
export type Result = Readonly<Record<string, ReadonlyArray<string>>>

/** These are written in the order of the input: their one line is all of their bytes. */
const ordered: ReadonlySet<string> = new Set(["files.jsonl"])

const read = (path: string): string => {
  const bytes = readFileSync(path)
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8")
}

const filesUnder = (folder: string): ReadonlyArray<string> =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .sort()
    : []

/** An engine of the run's own has another port in each of its lives. */
const withoutPort = (line: string): string => line.replace(/http:\/\/127\.0\.0\.1:\d+\/v2/g, "http://engine/v2")

/** Keys of a reject line whose values differ from run to run: times, ids, and how long a page waited for a free slot. */
const changing: ReadonlySet<string> = new Set([
  "at",
  "jobId",
  "traceId",
  "spanId",
  "requestId",
  "concurrencyLimited",
  "concurrencyQueueDurationMs"
])

const rejectLine = (line: string): string =>
  withoutPort(JSON.stringify(JSON.parse(line), (key, value) => (changing.has(key) ? undefined : value)))

const linesOf = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line !== "")

/** Rolled parts hold what came to be in them: all parts of a partition are looked at together. */
const partitionOf = (file: string): string => file.replace(/\/\d+\.jsonl\.gz$/, "/*")

export const resultOf = (out: string, dataDir: string, runId: string): Effect.Effect<Result> =>
  Effect.map(ledgerOf(dataDir), (ledger) => {
    const result: Record<string, ReadonlyArray<string>> = {}
    const names = filesUnder(out)
    for (const name of names) {
      const text = read(join(out, name))
      const part = partitionOf(name)
      result[part] = [...(result[part] ?? []), ...(ordered.has(name) ? [text] : linesOf(text))]
    }
    for (const [name, lines] of Object.entries(result)) result[name] = [...lines].sort()
    result["names of files"] = names
    const rejects = join(dataDir, "runs", runId, "rejects.jsonl")
    result["rejects.jsonl"] = existsSync(rejects) ? linesOf(readFileSync(rejects, "utf8")).map(rejectLine).sort() : []
    for (const [name, lines] of Object.entries(ledger)) result[`ledger: ${name}`] = lines.map(withoutPort)
    return result
  })

const countsOf = (lines: ReadonlyArray<string>): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}

const short = (line: string): string => (line.length > 300 ? `${line.slice(0, 300)} …` : line)

/**
 * True for an attempt at a page that had no answer. It is recorded at once, but its row only in its turn: a run that is killed in between
 * makes the attempt again, and both are recorded.
 */
const isAttempt = (name: string, line: string): boolean => {
  if (name !== "ledger: pages") return false
  const { price, status } = JSON.parse(line)
  return status === null && price === "unknown"
}

/** Every difference as a sentence: what is lost, what is there twice or should not be there at all. */
export const differences = (expected: Result, found: Result): ReadonlyArray<string> => {
  const sentences: Array<string> = []
  for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const left = countsOf(expected[name] ?? [])
    const right = countsOf(found[name] ?? [])
    const lost = [...left].filter(([line, count]) => (right.get(line) ?? 0) < count)
    const extra = [...right].filter(
      ([line, count]) => (left.get(line) ?? 0) < count && !(left.has(line) && isAttempt(name, line))
    )
    for (const [what, some] of [
      ["lost", lost],
      ["doubled or new", extra]
    ] as const) {
      const [first] = some
      if (first !== undefined) sentences.push(`${name}: ${some.length} ${what}, such as ${short(first[0])}`)
    }
  }
  return sentences
}
