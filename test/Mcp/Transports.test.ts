/** `sluice mcp` as clients reach it: over standard input and output, and over HTTP with a key. */
import { spawn } from "node:child_process"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import * as Effect from "effect/Effect"
import { sluice } from "../Cli/Console.ts"
import { kill, start } from "../Cli/Launched.ts"
import { ask } from "../Dashboard/Site.ts"
import { describe, expect, live } from "../It.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { program } from "../Programs.ts"
import { statusOfTwoHosts } from "../Web/TwoHosts.ts"
import * as World from "./World.ts"
import { caller } from "./World.ts"

const definition = `version: 1
name: rows
steps:
  - read: rows.csv
  - write: { jsonl: out/rows.jsonl }
`

const project = Effect.gen(function* () {
  const folder = yield* tempDir
  writeFileSync(join(folder, "package.json"), "{}")
  writeFileSync(join(folder, "rows.yaml"), definition)
  writeFileSync(join(folder, "rows.csv"), "n\n1\n2\n")
  return folder
})

const connected = (transport: StdioClientTransport | StreamableHTTPClientTransport, approves = false) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ name: "remote", version: "2" }, { capabilities: approves ? { elicitation: {} } : {} })
      if (approves) {
        client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { approve: true } }))
      }
      await client.connect(transport)
      return client
    }),
    (client) => Effect.promise(() => client.close())
  )

