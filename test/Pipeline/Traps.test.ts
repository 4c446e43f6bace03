import * as Path from "@effect/platform/Path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { cpuMillis } from "../CpuTime.ts"
import { skipsLong } from "../Long.ts"

const head = "version: 1\nname: t\nsteps:\n  - urls: [https://example.com/]\n"

const checkText = (text: string) =>
  parseText("p.yaml", "/tmp", text).pipe(
    Effect.flatMap((source) => check(source, { inputs: {}, env: {}, secrets: () => undefined, complete: false })),
    Effect.provide(Path.layer),
    Effect.either,
    Effect.runSync
  )

/** All issues as `line:column message`; empty when there is none. */
const said = (text: string): ReadonlyArray<string> =>
  Either.match(checkText(text), {
    onLeft: ({ issues }) => issues.map(({ column, line, message }) => `${line}:${column} ${message}`),
    onRight: () => []
  })

const braces = 'an unquoted {{ … }} is a YAML object: write "${{ … }}" in quotes'
const question = "an unquoted `a ? b : c` is read as an object: put the expression in quotes"
const cut = "a plain value ends at ` #`, the rest is a comment: put the expression in quotes"
const split = "{ … } and [ … ] split at every comma, also inside $f(a, b): put the expression in quotes"
const range = "a range like [1..3] is an expression, not a YAML list: put it in quotes"
const mark = "a plain value cannot begin with %, @ or `: put it in quotes"
const tag = "a plain value that begins with ! is a YAML tag: put it in quotes"
const block = "a plain value that begins with > or | begins a block of lines: put it in quotes"
const tab = "YAML does not allow a tab here: indent with spaces"
const inBraces = "put ${{ … }} in quotes within { … } and [ … ]: YAML reads its braces as an object"
const merge = "merge keys (<<) are not supported: write the keys out, or use an alias for a whole value"
const deep = "is nested too deeply to be read: use fewer levels"
const rows = "expected a whole number of rows, 1 or more, got"

