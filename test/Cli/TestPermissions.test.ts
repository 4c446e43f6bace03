import { existsSync, mkdirSync, symlinkSync } from "node:fs"
import { createServer } from "node:http"
import * as Effect from "effect/Effect"
import { describe, expect, scoped } from "../It.ts"
import { sluice } from "./Console.ts"
import { folderOf, readText } from "./Project.ts"

const own = `version: 1
name: own
inputs: { h: { type: string, default: "example.com" } }
steps:
  - urls: ["http://\${{ inputs.h }}/"]
  - scrape: { headers: { Authorization: "\${{ secrets.TOKEN }}" } }
  - write: { jsonl: rows.jsonl }
`

const plain = `version: 1\nname: plain\nsteps:\n  - id: some\n    read: rows.jsonl\n  - write: { jsonl: rows.jsonl }\n`

/** A project, and beside it a folder with another user's test file. */
const ground = (test: string, files: Record<string, string> = {}) =>
  Effect.gen(function* () {
    const folder = yield* folderOf({
      "proj/package.json": '{"name":"mine"}',
      "proj/rows.jsonl": '{"n":1}\n',
      "proj/own.yaml": own,
      "proj/plain.yaml": plain,
      "proj/site/index.html": "<h1>mine</h1>",
      "foreign/plain.yaml": plain.replaceAll("rows.jsonl", "../foreign/rows.jsonl"),
      "foreign/rows.jsonl": '{"n":2}\n',
      "foreign/a.test.yaml": test,
      ...files
    })
    const run = (file: string, ...words: ReadonlyArray<string>) =>
      sluice(["test", `${folder}/${file}`, ...words], {
        cwd: `${folder}/proj`,
        env: { TOKEN: "sentinel-token", SLUICE_ALLOW_NETWORKS: "127.0.0.0/8", SLUICE_DATA: `${folder}/data` }
      })
    return { folder, run }
  })

const test = (body: string, pipeline = "") => `${pipeline}tests:\n  - name: one\n${body}`
const expecting = "    expect: { status: completed }\n"

/** Requests to a host on this machine, with their headers. */
const listening = Effect.acquireRelease(
  Effect.async<{ readonly port: number; readonly seen: ReadonlyArray<string>; readonly close: () => void }>(
    (resume) => {
      const seen: Array<string> = []
      const server = createServer((request, response) => {
        seen.push(JSON.stringify(request.headers))
        response.setHeader("content-type", "text/html").end("<h1>hello</h1>")
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed({ port, seen, close: () => void server.close() }))
      })
    }
  ),
  ({ close }) => Effect.sync(close)
)

describe("a test file from outside the project", () => {
  scoped("makes no pipeline of the project send its secrets to a host that it chose", function* () {
    const { port, seen } = yield* listening
    const body = `    inputs: { h: "127.0.0.1:${port}" }\n    given: { recording: r.json }\n${expecting}`
    const { folder, run } = yield* ground(test(body, "pipeline: ../proj/own.yaml\n"))
    const refused = yield* run("foreign/a.test.yaml", "--record")
    expect(refused.code).toBe(78)
    expect(refused.out).toMatch(/a\.test\.yaml:1:\d+ .*own\.yaml.*--allow-path/)
    const still = yield* run("foreign/a.test.yaml", "--record", "--allow-path", folder)
    expect(still.code).toBe(78)
    expect(still.out).toContain("--allow-env TOKEN")
    expect(seen).toEqual([])
    const allowed = yield* run("foreign/a.test.yaml", "--record", "--allow-path", folder, "--allow-env", "TOKEN")
    expect(allowed.code, allowed.out).toBe(0)
    expect(seen.join()).toContain("sentinel-token")
  })

  scoped("is not read through a link out of its folder", function* () {
    const { folder, run } = yield* ground(test(`    given: { recording: r.json }\n${expecting}`))
    symlinkSync(`${folder}/foreign/a.test.yaml`, `${folder}/proj/own.test.yaml`)
    const { code, out } = yield* run("proj/own.test.yaml", "--record", "--allow-path", folder)
    expect(code).toBe(78)
    expect(out).toContain("a link that leads out of the folder")
  })

  const named: ReadonlyArray<readonly [what: string, body: string]> = [
    ["rows", `    given: { rows: { some: ../proj/rows.jsonl } }\n${expecting}`],
    ["a recording", `    given: { recording: ../proj/r.json, rows: { some: [] } }\n${expecting}`],
    ["a site", `    site: ../proj/site\n    given: { rows: { some: [] } }\n${expecting}`],
    [
      "expected rows",
      "    given: { rows: { some: [] } }\n    expect: { rows: { some: { equals: ../proj/package.json } } }\n"
    ],
    [
      "an expected output",
      "    given: { rows: { some: [] } }\n    expect: { outputs: { rows.jsonl: { equals: ../proj/package.json } } }\n"
    ],
    ["expected rejects", "    expect: { rejects: { equals: ../proj/package.json } }\n"]
  ]
  for (const [what, body] of named) {
    scoped(`names no file of the project as ${what}, and writes none`, function* () {
      const { folder, run } = yield* ground(test(body), {
        "foreign/a.yaml": plain.replace("read: rows.jsonl", "urls: [https://example.com]")
      })
      for (const word of ["--json", "--update", "--record"]) {
        const { code, out } = yield* run("foreign/a.test.yaml", word)
        expect(code).toBe(78)
        expect(out).toMatch(/proj\/.*from outside the project.*--allow-path/)
      }
      expect(yield* readText(`${folder}/proj/package.json`)).toBe('{"name":"mine"}')
      expect(existsSync(`${folder}/proj/r.json`)).toBe(false)
    })
  }
})

describe("a test file of the project", () => {
  scoped("does not read rows outside of it that were not allowed", function* () {
    const body = `    given: { rows: { some: ../foreign/rows.jsonl } }\n${expecting}`
    const { folder, run } = yield* ground("", { "proj/plain.test.yaml": test(body) })
    const refused = yield* run("proj/plain.test.yaml")
    expect(refused.code).toBe(78)
    expect(refused.out).toMatch(new RegExp(`--allow-path ${folder}/foreign\\b`))
    expect((yield* run("proj/plain.test.yaml", "--allow-path", `${folder}/foreign`)).code).toBe(0)
  })

  scoped("records over a recording and where nothing is, and over no other file", function* () {
    const body = (file: string) => `    given: { recording: ${file}, rows: { some: [] } }\n${expecting}`
    const { folder, run } = yield* ground("", {
      "proj/plain.test.yaml": test(body("package.json")),
      "proj/fine.test.yaml": test(body("fixtures/r.json"), "pipeline: plain.yaml\n")
    })
    mkdirSync(`${folder}/proj/fixtures`)
    const refused = yield* run("proj/plain.test.yaml", "--record")
    expect(refused.code).toBe(6)
    expect(refused.out).toContain("is not a recording, and is not overwritten")
    expect(yield* readText(`${folder}/proj/package.json`)).toBe('{"name":"mine"}')
    for (const _ of [1, 2]) expect((yield* run("proj/fine.test.yaml", "--record")).code).toBe(0)
  })
})
