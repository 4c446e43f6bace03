/** A definition from outside the project, without flags: what it reads, replaces and shares, and the files beside it. */

import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { describe, expect, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { sluice } from "./Console.ts"
import { folderOf, readText, writeText } from "./Project.ts"

const definition = (steps: string, head = "") => `version: 1\nname: p\n${head}steps:\n${steps}\n`
const rows = '  - urls: ["https://example.com/"]\n'
const write = (path: string) => `${rows}  - write: { jsonl: ${path} }`

const ground = (steps: string, { head = "", files = {} }: { head?: string; files?: Record<string, string> } = {}) =>
  Effect.gen(function* () {
    const folder = yield* folderOf({
      "project/package.json": '{"name":"mine"}',
      "project/pipelines/shop.ts": "export default 1\n",
      "project/pipelines/shop.yaml": definition(write("out/shop.jsonl")),
      "project/pipelines/shops.json": JSON.stringify({
        version: 1,
        name: "s",
        steps: [{ urls: ["https://a.example"] }]
      }),
      "project/pipelines/urls.txt": "https://a.example/\n",
      "project/config/hosts.yaml": "{}\n",
      "project/out/shop.jsonl": "{}\n",
      "project/README.md": "# mine\n",
      "project/.env": "A=b\n",
      "project/p.yaml": definition(steps, head),
      "elsewhere/p.yaml": definition(steps, head),
      ...files
    })
    const project = `${folder}/project`
    const call = (verb: string, file: string, ...words: ReadonlyArray<string>) =>
      sluice([verb, file, ...words, ...(verb === "check" ? [] : ["--data", `${folder}/data`])], {
        cwd: project,
        env: { HIDDEN: "hunter2", SLUICE_BASE_URL: "http://127.0.0.1:9", SLUICE_API_KEY: "fc-x" }
      })
    return { folder, project, call, own: `${project}/p.yaml`, foreign: `${folder}/elsewhere/p.yaml` }
  })

/** The folder of relative outputs is the working folder of the process. */
const inProject = (project: string) => ["--out", project]

const replaced = [
  "pipelines/shop.ts",
  "pipelines/shop.yaml",
  "pipelines/shops.json",
  "pipelines/urls.txt",
  "config/hosts.yaml",
  "package.json",
  "README.md",
  ".env"
]

describe("outputs", () => {
  const textOf = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : undefined)

  scoped("a stranger's definition writes nothing that the project has or may run", function* () {
    const { call, foreign, project } = yield* ground(rows)
    const others = ["out/shop.jsonl", "rows.jsonl", "out/q/rows.jsonl", "out/p/evil.yaml", "out/p/evil.json"]
    for (const path of [...replaced, ...others]) {
      yield* writeText(foreign, definition(write(path)))
      const before = textOf(`${project}/${path}`)
      const { code, err } = yield* call("run", foreign, ...inProject(project))
      expect([code, err]).toEqual([78, expect.stringContaining(path)])
      expect(textOf(`${project}/${path}`)).toBe(before)
    }
  })

  scoped.skipIf(skipsLong)(
    "a definition of the project replaces none of its files either, also when a row or a step names them",
    function* () {
      const { call, own, project } = yield* ground(rows)
      for (const path of replaced) {
        const before = textOf(`${project}/${path}`)
        yield* writeText(own, definition(write(path)))
        expect((yield* call("run", own, ...inProject(project))).code, path).toBe(78)
        const [folder = "", name = ""] = path.includes("/") ? path.split("/") : [".", path]
        yield* writeText(
          own,
          definition(
            `${rows}  - select: { name: "'${name}'" }\n  - write: { jsonl: "${folder}/{n}", partitionBy: { n: name } }`
          )
        )
        yield* call("run", own, ...inProject(project))
        expect(textOf(`${project}/${path}`), path).toBe(before)
      }
    }
  )

  scoped(
    "both write into out/NAME/, a stranger's into a folder outside the project, and yours wherever it says",
    function* () {
      const { call, folder, foreign, own, project } = yield* ground(write("out/p/rows.jsonl"))
      expect((yield* call("run", foreign, ...inProject(project))).code).toBe(0)
      expect((yield* call("run", own, ...inProject(project))).code).toBe(0)
      const free = yield* ground(write("rows.jsonl"))
      expect((yield* free.call("run", free.foreign, "--out", `${folder}/results`)).code).toBe(0)
      expect((yield* free.call("run", free.own, ...inProject(free.project))).code).toBe(0)
      expect((yield* free.call("run", free.foreign, "--limit", "1")).code).toBe(0)
    }
  )
})

