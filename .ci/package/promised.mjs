/** A program that knows nothing of Effect: a pipeline, and a client with the local engine. */
import { readFileSync, writeFileSync } from "node:fs"
import { createClient, createPipeline, DefinitionInvalid, definePipeline } from "sluice/promise"

writeFileSync("page.html", "<title>Gates</title><p>How a sluice opens.")
const definition = definePipeline({
  version: 1,
  name: "promised",
  steps: [
    { files: { glob: "page.html" } },
    { parse: { formats: ["markdown"] } },
    { select: { title: "metadata.title" } },
    { write: { jsonl: "promised.jsonl" } }
  ]
})
const { rows } = await createPipeline(definition).run()
const text = readFileSync("promised.jsonl", "utf8")
if (rows !== 1 || text !== '{"title":"Gates"}\n') throw new Error(`a pipeline made ${rows} rows: ${text}`)

const failure = await createPipeline({ ...definition, steps: [] })
  .run()
  .catch((error) => error)
if (!(failure instanceof DefinitionInvalid)) throw new Error(`a definition without steps gave ${failure}`)

const client = createClient({ engine: { dataDir: "embedded" } })
const { data } = await client.parse({ file: "page.html" })
await client.close()
if (!data.markdown?.includes("How a sluice opens.")) throw new Error(`the engine gave ${JSON.stringify(data)}`)
