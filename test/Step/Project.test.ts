import { appendFileSync, writeFileSync } from "node:fs"
import { join as joinPath } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import type { Data } from "../../src/Row.ts"
import { join } from "../../src/Step/Join.ts"
import { Marks } from "../../src/Step/Marks.ts"
import { use } from "../../src/Step/Use.ts"
import type * as Step from "../../src/Step.ts"
import { tempDir } from "../Local.ts"
import { type Event, pass, rowsOf } from "./Machine.ts"

/** Runs a step in a folder with one file. */
const inFolder = (file: string, content: string) => (step: Step.Any, config: object, data: ReadonlyArray<Data>) =>
  Effect.gen(function* () {
    const folder = yield* tempDir
    writeFileSync(joinPath(folder, file), content)
    const result = yield* pass(step, config, rowsOf(data), [], { folder, allowCode: true })
    return { ...result, data: result.rows.map(([, each]) => each), keys: result.rows.map(([key]) => key) }
  })

describe("join", () => {
  const owners = inFolder(
    "owners.csv",
    "host,owner,team\nx.example,Ada,web\ny.example,Bo,data\nx.example,Cy,ops\n,nobody,\n"
  )
  const data = [{ host: "x.example", n: 1 }, { host: "z.example" }, { host: null }, {}, { host: "y.example" }]

  it.scoped("adds the fields of the first match, and lets the others pass", () =>
    Effect.gen(function* () {
      const { data: made } = yield* owners(join, { file: "owners.csv", on: "host", fields: ["owner"] }, data)
      expect(made).toEqual([
        { host: "x.example", n: 1, owner: "Ada" },
        { host: "z.example" },
        { host: null },
        {},
        { host: "y.example", owner: "Bo" }
      ])
    })
  )

  it.scoped("gives a row for every match under one name, with identities of their own", () =>
    Effect.gen(function* () {
      const config = {
        file: "owners.csv",
        on: { left: "$lowercase(site)", right: "host" },
        as: "who",
        many: "all",
        type: "inner"
      }
      const { data: made, keys } = yield* owners(join, config, [
        { site: "X.example", url: "https://x.example/" },
        { site: "" }
      ])
      expect(made.map(({ who }) => (who as Data).owner)).toEqual(["Ada", "Cy"])
      expect(keys).toEqual(["https://x.example/#0", "https://x.example/#1"])
    })
  )

  it.scoped("meets a number with the text of a cell", () =>
    Effect.gen(function* () {
      const codes = inFolder("codes.csv", "code,says\n1,one\n")
      const { data: made } = yield* codes(join, { file: "codes.csv", on: "code" }, [{ code: 1 }, { code: "1" }])
      expect(made).toEqual([
        { code: 1, says: "one" },
        { code: "1", says: "one" }
      ])
    })
  )

  it.scoped("rejects a row that it would write over, or that has too many matches", () =>
    Effect.gen(function* () {
      const clash = yield* owners(join, { file: "owners.csv", on: "host" }, [{ host: "y.example", team: "mine" }])
      expect(clash.rejects.map(([, reason]) => reason)).toEqual(["FieldExists"])
      const many = yield* owners(join, { file: "owners.csv", on: "host", many: "error" }, [data[0] ?? {}])
      expect(many.rejects.map(([, reason]) => reason)).toEqual(["ManyMatches"])
    })
  )

  it.scoped("fails before any row when the file is too large, or has a line that is no row", () =>
    Effect.gen(function* () {
      const large = yield* Effect.flip(owners(join, { file: "owners.csv", on: "host", maxRows: 2 }, data))
      expect(large.message).toBe("owners.csv has more than the 2 rows that join holds: raise maxRows")
      const broken = inFolder("a.jsonl", '{"a":1}\nx\n')
      const failed = yield* Effect.flip(broken(join, { file: "a.jsonl", on: "a" }, []))
      expect(failed.message).toContain("a.jsonl, line 2 is not JSON")
    })
  )

  it.scoped("does not go on when the file has changed", () =>
    Effect.gen(function* () {
      const folder = yield* tempDir
      writeFileSync(joinPath(folder, "a.jsonl"), '{"a":1}\n')
      const rows = rowsOf([{ a: 1 }, { a: 1 }])
      const plan: ReadonlyArray<Event> = [
        { rows: 1, after: "checkpoint" },
        { rows: 1, after: "crash" }
      ]
      const config = { file: "a.jsonl", on: "a" }
      expect((yield* pass(join, config, rows, plan, { folder })).rows.length).toBe(2)
      const changing = {
        ...join,
        behaviour: {
          ...join.behaviour,
          make: (...[decoded, context, saved]: Parameters<typeof join.behaviour.make>) => {
            if (saved.value !== undefined) appendFileSync(joinPath(folder, "a.jsonl"), '{"a":2}\n')
            return join.behaviour.make(decoded, context, saved)
          }
        }
      }
      const failed = yield* Effect.flip(pass(changing, config, rows, plan, { folder }))
      expect(failed.reason).toBe("InputChanged")
    })
  )
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
  const run = inFolder("code.ts", `type Row = { n: number }\n${code}`)
  const use1 = (name: string, data: ReadonlyArray<Data>) => run(use, { module: "./code.ts", export: name }, data)

  it.scoped("gives a TypeScript function the row, its key, and what the definition says", () =>
    Effect.gen(function* () {
      const { data } = yield* run(use, { module: "code.ts", with: { a: [1] } }, [{ url: "https://x.example/A" }])
      expect(data).toEqual([
        { url: "https://x.example/A", key: "https://x.example/A", given: { a: [1] }, source: null, run: "run-1" }
      ])
    })
  )

  it.scoped("takes nothing, one or many rows, also from a Promise, and numbers many", () =>
    Effect.gen(function* () {
      expect((yield* use1("drop", [{ n: 1 }, { n: 2 }])).data).toEqual([{ n: 2 }])
      const { data, keys } = yield* use1("many", [{ n: 1, url: "https://x.example/" }])
      expect(data.map(({ n }) => n)).toEqual([1, -1])
      expect(keys).toEqual(["https://x.example/#0", "https://x.example/#1"])
    })
  )

  it.scoped("rejects the row when the function throws, or gives what is not JSON", () =>
    Effect.gen(function* () {
      const thrown = yield* use1("throws", [{ n: 1 }, { n: 2 }])
      expect(thrown.data).toEqual([{ n: 2 }])
      expect(thrown.messages).toEqual(["./code.ts: no one"])
      expect((yield* use1("rejects", [{ n: 1 }])).messages).toEqual(['./code.ts: it throws "a text"'])
      expect((yield* use1("bad", [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }])).messages).toEqual([
        "./code.ts: the row.at is a Date, and a row is plain JSON",
        "./code.ts: the row is no object, and a row is plain JSON",
        "./code.ts: the row.f is a function, and a row is plain JSON",
        "./code.ts: row 0.a is NaN, and a row is plain JSON"
      ])
      expect((yield* use1("circular", [{ n: 1 }])).messages[0]).toContain("nested too deeply, or in itself")
    })
  )

  it.scoped("rejects the row that the function never has done with, after its timeout", () =>
    Effect.gen(function* () {
      const folder = yield* tempDir
      writeFileSync(joinPath(folder, "code.js"), code)
      const hang = (timeout?: Duration.Duration) =>
        pass(use, { module: "./code.js", export: "hangs" }, rowsOf([{ n: 1 }, { n: 2 }]), [], {
          folder,
          allowCode: true,
          ...(timeout === undefined ? {} : { timeout })
        }).pipe(Effect.uninterruptible, Effect.fork)
      const short = yield* hang(Duration.seconds(2))
      const long = yield* hang()
      yield* TestClock.adjust("2 seconds").pipe(Effect.repeat({ until: () => short.unsafePoll() !== null }))
      const { messages, rows } = yield* Fiber.join(short)
      expect(rows.map(([, data]) => data)).toEqual([{ n: 2 }])
      expect(messages).toEqual(["./code.js: it has given nothing in 2s"])
      yield* TestClock.adjust("5 minutes")
      expect((yield* Fiber.join(long)).messages).toEqual(["./code.js: it has given nothing in 5m"])
    })
  )

  it.scoped("keeps to itself what the function does to its row", () =>
    Effect.gen(function* () {
      const before = { n: 1, list: [0] }
      expect((yield* use1("mutates", [before])).data).toEqual([{ list: [0, 1] }])
      expect(before).toEqual({ n: 1, list: [0] })
    })
  )

  it.scoped("says what is wrong with the module before any row", () =>
    Effect.gen(function* () {
      const messages: Array<string> = []
      for (const name of ["value", "drp"]) messages.push((yield* Effect.flip(use1(name, []))).message)
      messages.push((yield* Effect.flip(run(use, { module: "./none.ts" }, []))).message)
      expect(messages.slice(0, 2)).toEqual([
        "./code.ts: its export value is no function",
        './code.ts: its export drp is not there, did you mean "drop"?'
      ])
      expect(messages[2]).toMatch(/^\.\/none\.ts cannot be loaded: Cannot find module/)
    })
  )

  it.effect("runs no code unless it is allowed", () =>
    Effect.gen(function* () {
      const failed = yield* Effect.flip(pass(use, { module: "./code.ts" }, rowsOf([{ n: 1 }])))
      expect(failed).toMatchObject({ reason: "CodeNotAllowed", message: expect.stringContaining("--allow-code") })
    })
  )
})

describe("the marks of dedupe", () => {
  it("tell a hundred thousand keys apart in 16 bytes each, also when they are put back", () => {
    const marks = new Marks()
    const keys = Array.from({ length: 100_000 }, (_, index) => `https://x.example/${index}`)
    expect(keys.every((key) => marks.add(key))).toBe(true)
    expect(keys.some((key) => marks.add(key))).toBe(false)
    expect(marks.size).toBe(100_000)
    const kept = marks.taken()
    expect([Buffer.from(kept, "base64url").length, marks.taken()]).toEqual([1_600_000, ""])
    const again = new Marks()
    again.restore(kept)
    expect(keys.every((key) => again.has(key))).toBe(true)
    expect(again.has("https://x.example/100000")).toBe(false)
    expect(again.taken()).toBe("")
  })
})
