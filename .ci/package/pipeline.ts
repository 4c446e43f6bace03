/** A pipeline as the documentation of embedding has it: `sluice run` gives it the copy of Sluice that loads it. */
import { Pipeline } from "sluice"

interface Row {
  readonly n: string
}

const rows: ReadonlyArray<Row> = [{ n: "1 + 1" }]

export default Pipeline.make({
  version: 1,
  name: "typed",
  steps: [{ urls: ["https://example.com"] }, { select: { n: rows[0]?.n ?? "" } }, { write: { jsonl: "out.jsonl" } }]
})
