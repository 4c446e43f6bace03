import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { everywhere } from "../../src/Cli/Arguments.ts"
import { isForProfiles } from "../../src/Cli/CommandSettings.ts"
import { wholeBook } from "../../src/Cli/Explain.ts"
import { commonKeys } from "../../src/Pipeline/Definition.ts"
import { builtIn as steps } from "../../src/Pipeline/Extensions.ts"
import { pipelineSchema } from "../../src/Pipeline/JsonSchema.ts"
import { type Entry, reference } from "../../src/Pipeline/Reference.ts"
import { catalogue } from "../../src/Row/Expression/Catalogue.ts"
import { functionNames } from "../../src/Row/Expression/Functions.ts"
import { catalogue as settings } from "../../src/Settings.ts"
import { ExitCode } from "../../src/TypedError/ExitCode.ts"
import { loaded } from "../Cli/Loaded.ts"

const all = reference()
const step = (key: string): Entry => {
  const found = [...all.steps, ...all.sinks].find((each) => each.key === key)
  if (found === undefined) throw new Error(`no ${key}`)
  return found
}
const field = (key: string, name: string) =>
  step(key)
    .shapes.flatMap(({ fields }) => fields)
    .find((each) => each.name === name)

describe("the reference", () => {
  it("is up to date in docs/reference.md (otherwise: npm run reference)", () => {
    const file = fileURLToPath(new URL("../../docs/reference.md", import.meta.url))
    expect(
      readFileSync(file, "utf8") === wholeBook(all, loaded),
      "docs/reference.md is not current: npm run reference"
    ).toBe(true)
  })

  it("is the same at every time of day", () => {
    expect(wholeBook(reference(), loaded)).toBe(wholeBook(reference(), loaded))
    expect(wholeBook(all, loaded)).not.toContain(new Date().toISOString().slice(0, 10))
  })

  it("has every step with a summary, rows, what fails and an example", () => {
    expect(all.steps.map(({ key }) => key)).toEqual(steps.map(({ key }) => key))
    for (const entry of [...all.steps, ...all.sinks]) {
      expect(entry.summary, entry.key).toMatch(/\.$/)
      expect(entry.example, entry.key).toContain(entry.kind === "sink" ? "write:" : `${entry.key}:`)
      expect(entry.rows, entry.key).not.toBe("")
      expect(entry.failures, entry.key).toMatch(/\.$/)
      expect(entry.shapes.length, entry.key).toBeGreaterThan(0)
    }
  })

  it("has every verb with its flags, every setting by both its names, and every exit code", () => {
    const book = wholeBook(all, loaded)
    for (const { name, parameters } of loaded) {
      const [, chapter = ""] = new RegExp(`^### sluice ${name}$(.*?)(?=^##|$(?![^]))`, "ms").exec(book) ?? []
      for (const [flag, { kind }] of Object.entries(parameters)) {
        if (kind === "flag") expect(chapter, `${name} --${flag}`).toMatch(new RegExp(`--${flag}\\b`))
      }
      expect(chapter, name).toContain(`sluice ${name}`)
    }
    for (const flag of Object.keys(everywhere)) expect(book).toContain(`--${flag}`)
    for (const [name, setting] of Object.entries(settings)) {
      const way = isForProfiles(setting) ? `In a profile: \`${name}\`.` : "From the environment only."
      expect(book).toMatch(new RegExp(`\`${setting.env}\` .*${way}`))
    }
    for (const code of Object.values(ExitCode)) expect(book).toContain(`| \`${code}\` |`)
  })

  it("has all that write takes as sinks", () => {
    expect(all.sinks.map(({ shapes }) => shapes[0])).toEqual(step("write").shapes)
  })

  it("states limits, defaults and forms of the schemas", () => {
    expect(field("search", "limit")).toEqual({
      name: "limit",
      required: false,
      type: "a whole number from 1 to 100",
      form: "literal",
      default: 10,
      about: "Maximum number of results, for each source."
    })
    expect(field("search", "query")).toMatchObject({
      required: true,
      form: "literal or expression",
      type: "a string from 1 to 500 characters"
    })
    expect(field("search", "sources")).toMatchObject({ default: ["web"] })
    expect(field("scrape", "url")).toMatchObject({ required: false, form: "literal or expression" })
    expect(field("crawl", "scrapeOptions.formats")).toMatchObject({ default: ["markdown"] })
    expect(field("dedupe", "key")).toMatchObject({ form: "expression" })
    expect(field("csv", "onNewField")).toMatchObject({ type: '"drop", "error" or "widen"', default: "drop" })
    expect(step("where").shapes).toEqual([
      { type: "an expression over the row (JSONata)", form: "expression", fields: [] }
    ])
    expect(all.frame.find(({ name }) => name === "inputs.NAME.type")).toMatchObject({ required: true })
  })

  it("names every top-level field that editors complete", () => {
    const properties = (schema: unknown): Record<string, unknown> =>
      (schema as { readonly properties?: Record<string, unknown> }).properties ?? {}
    const { items } = properties(pipelineSchema()).steps as { readonly items: unknown }
    for (const entry of all.steps) {
      const own = properties(properties(items)[entry.key])
      const names = entry.shapes.flatMap(({ fields }) => fields.map(({ name }) => name))
      for (const name of Object.keys(own)) expect(names, entry.key).toContain(name)
    }
  })

  it("describes every field in a sentence, the address and other required fields first", () => {
    const shapes = [...all.steps, ...all.sinks].flatMap(({ key, shapes }) =>
      shapes.map(({ fields }) => ({ key, fields }))
    )
    const parts = [{ key: "frame", fields: all.frame }, { key: "common keys", fields: all.commonKeys }, ...shapes]
    const undescribed = parts.flatMap(({ fields, key }) =>
      fields.filter(({ about }) => about === undefined).map(({ name }) => `${key}: ${name}`)
    )
    expect(undescribed).toEqual([])
    for (const { fields, key } of shapes) {
      const own = fields.filter(({ name }) => !name.includes("."))
      const ranks = own.map(({ name, required }) => (name === "url" ? "1 url" : required ? "2 required" : "3 optional"))
      expect(ranks, key).toEqual(ranks.toSorted())
    }
  })

  it("describes fields for editors as well", () => {
    const text = JSON.stringify(pipelineSchema())
    for (const { about } of [...all.frame, ...step("dedupe").shapes.flatMap(({ fields }) => fields)]) {
      expect(text).toContain(JSON.stringify(about))
    }
  })

  it("lists for every step the common keys that have an effect", () => {
    for (const entry of all.steps) for (const key of entry.commonKeys) expect(commonKeys).toContain(key)
    expect(step("scrape").commonKeys).toEqual(expect.arrayContaining(["concurrency", "rate", "timeout", "retry"]))
    expect(step("where").commonKeys).not.toContain("retry")
    expect(step("search").commonKeys).toEqual(expect.arrayContaining(["each", "after"]))
    expect(all.commonKeys.filter(({ name }) => !name.includes(".")).map(({ name }) => name)).toEqual([...commonKeys])
    for (const { about, name } of all.commonKeys) if (commonKeys.includes(name)) expect(about, name).toMatch(/\.$/)
  })

  it("has every function that an expression may call, in one line", () => {
    expect(catalogue.map(({ name }) => name).sort()).toEqual([...functionNames].sort())
    for (const { call, name, summary } of catalogue) {
      expect(call).toMatch(new RegExp(`^\\$${name}\\(.*\\)$`))
      expect(summary, name).toMatch(/^[A-Z].*\.$/)
    }
  })

  it("contains no word of the schema library", () => {
    expect(wholeBook(all, loaded)).not.toMatch(
      /\bundefined \||\[object|Transformation|Encoded side|item\(s\)|character\(s\)|another value/
    )
  })
})
