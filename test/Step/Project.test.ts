import { appendFileSync } from "node:fs"
import { join as joinPath } from "node:path"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import type { Data } from "../../src/Row.ts"
import { KeySet } from "../../src/Step/KeySet.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { project, stepLine } from "../Project.ts"
import { breath, live, pacer, until } from "../Run/Lives.ts"
import { runStep, runStepOnce } from "./OneStep.ts"

/** Runs a step in a project with one file. */
const withFile = (file: string, content: string) => (step: string, fields: object, data: ReadonlyArray<Data>) =>
  runStepOnce(step, fields, data, { allowCode: true, id: "run-1" }, { files: { [file]: content } })

describe("join", () => {
  const owners = withFile(
    "owners.csv",
    "host,owner,team\nx.example,Ada,web\ny.example,Bo,data\nx.example,Cy,ops\n,nobody,\n"
  )
  const data = [{ host: "x.example", n: 1 }, { host: "z.example" }, { host: null }, {}, { host: "y.example" }]

  scoped("adds the fields of the first match, and passes rows without a match", function* () {
    const { data: made } = yield* owners("join", { file: "owners.csv", on: "host", fields: ["owner"] }, data)
    expect(made).toEqual([
      { host: "x.example", n: 1, owner: "Ada" },
      { host: "z.example" },
      { host: null },
      {},
      { host: "y.example", owner: "Bo" }
    ])
  })

  scoped("emits a row for every match with many: all, each with a key of its own", function* () {
    const config = {
      file: "owners.csv",
      on: { left: "$lowercase(site)", right: "host" },
      as: "who",
      many: "all",
      type: "inner"
    }
    const { data: made, keys } = yield* owners("join", config, [
      { site: "X.example", url: "https://x.example/" },
      { site: "" }
    ])
    expect(made.map(({ who }) => (who as Data).owner)).toEqual(["Ada", "Cy"])
    expect(keys).toEqual(["https://x.example/#0", "https://x.example/#1"])
  })

  scoped("matches a number with a CSV cell that has the same text", function* () {
    const codes = withFile("codes.csv", "code,says\n1,one\n")
    const { data: made } = yield* codes("join", { file: "codes.csv", on: "code" }, [{ code: 1 }, { code: "1" }])
    expect(made).toEqual([
      { code: 1, says: "one" },
      { code: "1", says: "one" }
    ])
  })

  scoped("rejects a row whose fields it would overwrite, or that has too many matches", function* () {
    const clash = yield* owners("join", { file: "owners.csv", on: "host" }, [{ host: "y.example", team: "mine" }])
    expect(clash.reasons).toEqual(["FieldExists"])
    const many = yield* owners("join", { file: "owners.csv", on: "host", many: "error" }, [data[0] ?? {}])
    expect(many.reasons).toEqual(["ManyMatches"])
  })

  scoped.skipIf(skipsLong)("gives the same when the file does not fit into memory", function* () {
    const lines = Array.from({ length: 3000 }, (_, index) => `h${(index * 7919) % 700},"n\t${index} ü",t\n`)
    const large = withFile("large.csv", `host,owner,team\n${lines.join("")}`)
    const rows = Array.from({ length: 900 }, (_, index) => ({ host: `h${index}`, url: `https://x.example/${index}` }))
    for (const many of ["first", "all", "error"]) {
      const config = { file: "large.csv", on: "host", many, as: "who" }
      const inMemory = yield* large("join", config, rows)
      const onDisk = yield* large("join", { ...config, maxRows: 10 }, rows)
      expect(onDisk.data).toEqual(inMemory.data)
      expect(onDisk.keys).toEqual(inMemory.keys)
      expect(onDisk.messages).toEqual(inMemory.messages)
    }
  })

  scoped("fails before the first row when the file has an invalid line", function* () {
    const broken = withFile("a.jsonl", '{"a":1}\nx\n')
    const failed = yield* broken("join", { file: "a.jsonl", on: "a" }, [])
    expect(failed.failure?.message).toContain("a.jsonl, line 2 is not JSON")
  })

  scoped("fails a resumed run when the file has changed", function* () {
    const steps = `${stepLine("urls", ["http://x.example/1", "http://x.example/2"])}  - scrape: {}
    concurrency: 1
  - join: { file: a.jsonl, on: { left: metadata.statusCode, right: a } }
`
    for (const changes of [false, true]) {
      const pace = pacer()
      const here = yield* project({ files: { "a.jsonl": '{"a":200}\n' }, onTestClock: true, service: pace.service })
      const first = yield* live(here, pace, steps)
      yield* until(() => pace.waiting() > 0)
      pace.release()
      yield* first.commit
      yield* first.kill
      if (changes) appendFileSync(joinPath(here.folder, "a.jsonl"), '{"a":2}\n')
      const second = yield* live(here, pace, steps, {}, first.run.id)
      expect(yield* second.end).toMatchObject(
        changes ? { left: { reason: { reason: "InputChanged" } } } : { right: { status: "completed", rows: 2 } }
      )
    }
  })
})

