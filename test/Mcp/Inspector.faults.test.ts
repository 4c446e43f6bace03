/**
 * The command line of the official MCP inspector drives every tool. The test installs a fixed version of it, 41 MB, and is skipped without a
 * registry.
 */
import { execFileSync } from "node:child_process"
import { realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { tools } from "../../src/Mcp.ts"
import { tempDir } from "../Local.ts"
import { program } from "../Programs.ts"

/** The command line of the inspector, installed into a folder; undefined without a registry. */
const installed = Effect.map(tempDir, (folder) => {
  const scope = join(folder, "node_modules/@modelcontextprotocol")
  const words = ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--no-save"]
  try {
    execFileSync("npm", [...words, "@modelcontextprotocol/inspector-cli@1.0.3"], { stdio: "ignore", timeout: 300_000 })
  } catch {
    return undefined
  }
  // It reads its version from the package that it is a part of.
  writeFileSync(join(scope, "package.json"), JSON.stringify({ name: "inspector", version: "1.0.3" }))
  return join(scope, "inspector-cli/build/index.js")
})

const definition = "version: 1\nname: rows\nsteps:\n  - read: rows.csv\n  - write: { jsonl: out/rows.jsonl }\n"

it.scopedLive("the inspector's command line drives every tool", ({ skip }) =>
  Effect.gen(function* () {
    const inspector = yield* installed
    if (inspector === undefined) return skip("no registry")
    const folder = realpathSync(yield* tempDir)
    writeFileSync(join(folder, "package.json"), "{}")
    writeFileSync(join(folder, "rows.yaml"), definition)
    writeFileSync(join(folder, "rows.csv"), "n\n1\n2\n")
    const server = [process.execPath, program("bin"), "mcp", "--pipelines", ".", "--budget", "5"]
    const inspect = (method: string, ...words: ReadonlyArray<string>) =>
      JSON.parse(
        execFileSync(process.execPath, [inspector, ...server, "--method", method, ...words], {
          cwd: folder,
          encoding: "utf8",
          stdio: ["ignore", "pipe", "ignore"]
        })
      )
    const call = (tool: string, args: Readonly<Record<string, string>> = {}) => {
      const given = Object.entries(args).flatMap(([name, value]) => ["--tool-arg", `${name}=${value}`])
      const { content, isError } = inspect("tools/call", "--tool-name", tool, ...given)
      return { isError: isError === true, text: String(content[0].text) }
    }
    const listed = inspect("tools/list").tools.map(({ name }: { readonly name: string }) => name)
    expect(listed).toEqual(tools.map(({ name }) => name))
    expect(inspect("prompts/list").prompts).toHaveLength(3)
    expect(inspect("resources/list").resources.length).toBeGreaterThan(20)

    expect(call("list").text).toContain("rows.yaml")
    expect(call("explain", { name: "crawl" }).isError).toBe(false)
    expect(call("draft", { name: "news", job: "search", query: "flood" }).text).toContain("news.yaml")
    expect(call("check", { file: "rows.yaml" }).text).toContain('"valid": true')
    const { plan } = JSON.parse(call("plan", { file: "rows.yaml", budget: "2" }).text)
    const { run } = JSON.parse(call("run", { plan, budget: "2" }).text)
    const status = () => JSON.parse(call("status", { run }).text).state
    let state = status()
    for (let tries = 0; tries < 30 && state !== "completed"; tries++) state = status()
    expect(state).toBe("completed")
    expect(JSON.parse(call("show_rows", { run }).text).untrusted.rows).toEqual([{ n: "1" }, { n: "2" }])
    expect(call("show_rejects", { run }).isError).toBe(false)
    expect(call("health", { run }).isError).toBe(false)
    expect(call("diff", { from: run, to: run }).isError).toBe(false)
    expect(call("publish", { run }).text).toContain("only outputs of a held run")
  })
)
