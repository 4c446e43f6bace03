/** A pipeline in a project without Effect 3. */
import { definePipeline } from "sluice/promise"

export default definePipeline({
  version: 1,
  name: "typed",
  steps: [{ urls: ["https://example.com"] }, { select: { url: "url" } }, { write: { jsonl: "out.jsonl" } }]
})

// @ts-expect-error a step that is not there
definePipeline({ version: 1, name: "wrong", steps: [{ nonsense: {} }] })
