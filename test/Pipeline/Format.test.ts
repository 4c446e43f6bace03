import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { isDeepStrictEqual } from "node:util"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { parse } from "yaml"
import { formatYaml, type Language, write } from "../../src/Pipeline/Format.ts"
import { read } from "../../src/Pipeline/Source.ts"
import { platform } from "../Cli/Project.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { repetitions } from "../Repetitions.ts"

const folder = fileURLToPath(new URL("../../pipelines/", import.meta.url))
const examples = readdirSync(folder).filter((name) => name.endsWith(".yaml") && !/\.(test|lock)\./.test(name))

const spelt = (value: unknown, to: Language): string => Effect.runSync(write("p", value, to))
const formatted = (text: string): string => Effect.runSync(formatYaml("p.yaml", text))

/** The value of a source string; the module's expression is evaluated as an import would. */
const said: Readonly<Record<Language, (text: string) => unknown>> = {
  yaml: (text) => parse(text, { maxAliasCount: 0 }),
  json: (text) => JSON.parse(text),
  ts: (text) => {
    const [head, body = ""] = text.split("\n\nexport default definePipeline(")
    expect(head).toBe('import { definePipeline } from "sluice/promise"')
    expect(body.endsWith(")\n")).toBe(true)
    return Function(`"use strict"; return (${body.slice(0, -2)})`)()
  }
}

/** As the language of JavaScript sees it, with -0 and keys like `constructor`. */
const same = (one: unknown, other: unknown): void => {
  if (!isDeepStrictEqual(one, other)) throw new Error(`${JSON.stringify(one)} is not ${JSON.stringify(other)}`)
}

const odd = fc.constantFrom(
  ...'yes|no|on|NO|null|~|true|0x1|0o7|1_000|1e21|.inf|.nan|-|?|:|- a|a: b|a #b|# a|{ a }|[1..3]|*x|&x|!x|%x|@x|`x`|\'|"|\\|\\n|---|...|<<|12:30:45|2001-01-01|__proto__|constructor|é|水|🚰|${{ inputs.x }}|a ${{ x }} "b"| a|a '.split(
    "|"
  ),
  "",
  "two\nlines",
  "\nbegins",
  "ends\n",
  "ends\n\n",
  " \n  x\n",
  "\n\n  x",
  "a \n b\t\n",
  "\n",
  " \n ",
  "tab\there",
  "\u0000\u0007\u0085\u2028\ufeff",
  "a\r\nb",
  "x".repeat(300),
  "word ".repeat(60)
)
const text = fc.oneof(
  odd,
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }).map((each) => each.replace(/\p{Cs}/gu, ""))
)
const number = fc.oneof(
  fc.constantFrom(0, -0, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 10_000, 0.1, Number.MAX_SAFE_INTEGER),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true })
)
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 5 }),
    fc.dictionary(text, tie("json"), { maxKeys: 6 })
  )
}))

/** Realistic definitions, with hostile strings wherever a string is allowed. */
const definition = fc.record(
  {
    version: fc.constant(1),
    name: fc.constantFrom("a", "end", "no"),
    description: text,
    inputs: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.record({ type: fc.constant("string"), default: text })),
    steps: fc.array(
      fc.oneof(
        fc.record({ search: fc.record({ query: text, limit: number }), retry: fc.record({ times: fc.nat(20) }) }),
        fc.record({ where: text, onError: fc.constantFrom("keep", "drop") }),
        fc.record({ select: fc.dictionary(text, text), id: fc.constantFrom("no", "on") }),
        fc.record({ scrape: fc.record({ headers: fc.dictionary(text, text), formats: fc.array(text) }) }),
        fc.record({ urls: fc.array(text), after: fc.array(text) }),
        fc.record({ write: fc.record({ jsonl: text, mode: fc.constant("replace") }) })
      ),
      { minLength: 1, maxLength: 5 }
    )
  },
  { requiredKeys: ["version", "name", "steps"] }
)

