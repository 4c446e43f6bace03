import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { ExitCode } from "../../src/TypedError/ExitCode.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import * as Console from "./Console.ts"
import { start } from "./Launched.ts"
import { folderOf, list, readText } from "./Project.ts"
import { silent } from "./Silent.ts"

/** Runs the definition of a folder in this process; what its exit code is does not depend on the process. */
const run = (folder: string, env: Readonly<Record<string, string>> = {}, ...words: ReadonlyArray<string>) =>
  Console.sluice(["run", `${folder}/p.yaml`, "--out", folder, "--data", `${folder}/.sluice`, "--json", ...words], {
    cwd: folder,
    env
  })

const yaml = (steps: string, frame = "") => `version: 1\nname: p\n${frame}steps:\n${steps}`

/** Rows `{ n }`; a row whose `n` is no number is rejected by the step that reads it. */
const rows = (...values: ReadonlyArray<number | string>) =>
  values.map((n, id) => `${JSON.stringify({ id, n })}\n`).join("")

const many = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, n) => n)

const reading = `  - read: { file: rows.jsonl }
  - select: { id: id, n: $number(n) }
`
const writing = "  - write: { jsonl: n.jsonl }\n"

const linesIn = (text: string): number => text.split("\n").filter((line) => line !== "").length

describe("rejects decide over a run only when every delivered row is one", () => {
  scoped("all rows unchanged and one dead: done, and the outputs are published", function* () {
    const steps = `${reading}  - dedupe: { key: $string(id), across: runs, changedWhen: n, emit: [new, changed] }\n${writing}`
    const folder = yield* folderOf({ "p.yaml": yaml(steps, "state: { key: p }\n"), "rows.jsonl": rows(...many(45)) })
    expect((yield* run(folder)).code).toBe(0)
    writeFileSync(`${folder}/rows.jsonl`, rows(...many(45), "dead"))
    const { code, err, out } = yield* run(folder)
    expect(code, err).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ status: "completed", rows: 0, rejects: 1, outputs: [{ rows: 0 }] })
    expect(yield* readText(`${folder}/n.jsonl`)).toBe("")
    expect(err).not.toContain("warning")
  })

  scoped("all rows filtered and one dead: done, wherever the filter stands", function* () {
    for (const steps of [
      `${reading}  - where: n < 0\n${writing}`,
      `  - read: { file: rows.jsonl }\n  - where: n = "dead"\n  - select: { id: id, n: $number(n) }\n${writing}`
    ]) {
      const folder = yield* folderOf({
        "p.yaml": yaml(steps),
        "rows.jsonl": rows(...many(9), "dead"),
        "n.jsonl": "old\n"
      })
      const { code, err, out } = yield* run(folder)
      expect(code, err).toBe(0)
      expect(JSON.parse(out)).toMatchObject({ status: "completed", rows: 0, rejects: 1 })
      expect(yield* readText(`${folder}/n.jsonl`)).toBe("")
    }
  })

  scoped("files that were seen and one that is dead: done", function* () {
    const steps = `  - files: { glob: "in/*", skipSeen: content }\n  - select: { n: "$number($substringBefore(name, '.'))" }\n${writing}`
    const definition = { "p.yaml": yaml(steps, "state: { key: p }\n") }
    const folder = yield* folderOf({ ...definition, "in/1.txt": "1", "in/2.txt": "2" })
    expect((yield* run(folder)).code).toBe(0)
    writeFileSync(`${folder}/in/dead.txt`, "dead")
    const { code, err, out } = yield* run(folder)
    expect(code, err).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ rows: 0, rejects: 1 })
  })

  scoped("the only row dead, or every one: failed with 3, and an older output stays", function* () {
    for (const [input, more] of [
      [rows("dead"), ""],
      [rows("dead", "dead"), ""],
      // Rows beyond a limit were not checked.
      [rows("dead", ...many(9)), "  - limit: 1\n"]
    ] as const) {
      const steps = `  - read: { file: rows.jsonl }\n${more}  - select: { id: id, n: $number(n) }\n${writing}`
      const folder = yield* folderOf({ "p.yaml": yaml(steps), "rows.jsonl": input, "n.jsonl": "old\n" })
      const { code, err } = yield* run(folder)
      expect(code, err).toBe(3)
      expect(yield* readText(`${folder}/n.jsonl`)).toBe("old\n")
      expect((yield* list(folder)).filter((name) => name.includes("partial"))).toEqual([])
    }
  })

  scoped("44 of 45 dead: done, with a warning that says how many", function* () {
    const dead = Array.from({ length: 44 }, () => "dead")
    const folder = yield* folderOf({ "p.yaml": yaml(`${reading}${writing}`), "rows.jsonl": rows(1, ...dead) })
    const { code, err } = yield* run(folder)
    expect(code, err).toBe(0)
    expect(err).toContain("warning: 44 of 45 rows were rejected. To end a run when this many rows fail, set stopAfter")
    expect(linesIn(yield* readText(`${folder}/n.jsonl`))).toBe(1)
  })

  scoped("1 of 60 rows of one page dead: done, without a warning about most of them", function* () {
    const card = (n: number) => `<li><b>${n === 7 ? "" : `Card ${n}`}</b></li>`
    const html = `<ul>${Array.from({ length: 60 }, (_, n) => card(n)).join("")}</ul>`
    const steps = "  - read: { file: rows.jsonl }\n  - extract: { rows: li, fields: { title: b }, required: [title] }\n"
    const folder = yield* folderOf({
      "p.yaml": yaml(`${steps}${writing}`),
      "rows.jsonl": `${JSON.stringify({ rawHtml: html })}\n`
    })
    const { code, err } = yield* run(folder)
    expect(code, err).toBe(0)
    expect(err).not.toContain("were rejected")
    expect(linesIn(yield* readText(`${folder}/n.jsonl`))).toBe(59)
  })
})

