/**
 * Runs a pipeline as a process of Dagster Pipes: `node sluice-pipes.mjs PIPELINE OUT`. Messages go where DAGSTER_PIPES_MESSAGES says, a
 * file or a standard stream; the asset gets rows, rejects, credits and files as metadata.
 */
import { appendFileSync } from "node:fs"
import { inflateSync } from "node:zlib"
import { createPipeline, RunFailed } from "sluice/promise"

/** Parameters of the protocol are JSON, deflated, in Base64. */
const parameter = (name) => JSON.parse(inflateSync(Buffer.from(process.env[name] ?? "", "base64")).toString())

const isPiped = process.env.DAGSTER_PIPES_CONTEXT !== undefined
const messages = isPiped ? parameter("DAGSTER_PIPES_MESSAGES") : { stdio: "stdout" }

const send = (method, params) => {
  const line = `${JSON.stringify({ __dagster_pipes_version: "0.1", method, params })}\n`
  if (messages.path !== undefined) appendFileSync(messages.path, line)
  else process[messages.stdio ?? "stderr"].write(line)
}

const log = (level, message) => send("log", { message, level })
const metadata = (type, raw_value) => ({ type, raw_value })

const [, , file = "", out = "."] = process.argv
const pipeline = createPipeline(file, { out })

send("opened", { extras: {} })
try {
  for await (const event of pipeline.events()) {
    if (event.type === "started") log("INFO", `run ${event.runId} of ${file}`)
    if (event.type !== "completed") continue
    const { credits, outputs, rejectFile, rejects, rows, runId } = event.summary
    if (rejects > 0) log("WARNING", `${rejects} rows were put aside: ${rejectFile}`)
    send("report_asset_materialization", {
      asset_key: null,
      data_version: runId,
      metadata: {
        rows: metadata("int", rows),
        rejects: metadata("int", rejects),
        credits: metadata("float", credits),
        files: metadata(
          "json",
          outputs.map(({ path }) => path)
        )
      }
    })
  }
  send("closed", {})
} catch (error) {
  log("ERROR", error.message)
  send("closed", { exception: { name: error.name, message: error.message, stack: [], cause: null, context: null } })
  process.exitCode = error instanceof RunFailed && !error.summary.resumable ? 2 : 1
}
