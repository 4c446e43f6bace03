/** `sluice extract --repair` after a site has got another design; rarer cases: Repair.faults.test.ts. */

import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { serve } from "../Engine/Scrape/Site.ts"
import { describe, expect, live } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { receive } from "../Schedule/Receiver.ts"
import { sluice } from "./Console.ts"
import { folderOf } from "./Project.ts"
import { after, before, list, names, pages, setUp } from "./Redesign.ts"

describe("sluice extract --repair", () => {
  live.skipIf(skipsLong)(
    "finds where the values have gone, proves it, and changes nothing but these fields",
    function* () {
      const { act, file, folder, run, site } = yield* setUp(pages)
      expect((yield* run).code).toBe(0)
      const good = readFileSync(`${folder}/shop.csv`, "utf8")
      expect((yield* act("extract", "--repair", file)).out).toContain("title         fine: 6 of 6 equal")

      site.design = after
      site.rise = 1
      const shown = yield* act("extract", "--repair", file)
      expect(shown.code).toBe(0)
      expect(shown.out).toContain("proved: .product-title")
      expect(shown.out).toContain('proved: {"css":".amount-now","as":"price","default":0}')
      expect(shown.out).toContain("3 of 6 equal, 3 differ by less than 20 %")
      expect(shown.out).toContain('proved: {"label":"Mass"}')
      expect(readFileSync(file, "utf8")).toContain("title: h1 # the heading")

      expect((yield* act("extract", "--repair", file, "--apply")).err).toContain("3 changes made")
      const changed = readFileSync(file, "utf8")
      expect(changed).toContain("# The shop's own names.")
      expect(changed).toContain("label: Mass")
      expect(yield* sluice(["check", file])).toMatchObject({ code: 0, err: "" })
      site.rise = 0
      expect((yield* run).code).toBe(0)
      expect(readFileSync(`${folder}/shop.csv`, "utf8")).toBe(good)
    }
  )

  live.skipIf(skipsLong)("finds the rows of a list again", function* () {
    const { act, file, folder, run, site } = yield* setUp(list)
    expect((yield* run).code).toBe(0)
    const good = readFileSync(`${folder}/shop.jsonl`, "utf8")
    site.design = after
    const shown = yield* act("extract", "--repair", file, "--apply")
    expect(shown.out).toContain("changed: .tile finds 6 rows, 6 before")
    expect((yield* run).code).toBe(0)
    expect(readFileSync(`${folder}/shop.jsonl`, "utf8")).toBe(good)
  })

  live("calls nothing proved that is not there any more, or that is the same everywhere", function* () {
    const { act, file, run, site } = yield* setUp(pages)
    expect((yield* run).code).toBe(0)
    site.design = { ...after, page: (name) => `<h2>${name}</h2><p>Sold out. 2 kg is a lot.</p>` }
    const shown = yield* act("extract", "--repair", file, "--apply")
    expect(shown.code).toBe(1)
    expect(shown.out).toContain("proved: h2")
    expect(shown.out).toContain(
      "price         broken: its last good values are no longer on these pages; nearest now: "
    )
    expect(shown.out).not.toMatch(/weight +proved/)
    expect(shown.err).toContain("not repaired (compared with run ")
    expect(shown.err).toContain("price: its last good values are no longer on these pages; ")
    expect(shown.err).toContain("Change them by hand, then try it with: sluice run ")
  })

  live("is named by a run that fails for its rejects, and by `show`, once there are good rows", function* () {
    const { act, file, folder, site } = yield* setUp((url) =>
      pages(url).replace("  - sort", "      required: [title]\n    onError: { reject: true, stopAfter: 50% }\n  - sort")
    )
    const run = act("run", file, "--out", folder)
    const known = site.design
    site.design = after
    const early = yield* run
    expect([early.code, early.err]).toEqual([3, expect.not.stringContaining("--repair")])
    site.design = known
    expect((yield* run).code).toBe(0)
    site.design = after
    const { code, err } = yield* run
    expect([code, err]).toEqual([
      3,
      expect.stringMatching(
        /\n {2}If the site has changed, find the values again: sluice extract --repair \S+shop\.yaml\n/
      )
    ])
    expect((yield* act("show")).out).toMatch(
      /\n {2}find values again: {3}sluice extract --repair \S+shop\.yaml \w+-\w+\n/
    )
  })

  live("names the flags that have no place beside it", function* () {
    const says = (...words: ReadonlyArray<string>) =>
      Effect.map(sluice(["extract", "--repair", "shop.yaml", ...words]), ({ err }) => err)
    expect(yield* says("--rows", "li", "--write", "x.yaml")).toContain(
      "leave out --rows and --write; --apply changes the definition"
    )
    expect(yield* says("--want", "a=b")).toContain("leave out --want")
  })

  live.skipIf(skipsLong)("says why there is nothing to compare", function* () {
    const { act, file, folder, run } = yield* setUp((url) =>
      pages(url).replace("  - write", "  - drop: url\n  - write")
    )
    expect((yield* act("extract", "--repair", file)).err).toContain("there is no ledger")
    expect((yield* run).code).toBe(0)
    expect((yield* act("extract", "--repair", file)).err).toContain("have no url")
    expect((yield* act("extract", "--repair", `${folder}/gone.yaml`)).err).toContain("no such file")
    expect((yield* act("extract", "--apply")).err).toContain("add --repair FILE")
  })
})

