/** Simulated registers of companies, real estate and libraries. */
import { chance, name, person, pick, whole } from "../Health/Random.ts"
import { cells, day, facts, firm, h, header, ld, lines, long, round, type Site, text, town } from "./RedesignBox.ts"

const home = (site: string) => (at: number) => ({
  title: `${whole(2, 6, site, at, "r")}-room ${pick(["flat", "house", "loft"], site, at)} at ${person(site, at).split(" ")[1]} Street ${whole(1, 99, site, at, "n")}`,
  price: whole(90, 900, site, at, "price") * 1000,
  old: chance(0.3, site, at, "old") ? whole(910, 990, site, at, "was") * 1000 : 0,
  area: `${whole(40, 240, site, at, "area")} m²`,
  city: town(site, at),
  code: `H-${whole(1000, 9999, site, at, "code")}`,
  url: `https://${site}.example/h/${at}`
})
const company = (site: string) => (at: number) => ({
  title: `${firm(site, at)} ${person(site, at).split(" ")[1]} ${whole(2, 99, site, at, "n")}`,
  number: String(whole(10_000, 99_999, site, at, "hrb")),
  city: town(site, at),
  founded: day(site, at, "founded"),
  updated: day(site, at, "updated"),
  capital: whole(25, 900, site, at, "capital") * 1000
})
const book = (site: string) => (at: number) => ({
  title: `${name(site, at)}: ${pick(["A History", "Letters", "Essays", "A Novel"], site, at, "kind")} ${whole(1, 40, site, at, "n")}`,
  author: person(site, at),
  isbn: `978-3-${whole(10_000, 99_999, site, at, "a")}-${whole(100, 999, site, at, "b")}-${whole(0, 9, site, at, "c")}`,
  year: whole(1950, 2025, site, at, "year"),
  shelf: `${pick(["K", "L", "P"], site, at, "shelf")} ${whole(100, 999, site, at, "d")}.${whole(1, 99, site, at, "e")}`,
  url: `https://${site}.example/b/${at}`
})