describe("YAML pitfalls", () => {
  it.each<readonly [step: string, issue: string]>([
    ["where: {{ url }}", "5:12 an expression has no {{ … }}: write url"],
    ["select: { x: {{ url }} }", "5:18 an expression has no {{ … }}: write url"],
    ['where: "{{ title }}"', "5:12 an expression has no {{ … }}: write title"],
    ['where: "{{ title }} = {{inputs.a}}"', "5:12 an expression has no {{ … }}: write title = $inputs.a"],
    ['select: { x: "Hello {{ title }}" }', '5:18 an expression has no {{ … }}: write "Hello " & title'],
    [
      "select: { x: '$contains(markdown, \"{{x}}\") and andd y' }",
      '5:18 Syntax error: "y" (character 39 of: $contains(markdown, "{{x}}") and andd y)'
    ],
    ['sort: { by: "{{ n }}" }', "5:17 an expression has no {{ … }}: write n"],
    ['sort: { by: [{ expr: "{{ n }}" }] }', "5:26 an expression has no {{ … }}: write n"],
    ['check: [{ rule: "{{ n }} > 1" }]', "5:21 an expression has no {{ … }}: write n > 1"],
    ['scrape: { url: "{{ link }}" }', "5:20 {{ … }} is not filled in: write { expr: link } for a value of each row"],
    ['scrape: { url: "{{ inputs.a }}" }', "5:20 write ${{ … }} with a dollar sign"],
    ["each: true\n    search: { query: {{ inputs.q }} }", `6:22 ${braces}`],
    ['where: "${{ title }}"', "5:12 an expression cannot contain ${{ … }}: its text would run as code. Write title"],
    [
      'write: { jsonl: "${{ host }}.jsonl" }',
      '5:21 "host" is a field of a row, and ${{ }} is filled in before the run: this place takes no value of a row'
    ],
    ["where: a ? b : c", `5:12 ${question}`],
    ["select: { x: a ? b : c }", `5:18 ${question}`],
    ["where: $contains(title, #x)", `5:12 ${cut}`],
    ['where: title = "a #1"', `5:12 ${cut}`],
    ["select: { x: $f(a, b) }", `5:24 ${split}`],
    ["dedupe: { key: $join([a, b]) }", `5:26 ${split}`],
    ["select: { x: ${{ run.id }} }", `5:19 ${inBraces}`],
    ["where: [1..3]", `5:12 ${range}`],
    ["select: { x: [1..3] }", `5:18 ${range}`],
    ["where: %x", `5:12 ${mark}`],
    ["where: @x", `5:12 ${mark}`],
    ["where: `a b` = 1", `5:12 ${mark}`],
    ["where: *x", "5:12 *x is a YAML alias, and there is no &x before it: put it in quotes"],
    ["where: !x", `5:12 ${tag}`],
    ["where: !Foo url", `5:12 ${tag}`],
    ["where: &x", "5:14 a plain value that begins with & is a YAML anchor: put it in quotes"],
    ["where: > 5", `5:14 ${block}`],
    ["where: | x", `5:14 ${block}`],
    ["\twhere: url", `5:4 ${tab}`],
    ["select:\n\t  a: b", `6:1 ${tab}`],
    ["select:\n      a: url\n      a: title", '7:7 "a" is here a second time: keep one of them'],
    ["where: url\n    where: title", '6:5 "where" is here a second time: keep one of them'],
    ["scrape: { mobile: NO }", '5:23 expected true or false, got "NO", which YAML reads as a string'],
    ["scrape: { mobile: yes }", '5:23 expected true or false, got "yes", which YAML reads as a string'],
    ["scrape: { mobile: on }", '5:23 expected true or false, got "on", which YAML reads as a string'],
    ["limit: 1_000", `5:12 ${rows} "1_000"`],
    ["limit: 1:30", `5:12 ${rows} "1:30"`],
    ["limit: 2001-01-01", `5:12 ${rows} "2001-01-01"`],
    ["limit:", `5:11 ${rows} null`],
    ["where: url\n    <<: { id: x }", `6:5 ${merge}`],
    ["scrape: { <<: { mobile: true } }", `5:15 ${merge}`]
  ])("is reported at its place: %s", (step, issue) => {
    expect(said(`${head}  - ${step}\n`)).toEqual([issue])
  })

  it.each([
    ["a comment behind a whole expression", "where: metadata.statusCode = 200 # only good ones"],
    ["an alias for a whole value", "scrape: &o { formats: [links] }\n  - scrape: *o"],
    [
      "numbers as YAML 1.2 has them: 010 is ten, 0o10 is eight, 0x10 is sixteen",
      "limit: 010\n  - limit: 0o10\n  - limit: 0x10"
    ],
    ["true and false in any case", "scrape: { mobile: True, blockAds: FALSE }"],
    ["yes, dates and times as texts where texts belong", "scrape: { headers: { a: yes, b: 2001-01-01, c: 12:30:45 } }"],
    ["Windows line ends", "where: url\r\n  - limit: 5\r"],
    ["a standard tag", "where: !!str url"],
    [
      "braces within a text",
      `scrape:
      headers: { a: "x-{{ inputs.a }}" }
      formats: [{ type: json, prompt: "Ignore placeholders such as {{ inputs.name }} in the text" }]
      actions: [{ type: executeJavascript, script: 'if (document.body.innerText.includes("{{ run.id }}")) stop()' }]`
    ]
  ])("leaves alone %s", (_, step) => {
    expect(said(`${head}  - ${step}\n`)).toEqual([])
  })

  it("reads numbers as YAML 1.2 does", () => {
    const { nodes } = Either.getOrThrow(checkText(`${head}  - limit: 010\n  - limit: 0o10\n  - limit: 0x10\n`))
    expect(nodes.slice(1).map(({ config }) => config)).toEqual([10, 8, 16])
  })

  it("reports one error per line, however many follow from it", () => {
    expect(said(`${head}  - select: { a: $f([b, c]), d: e }\n  - where: {{ x }} and {{ y }}\n`)).toHaveLength(2)
  })
})

