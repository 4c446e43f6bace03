import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { describe, expect, it } from "../It.ts"
import { offline } from "../Services.ts"
import { runSteps } from "./Flow.ts"

/** These pipelines ask no service; port 9 of loopback would refuse them. */
const large = "9007199254740993"

describe("integers beyond 2^53 in a run", () => {
  it.scoped("keep all digits, with one warning for each step", offline, function* () {
    const warnings: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => {
      if (logLevel._tag === "Warning") warnings.push(String(message))
    })
    const lines = Array.from({ length: 5_000 }, (_, n) => `{"n":${n},"id":${large}${n}}\n`).join("")
    const { rows } = yield* runSteps(
      `  - urls: [http://127.0.0.1:1/a, http://127.0.0.1:1/b]
  - id: many
    read: in.jsonl
    each: true
  - id: side
    join: { file: side.csv, columns: { key: integer }, on: { left: id, right: key } }`,
      {},
      { "in.jsonl": lines, "side.csv": `key,name\n${large}7,seven\n` }
    ).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
    expect(rows.length).toBe(10_000)
    expect(rows.filter(({ id, n }) => id !== `${large}${n}`)).toEqual([])
    // Keys meet by their digits, too.
    expect(rows.filter(({ name }) => name === "seven").map(({ n }) => n)).toEqual([7, 7])
    expect(warnings).toEqual([
      `side: side.csv has integers beyond 2^53, like ${large}7: they are kept as strings, because numbers would lose digits`,
      `many: in.jsonl has integers beyond 2^53, like ${large}0: they are kept as strings, because numbers would lose digits`
    ])
  })
})

describe("the fields of join", () => {
  it.scoped("that no row of the file has are named in a warning, as is a key that none has", offline, function* () {
    const warnings: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => {
      if (logLevel._tag === "Warning") warnings.push(String(message))
    })
    const given = { "in.jsonl": '{"host":"a.example"}\n', "side.csv": "host,owner\na.example,Ann\nb.example,\n" }
    const { rows } = yield* runSteps(
      `  - read: in.jsonl
  - id: typo
    join: { file: side.csv, on: { left: host, right: hots }, fields: [owner, ownr] }
  - id: right
    join: { file: side.csv, on: host, fields: [owner] }`,
      {},
      given
    ).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
    expect(rows).toEqual([{ host: "a.example", owner: "Ann" }])
    expect(warnings).toEqual([
      "typo: none of 2 rows of side.csv has a value of hots, so no row matches: correct on.right",
      "typo: no row of side.csv has ownr: correct fields, or leave ownr out"
    ])
  })

  it.scoped("follow the row's own, in the order of the file, and the row's values win", offline, function* () {
    const given = { "in.jsonl": '{"b":1,"a":2}\n', "side.csv": "z,b,y\n9,1,8\n" }
    const row = (rows: ReadonlyArray<object>) => JSON.stringify(rows[0])
    const joined = yield* runSteps("  - read: in.jsonl\n  - join: { file: side.csv, on: b }", {}, given)
    expect(row(joined.rows)).toBe('{"b":1,"a":2,"z":"9","y":"8"}')
    const chosen = yield* runSteps("  - read: in.jsonl\n  - join: { file: side.csv, on: b, fields: [y, z] }", {}, given)
    expect(row(chosen.rows)).toBe('{"b":1,"a":2,"y":"8","z":"9"}')
    const nested = yield* runSteps("  - read: in.jsonl\n  - join: { file: side.csv, on: b, as: side }", {}, given)
    expect(row(nested.rows)).toBe('{"b":1,"a":2,"side":{"z":"9","b":"1","y":"8"}}')
  })
})