describe("use", () => {
  const code = `
    export default (row, { key, source, with: given, run }) => ({ ...row, key, given, source: source?.name ?? null, run: run.id })
    export const drop = (row) => (row.n > 1 ? row : undefined)
    export const many = async (row) => { await null; return [row, { n: -row.n }] }
    export const bad = (row) => ({ 1: { n: 1, at: new Date(0) }, 2: 5, 3: { f: () => 1 }, 4: [{ a: NaN }] })[row.n]
    export const throws = (row) => { if (row.n === 1) throw new Error("no one\\nat all"); return row }
    export const rejects = async () => { throw "a text" }
    export const mutates = (row) => { row.list.push(1); delete row.n; return row }
    export const circular = (row) => { row.self = row; return row }
    export const hangs = (row) => (row.n === 1 ? new Promise(() => {}) : row)
    export const value = 5`
  const run = withFile("code.ts", `type Row = { n: number }\n${code}`)
  const use1 = (name: string, data: ReadonlyArray<Data>) => run("use", { module: "./code.ts", export: name }, data)

  scoped("passes the row, its key and the `with` of the definition to a TypeScript function", function* () {
    const { data } = yield* run("use", { module: "code.ts", with: { a: [1] } }, [{ url: "https://x.example/A" }])
    expect(data).toEqual([
      { url: "https://x.example/A", key: "https://x.example/A", given: { a: [1] }, source: null, run: "run-1" }
    ])
  })

  scoped("accepts no row, one or several, also from a Promise, and numbers the keys of several", function* () {
    expect((yield* use1("drop", [{ n: 1 }, { n: 2 }])).data).toEqual([{ n: 2 }])
    const { data, keys } = yield* use1("many", [{ n: 1, url: "https://x.example/" }])
    expect(data.map(({ n }) => n)).toEqual([1, -1])
    expect(keys).toEqual(["https://x.example/#0", "https://x.example/#1"])
  })

  scoped("rejects the row when the function throws or returns what is not JSON", function* () {
    const thrown = yield* use1("throws", [{ n: 1 }, { n: 2 }])
    expect(thrown.data).toEqual([{ n: 2 }])
    expect(thrown.messages).toEqual(["./code.ts: no one"])
    expect((yield* use1("rejects", [{ n: 1 }])).messages).toEqual(['./code.ts: it throws "a text"'])
    expect((yield* use1("bad", [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }])).messages).toEqual([
      "./code.ts: the row.at is a Date, but a row must be plain JSON",
      "./code.ts: the row is not an object, but a row must be plain JSON",
      "./code.ts: the row.f is a function, but a row must be plain JSON",
      "./code.ts: row 0.a is NaN, but a row must be plain JSON"
    ])
    expect((yield* use1("circular", [{ n: 1 }])).messages[0]).toContain("nested too deeply, or contains itself")
  })

  scoped("rejects a row when the function does not return before the timeout", function* () {
    for (const [timeout, adjustment, said] of [
      ["    timeout: 2s\n", "2 seconds", "2s"],
      ["", "5 minutes", "5m"]
    ] as const) {
      const here = yield* project({ files: { "code.js": code }, onTestClock: true })
      const fiber = yield* Effect.fork(
        runStep(here, "use", { module: "./code.js", export: "hangs" }, [{ n: 1 }, { n: 2 }], {
          allowCode: true,
          more: timeout
        })
      )
      yield* Effect.zipRight(breath, TestClock.adjust(adjustment)).pipe(
        Effect.repeat({ until: () => fiber.unsafePoll() !== null })
      )
      const { data, messages } = yield* Fiber.join(fiber)
      expect(data).toEqual([{ n: 2 }])
      expect(messages).toEqual([`./code.js: the function did not finish within ${said}`])
    }
  })

  scoped("keeps changes of the function to its row from the other branches", function* () {
    const before = { n: 1, list: [0] }
    const { data, emitted } = yield* use1("mutates", [before])
    expect(data).toEqual([{ list: [0, 1] }])
    expect(emitted("read").map((row) => row.data)).toEqual([before])
  })

  scoped("says before the first row what is wrong with the module", function* () {
    const messages: Array<string | undefined> = []
    for (const name of ["value", "drp"]) messages.push((yield* use1(name, [])).failure?.message)
    messages.push((yield* run("use", { module: "./none.ts" }, [])).failure?.message)
    expect(messages.slice(0, 2)).toEqual([
      "./code.ts: its export value is no function",
      './code.ts: its export drp is not there, did you mean "drop"?'
    ])
    expect(messages[2]).toMatch(/^\.\/none\.ts cannot be loaded: Cannot find module/)
  })

  scoped("runs no code unless it is allowed", function* () {
    const { failure } = yield* runStepOnce(
      "use",
      { module: "./code.ts" },
      [{ n: 1 }],
      {},
      { files: { "code.ts": code } }
    )
    expect(failure).toMatchObject({ reason: "CodeNotAllowed", message: expect.stringContaining("--allow-code") })
  })
})

describe("the key set of dedupe", () => {
  it("tells a hundred thousand keys apart in 16 bytes each, also when it is restored", () => {
    const marks = new KeySet()
    const keys = Array.from({ length: 100_000 }, (_, index) => `https://x.example/${index}`)
    expect(keys.every((key) => marks.add(key))).toBe(true)
    expect(keys.some((key) => marks.add(key))).toBe(false)
    expect(marks.size).toBe(100_000)
    const kept = marks.taken()
    expect([Buffer.from(kept, "base64url").length, marks.taken()]).toEqual([1_600_000, ""])
    const again = new KeySet()
    again.restore(kept)
    expect(keys.every((key) => again.has(key))).toBe(true)
    expect(again.has("https://x.example/100000")).toBe(false)
    expect(again.taken()).toBe("")
  })
})