describe("a number in YAML", () => {
  it("is refused where it would be rounded, and so is a key that is the same as a string", () => {
    const row = (value: string) => said(`${head}  - limit: ${value}\n`)
    expect(row("1234567890123456789")).toEqual([
      "5:12 1234567890123456789 would be rounded to 1234567890123456800: put it in quotes"
    ])
    expect(row("9".repeat(400))).toEqual([`5:12 ${"9".repeat(39)}… would be rounded to Infinity: put it in quotes`])
    for (const value of ["10000000000000000", "45766813059773370"]) expect(row(value).join()).not.toContain("rounded")
    expect(said(`${head}  - select: { 1: url, "1": url }\n`)).toEqual([
      '5:23 "1" is here a second time: keep one of them'
    ])
  })
})

describe("an error in YAML", () => {
  it("is reported without those that follow from it in later lines", () => {
    expect(
      said(`${head}  - scrape: { headers: { a: ${"${{ secrets.A }}"} } }\n    retries: 3\n  - limit: 5\n`)
    ).toEqual([`5:30 ${inBraces}`])
  })
})

describe("a hostile text", () => {
  it.each<readonly [what: string, text: string, issue: string]>([
    ["that never closes its brackets", `a: ${"[".repeat(20_000)}`, deep],
    ["of very many levels", `a: ${"[".repeat(5000)}${"]".repeat(5000)}`, deep],
    [
      "of very many levels, as lines",
      Array.from({ length: 3000 }, (_, level) => `${" ".repeat(level)}a:\n`).join(""),
      deep
    ],
    [
      "whose aliases double and double",
      `a: &a [x]\n${Array.from({ length: 24 }, (_, index) => {
        const [name, before] = [String.fromCharCode(98 + index), String.fromCharCode(97 + index)]
        return `${name}: &${name} [${Array(9).fill(`*${before}`).join(", ")}]\n`
      }).join("")}`,
      "its aliases expand to more than 10,000 values: use fewer aliases"
    ],
    [
      "that holds itself",
      "version: 1\nname: t\nsteps: &s [*s]\n",
      "*s refers to a value that contains it: write the value out"
    ],
    ["of one long word", "x".repeat(1_000_000), "expected an object like { version: …, name: …, steps: … }, got"],
    ["of comments alone", "# comment\n".repeat(20_000), "the file is empty"],
    ["of bytes", "\u0000\u0001\u0002", "the file is not UTF-8 text"],
    ...[`a${"[a".repeat(1500)}${"]".repeat(1500)}`, Array(4900).fill("a").join("+")].map(
      (source) =>
        [
          `with an expression like ${source.slice(0, 5)}…`,
          `${head}  - where: ${JSON.stringify(source)}\n`,
          "nested too deeply"
        ] as const
    ),
    [
      "with an expression of a megabyte",
      `${head}  - where: |\n      ${"x = 1 or ".repeat(110_000)}y\n`,
      "the expression is too long, or nested too deeply"
    ]
  ])(
    "%s gets one line at a place inside it",
    (_, text, issue) => {
      const issues = said(text)
      expect(issues, issues.join("\n")).toHaveLength(1)
      expect(issues[0]).toContain(issue)
      expect(issues[0]?.length).toBeLessThanOrEqual(220)
    },
    180_000
  )

  it("of thousands of addresses is read like any other", () => {
    const list = Array.from({ length: 5000 }, (_, index) => `      - https://example.com/page-number-${index}`)
    expect(said(`version: 1\nname: t\nsteps:\n  - urls:\n${list.join("\n")}\n`)).toEqual([])
  }, 60_000)

  it.skipIf(skipsLong)(
    "of thousands of steps takes time linear in their number",
    () => {
      const time = (steps: number) => {
        const text = head + Array.from({ length: steps }, () => "  - limit: 5\n").join("")
        return cpuMillis(() => expect(said(text)).toEqual([]))
      }
      const best = (steps: number) => Math.min(time(steps), time(steps))
      time(100)
      // Ten times the steps: a hundred times the time would be quadratic.
      expect(best(2000) / Math.max(best(200), 5)).toBeLessThan(40)
    },
    60_000
  )
})
