import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { SaxesParser } from "saxes"
import { parse } from "yaml"
import { describe, expect, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { sluice } from "./Console.ts"
import { folderOf, list, readText } from "./Project.ts"

const examples = fileURLToPath(new URL("../../pipelines", import.meta.url))

const shout = `version: 1
name: shout
inputs: { end: { type: string, default: "!" } }
steps:
  - urls: [https://x.example/]
  - where: n > 0
  - select: { text: "$uppercase(text) & $inputs.end", n: n }
  - write: { jsonl: "out/{runId}.jsonl" }
`

/** Tests of it: two that pass and one that is wrong in two places. */
const shouted = `# The first line.
tests:
  - name: shouts   # and how
    given: { rows: { urls: [{ text: a, n: 1 }, { text: b, n: 2 }, { text: c, n: 0 }] } }
    expect:
      rows:
        where: { count: 2, none: n = 0, list: $sum(n) = 3 }
        select: { equals: [{ text: "A!", n: 1 }, { text: "B!", n: 2 }], fields: [n, text] }
      outputs:
        "out/{runId}.jsonl": { count: 2, contains: [{ text: "B!" }] }
  - name: is polite # for once
    inputs: { end: "?" }
    given: { rows: { urls: [{ text: a, n: 1 }, { text: b, n: 2 }] } }
    expect:
      rows:
        select:
          # Kept.
          equals:
            - { text: "A?", n: 1 }
            - { text: B., n: 3 }
          count: 3
  - name: 'says <nothing> & "more" # 2'
    given: { rows: { urls: [] } }
    expect: { rows: { select: { count: 0 } } }
`

const scrape = `version: 1
name: scrape
inputs: { page: { type: url } }
steps:
  - urls: ["\${{ inputs.page }}"]
  - scrape: { formats: [markdown], headers: { x-token: "Bearer \${{ secrets.SENTINEL }}" } }
    retry: { times: 3, on: [429] }
  - select: { text: markdown }
  - write: { jsonl: out/a.jsonl }
`

const recording = (...answers: ReadonlyArray<unknown>) =>
  JSON.stringify({
    recording: 1,
    exchanges: answers.map((answer) => ({
      request: {
        method: "POST",
        path: "/v2/scrape",
        json: {
          url: "https://x.example/",
          formats: ["markdown"],
          headers: { "x-token": "Bearer {secrets.SENTINEL}" }
        }
      },
      answer
    }))
  })

const scrapeTest = (expected: string) => `tests:
  - name: scrapes
    inputs: { page: https://x.example/ }
    given: { recording: r.json }
    expect: ${expected}
`

const page = {
  status: 200,
  json: { success: true, data: { markdown: "# X", metadata: { statusCode: 200, creditsUsed: 1 } } }
}

/** A site that says what it was asked with. */
const echo = Effect.acquireRelease(
  Effect.async<ReturnType<typeof createServer>>((resume) => {
    const server = createServer((request, response) => {
      response.writeHead(200, { "content-type": "text/html" })
      response.end(`<title>Echo</title><h1>Echo</h1><p>You sent ${request.headers["x-token"]} in your headers.</p>`)
    })
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) => Effect.sync(() => server.close())
)

describe("sluice test", () => {
  scoped.skipIf(skipsLong)("passes for every example", function* () {
    const { code, err, out } = yield* sluice(["test", examples])
    expect([code, err], out).toEqual([0, ""])
    expect(out).toMatch(/\n\n\d+ tests: \d+ passed in /)
  })

  scoped("shows what was expected and what came, only where the two differ, and ends with 6", function* () {
    const root = yield* folderOf({ "p.yaml": shout.replace("shout", "p"), "p.test.yaml": shouted })
    const { code, err, out } = yield* sluice(["test", `${root}/p.yaml`])
    expect(code).toBe(6)
    expect(err).toBe("error: 1 of 3 tests failed\n")
    const steady = out.replaceAll(`${root}/`, "").replace(/[\d.]+ m?s\b/g, "0 ms")
    expect(steady).toBe(`p.test.yaml
  pass shouts (0 ms)
  FAIL is polite (0 ms)
      p.test.yaml:21:18  expect.rows.select.count
        expected 3 rows, got 2
      p.test.yaml:19:13  expect.rows.select.equals
        rows of select: one row is not as expected
          row 2
            text
        -   "B."
        +   "B?"
            n
        -   3
        +   2
  pass says <nothing> & "more" # 2 (0 ms)

3 tests: 2 passed, 1 failed in 0 ms
`)
  })

  scoped("asks for no value that only steps name which the test gives rows for", function* () {
    const root = yield* folderOf({
      "p.yaml": `version: 1
name: p
steps:
  - id: params
    crawlPreview: { url: "https://x.example/", prompt: all }
  - crawl: { params: "\${{ steps.params.output }}" }
  - batchScrape: { onlyMainContent: "\${{ steps.params.output.sitemap = 'skip' }}" }
  - select: { url: url }
  - write: { jsonl: "out/{runId}.jsonl" }
`,
      "p.test.yaml": `tests:
  - name: by rows
    given: { rows: { crawl: [{ url: "https://x.example/a" }], batchScrape: [{ url: "https://x.example/b" }] } }
    expect: { rows: { select: { equals: [{ url: "https://x.example/b" }] } } }
`
    })
    const { code, err, out } = yield* sluice(["test", `${root}/p.yaml`])
    expect([code, err], out).toEqual([0, ""])
  })

  scoped.skipIf(skipsLong)("speaks TAP, JUnit and JSON", function* () {
    const root = yield* folderOf({ "p.yaml": shout, "p.test.yaml": shouted })
    const tap = yield* sluice(["test", root, "--reporter", "tap"])
    expect(tap.code).toBe(6)
    const lines = tap.out.trimEnd().split("\n")
    expect(lines.slice(0, 2)).toEqual(["TAP version 14", "1..3"])
    const points = lines.filter((line) => /^(not )?ok /.test(line))
    expect(points).toEqual([
      "ok 1 - shout › shouts",
      "not ok 2 - shout › is polite",
      'ok 3 - shout › says <nothing> & "more" # 2'.replace("#", "\\#")
    ])
    const blocks = [...tap.out.matchAll(/^ {2}---\n([\s\S]*?)^ {2}\.\.\.$/gm)].map(([, block = ""]) => parse(block))
    expect(blocks).toHaveLength(3)
    expect(blocks[1].failures.map(({ expectation }: { readonly expectation: string }) => expectation)).toEqual([
      "expect.rows.select.count",
      "expect.rows.select.equals"
    ])
    expect(blocks[1].failures[1].diff).toContain('-   "B."\n+   "B?"')

    const report = `${root}/report.xml`
    const both = yield* sluice(["test", root, "--reporter", "junit", "--output", report])
    expect(both.out).toContain("3 tests: 2 passed, 1 failed")
    const found: Array<readonly [string, Readonly<Record<string, string>>]> = []
    const parser = new SaxesParser()
    parser.on("opentag", ({ attributes, name }) => found.push([name, attributes]))
    parser.on("error", (error) => expect.fail(error.message))
    parser.write(yield* readText(report)).close()
    expect(found.map(([name]) => name)).toEqual([
      ...["testsuites", "testsuite", "testcase", "testcase", "failure", "testcase"]
    ])
    expect(found[0]?.[1]).toMatchObject({ tests: "3", failures: "1" })
    expect(found[5]?.[1]).toMatchObject({ name: 'says <nothing> & "more" # 2', classname: "shout" })

    const json = JSON.parse((yield* sluice(["test", root, "--json", "--filter", "POLITE"])).out)
    expect(json).toMatchObject({ tests: 1, passed: 0, failed: 1, mistakes: [] })
    expect(json.results[0]).toMatchObject({ name: "is polite", passed: false, place: `${root}/p.test.yaml:11:11` })
    expect(json.results[0].failures[1].differences).toEqual([
      {
        kind: "changed",
        row: 2,
        differences: [
          { path: "text", expected: "B.", actual: "B?" },
          { path: "n", expected: 3, actual: 2 }
        ]
      }
    ])
  })

  scoped.skipIf(skipsLong)(
    "records with the local engine, and passes from then on without it and without the secret",
    function* () {
      const server = yield* echo
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
      const test = `tests:
  - name: scrapes
    inputs: { page: "${url}" }
    given: { recording: fixtures/r.json }
    expect:
      rows: { select: { count: 1, every: '$contains(text, "You sent")' } }
      credits: 1
`
      const root = yield* folderOf({ "p.yaml": scrape, "p.test.yaml": test })
      const secret = "sentinel_0123456789"
      const words = ["test", `${root}/p.test.yaml`, "--data", `${root}/data`]
      const before = yield* sluice(words)
      expect([before.code, before.out]).toEqual([
        6,
        expect.stringContaining(
          `there is no recording ${root}/fixtures/r.json: create it with sluice test ${root}/p.test.yaml --record`
        )
      ])
      const env = { SENTINEL: secret, SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }
      const unset = yield* sluice([...words, "--record"], { env: { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" } })
      expect([unset.code, unset.out]).toEqual([6, expect.stringContaining('secret "SENTINEL" is not set')])
      const recorded = yield* sluice([...words, "--record"], { env })
      expect(recorded.code, recorded.out).toBe(0)
      expect(recorded.out).toContain("recorded 1 answer in ")
      const text = yield* readText(`${root}/fixtures/r.json`)
      expect(text).toContain('"x-token": "Bearer {secrets.SENTINEL}"')
      expect(text).toMatch(/You sent Bearer \{secrets\.SENTINEL\}/)
      for (const part of ["sentinel", "0123456789", "uthorization", "fc-"]) expect(text).not.toContain(part)
      server.close()
      server.closeAllConnections()
      const after = yield* sluice(["test", root])
      expect([after.code, after.err], after.out).toEqual([0, ""])
      const short = yield* sluice([...words, "--record"], { env: { ...env, SENTINEL: "abc" } })
      expect(short.code).toBe(6)
      expect(yield* readText(`${root}/fixtures/r.json`)).toBe(text)
    }
  )

  scoped("does not wait: minutes of refusals are replayed at once", function* () {
    const busy = { status: 429, headers: { "retry-after": "60" }, json: { success: false, error: "later" } }
    const root = yield* folderOf({
      "p.yaml": scrape,
      "p.test.yaml": scrapeTest("{ rows: { select: { equals: [{ text: '# X' }] } }, credits: 1 }"),
      "r.json": recording(busy, busy, busy, page)
    })
    const begin = performance.now()
    const { code, err, out } = yield* sluice(["test", root])
    expect([code, err], out).toEqual([0, ""])
    expect(performance.now() - begin).toBeLessThan(20_000)
  })

  scoped("names the request that has no answer, and the one that was meant", function* () {
    const root = yield* folderOf({
      "p.yaml": scrape.replace("[markdown]", "[markdown, links]"),
      "p.test.yaml": scrapeTest("{ rejects: { count: 1 } }"),
      "r.json": recording(page)
    })
    const { code, out } = yield* sluice(["test", root])
    expect(code).toBe(6)
    expect(out).toContain(
      'no answer is recorded for POST /v2/scrape; the nearest recorded request has formats[1]: nothing instead of "links"; record again with sluice test'
    )
    const none = yield* folderOf({
      "p.yaml": scrape,
      "p.test.yaml": scrapeTest("{ status: failed }").replace("given: { recording: r.json }", "limit: 1")
    })
    expect((yield* sluice(["test", none])).out).toContain("give the test a recording (given: { recording:")
  })

  scoped.skipIf(skipsLong)(
    "expects of a run that fails why, of rejects which, and of a run that says nothing that it goes well",
    function* () {
      const refused = { status: 402, json: { success: false, error: "no credits left" } }
      const results = (expected: string) =>
        Effect.gen(function* () {
          const root = yield* folderOf({
            "p.yaml": scrape.replace("    retry: { times: 3, on: [429] }\n", "    onError: fail\n"),
            "p.test.yaml": scrapeTest(expected),
            "r.json": recording(refused)
          })
          const { code, out } = yield* sluice(["test", root])
          return [
            code,
            out
              .split("\n")
              .find((line) => /^ {8}\S/.test(line))
              ?.trim()
          ]
        })
      expect(yield* results("{ error: no credits left }")).toEqual([0, undefined])
      expect(yield* results("{ status: failed }")).toEqual([0, undefined])
      expect(yield* results("{ error: too slow }")).toEqual([
        6,
        expect.stringMatching(/^the error message does not contain "too slow": .*no credits left/)
      ])
      expect(yield* results("{}")).toEqual([
        6,
        expect.stringMatching(/^expected a run that is completed, but the run is failed: .*no credits left/)
      ])

      const some = scrape.replace('["${{ inputs.page }}"]', '["${{ inputs.page }}", "${{ inputs.page }}b"]')
      const rejecting = (expected: string) =>
        Effect.gen(function* () {
          const answers = JSON.parse(recording(page, { ...refused, status: 403 }))
          answers.exchanges[1].request.json.url = "https://x.example/b"
          const root = yield* folderOf({
            "p.yaml": some,
            "p.test.yaml": scrapeTest(expected),
            "r.json": JSON.stringify(answers)
          })
          const { code, out } = yield* sluice(["test", root])
          return [
            code,
            out
              .split("\n")
              .find((line) => /^ {8}\S/.test(line))
              ?.trim()
          ]
        })
      expect(yield* rejecting("{ rejects: { count: 1, contains: [{ step: scrape, error: Forbidden }] } }")).toEqual([
        0,
        undefined
      ])
      expect(yield* rejecting("{ rows: { select: { count: 1 } } }")).toEqual([
        6,
        expect.stringMatching(/^a row was rejected, by scrape: .*; if that is right, add it to expect.rejects/)
      ])
    }
  )

  scoped.skipIf(skipsLong)(
    "writes what came into `equals` on --update, and leaves every other line as it is",
    function* () {
      const file = `      outputs:\n        "out/{runId}.jsonl": { equals: fixtures/a.jsonl }\n`
      const root = yield* folderOf({ "p.yaml": shout, "p.test.yaml": shouted.replace("          count: 3\n", file) })
      const updated = yield* sluice(["test", root, "--update"])
      expect(updated.code, updated.out).toBe(0)
      expect(updated.out).toContain("updated expect.rows.select.equals")
      const text = yield* readText(`${root}/p.test.yaml`)
      expect(text).toBe(
        shouted
          .replace("          count: 3\n", file)
          .replace('            - { text: "A?", n: 1 }\n', "            - { text: A?, n: 1 }\n")
          .replace("            - { text: B., n: 3 }\n", "            - { text: B?, n: 2 }\n")
      )
      expect(yield* readText(`${root}/fixtures/a.jsonl`)).toBe('{"text":"A?","n":1}\n{"text":"B?","n":2}\n')
      expect((yield* sluice(["test", root])).code).toBe(0)
      yield* Effect.promise(() =>
        import("node:fs").then(({ writeFileSync }) => writeFileSync(`${root}/fixtures/a.jsonl`, "{}\n"))
      )
      const broken = yield* sluice(["test", root])
      expect([broken.code, broken.out]).toEqual([6, expect.stringContaining('+ row 2 {"text":"B?","n":2}')])
    }
  )

  scoped("leaves nothing behind, and writes nowhere else", function* () {
    const root = yield* folderOf()
    const away = shout.replace("out/{runId}.jsonl", `${root}/away.jsonl`)
    const test = "tests:\n  - name: a\n    given: { rows: { urls: [] } }\n    expect: {}\n"
    const files = yield* folderOf({ "p.yaml": away, "p.test.yaml": test })
    const { code, out } = yield* sluice(["test", files])
    expect(code).toBe(6)
    expect(out).toContain("a test writes only below its own folder")
    expect(yield* list(root)).toEqual([])
    expect((yield* list(files)).sort()).toEqual(["p.test.yaml", "p.yaml"])
  })

  scoped("ends with 78 and every mistake when a test file is invalid, and before anything is run", function* () {
    const root = yield* folderOf({
      "p.yaml": shout,
      "p.test.yaml": "tests:\n  - name: a\n    expct: {}\n",
      "q.test.yaml": "tests: []\n",
      "lone.yaml": shout
    })
    const { code, err, out } = yield* sluice(["test", root])
    expect([code, err]).toEqual([78, expect.stringMatching(/^error: \d mistakes in 2 definitions\n$/)])
    expect(out).toContain(`${root}/p.test.yaml:3:5  tests[0].expct: unknown key "expct", did you mean "expect"?`)
    expect((yield* sluice(["test", `${root}/lone.yaml`])).out).toContain(
      "has no tests: write them into lone.test.yaml beside it"
    )
    const bare = yield* folderOf()
    expect((yield* sluice(["test", bare])).out).toContain("there is no test in this folder")
    const right = yield* folderOf({ "p.yaml": shout, "p.test.yaml": shouted })
    const nobody = yield* sluice(["test", right, "--filter", "whisper"])
    expect([nobody.code, nobody.err]).toEqual([
      2,
      'error: no test has "whisper" in its name: there are shouts; is polite; says <nothing> & "more" # 2\n'
    ])
    expect((yield* sluice(["test", right, "--reporter", "dots"])).code).toBe(2)
  })
})
