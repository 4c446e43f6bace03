/** A pipeline embedded in a program that uses the installed package. */
import { readFileSync, writeFileSync } from "node:fs"
import { Pipeline } from "sluice"
import { createClient, createPipeline } from "sluice/promise"

writeFileSync("page.html", "<title>Gates</title><p>How a sluice opens.")
const definition = Pipeline.make({
  version: 1,
  name: "embedded",
  steps: [
    { files: { glob: "page.html" } },
    { parse: { formats: ["markdown"] } },
    { select: { title: "metadata.title" } },
    { write: { jsonl: "embedded.jsonl" } }
  ]
})
const { rows } = await createPipeline(definition).run()
const text = readFileSync("embedded.jsonl", "utf8")
if (rows !== 1 || text !== '{"title":"Gates"}\n')
  throw new Error(`a pipeline inside a program made ${rows} rows: ${text}`)

const client = createClient({ engine: { dataDir: "embedded" } })
const { data } = await client.parse({ file: "page.html" })
await client.close()
if (!data.markdown?.includes("How a sluice opens.")) throw new Error(`the embedded engine gave ${JSON.stringify(data)}`)