export const registers: ReadonlyArray<Site> = [
  {
    name: "register-page",
    lang: "en",
    definition: {
      fields: {
        title: "#entry h1",
        number: { label: "Register number", match: "HRB (\\d+)" },
        city: { label: "Seat" },
        founded: { css: "tr:nth-child(3) td", as: "date" },
        capital: { css: "td.data.capital", as: "price" }
      }
    },
    item: company("register-page"),
    body: ([item = {}], more) => [
      h(
        "div#entry@main",
        h("h1@block", text(item.title)),
        h(
          "table.table.table-striped@block",
          h(
            "tbody",
            ...lines([
              ["Register number", `HRB ${item.number}`],
              ["Seat", item.city],
              ["Founded", long(item.founded)],
              ["Last change", long(item.updated)]
            ]),
            h("tr", h("th@label", "Share capital"), h("td.data.capital@price", round(item.capital)))
          )
        )
      ),
      h(
        "div.neighbours@related",
        h("h2", "Others at this court"),
        ...more.map((each) =>
          h("p", h("b", text(each.title)), " ", h("i", `HRB ${each.number}`), " ", h("i", text(each.city)))
        )
      )
    ]
  },
  {
    name: "register-list",
    lang: "en",
    definition: {
      rows: "#hits tbody tr",
      fields: {
        title: "td:nth-child(1)",
        number: { css: "td:nth-child(2)", match: "HRB (\\d+)" },
        city: "td:nth-child(3)",
        founded: { css: "td:nth-child(4)", as: "date" }
      }
    },
    item: company("register-list"),
    body: (items) => [
      h(
        "table#hits.table@main",
        header(["Company", "Number", "Seat", "Founded", "Changed"]),
        h(
          "tbody",
          ...items.map((each) =>
            h(
              "tr@row",
              ...cells([
                h("b", text(each.title)),
                `HRB ${each.number}`,
                text(each.city),
                long(each.founded),
                long(each.updated)
              ])
            )
          )
        )
      )
    ]
  },
  {
    name: "home-page",
    lang: "en",
    definition: {
      fields: {
        title: "section > .address",
        price: { css: "strong.asking", as: "price" },
        area: { label: "Living area" },
        city: { css: "dd.facts__value:nth-of-type(2)" },
        code: { data: "RealEstateListing.identifier" }
      }
    },
    item: home("home-page"),
    body: ([item = {}], more) => [
      ld("RealEstateListing", { name: item.title, identifier: item.code }),
      h(
        "section.object.grid@main",
        h("h1.address@block", text(item.title)),
        h(
          "p.price-line@block",
          ...(item.old ? [h("del@price", round(item.old)), " "] : []),
          h("strong.asking@price", round(item.price))
        ),
        h(
          "dl.object-facts@block",
          ...facts([
            ["Living area", item.area],
            ["Town", item.city]
          ])
        ),
        h("div.ref@block", "Ref. ", h("span", text(item.code)))
      ),
      h(
        "section.nearby@related",
        ...more.map((each) =>
          h(
            "a.tile",
            { href: text(each.url) },
            h("span.address", text(each.title)),
            h("strong.asking@price", round(each.price)),
            h("span", text(each.area))
          )
        )
      )
    ]
  },
  {
    name: "home-list",
    lang: "en",
    definition: {
      rows: "[data-listing]",
      fields: {
        title: "a.listing-link",
        price: { css: "div:nth-child(2)", as: "price" },
        area: ".listing-facts span:nth-child(1)",
        city: ".listing-facts span:nth-child(2)"
      }
    },
    item: home("home-list"),
    body: (items, more) => [
      h(
        "div.listings@main",
        ...items.map((each) =>
          h(
            "div.listing@row",
            { "data-listing": text(each.code) },
            h("a.listing-link@block", { href: text(each.url) }, text(each.title)),
            h("div.listing-price@block", h("span@price", round(each.price))),
            h("div.listing-facts@block", h("span", text(each.area)), h("span", text(each.city)))
          )
        )
      ),
      h(
        "div.sold@related",
        ...more.map((each) =>
          h(
            "div.sold-item",
            h("a", { href: text(each.url) }, text(each.title)),
            h("div.sold-price@price", round(each.price))
          )
        )
      )
    ]
  },
  {
    name: "library-page",
    lang: "en",
    definition: {
      fields: {
        title: ".title",
        author: { label: "Author" },
        isbn: { data: "Book.isbn" },
        year: { label: "Published", as: "integer" },
        shelf: "#shelfmark"
      }
    },
    item: book("library-page"),
    body: ([item = {}], more) => [
      ld("Book", { name: item.title, isbn: item.isbn }),
      h(
        "div.record@main",
        h("h2.title@block", text(item.title)),
        h(
          "table.citation@block",
          h(
            "tbody",
            ...lines([
              ["Author", item.author],
              ["Published", item.year],
              ["ISBN", item.isbn]
            ])
          )
        ),
        h("div.holdings@block", h("span@label", "Shelfmark"), " ", h("tt#shelfmark", text(item.shelf)))
      ),
      h(
        "ul.similar-items@related",
        ...more.map((each) =>
          h(
            "li",
            h("a.title", { href: text(each.url) }, text(each.title)),
            h("span", text(each.author)),
            h("span", text(each.year))
          )
        )
      )
    ]
  },
  {
    name: "library-list",
    lang: "en",
    definition: {
      rows: "ol.hits > li",
      fields: {
        title: "cite",
        author: { css: "[itemprop=author]" },
        year: { css: ".year", as: "integer" },
        isbn: { css: "[itemprop=isbn]" }
      }
    },
    item: book("library-list"),
    body: (items) => [
      h(
        "ol.hits@main",
        ...items.map((each) =>
          h(
            "li.hit@row",
            { itemscope: "", itemtype: "https://schema.org/Book" },
            h("cite@block", { itemprop: "name" }, text(each.title)),
            h(
              "div.by@block",
              h("span.hit-author", { itemprop: "author" }, text(each.author)),
              ", ",
              h("span.year", text(each.year))
            ),
            h("div.ids@block", "ISBN ", h("span.isbn", { itemprop: "isbn" }, text(each.isbn)))
          )
        )
      )
    ]
  }
]
