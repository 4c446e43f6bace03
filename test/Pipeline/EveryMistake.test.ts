import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Connection from "../../src/Client/Connection.ts"
import * as Client from "../../src/Client.ts"
import * as Sqlite from "../../src/Ledger.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import * as Run from "../../src/Run.ts"
import { sluice } from "../Cli/Console.ts"
import { folderOf, platform } from "../Cli/Project.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { tempDir } from "../Local.ts"

const scope = { env: {}, secrets: () => undefined }

const issuesIn = (text: string) =>
  Effect.flatMap(parseText("p.yaml", "/tmp", text), (source) =>
    check(source, { ...scope, inputs: {}, complete: false })
  ).pipe(
    Effect.flip,
    Effect.map(({ issues }) => issues.map(({ column, line, message }) => `${line}:${column} ${message}`)),
    Effect.provide(NodeContext.layer)
  )

/** A issue in every layer: frame, inputs, schedule, state, graph, keys, fields, expressions, values, outputs. */
const text = `version: 1
name: two words
descripton: typo
inputs:
  since: { type: strng }
  limit: { type: integer, default: many }
schedule: { cron: "61 * * * *", zone: UTC }
budget: { credits: 0 }
steps:
  - serch: { query: effect, limit: 5 }
    concurency: 2
    retry: { times: 99 }
  - id: found
    search: { query: "\${{ inputs.nope }}", limit: 500, scrapeOptions: { headers: { a: "\${{ secrets.NONE }}" } } }
    each: true
    timeout: soon
  - where: title = "a" and # b
  - select:
      a: $inputs.limt
      b: $hots(url)
      c: "\${{ inputs.limit }}"
      d: {{ url }}
  - from: [found, fuond]
    dedupe: { kee: url, across: weeks }
  - where: true
    limit: 0
  - write: { jsonl: "out/{hots}.jsonl", mode: rplace, roll: {} }
    when: maybe
  - write: { csv: out/a.csv }
  - write: { csv: ./out/a.csv, columns: { a: strng } }
  - write: { jsonl: out/b.jsonl, csv: out/b.csv }
`

describe("check", () => {
  scoped("lists every error of a definition at once, each with its place", function* () {
    const issues = yield* issuesIn(text)
    for (const issue of issues) expect(issue).toMatch(/^\d+:\d+ \S/)
    expect(issues).toEqual([
      '2:7 expected a name of letters, digits, - and _, beginning with a letter, got "two words"',
      '3:1 unknown key "descripton", did you mean "description"?',
      '5:18 expected string, integer, number, boolean, url or path, got "strng", did you mean "string"?',
      '6:36 expected a whole number, got "many"',
      '7:19 "61 * * * *" is not a cron expression: expected a value between 0 and 59 for the minute, got 61',
      '7:33 unknown key "zone"; known keys: cron, timezone, jitter, overlap, catchUp, catchUpWindow, inputs, backfill, retry',
      "8:20 expected a number above 0, got 0",
      '10:5 there is no step "serch", did you mean "search"?',
      '11:5 unknown key "concurency" beside "serch", did you mean "concurrency"?',
      "12:21 expected a whole number from 0 to 20, got 99",
      "14:22 ${{ inputs.nope }} has no value: there are since, limit",
      "14:51 expected a whole number from 1 to 100, got 500",
      '14:87 secret "NONE" is not set: set the environment variable NONE',
      '16:5 "timeout" has no effect on search: remove it',
      '16:14 "soon" is not a duration: write 500ms, 30s, 15m, 2h or 1d',
      "17:12 a plain value ends at ` #`, the rest is a comment: put the expression in quotes",
      '19:10 there is no input "limt", did you mean "limit"? (character 1 of: $inputs.limt)',
      "20:10 unknown name $hots, did you mean $not? (character 1 of: $hots(url))",
      "21:10 an expression cannot contain ${{ … }}: its text would run as code. Write $inputs.limit",
      "22:10 an expression has no {{ … }}: write url",
      '23:19 there is no step "fuond" before this one, did you mean "found"?',
      '24:15 unknown key "kee", did you mean "key"?',
      '24:33 expected "run" or "runs", got "weeks"',
      "25:5 is two steps at once (where and limit): write each as its own list item",
      "25:12 expected an expression over the row (JSONata), got true",
      "26:12 expected a whole number of rows, 1 or more, got 0",
      "27:21 {hots} is not known in a path: there are {runId}, {date}, {seq}, and the names in partitionBy",
      '27:47 expected "replace", "append" or "perRun", got "rplace", did you mean "replace"?',
      "27:61 each part needs a name of its own: write {seq} in the path, like part-{seq}.jsonl",
      "27:61 set the limit of a part: rows, size or both",
      '28:11 expected true or false, usually a ${{ … }}, got "maybe"',
      '30:19 "write-2" (line 29) can write the same file, with its path out/a.csv: choose another name or folder',
      '30:46 expected "string", "integer", "number", "boolean", "date" or "json", got "strng", did you mean "string"?',
      "31:34 takes one of jsonl and csv, not both"
    ])
  })

  scoped("reports an unknown key of a sink once, by the format that is written", function* () {
    const jsonl = "; known keys: jsonl, mode, partitionBy, roll, gzip, manifest, order, health"
    const head = "version: 1\nname: a\nsteps:\n  - urls: [https://example.com/]\n  - write: "
    for (const [write, ...issues] of [
      [
        "{ jsonl: a.jsonl, columns: { a: date }, bom: true }",
        `unknown key "columns"${jsonl}`,
        `unknown key "bom"${jsonl}`
      ],
      ["{ csv: a.csv, colums: { a: strng } }", 'unknown key "colums", did you mean "columns"?'],
      ['{ csv: a.csv, colums: "${{ inputs.nope }}" }', 'unknown key "colums", did you mean "columns"?'],
      ["{ csv: 4, roll: { rows: 1, foo: 2 } }", "expected a string, got 4", 'unknown key "foo"; known keys: rows, size']
    ]) {
      expect((yield* issuesIn(head + write)).map((issue) => issue.replace(/^\S+ /, ""))).toEqual(issues)
    }
  })
})

