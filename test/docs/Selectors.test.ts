/** Selectors of other tools beside fields of Sluice: each field in the tables gives what the page says. */
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { parse } from "yaml"
import { parsePage, readRows } from "../../src/Html/Fields.ts"
import { compileFields, objectionsTo } from "../../src/Step/Extract/Compile.ts"
import { extract } from "../../src/Step/Extract.ts"
import { pages } from "./Pages.ts"

const page = pages.find(({ name }) => name === "docs/coming-from-scrapy-or-crawlee.md")
const html = page?.blocks.find(({ language }) => language === "html")?.text ?? ""
const section = page?.text.split("## Selectors side by side")[1]?.split("\n## ")[0] ?? ""

/** The last two cells of each line of the tables: what is written here, and what it gives. */
const lines = section.split("\n").flatMap((line) => {
  const cells = line.startsWith("|") ? line.split(/(?<!\\)\|/).slice(1, -1) : []
  const [written, given] = cells.slice(-2).map((cell) => /^ `(.*)` $/.exec(cell)?.[1]?.replaceAll("\\|", "|"))
  return written === undefined || given === undefined ? [] : [[written, given] as const]
})

const decode = Schema.decodeUnknownEither(extract.config, { onExcessProperty: "error" })

/** What a field gives, or the rows of a whole step. */
const read = (written: unknown): unknown => {
  const isStep = typeof written === "object" && written !== null && "rows" in written
  const config = isStep ? written : { fields: { field: written } }
  expect(objectionsTo(config)).toEqual([])
  const { specification } = Either.getOrThrow(Either.flatMap(decode(config), compileFields))
  const rows = Either.getOrThrow(readRows(parsePage(html, "https://shop.example/"), specification, 0))
  return isStep ? rows.map(({ values }) => values) : rows[0]?.values.field
}

describe("a selector of another tool", () => {
  it("has a line", () => expect(lines.length).toBeGreaterThan(30))
  it.each(lines)("is written %s", (written, given) => {
    expect(JSON.stringify(read(parse(written)))).toBe(given)
  })
})
