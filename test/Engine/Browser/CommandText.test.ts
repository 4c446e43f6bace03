/** Commands as programs write them: the same ones are understood, whatever else they hold. */
import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { bounds, headOf, read } from "../../../src/Engine/Browser/CommandText.ts"

const limits = { downloads: "/downloads" }
const bytes = (text: string) => new TextEncoder().encode(text)

describe("the head of a command that is not parsed", () => {
  it("is what a parser finds, in any order and whatever the params hold", () => {
    const head = fc.record(
      {
        id: fc.maxSafeInteger(),
        sessionId: fc.stringMatching(/^[\w-]{1,40}$/),
        params: fc.jsonValue(),
        other: fc.jsonValue()
      },
      { requiredKeys: [] }
    )
    fc.assert(
      fc.property(
        head,
        fc.shuffledSubarray(["id", "sessionId", "params", "other"], { minLength: 4 }),
        fc.nat(2),
        (value, order, indent) => {
          const sorted = Object.fromEntries(
            order.flatMap((key) => Object.entries(value).filter(([name]) => name === key))
          )
          expect(headOf(JSON.stringify(sorted, null, indent))).toEqual({ id: value.id, sessionId: value.sessionId })
        }
      )
    )
  })

  it("has no id that is a part of a string, a deeper object or another type", () => {
    for (const text of [
      '{"a":{"id":1}}',
      '{"a":"\\"id\\":1,"}',
      '["id",1]',
      '{"id":"1"}',
      '{"id":1.5}',
      '{"id":1e3}',
      '{"id":[1]}',
      '{"xid":1}',
      '{"id":99999999999999999}',
      '{"id',
      '{"id":1',
      ""
    ]) {
      expect(headOf(text).id, text).toBeUndefined()
    }
    expect(headOf('{"id":1,"id":2}').id).toBe(2)
  })
})

describe("a command", () => {
  it("is checked, and its params are serialized again", () => {
    expect(read(bytes('{"id":1,"method":"Page.enable","params":{ "a":1, "a":2 },"sessionId":"S"}'), limits)).toEqual({
      _tag: "Prepared",
      command: {
        id: 1,
        method: "Page.enable",
        sessionId: "S",
        target: undefined,
        session: undefined,
        refusal: undefined,
        params: '{"a":2}'
      }
    })
    expect(read(bytes('{"id":1,"method":"Page.navigate","params":{"url":"file:///"}}'), limits)).toMatchObject({
      command: { refusal: expect.stringContaining("only open web addresses"), params: undefined }
    })
  })

  it("beyond the bounds is refused under its id, and unreadable without one", () => {
    const deep = `${"[".repeat(bounds.levels)}${"]".repeat(bounds.levels)}`
    expect(read(bytes(`{"params":{"a":${deep}},"sessionId":"S","id":-3}`), limits)).toEqual({
      _tag: "Refused",
      id: -3,
      sessionId: "S",
      reason: "The command is nested more than 1000 levels deep."
    })
    expect(read(bytes(`{"params":{"id":1,"a":${deep}}}`), limits)).toMatchObject({ _tag: "Unreadable" })
  })
})
