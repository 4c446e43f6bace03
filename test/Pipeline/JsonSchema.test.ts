import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { Ajv } from "ajv"
import { parse } from "yaml"
import { builtIn as steps } from "../../src/Pipeline/Extensions.ts"
import { pipelineSchema } from "../../src/Pipeline/JsonSchema.ts"
import { testSchema } from "../../src/Pipeline/TestFile.ts"

const folder = fileURLToPath(new URL("../../pipelines", import.meta.url))
const definitions = readdirSync(folder).filter((name) => /^[^.]+\.yaml$/.test(name))

/** Strict, but what is beside a `$ref` or under a `oneOf` need not say again what stands there. */
const ajv = new Ajv({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allErrors: true,
  formats: { uri: true, uuid: true }
})
const validate = ajv.compile(pipelineSchema())

describe("the JSON Schema of pipelines", () => {
  it.each(definitions)("fits %s", (name) => {
    const valid = validate(parse(readFileSync(`${folder}/${name}`, "utf8")))
    expect(validate.errors ?? []).toEqual([])
    expect(valid).toBe(true)
  })

  const frame = { version: 1, name: "t" }
  it.each([
    ["an unknown key", { ...frame, stepss: [], steps: [{ limit: 1 }] }, ""],
    ["an unknown step", { ...frame, steps: [{ serch: { query: "x" } }] }, "/steps/0"],
    ["two steps in one", { ...frame, steps: [{ limit: 1, where: "true" }] }, "/steps/0"],
    ["a value out of bounds", { ...frame, steps: [{ search: { query: "x", limit: 500 } }] }, "/steps/0/search/limit"],
    ["an unknown field", { ...frame, steps: [{ search: { query: "x", limitt: 5 } }] }, "/steps/0/search"],
    ["an unknown key beside a step", { ...frame, steps: [{ limit: 1, concurency: 2 }] }, "/steps/0"],
    ["a value of another type", { ...frame, steps: [{ limit: 1 }, { write: { jsonl: 3 } }] }, "/steps/1/write/jsonl"],
    [
      "${{ }} within an expression",
      { ...frame, steps: [{ limit: 1 }, { where: "n > ${{ inputs.n }}" }] },
      "/steps/1/where"
    ],
    ["no steps", { ...frame, steps: [] }, "/steps"]
  ])("refuses %s, and points at it", (_, definition, place) => {
    expect(validate(definition)).toBe(false)
    const places = (validate.errors ?? []).map(({ instancePath }) => instancePath)
    expect(places).toContain(place)
    for (const each of places) expect(place === each || place.startsWith(`${each}/`), each).toBe(true)
  })

  it("accepts ${{ }} for a number or an array", () => {
    const search = { query: "x", limit: "${{ inputs.n }}", sources: "${{ inputs.sources }}" }
    expect(validate({ ...frame, steps: [{ search }] })).toBe(true)
  })

  it("fits the tests beside the definitions", () => {
    const fits = ajv.compile(testSchema())
    const tests = readdirSync(folder).filter((name) => name.endsWith(".test.yaml"))
    expect(tests.length).toBeGreaterThan(0)
    for (const name of tests) {
      fits(parse(readFileSync(`${folder}/${name}`, "utf8")))
      expect(fits.errors ?? [], name).toEqual([])
    }
  })

  it("describes every step", () => {
    const text = JSON.stringify(pipelineSchema())
    for (const step of steps) expect(text).toContain(step.summary)
  })

  it("lists the known formats for editors, and accepts others", () => {
    const { $defs } = pipelineSchema() as { readonly $defs: Readonly<Record<string, object>> }
    expect(JSON.stringify($defs.Format)).toContain('"examples":["markdown","html"')
    expect(JSON.stringify($defs.Format)).not.toContain("enum")
  })
})