describe("files beside a definition", () => {
  const contract = (column: string) => `version: 1\noutputs: { write: { columns: { ${column}: { type: string } } } }\n`
  const sidecars: ReadonlyArray<readonly [what: string, make: (path: string, folder: string) => void]> = [
    ["a link to a private file", (path, folder) => symlinkSync(`${folder}/private.yaml`, path)],
    ["a link to an endless device", (path) => symlinkSync("/dev/zero", path)],
    ["a FIFO", (path) => void execFileSync("mkfifo", [path])],
    ["a folder", (path) => void execFileSync("mkdir", [path])],
    ["a file of 5 MB", (path) => writeFileSync(path, "#".repeat(5 * 1024 * 1024))]
  ]
  const targets: ReadonlyArray<readonly [name: string, steps: string]> = [
    ["p.contract.yaml", write("out/p/rows.jsonl")],
    [
      "p.lock.json",
      `  - crawlPreview: { url: "https://example.com", prompt: all }\n    pin: p.lock.json\n${write("out/p/rows.jsonl")}`
    ]
  ]
  for (const [name, steps] of targets) {
    scoped.skipIf(skipsLong)(
      `a link, a device, a FIFO, a folder and a large file are not read as ${name}, wherever it is`,
      function* () {
        const { call, folder, project } = yield* ground(steps, { files: { "private.yaml": contract("hunter2") } })
        const allow = name.endsWith(".json") ? ["--allow-path", folder] : []
        for (const [what, make] of sidecars) {
          for (const place of ["project", "elsewhere"]) {
            make(`${folder}/${place}/${name}`, folder)
            const { code, err, out } = yield* call("run", `${folder}/${place}/p.yaml`, ...inProject(project), ...allow)
            expect([what, code, out + err]).toEqual([what, expect.any(Number), expect.stringContaining(name)])
            expect(code, what).not.toBe(0)
            expect(out + err).not.toContain("hunter2")
            rmSync(`${folder}/${place}/${name}`, { recursive: true })
          }
        }
      }
    )
  }

  scoped("no link, device, FIFO or large file is read as a test", function* () {
    const { folder, project } = yield* ground(write("out/p/rows.jsonl"), {
      files: { "private.yaml": "hunter2: 1\n" }
    })
    const test = `${folder}/elsewhere/p.test.yaml`
    for (const [what, make] of sidecars) {
      make(test, folder)
      const { code, err, out } = yield* sluice(["test", test], { cwd: project })
      rmSync(test, { recursive: true })
      if (what === "a folder") continue
      expect(code, `${what}: ${out}${err}`).not.toBe(0)
      expect(out + err).not.toContain("hunter2")
    }
  })

  scoped("a definition that is a FIFO or a device is refused, and not waited for", function* () {
    const { call, folder } = yield* ground(write("out/p/rows.jsonl"))
    execFileSync("mkfifo", [`${folder}/elsewhere/fifo.yaml`])
    symlinkSync("/dev/zero", `${folder}/elsewhere/zero.yaml`)
    for (const name of ["fifo", "zero"]) {
      const { code, err } = yield* call("run", `${folder}/elsewhere/${name}.yaml`)
      expect([code, err]).toEqual([78, expect.stringContaining("not a regular file")])
    }
  })

  scoped("a contract in the folder is read, also through a link within it", function* () {
    const { call, folder, own, project } = yield* ground(write("out/p/rows.jsonl"), {
      files: { "project/contracts.yaml": contract("url") }
    })
    symlinkSync(`${folder}/project/contracts.yaml`, `${project}/p.contract.yaml`)
    const { code, err } = yield* call("run", own, ...inProject(project))
    expect([code, err]).toEqual([0, expect.anything()])
  })

  scoped("a file that may not be read is named with the reason", function* () {
    const { call, own, project } = yield* ground(write("out/p/rows.jsonl"))
    if (process.getuid?.() === 0) return
    yield* writeText(`${project}/p.contract.yaml`, contract("url"))
    chmodSync(`${project}/p.contract.yaml`, 0)
    expect((yield* call("run", own)).err).toContain("permission denied")
  })
})

