/**
 * The public service's own command line and MCP server work against the engine. The tests install fixed versions of them, 118 MB, and are
 * skipped without a registry.
 */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import * as Effect from "effect/Effect"
import type { Options } from "../../src/Engine.ts"
import { chromium, chromiumSandbox, isMissing } from "../Engine/Render/Installed.ts"
import { engine, keys, page, site, tempDir } from "../Local.ts"

const execute = promisify(execFile)

const packages = ["firecrawl-cli@1.23.3", "firecrawl-mcp@3.26.0"]

const folder = mkdtempSync(join(tmpdir(), "sluice-public-tools-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const words = ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--no-save"]
const installing = execute("npm", [...words, ...packages], { timeout: 600_000 }).then(
  () => true,
  () => false
)
/** False without a registry. */
const isInstalled = Effect.promise(() => installing)

const world = (options: Partial<Options> = {}) =>
  Effect.gen(function* () {
    const { url } = yield* site((path) =>
      path === "/" ? page("Herons", ["/a", "/b"]) : path === "/a" || path === "/b" ? page(`Heron ${path}`) : undefined
    )
    const { baseUrl } = yield* engine(options)
    const env = { PATH: process.env.PATH ?? "", FIRECRAWL_API_URL: baseUrl, FIRECRAWL_API_KEY: keys.first }
    return { url, env }
  })

/** Runs a command, and gives what it has printed. */
const commandLine =
  (env: Readonly<Record<string, string>>, home: string) =>
  (...words: ReadonlyArray<string>) =>
    Effect.promise(() =>
      execute(process.execPath, [join(folder, "node_modules/.bin/firecrawl"), ...words], {
        cwd: home,
        env: { ...env, HOME: home }
      }).then(({ stderr, stdout }) => stdout + stderr)
    )

describe("The tools of the public service", () => {
  it.scopedLive("as a command line: scrape, batch, map, crawl, search and usage", ({ skip }) =>
    Effect.gen(function* () {
      if (!(yield* isInstalled)) return skip("no registry")
      const { env, url } = yield* world()
      const home = yield* tempDir
      const run = commandLine(env, home)
      expect(yield* run("scrape", url, "--format", "markdown")).toContain("All there is to know about Herons.")
      expect(yield* run("scrape", `${url}/a`, `${url}/b`)).toContain("2/2 succeeded")
      expect(yield* run("map", url)).toContain(`${url}/b`)
      expect(JSON.parse(yield* run("crawl", url, "--wait", "--limit", "3"))).toMatchObject({
        status: "completed",
        completed: 3
      })
      expect(yield* run("search", "heron", "--limit", "2")).toContain(url)
      expect(yield* run("credit-usage")).toContain("Remaining Credits")
      writeFileSync(join(home, "heron.html"), "<title>Heron</title><h1>Heron</h1><p>A file about herons.")
      expect(yield* run("parse", "heron.html")).toContain("A file about herons.")
    })
  )

  it.scopedLive("as a command line: a browser session that runs code", ({ skip }) =>
    Effect.gen(function* () {
      if (isMissing) return skip("no Chromium")
      if (!(yield* isInstalled)) return skip("no registry")
      const { env, url } = yield* world({ chromium, chromiumSandbox, allowExecute: true })
      const run = commandLine(env, yield* tempDir)
      const session = /[\da-f-]{36}/.exec(yield* run("browser", "launch-session"))?.[0] ?? ""
      expect(yield* run("browser", "list", "active")).toContain(session)
      // Its other commands need the program `agent-browser` on the engine's machine.
      const visit = `await page.goto(${JSON.stringify(url)}); return await page.title()`
      expect(yield* run("browser", "execute", "--node", visit)).toContain("Herons")
      yield* run("browser", "close")
      expect(yield* run("browser", "list", "active")).not.toContain(session)
    })
  )

  it.scopedLive("as an MCP server: scrape, map, parse, crawl with its status, and usage", ({ skip }) =>
    Effect.gen(function* () {
      if (!(yield* isInstalled)) return skip("no registry")
      const { env, url } = yield* world()
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
      const file = join(yield* tempDir, "heron.html")
      writeFileSync(file, "<title>Heron</title><h1>Heron</h1><p>A file about herons.")
      expect(yield* call("firecrawl_parse", { filePath: file })).toContain("A file about herons.")
      const crawl = yield* call("firecrawl_crawl", { url, limit: 2 })
      expect(crawl).toContain("completed")
      const [id] = /[\da-f]{8}-[\da-f-]{27}/.exec(crawl) ?? []
      expect(yield* call("firecrawl_check_crawl_status", { id })).toContain("completed")
      expect(yield* call("firecrawl_credit_usage", {})).toContain("remainingCredits")
      yield* Effect.promise(() => client.close())
    })
  )
})