describe("a definition in another language", () => {
  it("has the same value: YAML → TypeScript → JSON → YAML, with any strings", () => {
    fc.assert(
      fc.property(definition, (value) => {
        const ts = said.ts(spelt(value, "ts"))
        same(ts, value)
        const json = said.json(spelt(ts, "json"))
        same(json, noMinusZero(value))
        const yaml = spelt(json, "yaml")
        same(said.yaml(yaml), noMinusZero(value))
        expect(formatted(yaml), "is laid out already").toBe(yaml)
      }),
      { numRuns: repetitions(75, 25) }
    )
  })

  it("has the same value for any plain data", () => {
    fc.assert(
      fc.property(json, (value) => {
        same(said.ts(spelt(value, "ts")), value)
        same(said.yaml(spelt(value, "yaml")), value)
      }),
      { numRuns: repetitions(150, 50) }
    )
  })

  it.scoped(
    "round-trips for every example",
    platform,
    function* () {
      const files = yield* FileSystem.FileSystem
      const temporary = yield* files.makeTempDirectoryScoped({
        directory: fileURLToPath(new URL(".", import.meta.url)),
        prefix: ".format-"
      })
      for (const name of examples) {
        const { value } = yield* read(`${folder}${name}`)
        // The module's import is the package's own name, which its own tests do not have: the builder gives its argument back.
        const module = spelt(value, "ts").replace(
          'import { definePipeline } from "sluice/promise"',
          "const definePipeline = (it: unknown) => it"
        )
        const path = `${temporary}/${name.replace(".yaml", ".ts")}`
        yield* files.writeFileString(path, module)
        const loaded = (yield* read(path)).value
        expect(loaded, name).toEqual(value)
        expect(said.yaml(spelt(loaded, "yaml")), name).toEqual(value)
        expect(said.json(spelt(loaded, "json")), name).toEqual(value)
      }
    },
    180_000
  )

  it("follows the style of the project's formatter", () => {
    expect(
      spelt(
        {
          steps: [{ retry: { times: 1 }, where: 'a = "b"' }, { urls: ["x".repeat(60), "y".repeat(60)] }],
          name: "it's",
          version: 1
        },
        "ts"
      )
    ).toBe(`import { definePipeline } from "sluice/promise"

export default definePipeline({
  version: 1,
  name: "it's",
  steps: [
    { where: 'a = "b"', retry: { times: 1 } },
    {
      urls: [
        "${"x".repeat(60)}",
        "${"y".repeat(60)}"
      ]
    }
  ]
})
`)
  })

  scoped("is refused when it contains a value that no text can represent", function* () {
    const holdsItself: Record<string, unknown> = {}
    holdsItself.a = holdsItself
    for (const [value, reason] of [
      [{ a: Number.NaN }, "the number NaN"],
      [{ a: () => 1 }, "a function"],
      [{ a: new Date(0) }, "not plain data (Date)"],
      [holdsItself, "itself"]
    ] as const) {
      expect((yield* Effect.flip(write("p.ts", value, "yaml"))).message).toContain(reason)
    }
  })
})

/** JSON has no -0. */
const noMinusZero = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown

describe("the layout of YAML", () => {
  it.each(examples)("keeps the comments and the value of %s, and does not change a second time", (name) => {
    const before = readFileSync(`${folder}${name}`, "utf8")
    const after = formatted(before)
    const comments = (text: string) => [...text.matchAll(/(?<=^|\s)#.*$/gm)].map(([comment]) => comment.trim()).sort()
    expect(parse(after)).toEqual(parse(before))
    expect(comments(after)).toEqual(comments(before))
    expect(formatted(after)).toBe(after)
  })

  it.each(examples)("is that of %s", (name) => {
    const text = readFileSync(`${folder}${name}`, "utf8")
    expect(formatted(text)).toBe(text)
  })

  it("sorts keys with their comments, and leaves strings as they are", () => {
    const messy = `# top

steps:
    -   retry: {times: 2}   # behind
        # the query
        search: {query: 'x "y"',
          limit: 5}
        id:   found
    # second
    - where:   metadata.statusCode   =   200
      from: found
    - write: {jsonl: out/a.jsonl}

name:   'messy'
# one
version: 1
`
    expect(formatted(messy)).toBe(`# top

# one
version: 1

name: "messy"
steps:
  - id: found
    # the query
    search: { query: 'x "y"', limit: 5 }
    retry: { times: 2 } # behind
  # second
  - from: found
    where: metadata.statusCode   =   200
  - write: { jsonl: out/a.jsonl }
`)
  })

  it("breaks flow collections that are longer than a line, and nothing else", () => {
    const wide = `a: { ${Array.from({ length: 12 }, (_, index) => `column${index}: integer`).join(", ")} }\nb: ${"word ".repeat(40)}x\n`
    const after = formatted(wide)
    expect(after).toContain("a:\n  column0: integer\n")
    expect(after).toContain(`b: ${"word ".repeat(40)}x\n`)
  })

  it("keeps the order when an alias needs it", () => {
    const text = "steps:\n  - scrape: &it { formats: [markdown] }\n  - scrape: *it\nname: a\nversion: 1\n"
    expect(formatted(text)).toBe(text)
  })

  it("does not change any value a second time", () => {
    fc.assert(
      fc.property(json, (value) => {
        const once = formatted(spelt({ steps: [value] }, "yaml"))
        expect(formatted(once)).toBe(once)
      }),
      { numRuns: repetitions(100, 30) }
    )
  })
})
