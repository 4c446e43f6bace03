/** Runs the programs of `docs/examples` as their readers would. */
import { spawn } from "node:child_process"
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { transformSync } from "esbuild"
import { engine, page, site, tempDir } from "../Local.ts"
import * as Postgres from "../Postgres.ts"
import { program } from "../Programs.ts"
import { root } from "./Pages.ts"

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
export const run = (example: string, definitions: Readonly<Record<string, string>> = {}) =>
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
