import { existsSync, readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { vi } from "vitest"
import { serve } from "../Engine/Scrape/Site.ts"
import { describe, expect, live } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { sluice } from "./Console.ts"
import { folderOf, readText, writeText } from "./Project.ts"

const page = `<title>Kettle</title><meta property="og:type" content="product"><table><tr><th>Size<tr><td>2 l</table>`

const shop = `<html lang="de"><title>Shop</title>
<script type="application/ld+json">{"@type":"Product","name":"Set","offers":{"price":20,"priceCurrency":"EUR"}}</script>
<nav><a href="/">Home</a></nav><ul class="cards">${[1, 2, 3, 4, 5]
  .map(
    (index) =>
      `<li class="card"><h3><a href="/p/${index}">Kettle "${index}"</a></h3><b class="price">${index},50 €</b><i>Buy</i></li>`
  )
  .join("")}</ul>`

describe("sluice extract", () => {
  live("shows what a page has, or all of it as JSON", function* () {
    const path = yield* folderOf({ "a.html": page })
    const shown = yield* sluice(["extract", `${path}/a.html`])
    expect(shown).toMatchObject({ code: 0, err: "" })
    expect(shown.out).toContain("Open Graph   product")
    expect(shown.out).toContain("table        Size (1 row)")
    const json = JSON.parse((yield* sluice(["extract", `${path}/a.html`, "--json"])).out)
    expect(json).toMatchObject({
      file: `${path}/a.html`,
      structured: { opengraph: [{ "og:type": "product" }] },
      article: { title: "Kettle" },
      tables: [{ header: ["Size"], rows: [["2 l"]] }]
    })
  })

  live("names the setting that allows a page of this machine, once, and no operator to ask", function* () {
    const path = yield* folderOf({})
    const { err } = yield* sluice(["extract", "http://127.0.0.1:9/x", "--data", `${path}/data`])
    expect(err).toContain("SLUICE_ALLOW_NETWORKS=127.0.0.0/8")
    expect(err).not.toContain("operator")
  })

  live("proposes the title and the price that stand on a page of a product without any data", function* () {
    const plain = `<title>Lamp | Shop</title><header><b>from $1</b></header><main><h1>Blue lamp</h1>
<p class="old"><del>$30.00</del></p><p><span class="product-price">$19.99</span></p><p>Ships for $4 within 2 days.</p></main>`
    const list = `<h1>Lamps</h1>${["$1", "$2"].map((price) => `<article><h2>Lamp</h2><p>${price}</p></article>`).join("")}`
    const path = yield* folderOf({
      "lamp.html": plain,
      "none.html": "<h1>About us</h1><p>We sell lamps.</p>",
      "list.html": list
    })
    const { out } = yield* sluice(["extract", `${path}/lamp.html`])
    expect(out).toContain("product      Blue lamp, $19.99\n")
    expect(out).toContain("    - extract:\n")
    expect(out).toMatch(/price:\s*(\n\s*|\{ ?)css: \.product-price/)
    expect(JSON.parse((yield* sluice(["extract", `${path}/lamp.html`, "--json"])).out)).toMatchObject({
      proposed: { extract: { fields: { title: "h1", price: { css: ".product-price", as: "price" } } } }
    })
    for (const name of ["none", "list"])
      expect((yield* sluice(["extract", `${path}/${name}.html`])).out).not.toContain("product")
  })

  live("shows the product and the lists with the lines of a pipeline that fetch them", function* () {
    // The address makes the links of the rows absolute.
    const pages = `${JSON.stringify({ url: "https://shop.example/", rawHtml: shop })}\n`
    const path = yield* folderOf({ "index.html": shop, "pages.jsonl": pages })
    const { out } = yield* sluice(["extract", `${path}/index.html`])
    expect(out).toContain("product      Set, 20 EUR, in stock\n")
    expect(out).toContain("list         5 records\n")
    expect(out).toContain('    price           "1,50 €", "2,50 €", "3,50 €"\n')
    const lines = out.split("\n")
    const steps = ["title: { data: Product.name }", "rows: li.card"].map((mark) => {
      const at = lines.findIndex((line) => line.includes(mark))
      const from = lines.lastIndexOf("    - extract:", at)
      const length = lines.slice(from + 1).findIndex((line) => !line.startsWith("      "))
      return lines.slice(from, from + 1 + length)
    })
    const rows: Array<ReadonlyArray<unknown>> = []
    for (const [at, step] of steps.entries()) {
      const definition = [
        "version: 1",
        `name: made-${at}`,
        "steps:",
        `    - read: ${path}/pages.jsonl`,
        ...step,
        `    - write: { jsonl: ${path}/out-${at}.jsonl }`
      ]
      yield* writeText(`${path}/made-${at}.yaml`, `${definition.join("\n")}\n`)
      expect(yield* sluice(["run", `${path}/made-${at}.yaml`], { cwd: path })).toMatchObject({ code: 0 })
      rows.push(
        (yield* readText(`${path}/out-${at}.jsonl`))
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
      )
    }
    const [[product], list = []] = rows as [ReadonlyArray<unknown>, ReadonlyArray<unknown>]
    expect(product).toMatchObject({ title: "Set", price: 20 })
    expect(list).toHaveLength(5)
    expect(list[4]).toMatchObject({ title: 'Kettle "5"', price: 5.5 })
    const json = JSON.parse((yield* sluice(["extract", `${path}/index.html`, "--json"])).out)
    expect(json).toMatchObject({ product: { title: "Set" }, lists: [{ count: 5, selector: "li.card" }] })
  })

  live("reads the others when a file cannot be read, and ends with 1", function* () {
    const path = yield* folderOf({ "a.html": page })
    const both = yield* sluice(["extract", `${path}/gone.html`, `${path}/a.html`, "--json"])
    expect(both.code).toBe(1)
    const [absent, read] = both.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(absent.error).toContain("there is no such file")
    expect(read.tables).toHaveLength(1)
    const gone = [1, 2, 3].map((number) => `${path}/${"x".repeat(number)}.html`)
    const { err } = yield* sluice([
      "extract",
      ...gone,
      "http://127.0.0.1:9/a",
      "http://127.0.0.1:9/b",
      `${path}/a.html`
    ])
    const [first, second, third] = err.split("\n").filter((line) => line.startsWith("error: "))
    expect(first).toMatch(/^error: 3 pages cannot be read, such as \S+\/x\.html: there is no such file/)
    expect(second).toMatch(/^error: 2 pages cannot be read, such as .*127\.0\.0\.1/)
    expect(third).toBe("error: 5 of 6 pages could not be read")
    expect((yield* sluice(["extract", `${path}/a.html`, "--base", "x"])).err).toContain("--base x is not an address")
  })

  live("names the pages that it could not read also when it is stopped", function* () {
    const stop = new AbortController()
    // Never answers.
    const url = yield* serve(() => stop.abort())
    const folder = yield* folderOf()
    const { err } = yield* sluice(["extract", `${folder}/gone.html`, `${url}/late`, "--data", `${folder}/data`], {
      env: { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" },
      stop: stop.signal
    })
    expect(err).toMatch(/^error: \S+gone\.html: there is no such file/m)
  })

  live.skipIf(skipsLong)(
    "learns fields from what an address shows, and writes a pipeline that gives the rows of all",
    function* () {
      const names = ["Blue kettle", "Red pot", "Cup"]
      const url = yield* serve((request, response) => {
        const at = Number(request.url?.slice(1))
        const html = `<h1>${names[at]}</h1><p class="price">$${at + 1}.50</p><dl><dt>Weight</dt><dd>${at + 2} kg</dd></dl>`
        response.writeHead(at < 3 ? 200 : 404, { "content-type": "text/html" }).end(html)
      })
      const folder = yield* folderOf()
      const act = (...words: ReadonlyArray<string>) =>
        sluice([...words, "--data", `${folder}/data`], {
          env: { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" },
          cwd: folder
        })
      const addresses = [0, 1, 2].map((at) => `${url}/${at}`)
      const want = ["--want", "title=Blue kettle", "--want", "price=1.5", "--want", "weight=2 kg"]
      const learned = yield* act("extract", ...addresses, ...want, "--write", `${folder}/shop.yaml`)
      expect(learned).toMatchObject({
        code: 0,
        err: `${folder}/shop.yaml is written. Run it with: sluice run ${folder}/shop.yaml\n`
      })
      expect(learned.out).toContain("  1.5 · 2.5 · 3.5\n")
      expect(learned.out).toContain("weight: { label: Weight }\n")
      expect((yield* act("run", `${folder}/shop.yaml`, "--out", folder, "--quiet")).code).toBe(0)
      expect(yield* readText(`${folder}/shop.yaml`)).toMatch(/required:\s*\[?[\s-]*title,?[\s-]*price,?[\s-]*weight/)
      // Pages come in the order in which they are answered.
      expect(readFileSync(`${folder}/out/shop.csv`, "utf8").trimEnd().split("\n").sort()).toEqual([
        ...addresses.map((each, at) => `${each},${names[at]},${at + 1}.5,${at + 2} kg`),
        "url,title,price,weight"
      ])
      const again = yield* act("extract", ...addresses, ...want, "--write", `${folder}/shop.yaml`)
      expect(again).toMatchObject({ code: 1, err: expect.stringContaining("Name a new file") })
      expect((yield* act("extract", `${url}/0`, "--want", "colour=blue")).err).toContain(
        "no page shows the value of colour"
      )
    }
  )

  live("shows the rows that fields give, and says why one has no value", function* () {
    const path = yield* folderOf({
      "a.html": "<ul><li><b>Cup</b> <i>$2</i><li><b>Pot</b> <i>$30.50</i></ul><p>sold</p>"
    })
    const rows = ["extract", `${path}/a.html`, "--rows", "li"]
    const fields = ["--fields", "name=b,price={ css: i, as: price }", "--fields", "colour=.colour"]
    expect((yield* sluice([...rows, ...fields, "--json"])).out).toBe(
      [
        { url: `${path}/a.html`, name: "Cup", price: 2, colour: null },
        { url: `${path}/a.html`, name: "Pot", price: 30.5, colour: null }
      ]
        .map((row) => `${JSON.stringify(row)}\n`)
        .join("")
    )
    const shown = yield* sluice([...rows, ...fields])
    expect(shown.out).toMatch(/2 rows\n +name +price +colour\n +Cup +2\n +Pot +30\.5\n/)
    expect(shown.err).toContain('colour: css ".colour" matches nothing')
    const learned = yield* sluice([...rows, "--want", "name=Pot", "--want", "price=30.50"])
    expect(learned.out).toContain("    rows: li\n    fields:\n      name: b\n      price: { css: i, as: price }\n")
  })

  live(
    "keeps the values of each page when another one cannot be read, and refuses more values than pages",
    function* () {
      const path = yield* folderOf({
        "b.html": "<h1>Pot</h1><p><i>Cup</i></p>",
        "c.html": "<h1>Cup</h1><p><i>Pot</i></p>"
      })
      const files = ["gone", "b", "c"].map((name) => `${path}/${name}.html`)
      const [base, written] = ["https://shop.example/", `${path}/shop.yaml`]
      const wants = ["Kettle", "Pot", "Cup"].flatMap((value) => ["--want", `title=${value}`])
      const { code, err, out } = yield* sluice(["extract", ...files, ...wants, "--base", base, "--write", written])
      expect([code, out]).toEqual([1, expect.stringContaining("title: h1")])
      expect(err).toContain(`${written} is not written, because a page could not be read`)
      expect(existsSync(written)).toBe(false)
      const surplus = yield* sluice(["extract", ...files.slice(1), ...wants])
      expect(surplus.err).toContain("--want has 3 values of title for 2 pages: give one for each page, in their order")
    }
  )

  live("says only why no page could be read, and ends with 1, also with fields", function* () {
    const path = yield* folderOf({})
    for (const words of [
      ["--want", "a=b"],
      ["--fields", "a=h1"],
      ["--want", "a=b", "--json"]
    ]) {
      const { code, err, out } = yield* sluice(["extract", `${path}/gone.html`, ...words])
      expect(code, words.join(" ")).toBe(1)
      expect(out + err).toContain("there is no such file")
      expect(err).not.toContain("--rows")
      expect(err).toContain("error: 1 of 1 page could not be read\n")
    }
  })

  live("says what is wrong with an address without https://, and with the file of --write", function* () {
    const path = yield* folderOf({ "a.html": "<h1>Cup</h1>" })
    for (const address of ["127.0.0.1:8765/p1.html", "example.org/kettle", "localhost:80", "www.example.org"])
      expect((yield* sluice(["extract", address])).err).toContain(
        `${address}: there is no such file; an address begins with http:// or https://`
      )
    expect((yield* sluice(["extract", `${path}/gone.html`])).err).not.toContain("an address begins")
    const writing = (file: string) =>
      sluice(["extract", `${path}/a.html`, "--base", "https://shop.example/", "--fields", "a=h1", "--write", file])
    const table = yield* writing(`${path}/prices.csv`)
    expect([table.code, table.err]).toEqual([2, expect.stringContaining("it takes a .yaml or .yml file")])
    expect((yield* writing(`${path}/none/shop.yaml`)).err).toContain(`there is no folder ${path}/none: create it`)
  })

  live("gives the advice on an address that nothing answers once", function* () {
    const path = yield* folderOf({})
    const env = { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }
    const { err } = yield* sluice(["extract", "http://127.0.0.1:9/x", "--data", `${path}/data`], { env })
    expect(err.match(/Check the address/g)).toHaveLength(1)
    expect(err).not.toContain("step")
  })

  live.skipIf(skipsLong)("says that --rows matches nothing, that a page has a list, and what a price is", function* () {
    const cards = shop.replaceAll(",50 €", ".50 €")
    const path = yield* folderOf({ "a.html": cards, "b.html": "<h1>Cup</h1><p class=price>$10.49</p>" })
    const none = yield* sluice(["extract", `${path}/a.html`, "--rows", "article.nope", "--want", "price=1.5"])
    expect(none.err).toContain(`--rows article.nope matches nothing on ${path}/a.html`)
    const one = yield* sluice(["extract", `${path}/a.html`, "--want", 'title=Kettle "2"'])
    expect(one.err).toContain("has a list of 5 records: to get a row for each of them, add --rows 'li.card'")
    const price = yield* sluice(["extract", `${path}/b.html`, "--want", "price=$10.49", "--want", "title=Cup"])
    expect(price.out).toContain("price: { css: .price, as: price }")
    expect(price.out).toContain("required:")
    expect(price.err).toBe("")
    const url = yield* serve((_, response) =>
      response.writeHead(404, { "content-type": "text/html" }).end("<h1>Gone</h1>")
    )
    const env = { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }
    const gone = (...words: ReadonlyArray<string>) =>
      Effect.map(
        sluice(["extract", `${url}/x`, "--want", "a=Cup", ...words, "--data", `${path}/data`], { env }),
        ({ err }) => err
      )
    expect(yield* gone()).toContain(`no page shows the value of a: ${url}/x answered 404`)
    expect(yield* gone("--rows", "li")).toContain(`--rows li matches nothing on ${url}/x (which answered 404)`)
  })

  live("splits fields whose names are no ASCII words", function* () {
    const path = yield* folderOf({ "a.html": "<h1>Cup</h1><b>2</b>" })
    const { out } = yield* sluice(["extract", `${path}/a.html`, "--fields", "naïveté=h1,größe_2=b,価格=b", "--json"])
    expect(JSON.parse(out)).toMatchObject({ naïveté: "Cup", größe_2: "2", 価格: "2" })
  })

  live("shows no step for a product that the page states second", function* () {
    const stated = (name: string, more: object) =>
      `<script type="application/ld+json">${JSON.stringify({ "@type": "Product", name, ...more })}</script>`
    const offers = { offers: { price: 20, priceCurrency: "EUR" } }
    const main = "<title>Pot</title><h1>Pot</h1>"
    const path = yield* folderOf({
      "a.html": `${main}${stated("Pot", { url: "https://shop.example/pot", ...offers })}`,
      "b.html": `${main}${stated("Cup", { url: "https://shop.example/cup", offers: { price: 3, priceCurrency: "EUR" } })}${stated("Pot", { url: "https://shop.example/pot", ...offers })}`
    })
    const shown = (name: string) =>
      Effect.map(sluice(["extract", `${path}/${name}.html`, "--base", "https://shop.example/pot"]), ({ out }) => out)
    expect(yield* shown("a")).toContain("title: { data: Product.name }")
    const second = yield* shown("b")
    expect(second).toContain("product      Pot")
    expect(second).not.toContain("Product.name")
  })

  live("proposes the paging of a list, and writes it into the pipeline", function* () {
    const pager = '<a href="?page=2">2</a> <a href="?page=9">9</a> <a class="next" href="?page=2">Next</a>'
    const path = yield* folderOf({
      "list.html": `<h1>Cups</h1><p>Text</p>${pager}`,
      "more.html": '<h1>Cups</h1><button class="load-more">Load more</button>',
      "cup.html": "<h1>Cup</h1>"
    })
    const base = ["--base", "https://shop.example/cups"]
    const shown = (name: string, ...words: ReadonlyArray<string>) =>
      Effect.map(sluice(["extract", `${path}/${name}.html`, ...base, ...words]), ({ out }) => out)
    const list = yield* shown("list")
    expect(list).toContain("paging       a link to the next page of 9")
    expect(list).toContain("- scrape: { next: a.next }")
    expect(yield* shown("more")).toContain("- scrape: { loadMore: button.load-more }")
    expect(yield* shown("cup")).not.toContain("paging")
    expect(JSON.parse(yield* shown("list", "--json")).paging).toEqual({ next: "a.next", last: 9 })
    yield* shown("list", "--fields", "title=h1", "--write", `${path}/cups.yaml`)
    expect(readFileSync(`${path}/cups.yaml`, "utf8")).toContain("- scrape: { next: a.next }")
  })

  live("says what is wrong with its flags", function* () {
    const path = yield* folderOf({ "a.html": page })
    const says = (...words: ReadonlyArray<string>) =>
      Effect.map(sluice(["extract", `${path}/a.html`, ...words]), ({ code, err }) => `${code} ${err}`)
    expect(yield* says("--rows", "li")).toContain("2 error: --rows needs fields")
    expect(yield* says("--write", "x.yaml")).toContain("--write needs fields")
    expect(yield* says("--want", "title")).toContain('--want takes NAME=VALUE, got "title"')
    expect(yield* says("--fields", "h1")).toContain('--fields takes NAME=SELECTOR, got "h1"')
    expect(yield* says("--fields", "a=h1", "--want", "b=1")).toContain("leave one of them out")
    expect(yield* says("--fields", "a=h1::text")).toContain("fields.a: ::text is not part of a CSS selector: write h1")
    // A warning of the YAML parser would be a second message.
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined)
    expect(yield* says("--fields", "a={ css: h1, [b]: c }")).toContain("--fields: a: ")
    expect(warned).not.toHaveBeenCalled()
    warned.mockRestore()
    expect(yield* says("--fields", "a=h1[")).toContain("is not a CSS selector")
    expect(yield* says("--fields", "a={ css: h1, as: colour }")).toContain('--fields: a: as: Expected "text" or')
    expect(yield* says("--rows", "li[", "--want", "a=b")).toContain("is not a CSS selector")
    expect(yield* says("--fields", "a=h1", "--write", "x.yaml")).toContain("is a file: name addresses, or add --base")
  })
})
