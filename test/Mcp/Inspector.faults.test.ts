/**
 * The command line of the official MCP inspector drives every tool. The test installs a fixed version of it, 41 MB, and is skipped without a
 * registry.
 */
import { execFile } from "node:child_process"
import { realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { tools } from "../../src/Mcp.ts"
import { tempDir } from "../Local.ts"
import { program } from "../Programs.ts"

const execute = promisify(execFile)

/** The command line of the inspector, installed into a folder; undefined without a registry. */
const installed = Effect.gen(function* () {
  const folder = yield* tempDir
  const scope = join(folder, "node_modules/@modelcontextprotocol")
  const words = ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--no-save"]
  const install = () => execute("npm", [...words, "@modelcontextprotocol/inspector-cli@1.0.3"], { timeout: 300_000 })
  if ((yield* Effect.option(Effect.tryPromise(install)))._tag === "None") return undefined
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
      Effect.promise(() =>
        execute(process.execPath, [inspector, ...server, "--method", method, ...words], { cwd: folder })
      ).pipe(Effect.map(({ stdout }) => JSON.parse(stdout)))
    const call = (tool: string, args: Readonly<Record<string, string>> = {}) => {
      const given = Object.entries(args).flatMap(([name, value]) => ["--tool-arg", `${name}=${value}`])
      return Effect.map(inspect("tools/call", "--tool-name", tool, ...given), ({ content, isError }) => ({
        isError: isError === true,
        text: String(content[0].text)
      }))
    }
    const listed = (yield* inspect("tools/list")).tools.map(({ name }: { readonly name: string }) => name)
    expect(listed).toEqual(tools.map(({ name }) => name))
    expect((yield* inspect("prompts/list")).prompts).toHaveLength(3)
    expect((yield* inspect("resources/list")).resources.length).toBeGreaterThan(20)

    expect((yield* call("list")).text).toContain("rows.yaml")
    expect((yield* call("explain", { name: "crawl" })).isError).toBe(false)
    expect((yield* call("draft", { name: "news", job: "search", query: "flood" })).text).toContain("news.yaml")
    expect((yield* call("check", { file: "rows.yaml" })).text).toContain('"valid": true')
    const { plan } = JSON.parse((yield* call("plan", { file: "rows.yaml", budget: "2" })).text)
    const { run } = JSON.parse((yield* call("run", { plan, budget: "2" })).text)
    const status = Effect.map(call("status", { run }), ({ text }) => JSON.parse(text).state)
    let state = yield* status
    for (let tries = 0; tries < 30 && state !== "completed"; tries++) state = yield* status
    expect(state).toBe("completed")
    expect(JSON.parse((yield* call("show_rows", { run })).text).untrusted.rows).toEqual([{ n: "1" }, { n: "2" }])
    expect((yield* call("show_rejects", { run })).isError).toBe(false)
    expect((yield* call("health", { run })).isError).toBe(false)
    expect((yield* call("diff", { from: run, to: run })).isError).toBe(false)
    expect((yield* call("publish", { run })).text).toContain("only outputs of a held run")
  })
)
