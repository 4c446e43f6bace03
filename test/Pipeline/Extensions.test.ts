import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { progressLine } from "../../src/Cli/Run/Perform.ts"
import { partition } from "../../src/Cluster/Partition.ts"
import { graphOf, progressOf } from "../../src/Dashboard/RunView.ts"
import { Pipeline, Scrape, Step } from "../../src/index.ts"
import type { RunRecord } from "../../src/Ledger/Model.ts"
import { check, definitionHash, scopeBefore } from "../../src/Pipeline/Check.ts"
import { diagramOf } from "../../src/Pipeline/Diagram.ts"
import { pipelineSchema } from "../../src/Pipeline/JsonSchema.ts"
import { nothing, plan } from "../../src/Pipeline/Plan.ts"
import { ensure, hosted } from "../../src/Pipeline/Requirements.ts"
import { ofValue, parseText, type Source } from "../../src/Pipeline/Source.ts"
import { needsService } from "../../src/Run/LocalSite.ts"
import { makeRunSpec } from "../../src/Run/RunSpec.ts"
import { local } from "../../src/Step/Cost.ts"
import { makeTerminal } from "../Cli/Console.ts"
import { platform } from "../Cli/Project.ts"
import { describe, expect, it } from "../It.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { program } from "../Programs.ts"

/** A source that lists its rows and skips those of earlier runs. */
const counter = Step.make({
  key: "counter",
  summary: "Gives the numbers up to `to`.",
  example: "counter: { to: 3 }",
  config: Schema.Struct({ to: Schema.Int, skipSeen: Schema.optional(Schema.Boolean) }),
  list: (config) =>
    Effect.succeed(
      typeof config === "object" && config !== null && "to" in config ? { count: Number(config.to) } : undefined
    ),
  state: (fields) =>
    typeof fields === "object" && fields !== null && "skipSeen" in fields ? { skipsSeen: true } : undefined,
  behaviour: {
    kind: "source",
    read: ({ to }) =>
      Stream.make({
        rows: Array.from({ length: to }, (_, n) => ({ data: { n, url: `https://a.example/${n}` } })),
        cursor: 1
      })
  }
})

/** A step that asks the service for a page of each row, as a job that announces its rows. */
const lookUp = Step.make({
  key: "lookUp",
  summary: "Looks every row up.",
  example: "lookUp: { of: url, headers: { Authorization: x } }",
  config: Schema.Struct({
    of: Step.expression,
    headers: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String }))
  }),
  service: { request: "POST /v2/scrape", documented: false },
  cost: () => [{ good: "scrape", least: 1, most: 1 }],
  estimate: ({ cost, rows }) => ({
    requests: Step.Estimate.some(rows),
    pages: rows,
    rows,
    buys: Step.Estimate.bought(cost, rows)
  }),
  nouns: { request: "job" },
  headers: ["headers"],
  sites: () => "rows",
  needs: () => [{ ability: "here", path: [], what: "a lookup" }],
  behaviour: {
    kind: "transform",
    calls: true,
    pages: true,
    expectsRows: true,
    independent: true,
    make: () =>
      Effect.map(Scrape, (client) => ({
        push: (rows) =>
          Effect.forEach(rows, (row) =>
            Effect.as(Step.call(client.run({ url: String(row.data.url) })), {
              ...row,
              data: { ...row.data, seen: true }
            })
          )
      }))
  }
})

/** A step that works here, on each row by itself. */
const shout = Step.make({
  key: "shout",
  summary: "Writes a field in capitals.",
  example: "shout: title",
  config: Schema.String,
  behaviour: {
    kind: "item",
    apply: (field, row) =>
      Effect.succeed({ ...row, data: { ...row.data, [field]: String(row.data[field]).toUpperCase() } })
  }
})

const steps = [counter, lookUp, shout] as const

const definition = Pipeline.make(
  {
    version: 1,
    name: "own-steps",
    steps: [
      { counter: { to: 4 } },
      { lookUp: { of: "url" }, retry: { times: 2 } },
      { shout: "title" },
      { sort: { by: "title" } },
      { write: { jsonl: "out.jsonl" } }
    ]
  },
  { steps }
)

const scope = { env: {}, secrets: (name: string) => (name === "TOKEN" ? Redacted.make("t") : undefined) }

const checkValue = (value: unknown) =>
  Effect.flatMap(ofValue("the definition", "/tmp", value), (source) =>
    check(source, { ...scope, inputs: {}, complete: true })
  )

const checkText = (text: string, folder: string, allowCode = true) =>
  Effect.flatMap(parseText("p.yaml", folder, text), (source: Source) =>
    check(source, { ...scope, inputs: {}, complete: true, allowCode })
  )

