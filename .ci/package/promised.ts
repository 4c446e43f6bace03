/** A consumer's use of the types of `sluice/promise`, which name nothing of Effect. */
import {
  createClient,
  createPipeline,
  type Document,
  definePipeline,
  RateLimited,
  RunFailed,
  SinkErrors,
  type Summary
} from "sluice/promise"

const definition = definePipeline({
  version: 1,
  name: "typed",
  steps: [
    { urls: ["https://example.com"] },
    { scrape: { formats: ["markdown"] } },
    { select: { title: "metadata.title", status: "metadata.statusCode" } },
    { write: { jsonl: "typed.jsonl" } }
  ]
})

export const titles = async () => {
  for await (const { status, title } of createPipeline(definition).rows()) {
    const code: unknown = status
    // @ts-expect-error a number is no string
    const wrong: string = status
    return [title, code, wrong]
  }
}
export const misspelt = async () => {
  // @ts-expect-error a field that the rows do not have
  for await (const { titel } of createPipeline(definition).rows()) return titel
}

const client = createClient({ engine: { dataDir: "data", retention: "2 hours", workers: 4 }, retries: 2 })
export const page = client.scrape({ url: "https://example.com", formats: ["markdown"] })
// @ts-expect-error a limit is a number
export const wrong = client.crawl.start({ url: "https://docs.example.com", limit: "many" })

export const documents = async (): Promise<ReadonlyArray<Document>> => {
  const found: Array<Document> = []
  for await (const document of client.crawl.stream("id", { from: 10 })) found.push(document)
  return found
}

export const run = async (): Promise<Summary | string | number> => {
  try {
    return await createPipeline("pipeline.yaml", { secrets: { KEY: "1" }, limit: 3 }).run()
  } catch (error) {
    if (error instanceof RunFailed) return error.summary.resumable ? error.summary.runId : error.message
    if (error instanceof RateLimited && error.retryAfter?.value._tag === "Millis") return error.retryAfter.value.millis
    if (error instanceof SinkErrors.DiskFull) return error.path
    throw error
  }
}
