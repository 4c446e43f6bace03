import { describe, expect, it } from "@effect/vitest"
import * as ColumnProfile from "../../src/Dashboard/Outputs.ts"

const profileOf = (rows: ReadonlyArray<Readonly<Record<string, unknown>>>, isText = false) => {
  const collected = ColumnProfile.makeProfile(isText)
  for (const row of rows) collected.add(row)
  return new Map(collected.profiles().map((column) => [column.name, column]))
}

describe("The profile of a column", () => {
  it("has its fill rate, types, ranges and most frequent values", () => {
    const columns = profileOf([
      { city: "Bern", level: 2.5, tags: ["a"] },
      { city: "Bern", level: 3 },
      { city: "", level: null },
      { city: "Zug", level: "dry" }
    ])
    expect(columns.get("city")).toEqual({
      name: "city",
      filled: 3,
      types: [{ type: "string", rows: 3 }],
      distinct: 2,
      hasMore: false,
      lengths: { least: 3, greatest: 4 },
      top: [{ value: "Bern", rows: 2 }]
    })
    expect(columns.get("level")).toMatchObject({
      filled: 3,
      types: [
        { type: "number", rows: 2 },
        { type: "string", rows: 1 }
      ],
      range: { least: 2.5, greatest: 3 },
      lengths: { least: 3, greatest: 3 },
      top: []
    })
    expect(columns.get("tags")).toMatchObject({ filled: 1, types: [{ type: "array", rows: 1 }] })
  })

  it("reads the types of text cells, and keeps what looks like a number only in part as text", () => {
    const columns = profileOf(
      [
        { a: "1", b: "true", c: "1 km" },
        { a: "-2.5e3", b: "", c: "0x10" }
      ],
      true
    )
    expect(columns.get("a")).toMatchObject({ range: { least: -2500, greatest: 1 } })
    expect(columns.get("b")).toMatchObject({ filled: 1, types: [{ type: "boolean", rows: 1 }] })
    expect(columns.get("c")).toMatchObject({ types: [{ type: "string", rows: 2 }] })
  })

  it("counts text cells as they are written, and takes no code for a number", () => {
    const texts = ["7", "7.0", "007", "7", "12345678901234567890", "1e999"]
    const column = profileOf(
      texts.map((code) => ({ code })),
      true
    ).get("code")
    expect(column).toMatchObject({
      types: [
        { type: "integer", rows: 3 },
        { type: "string", rows: 3 }
      ],
      distinct: 5,
      range: { least: 7, greatest: 7 },
      lengths: { least: 3, greatest: 20 },
      top: [{ value: "7", rows: 2 }]
    })
  })

  it("keeps a bounded number of columns and distinct values, also with names like __proto__", () => {
    const wide = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`c${index}`, 1]))
    const columns = profileOf([JSON.parse('{"__proto__":1}'), wide])
    expect(columns.size).toBe(ColumnProfile.profileLimits.columns)
    expect(columns.get("__proto__")).toMatchObject({ filled: 1 })
    const many = profileOf(Array.from({ length: 5_000 }, (_, id) => ({ id, long: `${"x".repeat(5_000)}${id}` })))
    expect(many.get("id")).toMatchObject({
      filled: 5_000,
      distinct: ColumnProfile.profileLimits.distinct,
      hasMore: true
    })
    expect(many.get("long")?.top[0]?.value.length).toBeLessThan(100)
  })
})
