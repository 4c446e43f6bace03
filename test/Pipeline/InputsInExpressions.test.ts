import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Sqlite from "../../src/Ledger.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import * as Test from "../../src/Pipeline/Test.ts"
import { judge } from "../../src/Run/Test/Assertions.ts"
import * as PipelineTest from "../../src/Run/Test/PipelineTest.ts"
import * as Run from "../../src/Run.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { offline } from "../Services.ts"

/** These pipelines ask no service; port 9 of loopback would refuse them. */
const scope = { env: {}, secrets: () => undefined }

const inputs = `inputs:
  query: { type: string, default: "a b" }
  least: { type: integer, default: 2 }
  strict: { type: boolean, default: false }
`

const definition = (body: string) => `version: 1\nname: t\n${inputs}steps:\n${body}`

const checkText = (text: string, given: { inputs?: Record<string, unknown>; begun?: boolean } = {}) =>
  Effect.flatMap(parseText("p.yaml", "/tmp", text), (source) =>
    check(source, { ...scope, inputs: {}, complete: true, ...given })
  ).pipe(Effect.provide(NodeContext.layer))

const issuesIn = (body: string) =>
  Effect.map(Effect.flip(checkText(definition(body))), ({ issues }) =>
    issues.map(({ column, line, message }) => `${line}:${column} ${message}`)
  )

/** Runs steps over rows of a file; gives what they write. */
const run = (
  body: string,
  rows: ReadonlyArray<object>,
  given: Record<string, unknown> = {},
  options: { readonly begun?: boolean } = {}
) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const folder = yield* files.makeTempDirectoryScoped()
    yield* files.writeFileString(`${folder}/rows.jsonl`, rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
    const text = definition(`  - read: rows.jsonl\n${body}`)
    const source = yield* parseText("p.yaml", folder, text)
    const checked = yield* check(source, { ...scope, inputs: given, complete: true, ...options })
    const made = yield* Run.make(checked, { ...scope, out: `${folder}/out`, dataDir: `${folder}/data` })
    const summary = yield* Effect.provide(made.execute, Sqlite.layer(`${folder}/data`))
    const written: Record<string, ReadonlyArray<unknown>> = {}
    for (const { path } of summary.outputs) {
      const lines = (yield* files.readFileString(path)).split("\n").filter((line) => line !== "")
      written[path.slice(`${folder}/out/`.length)] = lines.map((line): unknown => JSON.parse(line))
    }
    return written
  }).pipe(Effect.scoped, Effect.provide(offline))

