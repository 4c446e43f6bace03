import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as fc from "fast-check"
import type { FieldsFormat } from "../../src/Api/PageData.ts"
import { runTask, type ScrapeTask } from "../../src/Engine/Scrape/DocumentTask.ts"
import { compileFormat, readFieldRows } from "../../src/Html/FieldRows.ts"
import { parsePage } from "../../src/Html/Fields.ts"
import { skipsLong } from "../Long.ts"
import { repetitions } from "../Repetitions.ts"

const url = "https://shop.example/p/1?a=b"

const word = fc.constantFrom(
  "a",
  "Preis",
  "1.299,00 €",
  "$5",
  "0",
  "-0",
  "12 May 2024",
  "yesterday",
  "yes",
  "",
  "ß\u{1F600}",
  " x ",
  "<b>",
  "&amp;"
)
const text = fc.oneof(word, fc.string({ maxLength: 12, unit: "binary" }))
const name = fc.constantFrom("p", "b", "h1", "li", "div", "span", "td", "time", "a")
const attribute = fc.constantFrom(
  'class="price"',
  'id="x"',
  "href=../y",
  "itemprop=price",
  'datetime="2024-05-06"',
  "hidden",
  "lang=de",
  ""
)
const data = fc
  .tuple(word, word)
  .map(
    ([a, b]) =>
      `<script type="application/ld+json">${JSON.stringify({ "@type": "Product", name: a, offers: [{ price: b }, { price: -0 }], deep: null })}</script>`
  )
const table = fc
  .array(fc.array(text, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 })
  .map((rows) => `<table>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}`).join("")}`).join("")}</table>`)
const { piece } = fc.letrec<{ piece: string }>((tie) => ({
  piece: fc.oneof(
    { depthSize: "small" },
    text,
    data,
    table,
    text.map((label) => `<dl><dt>Weight<dd>${label}</dl>`),
    fc.constantFrom(
      "<meta property=og:title content=T>",
      "<base href=https://cdn.example/>",
      "<noscript><p>n</p></noscript>",
      "<p hidden>h</p>",
      "<ul><li><b>",
      "</div>"
    ),
    fc
      .tuple(name, attribute, fc.array(tie("piece"), { maxLength: 4 }))
      .map(([tag, with_, inner]) => `<${tag} ${with_}>${inner.join("")}</${tag}>`)
  )
}))
const page = fc.array(piece, { maxLength: 8 }).map((pieces) => `<html lang=de><body>${pieces.join("")}`)

const type = fc.constantFrom(
  "text",
  "markdown",
  "html",
  "number",
  "integer",
  "price",
  "currency",
  "date",
  "datetime",
  "boolean",
  "exists",
  "url",
  "json"
)
const place = fc.oneof(
  fc.constantFrom("p", "b, .price", "li:first-child", "p:contains('a')", "[itemprop]").map((css) => ({ css })),
  fc.constantFrom("Product.name", "Product.offers.price", "Product.offers").map((path) => ({ data: path })),
  fc.constantFrom(
    { label: "Weight" },
    { meta: "og:title" },
    { meta: "title" },
    { regex: "\\d+" },
    { css: "a", attr: "href" },
    { css: "p", own: true }
  )
)
const source = fc
  .record({
    place,
    as: type,
    all: fc.boolean(),
    match: fc.constantFrom(undefined, "\\S+"),
    default: fc.constantFrom(undefined, 0, null)
  })
  .map(({ place: where, ...rest }) => ({
    ...where,
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  }))
const field = fc.oneof(fc.constantFrom("p", "h1"), source, fc.array(source, { minLength: 1, maxLength: 2 }))
const fields = fc.dictionary(fc.constantFrom("a", "b", "title", "1"), field, { minKeys: 1, maxKeys: 4 })
const specification = fc
  .record({
    rows: fc.constantFrom(undefined, "p, li", { table: true }, { table: 1 }, { data: "Product" }),
    fields: fc.option(fields, { nil: undefined }),
    required: fc.constantFrom([], ["a"]),
    onEmpty: fc.constantFrom("reject", "skip")
  })
  .map(({ fields: own, ...rest }) => ({
    ...rest,
    fields: own ?? (typeof rest.rows === "object" ? undefined : { a: "p" })
  }))