const issuesOf = <A, E extends { readonly issues: ReadonlyArray<{ readonly message: string }> }, R>(
  effect: Effect.Effect<A, E, R>
) => Effect.map(Effect.flip(effect), ({ issues }) => issues.map(({ message }) => message))

/** The definition with other steps. */
const withSteps = (...others: ReadonlyArray<object>) => ({ ...definition, steps: others })

describe("a step that is registered", () => {
  it.effect("is planned and priced by what it declares", platform, function* () {
    const checked = yield* checkValue(definition)
    const made = yield* plan(checked, {
      ...scope,
      wanted: undefined,
      out: "/tmp",
      tariff: local({ ...prices, scrape: 3 }),
      crawlLimit: undefined,
      earlier: nothing
    })
    const [first, second, third] = made.steps
    expect(first).toMatchObject({ rows: { least: 4, most: 4 }, operation: undefined, requests: { most: 0 } })
    expect(second).toMatchObject({
      operation: { request: "POST /v2/scrape" },
      pages: { least: 4, most: 4 },
      requests: { least: 1, most: 4 },
      price: { least: 12, most: 12 },
      nouns: { request: "job" }
    })
    expect(third).toMatchObject({ rows: { least: 4, most: 4 }, operation: undefined })
    expect(made.price).toEqual({ least: 12, most: 12 })
    expect(made.touches.hosts).toEqual(["*"])
  })

  it.effect(
    "that declares no estimate is counted by its kind, and with a service never as free of requests",
    platform,
    function* () {
      const { estimate: _, ...bare } = lookUp
      const value = Pipeline.make(
        { version: 1, name: "t", steps: [{ counter: { to: 2 } }] },
        { steps: [counter, bare] }
      )
      const checked = yield* checkValue(
        Object.assign(value, { steps: [{ counter: { to: 2 } }, { lookUp: { of: "url" } }] })
      )
      const made = yield* plan(checked, {
        ...scope,
        wanted: undefined,
        out: "/tmp",
        tariff: local(prices),
        crawlLimit: undefined,
        earlier: nothing
      })
      expect(made.steps[1]?.requests).toEqual({ least: 0, most: 2 })
      expect(made.steps[1]?.price).toEqual({ least: 0, most: 2 })
    }
  )

  it.effect("starts a service where it declares one, and none where no step does", platform, function* () {
    expect(needsService(yield* checkValue(definition))).toBe(true)
    expect(needsService(yield* checkValue(withSteps({ counter: { to: 1 } }, { shout: "title" })))).toBe(false)
  })

  it.effect("is refused by a service that lacks what it needs", platform, function* () {
    const checked = yield* checkValue(definition)
    const error = yield* Effect.flip(ensure(checked, scopeBefore(checked, scope), hosted("https://api.example.com")))
    expect(error.message).toContain("a lookup is on this machine only")
  })

  it.effect("is checked by its schema: fields, expressions, common keys, secrets and state", platform, function* () {
    expect(yield* issuesOf(checkValue(withSteps({ counter: { to: "many" } })))).toEqual([
      'expected a whole number, got "many"'
    ])
    expect(yield* issuesOf(checkValue(withSteps({ counter: { to: 1 } }, { lookUp: { of: "$inputs.x" } })))).toEqual([
      expect.stringContaining('there is no input "x"')
    ])
    expect(
      yield* issuesOf(checkValue(withSteps({ counter: { to: 1 } }, { shout: "a", retry: { times: 1 }, each: true })))
    ).toEqual(["only a step that gives rows of its own can run for each row"])
    expect(yield* issuesOf(checkValue(withSteps({ counter: { to: 1 } }, { shuot: "a" })))).toEqual([
      expect.stringContaining('did you mean "shout"')
    ])
    const secret = { Authorization: "${{ secrets.TOKEN }}" }
    const allowed = yield* checkValue(withSteps({ counter: { to: 1 } }, { lookUp: { of: "url", headers: secret } }))
    expect(allowed.nodes.length).toBe(2)
    expect(yield* issuesOf(checkValue(withSteps({ counter: { to: 1 } }, { shout: "${{ secrets.TOKEN }}" })))).toEqual([
      expect.stringContaining("a secret is only allowed in headers")
    ])
    const remembers = yield* checkValue(
      withSteps({ counter: { to: 1, skipSeen: true } }, { write: { jsonl: "a.jsonl" } })
    )
    expect(remembers.remembering).toEqual(["counter"])
    expect(remembers.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining("only the latest run's new rows")
    ])
  })

  it.effect(
    "is drawn, split among workers, and counted by the dashboard and the progress line",
    platform,
    function* () {
      const checked = yield* checkValue(definition)
      const drawing = diagramOf(checked)
      expect(drawing.nodes.map(({ detail, id, kind }) => [id, kind, detail])).toEqual([
        ["counter", "source", "to: 4"],
        ["lookUp", "step", "of: url"],
        ["shout", "step", "title"],
        ["sort", "step", "by: title"],
        ["write", "sink", "jsonl: out.jsonl"]
      ])
      const parts = partition(checked, { limited: false })
      expect(parts.kind === "split" ? parts.shared.map(({ id }) => id) : parts.why).toEqual(["lookUp", "shout"])
      const run = { id: "r1", startedAt: 0 }
      const {
        definition: text,
        file,
        options
      } = makeRunSpec(checked, { out: "/tmp", dataDir: "/tmp" }, run, { key: undefined })
      // As the ledger gives it: no code of the project runs in the dashboard.
      const saved = JSON.parse(JSON.stringify(options))
      const graph = yield* graphOf({ definition: text, file, options: saved, pipeline: "own-steps" })
      expect(graph?.nodes.map(({ id }) => id)).toEqual(["counter", "lookUp", "shout", "sort", "write"])
      // A run that is resumed with a newer definition shows that; its other options stay.
      const { nodes } = checked
      const shorter = { ...checked, nodes: nodes.slice(0, 2) }
      const record = { ...makeRunSpec(checked, { out: "/tmp", dataDir: "/tmp", wanted: 3 }, run, { key: undefined }) }
      const resumed = (given: typeof checked, parentRun?: string) =>
        makeRunSpec(
          given,
          { out: "/tmp", dataDir: "/tmp", parentRun, resume: { ...record, options: record.options } as RunRecord },
          run,
          { key: undefined }
        ).options
      expect(resumed(shorter)).toMatchObject({ limit: 3, graph: { nodes: [{ id: "counter" }, { id: "lookUp" }] } })
      // A part of the definition that a cluster runs shows all of it; a shard shows nothing.
      expect(resumed({ ...shorter, all: nodes })).toMatchObject({ graph: { nodes: nodes.map(({ id }) => ({ id })) } })
      expect(resumed(checked, "r0")).not.toHaveProperty("graph")
      const given = { counter: 4, lookUp: 3, shout: 3 }
      const progress = progressOf({ progress: { given, expected: 8 }, updatedAt: 0 }, graph, undefined)
      expect([progress.read, progress.steps.map(({ step, out }) => [step, out])]).toEqual([
        7,
        [
          ["counter", 4],
          ["lookUp", 3],
          ["shout", 3],
          ["sort", 0],
          ["write", 0]
        ]
      ])
      const counted = { expected: 8, steps: given, rows: 0, rejects: 0, credits: 0, unpriced: 0, pages: 3 }
      const moment = { name: "own-steps", checked, progress: counted, elapsed: 7000, frame: 0 }
      expect(progressLine(moment, makeTerminal({ columns: 120 }).terminal)).toContain("7 of 8 pages")
    }
  )

  it.effect("may name its flags as earlier versions did", platform, function* () {
    const make = () => Effect.succeed({ push: Effect.succeed })
    const former = { apart: true, alone: true, announces: true, truncates: true, leavesOut: true } as const
    const fields = { summary: "Passes rows.", example: "pass: true", config: Schema.Boolean }
    const pass = Step.make({ ...fields, key: "pass", behaviour: { kind: "transform", ...former, make } })
    // As an older copy of the library makes it.
    const older = { ...pass, behaviour: { ...former, kind: "transform", make } } as typeof pass
    class Passing {
      readonly kind = "transform"
      readonly apart = false
      readonly perRow = true
      readonly alone = true
      readonly announces = true
      readonly truncates = true
      readonly leavesOut = true
      make() {
        return make()
      }
    }
    const both = Step.make({ ...fields, key: "pass", behaviour: new Passing() as never }) as typeof pass
    expect(both.behaviour).toBeInstanceOf(Passing)
    expect(both.behaviour).toEqual({ ...pass.behaviour, make: undefined })
    expect(both.behaviour.make).toBe(Passing.prototype.make)
    for (const step of [pass, older]) {
      const checked = yield* checkValue(
        Pipeline.make(
          { version: 1, name: "former", steps: [{ urls: ["https://a.example/"] }, { pass: true, timeout: "1s" }] },
          { steps: [step] }
        )
      )
      expect(checked.nodes[1]?.step.behaviour).toEqual({
        kind: "transform",
        perRow: true,
        independent: true,
        expectsRows: true,
        takesFirst: true,
        samples: true,
        make
      })
    }
  })

  it.effect("is part of the JSON Schema of its project", platform, function* () {
    const { registry } = yield* checkValue(definition)
    expect(JSON.stringify(pipelineSchema(registry?.steps))).toContain("Writes a field in capitals.")
    expect(JSON.stringify(pipelineSchema())).not.toContain("Writes a field in capitals.")
  })

  it.effect("cannot take a name that is taken", platform, function* () {
    const named = (key: string) => ({ ...shout, key })
    const refusal = (...own: ReadonlyArray<Step.Any>) =>
      issuesOf(checkValue(Pipeline.make({ version: 1, name: "t", steps: [{ limit: 1 }] }, { steps: own })))
    expect(yield* refusal(named("scrape"))).toEqual(['"scrape" is a step of Sluice: choose another key'])
    expect(yield* refusal(named("retry"))).toEqual(['"retry" is a key that any step may have: choose another one'])
    expect(yield* refusal(shout, named("shout"))).toEqual([
      'there are two steps "shout": choose another key for one of them'
    ])
  })
})

