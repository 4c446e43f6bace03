import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { decodeSaved, SavedRow, withGot } from "../../src/Row/SavedValue.ts"
import { toJson } from "../../src/Row.ts"
import { decodeEntries, decodeState } from "../../src/Step/SavedState.ts"

const decode = decodeSaved(Schema.Struct({ offset: Schema.Number, held: Schema.optional(Schema.Array(SavedRow)) }))

describe("a saved value", () => {
  it("is read as it was saved, with the rows in it", () => {
    const row = { data: { n: 1 }, key: "a", position: 2 }
    const saved: unknown = JSON.parse(JSON.stringify({ offset: 1, held: [toJson(row)] }))
    expect(decode("The state of step read", saved)).toEqual(Either.right({ offset: 1, held: [row] }))
  })

  it("that does not match its schema is an error that names the value, the field and what to do", () => {
    expect(Either.flip(decode("The state of step read", { offset: "1" })).pipe(Either.getOrThrow).message).toBe(
      'The state of step read was saved in a shape that this version cannot read: offset: Expected number, actual "1". Start the run again instead of resuming it.'
    )
    const held = Either.flip(decode("The state of step read", { offset: 1, held: [{ data: {} }, { data: null }] }))
    expect(Either.getOrThrow(held).problem).toContain("held.1: Expected a row")
  })
})

describe("a value with `got`", () => {
  it("is read also where an earlier version saved `came`", () => {
    const read = decodeSaved(withGot(Schema.Struct({ expected: Schema.String, got: Schema.String })))
    for (const name of ["got", "came"])
      expect(read("It", { expected: "5", [name]: "3" })).toEqual(Either.right({ expected: "5", got: "3" }))
  })
})

describe("the saved state of a step", () => {
  const context = { id: "sort" }

  it("is undefined at the first start", () => {
    expect(decodeState(Schema.Number)(context, undefined)).toEqual(Either.right(undefined))
  })

  it("ends the run with the step and the entry that cannot be read", () => {
    const entries: ReadonlyArray<readonly [string, string | number]> = [
      ["000000000000", 1],
      ["000000000001", "two"]
    ]
    const failure = Either.flip(decodeEntries(Schema.Number)(context, { value: undefined, entries }))
    expect(Either.getOrThrow(failure)).toMatchObject({
      reason: "SavedValueInvalid",
      scope: "run",
      exitCode: 1,
      message: expect.stringMatching(/^Entry 000000000001 in the state of step sort was saved .*"two"/)
    })
  })
})
