/** One policy for definitions of strangers and drafts of agents: every key, step and field is classified, and what is refused stays refused. */
import { describe, expect, it } from "@effect/vitest"
import * as AST from "effect/SchemaAST"
import {
  commonRules,
  fieldRules,
  frameRules,
  isOwnOutput,
  type Rules,
  reachesOf,
  refused,
  stepRules
} from "../../src/Permissions/Untrusted.ts"
import { commonKeys, frameFields } from "../../src/Pipeline/Definition.ts"
import { builtIn } from "../../src/Pipeline/Extensions.ts"

/** The objects that a value may be written as. */
const objectsOf = (ast: AST.AST): ReadonlyArray<AST.TypeLiteral> => {
  if (AST.isTransformation(ast) || AST.isRefinement(ast)) return objectsOf(ast.from)
  if (AST.isSuspend(ast)) return objectsOf(ast.f())
  if (AST.isUnion(ast)) return ast.types.flatMap(objectsOf)
  return AST.isTypeLiteral(ast) ? [ast] : []
}

const signaturesOf = (ast: AST.AST) => objectsOf(ast).flatMap(({ propertySignatures }) => propertySignatures)

const fieldsOf = (ast: AST.AST): ReadonlyArray<string> =>
  [...new Set(signaturesOf(ast).map(({ name }) => String(name)))].toSorted()

const names = (rules: Rules) => Object.keys(rules).sort()

describe("every key is classified", () => {
  it("of a definition", () => {
    expect(names(frameRules)).toEqual(Object.keys(frameFields).sort())
  })

  it("that all steps may have", () => {
    expect(names(commonRules)).toEqual([...commonKeys].sort())
  })

  it("of the steps, each once", () => {
    expect(names(stepRules)).toEqual(builtIn.map(({ key }) => key).sort())
  })

  for (const { config, key } of builtIn) {
    const rule = stepRules[key]
    if (typeof rule !== "object" || !("fields" in rule)) continue
    it(`of ${key}: all of its fields`, () => {
      expect(names(rule.fields)).toEqual(fieldsOf(config.ast))
    })
    const inner = Object.entries(rule.fields).flatMap(([name, each]) =>
      typeof each === "object" && "fields" in each ? [[name, each.fields] as const] : []
    )
    for (const [name, rules] of inner) {
      it(`of ${key}: all fields of ${name}`, () => {
        const types = signaturesOf(config.ast)
          .filter((each) => each.name === name)
          .flatMap(({ type }) => fieldsOf(type))
        expect(names(rules)).toEqual([...new Set(types)].toSorted())
      })
    }
  }
})

const pipeline = (...steps: ReadonlyArray<unknown>) => ({ version: 1, name: "p", steps })

