import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Client } from "../../src/Client.ts"
import { prices } from "../../src/Engine.ts"
import { documented, local, type PriceOf } from "../../src/Step/Cost.ts"
import { expect, scopedIn } from "../It.ts"
import * as Local from "../Local.ts"
import { project, type Rows } from "../Project.ts"
import { withEngine } from "../Services.ts"

const card = (name: string, price: string) => `<li><b>${name}</b> <i>${price}</i> <time>2 days ago</time></li>`
const shop = (...cards: ReadonlyArray<string>) =>
  `<!doctype html><html lang="de"><title>Shop</title><p>Waren, die man kaufen kann.</p><ul>${cards.join("")}</ul>`

/** Good rows, unreadable and missing fields, no rows, text, and no HTML at all. */
const pages: Readonly<Record<string, string | { readonly body: string; readonly headers: Record<string, string> }>> = {
  "/": `<p>Alles im Laden.</p>${["a", "b", "c", "d", "text"].map((path) => `<a href="/${path}">${path}</a>`).join(" ")}`,
  "/a": shop(card("Topf", "19,90 €"), card("Pfanne", "1.299,00 €")),
  "/b": shop(card("Deckel", "auf Anfrage"), card("Sieb", "5 €")),
  "/c": shop("<li><i>3 €</i></li>", card("Löffel", "2 €")),
  "/d": shop(),
  "/text": { body: `<li><b>Text</b> <i>7 €</i></li>`, headers: { "content-type": "text/plain" } }
}

const fields = `
      rows: li
      fields:
        name: b
        price: { css: i, as: price }
        shout: { expr: $uppercase(name) }
        seen: { css: time, as: date }
      required: [name]`

const sortedRows = (rows: Rows) => [...rows].map((row) => JSON.stringify(row)).sort()

/** Runs steps with our engine and as if it were a hosted service. */
const bothWays = (steps: string) =>
  Effect.gen(function* () {
    const client = yield* Effect.context<Client>()
    const runWith = (rate: PriceOf) =>
      Effect.gen(function* () {
        const { run } = yield* project({ client, rate })
        const { emitted, rejects, rows } = yield* run(`${steps}\n  - write: { jsonl: rows.jsonl }\n`)
        const fetched = emitted("pages").map(({ data }) => Object.keys(data))
        return {
          rows: sortedRows(rows),
          rejects: rejects.map(({ error, message }) => `${error}: ${message}`).sort(),
          rejected: rejects.map(({ row }) => row),
          fetched
        }
      })
    return { own: yield* runWith(local(prices)), hosted: yield* runWith(documented) }
  })

