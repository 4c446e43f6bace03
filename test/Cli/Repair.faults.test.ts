/** Repairs that compare with other runs than the last, and that keep the file as it is. */
import { chmodSync, lstatSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { describe, expect, live } from "../It.ts"
import { before, list, setUp } from "./Redesign.ts"

describe("sluice extract --repair", () => {
  live("compares with the last good run that has rows, and values of the fields", function* () {
    const dated = (url: string) => list(url).replace("shop.jsonl", '"shop-${{ run.id }}.jsonl"')
    const { act, file, run, site } = yield* setUp((url) =>
      dated(url).replace("article.card", "article.card\n      onEmpty: skip")
    )
    expect((yield* run).code).toBe(0)
    const known = site.design
    // Every price is gone, and then every row.
    site.design = { ...before, card: (name) => `<article class="card"><h2>${name}</h2></article>` }
    expect((yield* run).code).toBe(0)
    site.design = { ...before, card: () => "" }
    expect((yield* run).code).toBe(0)
    site.design = known
    const shown = yield* act("extract", "--repair", file)
    expect(shown.out, shown.err).toContain("price         fine: 6 of 6 equal")
  })

  live("says that the good rows are replaced, where a quiet day has replaced them", function* () {
    const { act, file, run, site } = yield* setUp((url) =>
      list(url).replace("article.card", "article.card\n      onEmpty: skip")
    )
    expect((yield* run).code).toBe(0)
    site.design = { ...before, card: () => "" }
    expect((yield* run).code).toBe(0)
    const shown = yield* act("extract", "--repair", file)
    expect(shown.err).toContain("have no rows any more, because a later run has replaced its files")
  })

  live("says that it found no row again, rather than that the rows had no values", function* () {
    const { act, file, run, site } = yield* setUp(list)
    expect((yield* run).code).toBe(0)
    site.design = { ...before, card: () => "<p>Sold out</p>" }
    const shown = yield* act("extract", "--repair", file)
    expect(shown.out, shown.err).toContain(
      "rows          lost: no lasting class, id or tag of these pages finds the last good rows"
    )
    expect(shown.out).toContain("price         unknown: none of the last good rows was found on these pages")
  })

  live(
    "reads numbers as the step says, finds the pages of rows with addresses of their own, and keeps the file",
    function* () {
      const card = (name: string, price: string, mark: string) =>
        `<li class="${mark}"><a href="/p/${name.replace(" ", "-")}">${name}</a> <b class="${mark}-price">${price}</b></li>`
      const { act, file, folder, run, site } = yield* setUp((url) =>
        list(url)
          .replace("article.card", "li.card")
          .replace("title: h2", "url: { css: a, attr: href }\n        title: a")
          .replace("css: b", "css: .card-price")
          .replace("      required", "      locale: de\n      required")
      )
      const german = (price: string) => `1.${price.replace(".00", "0").padStart(3, "0")}`
      site.design = { ...before, card: (name, price) => card(name, german(price), "card") }
      expect((yield* run).code).toBe(0)
      const good = readFileSync(`${folder}/shop.jsonl`, "utf8")
      expect(good).toContain('"price":1100')
      site.design = {
        ...before,
        card: (name, price) => card(name, german(price), "card").replace("card-price", "amount")
      }
      const definition = readFileSync(file, "utf8")
      renameSync(file, `${folder}/real.yaml`)
      writeFileSync(`${folder}/real.yaml`, `\ufeff${definition.replaceAll("\n", "\r\n")}`)
      chmodSync(`${folder}/real.yaml`, 0o640)
      symlinkSync(`${folder}/real.yaml`, file)
      const shown = yield* act("extract", "--repair", file, "--apply")
      expect(shown).toMatchObject({ code: 0, out: expect.stringContaining("proved: ") })
      expect(lstatSync(file).isSymbolicLink()).toBe(true)
      expect(statSync(`${folder}/real.yaml`).mode & 0o777).toBe(0o640)
      const changed = readFileSync(file, "utf8")
      expect(changed.replace(".amount", ".card-price")).toBe(`\ufeff${definition.replaceAll("\n", "\r\n")}`)
      expect((yield* run).code).toBe(0)
      expect(readFileSync(`${folder}/shop.jsonl`, "utf8")).toBe(good)
    }
  )
})