describe("inputs in expressions", () => {
  it.live("have their declared type in every expression", function* () {
    const rows = [
      { url: "https://a.example/1", n: 1, tags: ["x", "y"] },
      { url: "https://a.example/2", n: 2, tags: ["x"] },
      { url: "https://a.example/3", n: 3, tags: ["z"] }
    ]
    const written = yield* run(
      `  - where: n >= $inputs.least
  - check: [{ rule: "$not($inputs.strict) or n < 0", onFail: reject }]
  - explode: { list: "[tags, $inputs.query]", as: tag }
  - dedupe: { key: "url & $inputs.query & tag", changedWhen: "$inputs.least & n", across: runs }
  - sort: { by: [{ expr: "n * ($inputs.strict ? 1 : -1)" }] }
  - select:
      n: n
      word: $inputs.query
      sum: n + $inputs.least
      all: $inputs
      quoted: "$map([$inputs.query], function($q) { $q & '!' })"
  - write: { jsonl: "{part}.jsonl", partitionBy: { part: $inputs.query } }
`,
      rows,
      { query: "$count($)", least: 2 }
    )
    expect(Object.keys(written)).toEqual(["$count($).jsonl"])
    const all = { query: "$count($)", least: 2, strict: false }
    expect(written["$count($).jsonl"]).toEqual(
      [3, 3, 2, 2].map((n) => ({ n, word: "$count($)", sum: n + 2, all, quoted: "$count($)!" }))
    )
  })

  it.live("are the same in `{ expr: … }`, in a join and in the keys of rows", function* () {
    const { nodes } = yield* checkText(
      definition(`  - urls: [https://a.example/]
  - scrape: { url: { expr: "url & $inputs.query" } }
  - join: { file: side.jsonl, on: { left: "n + $inputs.least", right: m } }
  - join: { file: side.jsonl, on: "left.n = right.m and $inputs.strict" }
  - search: { query: { expr: $inputs.query } }
    each: true
  - sort: { by: $inputs.least }
`)
    )
    expect(nodes).toHaveLength(6)
  })

  scoped("that are not declared are errors with the nearest name and the place", function* () {
    expect(
      yield* issuesIn(`  - urls: [https://a.example/]
  - where: url = $inputs.qeury
  - select:
      a: $inputs.least.deep
      b: "[tags[$ = $inputs.nothing]]"
      c: $inputs.(query & strct)
  - scrape: { url: { expr: $inputs.ur } }
  - dedupe: { key: $inputs.query, changedWhen: $input.query }
`)
    ).toEqual([
      '9:12 there is no input "qeury", did you mean "query"? (character 7 of: url = $inputs.qeury)',
      '11:10 the input "least" is a number and has no fields: write $inputs.least (character 1 of: $inputs.least.deep)',
      '12:10 there is no input "nothing": there are query, least, strict (character 11 of: [tags[$ = $inputs.nothing]])',
      '13:10 there is no input "strct", did you mean "strict"? (character 1 of: $inputs.(query & strct))',
      '14:28 there is no input "ur": there are query, least, strict (character 1 of: $inputs.ur)',
      "15:48 unknown name $input, did you mean $inputs? (character 1 of: $input.query)"
    ])
    const none = yield* Effect.flip(
      checkText('version: 1\nname: t\nsteps:\n  - read: a.csv\n  - where: $inputs.query = "x"\n')
    )
    expect(none.message).toContain('there is no input "query": this pipeline declares none')
  })

  scoped("may also be names of fields, and names that an expression binds", function* () {
    yield* checkText(definition("  - read: a.csv\n  - where: inputs.other = 1 and $$.inputs.other = 2\n"))
    yield* checkText(definition('  - read: a.csv\n  - where: "($inputs := { \\"other\\": 1 }; $inputs.other)"\n'))
  })

  scoped("are refused as ${{ }} in every expression, with a replacement", function* () {
    const why = "an expression cannot contain ${{ … }}: its text would run as code. Write"
    expect(
      yield* issuesIn(`  - urls: [https://a.example/]
  - where: \${{ inputs.query }}
  - where: n > \${{ inputs.least }} and url
  - select:
      a: "'\${{ inputs.query }}'"
      b: "$count(\${{ inputs.query }}, \${{ run.date }})"
  - scrape: { url: { expr: "\${{ inputs.query }}" } }
  - check:
      - { rule: n > 0 }
      - { rule: "n > \${{ inputs.least }}" }
  - dedupe: { key: "\${{ inputs.query }}", changedWhen: "\${{ env.HOME }}" }
  - sort: { by: [{ expr: "\${{ inputs.least }}" }, "\${{ secrets.X }}"] }
  - select: \${{ inputs.query }}
  - explode: { list: "\${{ inputs.nope }}" }
  - write: { jsonl: "{a}.jsonl", partitionBy: { a: "\${{ inputs.query }}" } }
`)
    ).toEqual([
      `9:12 ${why} $inputs.query`,
      `10:12 ${why} $inputs.least`,
      `12:10 ${why} $inputs.query, without quotes around it`,
      `13:10 ${why} $inputs.query and $run.date`,
      `14:28 ${why} $inputs.query`,
      `17:17 ${why} $inputs.least`,
      `18:20 ${why} $inputs.query`,
      `18:56 ${why} an input that is given the variable, and read it as $inputs.NAME`,
      `19:26 ${why} $inputs.least`,
      "19:51 an expression cannot contain a secret: a secret is only allowed in headers, in the auth of a request, in a login and in the webhook of notify",
      `20:13 ${why} every expression out, with $inputs.NAME for a value`,
      `21:22 ${why} $inputs.nope`,
      `22:52 ${why} $inputs.query`
    ])
  })

  scoped("in ${{ }} of a run of an earlier version are still accepted when it is resumed", function* () {
    const old = definition("  - read: a.csv\n  - where: n = ${{ inputs.least }}\n")
    expect((yield* checkText(old, { begun: true })).nodes).toHaveLength(2)
  })

  it.effect("can be used in expectations of a test file, which may not name others", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const folder = yield* files.makeTempDirectoryScoped()
      yield* files.writeFileString(`${folder}/p.yaml`, definition("  - read: a.jsonl\n  - where: n = $inputs.least\n"))
      const tests = (every: string) => `tests:
  - name: keeps what is wanted
    inputs: { least: 2 }
    given: { rows: { read: [{ n: 1 }, { n: 2 }] } }
    expect: { rows: { where: { count: 1, every: ${every} } } }
`
      yield* files.writeFileString(`${folder}/p.test.yaml`, tests("n = $inputs.last"))
      const wrong = yield* Effect.flip(Test.read(`${folder}/p.test.yaml`))
      expect(wrong.message).toContain('p.test.yaml:5:49  tests[0].expect.rows.where.every: there is no input "last"')
      yield* files.writeFileString(`${folder}/p.test.yaml`, tests("n = $inputs.least"))
      const { tests: found } = yield* Test.read(`${folder}/p.test.yaml`)
      const [test] = found
      if (test === undefined) throw new Error("there is a test")
      const { played } = yield* PipelineTest.replay(test, undefined, false)
      if (played === undefined) throw new Error("the test ends")
      expect(yield* judge(test, played, folder)).toEqual([])
      expect((yield* judge(test, { ...played, inputs: { least: 1 } }, folder)).length).toBe(1)
    }).pipe(Effect.scoped, Effect.provide(offline))
  )

  it.live("cannot become expressions through the output of another step", function* () {
    const failed = yield* Effect.flip(
      checkText(
        definition(`  - id: preview
    crawlPreview: { url: https://a.example/, prompt: all }
  - select: "\${{ steps.preview.output }}"
    from: preview
`)
      )
    )
    expect(failed.message).toContain("an expression cannot contain ${{ … }}")
  })
})
