import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { check } from "../../src/Pipeline/Check.ts"
import { builtIn as steps } from "../../src/Pipeline/Extensions.ts"
import type { DefinitionInvalid } from "../../src/Pipeline/Issue.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { describe, expect, it, scoped } from "../It.ts"

const options = {
  inputs: {},
  env: { HOME: "/home/ada" },
  secrets: (name: string) => (name === "TOKEN" ? Redacted.make("hush") : undefined),
  complete: false
}

const checkText = (text: string, given: Partial<typeof options> = {}) =>
  Effect.flatMap(parseText("p.yaml", "/tmp", text), (source) =>
    Effect.provide(check(source, { ...options, ...given }), Path.layer)
  )

const issuesIn = (text: string, given: Partial<typeof options> = {}) =>
  checkText(text, given).pipe(
    Effect.flip,
    Effect.map((error: DefinitionInvalid) =>
      error.issues.map(({ column, line, message }) => `${line}:${column} ${message}`)
    )
  )

const frame = (body: string) => `version: 1\nname: t\n${body}`

describe("check", () => {
  scoped("names the nearest word for a value that is none of a field's words", function* () {
    const steps = (text: string) => frame(`steps:\n  - read: a.jsonl\n${text}`)
    const near = (text: string, given = {}) => Effect.map(issuesIn(text, given), (issues) => issues.join("\n"))
    expect(yield* near(steps("  - dedupe: { across: runss }\n"))).toContain('did you mean "runs"?')
    expect(yield* near(steps("  - dedupe: { across: runs, emit: [chnged] }\n"))).toContain('did you mean "changed"?')
    expect(yield* near(steps("  - write: { jsonl: a.jsonl, mode: appendd }\n"))).toContain('did you mean "append"?')
    expect(yield* near(`${frame("health: { onBroken: wrn }\n")}steps: [{ read: a.jsonl }]\n`)).toContain(
      'did you mean "warn"?'
    )
    const text = frame("inputs: { size: { type: string, enum: [small, large] } }\nsteps: [{ read: a.jsonl }]\n")
    expect(yield* near(text, { inputs: { size: "smal" } })).toContain('did you mean "small"?')
  })

  scoped("accepts a pipeline, and links its steps", function* () {
    const { nodes } = yield* checkText(
      frame(`steps:
  - id: found
    search: { query: effect }
  - where: url
  - write: { jsonl: a.jsonl }
  - from: found
    select: { url: url }
  - id: again
    after: found
    urls: [https://example.com/]
  - id: each
    each: true
    search: { query: { expr: url } }
`)
    )
    expect(nodes.map(({ id, inputs, after }) => [id, inputs, after])).toEqual([
      ["found", [], []],
      ["where", ["found"], []],
      ["write", ["where"], []],
      ["select", ["found"], []],
      ["again", [], ["found"]],
      ["each", ["again"], []]
    ])
  })

  scoped("reports every error of a definition with its place and the nearest valid word", function* () {
    const issues = yield* issuesIn(
      `version: 2
name: two words
descripton: typo
inputs:
  since: { type: strng }
steps:
  - serch: { query: effect }
  - where: metadata.statusCode = = 200
  - select: { url: $hots(url) }
  - search: { query: effect, limt: 5, timeout: 500000 }
    each: true
  - limit: many
    concurrency: 0
  - from: nowhere
    dedupe: {}
  - write: { jsonl: a.jsonl }
    retry: { time: 3 }
`
    )
    const text = issues.join("\n")
    expect(issues.length).toBeGreaterThanOrEqual(10)
    expect(text).toMatch(/^1:10 expected 1, got 2/m)
    expect(text).toMatch(/^2:7 expected a name/m)
    expect(text).toContain('unknown key "descripton", did you mean "description"?')
    expect(text).toContain('there is no step "serch", did you mean "search"?')
    expect(text).toContain('unknown key "limt", did you mean "limit"?')
    expect(text).toContain("expected a whole number of milliseconds from 1 to 300000, got 500000")
    expect(text).toContain('expected a whole number of rows, 1 or more, got "many"')
    expect(text).toContain('there is no step "nowhere"')
    expect(text).toContain('unknown key "time", did you mean "times"?')
    for (const issue of issues) expect(issue).not.toContain("\n")
  })

  scoped("refuses a source that ignores its input, and a step without rows", function* () {
    expect(yield* issuesIn(frame("steps:\n  - urls: [https://example.com/]\n  - search: { query: x }\n"))).toEqual([
      "5:13 search ignores its input: write `each: true` to run it for every row, or `after: urls` to start a branch"
    ])
    expect(yield* issuesIn(frame("steps:\n  - where: a\n"))).toEqual([
      "4:12 where needs rows: begin with a step that gives rows, like search, files, urls or crawl"
    ])
  })

  scoped("refuses waits that never end, and keys without effect", function* () {
    const issues = yield* issuesIn(
      frame(`steps:
  - id: a
    urls: [https://example.com/]
    timeout: 5s
  - after: a
    select: { url: url }
  - where: url
    concurrency: 3
  - id: plan
    crawlPreview: { url: https://example.com/, prompt: "${"${{ steps.plan.output }}"}" }
`)
    )
    const text = issues.join("\n")
    expect(text).toContain('"timeout" has no effect on urls: remove it')
    expect(text).toContain("only a step that starts a branch with rows of its own can wait for others")
    expect(text).toContain('"concurrency" has no effect on where: remove it')
    expect(text).toContain("${{ steps.plan.output }} has no value")
  })

  scoped("distinguishes a field of a row from a value that is known before the run", function* () {
    expect((yield* issuesIn(frame('steps:\n  - search: { query: "${{ url }}" }\n'))).join("\n")).toContain(
      "write { expr: url }"
    )
    expect(
      (yield* issuesIn(
        frame('inputs: { query: { type: string } }\nsteps:\n  - search: { query: "${{ inputs.qery }}" }\n')
      )).join("\n")
    ).toContain('${{ inputs.qery }} has no value, did you mean "query"?')
    expect((yield* issuesIn(frame('steps:\n  - search: { query: "${{ input.query }}" }\n'))).join("\n")).toContain(
      'did you mean "inputs"?'
    )
  })

  it.effect("keeps the type of a whole ${{ }}, and coerces inputs that are strings", () =>
    checkText(
      frame(
        'inputs: { n: { type: integer, minimum: 1, maximum: 100 } }\nsteps:\n  - search: { query: "about ${{ inputs.n }}", limit: "${{ inputs.n }}" }\n'
      ),
      { inputs: { n: "5" }, complete: true }
    )
  )

  scoped("says in one line which priorities there are", function* () {
    const rest = "steps:\n  - urls: [https://example.com/]\n"
    expect(yield* issuesIn(frame(`priority: urgent\n${rest}`))).toEqual([
      '3:11 expected high, normal or low, got "urgent"'
    ])
    expect((yield* checkText(frame(`priority: low\n${rest}`))).frame.priority).toBe("low")
  })

  scoped("checks the values of inputs", function* () {
    const text = frame(
      "inputs:\n  n: { type: integer, maximum: 100 }\n  u: { type: url, default: nowhere }\n  e: { type: string, enum: [a, b], default: a }\nsteps:\n  - urls: [https://example.com/]\n"
    )
    expect((yield* issuesIn(text, { inputs: { n: "500", e: "c", m: "1" }, complete: true })).join("\n")).toBe(
      [
        'undefined:undefined --input m: there is no input "m", did you mean "n"?',
        "undefined:undefined --input n: expected at most 100, got 500",
        'undefined:undefined --input e: expected one of a, b, got "c"',
        '5:28 expected an absolute http:// or https:// address, got "nowhere"'
      ].join("\n")
    )
    const given = yield* checkText(
      frame("inputs: { f: { type: path }, d: { type: path, default: ./d } }\nsteps:\n  - files: { glob: x }\n"),
      { inputs: { f: "x" }, complete: true }
    )
    expect(given.inputs).toEqual({ f: `${process.cwd()}/x`, d: "./d" })
    expect((yield* issuesIn(text, { inputs: { u: "https://example.com" }, complete: true })).join("\n")).toContain(
      "has no default: give it as --input n=… (in a program: inputs: { n: … })"
    )
  })

  scoped("says that a file is empty", function* () {
    for (const text of ["", "# nothing\n"]) {
      expect((yield* issuesIn(text)).join()).toContain("the file is empty: `sluice init` creates a first pipeline")
    }
  })

  scoped("knows the address of a site only when there is one", function* () {
    const steps = 'steps:\n  - urls: ["${{ run.site }}/a"]\n'
    yield* checkText(frame(`site: pages\n${steps}`))
    expect((yield* issuesIn(frame(steps))).join()).toContain("${{ run.site }} needs the key `site:` beside `steps:`")
  })

  scoped("reports an unknown format with the nearest one, or says where all are listed", function* () {
    const rows = "inputs: { f: { type: string, default: newest } }\nsteps:\n  - urls: [https://example.com/]\n"
    const said = (steps: string) => Effect.map(issuesIn(frame(`${rows}${steps}\n`)), (all) => all.join("\n"))
    expect(yield* said("  - scrape: { formats: [links, markdwon] }")).toMatch(
      /^6:32 unknown format "markdwon", did you mean "markdown"\?$/
    )
    expect(yield* said("  - batchScrape: { formats: [{ type: sceenshot, fullPage: true }] }")).toMatch(
      /^6:38 .*"sceenshot", did you mean "screenshot"/
    )
    expect(yield* said("  - scrape: { formats: [table, breadcrumb] }")).toMatch(
      /"table", did you mean "tables".*\n.*"breadcrumb", did you mean "breadcrumbs"/
    )
    expect(yield* said("  - scrape: { formats: [fields] }")).toContain("fields: needs fields, or rows: { table: true }")
    const fields = "{ type: fields, fields: { a: { css: 'b[' } } }"
    expect(yield* said(`  - scrape: { formats: [structured, ${fields}] }`)).toContain(
      'fields: "b[" is not a CSS selector'
    )
    expect(yield* said("  - parse: { url: https://example.com/a.pdf, formats: [Markdown] }")).toContain("did you mean")
    for (const step of ["crawl: { url: https://example.com/", "search: { query: x"]) {
      const [one, ...more] = (yield* said(
        `  - { each: true, ${step}, scrapeOptions: { formats: [hologram, summary] } } }`
      )).split("\n")
      expect(one).toMatch(
        /unknown format "hologram": expected markdown, .*`sluice explain scrape` lists; .*pass its name as an input$/
      )
      expect(more).toEqual([])
    }
    // Both spellings, what is rare, and what is only known as an input.
    const known = '["screenshot@fullPage", extract, { type: changeTracking, tag: t }, audio, "${{ inputs.f }}"]'
    yield* checkText(frame(`${rows}  - scrape: { formats: ${known} }\n`))
  })

  scoped(
    "refuses what the request would be refused for: formats that files cannot have, both lists of domains",
    function* () {
      const said = (steps: string) => Effect.map(issuesIn(frame(`steps:\n${steps}\n`)), (all) => all.join("\n"))
      const files = '  - files: "*.pdf"\n'
      expect(yield* said(`${files}  - parse: { formats: [markdown, "screenshot@fullPage"] }`)).toContain(
        'a file has no format "screenshot@fullPage"'
      )
      expect(yield* said(`${files}  - parse: { formats: [{ type: changeTracking }] }`)).toContain("changeTracking")
      yield* checkText(
        frame(
          "steps:\n  - urls: [https://a.test/a.pdf]\n  - parse: { url: https://a.test/b.pdf, formats: [screenshot] }\n"
        )
      )
      const search = (fields: string) => said(`  - search: { query: x, ${fields} }`)
      expect(yield* search("includeDomains: [a.test], excludeDomains: [b.test]")).toContain(
        "includeDomains and excludeDomains cannot both be specified"
      )
      yield* checkText(
        frame("steps:\n  - search: { query: x, includeDomains: [a.test], sources: [web, { type: news, limit: 3 }] }\n")
      )
    }
  )

  scoped("generates unique step ids", function* () {
    const text =
      "steps:\n  - urls: [https://example.com/]\n  - id: where-2\n    where: url\n  - where: url\n  - where: url\n"
    const { nodes } = yield* checkText(frame(text))
    expect(nodes.map(({ id }) => id)).toEqual(["urls", "where-2", "where-3", "where-4"])
  })

  scoped("describes expectations in words of the language, never in those of schemas", function* () {
    const rows = "steps:\n  - urls: [https://example.com/]\n"
    const said = (step: string) => Effect.map(issuesIn(frame(`${rows}  - ${step}\n`)), (all) => all.join("\n"))
    expect(yield* said("write: out.csv")).toBe(
      '5:12 expected an object like { jsonl: … } or an object like { csv: … }, got "out.csv", did you mean { csv: "out.csv" }?'
    )
    expect(yield* said("write: { parquet: x }")).toBe(
      "5:12 expected an object like { jsonl: … } or an object like { csv: … }, got one with parquet; other formats: docs/delivery.md#wait-for-the-manifest, docs/how-to/write-a-sink.md"
    )
    expect(yield* said("write: { csv: out.csv, delimitr: x }")).toBe(
      '5:28 unknown key "delimitr", did you mean "delimiter"?'
    )
    expect(yield* said("each: true\n    search: { query: x, tbs: week }")).toMatch(
      /^6:30 "week" is not a time filter: use qdr:h\|d/
    )
    expect(yield* said("scrape:")).toBe("5:12 expected an object, got nothing: write {} if there are no options")
    expect(yield* said('write: { jsonl: "out/{{ date }}.jsonl" }')).toBe(
      '5:21 "out/{{ date }}.jsonl" has a brace that is not part of a {name}: write {date}'
    )
    expect(yield* said("select: [url, metadata.title]")).toBe(
      "5:13 expected an object of names, each with an expression over the row (JSONata), got an array: write { url: url, title: metadata.title }"
    )
    expect(yield* said("dedupe: url")).toBe('5:13 expected an object like { key: … }, got "url"')
  })

  scoped("warns of expressions that mean something else than in other languages", function* () {
    const { warnings } = yield* checkText(
      frame(`steps:
  - urls: [https://example.com/]
  - where: title.includes("x")
  - sort: { by: [{ expr: size + "x" }] }
`)
    )
    expect(warnings.map(({ line, message, path }) => `${line} ${path.join(".")} ${message}`)).toEqual([
      '5 steps.1.where includes(…) is not a function: function names begin with $. Write $contains(title, …) (character 7 of: title.includes("x"))',
      '6 steps.2.sort.by.0.expr + adds numbers: write & to join strings (character 6 of: size + "x")'
    ])
  })

  scoped("says on which level a misplaced key belongs", function* () {
    const issues = yield* issuesIn(`version: 1
name: p
steps:
  - urls: [https://a.example/]
  - scrape: { formats: [markdown], rate: 8/s, failOn: [404] }
  - scrape: {}
    formats: [markdown]
  - write: { jsonl: a.jsonl }
  - each: true
    crawl: { url: https://a.example/, loadMore: button.more }
`)
    expect(issues).toEqual([
      '5:36 unknown key "rate" within "scrape": it belongs beside "scrape", indented as far as it',
      '5:47 unknown key "failOn" within "scrape": it belongs beside "scrape", indented as far as it',
      '7:5 unknown key "formats" beside "scrape": it belongs within "scrape"',
      '10:39 "loadMore" belongs within "scrapeOptions"'
    ])
  })

  scoped(
    "finds unknown keys also where the service would ignore them, and beside values that are not known yet",
    function* () {
      const said = (body: string) =>
        Effect.map(issuesIn(frame(`inputs: { x: { type: string } }\nsteps:\n${body}`)), (all) => all.join("\n"))
      expect(
        yield* said(
          "  - crawl: { url: https://example.com/, scrapeOptions: { fromats: [links], location: { contry: DE } } }\n"
        )
      ).toBe('5:58 unknown key "fromats", did you mean "formats"?\n5:88 unknown key "contry", did you mean "country"?')
      expect(yield* said('  - crawlPreview: { url: "${{ inputs.x }}" }\n')).toBe('5:19 "prompt" is missing')
      expect(yield* said('  - crawlStatus: { di: "${{ inputs.x }}" }\n')).toContain(
        'unknown key "di", did you mean "id"?'
      )
      yield* checkText(frame("steps:\n  - crawl: { params: { url: https://example.com/, newer: true } }\n"))
    }
  )

  scoped("accepts a secret as the value of a request header, and shows it nowhere", function* () {
    const rows = "steps:\n  - urls: [https://example.com/]\n"
    const secret = '"${{ secrets.TOKEN }}"'
    yield* checkText(
      frame(`${rows}  - scrape: { headers: { a: ${secret} } }\n  - batchScrape: { headers: { a: ${secret} } }\n`)
    )
    yield* checkText(frame(`steps:\n  - search: { query: x, scrapeOptions: { headers: { a: ${secret} } } }\n`))
    yield* checkText(
      frame(`steps:\n  - crawl: { url: https://example.com/, scrapeOptions: { headers: { a: ${secret} } } }\n`)
    )
    for (const step of [
      `select: { headers: ${secret} }`,
      `select: { headers: { a: ${secret} } }`,
      `scrape: { headers: ${secret} }`,
      `scrape: { headers: { a: [${secret}] } }`,
      `scrape: { url: ${secret} }`
    ]) {
      const issues = (yield* issuesIn(frame(`${rows}  - ${step}\n`))).join("\n")
      expect(issues).toContain("a secret is only allowed in headers")
      expect(issues).not.toContain("hush")
    }
  })

  scoped("accepts secrets only in headers, and only as the whole value", function* () {
    yield* checkText(
      frame(
        'steps:\n  - urls: [https://example.com/]\n  - scrape: { headers: { authorization: "Bearer ${{ secrets.TOKEN }}" } }\n'
      )
    )
    expect((yield* issuesIn(frame('steps:\n  - search: { query: "${{ secrets.TOKEN }}" }\n'))).join("\n")).toContain(
      "a secret is only allowed in headers"
    )
    expect(
      (yield* issuesIn(
        frame('steps:\n  - urls: [https://example.com/]\n  - scrape: { headers: { a: "${{ secrets.NONE }}" } }\n')
      )).join("\n")
    ).toContain('secret "NONE" is not set')
  })

  scoped("knows the targets of notifications, and keeps their addresses secret", function* () {
    const notify = (text: string) => frame(`notify: ${text}\nsteps:\n  - urls: [https://example.com/]\n`)
    const hook = "http://127.0.0.1:9/hook"
    const { frame: checked } = yield* checkText(notify(`[{ on: [failed, budget], webhook: "${hook}", secret: hush }]`))
    const [target] = checked.notify ?? []
    expect(target?.on).toEqual(["failed", "budget"])
    expect(target?.webhook && Redacted.value(target.webhook)).toBe(hook)
    expect(JSON.stringify(checked.notify)).not.toMatch(/127\.0|hush/)
    const from = yield* checkText(notify('[{ on: [missed], webhook: "http://127.0.0.1:9/${{ secrets.TOKEN }}" }]'))
    expect(JSON.stringify(from.frame.notify)).not.toContain("127.0")
    const wrong = yield* issuesIn(notify('[{ on: [exploded], webhook: "ftp://127.0.0.1/", secrt: a }]'))
    expect(wrong.join("\n")).toContain('unknown key "secrt", did you mean "secret"?')
    expect(wrong.join("\n")).toContain('"exploded"')
    expect(wrong.join("\n")).toContain("expected an http(s) address")
    expect(yield* issuesIn(notify('[{ on: [failed], webhook: "${{ secrets.NONE }}" }]'))).toEqual([
      expect.stringContaining('secret "NONE" is not set')
    ])
    expect((yield* issuesIn(notify('[{ on: ["${{ secrets.TOKEN }}"], webhook: x }]'))).join("\n")).toContain(
      "and in the webhook of notify"
    )
  })

  scoped("knows one way of delivery for each target, and what changes and commands need", function* () {
    const notify = (text: string, dedupe = "") =>
      frame(`notify: ${text}\nsteps:\n  - urls: [https://example.com/]\n${dedupe}`)
    const keeps = "  - dedupe: { across: runs, history: 5 }\n"
    const cases: ReadonlyArray<readonly [target: string, said: string | undefined]> = [
      ["email: [a@example.com, b@example.com], digest: 1d", undefined],
      ['slack: "https://127.0.0.1/${{ secrets.TOKEN }}", quiet: { from: "22:00", to: "07:00" }', undefined],
      ["command: [notify-send, Changed]", undefined],
      ["digest: 1h", "a target has one of webhook, slack, email, command, got none"],
      ["email: a@example.com, command: [x]", "got email and command"],
      ['email: "Ann <a@example.com>"', "an e-mail address"],
      ["email: a@example.com, secret: hush", "only events for a webhook are signed"],
      ['email: a@example.com, quiet: { from: "22:00", to: "22:00" }', "must differ from"],
      ['email: a@example.com, quiet: { from: "24:00", to: "7:00" }', "a time of day"]
    ]
    for (const [target, said] of cases) {
      const text = notify(`[{ on: [changed], ${target} }]`, keeps)
      if (said === undefined) yield* checkText(text)
      else expect((yield* issuesIn(text)).join("\n")).toContain(said)
    }
    expect((yield* issuesIn(notify("[{ on: [failed, changed], email: a@example.com }]"))).join()).toContain(
      "no step keeps changes: add history to a dedupe step"
    )
    const refused = yield* Effect.flip(
      Effect.flatMap(parseText("p.yaml", "/tmp", notify("[{ on: [failed], command: [notify-send] }]")), (source) =>
        Effect.provide(check(source, { ...options, scheduled: true, allowCode: false }), Path.layer)
      )
    )
    expect(JSON.stringify(refused)).toContain("runs a program (notify-send): read it, and allow it with --allow-code")
  })

  scoped("explains YAML pitfalls", function* () {
    const traps: ReadonlyArray<readonly [string, string]> = [
      ["steps:\n  - where: a ? b : c\n", "put the expression in quotes"],
      ["steps:\n  - search: { query: {{ inputs.q }} }\n", "in quotes"],
      ["steps:\n  - where: *x\n", "alias"],
      ["steps:\n  - where: %x\n", "cannot begin with"],
      ["steps:\n  - urls: [https://example.com/]\n  - dedupe: { key: $f(a, b) }\n", "split at every comma"],
      ["steps:\n  - urls: [https://example.com/]\n  - where: [1..3]\n", "range"]
    ]
    for (const [text, hint] of traps) expect((yield* issuesIn(frame(text))).join("\n"), text).toContain(hint)
  })

  it.effect("accepts the example of every step", () =>
    Effect.forEach(steps, (step) => {
      const example = step.example
        .split("\n")
        .map((line, index) => (index === 0 ? `  - ${line}` : `    ${line}`))
        .join("\n")
      const begin = ["source", "value"].includes(step.behaviour.kind) ? "" : "  - urls: [https://example.com/]\n"
      const pages = step.readsFormat === undefined ? "" : "  - scrape: {}\n"
      return checkText(frame(`steps:\n${begin}${pages}${example}\n`))
    })
  )
}, 20_000)