const read = (html: string, asked: unknown, formats: ReadonlyArray<string> = ["fields"]) => {
  const task: ScrapeTask = {
    kind: "scrape",
    bytes: Buffer.from(html),
    contentType: "text/html; charset=utf-8",
    formats: new Set(formats),
    metadata: {},
    headers: {},
    emptyWarning: undefined,
    readsMarkdown: false,
    isIndexed: true,
    takesBytes: false,
    stores: undefined,
    options: {
      wanted: new Set(["markdown", "text", "images"] as const),
      url,
      onlyMainContent: true,
      removeBase64Images: false,
      blockAds: true,
      rawHtml: formats.includes("rawHtml"),
      data: { formats: [], fields: JSON.stringify(asked) }
    }
  }
  return runTask<"scrape">(task).document
}

/** What the step `extract` makes of the raw HTML of the page. */
const readHere = (html: string, asked: unknown) => {
  const query = Either.getOrThrow(compileFormat(JSON.parse(JSON.stringify(asked))))
  return readFieldRows(parsePage(html, url), query.specification, query.now ?? 0)
}

const agree = (html: string, asked: object) => {
  const { fields: rows, rawHtml, warning } = read(html, { now: "2026-03-01T00:00:00Z", html: "failed", ...asked })
  const here = readHere(html, { now: "2026-03-01T00:00:00Z", ...asked })
  expect(rows).toStrictEqual(here)
  // As they come over the wire.
  expect(JSON.parse(JSON.stringify(rows))).toStrictEqual(JSON.parse(JSON.stringify(here)))
  if (rawHtml !== undefined) {
    expect(rawHtml).toBe(html)
    expect(warning).toContain("fields: ")
  }
}

/** Pages of the bug reports. */
const fixtures = (): ReadonlyArray<string> => {
  const folder = join(import.meta.dirname, "../foreign/inputs/pages")
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.html?$/.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8"))
}

describe("rows of pages", () => {
  it.skipIf(skipsLong)("are the same from the engine, on the tree of its Markdown, and from the raw HTML", () => {
    fc.assert(
      fc.property(page, specification, (html, asked) => agree(Buffer.from(html).toString(), asked)),
      { numRuns: repetitions(300, 100) }
    )
  })

  it("are the same of the pages that others have reported", () => {
    const specifications: ReadonlyArray<FieldsFormat> = [
      { fields: { title: "h1", links: { css: "a", attr: "href", all: true }, text: { css: "body", as: "markdown" } } },
      { rows: { table: true } },
      { rows: "li, tr, p", fields: { text: { regex: ".+" }, html: { css: "*", as: "html" } } }
    ]
    const pages = fixtures()
    expect(pages.length).toBeGreaterThan(5)
    for (const html of pages) for (const asked of specifications) agree(html, asked)
  })

  it("leave the Markdown of the page as it is", () => {
    fc.assert(
      fc.property(page, specification, (html, asked) => {
        const { markdown } = read(html, asked, ["markdown", "fields"])
        expect(markdown).toBe(read(html, { fields: { a: "x-y" } }, ["markdown"]).markdown)
      }),
      { numRuns: repetitions(100, 40) }
    )
  })

  it("come with the HTML only where a row has failed", () => {
    const asked = { fields: { a: "h1" }, required: ["a"], html: "failed" }
    expect(read("<h1>x</h1>", asked)).not.toHaveProperty("rawHtml")
    expect(read("<h2>x</h2>", asked)).toMatchObject({
      rawHtml: "<h2>x</h2>",
      warning: 'fields: row 1: no a: css "h1" matches nothing'
    })
    const rows = { rows: "li", fields: { a: "b" }, html: "failed" }
    expect(read("<p>", rows)).toMatchObject({ rawHtml: "<p>", warning: "fields: no rows", fields: { rows: [] } })
    expect(read("<p>", { ...rows, onEmpty: "skip" })).not.toHaveProperty("warning")
    expect(read("<p>", { ...rows, html: undefined })).not.toHaveProperty("rawHtml")
  })
})