const prices = {
  scrape: 1,
  crawlPage: 1,
  batchPage: 1,
  jsonFormat: 1,
  parse: 1,
  map: 1,
  search: 1,
  searchZdr: 1,
  searchAnon: 1,
  crawlPreview: 1,
  browser: 1
}

describe("the module of a definition's extensions", () => {
  const root = fileURLToPath(new URL("../../", import.meta.url))
  const module = (word: string) => `import * as Effect from "${root}node_modules/effect/dist/esm/Effect.js"
import * as Schema from "${root}node_modules/effect/dist/esm/Schema.js"
import { Step } from "${program("index")}"

export const helper = 1
export const ${word} = Step.make({
  key: "${word}",
  summary: "Says ${word}.",
  example: "${word}: a",
  config: Schema.Struct({ of: Step.expression }),
  behaviour: { kind: "item", apply: (_, row) => Effect.succeed(row) }
})
`
  const text = (step: string) =>
    `version: 1\nname: t\nextensions: ./steps.mts\nsteps:\n  - urls: [https://a.example/]\n  - ${step}\n`

  it.scoped.skipIf(skipsLong)(
    "is imported where code is allowed, and its steps are checked like any other",
    platform,
    function* () {
      const folder = yield* tempDir
      writeFileSync(`${folder}/steps.mts`, module("hum"))
      const checked = yield* checkText(text("hum: { of: url }"), folder)
      expect(checked.nodes.map(({ step }) => step.key)).toEqual(["urls", "hum"])
      expect(yield* issuesOf(checkText(text("hum: { of: url, at: 1 }"), folder))).toEqual([
        'unknown key "at", did you mean "of"?'
      ])
      expect(yield* issuesOf(checkText(text("hum: { of: $inputs.none }"), folder))).toEqual([
        expect.stringContaining('there is no input "none"')
      ])
      expect(yield* issuesOf(checkText(text("hum:\n      of: $f(a #b)"), folder))).toContainEqual(
        expect.stringContaining("a plain value ends at")
      )
    }
  )

  it.scoped("is not touched where code is not allowed", platform, function* () {
    const folder = yield* tempDir
    writeFileSync(`${folder}/steps.mts`, "throw new Error('it ran')")
    expect(yield* issuesOf(checkText(text("hum: { of: url }"), folder, false))).toEqual([
      "runs code of the project (./steps.mts): read it, and allow it with --allow-code"
    ])
  })

  it.scoped("says what is wrong with it", platform, function* () {
    const folder = yield* tempDir
    const said = (code: string) => {
      writeFileSync(`${folder}/steps.mts`, code)
      return issuesOf(checkText(text("hum: { of: url }"), folder))
    }
    expect(yield* issuesOf(checkText(text("hum: { of: url }"), folder))).toEqual([
      expect.stringContaining("./steps.mts cannot be read")
    ])
    expect(yield* said("export const a = 1")).toEqual([
      "./steps.mts exports no step, no sink and no schema: export one that Step.make, Sink.make or a schema library has made"
    ])
    expect(yield* said("throw new Error('no key')")).toEqual(["./steps.mts cannot be loaded: no key"])
    expect(yield* issuesOf(checkText("version: 1\nname: t\nextensions: [a]\nsteps:\n  - limit: 1\n", folder))).toEqual([
      expect.stringContaining("expected a .ts, .mts, .js or .mjs file")
    ])
  })

  it.scoped.skipIf(skipsLong)("is part of the definition's hash", platform, function* () {
    const folder = yield* tempDir
    writeFileSync(`${folder}/steps.mts`, module("hum"))
    const before = yield* checkText(text("hum: { of: url }"), folder)
    writeFileSync(`${folder}/steps.mts`, `${module("hum")}// louder\n`)
    const after = yield* checkText(text("hum: { of: url }"), folder)
    expect(definitionHash(before)).not.toBe(definitionHash(after))
    expect(before.source.text).toBe(after.source.text)
  })

  it.effect("says where the steps of a program are, when its definition is read elsewhere", platform, function* () {
    const { source } = yield* checkValue(definition)
    const read = yield* Effect.either(checkText(source.text, "/tmp"))
    expect(Either.isLeft(read) ? read.left.message : "").toContain(
      "counter, lookUp, shout: only the program that made this definition has these extensions"
    )
  })
})
