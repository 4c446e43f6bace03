import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { read } from "../../../src/Engine/Model/AnswerSchema.ts"

const faults = (schema: object, answer: unknown) => Either.getOrThrow(read(schema)).faults(answer)
const refusal = (schema: unknown) => Either.getOrThrow(Either.flip(read(schema)))

const heron = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Heron",
  type: "object",
  properties: {
    name: { type: "string", pattern: "^[A-Z]", minLength: 2, description: "as written" },
    seen: { type: "string", format: "date" },
    nests: { type: "array", items: { $ref: "#/$defs/nest" } }
  },
  required: ["name"],
  additionalProperties: false,
  $defs: { nest: { type: "object", properties: { eggs: { type: "integer", minimum: 0 } }, required: ["eggs"] } }
}

describe("AnswerSchema", () => {
  it("finds nothing wrong with an answer that fits, and leaves the schema as it was given", () => {
    expect(faults(heron, { name: "Ardea", seen: "2024-02-29", nests: [{ eggs: 3 }] })).toEqual([])
    expect(Either.getOrThrow(read(heron)).json).toBe(heron)
  })

  it("says where an answer is wrong, and how", () => {
    const wrong = faults(heron, { name: "ardea", seen: "2023-02-29", nests: [{ eggs: 1.5 }], wings: 2 }).join("\n")
    expect(wrong).toContain(`/name: String does not match pattern "^[A-Z]"`)
    expect(wrong).toContain(`/seen: String does not match format "date"`)
    expect(wrong).toContain("/nests/0/eggs")
    expect(wrong).toContain("wings")
    expect(faults(heron, {}).join()).toContain(`required property "name"`)
    expect(faults(heron, []).join()).toContain("the answer: Instance type")
  })

  it("checks a pattern beside a format and beside allOf", () => {
    const schema = { type: "string", pattern: "^2", format: "date", allOf: [{ maxLength: 10 }] }
    expect(faults(schema, "2024-01-01")).toEqual([])
    expect(faults(schema, "1999-01-01")).not.toEqual([])
    expect(faults(schema, "2024-13-01")).not.toEqual([])
  })

  it("understands what other dialects say", () => {
    expect(faults({ type: "string", nullable: true }, null)).toEqual([])
    expect(faults({ type: "number", minimum: 1, exclusiveMinimum: true }, 2)).toEqual([])
    expect(faults({ type: "number", minimum: 1, exclusiveMinimum: true }, 0)).not.toEqual([])
    expect(faults({ type: ["string", "null"], "x-note": { pattern: 5 } }, null)).toEqual([])
  })

  it("leaves no pattern behind for the next schema", () => {
    expect(faults({ type: "string", pattern: "^a" }, "b")).not.toEqual([])
    expect(faults({ type: "string", format: "pattern ^a" }, "b")).toEqual([])
  })

  it("refuses what it would not understand, by its place", () => {
    expect(refusal("text")).toContain("expected an object")
    expect(refusal({ properties: { a: { pattern: "(?=x)" } } })).toMatch(/schema\.properties\.a\.pattern.*linear/)
    expect(refusal({ patternProperties: { "^a": true } })).toContain("patternProperties")
    expect(refusal({ $ref: "https://elsewhere.test/schema" })).toContain("within the schema")
    expect(refusal({ $ref: "#/$defs/none" })).toContain("the reference #/$defs/none leads to nothing in the schema")
    expect(refusal({ type: "text" })).toContain("schema.type: expected one of string")
    expect(refusal({ required: 5 })).toContain("schema.required")
    expect(refusal({ properties: { a: 5 } })).toContain("schema.properties.a")
    expect(refusal({ type: "string", pattern: "a".repeat(201) })).toContain("200 characters")
    expect(refusal({ enum: ["x".repeat(100_001)] })).toContain("100000 characters")
  })

  it("gives up on a schema that multiplies itself, and on one that goes in circles", () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `d${at}`,
        at === 39 ? { type: "string" } : { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] }
      ])
    )
    expect(faults({ $ref: "#/$defs/d0", $defs: doubling }, "x").join()).toContain("too often")
    expect(faults({ $ref: "#" }, "x").join()).toMatch(/too often|too complex/)
    expect(faults({ type: "string", pattern: "^(a+)+$" }, `${"a".repeat(300_000)}b`).join()).toContain("too long")
  })

  it("bounds the answer itself", () => {
    expect(
      faults(
        { uniqueItems: true },
        Array.from({ length: 5_001 }, (_, at) => at)
      ).join()
    ).toContain("5000 items")
    let deep: unknown = 1
    for (let at = 0; at < 100; at++) deep = [deep]
    expect(faults({}, deep).join()).toContain("nested")
  })
})