/** What a stranger (S) or a draft (D) is refused for; an empty list where it may do this, as far as flags allow. */
const cases: ReadonlyArray<readonly [name: string, definition: unknown, refusedFor: string]> = [
  ["a page", pipeline({ urls: ["https://a.example"] }, { scrape: { formats: ["markdown"] } }), ""],
  ["rows of an API", pipeline({ request: { url: "https://a.example", method: "GET", query: { page: 1 } } }), ""],
  ["a body for an API", pipeline({ request: { url: "https://a.example", json: { name: "x" } } }), "D"],
  ["a key for an API", pipeline({ request: { url: "https://a.example", auth: { bearer: "x" } } }), ""],
  [
    "a sign-in at any address",
    pipeline({ request: { url: "https://a.example", auth: { oauth: { tokenUrl: "https://b.example" } } } }),
    "D"
  ],
  ["a sign-in by an expression", pipeline({ request: { url: "https://a.example", auth: "${{ inputs.a }}" } }), "SD"],
  ["another method", pipeline({ request: { url: "https://a.example", method: "DELETE" } }), "D"],
  ["another state", { ...pipeline(), state: { key: "shop" } }, "SD"],
  ["a time for the state", { ...pipeline(), state: { forgetAfter: "1d" } }, ""],
  ["a state that nobody can read", { ...pipeline(), state: "${{ inputs.x }}" }, "SD"],
  ["steps of a module", { ...pipeline(), extensions: "./x.ts" }, "D"],
  ["a message", { ...pipeline(), notify: [{ webhook: "https://a.example" }] }, "D"],
  ["a form of a login", { ...pipeline(), login: { url: "https://a.example", fields: { user: "x" } } }, "D"],
  ["a login with a file of cookies", { ...pipeline(), login: { cookies: "cookies.txt" } }, "D"],
  ["a login by code", { ...pipeline(), login: { run: "./login.ts" } }, "D"],
  ["a login with a profile", { ...pipeline(), login: { url: "https://a.example", profile: "shop" } }, "SD"],
  ["a folder of pages", { ...pipeline(), site: "pages" }, "D"],
  ["an unknown key", { ...pipeline(), later: 1 }, "SD"],
  ["a step of a module", pipeline({ mask: {} }), "D"],
  ["a search", pipeline({ search: { query: "x" } }), "S"],
  ["a search with a profile", pipeline({ search: { query: "x", scrapeOptions: { profile: { name: "a" } } } }), "SD"],
  ["files", pipeline({ files: "*.csv" }), "D"],
  ["rows of a file", pipeline({ read: "rows.csv" }), "D"],
  ["a list of addresses", pipeline({ urls: { file: "urls.txt" } }), "D"],
  ["a joined file", pipeline({ join: { file: "rows.csv", on: "n" } }), "D"],
  ["a lock file", pipeline({ crawlPreview: { url: "https://a.example", prompt: "x" }, pin: "x.lock.json" }), "D"],
  ["a parsed file", pipeline({ parse: {} }), "D"],
  ["a parsed copy", pipeline({ parse: { formats: ["changeTracking"] } }), "SD"],
  ["a function", pipeline({ use: { module: "./x.ts" } }), "D"],
  ["a browser session", pipeline({ browser: {} }), "SD"],
  ["pages of a session", pipeline({ scrape: { session: "${{ steps.b.output }}" } }), "SD"],
  ["a profile", pipeline({ scrape: { profile: { name: "shop" } } }), "SD"],
  ["a profile in a batch", pipeline({ batchScrape: { profile: { name: "shop" } } }), "SD"],
  ["a profile in a crawl", pipeline({ crawl: { scrapeOptions: { profile: { name: "shop" } } } }), "SD"],
  ["a profile among parameters", pipeline({ crawl: { params: { scrapeOptions: {} } } }), "SD"],
  ["parameters of a preview", pipeline({ crawl: { params: "${{ steps.preview.output }}" } }), ""],
  ["parameters of an expression", pipeline({ crawl: { params: '${{ $merge([steps.p.output, {"x": 1}]) }}' } }), "SD"],
  ["options of an expression", pipeline({ crawl: { scrapeOptions: '${{ {"profile": {"name": "x"}} }}' } }), "SD"],
  ["a step of an expression", pipeline({ scrape: '${{ {"profile": {"name": "x"}} }}' }), "SD"],
  ["a script", pipeline({ scrape: { actions: [{ type: "executeJavascript", script: "1" }] } }), "SD"],
  ["a click", pipeline({ scrape: { actions: [{ type: "click", selector: "a" }] } }), ""],
  ["actions of an expression", pipeline({ scrape: { actions: "${{ inputs.a }}" } }), "SD"],
  ["an action of an expression", pipeline({ scrape: { actions: [{ type: "${{ inputs.a }}" }] } }), "SD"],
  ["a new page", pipeline({ scrape: { maxAge: 0, lockdown: false, storeInCache: false } }), ""],
  ["a stored copy", pipeline({ scrape: { maxAge: 1 } }), "SD"],
  ["a stored copy by an input", pipeline({ scrape: { maxAge: "${{ inputs.age }}" } }), "SD"],
  ["an old copy", pipeline({ scrape: { minAge: 1 } }), "SD"],
  ["copies alone", pipeline({ scrape: { lockdown: true } }), "SD"],
  ["a copy of a feed", pipeline({ feed: { url: "https://a.example", maxAge: 1000 } }), "SD"],
  ["a comparison with a copy", pipeline({ scrape: { formats: ["markdown", { type: "changeTracking" }] } }), "SD"],
  ["a format of the future", pipeline({ scrape: { formats: ["everything"] } }), "SD"],
  ["jobs by their ids", pipeline({ crawlStatus: { id: "x" } }), "SD"],
  ["pages of a batch by its id", pipeline({ batchStatus: { id: "x" } }), "SD"],
  ["the usage of the account", pipeline({ usage: {} }), "SD"],
  ["running crawls", pipeline({ activeCrawls: {} }), "SD"],
  ["the state of its own", pipeline({ dedupe: { across: "runs", key: "url" } }), ""],
  ["columns with the names of fields", pipeline({ select: { profile: "a", session: "b", use: "c" } }), ""],
  ["an output", pipeline({ write: { jsonl: "out/p/rows.jsonl" } }), ""]
]