describe("a service that cannot be reached", () => {
  const scraping = `  - urls: [http://x.example/a, http://x.example/b]
  - scrape: {}
    retry: { times: 0 }
    onError: { reject: true, stopAfter: 1 }
${writing}`
  const searching = `  - urls: [http://x.example/a]
  - search: { query: { expr: url } }
    each: true
    retry: { times: 0 }
${writing}`
  const crawling = `  - crawl: { url: "http://x.example/" }
    retry: { times: 0 }
${writing}`
  const batching = `  - urls: [http://x.example/a]
  - batchScrape: {}
    retry: { times: 0 }
${writing}`
  const key = { SLUICE_API_KEY: `fc-${"a".repeat(32)}` }

  scoped("fails the run with 1, whatever the step, and rejects no row", function* () {
    for (const steps of [scraping, searching, crawling, batching]) {
      const folder = yield* folderOf({ "p.yaml": yaml(steps) })
      const { code, err, out } = yield* run(folder, {
        ...key,
        SLUICE_BASE_URL: "http://127.0.0.1:1"
      })
      expect(code, err).toBe(1)
      expect(JSON.parse(out), steps).toMatchObject({ status: "failed", rejects: 0, error: { code: "NetworkError" } })
    }
  })

  scoped("fails the run with 1 also without a secure connection, or when connections are cut", function* () {
    const { port } = yield* silent
    const cutting = yield* Effect.acquireRelease(
      Effect.async<{ readonly close: () => void; readonly port: number }>((resume) => {
        const server = createServer((_, response) => response.socket?.destroy())
        server.listen(0, "127.0.0.1", () =>
          resume(Effect.succeed({ close: () => server.close(), port: (server.address() as AddressInfo).port }))
        )
      }),
      ({ close }) => Effect.sync(close)
    )
    for (const url of [`https://127.0.0.1:${port}`, `http://127.0.0.1:${cutting.port}`]) {
      const folder = yield* folderOf({ "p.yaml": yaml(scraping) })
      const { code, err, out } = yield* run(folder, { ...key, SLUICE_BASE_URL: url })
      expect(code, err).toBe(1)
      expect(JSON.parse(out)).toMatchObject({ status: "failed", error: { code: "NetworkError" } })
    }
  })
})

describe("every exit code", () => {
  const good = yaml(`${reading}${writing}`)

  scoped.skipIf(skipsLong)("0, 2, 3, 4, 6 and 78 say what became of the run", function* () {
    const check = "  - check: [{ rule: n < 1, onFail: fail }]\n"
    const cases: ReadonlyArray<readonly [code: number, definition: string, words: ReadonlyArray<string>]> = [
      [ExitCode.ok, good, []],
      [ExitCode.usage, good, ["--no-such-flag"]],
      [
        ExitCode.tooManyRejects,
        yaml(`${reading.trimEnd()}\n    onError: { reject: true, stopAfter: 1 }\n${writing}`),
        []
      ],
      [ExitCode.budgetReached, yaml(`${reading}${writing}`, "budget: { rows: 1 }\n"), []],
      [ExitCode.checkFailed, yaml(`${reading}${check}${writing}`), []],
      [ExitCode.invalid, yaml(`  - reed: { file: rows.jsonl }\n${writing}`), []]
    ]
    for (const [expected, definition, words] of cases) {
      const folder = yield* folderOf({ "p.yaml": definition, "rows.jsonl": rows(1, 2, "dead") })
      const { code, err } = yield* run(folder, {}, ...words)
      expect(code, err).toBe(expected)
    }
  })

  // 130 and 143 are in Process.test.ts.
  scoped.skipIf(skipsLong)("5 says that another run has the state, and 129 which signal stopped a run", function* () {
    const { asked, url } = yield* silent
    const definition = yaml(`  - urls: [http://x.example/]\n  - scrape: {}\n${writing}`, "state: { key: p }\n")
    const env = { SLUICE_BASE_URL: url, SLUICE_API_KEY: `fc-${"a".repeat(32)}` }
    const folder = yield* folderOf({ "p.yaml": definition })
    const first = yield* start(folder, env, "run", "p.yaml")
    yield* Effect.raceFirst(asked, first.ended)
    const second = yield* run(folder, env)
    expect(second.code, second.err).toBe(ExitCode.locked)
    first.child.kill("SIGHUP")
    expect(yield* first.ended, first.written.err).toBe(ExitCode.SIGHUP)
  })

  it("is in the tables for orchestrators, for recovery and in the README", () => {
    const text = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8")
    const codesIn = (path: string): ReadonlyArray<number> =>
      text(path)
        .split("\n")
        .flatMap((line) => /^\| ([\d, ]+) \|/.exec(line)?.[1]?.split(",") ?? [])
        .map(Number)
        .sort((a, b) => a - b)
    const codes = Object.values(ExitCode).sort((a, b) => a - b)
    expect(codesIn("docs/how-to/embed-in-a-repo.md")).toEqual(codes)
    expect(codesIn("docs/how-to/recover.md")).toEqual([...codes, 137].sort((a, b) => a - b))
    const sentence = /Exit codes: [\s\S]*? signal\./.exec(text("README.md"))?.[0] ?? ""
    for (const code of codes) expect(sentence).toMatch(new RegExp(`\\b${code}\\b`))
  })
})
