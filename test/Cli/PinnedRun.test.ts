import { serve } from "../Client/Server.ts"
import { describe, expect, scoped } from "../It.ts"
import { sluice } from "./Console.ts"
import { folderOf, list, readText } from "./Project.ts"

const definition = `version: 1
name: docs-watch
steps:
  - id: params
    crawlPreview: { url: "https://example.com/docs", prompt: Only the API reference. }
    pin: docs.lock.json
  - crawl: { params: "\${{ steps.params.output }}" }
  - select: { url: metadata.sourceURL }
  - write: { jsonl: out.jsonl }
`

const job = "01890f47-3c4b-7aee-8b2e-6a1d0f1c2b3a"

/** A service that previews a prompt and crawls one page. */
const service = serve(({ body, method, path }) => {
  if (path === "/v2/crawl/params-preview") {
    return { body: { success: true, data: { url: JSON.parse(body).url, includePaths: ["^/docs/api"], limit: 7 } } }
  }
  if (method === "POST") return { body: { success: true, id: job, url: `/v2/crawl/${job}` } }
  if (path.endsWith("/errors")) return { body: { errors: [], robotsBlocked: [] } }
  const page = { markdown: "a", metadata: { sourceURL: "https://example.com/docs/api", statusCode: 200 } }
  return { body: { success: true, status: "completed", total: 1, completed: 1, creditsUsed: 1, data: [page] } }
})

describe("a pinned pipeline", () => {
  scoped("does not run without its lock file, and then uses what the file says and asks no more", function* () {
    const server = yield* service
    const path = yield* folderOf({ "docs.yaml": definition })
    const env = { SLUICE_BASE_URL: server.url, SLUICE_API_KEY: "fc-key", SLUICE_DATA: `${path}/data` }
    const asked = () => server.asked.map((each) => `${each.method} ${each.path}`)
    const run = sluice(["run", `${path}/docs.yaml`, "--out", path], { env })

    const refused = yield* run
    expect(refused.code).toBe(78)
    expect(refused.err).toContain(
      `the lock file docs.lock.json is missing: create it with \`sluice pin ${path}/docs.yaml\``
    )
    expect(asked()).toEqual([])
    expect(yield* list(path)).not.toContain("out.jsonl")

    expect((yield* sluice(["pin", `${path}/docs.yaml`], { env })).code).toBe(0)
    const done = yield* run
    expect([done.code, done.err]).toEqual([0, expect.stringContaining("1 row")])
    expect(yield* readText(`${path}/out.jsonl`)).toBe('{"url":"https://example.com/docs/api"}\n')
    expect(asked().filter((each) => each === "POST /v2/crawl/params-preview")).toHaveLength(1)
    const started = server.asked.find((each) => each.method === "POST" && each.path === "/v2/crawl")
    expect(JSON.parse(started?.body ?? "{}")).toMatchObject({ includePaths: ["^/docs/api"], limit: 7 })
  })
})