describe("sluice mcp", () => {
  live.skipIf(skipsLong)(
    "speaks over standard input and output, runs what a person approved, and tells who asked",
    function* () {
      const folder = yield* project
      const words = [program("bin"), "mcp", "--pipelines", "."]
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: words,
        cwd: folder,
        env: { PATH: process.env.PATH ?? "" },
        stderr: "pipe"
      })
      const client = yield* connected(transport)
      const call = caller(client)
      const long = yield* Effect.flip(
        Effect.tryPromise(() => client.callTool({ name: "check", arguments: { text: "x".repeat(5 * 1024 * 1024) } }))
      )
      expect(String(long.cause ?? long)).toContain("more than 1 MB")
      const { json } = yield* call("plan", { file: "rows.yaml" })
      expect((yield* call("run", { plan: json.plan, budget: 1 })).text).toContain(`sluice mcp approve ${json.plan}`)
      const at = { cwd: folder, env: {} }
      const data = ["--data", join(folder, ".sluice")]
      expect((yield* sluice(["mcp", "plans", ...data], at)).out).toContain(json.plan)
      expect((yield* sluice(["mcp", "approve", json.plan, ...data], at)).out).toContain("is approved, for one run")
      expect((yield* sluice(["mcp", "approve", json.plan, ...data], at)).err).toContain("has already been approved")
      const { run } = (yield* call("run", { plan: json.plan, budget: 1 })).json
      for (;;) {
        const { state } = (yield* call("status", { run })).json
        if (state === "completed") break
        expect(["running", "publishing"]).toContain(state)
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 100)))
      }
      expect((yield* call("show_rows", { run })).json.untrusted.rows).toEqual([{ n: "1" }, { n: "2" }])
      expect(readFileSync(join(folder, "out/rows.jsonl"), "utf8").split("\n")).toHaveLength(3)
      const calls = (yield* sluice(["mcp", "calls", "--json", ...data], at)).out
      expect(calls).toContain('"asker":"remote 2 over stdio, as ')
      expect(calls.split("\n").length).toBeGreaterThan(5)
      expect((yield* sluice(["mcp", "approve", ...data], at)).code).toBe(2)
      expect((yield* sluice(["mcp", "aprove", ...data], at)).err).toContain("use approve, plans or calls")
    }
  )

  live.skipIf(skipsLong)("answers the calls that its client sends before it ends its input", function* () {
    const folder = yield* project
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, [program("bin"), "mcp", "--pipelines", "."], {
          cwd: folder,
          env: { PATH: process.env.PATH },
          stdio: ["pipe", "pipe", "inherit"]
        })
      ),
      (child) => Effect.sync(() => kill(child))
    )
    const clientInfo = { name: "brief", version: "1" }
    const messages: ReadonlyArray<object> = [
      { id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/call", params: { name: "list", arguments: {} } },
      { id: 3, method: "tools/list" }
    ]
    child.stdin.end(messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""))
    const written = yield* Effect.promise(() => text(child.stdout))
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
    const answers: ReadonlyArray<any> = written
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3])
    const { content, isError } = answers.find(({ id }) => id === 2).result
    expect(isError).toBe(false)
    expect(JSON.parse(content[0].text).definitions).toMatchObject([{ file: "rows.yaml" }])
  })

  live.skipIf(skipsLong)("serves HTTP on loopback to those with the key, and to no web page", function* () {
    const folder = yield* project
    const server = yield* start(folder, {}, "mcp", "--http", "--port", "0", "--json", "--pipelines", ".")
    const { keyFile, url } = yield* server.until(() => {
      const line = server.written.out.split("\n", 1)[0]
      return server.written.out.includes("\n")
        ? (JSON.parse(line ?? "") as { url: string; keyFile: string })
        : undefined
    })
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    const key = readFileSync(keyFile, "utf8").trim()
    const headers = { authorization: `Bearer ${key}` }
    const clientOf = () => connected(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
    const call = caller(yield* clientOf())
    expect((yield* call("list")).json.definitions).toMatchObject([{ file: "rows.yaml" }])
    const other = caller(yield* clientOf())
    expect((yield* other("check", { file: "rows.yaml" })).json.valid).toBe(true)
    // A client without a stream of its own is asked on that of its call.
    const fetchPosts = (input: string | URL, init?: RequestInit) =>
      init?.method === "GET" ? Promise.resolve(new Response(null, { status: 405 })) : fetch(input, init)
    const posts = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers }, fetch: fetchPosts })
    const asked = caller(yield* connected(posts, true))
    const { plan } = (yield* asked("plan", { file: "rows.yaml" })).json
    const { run } = (yield* asked("run", { plan, budget: 1 })).json
    expect((yield* World.ended(asked, run)).state).toBe("completed")

    const base = new URL(url).origin
    const { port } = new URL(url)
    const initialize = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } }
    }
    const json = { "content-type": "application/json", accept: "application/json, text/event-stream" }
    const post = (more: Readonly<Record<string, string>>, path = "/mcp", body: unknown = initialize) =>
      Effect.map(ask(base, path, { method: "POST", headers: { ...json, ...more }, body }), ({ status }) => status)
    const refused: ReadonlyArray<readonly [headers: Readonly<Record<string, string>>, status: number]> = [
      [{}, 401],
      [{ authorization: `Bearer ${key}x` }, 401],
      [{ authorization: `Basic ${key}` }, 401],
      [{ ...headers, host: "evil.example" }, 403],
      [{ ...headers, host: `evil.example:${port}` }, 403],
      [{ ...headers, host: "127.0.0.1:1" }, 403],
      [{ ...headers, origin: "https://evil.example" }, 403],
      [{ ...headers, origin: "null" }, 403],
      [{ ...headers, "sec-fetch-site": "cross-site" }, 403],
      [{ ...headers, "mcp-session-id": "guess" }, 404]
    ]
    for (const [given, status] of refused) expect([given, yield* post(given)]).toEqual([given, status])
    expect(yield* statusOfTwoHosts(base, "/mcp")).toBe(400)
    expect(yield* post(headers)).toBe(200)
    expect(yield* post({ ...headers, host: `localhost:${port}` })).toBe(200)
    expect(yield* post(headers, "/")).toBe(404)
    expect(yield* post(headers, "/mcp", "x".repeat(2 * 1024 * 1024))).toBe(413)
    expect((yield* ask(base, "/mcp", { headers })).status).toBe(400)
    // Sessions do not grow without end, and those that are used stay.
    const begun = yield* Effect.forEach(
      Array.from({ length: 60 }),
      () => ask(base, "/mcp", { method: "POST", headers: { ...json, ...headers }, body: initialize }),
      { concurrency: 60 }
    )
    expect(begun.map(({ status }) => status)).toEqual(begun.map(() => 200))
    const pings = yield* Effect.forEach(begun, ({ headers: { "mcp-session-id": id = "" } }) =>
      post({ ...headers, "mcp-session-id": String(id) }, "/mcp", { jsonrpc: "2.0", id: 2, method: "ping" })
    )
    expect(pings.filter((status) => status === 200)).toHaveLength(32)
    expect((yield* caller(yield* clientOf())("status")).json.runs).toHaveLength(1)
    expect(server.written.err).toBe("")
  })

  live("stays in a project: elsewhere it does not start", function* () {
    const folder = yield* project
    const outside = yield* tempDir
    const at = { cwd: folder, env: { SLUICE_DATA: join(folder, ".sluice") } }
    expect((yield* sluice(["mcp", "--pipelines", outside, "--out", folder], at)).err).toContain(
      "agents may use only files of the project"
    )
    expect((yield* sluice(["mcp", "--pipelines", folder, "--out", outside], at)).err).toContain(
      "agents may write only inside the project"
    )
    expect((yield* sluice(["mcp", "--pipelines", "/"], { ...at, cwd: "/" })).err).toContain("is not a project")
  })
})