describe("state, values and reach", () => {
  scoped("a stranger's definition with the name of a pipeline has a state of its own", function* () {
    const steps = `${rows}  - dedupe: { across: runs, key: url }\n  - write: { jsonl: out/p/rows.jsonl }`
    const { call, foreign, own, project } = yield* ground(steps)
    const counted = (path: string) => Effect.map(readText(path), (text) => text.split("\n").length - 1)
    for (const [file, count] of [
      [foreign, 1],
      [own, 1],
      [own, 0],
      [foreign, 0]
    ] as const) {
      expect((yield* call("run", file, ...inProject(project))).code).toBe(0)
      expect(yield* counted(`${project}/out/p/rows.jsonl`)).toBe(count)
    }
    const plan = yield* call("plan", foreign, ...inProject(project), "--json")
    expect(JSON.parse(plan.out).state.key).toMatch(/^p@[0-9a-f]{12}$/)
  })

  scoped("a plan lists what a definition would touch beyond hosts and files", function* () {
    const { call, own } = yield* ground(
      `${rows}  - scrape: { profile: { name: shop }, maxAge: 1000 }\n  - write: { jsonl: rows.jsonl }`,
      { head: "state: { key: shared }\n" }
    )
    const plan = yield* call("plan", own)
    expect(plan.out).toMatch(
      /touches +reads stored copies of pages, shares the state of other pipelines, uses a browser profile/
    )
    expect(JSON.parse((yield* call("plan", own, "--json")).out).touches.uses).toHaveLength(3)
  })

  scoped("a variable that may not be read is in no message", function* () {
    const { call, foreign, own } = yield* ground(`  - urls: ["https://example.com/"]\n  - limit: "\${{ env.HIDDEN }}"`)
    const refused = yield* call("check", foreign)
    expect([refused.code, refused.out + refused.err]).toEqual([78, expect.not.stringContaining("hunter2")])
    expect(refused.out + refused.err).toContain("--allow-env HIDDEN")
    expect((yield* call("check", own)).code).toBe(78)
  })

  for (const [what, text] of [
    [
      "inputs",
      `version: 1\nname: p\ninputs:\n${Array.from({ length: 100_000 }, (_, n) => `  i${n}:\n`).join("")}steps:\n${rows}`
    ],
    ["steps", `version: 1\nname: p\nsteps:\n${rows}${"  - limit: 1\n".repeat(11_000)}`]
  ] as const) {
    scoped.skipIf(skipsLong)(
      `too many ${what} are refused in one line before anything is done with them`,
      function* () {
        const { call, foreign } = yield* ground(rows, { files: { "elsewhere/p.yaml": text } })
        const before = process.cpuUsage()
        const { code, out } = yield* call("check", foreign)
        const { user } = process.cpuUsage(before)
        expect(user / 1e6).toBeLessThan(60)
        expect(out.trim().split("\n")).toHaveLength(1)
        expect([code, out]).toEqual([
          78,
          expect.stringMatching(new RegExp(`there are \\d{4,6} ${what}, and a definition can have at most 10*`))
        ])
      }
    )
  }

  scoped(
    "what reaches beyond a page is refused to a stranger's definition, with its place, and not to yours",
    function* () {
      const { call, foreign, own } = yield* ground(rows)
      for (const [step, said] of [
        ["  - scrape: { profile: { name: shop } }", "uses a browser profile"],
        ["  - id: b\n    browser: {}", "opens a browser session"],
        ["  - search: { query: x }", "reads the search index"],
        ["  - scrape: { maxAge: 60000 }", "reads stored copies"],
        ["  - scrape: { actions: [{ type: executeJavascript, script: x }] }", "runs a script in pages"]
      ] as const) {
        const text = definition(step.includes("search") ? step : `${rows}${step}`)
        yield* writeText(foreign, text)
        yield* writeText(own, text)
        const refused = yield* call("check", foreign)
        expect([refused.code, refused.out]).toEqual([
          78,
          expect.stringMatching(new RegExp(`p\\.yaml:\\d+:\\d+.*${said}.*outside the project`, "s"))
        ])
        expect((yield* call("check", own)).code).toBe(0)
      }
    }
  )
})