/** A scheduled shop of six products whose server counts its requests; the design of its pages can change. */
const scheduled = (steps: (url: string) => string) =>
  Effect.gen(function* () {
    const site = { design: before, requests: 0 }
    const url = yield* serve((request, response) => {
      site.requests++
      const at = Number(request.url?.slice(1))
      const html = site.design.page(names[at] ?? "", (10 * (at + 1)).toFixed(2), `${at + 2} kg`)
      response.writeHead(200, { "content-type": "text/html" }).end(`<html lang="en"><main>${html}</main>`)
    })
    const receiver = yield* receive()
    const folder = yield* folderOf({
      "shop.yaml": `version: 1
name: shop
schedule: { cron: "0 3 * * *", timezone: UTC }
notify: [{ on: [failed, health], webhook: "${receiver.url}/" }]
steps:
  - urls: [${names.map((_, at) => `"${url}/${at}"`).join(", ")}]
  - scrape: {}
${steps(url)}`
    })
    const act = (...words: ReadonlyArray<string>) =>
      sluice([...words, "--data", `${folder}/data`], {
        env: { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" },
        cwd: folder
      })
    const day = (date: number) =>
      act("schedule", "run", "shop", "--at", `2026-11-0${date}T03:00`, "--folder", folder, "--out", folder)
    return { act, day, folder, receiver, site }
  })

const held = `  - extract:
      fields:
        title: h1
        price: { css: .price, as: price }
        weight: { label: Weight }
  - sort: { by: url }
  - write: { csv: shop.csv }
`

describe("a redesign", () => {
  live.skipIf(skipsLong)(
    "holds the run, is repaired as its notification proposes, and replayed without a request",
    function* () {
      const { act, day, folder, receiver, site } = yield* scheduled(() => held)
      for (const date of [1, 2, 3, 4, 5]) expect((yield* day(date)).code).toBe(0)
      const good = readFileSync(`${folder}/shop.csv`, "utf8")
      site.design = after
      const sixth = yield* day(6)
      expect([sixth.code, sixth.err]).toEqual([
        6,
        expect.stringContaining(`sluice extract --repair ${folder}/shop.yaml\n`)
      ])
      const [{ body = "" } = {}] = receiver.received
      const notice = JSON.parse(body)
      expect(notice.reason).toContain("extract: price matched: expected 100 % (6 of 6 rows in run ")
      expect(notice.reason).toContain(`got 0 % (0 of 6 rows); nearest now: `)
      expect(notice.repair.changes).toEqual(
        expect.arrayContaining([
          {
            field: "price",
            from: '{"css":".price","as":"price"}',
            to: '{"css":".amount-now","as":"price"}',
            // Of a loaded machine the last pages may not be stored yet.
            proof: expect.stringMatching(/^([3-6]) of \1 equal$/)
          }
        ])
      )
      expect(notice.repair.command).toBe(
        `sluice extract --repair ${folder}/shop.yaml --apply && sluice replay ${notice.runId}`
      )
      expect(readFileSync(`${folder}/shop.yaml`, "utf8")).toContain("css: .price")

      expect((yield* act("show", notice.runId)).out).toContain(`shop.yaml ${notice.runId}\n`)

      expect((yield* act("replay", notice.runId)).err).toContain("has not changed since")
      // A later run that went wrong otherwise says nothing of what broke the fields.
      expect((yield* act("run", `${folder}/shop.yaml`, "--out", folder, "--budget", "1")).code).not.toBe(0)
      const { requests } = site
      const other = yield* act("extract", "--repair", `${folder}/shop.yaml`, "nobody")
      expect(other.err).toContain("the ledger has no run nobody")
      const repaired = yield* act("extract", "--repair", `${folder}/shop.yaml`, notice.runId, "--apply")
      expect(repaired.err).toContain(`sluice replay ${notice.runId}`)
      const replayed = yield* act("replay", notice.runId)
      expect([replayed.code, replayed.err]).toEqual([0, expect.stringContaining("6 rows")])
      expect(readFileSync(`${folder}/shop.csv`, "utf8")).toBe(good)
      expect(site.requests).toBe(requests)
      expect((yield* act("runs", "--status", "held")).out).not.toContain(notice.runId)

      // The runs before the repair are still the measure: the next redesign is held as well.
      site.design = { ...after, page: () => "<h2>Closed</h2>" }
      expect((yield* day(7)).code).toBe(6)
      // Its values are gone: there is nothing to propose.
      const next = JSON.parse(receiver.received.at(-1)?.body ?? "")
      expect([next.event, next.repair, next.runId === notice.runId]).toEqual(["health", undefined, false])
      expect(readFileSync(`${folder}/shop.csv`, "utf8")).toBe(good)
    }
  )

  live.skipIf(skipsLong)("that is repaired in part is not replayed, and says what is left to do by hand", function* () {
    const changes = `  - write: { csv: shop.csv, health: { fields: { price: { filled: 80% } } } }
  - dedupe: { key: url, across: runs, changedWhen: price, emit: [new, changed] }
  - write: { csv: "changes-{runId}.csv" }
`
    const { act, day, folder, receiver, site } = yield* scheduled(() => held.replace(/ {2}- sort[\s\S]*/, changes))
    // On the second day nothing changes: the run has rows in one of its outputs only.
    for (const date of [1, 2]) expect((yield* day(date)).code).toBe(0)
    const good = (yield* act("runs", "--json", "--limit", "1")).out.match(/"runId":"([^"]+)"/)?.[1] ?? ""
    site.design = {
      ...after,
      page: (name, price, weight) =>
        before.page(name, `7${price}`, weight).replace(/h1>/g, "h3>").replace('class="price"', 'class="cost"')
    }
    expect((yield* day(3)).code).toBe(6)
    const { repair, runId } = JSON.parse(receiver.received.at(-1)?.body ?? "")
    expect(repair).toEqual({
      changes: [{ field: "title", from: "h1", to: "h3", proof: expect.stringContaining(" equal") }],
      notProved: ["price"],
      command: `sluice extract --repair ${folder}/shop.yaml ${runId} --apply`
    })
    const applied = yield* act("extract", "--repair", `${folder}/shop.yaml`, "--apply")
    expect(applied).toMatchObject({ code: 1, out: expect.stringContaining(`compared with run ${good}`) })
    expect(applied.err).toContain("1 change made\n")
    expect(applied.err).toMatch(
      /not repaired \(compared with run \S+\): price: its last good values are no longer on these pages; nearest now: p\.cost "\$7\d+\.00"\. Change it by hand, then read /
    )
    expect(applied.err).toContain(`sluice replay ${runId}\n`)
  })
})
