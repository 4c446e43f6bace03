/** Runs a pipeline without Effect: a progress line, Ctrl-C, and a resume of the stopped run. */
import { createPipeline, RunFailed } from "sluice/promise"

const { SITE = "", SLUICE_API_KEY, SLUICE_BASE_URL } = process.env

const pipeline = createPipeline(
  {
    version: 1,
    name: "pages",
    steps: [
      { urls: [`${SITE}/`, `${SITE}/a`, `${SITE}/b`] },
      { scrape: { formats: ["markdown"] }, concurrency: 1 },
      { select: { url: "metadata.sourceURL", title: "metadata.title" } },
      { write: { jsonl: "pages.jsonl" } }
    ]
  },
  // Without a base URL the local engine answers while the run lasts.
  { baseUrl: SLUICE_BASE_URL, apiKey: SLUICE_API_KEY, out: "out" }
)

const stop = new AbortController()
process.once("SIGINT", () => stop.abort())

/** Runs until the first page: that stops this example. */
const first = async (): Promise<string> => {
  let runId = ""
  try {
    for await (const event of pipeline.events({ signal: stop.signal })) {
      if (event.type === "started") runId = event.runId
      if (event.type === "progress")
        process.stderr.write(`\r${event.progress.rows} rows, ${event.progress.credits} credits`)
      if (event.type === "row") stop.abort()
    }
  } catch (error) {
    // An aborted loop throws the signal's reason. By then the run has stopped gracefully.
    if (!stop.signal.aborted) throw error
  }
  return runId
}

try {
  const runId = await first()
  // No paid call is made again.
  const { outputs, rows } = await pipeline.run({ resume: runId })
  console.log(`${rows} rows, ${outputs.length} file`)
} catch (error) {
  if (!(error instanceof RunFailed)) throw error
  console.error(error.message, error.summary.resumable ? `resume with ${error.summary.runId}` : "")
  process.exitCode = 1
}
