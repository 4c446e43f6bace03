import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import ts from "typescript"
import * as ClientErrors from "../src/Client/Errors.ts"
import * as SinkErrors from "../src/Sink/Errors.ts"
import { engine, page, site, tempDir } from "./Local.ts"
import * as Postgres from "./Postgres.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const guide = readFileSync(`${root}docs/embedding.md`, "utf8")
const examples = readdirSync(`${root}docs/examples`).sort()
const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href

/** Runs an example in a folder of its own, against an engine and a site of six pages. */
const run = (example: string, definitions: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const cwd = yield* tempDir
    mkdirSync(`${cwd}/pipelines`, { recursive: true })
    for (const [name, text] of Object.entries(definitions)) writeFileSync(`${cwd}/pipelines/${name}`, text)
    const { requests, url } = yield* site((path) =>
      path === "/" ? page("Home", ["/a", "/b", "/c", "/d", "/e"]) : /^\/[a-e]$/.test(path) ? page(path) : undefined
    )
    const { baseUrl, key } = yield* engine()
    const env = {
      PATH: process.env.PATH,
      TSX_TSCONFIG_PATH: `${root}tsconfig.json`,
      SITE: url,
      SLUICE_BASE_URL: baseUrl,
      SLUICE_API_KEY: Redacted.value(key),
      ...(Postgres.isHere ? { SLUICE_DATABASE_URL: yield* Postgres.place } : {})
    }
    const ended = yield* Effect.async<{ readonly code: number | null; readonly out: string; readonly err: string }>(
      (resume) => {
        const file = `${root}docs/examples/${example}`
        const child = spawn(process.execPath, ["--import", tsx, file], { cwd, env, timeout: 60_000 })
        const written = { out: "", err: "" }
        child.stdout.on("data", (text) => (written.out += text))
        child.stderr.on("data", (text) => (written.err += text))
        child.on("close", (code) => resume(Effect.succeed({ code, ...written })))
        return Effect.sync(() => child.kill("SIGKILL"))
      }
    )
    const lines = (name: string) => readFileSync(`${cwd}/out/${name}`, "utf8").trimEnd().split("\n")
    return { ...ended, cwd, lines, requests }
  })

describe("docs/embedding.md", () => {
  it("shows the files of docs/examples, word for word", () => {
    const blocks = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text]) => text)
    expect(examples).toEqual(["effect.ts", "promise.ts", "schedule.ts", "stream.ts"])
    const texts = examples.map((name) => readFileSync(`${root}docs/examples/${name}`, "utf8"))
    expect([...blocks].sort()).toEqual([...texts].sort())
  })

  it("names every failure of the client and of the sinks", () => {
    for (const errors of [ClientErrors, SinkErrors]) {
      for (const [name, value] of Object.entries(errors)) {
        if (typeof value === "function" && value.prototype instanceof Error && name !== "InvalidBaseUrl") {
          expect(guide).toContain(`\`${name}\``)
        }
      }
    }
  })

  it.scopedLive("has an Effect program that runs a pipeline with its own layers", () =>
    Effect.gen(function* () {
      const { code, err, lines, out } = yield* run("effect.ts")
      expect(code, err).toBe(0)
      expect(out).toBe("6 titles for 6 credits, 0 rejects\n")
      expect(lines("titles.jsonl").map((line) => JSON.parse(line).title)).toContain("Home")
    })
  )

  it.scopedLive("has a program that takes rows as a stream and stops early", () =>
    Effect.gen(function* () {
      const { code, err, out } = yield* run("stream.ts")
      expect(code, err).toBe(0)
      expect(out).toBe("4 pages are stored\n")
    })
  )

  it.scopedLive("has a program that runs a folder of pipelines on time, over a ledger that machines may share", () =>
    Effect.gen(function* () {
      const tick = `version: 1
name: tick
schedule: { cron: "* * * * * *", timezone: UTC }
steps:
  - urls: ["https://a.example/"]
  - select: { url: url, at: $run.scheduledFor.instant }
  - write: { jsonl: "{runId}.jsonl" }
`
      const { code, cwd, err, out } = yield* run("schedule.ts", { "tick.yaml": tick })
      expect(code, err).toBe(0)
      expect(out).toBe("tick is completed\n")
      const [first = ""] = readdirSync(`${cwd}/out`).filter((name) => name.endsWith(".jsonl"))
      expect(readFileSync(`${cwd}/out/${first}`, "utf8")).toMatch(/^\{"url":"https:\/\/a.example\/","at":"20.*:\d\d/)
      expect(existsSync(`${cwd}/.sluice/ledger.db`)).toBe(!Postgres.isHere)
    })
  )

  it.scopedLive("has a program without Effect that shows progress, is stopped, and goes on", () =>
    Effect.gen(function* () {
      const { code, err, lines, out, requests } = yield* run("promise.ts")
      expect(code, err).toBe(0)
      expect(out).toBe("3 rows, 1 file\n")
      expect(lines("pages.jsonl")).toHaveLength(3)
      for (const path of ["/", "/a", "/b"]) expect(requests.filter((each) => each === path)).toHaveLength(1)
    })
  )
})

describe("the doors", () => {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const program = ts.createProgram([`${root}src/index.ts`, `${root}src/promise.ts`], options)
  const checker = program.getTypeChecker()

  const original = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol

  /** What a module gives, and what the modules in it give. */
  const given = (module: ts.Symbol, prefix = ""): ReadonlyArray<readonly [name: string, symbol: ts.Symbol]> =>
    checker.getExportsOfModule(module).flatMap((symbol) => {
      const target = original(symbol)
      const name = `${prefix}${symbol.name}`
      return target.flags & ts.SymbolFlags.ValueModule ? given(target, `${name}.`) : [[name, target] as const]
    })

  for (const door of ["index", "promise"]) {
    it(`src/${door}.ts gives nothing without a word on what it is`, () => {
      const file = program.getSourceFile(`${root}src/${door}.ts`)
      const module = file && checker.getSymbolAtLocation(file)
      const all = module === undefined ? [] : given(module)
      expect(all.length).toBeGreaterThan(20)
      const silent = all.filter(([, symbol]) => symbol.getDocumentationComment(checker).length === 0)
      expect(silent.map(([name]) => name)).toEqual([])
    })
  }
})
