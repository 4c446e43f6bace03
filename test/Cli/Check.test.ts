import { describe, expect, scoped } from "../It.ts"
import { sluice } from "./Console.ts"
import { folderOf } from "./Project.ts"

const wrong = `version: 2
name: two words
descripton: typo
inputs:
  since: { type: strng }
steps:
  - serch: { query: effect }
  - where: metadata.statusCode = = 200
  - select: { url: $hots(url) }
  - search: { query: effect, limt: 5 }
    each: true
  - limit: many
    concurrency: 0
  - from: nowhere
    dedupe: {}
  - write: { jsonl: a.jsonl }
    retry: { time: 3 }
`

const right = "version: 1\nname: right\nsteps:\n  - urls: [https://example.com/]\n  - write: { jsonl: a.jsonl }\n"

describe("sluice check", () => {
  scoped("prints every mistake of ten at its place and ends with 78", function* () {
    const path = yield* folderOf({ "wrong.yaml": wrong })
    const { code, err, out } = yield* sluice(["check", `${path}/wrong.yaml`])
    const lines = out.trimEnd().split("\n")
    expect(code).toBe(78)
    expect(lines.length).toBeGreaterThanOrEqual(10)
    for (const line of lines) expect(line).toMatch(/wrong\.yaml:\d+:\d+ {2}\S/)
    expect(out).toContain(`${path}/wrong.yaml:7:5  steps[0].serch: there is no step "serch", did you mean "search"?`)
    expect(err).toBe(`error: ${lines.length} mistakes\n`)
  })

  scoped("takes a folder for the definitions in it and says how many are fine", function* () {
    const path = yield* folderOf({
      "a.yaml": right,
      "b.yml": right.replace("right", "b").replace("a.jsonl", "b.jsonl"),
      "c.json": '{ "version": 1, "name": "c", "steps": [{ "urls": ["https://example.com/"] }] }',
      "d.ts": "throw new Error('carried out')",
      "a.test.yaml": "not: a pipeline",
      "a.lock.json": "{}",
      "notes.txt": "not a pipeline"
    })
    expect(yield* sluice(["check", path])).toEqual({ code: 0, out: "3 pipelines are fine\n", err: "" })
    expect((yield* sluice(["check", `${path}/a.yaml`])).out).toBe("1 pipeline is fine\n")
  })

  scoped(
    "finds definitions of one name, two that replace the same file, and targets of `notify` that run programs",
    function* () {
      const scheduled = right.replace("steps", 'schedule: { cron: "0 3 * * *" }\nsteps')
      const path = yield* folderOf({
        "a.yaml": right,
        "b.yaml": right.replace("a.jsonl", "./a.jsonl"),
        "c.yaml": right.replace("name: right", "name: c").replace("a.jsonl }", "a.jsonl, mode: append }"),
        "d.yaml": right.replace("name: right", "name: d").replace("a.jsonl", '"{runId}.jsonl"'),
        "more/right.yaml": right.replace("a.jsonl", "more.jsonl"),
        "own/a.yaml": scheduled.replace("schedule", "notify: [{ on: [failed], command: [./x.sh] }]\nschedule"),
        "own/b.yaml": scheduled
      })
      const { code, out } = yield* sluice(["check", path, `${path}/a.yaml`, `${path}/more`])
      expect(code).toBe(0)
      expect(out.split("\n").slice(0, -2)).toEqual([
        `${path}/b.yaml:2:7  warning: name: ${path}/a.yaml is also named right: give one of them another name`,
        expect.stringMatching(
          `b.yaml:5:\\d+  warning: .*: ${path}/a.yaml writes the same file: the later run replaces it$`
        )
      ])
      const own = yield* sluice(["check", `${path}/own`])
      expect([own.code, own.err]).toEqual([78, expect.stringContaining("1 mistake")])
      expect(own.out).toContain("own/b.yaml:2:7  name: ")
      const program = "notify[0].command: runs a program (./x.sh): read it, and allow it with --allow-code"
      expect(own.out).toMatch(/own\/a.yaml:3:\d+ {2}warning: notify/)
      expect(own.out).toContain(program)
      expect((yield* sluice(["check", `${path}/own`, "--allow-code"])).out).not.toContain("runs a program")
      const named = ["schedule", "run", "else", "--folder", `${path}/own`]
      expect((yield* sluice(named)).err).toContain(`; broken: ${path}/own/a.yaml:3:`)
    }
  )

  scoped("goes on behind a wrong definition, and tells scripts everything as one object", function* () {
    const path = yield* folderOf({ "a.yaml": "version: 1\nname: a\nsteps: []\n", "b.yaml": right, "c.yaml": "a: [" })
    const { code, err, out } = yield* sluice(["check", path, "--json"])
    const report = JSON.parse(out)
    expect(code).toBe(78)
    expect(err).toBe(`error: ${report.mistakes.length} mistakes in 2 definitions; 1 definition is fine\n`)
    expect(report.files).toBe(3)
    expect(report.mistakes[0]).toEqual({
      file: `${path}/a.yaml`,
      line: 3,
      column: 8,
      path: ["steps"],
      message: expect.any(String)
    })
    expect(new Set(report.mistakes.map((mistake: { readonly file: string }) => mistake.file))).toEqual(
      new Set([`${path}/a.yaml`, `${path}/c.yaml`])
    )
  })

  scoped("names similar files when there is no such file, wherever they are", function* () {
    const path = yield* folderOf({ "first.yaml": right, "more/other.yaml": right })
    for (const [named, hint] of [
      ["frist.yaml", ', did you mean "first.yaml"?'],
      ["frist", ', did you mean "first.yaml"?'],
      ["first.yml", ', did you mean "first.yaml"?'],
      ["other.yaml", ', did you mean "more/other.yaml"?'],
      ["mroe/other.yaml", ', did you mean "more/other.yaml"?'],
      ["more/unlike.ts", "; its folder has other.yaml"],
      ["nowhere/first.yaml", ": there is no folder nowhere either"]
    ]) {
      const { code, out } = yield* sluice(["check", `${path}/${named}`])
      const [said, ...more] = out.replaceAll(`${path}/`, "").split("\n")
      expect([code, said, more]).toEqual([78, `${named}  there is no such file${hint}`, [""]])
    }
  })

  scoped("says so when there is no such file, or no definition in the folder", function* () {
    const path = yield* folderOf({ "notes.txt": "" })
    const gone = yield* sluice(["check", `${path}/gone.yaml`])
    expect([gone.code, gone.out]).toEqual([78, `${path}/gone.yaml  there is no such file\n`])
    const empty = yield* sluice(["check", path])
    expect([empty.code, empty.out]).toEqual([
      78,
      `${path}  there is no .yaml, .yml or .json definition in this folder; to check a definition in code, name its file\n`
    ])
  })
})

describe("sluice schema", () => {
  scoped("prints the JSON Schema of the language", function* () {
    const { code, err, out } = yield* sluice(["schema"])
    const schema = JSON.parse(out)
    expect([code, err]).toEqual([0, ""])
    expect(schema.properties.steps.items.oneOf.length).toBeGreaterThan(10)
  })
})
