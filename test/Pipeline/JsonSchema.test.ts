import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { Ajv } from "ajv"
import { parse } from "yaml"
import { pipelineSchema } from "../../src/Pipeline/JsonSchema.ts"
import { steps } from "../../src/Pipeline/Steps.ts"

const folder = fileURLToPath(new URL("../../pipelines", import.meta.url))
const definitions = readdirSync(folder).filter((name) => /^[^.]+\.yaml$/.test(name))

const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(pipelineSchema())

describe("the JSON Schema of pipelines", () => {
  it.each(definitions)("fits %s", (name) => {
    const valid = validate(parse(readFileSync(`${folder}/${name}`, "utf8")))
    expect(validate.errors ?? []).toEqual([])
    expect(valid).toBe(true)
  })

  const frame = { version: 1, name: "t" }
  it.each([
    ["an unknown key", { ...frame, stepss: [], steps: [{ limit: 1 }] }],
    ["an unknown step", { ...frame, steps: [{ serch: { query: "x" } }] }],
    ["a value out of bounds", { ...frame, steps: [{ search: { query: "x", limit: 500 } }] }],
    ["an unknown key beside a step", { ...frame, steps: [{ limit: 1, concurency: 2 }] }],
    ["no steps", { ...frame, steps: [] }]
  ])("refuses %s", (_, definition) => {
    expect(validate(definition)).toBe(false)
  })

  it("lets ${{ }} stand for a number or a list", () => {
    const search = { query: "x", limit: "${{ inputs.n }}", sources: "${{ inputs.sources }}" }
    expect(validate({ ...frame, steps: [{ search }] })).toBe(true)
  })

  it("describes every step", () => {
    const text = JSON.stringify(pipelineSchema())
    for (const step of steps) expect(text).toContain(step.summary)
  })
})
