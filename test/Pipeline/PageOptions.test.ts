/** Mistakes in actions, selectors and patterns of a definition. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import { check } from "../../src/Pipeline/Check.ts"
import type { PlacedIssue } from "../../src/Pipeline/Issue.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { describe, expect, it, scoped } from "../It.ts"

const head = `version: 1
name: t
inputs: { s: { type: string, default: a }, n: { type: integer, default: 3 } }
steps:
`

const linesOf = (kind: string, issues: ReadonlyArray<PlacedIssue>) =>
  issues.map(({ message, path }) => `${kind} ${path.slice(3).join(".")}: ${message}`)

const saidOf = (steps: string) =>
  Effect.flatMap(parseText("p.yaml", "/tmp", head + steps), (source) =>
    check(source, { env: {}, secrets: () => undefined, inputs: {}, complete: true })
  ).pipe(
    Effect.match({
      onFailure: ({ issues, warnings = [] }) => [...linesOf("error", issues), ...linesOf("warning", warnings)],
      onSuccess: ({ warnings }) => linesOf("warning", warnings)
    }),
    Effect.provide(NodeContext.layer)
  )

const scrape = (options: string) => `  - urls: ["https://x.example/"]\n  - scrape: { ${options} }\n`
const crawl = (options: string) => `  - crawl: { url: "https://x.example/", ${options} }\n`

const escaped = (selector: string) => `escape them: ${selector} (in YAML, use single quotes or none)`
const signs = (selector: string, instead: string) =>
  `CSS reads : / . [ ] in "${selector}" as syntax. If they are part of the class name, ${escaped(instead)}`
const ofClass = (instead: string) => `if : / . [ ] are part of a class name, ${escaped(instead)}`

const action = (written: string) => saidOf(scrape(`actions: [${written}]`))

describe("actions", () => {
  it.effect.each<readonly [written: string, ...said: ReadonlyArray<string>]>([
    [
      "{ type: wait, miliseconds: 3 }",
      'error actions.0.miliseconds: unknown key "miliseconds", did you mean "milliseconds"?'
    ],
    ["{ type: press }", 'error actions.0: "key" is missing'],
    ["{ type: wait }", "error actions.0: expected either milliseconds or selector"],
    ["{ type: scroll, direction: sideways }", 'error actions.0.direction: expected "up" or "down", got "sideways"'],
    [
      "{ type: wait, milliseconds: soon }",
      'error actions.0.milliseconds: expected a whole number from 0 to 300000, got "soon"'
    ],
    ["{ type: click, selector: a, all: 1 }", "error actions.0.all: expected true or false, got 1"],
    ["{ type: screenshot, viewport: { width: 800 } }", 'error actions.0.viewport: "height" is missing'],
    [
      '{ type: click, selector: "a[" }',
      'error actions.0.selector: "a[" is not a CSS selector: a name is missing at its end'
    ],
    ['{ type: wait, selector: "a >" }', 'error actions.0.selector: "a >" is not a CSS selector: nothing follows ">"'],
    [
      '{ type: click, selector: "li:nth-child(x)" }',
      'error actions.0.selector: "li:nth-child(x)" is not a CSS selector: :nth-child(x) needs a formula like 2n+1'
    ],
    [
      '{ type: click, selector: "a[", foo: 1 }',
      'error actions.0.selector: "a[" is not a CSS selector: a name is missing at its end',
      'warning actions.0.foo: unknown key "foo"; known keys: type, selector, all (the local engine refuses it)'
    ],
    ["{ type: press, key: Entre }", 'error actions.0.key: there is no key "Entre", did you mean "Enter"?'],
    ["{ type: press, key: Ctrl+a }", 'error actions.0.key: there is no key "Ctrl", did you mean "Control"?'],
    [
      "{ type: wait, milliseconds: -1 }",
      "error actions.0.milliseconds: expected a whole number from 0 to 300000, got -1"
    ],
    [
      "{ type: wait, milliseconds: 1.5 }",
      "error actions.0.milliseconds: expected a whole number from 0 to 300000, got 1.5"
    ],
    ["{ type: clik, selector: a }", 'error actions.0.type: there is no action "clik", did you mean "click"?'],
    ['{ type: click, selector: "" }', 'error actions.0.selector: expected a string from 1 to 1000 characters, got ""']
  ])("refuses %s", ([written, ...said]) => Effect.map(action(written), (found) => expect(found).toEqual(said)))

  it.effect.each<readonly [written: string, ...said: ReadonlyArray<string>]>([
    [
      "{ type: dance }",
      'warning actions.0.type: "dance" is none of wait, click, write, press, scroll, screenshot, scrape, executeJavascript, pdf (the local engine refuses it)'
    ],
    [
      "{ type: wait, selector: a, timeout: 5 }",
      'warning actions.0.timeout: unknown key "timeout"; known keys: type, milliseconds, selector (the local engine refuses it)'
    ],
    [
      `{ type: press, key: ${"k".repeat(51)} }`,
      `warning actions.0.key: expected a string from 1 to 50 characters, got "${"k".repeat(51)}" (the local engine refuses it)`
    ],
    [
      "{ type: press, key: enter }",
      'warning actions.0.key: there is no key "enter", did you mean "Enter"? (the local engine refuses it)'
    ],
    [
      "{ type: press, key: F13 }",
      'warning actions.0.key: there is no key "F13": write a name like Enter, ArrowDown or Control+a (the local engine refuses it)'
    ],
    [
      "{ type: press, key: é }",
      'warning actions.0.key: there is no key "é": write a name like Enter, ArrowDown or Control+a (the local engine refuses it)'
    ],
    [
      "{ type: wait, milliseconds: 400000 }",
      "warning actions.0.milliseconds: expected a whole number from 0 to 300000, got 400000 (the local engine refuses it)"
    ],
    [
      "{ type: scroll, amount: 5 }",
      'warning actions.0.amount: unknown key "amount"; known keys: type, direction, selector (the local engine refuses it)'
    ],
    [
      "{ type: press, key: Enter, selector: 'a[' }",
      'warning actions.0.selector: unknown key "selector"; known keys: type, key (the local engine refuses it)'
    ],
    [
      "{ type: screenshot, viewport: { width: 800, height: 600, scale: 2 } }",
      'warning actions.0.viewport.scale: unknown key "scale"; known keys: width, height (the local engine refuses it)'
    ],
    [
      '{ type: click, selector: "//button" }, { type: click, selector: "xpath=//button" }',
      'warning actions.0.selector: "//button" is a selector of Playwright, not CSS (the local engine refuses it)',
      'warning actions.1.selector: "xpath=//button" is a selector of Playwright, not CSS (the local engine refuses it)'
    ],
    [
      '{ type: click, selector: ".md:flex button:visible" }',
      `warning actions.0.selector: ${signs(".md:flex button:visible", ".md\\:flex button:visible")}`
    ],
    [
      "{ type: click, selector: text='Log in' }, { type: click, selector: '(//a)[1]' }",
      `warning actions.0.selector: "text='Log in'" is a selector of Playwright, not CSS (the local engine refuses it)`,
      'warning actions.1.selector: "(//a)[1]" is a selector of Playwright, not CSS (the local engine refuses it)'
    ]
  ])("warns of what another service may have: %s", ([written, ...said]) =>
    Effect.map(action(written), (found) => expect(found).toEqual(said))
  )

  it.effect.each([
    '{ type: "${{ inputs.s }}", foo: 1 }',
    '{ type: click, selector: "${{ inputs.s }}[" }',
    '{ type: wait, milliseconds: "${{ inputs.n }}" }',
    "{ type: click, selector: 'button:has-text(\"a) b\"):visible', all: true }",
    '{ type: click, selector: "article >> text=More" }',
    ...[".a:first", ".a:even", ".a:last", ".a:-webkit-autofill", ".a:has-slotted", "p:contains(example.com/a)"].map(
      (selector) => `{ type: click, selector: "${selector}" }`
    ),
    `{ type: click, selector: '.a:has-text("b.c/d (e) f.g/h"):visible' }, { type: click, selector: '.a:text(b.c/d)' }`,
    '{ type: press, key: Enter }, { type: press, key: Control+Shift+a }, { type: press, key: "+" }, { type: press, key: "Control++" }',
    '{ type: press, key: "${{ inputs.s }}" }',
    '{ type: click, selector: ":nth-child(2 of .a) ~ b" }',
    String.raw`{ type: click, selector: 'a[title="a\"b"]' }`,
    String.raw`{ type: click, selector: '[aria-label="Say \"hi\""]' }`,
    String.raw`{ type: click, selector: '[data-a="\"]"]' }`,
    String.raw`{ type: click, selector: '.w-1\/2 #a\"b' }`,
    "{ type: screenshot, fullPage: true, quality: 80 }",
    "{ type: executeJavascript, script: document.title }, { type: scrape }, { type: pdf, format: A4 }"
  ])("accepts %s", (written) => Effect.map(action(written), (found) => expect(found).toEqual([])))

  scoped("are found in every step that has them", function* () {
    const wrong = "actions: [{ type: press }]"
    const within = `scrapeOptions: { ${wrong} }`
    for (const steps of [
      scrape(wrong),
      scrape(wrong).replace("scrape", "batchScrape"),
      crawl(within),
      `  - search: { query: x, ${within} }\n`
    ]) {
      expect(yield* saidOf(steps), steps).toEqual([expect.stringContaining('"key" is missing')])
    }
  })
})

describe("selectors of a page", () => {
  it.effect.each<readonly [options: string, ...said: ReadonlyArray<string>]>([
    ['includeTags: [main, "a["]', 'error includeTags.1: "a[" is not a CSS selector: a name is missing at its end'],
    [
      "includeTags: [\"//div[@id='x']\"]",
      "error includeTags.0: \"//div[@id='x']\" is an XPath: write a CSS selector, like div.price > span"
    ],
    [
      'excludeTags: ["a,"]',
      'error excludeTags.0: "a," is not a CSS selector: a part of its list is empty: remove a comma'
    ],
    [
      'formats: [{ type: attributes, selectors: [{ selector: "b[", attribute: href }] }]',
      'error formats.0.selectors.0.selector: "b[" is not a CSS selector: a name is missing at its end'
    ],
    [
      'excludeTags: ["h1 ~ p"]',
      'warning excludeTags.0: "h1 ~ p" uses ~, which is too slow for large pages: name a class, an id or an attribute (the local engine refuses it)'
    ],
    [
      'includeTags: ["a:visible"]',
      'warning includeTags.0: "a:visible" is not a CSS selector: Unknown pseudo-class :visible (the local engine refuses it)'
    ],
    [
      'includeTags: ["li:nth-child(2 of .a)"]',
      'warning includeTags.0: "li:nth-child(2 of .a)" is not a CSS selector: :nth-child(2 of .a) needs a formula like 2n+1 (the local engine refuses it)'
    ],
    [
      'includeTags: ["a >> b"]',
      'error includeTags.0: "a >> b" is not a CSS selector: two combinators follow each other'
    ],
    [
      'includeTags: [".w-1/2 a"]',
      `error includeTags.0: ".w-1/2 a" is not a CSS selector: "/2" is not allowed there; ${ofClass(".w-1\\/2 a")}`
    ],
    [
      'includeTags: [".md:flex:hover > a"]',
      `warning includeTags.0: ".md:flex:hover > a" is not a CSS selector: Unknown pseudo-class :flex; ${ofClass(".md\\:flex:hover > a")} (the local engine refuses it)`
    ],
    [
      'excludeTags: [".top-[3px]", ".w-1.5"]',
      `warning excludeTags.0: ${signs(".top-[3px]", ".top-\\[3px\\]")}`,
      `warning excludeTags.1: ${signs(".w-1.5", ".w-1\\.5")}`
    ],
    [`includeTags: ['a[onclick="x[0].y/z"]', 'a[href="x]b.c/d"]', '.btn-[disabled]', '.js-[data-x]']`],
    [String.raw`includeTags: ['.w-1\/2', '.md\:flex', 'a[href$=".b/c"].x:not(.y):first-child', '.a.b > .c-[x=1]']`],
    ['includeTags: ["${{ inputs.s }}[", ".a > b"]'],
    [String.raw`includeTags: ['a[title="a\"b"]']`]
  ])("are checked: %s", ([options, ...said]) =>
    Effect.map(saidOf(scrape(options)), (found) => expect(found).toEqual(said))
  )

  scoped("are checked in parse, crawl and search", function* () {
    const wrong = 'includeTags: ["a["]'
    for (const steps of [
      scrape(wrong).replace("scrape", "parse"),
      crawl(`scrapeOptions: { ${wrong} }`),
      crawl(`params: { scrapeOptions: { ${wrong} } }`),
      `  - search: { query: x, scrapeOptions: { ${wrong} } }\n`
    ]) {
      expect(yield* saidOf(steps), steps).toEqual([expect.stringContaining('"a[" is not a CSS selector')])
    }
  })
})

describe("patterns of a crawl", () => {
  it.effect.each<readonly [options: string, ...said: ReadonlyArray<string>]>([
    [
      'includePaths: ["^/p/("]',
      'error includePaths.0: "^/p/(" is not a regular expression: missing closing ): write \\ before a character that stands for itself'
    ],
    [
      `includePaths: ["(${"a|".repeat(300)}"]`,
      `error includePaths.0: "(${"a|".repeat(38)}…" is not a regular expression: missing closing ): write \\ before a character that stands for itself`
    ],
    [
      'excludePaths: ["^/a", "["]',
      'error excludePaths.1: "[" is not a regular expression: missing closing ]: write \\ before a character that stands for itself'
    ],
    [
      'excludePaths: ["[z-a]"]',
      'error excludePaths.0: "[z-a]" is not a regular expression: invalid character class range: `z-a`'
    ],
    [
      'includePaths: ["^/(?!blog)"]',
      'warning includePaths.0: "^/(?!blog)" is not a regular expression of RE2, which has no lookaheads and back-references: put what to leave out into excludePaths (the local engine refuses it)'
    ],
    [
      'excludePaths: ["^/(?!blog)"]',
      'warning excludePaths.0: "^/(?!blog)" is not a regular expression of RE2, which has no lookaheads and back-references (the local engine refuses it)'
    ],
    [
      String.raw`includePaths: ['(?<=a)b', '(a)\1', '(?<k>a)\k<k>']`,
      'warning includePaths.0: "(?<=a)b" is not a regular expression of RE2, which has no lookaheads and back-references (the local engine refuses it)',
      String.raw`warning includePaths.1: "(a)\1" is not a regular expression of RE2, which has no lookaheads and back-references (the local engine refuses it)`,
      String.raw`warning includePaths.2: "(?<k>a)\k<k>" is not a regular expression of RE2, which has no lookaheads and back-references (the local engine refuses it)`
    ],
    [
      String.raw`includePaths: ['\u00e9', 'a{1001}']`,
      'warning includePaths.0: "\\u00e9" is not a regular expression of RE2: invalid escape sequence: `\\u` (the local engine refuses it)',
      'warning includePaths.1: "a{1001}" is not a regular expression of RE2: invalid repeat count: `{1001}` (the local engine refuses it)'
    ],
    [
      'excludePaths: ["/docs/**/*.html", "/a/**/**/b"]',
      String.raw`error excludePaths.0: "/docs/**/*.html" is a glob, not a regular expression: write ^/docs/(.*/)?[^/]*\.html$`,
      'error excludePaths.1: "/a/**/**/b" is a glob, not a regular expression: write ^/a/(.*/)?b$'
    ],
    ['includePaths: ["blog/**"]', 'error includePaths.0: "blog/**" is a glob, not a regular expression: write ^/blog/'],
    ['includePaths: ["**"]', 'error includePaths.0: "**" is a glob, not a regular expression: write .*'],
    ['excludePaths: ["*.pdf"]', 'error excludePaths.0: "*.pdf" is a glob, not a regular expression: write \\.pdf$'],
    [
      'includePaths: ["/blog/*/comments"]',
      'warning includePaths.0: "/blog/*/comments" looks like a glob, and is read as a regular expression: write ^/blog/[^/]*/comments$'
    ],
    [
      'includePaths: ["https://x.example/p/"]',
      'warning includePaths.0: "https://x.example/p/" looks like a whole address, but only paths are compared: write it as a path, like ^/p/, or set regexOnFullURL: true'
    ],
    [
      'params: { excludePaths: ["["] }',
      'error params.excludePaths.0: "[" is not a regular expression: missing closing ]: write \\ before a character that stands for itself'
    ],
    [
      String.raw`excludePaths: ['\?page=', '/list?page=2', '[?]sort', 'a\?x|b\?y', '/a/b']`,
      ...[String.raw`\?page=`, "/list?page=2", "[?]sort", String.raw`a\?x|b\?y`].map(
        (pattern, index) =>
          `warning excludePaths.${index}: "${pattern}" looks for a query, and never matches, because only paths are compared: set regexOnFullURL: true, which compares whole addresses${index === 1 ? ", and write \\? for the question mark" : ""}`
      )
    ],
    [
      String.raw`includePaths: ['^/a(b(c))(?:\?x=.*)$', '[\?]id=']`,
      ...[String.raw`^/a(b(c))(?:\?x=.*)$`, String.raw`[\?]id=`].map(
        (pattern, index) =>
          `warning includePaths.${index}: "${pattern}" looks for a query, and never matches, because only paths are compared: set regexOnFullURL: true, which compares whole addresses`
      )
    ],
    [String.raw`excludePaths: ['^/a(\?.*)?$', '^/list(\?|$)', '^/a\??$', '[^?]+', 'a|\?b', '(?i)^/x=', '/colou?r/']`],
    [
      String.raw`includePaths: ['^/blog/[^\?#]+$', '^/blog/[^/\?]*$', '/dp/.*?ref=', '^/a/[^/]+?id=', '^/p/\d+(\?(a|b)=.*)?$']`
    ],
    [
      String.raw`includePaths: ['^/a(?:\?b=(c|d))?$', '^/p(\?.*){0,1}$', '/colou?r=red', '/page-?id=1', '^/a\\?b=c', '[a-z]?id=']`
    ],
    [String.raw`includePaths: ['^/a((\?b)?c)*?$', '^/a(?:\?|$)', '^/a[?]?$', '^/a\?{0,1}$', '(?:/a|/b\?c)', '[]\?]x']`],
    [String.raw`params: { excludePaths: ['\?page='], regexOnFullURL: true }`],
    ['includePaths: ["https://x.example/p/"], regexOnFullURL: true'],
    ['includePaths: ["^https://x.example/p/"], regexOnFullURL: "${{ inputs.s = 1 }}"'],
    ['includePaths: ["${{ inputs.s }}("]'],
    [
      'includePaths: ["^/blog/.*", "/p/[0-9]+/*$", "\\\\.pdf$", "^/web/.*https?://", "/*", "(?i)^/P/", "(?P<id>[0-9]+)"]'
    ]
  ])("are checked: %s", ([options, ...said]) =>
    Effect.map(saidOf(crawl(options)), (found) => expect(found).toEqual(said))
  )
})
