/** Contract files: what is read from them, and what stays when they change. */
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { outputOf, parse, render, schemaOf, withColumns } from "../../src/Contract/Contract.ts"
import { pages } from "../docs/Pages.ts"

const read = (text: string) => Either.getOrThrowWith(parse(text), (reason) => new Error(reason))

describe("a contract file", () => {
  it("is read as the documentation shows it, and written so that it reads the same", () => {
    const [example] = pages
      .flatMap(({ blocks }) => blocks)
      .filter(({ language, page }) => page === "docs/contract.md" && language === "yaml")
    const contract = read(example?.text ?? "")
    expect(Object.keys(contract.outputs)).toEqual(["write"])
    expect(read(render(contract))).toEqual(contract)
  })

  it("names the place of a mistake", () => {
    const wrong = (text: string) => Either.flip(parse(text)).pipe(Either.getOrThrow)
    expect(wrong("version: 1\noutputs: { write: { columns: { a: { type: text } } } }")).toMatch(
      /^outputs\.write\.columns\.a\.type: expected string, integer, .* or json \(line 2, column 43\)$/
    )
    expect(wrong("version: 1\noutputs: { write: { columns: {}, key: [id] } }")).toBe(
      "outputs.write.key: there is no column id (line 2, column 39)"
    )
    expect(wrong("version: 1\nonNew: keep\noutputs: {}")).toBe(
      "onNew: expected add, drop, reject or hold (line 2, column 8)"
    )
    expect(wrong("version: 1\noutputs: {}\ncolumns: {}")).toMatch(/^columns: /)
    expect(wrong("version: 1\noutputs:\n  write:\n    columns:\n      a: { type: string, nulable: true }")).toBe(
      'outputs.write.columns.a.nulable: there is no such key, did you mean "nullable"? (line 5, column 35)'
    )
    expect(wrong("version: [")).not.toBe("")
  })

  it("uses the policies of the column, the output and the file, in this order", () => {
    const contract = read(`version: 1
onType: reject
outputs:
  a: { columns: { x: { type: integer, onType: coerce } } }
  b: { onType: widen, columns: {} }
`)
    expect(outputOf(contract, "a")).toMatchObject({ onNew: "add", onType: "reject", onMissing: "null" })
    expect(outputOf(contract, "b")).toMatchObject({ onType: "widen" })
    expect(outputOf(contract, "c")).toBeUndefined()
  })

  it("keeps comments and everything else when columns change", () => {
    const text = `version: 1 # first
outputs:
  write:
    columns:
      # the number
      a: { type: integer, enum: [ 1 ] }
      b: { type: string }
`
    const before = read(text).outputs.write?.columns ?? {}
    const after = {
      a: { type: "json", nullable: true },
      b: { type: "string", nullable: false },
      c: { type: "date", nullable: true }
    } as const
    expect(withColumns(text, "write", before, after)).toBe(`version: 1 # first
outputs:
  write:
    columns:
      # the number
      a: { type: json, nullable: true }
      b: { type: string }
      c: { type: date, nullable: true }
`)
  })

  it("has the same schema id as another one that readers cannot tell apart", () => {
    const a = { type: "integer", nullable: false } as const
    const b = { type: "string", nullable: true } as const
    expect(schemaOf({ a, b }).id).toBe(schemaOf({ b, a: { ...a, examples: [1], description: "x" } }).id)
    expect(schemaOf({ a, b }).id).not.toBe(schemaOf({ a, b: a }).id)
  })
})
