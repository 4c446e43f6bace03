import { describe, expect, it } from "@effect/vitest"
import { PageUrls } from "../../src/Html/PageUrls.ts"
import { readRecordLists } from "../../src/Html/RecordLists.ts"
import { parseQuery } from "../../src/Html/Select.ts"
import { parseTree } from "../../src/Html/Tree.ts"
import { skipsLong } from "../Long.ts"

const read = (html: string) => {
  const tree = parseTree(html)
  return readRecordLists(tree, new PageUrls(tree, "https://shop.example/list", false))
}

const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join("")

const card = (index: number, extra = "") =>
  `<li class="card item-${index} ${extra}"><a href="/p/${index}"><img src="/i/${index}.jpg"></a>
    <h3><a href="/p/${index}">Kettle number ${index}</a></h3><span class="card__price">${10 + index},99 €</span>
    <p class="card__teaser">Boils ${index} litres of water in a short time.</p></li>`

const navigation = `<nav><ul>${times(30, (index) => `<li><a href="/c/${index}">Category ${index} of the shop</a></li>`)}</ul></nav>`
const filters = `<form><ul>${times(40, (index) => `<li><label><input type="checkbox">Brand ${index}</label> (${index})</li>`)}</ul></form>`
const related = `<aside><ul>${times(4, (index) => `<li><a href="/r/${index}"><h4>Read more on tea, part ${index}</h4></a></li>`)}</ul></aside>`

describe("the main list of a page", () => {
  it("are its records with title, address and other columns, without navigation, filters and related items", () => {
    const [list] = read(`<body>${navigation}${filters}<main><ul class="cards">${times(8, card)}</ul></main>${related}`)
    expect(list).toMatchObject({ count: 8, selector: "li.card", fields: ["title", "url", "image", "price", "teaser"] })
    expect(list?.rows[7]).toEqual({
      title: "Kettle number 7",
      url: "https://shop.example/p/7",
      image: "https://shop.example/i/7.jpg",
      price: "17,99 €",
      teaser: "Boils 7 litres of water in a short time."
    })
    expect(list?.sources).toEqual({
      title: { css: "h3" },
      url: { css: "h3 > a", attr: "href" },
      image: { css: "img", as: "url" },
      price: { css: "span.card__price", as: "price" },
      teaser: { css: "p.card__teaser" }
    })
  })

  it("goes on over rows of a grid, and over sections by day, in the order of the page", () => {
    const grid = times(
      3,
      (row) => `<div class="row">${times(3, (column) => `<div class="col">${card(3 * row + column)}</div>`)}</div>`
    )
    const days = times(
      4,
      (day) =>
        `<section><h2>March ${day}</h2><ul>${times(day === 2 ? 1 : 3, (index) => card(10 * day + index))}</ul></section>`
    )
    expect(read(`<main>${grid}</main>`)[0]).toMatchObject({ count: 9 })
    const [list] = read(`<main>${days}</main>`)
    expect(list?.rows.map(({ title }) => title?.slice(14))).toEqual("0 1 2 10 11 12 20 30 31 32".split(" "))
  })

  it("has pinned records, and not the advertisements between them", () => {
    const advertisement = '<li class="ad"><iframe src="/ad"></iframe><p>Buy now</p></li>'
    const [list] = read(
      `<ul>${card(0, "pinned")}${times(3, card)}${advertisement}${times(3, (index) => card(index + 3))}</ul>`
    )
    expect(list?.count).toBe(7)
  })

  it("may be posts, of which each has an author, a date and its text", () => {
    const post = (index: number) => `<article class="post"><header><a class="author" href="/u/${index}">Ann ${index}</a>
      <time datetime="2025-01-0${index + 1}">then</time></header><div class="message"><p>I have read the ${index} replies above, and agree.</p></div></article>`
    const [list] = read(times(5, post))
    expect(list).toMatchObject({ count: 5, selector: "article.post" })
    expect(list?.rows[4]).toMatchObject({ date: "2025-01-05", message: "I have read the 4 replies above, and agree." })
  })

  it("has rows of a table, whose header is none", () => {
    const row = (index: number) =>
      `<tr><td>${index}</td><td><a href="/b/${index}">Book ${index} of many</a></td><td>Author ${index}</td></tr>`
    const [list] = read(`<table><thead><tr><th>No<th>Title<th>By</tr></thead><tbody>${times(12, row)}</tbody></table>`)
    expect(list).toMatchObject({ count: 12, selector: "tbody > tr" })
    expect(list?.rows[0]).toMatchObject({ title: "Book 0 of many", url: "https://shop.example/b/0" })
  })

  it("has links that are the records themselves", () => {
    const [list] = read(
      `<div>${times(6, (index) => `<a class="job" href="/j/${index}"><h2>Engineer ${index}</h2><p>Berlin, ${index} days ago</p></a>`)}</div>`
    )
    expect(list).toMatchObject({ count: 6, selector: "a.job" })
    expect(list?.rows[5]).toMatchObject({ title: "Engineer 5", url: "https://shop.example/j/5" })
  })

  it("has selectors only where they find exactly the records", () => {
    const html = `<div id="a">${times(3, (index) => `<p class="x">${index}</p>`)}</div><div>${times(5, card)}</div><ul class="list">${times(5, (index) => `<li><a href="/${index}">Long title of a thing ${index}</a><b>${index}</b><i>more of it</i></li>`)}</ul>`
    const { root } = parseTree(html)
    for (const { count, selector } of read(html)) {
      if (selector === undefined) continue
      const query = parseQuery(selector)
      expect(query._tag === "Right" ? query.right.all(root, 100).length : -1).toBe(count)
    }
  })

  it("is missing in a page without one", () => {
    expect(read("<h1>Title</h1><p>One text.</p>")).toEqual([])
    expect(read("")).toEqual([])
  })

  it.skipIf(skipsLong)("is found in bounded time in pages that are made to be slow", () => {
    const begun = performance.now()
    for (const html of [
      times(
        4_000,
        (index) =>
          `<div class="a${index} b${index % 7} c${String.fromCharCode(97 + (index % 26))}x"><b>${index}</b></div>`
      ),
      "<div><p>a</p>".repeat(4_000),
      times(
        4_000,
        (index) => `<ul><li class="${"x".repeat(index % 50)}"><a href="/${index}">t</a><a href="#">u</a></li></ul>`
      ),
      `<div>${times(500, (index) => `<section>${times(10, (part) => `<i class="k${String.fromCharCode(97 + (index % 26))}${"y".repeat(part)}">v${index}</i>`)}</section>`)}</div>`
    ])
      read(html)
    expect(performance.now() - begun).toBeLessThan(10_000)
  })
})
