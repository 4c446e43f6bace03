import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Ajv } from "ajv"
import * as Effect from "effect/Effect"
import { parse } from "yaml"
import { read } from "../../src/Pipeline/Test.ts"
import { testSchema } from "../../src/Pipeline/TestFile.ts"
import { folderOf, platform } from "../Cli/Project.ts"
import { describe, expect, it, scoped } from "../It.ts"

const pipeline = `version: 1
name: p
inputs: { site: { type: url }, folder: { type: path, default: . }, most: { type: integer, default: 3, maximum: 5 } }
steps:
  - id: params
    crawlPreview: { url: "\${{ inputs.site }}", prompt: all }
  - crawl: { url: "\${{ inputs.site }}", limit: "\${{ inputs.most }}" }
  - id: good
    where: metadata.statusCode = 200
  - write: { jsonl: "out/\${{ env.TEAM }}.jsonl" }
`

const head = (test: string) => `tests:\n  - name: a\n    inputs: { site: "{site}/" }\n    env: { TEAM: blue }\n${test}`

/** The issues of a test file, without the folder. */
const issuesOf = (text: string, more: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const root = yield* folderOf({ "p.yaml": pipeline, "p.test.yaml": text, ...more })
    const failure = yield* Effect.flip(read(`${root}/p.test.yaml`))
    return failure.message.replaceAll(`${root}/`, "").split("\n").slice(0, -1)
  }).pipe(Effect.provide(platform))

