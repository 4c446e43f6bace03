/** A shop whose design changes, and a pipeline that reads it. */
import * as Effect from "effect/Effect"
import { serve } from "../Engine/Scrape/Site.ts"
import { sluice } from "./Console.ts"
import { folderOf } from "./Project.ts"

export const names = ["Blue kettle", "Red pot", "Green cup", "Old lamp", "Tea towel", "Wine rack"]

interface Design {
  readonly page: (name: string, price: string, weight: string) => string
  readonly card: (name: string, price: string) => string
}

export const before: Design = {
  page: (name, price, weight) =>
    `<h1>${name}</h1><p class="price">$${price}</p><dl><dt>Weight</dt><dd>${weight}</dd></dl>`,
  card: (name, price) => `<article class="card"><h2>${name}</h2><b>$${price}</b></article>`
}
export const after: Design = {
  page: (name, price, weight) =>
    `<div class="css-1a2b3c"><h4>Shop</h4><div class="product-title">${name}</div><div><s>$900</s><span class="amount-now">$${price}</span></div>
<ul><li><b>Mass:</b> ${weight}</li></ul></div>`,
  card: (name, price) =>
    `<li class="tile"><a href="/x"><span class="tile-name">${name}</span></a><i>${price} USD</i></li>`
}

/** A site whose design the test changes, and the command line in a folder of its own. */
export const setUp = (definition: (url: string) => string) =>
  Effect.gen(function* () {
    const site = { design: before, rise: 0 }
    const url = yield* serve((request, response) => {
      const at = Number(request.url?.slice(1))
      const price = (index: number) => (10 * (index + 1) + site.rise * (index % 2)).toFixed(2)
      const html =
        request.url === "/list"
          ? `<h1>All</h1><ul>${names.map((name, index) => site.design.card(name, price(index))).join("")}</ul>`
          : site.design.page(names[at] ?? "", price(at), `${at + 2} kg`)
      response.writeHead(200, { "content-type": "text/html" }).end(`<html lang="en"><main>${html}</main>`)
    })
    const folder = yield* folderOf({ "shop.yaml": definition(url) })
    const act = (...words: ReadonlyArray<string>) =>
      sluice([...words, "--data", `${folder}/data`], { env: { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }, cwd: folder })
    const run = act("run", `${folder}/shop.yaml`, "--out", folder, "--quiet")
    return { act, file: `${folder}/shop.yaml`, folder, run, site }
  })

export const pages = (url: string) => `version: 1
name: shop
steps:
  - urls: [${names.map((_, at) => `"${url}/${at}"`).join(", ")}]
  - scrape: { maxAge: 0 }
  - extract:
      # The shop's own names.
      fields:
        title: h1 # the heading
        price: { css: .price, as: price, default: 0 }
        weight: { label: Weight }
  - sort: { by: url }
  - write: { csv: shop.csv }
`

export const list = (url: string) => `version: 1
name: shop
steps:
  - urls: ["${url}/list"]
  - scrape: { maxAge: 0 }
  - extract:
      rows: article.card
      fields:
        title: h2
        price: { css: b, as: price }
      required: [title]
  - write: { jsonl: shop.jsonl }
`
