/**
 * The public service's own command line and MCP server work against the engine. The tests install fixed versions of them, 118 MB, and are
 * skipped without a registry.
 */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import * as Effect from "effect/Effect"
import { engine, keys, page, site, tempDir } from "../Local.ts"

const execute = promisify(execFile)

const packages = ["firecrawl-cli@1.23.3", "firecrawl-mcp@3.26.0"]

/** The folder into which they are installed; undefined without a registry. */
const installed = Effect.gen(function* () {
  const folder = yield* tempDir
  const words = ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--no-save"]
  const install = () => execute("npm", [...words, ...packages], { timeout: 600_000 })
  return (yield* Effect.option(Effect.tryPromise(install)))._tag === "None" ? undefined : folder
})

const world = Effect.gen(function* () {
  const { url } = yield* site((path) =>
    path === "/" ? page("Herons", ["/a", "/b"]) : path === "/a" || path === "/b" ? page(`Heron ${path}`) : undefined
  )
  const { baseUrl } = yield* engine()
  const env = { PATH: process.env.PATH ?? "", FIRECRAWL_API_URL: baseUrl, FIRECRAWL_API_KEY: keys.first }
  return { url, env }
})

describe("The tools of the public service", () => {
  it.scopedLive("as a command line: scrape, batch, map, crawl, search and usage", ({ skip }) =>
    Effect.gen(function* () {
      const folder = yield* installed
      if (folder === undefined) return skip("no registry")
      const { env, url } = yield* world
      const home = yield* tempDir
      const run = (...words: ReadonlyArray<string>) =>
        Effect.promise(() =>
          execute(process.execPath, [join(folder, "node_modules/.bin/firecrawl"), ...words], {
            cwd: home,
            env: { ...env, HOME: home }
          }).then(({ stderr, stdout }) => stdout + stderr)
        )
      expect(yield* run("scrape", url, "--format", "markdown")).toContain("All there is to know about Herons.")
      expect(yield* run("scrape", `${url}/a`, `${url}/b`)).toContain("2/2 succeeded")
      expect(yield* run("map", url)).toContain(`${url}/b`)
      expect(JSON.parse(yield* run("crawl", url, "--wait", "--limit", "3"))).toMatchObject({
        status: "completed",
        completed: 3
      })
      expect(yield* run("search", "heron", "--limit", "2")).toContain(url)
      expect(yield* run("credit-usage")).toContain("Remaining Credits")
    })
  )

  it.scopedLive("as an MCP server: scrape, map, crawl and usage", ({ skip }) =>
    Effect.gen(function* () {
      const folder = yield* installed
      if (folder === undefined) return skip("no registry")
      const { env, url } = yield* world
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [join(folder, "node_modules/firecrawl-mcp/dist/index.js")],
        env,
        stderr: "ignore"
      })
      const client = new Client({ name: "test", version: "1" })
      yield* Effect.promise(() => client.connect(transport))
      const call = (name: string, args: Readonly<Record<string, unknown>>) =>
        Effect.promise(() =>
          client.callTool({ name, arguments: { ...args } }).then(({ content }) => JSON.stringify(content))
        )
      expect(yield* call("firecrawl_scrape", { url, formats: ["markdown"] })).toContain(
        "All there is to know about Herons."
      )
      expect(yield* call("firecrawl_map", { url })).toContain(`${url}/b`)
      expect(yield* call("firecrawl_crawl", { url, limit: 2 })).toContain("completed")
      expect(yield* call("firecrawl_credit_usage", {})).toContain("remainingCredits")
      yield* Effect.promise(() => client.close())
    })
  )
})