describe("a test file", () => {
  it.scoped("belongs to the definition with its name, or to the one that it names", platform, function* () {
    const fine = head("    expect: { rows: { good: { count: 1 } } }\n")
    const root = yield* folderOf({
      "p.yaml": pipeline,
      "p.test.yaml": fine,
      "other.test.yaml": `pipeline: ./p.yaml\n${fine}`,
      "nobody.test.yaml": fine
    })
    for (const name of ["p", "other"]) {
      const { pipeline, tests } = yield* read(`${root}/${name}.test.yaml`)
      expect([pipeline, tests.map(({ name }) => name)]).toEqual(["p", ["a"]])
      expect(tests[0]?.checked.inputs.site).toBe("http://site.test/")
      expect(tests[0]?.now.toISOString()).toBe("2026-01-01T00:00:00.000Z")
    }
    expect((yield* Effect.flip(read(`${root}/nobody.test.yaml`))).message).toContain(
      "there is no nobody.yaml beside it: name the definition with `pipeline: FILE`"
    )
    expect((yield* Effect.flip(read(`${root}/gone.test.yaml`))).message).toContain("there is no such file")
  })

  it.scoped("resolves paths relative to itself, whatever the current folder is", platform, function* () {
    const root = yield* folderOf({
      "p.yaml": pipeline,
      "p.test.yaml": `tests:\n  - name: a\n    inputs: { site: "https://x.example/", folder: ./in }\n    env: { TEAM: a }\n    site: ./pages\n    given: { recording: r.json }\n    expect: {}\n`
    })
    const { tests } = yield* read(`${root}/p.test.yaml`)
    expect(tests[0]).toMatchObject({
      checked: { inputs: { folder: `${root}/in` } },
      recording: `${root}/r.json`,
      site: `${root}/pages`
    })
  })

  scoped("gets every schema error with its place and the nearest valid word", function* () {
    expect(
      yield* issuesOf(
        `test: 1
tests:
  - name: ""
    limit: 0
    now: yesterday
    given: { recordings: a.json }
    expect:
      status: done
      rows:
        good: { cuont: 1, every: "a = = 1", order: random }
`
      )
    ).toEqual([
      'p.test.yaml:1:1  test: unknown key "test", did you mean "tests"?',
      expect.stringContaining("p.test.yaml:3:11  tests[0].name: expected a sentence"),
      expect.stringContaining("p.test.yaml:4:12  tests[0].limit: expected a whole number of at least 1, got 0"),
      expect.stringContaining("p.test.yaml:5:10  tests[0].now: expected a date and time like 2026-03-01T09:00:00Z"),
      'p.test.yaml:6:14  tests[0].given.recordings: unknown key "recordings", did you mean "recording"?',
      expect.stringContaining('p.test.yaml:8:15  tests[0].expect.status: expected "completed", "failed" or "budget"'),
      'p.test.yaml:10:17  tests[0].expect.rows.good.cuont: unknown key "cuont", did you mean "count"?',
      expect.stringContaining("p.test.yaml:10:34  tests[0].expect.rows.good.every: The symbol"),
      expect.stringContaining('p.test.yaml:10:52  tests[0].expect.rows.good.order: expected "given" or "any"')
    ])
    expect(yield* issuesOf("tests: []\n")).toEqual([expect.stringContaining("p.test.yaml:1:8  tests")])
    expect(yield* issuesOf("tests:\n  - name: a\n")).toEqual([expect.stringContaining('"expect" is missing')])
  })

  scoped("gets errors for steps, inputs, variables and rows that do not fit the pipeline", function* () {
    const text = `tests:
  - name: a
    inputs: { sit: x, most: 7 }
    env: { TEAM: blue }
    expect: {}
  - name: a
    inputs: { site: "{site}/" }
    env: { TEAM: blue }
    given:
      rows:
        crwal: []
        params: []
        crawl: rows.jsonl
        good: gone.jsonl
    expect:
      error: no
      status: completed
      rows:
        god: { count: { min: 3, max: 1 } }
        good: { order: any }
        write: {}
`
    expect(yield* issuesOf(text, { "rows.jsonl": '{"a":1}\nnonsense\n' })).toEqual([
      'p.test.yaml:3:13  tests[0].inputs: the input "site" is missing, and has no default',
      'p.test.yaml:3:20  tests[0].inputs.sit: there is no input "sit", did you mean "site"?',
      expect.stringContaining("p.test.yaml:3:29  tests[0].inputs.most: expected at most 5, got 7"),
      'p.test.yaml:6:11  tests[1].name: there is already a test "a"',
      'p.test.yaml:11:9  tests[1].given.rows.crwal: there is no step "crwal", did you mean "crawl"?',
      'p.test.yaml:12:9  tests[1].given.rows.params: "params" gives a value and no rows',
      expect.stringMatching(/^p\.test\.yaml:13:16 {2}tests\[1\]\.given\.rows\.crawl: rows\.jsonl, line 2 is not JSON/),
      expect.stringMatching(
        /^p\.test\.yaml:14:15 {2}tests\[1\]\.given\.rows\.good: there is no file gone\.jsonl in \//
      ),
      "p.test.yaml:16:7  tests[1].expect.error: a run that is completed has no error",
      'p.test.yaml:19:9  tests[1].expect.rows.god: there is no step "god", did you mean "good"?',
      "p.test.yaml:19:23  tests[1].expect.rows.god.count: min is more than max",
      "p.test.yaml:20:17  tests[1].expect.rows.good.order: has no effect without `equals`",
      "p.test.yaml:21:16  tests[1].expect.rows.write: checks nothing: write count, equals, …"
    ])
    const unset = 'tests:\n  - name: a\n    inputs: { site: "{site}/" }\n    expect: {}\n'
    expect(yield* issuesOf(unset)).toEqual([
      expect.stringContaining("tests[0].env: TEAM is missing: a test sees only the variables of its env")
    ])
  })

  scoped("gets no errors for those of its pipeline", function* () {
    const issues = yield* issuesOf(head("    expect: {}\n"), { "p.yaml": pipeline.replace("where:", "wehre:") })
    expect(issues).toEqual([expect.stringContaining('p.yaml:9:5  steps[2].wehre: there is no step "wehre"')])
  })
})

describe("the JSON Schema of test files", () => {
  const folder = fileURLToPath(new URL("../../pipelines", import.meta.url))
  const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(testSchema())
  const files = readdirSync(folder).filter((name) => name.endsWith(".test.yaml"))

  it("accepts every test of the examples", () => {
    expect(files.length).toBeGreaterThanOrEqual(4)
    for (const name of files) {
      const text = readFileSync(`${folder}/${name}`, "utf8")
      expect(text.split("\n")[0]).toBe("# yaml-language-server: $schema=../.sluice/test.schema.json")
      validate(parse(text))
      expect(validate.errors ?? [], name).toEqual([])
    }
  })

  it.each([
    ["an unknown key", { tests: [{ name: "a", expect: {}, gvien: {} }] }],
    ["no tests", { tests: [] }],
    ["a test that expects nothing", { tests: [{ name: "a" }] }],
    ["an unknown expectation", { tests: [{ name: "a", expect: { rows: { a: { cuont: 1 } } } }] }],
    ["a status that no run has", { tests: [{ name: "a", expect: { status: "done" } }] }]
  ])("refuses %s", (_, value) => {
    expect(validate(value)).toBe(false)
  })
})