layer(withEngine)("extract behind our own engine", (it) => {
  const scoped = scopedIn(it)
  scoped.each([
    ["a crawl", (url: string) => `crawl: { url: ${url}, limit: 10 }`],
    [
      "a scrape through steps that pass rows",
      () => "scrape: { onlyMainContent: false }\n  - where: $boolean(metadata)\n  - limit: 10"
    ],
    ["a batch", () => "batchScrape: {}"]
  ] as const)("gives the rows and rejects of the raw HTML, without it, for %s", function* ([name, fetching]) {
    const { url } = yield* Local.site((path) => pages[path])
    const urls = Object.keys(pages).map((path) => `${url}${path}`)
    const source = name === "a crawl" ? "" : `  - urls: ${JSON.stringify(urls)}\n`
    const { hosted, own } = yield* bothWays(
      `${source}  - id: pages\n    ${fetching(url)}\n  - extract:${fields}`.trimStart().replace(/^/, "  ")
    )
    expect(own.rows).toEqual(hosted.rows)
    expect(own.rejects).toEqual(hosted.rejects)
    expect(own.rows).toHaveLength(5)
    expect(own.rejects.map((each) => each.split(":")[0])).toEqual(["MissingField", "NoRows", "NoRows", "WrongValue"])
    expect(hosted.fetched.every((keys) => keys.includes("rawHtml") && !keys.includes("fields"))).toBe(true)
    expect(own.fetched.every((keys) => keys.includes("fields") && !keys.includes("markdown"))).toBe(true)
    // The HTML comes along where a row has failed, so that a mended definition can read it again.
    expect(own.fetched.filter((keys) => keys.includes("rawHtml"))).toHaveLength(4)
  })

  scoped("asks for the HTML where another step sees the page, or a value comes with the run", function* () {
    const { checked } = yield* project({ sharesLedger: true })
    const own = (steps: string) =>
      Effect.map(checked(`  - urls: [https://x.example/]\n${steps}\n  - write: { jsonl: x.jsonl }\n`), ({ nodes }) =>
        nodes.flatMap(({ ownConfig, step }) => (step.formatsAt === undefined ? [] : [ownConfig]))
      )
    const extract = "  - extract: { fields: { t: h1 } }"
    const id = expect.any(String)
    expect(yield* own(`  - scrape: {}\n${extract}`)).toEqual([
      { formats: [{ type: "fields", fields: { t: "h1" }, required: [], html: "failed", fingerprints: true, id }] }
    ])
    expect(
      yield* own(`  - scrape: {}\n  - extract: { fields: { t: { css: h1, as: date }, u: { expr: t } }, required: [u] }`)
    ).toEqual([
      {
        formats: [
          {
            type: "fields",
            fields: { t: { css: "h1", as: "date" } },
            required: [],
            html: "failed",
            fingerprints: true,
            id,
            now: "${{ run.startedAt }}"
          }
        ]
      }
    ])
    for (const steps of [
      "  - scrape: {}\n  - where: $contains(rawHtml, 'x')",
      "  - scrape: {}\n  - explode: metadata",
      "  - scrape: { formats: [rawHtml] }",
      "  - scrape: { formats: [{ type: fields, rows: { table: true } }] }"
    ])
      expect(yield* own(`${steps}\n${extract}`), steps).toEqual([undefined])
    for (const steps of ["session: { cdpUrl: 'ws://127.0.0.1:1' }", ""]
      .map((own) => `  - scrape: { ${own} }`)
      .concat("  - parse: {}"))
      expect(yield* own(`${steps}\n${extract}`), steps).toEqual([
        expect.objectContaining({ formats: [expect.objectContaining({ type: "fields" })] })
      ])
    const input = '  - scrape: {}\n  - extract: { fields: { t: "${{ run.id }}" } }'
    expect(yield* own(input)).toEqual([undefined])
    const branches = `  - id: s\n    scrape: {}\n${extract}\n  - from: s\n    write: { jsonl: y.jsonl }\n  - from: extract\n    limit: 9`
    expect(yield* own(branches)).toEqual([undefined])
  })

  scoped("reads the rows of a stored page, and those of another definition", function* () {
    const { requests, url } = yield* Local.site((path) => pages[path])
    const client = yield* Effect.context<Client>()
    const { run } = yield* project({ client, rate: local(prices) })
    const rowsOf = (more: string) =>
      Effect.map(
        run(
          `  - urls: ["${url}/a"]\n  - scrape: { maxAge: 600000 }\n  - extract: { rows: li, fields: { name: b${more} } }\n  - write: { jsonl: rows.jsonl }\n`
        ),
        ({ rows }) => rows.map(({ url: _, ...row }) => row)
      )
    expect(yield* rowsOf("")).toEqual([{ name: "Topf" }, { name: "Pfanne" }])
    expect(yield* rowsOf("")).toEqual([{ name: "Topf" }, { name: "Pfanne" }])
    expect(yield* rowsOf(", price: { css: i, as: price }")).toEqual([
      { name: "Topf", price: 19.9 },
      { name: "Pfanne", price: 1299 }
    ])
    expect(requests.filter((path) => path === "/a")).toHaveLength(1)
  })
})
