import { existsSync, readFileSync, writeFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { describe, expect, live, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { start } from "./Launched.ts"
import { folderOf, list, readText } from "./Project.ts"
import { serve } from "./Site.ts"

const launch = (words: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}, cwd?: string) =>
  start(cwd, env, ...words)

/** Waits for what a process writes into files. */
const until = (condition: () => boolean) =>
  Effect.promise(async () => {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20))
  })

const silent = `version: 1
name: silent
inputs: { site: { type: url } }
steps:
  - urls: ["\${{ inputs.site }}/silent"]
  - scrape: { formats: [markdown] }
  - write: { jsonl: never.jsonl }
`

// Processes of their own, which wait for answers that do not come: they wait side by side.
describe("the executable", { concurrent: true }, () => {
  live.skipIf(skipsLong)(
    "ends at the second signal, also while its main thread is stuck in code that does not end",
    function* () {
      const folder = yield* folderOf({ "stuck.ts": 'process.stderr.write("stuck\\n"); for (;;) {}\n' })
      for (const [first, second] of [
        ["SIGINT", "SIGINT"],
        ["SIGHUP", "SIGTERM"]
      ] as const) {
        const { child, ended, until, written } = yield* launch(["check", "stuck.ts"], {}, folder)
        yield* until(() => (written.err.includes("stuck") ? true : undefined))
        child.kill(first)
        yield* Effect.sleep("300 millis")
        expect(child.signalCode).toBeNull()
        child.kill(second)
        yield* ended
        expect(child.signalCode).toBe("SIGKILL")
        expect(written.err).toContain("did not answer two signals")
      }
    }
  )

  scoped("answers help on stdout, and a typing mistake on stderr with exit code 2", function* () {
    const help = yield* launch(["--help"])
    const typo = yield* launch(["rnu"])
    expect([yield* help.ended, help.written.err]).toEqual([0, ""])
    expect(help.written.out).toContain("run FILE")
    expect([yield* typo.ended, typo.written.out]).toEqual([2, ""])
    expect(typo.written.err).toContain('did you mean "run"?')
  })

  scoped("says in one sentence that Node is too old, before it loads what an old Node cannot parse", function* () {
    const folder = yield* folderOf({
      "old.mjs": `const { versions } = process
globalThis.process = new Proxy(process, {
  get: (target, key) => {
    if (key === "versions") return { ...versions, node: "18.20.8" }
    const value = Reflect.get(target, key)
    return typeof value === "function" ? value.bind(target) : value
  }
})
`
    })
    const old = yield* launch(["--help"], { NODE_OPTIONS: `--import ${folder}/old.mjs` })
    expect([yield* old.ended, old.written.out]).toEqual([1, ""])
    expect(old.written.err).toBe(
      "error: sluice needs Node 20.19 or newer, and this is Node 18.20.8. Install a newer one from https://nodejs.org.\n"
    )
  })

  scoped.skipIf(skipsLong)("writes all of a long text into a pipe before it goes", function* () {
    const schema = yield* launch(["schema"])
    expect(yield* schema.ended).toBe(0)
    expect(JSON.parse(schema.written.out)).toHaveProperty("properties")
  })

  scoped.skipIf(skipsLong)("puts the schema where definitions look for it, under the current folder", function* () {
    const root = yield* folderOf()
    const schema = yield* launch(["schema", "--write"], {}, root)
    expect([yield* schema.ended, schema.written.out]).toEqual([
      0,
      ".sluice/pipeline.schema.json\n.sluice/test.schema.json\n"
    ])
    for (const name of ["pipeline", "test"]) {
      expect(JSON.parse(yield* readText(`${root}/.sluice/${name}.schema.json`))).toHaveProperty("properties")
    }
  })

  scoped.skipIf(skipsLong)("is no failure when its reader has had enough", function* () {
    const schema = yield* launch(["schema"])
    schema.child.stdout.destroy()
    expect([yield* schema.ended, schema.written.err]).toEqual([0, ""])
  })

  scoped.skipIf(skipsLong)("keeps working after stderr was closed", function* () {
    const root = yield* folderOf({
      "p.yaml": "version: 1\nname: unheard\nsteps:\n  - read: rows.csv\n  - write: { jsonl: rows.jsonl }\n",
      "rows.csv": "n\n1\n"
    })
    const words = ["run", `${root}/p.yaml`, "--out", root, "--data", `${root}/data`]
    // It speaks before it begins.
    const run = yield* launch(words, { SLUICE_BASEURL: "misspelt" }, root)
    run.child.stderr.destroy()
    expect(yield* run.ended).toBe(0)
    expect(yield* readText(`${root}/rows.jsonl`)).toBe('{"n":"1"}\n')
  })

  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143]
  ] as const) {
    scoped.skipIf(skipsLong)(`stops a run on ${signal} with ${code} and leaves nothing half-written`, function* () {
      const { asked, url } = yield* serve
      const root = yield* folderOf({ "p.yaml": silent })
      const run = yield* launch(
        ["run", `${root}/p.yaml`, "-i", `site=${url}`, "--out", `${root}/out`, "--data", `${root}/data`],
        { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }
      )
      yield* asked
      expect(yield* list(`${root}/out`)).toHaveLength(1)
      run.child.kill(signal)
      expect(yield* run.ended, run.written.err).toBe(code)
      expect(run.written.err).toMatch(
        /^silent was stopped after .*: 0 rows\nNothing was done, and no files are left\.\n$/
      )
      expect(yield* list(`${root}/out`)).toEqual([])
    })
  }

  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143]
  ] as const) {
    scoped.skipIf(skipsLong)(`keeps on ${signal} what \`use\` has done, and a resume does the rest`, function* () {
      const root = yield* folderOf({
        "p.yaml":
          "version: 1\nname: using\nsteps:\n  - read: rows.jsonl\n  - use: { module: ./slow.mjs }\n    concurrency: 2\n  - write: { jsonl: out.jsonl }\n",
        "rows.jsonl": Array.from({ length: 30 }, (_, n) => `{"n":${n}}\n`).join(""),
        // Rows from 10 on wait until the file `go` is there.
        "slow.mjs": `import { appendFileSync, existsSync } from "node:fs"
process.once("${signal}", () => appendFileSync("signalled", ""))
export default async (row) => {
  appendFileSync("asked.txt", row.n + "\\n")
  while (row.n >= 10 && !existsSync("go")) await new Promise((resolve) => setTimeout(resolve, 20))
  return row
}
`
      })
      const words = ["--data", "data", "--allow-code"]
      const asked = () => {
        const file = `${root}/asked.txt`
        return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n").map(Number) : []
      }
      const run = yield* launch(["run", "p.yaml", ...words], {}, root)
      yield* until(() => asked().length === 12)
      run.child.kill(signal)
      yield* until(() => existsSync(`${root}/signalled`))
      writeFileSync(`${root}/go`, "")
      expect(yield* run.ended, run.written.err).toBe(code)
      const resumed = yield* launch(["resume", ...words], {}, root)
      expect(yield* resumed.ended, resumed.written.err).toBe(0)
      const rows = (yield* readText(`${root}/out.jsonl`)).trimEnd().split("\n")
      expect(rows).toEqual(Array.from({ length: 30 }, (_, n) => `{"n":${n}}`))
      // The calls in flight were waited for, so none is made twice.
      expect(asked().sort((one, other) => one - other)).toEqual(Array.from({ length: 30 }, (_, n) => n))
    })
  }

  scoped.skipIf(skipsLong)(
    "stops in order when code of the project leaves a promise alone that is rejected",
    function* () {
      const root = yield* folderOf({
        "p.yaml":
          "version: 1\nname: careless\nsteps:\n  - read: rows.csv\n  - use: { module: ./careless.mjs }\n  - write: { jsonl: rows.jsonl }\n",
        "rows.csv": "n\n1\n",
        "careless.mjs":
          "export default () => new Promise(() => void Promise.reject(new Error('the line was cut\\nhere')))"
      })
      const words = ["run", `${root}/p.yaml`, "--out", root, "--data", `${root}/data`, "--allow-code"]
      const run = yield* launch(words, {}, root)
      expect(yield* run.ended).toBe(1)
      expect(run.written.err).toContain("error: a promise was rejected and not handled: the line was cut\n")
      expect(run.written.err).toContain("careless was stopped after")
      expect(yield* list(root)).not.toContain("rows.jsonl")
    }
  )
})