describe("fields of steps that are judged as a whole", () => {
  const optionsOf = (key: string) => builtIn.flatMap((step) => (step.key === key ? signaturesOf(step.config.ast) : []))

  it("of search: all options of its pages", () => {
    const rule = fieldRules.search?.scrapeOptions
    const options = optionsOf("search").filter(({ name }) => name === "scrapeOptions")
    expect(typeof rule === "object" && "fields" in rule ? names(rule.fields) : []).toEqual(
      [...new Set(options.flatMap(({ type }) => fieldsOf(type)))].toSorted()
    )
  })

  it("of parse: all but the address", () => {
    const known = Object.keys(fieldRules.parse ?? {})
    expect(
      optionsOf("parse")
        .map(({ name }) => String(name))
        .filter((name) => !known.includes(name))
    ).toEqual(["url"])
  })
})

describe("what is refused", () => {
  for (const [name, definition, refusedFor] of cases) {
    it(`${name}: ${refusedFor === "" ? "nobody" : refusedFor.replace("S", "strangers ").replace("D", "drafts")}`, () => {
      const by = (origin: "outside" | "draft") => refused(definition, { origin, because: "it is new", code: false })
      const found = `${by("outside").length > 0 ? "S" : ""}${by("draft").length > 0 ? "D" : ""}`
      expect([found, reachesOf(definition)]).toEqual([refusedFor, expect.anything()])
    })
  }

  it("scripts in pages are allowed with code, but not to a draft", () => {
    const script = pipeline({ scrape: { actions: [{ type: "executeJavascript", script: "1" }] } })
    expect(refused(script, { origin: "outside", because: "", code: true })).toEqual([])
    expect(refused(script, { origin: "draft", because: "", code: true })).toHaveLength(1)
  })
})

describe("outputs of its own", () => {
  for (const path of [
    "out/p/a.jsonl",
    "out/p/{city}/a.csv",
    "out/p.jsonl",
    "out/p.csv.gz",
    "out/p-{runId}.jsonl",
    "out/p-{date}-{seq}.rows.csv"
  ]) {
    it(`${path} is one`, () => expect(isOwnOutput(path, "p")).toBe(true))
  }
  for (const path of [
    "p.jsonl",
    "out/q.jsonl",
    "out/p",
    "out/p-rome.jsonl",
    "out/p-{city}.jsonl",
    "out/p/../q.jsonl",
    "/out/p/a.jsonl",
    "out/p.ts",
    "out/.p/a.jsonl",
    "pipelines/p.yaml"
  ]) {
    it(`${path} is none`, () => expect(isOwnOutput(path, "p")).toBe(false))
  }
})
