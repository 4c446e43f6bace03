import { spawn } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { transformSync } from "esbuild"
import * as ClientErrors from "../src/Client/ClientErrors.ts"
import * as SinkErrors from "../src/Sink/SinkErrors.ts"
import { engine, page, site, tempDir } from "./Local.ts"
import * as Postgres from "./Postgres.ts"
import { program } from "./Programs.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const guide = readFileSync(`${root}docs/embedding.md`, "utf8")
const examples = readdirSync(`${root}docs/examples`).sort()

/** A folder in which the library is installed, and an example in it as a compiler leaves it. */
const project = (example: string) =>
  Effect.map(tempDir, (cwd) => {
    mkdirSync(`${cwd}/node_modules/sluice`, { recursive: true })
    for (const name of ["effect", "@effect"]) symlinkSync(`${root}node_modules/${name}`, `${cwd}/node_modules/${name}`)
    symlinkSync(dirname(program("index")), `${cwd}/node_modules/sluice/dist`)
    copyFileSync(`${root}package.json`, `${cwd}/node_modules/sluice/package.json`)
    const { code } = transformSync(readFileSync(`${root}docs/examples/${example}`), { loader: "ts" })
    writeFileSync(`${cwd}/example.mjs`, code)
    return cwd
  })

/** Runs an example in a folder of its own, against an engine and a site of six pages. */
const run = (example: string, definitions: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const cwd = yield* project(example)
    mkdirSync(`${cwd}/pipelines`, { recursive: true })
    for (const [name, text] of Object.entries(definitions)) writeFileSync(`${cwd}/pipelines/${name}`, text)
    const { requests, url } = yield* site((path) =>
      path === "/" ? page("Home", ["/a", "/b", "/c", "/d", "/e"]) : /^\/[a-e]$/.test(path) ? page(path) : undefined
    )
    const { baseUrl, key } = yield* engine()
    const env = {
      PATH: process.env.PATH,
      SITE: url,
      SLUICE_BASE_URL: baseUrl,
      SLUICE_API_KEY: Redacted.value(key),
      ...(Postgres.isHere ? { SLUICE_DATABASE_URL: yield* Postgres.place } : {})
    }
    const ended = yield* Effect.async<{ readonly code: number | null; readonly out: string; readonly err: string }>(
      (resume) => {
        const child = spawn(process.execPath, ["example.mjs"], { cwd, env, timeout: 60_000 })
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
    expect(examples).toEqual(["cluster.ts", "effect.ts", "promise.ts", "schedule.ts", "stream.ts"])
    const texts = examples.map((name) => readFileSync(`${root}docs/examples/${name}`, "utf8"))
    expect(blocks).toEqual(expect.arrayContaining(texts))
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
schedule: { cron: "* * * * * *", timezone: UTC, overlap: queue }
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

  it.scopedLive.skipIf(!Postgres.isHere)("has a program that works for a cluster, and runs a pipeline on it", () =>
    Effect.gen(function* () {
      const { code, err, lines, out } = yield* run("cluster.ts")
      expect(code, err).toBe(0)
      expect(out).toBe("4 titles in 2 files\n")
      expect(lines("titles.0000.jsonl").map((line) => JSON.parse(line).title)).toContain("Home")
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
