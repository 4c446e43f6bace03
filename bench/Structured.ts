/**
 * Rows and fields out of pages: CPU of ten fields against `cheerio` and of microformats against `microformats-parser`, and the quality of what `sluice extract` reads against sets of pages
 * with known values.
 *
 *   SLUICE_BENCH_SETS=FOLDER npm run bench structured
 *
 * The sets are not part of this repository, as their pages belong to other publishers. The folder has one folder or archive for each set, and a
 * `score.mjs` that runs `--cli COMMAND --set FOLDER` and prints a line of JSON for each set, with its name as `set`, its number of `items` and
 * its `score`. Without the folder only the CPU is measured.
 */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { join, resolve } from "node:path"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { parsePage, readRows } from "../src/Html/Fields.ts"
import { readMicroformats } from "../src/Html/Microformats.ts"
import { PageUrls } from "../src/Html/PageUrls.ts"
import { parseTree } from "../src/Html/Tree.ts"
import { compileFields } from "../src/Step/Extract/Compile.ts"
import { atLeast, type Bench, type Figure, noted } from "./Measure/Figures.ts"
import { bin, folderFor, install, remove } from "./Measure/Programs.ts"
import { compare } from "./Parts.ts"

const [cheerioPackage, microformatsPackage] = ["cheerio@1.2.0", "microformats-parser@2.0.6"]
const [pages, rounds] = [20, 9]

/** 5,000 elements in eight levels, and a product with ten fields in their midst. */
const pageOf = (number: number): string => {
  const filler = (count: number) =>
    Array.from(
      { length: count },
      (_, at) =>
        `<section class="block b${at % 7}"><div class="wrap"><ul class="items"><li class="item"><a href="/x/${at}" title="Item ${at}"><span class="label">Item ${at}</span> <em>new</em></a></li></ul><p>Some words &amp; more</p></div></section>`
    ).join("\n")
  return `<!doctype html><html lang="en"><head><title>Page ${number}</title></head><body><main><div class="page">${filler(310)}
<article id="product" data-sku="SKU-${number}"><h1>Kettle ${number}</h1><p class="price">$${number}.50</p><a class="brand" href="/brands/acme">Acme</a>
<img class="main" src="/images/${number}.jpg" alt=""><p class="lead description">A kettle of <b>steel</b>.</p><time datetime="2025-01-0${(number % 9) + 1}">then</time>
<dl><dt>Weight</dt><dd class="weight">2 kg</dd></dl><span class="rating" data-value="4.5">****</span><p class="stock in">In stock</p></article>
${filler(310)}</div></main></body></html>`
}

const selectors = [
  ["title", "h1", undefined],
  ["price", "#product .price", undefined],
  ["brand", "article a.brand", undefined],
  ["brandUrl", "article a.brand", "href"],
  ["image", "img.main", "src"],
  ["text", ".description", undefined],
  ["updated", "article time", "datetime"],
  ["weight", "dl > dd.weight", undefined],
  ["rating", "[data-value]", "data-value"],
  ["stock", "p.stock", undefined]
] as const

type Cheerio = {
  readonly load: (html: string) => (selector: string) => {
    readonly first: () => { readonly text: () => string; readonly attr: (name: string) => string | undefined }
  }
}

const entry = (number: number): string =>
  `<article class="h-entry"><h2 class="p-name"><a class="u-url" href="/${number}">Entry ${number}</a></h2>` +
  `<p class="p-author h-card"><b class="p-name">Ann</b></p><time class="dt-published" datetime="2025-01-02">then</time>` +
  `<div class="e-content"><p>Some words, which <em>float</em> &amp; sink.</p></div></article>`

/** A feed of 300 entries, with its parsing. */
const microformats = (folder: string): ReadonlyArray<Figure> => {
  install(folder, [microformatsPackage])
  const { mf2 } = createRequire(join(folder, "index.js"))("microformats-parser") as {
    readonly mf2: (html: string, options: { readonly baseUrl: string }) => { readonly items: ReadonlyArray<unknown> }
  }
  const url = "https://blog.example/"
  const html = `<!doctype html><html><body><main>${Array.from({ length: 300 }, (_, number) => entry(number)).join("")}</main></body></html>`
  const ours = () => {
    const tree = parseTree(html)
    return readMicroformats(tree, new PageUrls(tree, url, false), () => undefined).length
  }
  const theirs = () => mf2(html, { baseUrl: url }).items.length
  return compare("microformats of a page", microformatsPackage, 300, ours, theirs, 2, 40)
}

const fields = (folder: string): ReadonlyArray<Figure> => {
  install(folder, [cheerioPackage])
  const { load } = createRequire(join(folder, "index.js"))("cheerio") as Cheerio
  const files = Array.from({ length: pages }, (_, number) => pageOf(number))
  const { specification } = Either.getOrThrow(
    compileFields({
      fields: Object.fromEntries(
        selectors.map(([name, css, attr]) => [name, attr === undefined ? { css } : { css, attr }])
      )
    })
  )
  const isValue = (value: unknown) => typeof value === "string" && value !== ""
  const ours = () =>
    files.flatMap((html) => {
      const rows = Either.getOrThrow(readRows(parsePage(html, "https://shop.example/"), specification, 0))
      return rows.flatMap(({ values }) => Object.values(values).filter(isValue))
    }).length
  const theirs = () =>
    files.flatMap((html) => {
      const query = load(html)
      return selectors
        .map(([, css, attribute]) => {
          const found = query(css).first()
          return attribute === undefined ? found.text().replace(/\s+/g, " ").trim() : found.attr(attribute)
        })
        .filter(isValue)
    }).length
  return compare("ten fields on pages of 5,000 elements", cheerioPackage, 10 * pages, ours, theirs, 3, rounds)
}

const Line = Schema.parseJson(Schema.Struct({ set: Schema.String, score: Schema.Number }))

/** Scores of the sets from which on a change may not fall. */
const targets: ReadonlyMap<string, number> = new Map([
  ["prices", 0.9],
  ["dates", 0.9],
  ["product-parts", 0.85],
  ["structured", 0.97],
  ["tables", 0.95],
  ["lists", 0.85],
  ["articles", 0.82]
])

const quality = (): ReadonlyArray<Figure> => {
  const folder = process.env.SLUICE_BENCH_SETS
  if (folder === undefined) {
    console.error("SLUICE_BENCH_SETS names no folder with score.mjs and sets: the quality is not measured")
    return []
  }
  const sets = resolve(folder)
  const scorer = join(sets, "score.mjs")
  if (!existsSync(scorer)) throw new Error(`SLUICE_BENCH_SETS: there is no score.mjs in ${sets}`)
  const words = [scorer, "--cli", `"${process.execPath}" "${bin}"`, "--set", sets]
  const { status, stderr, stdout } = spawnSync(process.execPath, words, { encoding: "utf8", maxBuffer: 1 << 26 })
  const lines = stdout.split("\n").flatMap((line) => Either.getOrElse(Schema.decodeEither(Line)(line), () => []))
  if (status !== 0 || lines.length === 0) throw new Error(`${scorer} ended with ${status}: ${stderr.slice(0, 200)}`)
  return lines.map(({ score, set }) => {
    const target = targets.get(set)
    return target === undefined ? noted(`score of ${set}`, score, "") : atLeast(`score of ${set}`, score, "", target)
  })
}

export const bench: Bench = {
  name: "structured",
  run: async () => {
    const folder = folderFor()
    try {
      return [...fields(folder), ...microformats(folder), ...quality()]
    } finally {
      remove(folder)
    }
  }
}