const noCode = `version: 1
name: code
steps:
  - id: session
    browser: { run: ./login.ts }
  - urls: [http://127.0.0.1:9/x]
  - scrape: { session: "\${{ steps.session.output }}" }
  - write: { jsonl: a.jsonl }
`

describe("code that is not allowed", () => {
  it.scopedLive(
    "is reported at the step that names it, and not at the step that needs its value",
    Layer.provideMerge(
      Layer.provide(Client.layer, Connection.layer({ baseUrl: "http://127.0.0.1:9" })),
      NodeContext.layer
    ),
    function* () {
      const folder = yield* tempDir
      const checked = yield* Effect.flatMap(parseText("p.yaml", folder, noCode), (source) =>
        check(source, { ...scope, inputs: {}, complete: true })
      )
      const made = yield* Run.make(checked, { ...scope, out: folder, dataDir: `${folder}/data` })
      const { message } = yield* Effect.flip(Effect.provide(made.execute, Sqlite.layer(`${folder}/data`)))
      expect(message).toContain("p.yaml:4:5  session: browser runs code of the project (./login.ts)")
    }
  )
})

const secret = `version: 1
name: s
steps:
  - urls: [https://example.com/]
  - scrape: { headers: { authorization: "Bearer \${{ secrets.NOT_SET }}" } }
  - write: { jsonl: a.jsonl }
`

const right = secret.replace(/ \{ headers.*/, " {}")

describe("sluice check", () => {
  it.scoped(
    "warns of secrets that are not set here; with --complete they are errors, as for a run",
    platform,
    function* () {
      const path = yield* folderOf({ "s.yaml": secret, "t.yaml": `${secret}  - where: n <\n` })
      const what = 'secret "NOT_SET" is not set: set the environment variable NOT_SET'
      expect(yield* sluice(["check", `${path}/s.yaml`])).toEqual({
        code: 0,
        out: `${path}/s.yaml:5:41  warning: steps[1].scrape.headers.authorization: ${what}\n1 pipeline is fine, with 1 warning\n`,
        err: ""
      })
      const complete = yield* sluice(["check", `${path}/s.yaml`, "--complete"])
      expect([complete.code, complete.err]).toEqual([78, "error: 1 mistake\n"])
      expect(complete.out).toContain(`authorization: ${what}`)
      const both = yield* sluice(["check", `${path}/t.yaml`])
      expect(
        both.out
          .trim()
          .split("\n")
          .map((line) => line.replace(/^\S+t\.yaml:/, "").split(" ", 1)[0])
      ).toEqual(["5:41", "7:12"])
      const json = JSON.parse((yield* sluice(["check", `${path}/s.yaml`, `${path}/t.yaml`, "--json"])).out)
      expect([json.files, json.mistakes.length, json.warnings.length]).toEqual([2, 1, 2])
      const set = yield* sluice(["check", `${path}/s.yaml`, "--complete"], { env: { NOT_SET: "x" } })
      expect(set.out).toBe("1 pipeline is fine\n")
    }
  )

  it.scoped(
    "ignores test and lock files among its arguments, and says so when there are no others",
    platform,
    function* () {
      const path = yield* folderOf({ "a.yaml": right, "a.test.yaml": "not: a pipeline", "a.lock.json": "{}" })
      const all = ["a.yaml", "a.test.yaml", "a.lock.json"].map((name) => `${path}/${name}`)
      expect(yield* sluice(["check", ...all])).toEqual({ code: 0, out: "1 pipeline is fine\n", err: "" })
      expect(yield* sluice(["check", `${path}/a.test.yaml`])).toEqual({
        code: 2,
        out: "",
        err: `error: ${path}/a.test.yaml is a test file, not a definition: run it with sluice test ${path}/a.test.yaml\n`
      })
    }
  )
})
